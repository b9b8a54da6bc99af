//! Any JSON value in any field gives a result: never a panic, never a 500.

use matterbook_conformance::wire::Firm;
use proptest::{prelude::*, sample::select};
use serde_json::json;

use super::{cases, failed, service};

const FIELDS: [&str; 17] = [
    "first_name",
    "last_name",
    "address_line1",
    "address_line2",
    "city",
    "state",
    "zip",
    "email",
    "phone",
    "case_type",
    "opened_on",
    "settled_on",
    "external_id",
    "do_not_mail",
    "new_settlement",
    "id",
    "else",
];

/// JSON as text, so that numbers beyond 64 bits, doubled members and broken escapes are in it.
fn json_text() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        "-?(0|[1-9][0-9]{0,40})",
        "-?(0|[1-9][0-9]{0,5})\\.[0-9]{1,8}",
        "-?[1-9](\\.[0-9]{1,3})?[eE][+-]?[0-9]{1,4}",
    ];
    let likely = select(vec![
        "12 Elm St",
        "62704-1234",
        "2139",
        "(217) 555-0123 x5",
        "2024-02-30",
        "Feb 3 2024",
        "ada@example.com",
        "yes",
        "off",
        "a@b.c@d",
        "+",
        "--",
        "00",
        "0".repeat(30).leak(),
        "\u{1F1FA}\u{1F1F8}",
        "ﬁ",
        "İ",
        "\u{0}",
        "NaN",
        "1e999",
        "P.O. Box",
    ]);
    let text = prop_oneof![3 => any::<String>(), 3 => likely.prop_map(str::to_owned), 1 => "[0-9 ()+./-]{0,24}"]
        .prop_map(|text| json!(text).to_string());
    let escapes = "(\\\\u[0-9a-fA-F]{4}|\\\\[bfnrt/]|[ -!#-\\[\\]-~]){0,12}".prop_map(|text| format!("\"{text}\""));
    let leaf = prop_oneof![
        4 => text,
        2 => escapes,
        2 => number,
        1 => select(vec!["null", "true", "false"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((select(FIELDS.to_vec()), inner), 0..4).prop_map(|members| object_text(&members)),
        ]
    })
}

fn object_text(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

fn client_text() -> impl Strategy<Value = String> {
    prop::collection::vec((select(FIELDS.to_vec()), json_text()), 0..10).prop_map(|members| object_text(&members))
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_json_in_a_batch_gives_a_result_for_each(
        clients in prop::collection::vec(prop_oneof![6 => client_text(), 1 => json_text()], 1..12),
    ) {
        let service = service();
        let firm = Firm::open(&service).map_err(failed)?;
        for _ in 0..2 {
            let text = format!("{{\"clients\":[{}]}}", clients.join(","));
            let answer = firm.send(&firm.request("POST", "/clients").json_text(&text)).map_err(failed)?;
            prop_assert_eq!(answer.status, 200, "{}", answer.at("/error/message"));
            let results = answer.array("/results").map_err(failed)?;
            prop_assert_eq!(results.len(), clients.len());
            for (index, result) in results.iter().enumerate() {
                let is_saved = matches!(result["status"].as_str(), Some("created" | "updated"));
                let is_refused = matches!(result["status"].as_str(), Some("conflict" | "error"));
                prop_assert!(is_saved || is_refused, "{}", result);
                prop_assert_eq!(&result["index"], &json!(index));
                prop_assert_eq!(result["id"].is_string(), is_saved);
                prop_assert_eq!(result["message"].is_string(), is_refused);
            }
        }
    }

    #[test]
    fn any_json_on_a_settled_case_gives_an_answer(clients in prop::collection::vec(client_text(), 1..6)) {
        let service = service();
        let firm = Firm::open(&service).map_err(failed)?;
        for text in &clients {
            let settled = text.replacen('{', "{\"settled_on\":\"2025-01-02\",", 1).replace(",}", "}");
            for text in [text, &settled] {
                let answer = firm.send(&firm.request("POST", "/cases/settled").json_text(text)).map_err(failed)?;
                prop_assert!(matches!(answer.status, 200 | 400 | 404 | 409), "{}: {}", answer.status, text);
            }
        }
    }

    #[test]
    fn any_bytes_as_a_body_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..80), text in ".{0,60}") {
        let service = service();
        let firm = Firm::open(&service).map_err(failed)?;
        for body in [bytes, text.into_bytes()] {
            for path in ["/clients", "/cases/settled"] {
                let body = matterbook_conformance::wire::Body::Whole(body.clone());
                let answer = firm.send(&firm.request("POST", path).body(body)).map_err(failed)?;
                prop_assert_eq!(answer.status, 400);
            }
        }
    }

    #[test]
    fn any_json_in_an_import_gives_a_result_for_each(
        prospects in prop::collection::vec(prop_oneof![6 => client_text(), 1 => json_text()], 1..8),
    ) {
        let service = service();
        let firm = Firm::open(&service).map_err(failed)?;
        let begun: Vec<String> = prospects
            .iter()
            .map(|text| match text.strip_prefix('{') {
                Some(rest) => format!(
                    "{{\"source_id\":\"s\",\"crash_date\":\"2025-01-02\",\"crash_county_fips\":6037,{rest}"
                ).replace(",}", "}"),
                None => text.clone(),
            })
            .collect();
        let text = format!("{{\"prospects\":[{}]}}", begun.join(","));
        let request = firm.operator().request("POST", "/prospects").json_text(&text);
        let answer = matterbook_conformance::wire::send(&service, &request).map_err(failed)?;
        prop_assert_eq!(answer.status, 200, "{}", answer.at("/error/message"));
        prop_assert_eq!(answer.array("/results").map_err(failed)?.len(), prospects.len());
    }
}
