//! What waits for review.

use matterbook_core::store::ReviewStatus;

use super::{Named, answer, id, one_of, or_null, page::page, schema_or_null, text, time};
use crate::node::{Node, object};

/// The page and its items.
pub fn schemas() -> Vec<Named> {
    let candidates = object! {
        "type": "array",
        "items": id("A client."),
        "description": "The clients in the way, oldest first.",
    };
    let sent = object! {
        "type": ["object", "null"],
        "description": "What was sent, its fields as they would be stored if they could be read. `null` where it was too large.",
        "additionalProperties": true,
    };
    vec![
        (
            "ReviewPage",
            page("ReviewPage", "review", "ReviewItem", "Clients that were not saved, the latest seen first."),
        ),
        (
            "ReviewDecision",
            object! {
                "title": "ReviewDecision",
                "description": "A decision about what waits.",
                "type": "object",
                "required": ["decision"],
                "properties": object! {
                    "decision": one_of(["same", "another", "leave"], "Whether it is `client`, another person, or left."),
                    "client": id("The client that it is, with `same` only."),
                },
            },
        ),
        (
            "ReviewDecisionBody",
            answer("ReviewDecisionBody", "What was decided.", vec![("review", Node::schema("DecidedReview"))]),
        ),
        (
            "DecidedReview",
            answer(
                "DecidedReview",
                "What was decided about an item.",
                vec![
                    ("id", id("The item.")),
                    (
                        "client",
                        schema_or_null("Client", "The client that it is, or that was created; `null` if it was left."),
                    ),
                    ("request_id", id("This request, by which the decision is undone.")),
                ],
            ),
        ),
        (
            "ReviewItem",
            answer(
                "ReviewItem",
                "A client that was sent and not saved.",
                vec![
                    ("id", id("The same whenever the same client is not saved.")),
                    ("status", one_of(ReviewStatus::ALL.map(ReviewStatus::name), "As in its result.")),
                    ("message", text("The message of its result.")),
                    ("sent", sent),
                    ("candidates", candidates),
                    ("by", Node::schema("ChangeAuthor")),
                    ("request_id", id("The `X-Request-Id` of the request that sent it last.")),
                    ("import_id", or_null(id("The import that the request belongs to."))),
                    ("first_seen_at", time("When this content came first.")),
                    ("last_seen_at", time("When it came last, to the day or so.")),
                ],
            ),
        ),
    ]
}
