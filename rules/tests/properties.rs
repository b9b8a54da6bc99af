//! Properties of every value: no rule panics, a normalized value normalizes to itself, and a stored value
//! compares like the value sent (groups N and M).

use matterbook_rules::{
    SmolStr,
    client::ClientFields,
    matching::{MatchKey, fold_name, fold_street},
    normalize::{self, Field, FieldValue, Problem},
    strategies::{any_text, any_value},
};
use proptest::prelude::*;

type TextRule = fn(&FieldValue<'_>) -> Result<Option<SmolStr>, Problem>;

/// Every rule whose result is a text.
const TEXT_RULES: [(&str, TextRule); 7] = [
    ("text", |value| normalize::text(value, Field::TEXT_MAX_LENGTH)),
    ("address", |value| normalize::address(value, Field::ADDRESS_MAX_LENGTH)),
    ("state", normalize::state),
    ("zip", normalize::zip),
    ("email", normalize::email),
    ("phone", normalize::phone),
    ("external_id", normalize::external_id),
];

/// As many cases as `PROPTEST_CASES` says, and a thousand without it.
fn config() -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() { default } else { ProptestConfig { cases: 1_000, ..default } }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_normalized_value_stays_as_it_is(value in any_value()) {
        for (name, rule) in TEXT_RULES {
            if let Ok(Some(normalized)) = rule(&value) {
                prop_assert!(!normalized.is_empty(), "{}", name);
                prop_assert_eq!(rule(&FieldValue::from(normalized.as_str())), Ok(Some(normalized)), "{}", name);
            }
        }
        if let Ok(Some(date)) = normalize::date(&value) {
            prop_assert_eq!(normalize::date(&FieldValue::from(date.to_string().as_str())), Ok(Some(date)));
        }
        if let Ok(Some(yes)) = normalize::boolean(&value) {
            prop_assert_eq!(normalize::boolean(&FieldValue::from(yes)), Ok(Some(yes)));
        }
    }

    #[test]
    fn a_problem_never_repeats_the_value(text in "[a-z]{12,20}") {
        let value = FieldValue::from(text.as_str());
        for (name, rule) in TEXT_RULES {
            if let Err(problem) = rule(&value) {
                prop_assert!(!problem.to_string().contains(&text), "{}: {}", name, problem);
            }
        }
    }

    #[test]
    fn blank_is_missing_for_every_rule(text in "[ \t\n\u{85}\u{a0}\u{2003}\u{3000}\u{feff}\u{200b}\u{200d}\u{2060}\u{200e}\u{202c}\u{2069}]{0,8}") {
        let value = FieldValue::from(text.as_str());
        for (name, rule) in TEXT_RULES {
            prop_assert_eq!(rule(&value), Ok(None), "{}", name);
        }
        prop_assert_eq!(normalize::date(&value), Ok(None));
        prop_assert_eq!(normalize::boolean(&value), Ok(None));
    }

    #[test]
    fn what_is_stored_folds_as_what_was_sent(text in any_text()) {
        let value = FieldValue::from(text.as_str());
        if let Ok(stored) = normalize::text(&value, usize::MAX) {
            prop_assert_eq!(fold_name(&stored.unwrap_or_default()), fold_name(&text));
        }
        if let Ok(stored) = normalize::address(&value, usize::MAX) {
            prop_assert_eq!(fold_street(&stored.unwrap_or_default()), fold_street(&text));
        }
    }

    #[test]
    fn folded_texts_have_single_spaces_between_words(text in any_text()) {
        for folded in [fold_name(&text), fold_street(&text)] {
            prop_assert!(!folded.starts_with(' ') && !folded.ends_with(' ') && !folded.contains("  "), "{:?}", folded);
            prop_assert!(!folded.contains(char::is_control), "{:?}", folded);
        }
    }

    #[test]
    fn another_house_number_is_another_street(one in 1_u32..99_999, other in 1_u32..99_999, street in any_text()) {
        prop_assume!(one != other);
        prop_assert_ne!(fold_street(&format!("{one} {street}")), fold_street(&format!("{other} {street}")));
    }

    #[test]
    fn another_unit_is_another_address(one in 1_u32..9_999, other in 1_u32..9_999, street in any_text()) {
        prop_assume!(one != other);
        prop_assert_ne!(fold_street(&format!("{street} Apt {one}")), fold_street(&format!("{street} Apt {other}")));
    }

    #[test]
    fn equal_facts_have_equal_hashes(first in any_text(), last in any_text(), street in any_text()) {
        let fields = ClientFields {
            first_name: Some(first.to_lowercase().into()),
            last_name: Some(last.into()),
            address_line1: Some(street.into()),
            zip: Some("02134".into()),
            ..ClientFields::default()
        };
        let match_key = MatchKey::of(&fields);
        let again = MatchKey::of(&fields);
        prop_assert_eq!(&match_key, &again);
        prop_assert_eq!(match_key.hash(), again.hash());
        for hash in [match_key.hash().name, match_key.hash().street].into_iter().flatten() {
            prop_assert!((0..1 << 53).contains(&hash));
        }
    }
}
