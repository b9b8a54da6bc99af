//! The component schemas, one file a subject. What is a fact of the rules comes from the core's tables.

pub mod account;
pub mod client;
pub mod error;
pub mod operate;
pub mod page;
pub mod prospect;
pub mod result;

use crate::node::{Node, object};

/// A schema of its own name.
pub type Named = (&'static str, Node);

/// An object whose members are all there in every answer.
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

/// A value of one JSON type.
pub fn value(kind: &str, description: &str) -> Node {
    object! { "type": kind, "description": description }
}

/// A text.
pub fn text(description: &str) -> Node {
    value("string", description)
}

/// A text as people write it, on one line. White space at its ends does not count, so line breaks may stand
/// there.
pub fn line(description: &str) -> Node {
    text(description).with("pattern", format!("^{SPACE}*[^\\u0000-\\u001F\\u007F-\\u009F]*{SPACE}*$"))
}

/// Lines as people write them, with tabs.
pub fn lines(description: &str) -> Node {
    let others = "[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]";
    text(description).with("pattern", format!("^{SPACE}*{others}*{SPACE}*$"))
}

/// White space that is made of control characters, and the space.
const SPACE: &str = "[\\t-\\r \\u0085]";

/// A schema of texts in some form, where a blank one means that nothing is given.
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

/// A text of a form that validators know.
pub fn formatted(format: &str, description: &str) -> Node {
    object! { "type": "string", "format": format, "description": description }
}

/// A UUID.
pub fn id(description: &str) -> Node {
    formatted("uuid", description)
}

/// A point in time, as answers write it.
pub fn time(description: &str) -> Node {
    formatted("date-time", description)
}

/// This schema, and `null` for what is not known.
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

/// A schema of its own name, or `null` for what is not known. Programs that make clients of the document
/// give the schema one type; they make several of a list of names that has `null` among them.
pub fn schema_or_null(name: &str, description: &str) -> Node {
    object! { "description": description, "anyOf": [Node::schema(name), object! { "type": "null" }] }
}

/// One of these names.
pub fn one_of(names: impl IntoIterator<Item = &'static str>, description: &str) -> Node {
    object! { "type": "string", "enum": Node::array(names), "description": description }
}
