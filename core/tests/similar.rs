//! Possible duplicates: the same from both sides, found by a common key, and never against a reason.

use matterbook_core::{
    client::ClientFields,
    similar::{Nicknames, SimilarReason, Similarity},
};
use proptest::prelude::*;

/// A client of a small set of names and addresses, so that many are alike.
fn client() -> impl Strategy<Value = ClientFields> {
    let one_of = |texts: &[Option<&'static str>]| prop::sample::select(texts.to_vec());
    (
        one_of(&[None, Some("Robert"), Some("Bob"), Some("Robert A."), Some("Robert B"), Some("Ana"), Some("Li")]),
        one_of(&[None, Some("Sampleton"), Some("Sampelton"), Some("Sampleton Jr"), Some("Sampleton III"), Some("Ana")]),
        one_of(&[None, Some("12 Maple St"), Some("12 Mapel St Apt 4"), Some("12 Maple St #5"), Some("Elm House")]),
        one_of(&[None, Some("Apt 4"), Some("c/o Ruiz")]),
        one_of(&[None, Some("62704"), Some("62740"), Some("62704-1001")]),
        one_of(&[None, None, Some("a@example.com"), Some("b@example.com")]),
        one_of(&[None, None, Some("+12175550134")]),
    )
        .prop_map(|(first_name, last_name, address_line1, address_line2, zip, email, phone)| ClientFields {
            first_name: first_name.map(Into::into),
            last_name: last_name.map(Into::into),
            address_line1: address_line1.map(Into::into),
            address_line2: address_line2.map(Into::into),
            zip: zip.map(Into::into),
            email: email.map(Into::into),
            phone: phone.map(Into::into),
            ..ClientFields::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn reasons_are_the_same_from_both_sides_and_have_a_common_key(one in client(), other in client()) {
        let [one, other] = [one, other].map(|fields| Similarity::of(&fields));
        let nicknames = Nicknames::default();
        let reasons = one.reasons(&other, &nicknames);
        prop_assert_eq!(&reasons, &other.reasons(&one, &nicknames));
        let has_common_key = one.keys().any(|key| other.keys().any(|other| other == key));
        prop_assert!(reasons.is_empty() || has_common_key, "{:?}", reasons);
    }

    #[test]
    fn what_speaks_against_it_leaves_no_reason(one in client(), other in client()) {
        let speaks_against = |one: &ClientFields, other: &ClientFields| {
            let suffixes = ["Jr", "III"].map(|suffix| one.last_name.as_deref().unwrap_or("").ends_with(suffix));
            let others = ["Jr", "III"].map(|suffix| other.last_name.as_deref().unwrap_or("").ends_with(suffix));
            let is = |fields: &ClientFields, name: &str| fields.first_name.as_deref() == Some(name);
            let initials = is(one, "Robert A.") && is(other, "Robert B");
            suffixes != others && suffixes.contains(&true) && others.contains(&true) || initials
        };
        if speaks_against(&one, &other) || speaks_against(&other, &one) {
            prop_assert_eq!(Similarity::of(&one).reasons(&Similarity::of(&other), &Nicknames::default()), []);
        }
    }
}

#[test]
fn each_reason_is_given_and_what_speaks_against_it_is_not() {
    use SimilarReason::*;
    let record = |text: &str| {
        let parts: Vec<_> = text.split('|').map(|part| Some(part).filter(|part| !part.is_empty())).collect();
        let part = |place: usize| parts.get(place).copied().flatten().map(Into::into);
        Similarity::of(&ClientFields {
            first_name: part(0),
            last_name: part(1),
            address_line1: part(2),
            address_line2: part(3),
            zip: part(4),
            email: part(5),
            phone: part(6),
            ..ClientFields::default()
        })
    };
    let cases: [(&str, &str, &[SimilarReason]); 27] = [
        ("Ana|Li|1 Oak St||62704|a@example.com", "Bo|Wu|||||", &[]),
        ("Ana|Li||||a@example.com", "Bo|Wu||||a@example.com", &[SameEmail]),
        ("Ana|Li|||||+12175550134", "Bo|Wu|||||+12175550134", &[SamePhone]),
        ("Robert|Li|1 Oak St||62704", "Bob|LI|1 Oak Street||62704-1001", &[Nickname]),
        ("Robert|Li|1 Oak St||62704", "Bob|Li|2 Oak St||62704", &[]),
        ("Robert|Li|1 Oak St||62704", "Bob|Li|1 Oak St||62705", &[]),
        ("Wolfran|Sampleton|1 Oak St||62704", "Wolfram|Sampleton|1 Oak St||62704", &[OneLetter]),
        ("Ana|Sampleton|1 Oak St||62704", "Ana|Sampelton|1 Oak St||62704", &[OneLetter]),
        ("Ana|Li|1 Maple St||62704", "Ana|Li|1 Mapel St||62704", &[OneLetter]),
        ("Ana|Li|1 5th St||62704", "Ana|Li|1 6th St||62704", &[]),
        ("Ana|Li|1 N Maple St||62704", "Ana|Li|1 S Maple St||62704", &[]),
        ("Ana|Li|1 Maple St||62704", "Ana|Li|2 Mapel St||62704", &[]),
        ("Ana|Li|1 Oak St||62704", "Ann|Li|1 Oak St||62704", &[]),
        ("Li|Ana|1 Oak St||62704", "Ana|Li|1 Oak St||62704", &[NamesSwapped]),
        ("Ana M.|Li|1 Oak St||62704", "Ana|Li|1 Oak St||62704", &[Initial]),
        ("Ana M.|Li|1 Oak St||62704", "Ana Maria|Li|1 Oak St||62704", &[Initial]),
        ("A.|Li|1 Oak St||62704", "Ana|Li|1 Oak St||62704", &[Initial]),
        ("Ana M.|Li|1 Oak St||62704|a@example.com", "Ana B.|Li|1 Oak St||62704|a@example.com", &[]),
        ("Ana|Li|1 Oak St Apt 4||62704", "Ana|Li|1 Oak St|c/o Ruiz, Apt 4|62704", &[Unit]),
        ("Ana|Li|1 Oak St Apt 4||62704", "Ana|Li|1 Oak St||62704", &[Unit]),
        ("Robert|Li|1 Oak St Apt 4||62704", "Bob|Li|1 Oak St Apt 5||62704", &[]),
        ("Ana|Li|1 Oak St|Apt 4|62704||+12175550134", "Ana|Li|1 Oak St|Apt 5|62704||+12175550134", &[]),
        ("Ana|Li|1 Oak St #4||62704|a@example.com", "Ana|Li|1 Oak St #5||62704|a@example.com", &[SameEmail]),
        ("Ana|Li Jr|1 Oak St||62704", "Ana|Li|1 Oak St||62704", &[Suffix]),
        ("Ana|Li Jr.|1 Oak St||62704|a@example.com", "Ana|Li Sr|1 Oak St||62704|a@example.com", &[]),
        ("Ana|Li II|1 Oak St||62704", "Ana|Li 3rd|1 Oak St||62704", &[]),
        ("Ana|Li|1 Oak St||62704", "Ana|Li|1 Oak St||67204", &[ZipDigits]),
    ];
    let nicknames = Nicknames::default();
    for (one, other, reasons) in cases {
        assert_eq!(record(one).reasons(&record(other), &nicknames), reasons, "{one} and {other}");
    }
    assert_eq!(record("Ana|Li|1 Oak St||62704").reasons(&record("Ana|Li|1 Oak St||62407"), &nicknames), []);
}
