//! The shape of every error.

use matterbook_core::api::ErrorCode;

use super::{Named, answer, one_of, text};
use crate::node::Node;

/// The schemas of errors.
pub fn schemas() -> Vec<Named> {
    let codes = ErrorCode::TABLE.map(|(_, name, _)| name);
    vec![
        ("ErrorCode", one_of(codes, "What went wrong. Branch on it: codes never change.").with("title", "ErrorCode")),
        (
            "Error",
            answer(
                "Error",
                "What went wrong.",
                vec![("code", Node::schema("ErrorCode")), ("message", text("A sentence for people. It may change."))],
            ),
        ),
        ("ErrorBody", answer("ErrorBody", "The body of every error.", vec![("error", Node::schema("Error"))])),
    ]
}

/// The body of a conflict.
pub fn conflict() -> Named {
    (
        "ConflictBody",
        answer(
            "ConflictBody",
            "What conflicts with a settled case, and its result as it would be now. Nothing is changed.",
            vec![("error", Node::schema("Error")), ("result", Node::schema("UpsertResult"))],
        ),
    )
}
