//! The operations of the operator API.

mod accounts;
mod clients;
mod people;
mod prospects;
mod service;

use crate::operation::Operation;

const COMMON: [&str; 6] =
    ["BadRequest", "Unauthorized", "NotFound", "MethodNotAllowed", "TooManyRequests", "InternalError"];
const READING: &[&str] = &COMMON;
pub(super) const WRITING: &[&str] = &[
    COMMON[0],
    COMMON[1],
    COMMON[2],
    COMMON[3],
    COMMON[4],
    COMMON[5],
    "RequestTimeout",
    "ContentTooLarge",
    "UnsupportedMediaType",
];

/// The defaults of the operator's operations.
const READ: Operation =
    Operation { parameters: &["Actor"], errors: READING, security: Some("operatorToken"), ..Operation::EMPTY };
const WRITE: Operation = Operation { errors: WRITING, ..READ };

/// All operations, in the order of the document.
pub(super) fn operations() -> impl Iterator<Item = Operation> {
    accounts::OPERATIONS
        .into_iter()
        .chain(people::OPERATIONS)
        .chain(prospects::OPERATIONS)
        .chain(clients::OPERATIONS)
        .chain(service::OPERATIONS)
}
