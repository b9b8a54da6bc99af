//! Files of one JSON object a line.

use super::file::TestFile;

#[test]
fn members_are_columns_and_values_keep_their_types() {
    let lines = "\u{feff}{\"clientId\":18446744073709551616,\"lastName\":\"Li\",\"zip\":2134,\"address\":{\"street\":\"x\"},\"tags\":[1]}\r\n\
                 \r\n\
                 {\"lastName\":\"Reed\",\"zip\":\"021\"}\n\
                 not json\n\
                 [1]\n\
                 {\"lastName\":\"Orr\"} {}\n\
                 {\"lastName\":\"Po\",\"do_not_mail\":true,\"address_line1\":[1]}\n";
    let report = TestFile::new("a.ndjson", lines).report(&[]);
    assert_eq!(
        report.used_columns(),
        [
            "clientId → external_id",
            "lastName → last_name",
            "zip → zip",
            "do_not_mail → do_not_mail",
            "address_line1 → address_line1"
        ]
    );
    assert_eq!(
        report.all_findings(),
        [
            (1, "zip: 2134 → 02134".to_owned()),
            (
                3,
                "zip must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text.".to_owned()
            ),
            (4, "The line is not one JSON object.".to_owned()),
            (5, "The line is not one JSON object.".to_owned()),
            (6, "The line is not one JSON object.".to_owned()),
            (7, "address_line1 must be a string. do_not_mail was not turned on.".to_owned()),
        ]
    );
}

#[test]
fn a_member_that_comes_late_is_used_and_shown() {
    let mut lines: String = (0..150).map(|number| format!("{{\"id\":{number},\"last\":\"Li\"}}\n")).collect();
    lines.push_str("{\"id\":1000,\"last\":\"Li\",\"Postal Code\":\"1\"}\n");
    let file = TestFile::new("a.jsonl", lines);
    let report = file.report(&[]);
    assert_eq!(report.findings(151), ["zip must have 5 or 9 digits, but has 1."]);
    let printed = String::from_utf8(file.check(&[]).stdout).expect("UTF-8");
    assert!(printed.contains("Columns that come in later lines only:\n  Postal Code  zip\n"), "{printed}");
}

#[test]
fn a_line_without_an_end_is_an_error_and_the_rest_goes_on() {
    let long = format!("{{\"last\":\"{}\"}}", "x".repeat(17 * 1_024 * 1_024));
    let report = TestFile::new("a.ndjson", format!("{{\"last\":\"Li\"}}\n{long}\n{{\"last\":\"Reed\"}}\n")).report(&[]);
    assert_eq!(report.all_findings(), [(2, "The line is longer than 16 MiB.".to_owned())]);
    assert_eq!(report.count("rows"), 3);
}

#[test]
fn the_file_of_out_has_the_objects_with_what_became_of_them() {
    let file = TestFile::new("a.ndjson", "{\"last\":\"Li\",\"x\":[1]}\nnot json\n");
    let report = file.report(&["--out", "o.ndjson"]);
    assert_eq!(report.status, Some(1));
    let written = std::fs::read_to_string(file.beside("o.ndjson")).expect("text");
    let lines: Vec<serde_json::Value> = written.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        serde_json::Value::from(lines),
        serde_json::json!([
            {"last": "Li", "x": [1], "matterbook_row": 1, "matterbook_status": "ready", "matterbook_reason": ""},
            {"matterbook_line": "not json", "matterbook_row": 2, "matterbook_status": "error",
             "matterbook_reason": "The line is not one JSON object."},
        ])
    );
}
