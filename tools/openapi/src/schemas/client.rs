//! A client in requests and in responses.

use matterbook_core::{
    api::limits::BATCH_LIMIT,
    normalize::{Field, STATE_CODES},
};

use super::{Named, answer, flag, formatted, id, line, lines, one_of, or_blank, or_null, schema_or_null, text, time};
use crate::node::{Node, object};

/// The accepted forms of a date in a request.
const DATE: &str = "`YYYY-MM-DD`, `MM/DD/YYYY` or `Mon D, YYYY`, with a year from 1900 to 2100; a date with a time \
                    keeps its written date";

/// The accepted values of a field, and its meaning.
fn input(field: Field) -> Node {
    let date = |meaning: &str| object! { "type": "string", "description": format!("{meaning} {DATE}."), "format": "calendar-date" };
    let schema = match field {
        Field::FirstName => line("First name. A new client needs it or `last_name`."),
        Field::LastName => line("Last name. A new client needs it or `first_name`."),
        Field::AddressLine1 => lines("Street address."),
        Field::AddressLine2 => lines("Apartment, suite, unit."),
        Field::City => line("City."),
        Field::State => formatted("us-state", "US state: a two-letter USPS code or the full name, in any letter case.")
            .with("examples", ["MA", "Massachusetts"]),
        Field::Zip => return zip(),
        Field::Email => return or_blank(limited(formatted("email", "One email address."), field)),
        Field::Phone => return phone(),
        Field::CaseType => line("Kind of case, free text. Client letters can be limited to certain kinds."),
        Field::OpenedOn => date("Date on which the case opened:").with("examples", ["2026-01-05", "1/5/2026"]),
        Field::SettledOn => date("Date on which the case settled; letters about settled cases wait for it:")
            .with("examples", ["2026-02-27", "Feb 27, 2026"]),
        Field::ExternalId => {
            let description = "The client's id in your system, compared exactly. Send it whenever you have one.";
            return text_or(object! { "type": "integer" }, line(description), field).with("examples", ["M-2001"]);
        }
        Field::DoNotMail => {
            return yes_or_no("`true` stops all client letters to this person. It can be turned on here, never off.");
        }
    };
    or_null(limited(schema, field))
}

/// A schema with the field's maximum length.
fn limited(schema: Node, field: Field) -> Node {
    match field.max_length() {
        Some(length) => schema.with("maxLength", length),
        None => schema,
    }
}

/// A value that may be sent as text or as another type.
fn text_or(other: Node, described: Node, field: Field) -> Node {
    let Node::Object(mut members) = limited(described, field) else { return other };
    let description = members.shift_remove("description").unwrap_or(Node::Null);
    object! { "description": description, "anyOf": [Node::Object(members), other, object! { "type": "null" }] }
}

fn zip() -> Node {
    let description = "ZIP of 5 or 9 digits. One that lost its leading zero gets it back.";
    // An integer has lost its leading zeros.
    let four_or_five = object! { "type": "integer", "minimum": 1_000_u32, "maximum": 99_999_u32 };
    let nine = object! { "type": "integer", "minimum": 100_000_000_u32, "maximum": 999_999_999_u32 };
    object! {
        "description": description,
        "anyOf": [object! { "type": "string", "format": "us-zip" }, four_or_five, nine, object! { "type": "null" }],
        "examples": ["02134", "02134-1001"],
    }
}

fn phone() -> Node {
    let integer = object! { "type": "integer", "minimum": 1_000_000_000_u64, "maximum": 999_999_999_999_999_u64 };
    let description = "Phone number of 10 to 15 digits, formatted in any way. Without a country's code it is one of \
                       the United States or Canada.";
    text_or(integer, formatted("phone", description), Field::Phone)
        .with("examples", ["(617) 555-0142", "+47 12 34 56 78"])
}

/// A boolean or a word for one.
pub fn yes_or_no(description: &str) -> Node {
    object! {
        "description": description,
        "anyOf": [
            object! { "type": "boolean" },
            object! {
                "type": "string",
                "format": "yes-or-no",
                "description": "yes/no, y/n, true/false, t/f, 1/0 or on/off, in any letter case.",
            },
            object! { "type": "null" },
        ],
    }
}

/// The schema of a field that a prospect's import shares with a client.
pub fn shared_input(name: &str) -> Option<Node> {
    let described = |schema: Node| {
        if name == "first_name" || name == "last_name" { schema.with("description", "As written.") } else { schema }
    };
    Field::from_name(name).map(input).map(described)
}

/// The schema of a field's stored value.
fn kept(field: Field) -> Node {
    or_null(match field {
        Field::State => return schema_or_null("StateCode", "Two-letter USPS code."),
        Field::Zip => text("`NNNNN` or `NNNNN-NNNN`.").with("pattern", "^[0-9]{5}(-[0-9]{4})?$"),
        Field::Phone => text("E.164.").with("pattern", "^\\+[0-9]{10,15}$"),
        Field::OpenedOn => formatted("date", "Date on which the case opened."),
        Field::SettledOn => formatted("date", "Date of the settlement begun last."),
        Field::DoNotMail => return flag("Whether letters to this person are stopped."),
        Field::ExternalId => limited(text("The client's id in your system."), field),
        Field::Email => limited(text("Email address, its domain in lower case."), field),
        _ => limited(text("As written."), field),
    })
}

/// The schema of a field that a prospect shares with a client.
pub fn shared_kept(name: &str) -> Option<Node> {
    Field::from_name(name).map(kept)
}

const NEW_SETTLEMENT: &str = "Matters only when the client already has a different settled date. `true`: a new settlement, \
                              which may get another letter; `false`: a correction of the one begun last.";

/// The schemas of clients.
pub fn schemas() -> Vec<Named> {
    let inputs = Field::ALL.map(|field| (field.name(), input(field)));
    let default = |flag: bool| format!("{NEW_SETTLEMENT} Default here: `{flag}`.");
    let members = inputs.into_iter().chain([("new_settlement", yes_or_no(&default(false)))]);
    let clients = "In order. One that is no such object, or has a value that cannot be read, gets a result with the \
                   status `error`; it does not hold up the others.";
    vec![
        (
            "ClientInput",
            object! {
                "title": "ClientInput",
                "description": "A client as you have it. Every field is optional, except that a new client needs \
                                `first_name` or `last_name`. Blank (`null`, empty, only white space) means not given \
                                and never erases what is saved. Lengths are counted in Unicode code points, without white space at the ends; what is \
                                too long is refused, never cut. Unknown fields are ignored.",
                "type": "object",
                "properties": Node::object(members),
            },
        ),
        (
            "ClientBatch",
            object! {
                "title": "ClientBatch",
                "description": "Clients to add or update, in order.",
                "type": "object",
                "required": ["clients"],
                "properties": object! {
                    "clients": object! {
                        "type": "array",
                        "maxItems": BATCH_LIMIT,
                        "items": Node::schema("ClientInput"),
                        "description": clients,
                    },
                },
            },
        ),
        ("SettledCase", settled_case(&default(true))),
        (
            "StateCode",
            one_of(STATE_CODES.iter().copied(), "Two-letter USPS code of a state or territory, or of military mail.")
                .with("title", "StateCode"),
        ),
        (
            "Client",
            answer("Client", "A client as it is kept. Every field is there, `null` where nothing is known.", {
                let fields = CLIENT_FIELDS.map(|field| (field.name(), kept(field)));
                let id = ("id", id("The client's id here. It never changes."));
                let times = [
                    ("created_at", time("When the client was created.")),
                    ("updated_at", time("When it last changed. It grows with every save of the account.")),
                ];
                [id].into_iter().chain(fields).chain(times).collect()
            }),
        ),
    ]
}

/// The fields in the order of a record's members; `external_id` follows `id`.
const CLIENT_FIELDS: [Field; 14] = {
    let mut fields = [Field::ExternalId; 14];
    let mut place = 0;
    while place < 12 {
        fields[place + 1] = Field::ALL[place];
        place += 1;
    }
    fields[13] = Field::DoNotMail;
    fields
};

/// One client with a date and enough data to identify the case.
///
/// The schema has its own fields and states the alternatives in `if` and `else`, because of client
/// generators: they read an `allOf` of one schema as that schema, and an `anyOf` as several types, none of
/// them with a date.
fn settled_case(new_settlement: &str) -> Node {
    let given = |field: Field| {
        let schema = match input(field) {
            Node::Object(members) => members,
            other => return (field.name(), other),
        };
        let bare = ["type", "anyOf", "format"].into_iter().filter_map(|name| Some((name, schema.get(name)?.clone())));
        (field.name(), without_null(Node::object(bare)).with("pattern", "[^\\s\\u0085]"))
    };
    let identified = |fields: &[Field]| {
        object! {
            "required": Node::array(fields.iter().map(|field| field.name())),
            "properties": Node::object(fields.iter().map(|field| given(*field))),
        }
    };
    let place = [Field::AddressLine1, Field::Zip];
    let by_name = |name: Field| identified(&[&[name], place.as_slice()].concat());
    let members = Field::ALL
        .map(|field| (field.name(), if field == Field::SettledOn { without_null(input(field)) } else { input(field) }));
    let members = members.into_iter().chain([("new_settlement", yes_or_no(new_settlement))]);
    object! {
        "title": "SettledCase",
        "description": "One client with `settled_on`, and either `external_id`, for a client that you sent before, or a \
                        name, `address_line1` and `zip`. With a name and an unknown `external_id`, the client is \
                        created.",
        "type": "object",
        "required": ["settled_on"],
        "properties": Node::object(members),
        "if": identified(&[Field::ExternalId]),
        "else": object! { "anyOf": [by_name(Field::LastName), by_name(Field::FirstName)] },
    }
}

/// A schema that does not allow `null`.
fn without_null(schema: Node) -> Node {
    let Node::Object(members) = &schema else { return schema };
    let is_null = |kind: &Node| *kind == Node::from("null");
    if let Some(Node::Array(kinds)) = members.get("type") {
        let kind = kinds.iter().find(|kind| !is_null(kind)).cloned().unwrap_or(Node::Null);
        return schema.with("type", kind);
    }
    if let Some(Node::Array(choices)) = members.get("anyOf") {
        let others =
            choices.iter().filter(|choice| **choice != object! { "type": "null" }).cloned().collect::<Vec<_>>();
        return schema.with("anyOf", Node::Array(others));
    }
    schema
}
