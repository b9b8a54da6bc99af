//! Properties of every value: no rule panics, a normalized value normalizes to itself, and a stored value
//! compares like the value sent (groups N and M).

use matterbook_rules::{
    SmolStr,
    client::ClientFields,
    matching::{MatchKey, fold_name, fold_street},
    normalize::{self, Field, FieldValue, Problem},
};
use proptest::prelude::*;

/// Any text: of all kinds of characters, or of pieces that the rules search for.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), proptest::collection::vec(piece(), 0..12).prop_map(|pieces| pieces.concat())]
}

fn piece() -> impl Strategy<Value = String> {
    let listed = prop::sample::select(vec![
        " ",
        "  ",
        "\t",
        "\n",
        "\u{a0}",
        "\u{200b}",
        "\u{200d}",
        "\u{feff}",
        "\u{200e}",
        "\0",
        "-",
        "–",
        "\u{2212}",
        ".",
        ".0",
        ",",
        ";",
        ":",
        "/",
        "#",
        "+",
        "(",
        ")",
        "@",
        "_",
        "&",
        "'",
        "’",
        "´",
        "`",
        "\u{1fef}",
        "\u{1ffd}",
        "\u{301}",
        "\u{323}",
        "\u{345}",
        "\u{3099}",
        "é",
        "e\u{301}",
        "ß",
        "ﬂ",
        "İ",
        "ı",
        "½",
        "²",
        "Å",
        "\u{212b}",
        "\u{2126}",
        "\u{1e9b}\u{323}",
        "李",
        "が",
        "か\u{3099}",
        "राम",
        "한",
        "\u{1100}\u{1161}",
        "Σ",
        "😀",
        "x",
        "ext",
        "N",
        "North",
        "E",
        "East",
        "nw",
        "St",
        "Street",
        "Ave",
        "Road",
        "Key",
        "Apt",
        "Unit",
        "Floor",
        "Rear",
        "PO",
        "Box",
        "P.O.",
        "RR",
        "HC",
        "PSC",
        "No",
        "Rt",
        "State",
        "5th",
        "1/2",
        "Main",
        "Jan",
        "January",
        "2024",
        "1",
        "01",
        "15",
        "T10:00Z",
        "NY",
        "New",
        "York",
        "Va",
        "W",
        "a@b.co",
        "example.com",
        "yes",
        "off",
        "Jr",
        "O",
    ])
    .prop_map(str::to_owned);
    prop_oneof![4 => listed, 2 => "[0-9]{1,11}", 1 => "[a-zA-Z]{1,8}", 1 => any::<char>().prop_map(String::from)]
}

fn any_value() -> impl Strategy<Value = FieldValue<'static>> {
    prop_oneof![
        8 => any_text().prop_map(|text| FieldValue::Text(text.into())),
        2 => "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?".prop_map(|token| FieldValue::Number(token.into())),
        1 => any::<bool>().prop_map(FieldValue::Bool),
        1 => Just(FieldValue::Absent),
        1 => Just(FieldValue::LoneSurrogate),
        1 => Just(FieldValue::Array),
        1 => Just(FieldValue::Object),
    ]
}

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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

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
