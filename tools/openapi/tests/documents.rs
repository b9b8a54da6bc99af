//! Tests that the checked-in documents match the rules.

use std::{fs, path::Path};

use matterbook_core::{client::parse_client, normalize::Field};
use matterbook_openapi::documents;
use serde_json::{Map, Value, json};

#[test]
fn the_documents_are_those_of_the_rules_as_they_are_now() {
    for document in documents() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document.path);
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(text == document.text, "{} is not current; run: cargo run -p matterbook-openapi", document.path);
    }
}

#[test]
fn the_documents_are_openapi_3_1() {
    let schema = serde_json::from_str(include_str!("data/openapi-3.1.schema.json")).expect("the standard's schema");
    let validator = jsonschema::validator_for(&schema).expect("the standard's schema");
    for document in read() {
        let problems: Vec<_> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert_eq!(problems, Vec::<String>::new());
    }
}

#[test]
fn every_example_is_what_its_schema_says() {
    for document in read() {
        let mut count = 0;
        let components = &document["components"];
        for media in medias(&document) {
            let schema = json!({"$ref": media["schema"]["$ref"], "components": components});
            let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
            let validator = options.should_validate_formats(true).build(&schema).expect("a schema");
            for (name, example) in media["examples"].as_object().into_iter().flatten() {
                let problem = validator.validate(&example["value"]).err().map(|error| error.to_string());
                assert_eq!(problem, None, "{name}: {}", example["value"]);
                count += 1;
            }
        }
        assert!(count > 30, "{count} examples");
    }
}

#[test]
fn every_operation_has_a_name_of_its_own_and_every_answer_but_the_document_an_example() {
    let mut names = Vec::new();
    for document in read() {
        for operation in operations(&document) {
            let name = operation["operationId"].as_str().expect("a name").to_owned();
            let example = operation.pointer("/responses/200/content/application~1json/examples");
            assert!(example.is_some() || name == "getOpenApi", "{name} shows no answer");
            let body = operation.pointer("/requestBody/content/application~1json");
            assert!(body.is_none_or(|body| body["examples"].is_object()), "{name} shows no request");
            names.push(name);
        }
        for (name, response) in document["components"]["responses"].as_object().expect("responses") {
            assert!(response["content"]["application/json"]["examples"].is_object(), "{name} shows no answer");
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_component_is_referred_to() {
    for document in read() {
        let text = document.to_string();
        for (kind, components) in document["components"].as_object().expect("components") {
            for name in components.as_object().expect("components").keys().filter(|_| kind != "securitySchemes") {
                assert!(text.contains(&format!("\"#/components/{kind}/{name}\"")), "{kind}/{name} is never referenced");
            }
        }
    }
}

#[test]
fn the_greatest_lengths_are_those_that_are_kept() {
    let letters = |field: Field, length: usize| match field {
        Field::Email => {
            format!("{}@{}.com", "a".repeat(64), ["b".repeat(63), "c".repeat(63), "d".repeat(62)].join("."))
                + &".e".repeat((length - 259) / 2)
                + if length.is_multiple_of(2) { "e" } else { "" }
        }
        _ => "a".repeat(length),
    };
    for (field, length) in Field::ALL.into_iter().filter_map(|field| Some((field, field.max_length()?))) {
        let client = |length| json!({"first_name": "Ana", field.name(): letters(field, length)}).to_string();
        assert_eq!(letters(field, length).len(), length, "{}", field.name());
        assert!(parse_client(&client(length)).is_ok(), "{} of {length}", field.name());
        let message = parse_client(&client(length + 1)).expect_err("too long").to_string();
        assert!(message.contains(&length.to_string()), "{message}");
    }
}

fn read() -> [Value; 2] {
    documents().map(|document| serde_json::from_str(&document.text).expect("JSON"))
}

fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    let paths = document["paths"].as_object().expect("paths");
    paths.values().flat_map(|methods| methods.as_object().into_iter().flat_map(Map::values))
}

/// All JSON bodies that a document describes.
fn medias(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(members) => {
            let own = members.get("content").map(|content| &content["application/json"]);
            own.into_iter().chain(members.values().flat_map(medias)).collect()
        }
        Value::Array(values) => values.iter().flat_map(medias).collect(),
        _ => Vec::new(),
    }
}
