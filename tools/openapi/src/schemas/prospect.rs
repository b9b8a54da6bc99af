//! A prospect in imports and in responses.

use matterbook_core::{
    api::limits::BATCH_LIMIT,
    normalize::Field,
    prospect::{IMPORT_FIELDS, INJURY_SEVERITIES, PERSON_TYPES},
};

use super::{
    Named, answer,
    client::{shared_input, shared_kept},
    flag, formatted, id, one_of, or_null, schema_or_null, text, time,
};
use crate::node::{Node, object};

fn year(description: &str) -> Node {
    object! { "type": "integer", "minimum": 1900_u32, "maximum": 2100_u32, "description": description }
}

fn short_text(description: &str) -> Node {
    or_null(text(description).with("maxLength", Field::TEXT_MAX_LENGTH))
}

/// A prospect as accounts read it.
pub fn prospect() -> Named {
    let contact = "Only with contact enrichment; without it this member is absent.";
    let shared = |name: &'static str| (name, shared_kept(name).unwrap_or(Node::Null));
    let person = ["first_name", "last_name", "address_line1", "address_line2", "city", "state", "zip"].map(shared);
    let severity = "The injury, by the US crash-data standard (MMUCC).";
    let members = [
        ("id", id("The prospect. Match on it when you sync again.")),
        (
            "lead_type",
            object! { "type": "string", "const": "cold", "description": "A person who has not contacted the firm." },
        ),
        ("source", text("The service's name.")),
    ]
    .into_iter()
    .chain(person)
    .chain([
        ("person_type", schema_or_null("PersonType", "The person's part in the crash.")),
        ("injury_severity", schema_or_null("InjurySeverity", severity)),
        ("transported", or_null(flag("Taken to a hospital."))),
        ("crash_date", formatted("date", "Date of the crash.")),
        ("crash_time", or_null(text("Local time of the crash.").with("pattern", "^([01][0-9]|2[0-3]):[0-5][0-9]$"))),
        ("crash_city", short_text("Where it happened.")),
        ("crash_state", schema_or_null("StateCode", "Where it happened.")),
        ("crash_county", short_text("Where it happened: as imported, otherwise the county's name in the Census list.")),
        ("crash_county_fips", text("The county's FIPS code.").with("pattern", "^[0-9]{5}$")),
        ("crash_report_number", short_text("The police report's number.")),
        ("manner_of_collision", short_text("How the vehicles collided.")),
        ("vehicle", Node::schema("Vehicle")),
        ("vehicle_towed", or_null(flag("The vehicle was towed."))),
        ("hit_and_run", or_null(flag("Whether a driver fled."))),
        ("added_at", time("When the prospect was added here.")),
    ])
    .collect();
    let description = "A person in a crash, as a cold lead. The person's names and address are those of a client, so \
                       that a prospect who signs can be posted as one. What is not known is `null`.";
    let prospect = answer("Prospect", description, members);
    let Node::Object(mut prospect) = prospect else { return ("Prospect", prospect) };
    if let Some(Node::Object(properties)) = prospect.get_mut("properties") {
        for name in ["email", "phone"] {
            let member = shared_kept(name).unwrap_or(Node::Null).with("description", contact);
            properties.shift_insert(properties.len() - 1, name.to_owned(), member);
        }
    }
    ("Prospect", Node::Object(prospect))
}

/// The allowed names of a prospect's fields.
pub fn names() -> Vec<Named> {
    let severity = "An injury, by the US crash-data standard (MMUCC).";
    vec![
        ("PersonType", one_of(PERSON_TYPES, "A person's part in a crash.").with("title", "PersonType")),
        ("InjurySeverity", one_of(INJURY_SEVERITIES, severity).with("title", "InjurySeverity")),
    ]
}

/// The vehicle of a prospect.
pub fn vehicle() -> Named {
    (
        "Vehicle",
        answer(
            "Vehicle",
            "The person's vehicle.",
            vec![
                ("year", or_null(year("Model year."))),
                ("make", short_text("Maker.")),
                ("model", short_text("Model.")),
            ],
        ),
    )
}

/// A prospect as the operator imports it.
pub fn input() -> Vec<Named> {
    let members = IMPORT_FIELDS.map(|name| (name, shared_input(name).unwrap_or_else(|| own_input(name))));
    let prospects = "In order. One that is no such object, or has a value that cannot be read, gets a result with \
                     the status `error`; it does not hold up the others.";
    vec![
        (
            "ProspectInput",
            object! {
                "title": "ProspectInput",
                "description": "A person in a crash. Importing a known `source_id` replaces given values and keeps the \
                                others. Blank (`null`, empty, only white space) means not given.",
                "type": "object",
                "required": ["source_id", "crash_date", "crash_county_fips"],
                "properties": Node::object(members),
            },
        ),
        (
            "ProspectBatch",
            object! {
                "title": "ProspectBatch",
                "description": "Prospects to import, in order.",
                "type": "object",
                "required": ["prospects"],
                "properties": object! {
                    "prospects": object! {
                        "type": "array",
                        "maxItems": BATCH_LIMIT,
                        "items": Node::schema("ProspectInput"),
                        "description": prospects,
                    },
                },
            },
        ),
    ]
}

/// A field that only prospects have.
fn own_input(name: &str) -> Node {
    let text_or_integer = |description: &str| {
        object! { "type": ["string", "integer", "null"], "description": description }
    };
    match name {
        "source_id" => object! {
            "type": ["string", "integer"],
            "maxLength": Field::EXTERNAL_ID_MAX_LENGTH,
            "description": "The id in your source: unique, and remembered when the prospect is erased.",
        },
        "person_type" => name_or_words("The person's part in the crash", &PERSON_TYPES, "the words of MMUCC"),
        "injury_severity" => {
            name_or_words("The injury", &INJURY_SEVERITIES, "a KABCO letter, or the words of MMUCC and earlier forms")
        }
        "transported" => yes_or_words("Taken to a hospital."),
        "vehicle_towed" => yes_or_words("The vehicle was towed."),
        "hit_and_run" => yes_or_words("Whether a driver fled."),
        "crash_date" => {
            formatted("calendar-date", "Date of the crash, in any accepted form; at most one day in the future.")
        }
        "crash_time" => or_null(text("Local time of the crash: `HH:MM`, `HH:MM:SS`, `2:30 PM` or `1430`.")),
        "crash_state" => or_null(formatted("us-state", "Where it happened.")),
        "crash_county_fips" => object! {
            "type": ["string", "integer"],
            "description": "The county's five-digit FIPS code, of the Census list of counties. An integer or four \
                            digits get the zero back.",
        },
        "crash_report_number" => {
            text_or_integer("The police report's number.").with("maxLength", Field::EXTERNAL_ID_MAX_LENGTH)
        }
        "vehicle_year" => text_or_integer("Model year, 1900 to 2100."),
        _ => short_text("As written."),
    }
}

/// One of these names in any letter case: an `enum` would refuse values that the service accepts.
fn name_or_words(meaning: &str, names: &[&'static str], words: &str) -> Node {
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    or_null(text(&format!("{meaning}, in any letter case: {listed}; or {words}.")))
        .with("examples", Node::array(names.iter().copied()))
}

fn yes_or_words(description: &str) -> Node {
    object! {
        "type": ["boolean", "string", "null"],
        "description": format!("{description} A boolean, a yes/no string, or words such as `Not transported`."),
    }
}
