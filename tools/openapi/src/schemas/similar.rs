//! Possible duplicates.

use matterbook_core::{similar::SimilarReason, store::SimilarDecision};

use super::{Named, answer, flag, one_of, or_null, schema_or_null, text, time, value};
use crate::node::{Node, object};

/// The page, its pairs, a decision and a comparison.
pub fn schemas() -> Vec<Named> {
    let number = |description: &str| value("integer", description).with("minimum", 0_u32);
    let clients = object! {
        "type": "array",
        "items": Node::schema("Client"),
        "minItems": 2_u32,
        "maxItems": 2_u32,
        "description": "Both clients as they are now, the smaller id first.",
    };
    let reasons = object! {
        "type": "array",
        "items": one_of(SimilarReason::ALL.map(SimilarReason::name), "A reason."),
        "description": "Why they may be one person.",
    };
    let decisions = SimilarDecision::ALL.map(SimilarDecision::name);
    let decided = "`same`: they are one person, who gets letters only if both do. `different`: they are two people.";
    let compared = "When the account was compared last; `null` before the first comparison.";
    vec![
        (
            "SimilarPage",
            answer(
                "SimilarPage",
                "Pairs of clients that may be one person, by their ids.",
                vec![
                    ("similar", object! { "type": "array", "items": Node::schema("SimilarPair") }),
                    ("compared_at", or_null(time(compared))),
                    (
                        "next_cursor",
                        or_null(text("The `cursor` of the next page; `null` at the end. Opaque, never expires.")),
                    ),
                ],
            ),
        ),
        (
            "SimilarPair",
            answer(
                "SimilarPair",
                "Two clients that may be one person.",
                vec![
                    ("clients", clients),
                    ("reasons", reasons),
                    ("found_at", time("When a comparison found the pair first.")),
                    ("decision", schema_or_null("SimilarDecision", "What was decided; `null` while nothing is.")),
                    ("decided_at", or_null(time("When it was decided."))),
                    ("decided_by", or_null(text("Who decided: a person's email, or the operator's actor."))),
                ],
            ),
        ),
        (
            "NewSimilarDecision",
            object! {
                "title": "NewSimilarDecision",
                "description": "A decision about a pair.",
                "type": "object",
                "required": ["decision"],
                "properties": object! {
                    "decision": one_of(
                        ["same", "different", "open"],
                        "Whether they are one person or two; `open` takes a decision back.",
                    ),
                },
            },
        ),
        ("SimilarDecision", one_of(decisions, decided).with("title", "SimilarDecision")),
        ("SimilarBody", answer("SimilarBody", "A pair.", vec![("similar", Node::schema("SimilarPair"))])),
        (
            "Comparison",
            answer(
                "Comparison",
                "What a comparison did.",
                vec![
                    ("compared", number("The clients that were compared.")),
                    ("is_complete", flag("Whether these are all clients of the account.")),
                    ("pairs", number("The undecided pairs that the account has now.")),
                    ("compared_at", time("When it was.")),
                ],
            ),
        ),
    ]
}
