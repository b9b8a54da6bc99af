//! The component schemas, one file per subject. Facts of the rules come from the core's tables.

pub mod account;
pub mod client;
pub mod error;
pub mod history;
pub mod operate;
pub mod page;
pub mod prospect;
pub mod result;
pub mod review;
pub mod similar;
pub mod transfer;

use crate::node::{Node, object};

/// A schema with its name.
pub type Named = (&'static str, Node);

/// An object whose members are all required.
pub fn answer(title: &str, description: &str, members: Vec<Named>) -> Node {
    let required: Vec<_> = members.iter().map(|(name, _)| *name).collect();
    object! {
        "title": title,
        "description": description,
        "type": "object",
        "required": required,
        "properties": Node::object(members),
    }
}

/// An object with one more member, which is not required.
pub fn with_optional(schema: Node, (name, member): Named) -> Node {
    match schema {
        Node::Object(mut members) => {
            if let Some(Node::Object(properties)) = members.get_mut("properties") {
                properties.insert(name.to_owned(), member);
            }
            Node::Object(members)
        }
        other => other,
    }
}

/// A value of one JSON type.
pub fn value(kind: &str, description: &str) -> Node {
    object! { "type": kind, "description": description }
}

/// A text.
pub fn text(description: &str) -> Node {
    value("string", description)
}

/// A text on one line, as people write it. Outer white space is ignored, so it may contain line breaks.
pub fn line(description: &str) -> Node {
    text(description).with("pattern", format!("^{SPACE}*[^\\u0000-\\u001F\\u007F-\\u009F]*{SPACE}*$"))
}

/// A text of several lines with tabs, as people write it.
pub fn lines(description: &str) -> Node {
    let others = "[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]";
    text(description).with("pattern", format!("^{SPACE}*{others}*{SPACE}*$"))
}

/// The space, and control characters that count as white space.
const SPACE: &str = "[\\t-\\r \\u0085]";

/// A schema of formatted texts that also allows a blank text for "not given".
pub fn or_blank(schema: Node) -> Node {
    let Node::Object(mut members) = schema else { return schema };
    let description = members.shift_remove("description").unwrap_or(Node::Null);
    let blank = object! { "type": ["string", "null"], "maxLength": 0_u32 };
    object! { "description": description, "anyOf": [Node::Object(members), blank] }
}

/// `true` or `false`.
pub fn flag(description: &str) -> Node {
    value("boolean", description)
}

/// A text in a format that validators know.
pub fn formatted(format: &str, description: &str) -> Node {
    object! { "type": "string", "format": format, "description": description }
}

/// A UUID.
pub fn id(description: &str) -> Node {
    formatted("uuid", description)
}

/// A point in time in the format of responses.
pub fn time(description: &str) -> Node {
    formatted("date-time", description)
}

/// This schema, or `null` for an unknown value.
pub fn or_null(schema: Node) -> Node {
    let Node::Object(members) = &schema else { return schema };
    match members.get("type") {
        Some(Node::Text(kind)) => {
            let kinds = [kind.clone(), "null".to_owned()];
            schema.with("type", kinds)
        }
        _ => schema,
    }
}

/// A named schema, or `null` for an unknown value. With this form, client generators use one type; a list of
/// names with `null` would become several types.
pub fn schema_or_null(name: &str, description: &str) -> Node {
    object! { "description": description, "anyOf": [Node::schema(name), object! { "type": "null" }] }
}

/// One of these names.
pub fn one_of(names: impl IntoIterator<Item = &'static str>, description: &str) -> Node {
    object! { "type": "string", "enum": Node::array(names), "description": description }
}
