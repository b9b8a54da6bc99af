//! Every case of the shared vectors: an input and the result of its rule (groups N and M).
//! `data/vectors.json` explains its format. `data/more_vectors.json` has further cases of the same format.

use std::collections::BTreeMap;

use matterbook_rules::{
    SmolStr,
    client::ClientFields,
    matching::{MatchKey, same_person},
    normalize::{self, Field, FieldValue, Problem, ProblemKind},
};
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct File<'a> {
    counts: Counts,
    #[serde(borrow)]
    vectors: Vec<Vector<'a>>,
}

#[derive(Deserialize)]
struct Counts {
    total: usize,
    by_rule: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
struct Vector<'a> {
    id: String,
    rule: String,
    field: Option<String>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    input_raw: Option<String>,
    #[serde(borrow)]
    a: Option<BTreeMap<String, &'a RawValue>>,
    #[serde(borrow)]
    b: Option<BTreeMap<String, &'a RawValue>>,
    #[serde(borrow)]
    expect: Expected<'a>,
}

#[derive(Deserialize)]
struct Expected<'a> {
    ok: Option<serde_json::Value>,
    #[serde(default)]
    missing: bool,
    error: Option<&'a str>,
    equal: Option<bool>,
}

#[test]
fn every_case_has_the_expected_result() {
    check_file(include_str!("data/vectors.json"));
    check_file(include_str!("data/more_vectors.json"));
}

fn check_file(text: &str) {
    let file: File<'_> = serde_json::from_str(text).expect("the vectors are JSON of this form");
    let mut by_rule = BTreeMap::<String, usize>::new();
    let mut failures = Vec::new();
    for vector in &file.vectors {
        *by_rule.entry(vector.rule.clone()).or_default() += 1;
        if let Err(why) = check(vector) {
            failures.push(format!("{}: {why}", vector.id));
        }
    }
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(file.vectors.len(), file.counts.total);
    assert_eq!(by_rule, file.counts.by_rule);
}

fn check(vector: &Vector<'_>) -> Result<(), String> {
    if let Some(equal) = vector.expect.equal {
        let one = match_key(vector.a.as_ref().ok_or("no a")?)?;
        let other = match_key(vector.b.as_ref().ok_or("no b")?)?;
        let found = same_person(&one, &other);
        return if found == equal { Ok(()) } else { Err(format!("equal is {found}: {one:?} and {other:?}")) };
    }
    // serde reads an absent `input` member as null.
    let token = vector.input_raw.as_deref().unwrap_or_else(|| vector.input.map_or("null", RawValue::get));
    let found = normalized(&vector.rule, vector.field.as_deref(), &FieldValue::from_json_token(token));
    let expect = &vector.expect;
    let is_expected = match &found {
        Ok(None) => expect.missing,
        Ok(value) => value == &expect.ok,
        Err(problem) => expect.error.is_some_and(|word| fits(word, problem.kind())) && !problem.to_string().is_empty(),
    };
    if is_expected { Ok(()) } else { Err(format!("found {found:?}")) }
}

/// Whether a kind is what a case calls it. Some kinds are more exact.
fn fits(word: &str, kind: ProblemKind) -> bool {
    kind.name() == word
        || matches!(kind, ProblemKind::ControlCharacter | ProblemKind::InvalidUnicode | ProblemKind::TwoNumbers)
}

/// The result of a rule, as JSON.
fn normalized(rule: &str, field: Option<&str>, value: &FieldValue<'_>) -> Result<Option<serde_json::Value>, Problem> {
    let text = |text: Option<SmolStr>| text.map(|text| serde_json::Value::from(text.as_str()));
    Ok(match rule {
        "state" => text(normalize::state(value)?),
        "zip" => text(normalize::zip(value)?),
        "phone" => text(normalize::phone(value)?),
        "date" => text(normalize::date(value)?.map(|date| date.to_string().into())),
        "email" => text(normalize::email(value)?),
        "boolean" => normalize::boolean(value)?.map(serde_json::Value::from),
        "external_id" => text(normalize::external_id(value)?),
        "string" => text(string(field.and_then(Field::from_name), value)?),
        other => panic!("there is no rule {other}"),
    })
}

fn string(field: Option<Field>, value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    match field {
        Some(Field::AddressLine1 | Field::AddressLine2) => normalize::address(value, Field::ADDRESS_MAX_LENGTH),
        Some(Field::FirstName | Field::LastName | Field::City | Field::CaseType) => {
            normalize::text(value, Field::TEXT_MAX_LENGTH)
        }
        other => panic!("{other:?} is no text"),
    }
}

/// The match key of a client given as JSON.
fn match_key(client: &BTreeMap<String, &RawValue>) -> Result<MatchKey, String> {
    let mut fields = ClientFields::default();
    for (name, token) in client {
        let field = Field::from_name(name).ok_or_else(|| format!("there is no field {name}"))?;
        let value = FieldValue::from_json_token(token.get());
        let problem = |problem: Problem| format!("{name} {problem}");
        let text = |field| string(Some(field), &value).map_err(problem);
        match field {
            Field::FirstName => fields.first_name = text(field)?,
            Field::LastName => fields.last_name = text(field)?,
            Field::AddressLine1 => fields.address_line1 = text(field)?,
            Field::AddressLine2 => fields.address_line2 = text(field)?,
            Field::Zip => fields.zip = normalize::zip(&value).map_err(problem)?,
            other => return Err(format!("{} is not compared", other.name())),
        }
    }
    Ok(MatchKey::of(&fields))
}
