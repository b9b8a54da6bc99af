//! Pages of listings.

use super::{answer, or_null, text};
use crate::node::{Node, object};

/// A page of a listing.
pub fn page(title: &str, member: &'static str, item: &str, description: &str) -> Node {
    let next = "The `cursor` of the next page; `null` at the end. Opaque, never expires.";
    answer(
        title,
        description,
        vec![(member, object! { "type": "array", "items": Node::schema(item) }), ("next_cursor", or_null(text(next)))],
    )
}
