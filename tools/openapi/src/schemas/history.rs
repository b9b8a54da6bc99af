//! The history of a client.

use matterbook_core::{store::AuthorKind, undo::LeftReason};

use super::{Named, answer, one_of, or_null, page::page, schema_or_null, text, time};
use crate::node::{Node, object};

/// A page of a history.
pub fn history_page() -> Node {
    page("HistoryPage", "changes", "ClientChange", "Changes of a client, the newest first.")
}

/// A change and its undo.
pub fn undo() -> Vec<Named> {
    let number = |description: &str| super::value("integer", description).with("minimum", 0_u32);
    let list = |item: &str, description: &str| {
        object! { "type": "array", "items": Node::schema(item), "description": description }
    };
    let reasons = [
        LeftReason::ChangedSince,
        LeftReason::DoNotMail,
        LeftReason::Settlement,
        LeftReason::ExternalIdTaken,
        LeftReason::SentAgain,
        LeftReason::NotKept,
    ];
    vec![
        (
            "UndoBody",
            answer(
                "UndoBody",
                "A change and its undo.",
                vec![
                    ("change", Node::schema("Change")),
                    ("undo", Node::schema("Undo")),
                    (
                        "next_cursor",
                        or_null(text(
                            "Of an import, the `cursor` of the request for the next batch; otherwise `null`.",
                        )),
                    ),
                ],
            ),
        ),
        (
            "Change",
            answer(
                "Change",
                "What one request did to clients.",
                vec![
                    ("request_id", super::id("The request.")),
                    ("import_id", or_null(super::id("The import, where one is undone."))),
                    ("at", time("When it was saved.")),
                    ("by", Node::schema("ChangeAuthor")),
                    ("created", number("How many clients it created.")),
                    ("changed", number("How many clients it changed.")),
                ],
            ),
        ),
        (
            "Undo",
            answer(
                "Undo",
                "What the undo does.",
                vec![
                    ("dry_run", super::flag("Whether nothing was done.")),
                    ("clients", list("UndoneClient", "The clients that it changes.")),
                    ("left", list("LeftBehind", "What it leaves as it is.")),
                    (
                        "review",
                        schema_or_null(
                            "TurnedReview",
                            "The item about which the change decided; `null` if there is none.",
                        ),
                    ),
                ],
            ),
        ),
        (
            "TurnedReview",
            answer(
                "TurnedReview",
                "An item whose decision the undo takes back, or makes again.",
                vec![
                    ("id", super::id("The item.")),
                    ("waits", super::flag("Whether it waits for review after the undo.")),
                ],
            ),
        ),
        (
            "UndoneClient",
            answer(
                "UndoneClient",
                "What the undo does to one client.",
                vec![
                    ("id", super::id("The client.")),
                    ("action", one_of(["update", "remove", "restore"], "Whether it changes, goes or comes back.")),
                    ("changed", list("FieldChange", "Its fields before and after the undo.")),
                ],
            ),
        ),
        (
            "LeftBehind",
            answer(
                "LeftBehind",
                "A field or a client that the undo leaves.",
                vec![
                    ("id", super::id("The client.")),
                    ("field", schema_or_null("FieldName", "The field; `null` for the whole client.")),
                    ("reason", one_of(reasons.map(LeftReason::name), "Why it is left.")),
                ],
            ),
        ),
    ]
}

/// The schemas that a history is made of.
pub fn schemas() -> Vec<Named> {
    let id = |description: &str| or_null(super::id(description));
    let changed = object! {
        "type": "array",
        "items": Node::schema("FieldChange"),
        "description": "Each field with another value than before. Of a client that the request created: each that has \
                        a value.",
    };
    let value = |description: &str| object! { "type": ["string", "boolean", "null"], "description": description };
    let kinds = [AuthorKind::Key, AuthorKind::Login, AuthorKind::Operator].map(AuthorKind::name);
    let label =
        "A key's label, or else its last four characters; a login's e-mail; `operator`. `null` once the login is gone.";
    vec![
        (
            "ClientChange",
            answer(
                "ClientChange",
                "One change of a client.",
                vec![
                    ("at", time("When it was saved. It is the record's `updated_at` from then on.")),
                    ("by", schema_or_null("ChangeAuthor", "Who made it; `null` if that is no longer known.")),
                    ("request_id", id("The `X-Request-Id` of the request that made it.")),
                    ("import_id", id("The import that the request belongs to.")),
                    (
                        "matched_by",
                        schema_or_null("MatchedBy", "By what the request found the client; `null` if it created it."),
                    ),
                    ("changed", changed),
                ],
            ),
        ),
        (
            "ChangeAuthor",
            answer(
                "ChangeAuthor",
                "Who made a change.",
                vec![
                    ("kind", one_of(kinds, "An API key, a person in the console, or the operator.")),
                    ("label", or_null(text(label))),
                ],
            ),
        ),
        (
            "FieldChange",
            answer(
                "FieldChange",
                "A field with its value before and after.",
                vec![
                    ("field", Node::schema("FieldName")),
                    ("from", value("As it was.")),
                    ("to", value("As it became.")),
                ],
            ),
        ),
    ]
}
