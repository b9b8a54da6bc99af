use proptest::prelude::*;
use serde_json::value::RawValue;

use super::*;

/// Compares both ways of skipping a text with `serde_json`.
fn check(text: &str) {
    let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
    let (mut skipping, mut reading) = (Scanner::new(text), Scanner::new(text));
    assert_eq!(skipping.skip().and_then(|()| skipping.end()).is_ok(), is_json, "{text:?}");
    let read = reading.value().and_then(|value| reading.end().map(|()| value));
    assert_eq!(read.is_ok(), is_json, "{text:?}");
    if let Ok(value) = read {
        assert_eq!(value, FieldValue::from_json_token(text.trim_matches([' ', '\t', '\n', '\r'])), "{text:?}");
    }
}

#[test]
fn what_is_json_is_what_the_library_says() {
    for text in [
        "",
        " ",
        "nul",
        "null",
        "nulls",
        "true",
        "tru",
        "false",
        "0",
        "-0",
        "01",
        "-",
        "1.",
        ".5",
        "1.5e",
        "1e5",
        "1E+05",
        "1e+",
        "-1.50e-7",
        "--1",
        "+1",
        "0x1",
        "1 2",
        "\"\"",
        "\"",
        "\"a",
        "\"a\\\"",
        "\"\\\"\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\ud83d\"",
        "\"\\ud83d\\ude00\"",
        "\"\\/\\b\\f\"",
        "\"\n\"",
        "\"\u{7f}\u{e9}\u{1f600}\"",
        "[",
        "]",
        "[]",
        "[ ]",
        "[1]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[[],{}]",
        "[}",
        "{",
        "{}",
        "{ }",
        "{\"a\":1}",
        "{\"a\" : [1 , {\"b\":null}]}",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1,}",
        "{1:1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1]",
        "\u{feff}1",
        "\u{a0}1",
        "\u{b}1",
        "1\t\r\n ",
    ] {
        check(text);
    }
}

#[test]
fn depth_does_not_matter() {
    let deep = format!("{}{}", "[{\"a\":".repeat(50_000), "}]".repeat(50_000));
    let text = deep.replace(":}", ":0}");
    let mut scanner = Scanner::new(&text);
    assert_eq!(scanner.skip().and_then(|()| scanner.end()), Ok(()));
    assert_eq!(Scanner::new(&deep).skip(), Err(Malformed));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_judged_alike(text in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..9)) {
        check(&text.concat());
    }
}

const PIECES: [&str; 26] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"a\"",
    "\"b\":",
    "\\",
    "u00e9",
    "\\ud83d",
    "1",
    "0",
    "-",
    ".5",
    "e",
    "E+",
    "true",
    "null",
    " ",
    "\n",
    "é",
    "\u{1}",
    "{\"a\":1}",
    "[1,2]",
];
