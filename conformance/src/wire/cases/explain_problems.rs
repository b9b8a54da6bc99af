//! What `explain=true` says of members that were ignored and of values that were refused.

use serde_json::{Value, json};

use super::explain::{SETTLED, TRIED, ray};
use crate::wire::{CaseResult, Firm, Service, failure::equal};

cases! { "explain_problems":
    "X11" => it_lists_the_members_that_were_ignored,
    "X12" => it_gives_each_problem_a_code_and_the_kind_of_its_value,
}

fn it_lists_the_members_that_were_ignored(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let many: serde_json::Map<_, _> = (0..30).map(|number| (format!("Spalte {number:02}"), json!(number))).collect();
    let ten: Vec<_> = many.keys().take(10).cloned().collect();
    for (client, ignored) in [
        (json!({"firstName": "Ada", "last_name": "Ray"}), json!(["firstName"])),
        (json!({"last_name": "Ray", "e\u{2d}mail": "a@example.com", "tags": [{"zip": 1}]}), json!(["e-mail", "tags"])),
        (json!({"zip": "1", "Zip": "02139"}), json!(["Zip"])),
        (json!({"ы".repeat(100): 1}), json!(["ы".repeat(60)])),
        (Value::Object(many), json!(ten)),
        (json!({"last_name": "Ray", "new_settlement": true}), Value::Null),
        (json!(7), Value::Null),
    ] {
        let answer = firm.post(TRIED, &json!({"clients": [client]}))?.ok()?;
        equal(&format!("what was ignored of {client}"), answer.at("/results/0/ignored"), &ignored)?;
    }
    let settled = json!({"external_id": "a", "last_name": "Ray", "settled_on": "2026-01-05", "settledOn": "x"});
    let answer = firm.post(SETTLED, &settled)?.ok()?;
    equal("what was ignored of a settled case", answer.at("/result/ignored"), &json!(["settledOn"]))
}

fn it_gives_each_problem_a_code_and_the_kind_of_its_value(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let problem = |field: &str, code: &str, kind: &str| json!({"field": field, "code": code, "value_kind": kind});
    let client = json!({
        "first_name": 7, "last_name": "x".repeat(201), "address_line1": "\u{1}", "city": {}, "state": "Narnia",
        "zip": 123, "email": "nobody", "phone": "555", "case_type": [], "opened_on": "2026-02-30",
        "settled_on": "soon", "external_id": false, "do_not_mail": "maybe", "new_settlement": "perhaps",
    });
    let problems = json!([
        problem("first_name", "wrong_type", "number"),
        problem("last_name", "too_long", "string"),
        problem("address_line1", "control_character", "string"),
        problem("city", "wrong_type", "object"),
        problem("state", "unknown_state", "string"),
        problem("zip", "zip_format", "number"),
        problem("email", "email_format", "string"),
        problem("phone", "phone_digits", "string"),
        problem("case_type", "wrong_type", "array"),
        problem("opened_on", "no_such_date", "string"),
        problem("settled_on", "date_format", "string"),
        problem("external_id", "wrong_type", "boolean"),
        problem("do_not_mail", "yes_no", "string"),
        problem("new_settlement", "yes_no", "string"),
    ]);
    let answer = firm.post(TRIED, &json!({"clients": [client, {"phone": "312-555-0142/0143"}, ray("a"), {}]}))?.ok()?;
    equal("the problems", answer.at("/results/0/problems"), &problems)?;
    let two = json!([problem("phone", "two_numbers", "string")]);
    equal("the problem of two numbers", answer.at("/results/1/problems"), &two)?;
    answer.expect_absent("/results/2/problems")?;
    answer.expect_absent("/results/3/problems")?;
    Ok(())
}
