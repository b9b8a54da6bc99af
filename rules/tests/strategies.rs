//! The generated values hold what they promise. Their stored forms are not made by the rules, so this also checks the
//! rules (groups N and M).

use matterbook_rules::{
    client::stored_value,
    matching::{self, MatchKey},
    normalize::Field,
    strategies::{blank, different_people, pair, person, refused, same_person},
};
use proptest::prelude::*;

/// As many cases as `PROPTEST_CASES` says, and 500 without it.
fn config() -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() { default } else { ProptestConfig { cases: 500, ..default } }
}

/// A value of each field.
fn of_each<S: Strategy>(strategy: impl Fn(Field) -> S) -> impl Strategy<Value = Vec<(Field, S::Value)>> {
    Field::ALL.into_iter().map(|field| (Just(field), strategy(field))).collect::<Vec<_>>()
}

fn is_same(one: &matterbook_rules::client::ClientFields, other: &matterbook_rules::client::ClientFields) -> bool {
    matching::same_person(&MatchKey::of(one), &MatchKey::of(other))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_sent_is_stored_as_the_pair_says(pairs in of_each(pair)) {
        for (field, pair) in pairs {
            prop_assert_eq!(stored_value(field, &pair.sent), Ok(Some(pair.kept)), "{:?}", field);
        }
    }

    #[test]
    fn what_is_refused_has_the_problem_that_is_said(values in of_each(refused)) {
        for (field, (sent, kind)) in values {
            prop_assert_eq!(stored_value(field, &sent).map_err(|problem| problem.kind()), Err(kind), "{:?}", field);
        }
    }

    #[test]
    fn a_blank_is_missing_in_every_field(sent in blank()) {
        for field in Field::ALL {
            prop_assert_eq!(stored_value(field, &sent), Ok(None), "{:?}", field);
        }
    }

    #[test]
    fn a_person_has_all_that_is_compared(fields in person()) {
        prop_assert!(MatchKey::of(&fields).is_complete());
    }

    #[test]
    fn two_records_of_one_person_match((one, other) in same_person()) {
        prop_assert!(is_same(&one, &other) && is_same(&other, &one));
        prop_assert_eq!(MatchKey::of(&one).hash().name, MatchKey::of(&other).hash().name);
    }

    #[test]
    fn records_of_different_people_do_not_match((one, other) in different_people()) {
        prop_assert!(!is_same(&one, &other) && !is_same(&other, &one));
    }
}
