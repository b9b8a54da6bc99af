//! The results of clients and of imported prospects.

use matterbook_core::{
    api::UpsertStatus,
    normalize::Field,
    plan::{CANDIDATES_MAX, MatchedBy},
    similar::SimilarReason,
    store::SIMILAR_SHOWN_MAX,
};

use super::{Named, answer, id, one_of, schema_or_null, text, with_optional};
use crate::node::{Node, object};

fn status(statuses: &[UpsertStatus]) -> Node {
    one_of(statuses.iter().map(|status| status.name()), "What became of it.")
}

fn result(title: &str, subject: &str, statuses: &[UpsertStatus], message: &str) -> Node {
    object! {
        "title": title,
        "description": format!("What became of one {subject}. `id` is there when it was saved, `message` when it was not."),
        "type": "object",
        "required": ["index", "status"],
        "properties": object! {
            "index": object! {
                "type": "integer",
                "minimum": 0_u32,
                "description": format!("The {subject}'s place in the request, from 0."),
            },
            "status": status(statuses),
            "id": id(&format!("The {subject}'s id.")),
            "message": text(message),
        },
    }
}

/// The result of one client.
pub fn upsert() -> Vec<Named> {
    let description = "`created`: no client matched, and a new one is saved. `updated`: a client matched, whether or \
                       not it changed. `conflict`: it is ambiguous which client is meant, and nothing is saved. \
                       `error`: the client is invalid or incomplete, and nothing is saved.";
    vec![
        (
            "UpsertStatus",
            one_of(UpsertStatus::ALL.iter().map(|status| status.name()), description).with("title", "UpsertStatus"),
        ),
        (
            "UpsertResult",
            match result("UpsertResult", "client", &UpsertStatus::ALL, "What went wrong, and what would resolve it.") {
                Node::Object(mut members) => {
                    if let Some(Node::Object(properties)) = members.get_mut("properties") {
                        properties.insert("status".to_owned(), Node::schema("UpsertStatus"));
                        properties.extend(explanation().map(|(name, schema)| (name.to_owned(), schema)));
                    }
                    Node::Object(members)
                }
                other => other,
            },
        ),
        (
            "MatchedBy",
            one_of(
                MatchedBy::ALL.map(MatchedBy::name),
                "By what a client was found: the same `external_id`, or the same name, street and ZIP.",
            )
            .with("title", "MatchedBy"),
        ),
        ("FieldName", one_of(Field::ALL.map(Field::name), "A field of a client.").with("title", "FieldName")),
        (
            "Repair",
            answer(
                "Repair",
                "A value that is kept otherwise than it was sent.",
                vec![
                    ("from", either("string", "number", "As it was sent.")),
                    ("to", either("string", "boolean", "As it is kept.")),
                ],
            ),
        ),
        (
            "UpsertResults",
            with_optional(
                answer("UpsertResults", "One result for each client, in the order sent.", vec![("results", results())]),
                plan(),
            ),
        ),
        (
            "UpsertedCase",
            with_optional(
                answer("UpsertedCase", "The one result.", vec![("result", Node::schema("UpsertResult"))]),
                plan(),
            ),
        ),
        (
            "PlanConflict",
            answer(
                "PlanConflict",
                "The results as they would be now, which are not those of the plan. Nothing is saved.",
                vec![("error", Node::schema("Error")), ("results", results())],
            ),
        ),
    ]
}

fn results() -> Node {
    object! { "type": "array", "items": Node::schema("UpsertResult") }
}

/// The member of a dry run's answer that binds.
fn plan() -> Named {
    let description = "Of a dry run: send the same request with this text as `plan` within 15 minutes, and it is saved \
                       only if its results are still these.";
    ("plan", text(description))
}

/// The additional members of a result with an explanation.
fn explanation() -> [Named; 8] {
    let candidates = format!(
        "With `explain`, of a conflict: the ids of the conflicting clients, oldest first, at most {CANDIDATES_MAX}; in a dry run \
         only of those who exist."
    );
    [
        (
            "matched_by",
            schema_or_null("MatchedBy", "With `explain`: by what the client was found; `null` when it was not."),
        ),
        (
            "changed",
            object! {
                "type": "array",
                "items": Node::schema("FieldName"),
                "description": "With `explain`: the fields that are kept otherwise than before.",
            },
        ),
        (
            "repaired",
            object! {
                "type": "object",
                "propertyNames": Node::schema("FieldName"),
                "additionalProperties": Node::schema("Repair"),
                "description": "With `explain`: the fields whose values are kept otherwise than they were sent.",
            },
        ),
        (
            "note",
            object! {
                "type": "string",
                "const": "line 2 differs",
                "description": "With `explain`, where the second lines of the addresses differ, which are not compared.",
            },
        ),
        (
            "problems",
            object! {
                "type": "array",
                "items": object! {
                    "type": "object",
                    "required": ["field", "code", "value_kind"],
                    "properties": object! {
                        "field": object! { "type": "string" },
                        "code": object! { "type": "string" },
                        "value_kind": object! { "type": "string" },
                    },
                },
                "description": "With `explain`: each refused value, with a stable code. Others may be added.",
            },
        ),
        (
            "ignored",
            object! {
                "type": "array",
                "items": object! { "type": "string" },
                "maxItems": 10_u32,
                "description": "With `explain`: names of members that are no fields and have no effect.",
            },
        ),
        ("candidates", object! { "type": "array", "items": id("A client's id."), "description": candidates }),
        (
            "similar",
            object! {
                "type": "array",
                "items": object! {
                    "type": "object",
                    "required": ["id", "reasons"],
                    "properties": object! {
                        "id": id("A client's id."),
                        "reasons": object! {
                            "type": "array",
                            "items": one_of(SimilarReason::ALL.map(SimilarReason::name), "A reason. Others may be added."),
                        },
                    },
                },
                "maxItems": SIMILAR_SHOWN_MAX,
                "description": "With `explain`: possible duplicates of the client, as the last comparison left them.",
            },
        ),
    ]
}

/// A value of one of two JSON types.
fn either(one: &str, other: &str, description: &str) -> Node {
    object! { "description": description, "anyOf": [object! { "type": one }, object! { "type": other }] }
}

/// The result of one imported prospect.
pub fn import() -> Vec<Named> {
    let statuses = [UpsertStatus::Created, UpsertStatus::Updated, UpsertStatus::Error];
    vec![
        ("ImportResult", result("ImportResult", "prospect", &statuses, "What is wrong with it.")),
        (
            "ImportResults",
            answer(
                "ImportResults",
                "One result for each prospect, in the order sent.",
                vec![("results", object! { "type": "array", "items": Node::schema("ImportResult") })],
            ),
        ),
    ]
}
