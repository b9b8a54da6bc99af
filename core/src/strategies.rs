//! Strategies of [proptest](https://docs.rs/proptest) for whole clients and batches (feature `proptest`). Those for
//! values and people are in [`matterbook_rules::strategies`].
//!
//! ```
//! use matterbook_core::{client::parse_client, strategies::batch};
//! use proptest::prelude::*;
//!
//! proptest!(|(batch in batch(1..20))| {
//!     // Your reader of the body in place of the one of the core:
//!     for (line, client) in batch.ndjson().lines().zip(&batch.clients) {
//!         prop_assert_eq!(parse_client(line).ok().map(|input| input.fields), client.fields().cloned());
//!     }
//! });
//! ```

use matterbook_rules::strategies::{blank, pair, refused};
use proptest::{collection::SizeRange, prelude::*};

use crate::{
    client::{ClientFields, StoredValue},
    json::push_escaped,
    normalize::{Field, FieldValue, ProblemKind},
};

/// A client object as it is sent, and what the rules read in it.
///
/// Its `Debug` form shows made-up people.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SentClient {
    /// A JSON object on one line.
    pub json: String,
    /// Its normalized fields, or its refused ones in the order of [`Field::ALL`], each with the kind of its problem.
    pub read: Result<ClientFields, Vec<(Field, ProblemKind)>>,
}

impl SentClient {
    /// The normalized fields, if no field is refused.
    #[must_use]
    pub const fn fields(&self) -> Option<&ClientFields> {
        match &self.read {
            Ok(fields) => Some(fields),
            Err(_) => None,
        }
    }
}

/// The clients of one `POST /clients`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SentBatch {
    /// The clients, in their order.
    pub clients: Vec<SentClient>,
}

impl SentBatch {
    /// The body with the media type `application/json`.
    #[must_use]
    pub fn json(&self) -> String {
        let clients: Vec<&str> = self.clients.iter().map(|client| client.json.as_str()).collect();
        format!("{{\"clients\":[{}]}}", clients.join(","))
    }

    /// The body with the media type `application/x-ndjson`.
    #[must_use]
    pub fn ndjson(&self) -> String {
        self.clients.iter().flat_map(|client| [client.json.as_str(), "\n"]).collect()
    }
}

/// Batches of as many clients as `size` says.
pub fn batch(size: impl Into<SizeRange>) -> impl Strategy<Value = SentBatch> {
    proptest::collection::vec(client(), size).prop_map(|clients| SentBatch { clients })
}

/// Clients with some of the fields, of which a few are blank or refused.
///
/// ```
/// use matterbook_core::{client::parse_client, strategies::client};
/// use proptest::prelude::*;
/// proptest!(|(client in client())| {
///     prop_assert_eq!(parse_client(&client.json).is_ok(), client.read.is_ok());
/// });
/// ```
pub fn client() -> impl Strategy<Value = SentClient> {
    let members: Vec<_> = Field::ALL.into_iter().map(member).collect();
    members.prop_map(|members| {
        let mut json = String::from("{");
        let mut fields = ClientFields::default();
        let mut problems = Vec::new();
        for (field, member) in Field::ALL.into_iter().zip(members) {
            let Some((sent, read)) = member else { continue };
            json.push_str(if json.len() > 1 { ",\"" } else { "\"" });
            json.push_str(field.name());
            json.push_str("\":");
            push_value(&mut json, &sent);
            match read {
                Ok(Some(kept)) => set(&mut fields, field, kept),
                Ok(None) => {}
                Err(kind) => problems.push((field, kind)),
            }
        }
        json.push('}');
        SentClient { json, read: if problems.is_empty() { Ok(fields) } else { Err(problems) } }
    })
}

/// What is sent of one field, and what is read.
type Member = Option<(FieldValue<'static>, Result<Option<StoredValue>, ProblemKind>)>;

fn member(field: Field) -> impl Strategy<Value = Member> {
    prop_oneof![
        20 => Just(None),
        20 => pair(field).prop_map(|pair| Some((pair.sent, Ok(Some(pair.kept))))),
        3 => blank().prop_map(|sent| Some((sent, Ok(None)))),
        1 => refused(field).prop_map(|(sent, kind)| Some((sent, Err(kind)))),
    ]
}

fn set(fields: &mut ClientFields, field: Field, kept: StoredValue) {
    match kept {
        StoredValue::Bool(flag) => fields.do_not_mail = flag,
        StoredValue::Text(text) => {
            if let Some((_, date)) = fields.dates_mut().into_iter().find(|(listed, _)| *listed == field) {
                *date = text.parse().ok();
            } else if let Some((_, place)) = fields.texts_mut().into_iter().find(|(listed, _)| *listed == field) {
                *place = Some(text);
            }
        }
    }
}

/// Writes a value as JSON.
fn push_value(json: &mut String, value: &FieldValue<'_>) {
    match value {
        FieldValue::Absent => json.push_str("null"),
        FieldValue::Bool(flag) => json.push_str(if *flag { "true" } else { "false" }),
        FieldValue::Number(token) => json.push_str(token),
        FieldValue::Text(text) => {
            json.push('"');
            push_escaped(json, text);
            json.push('"');
        }
        FieldValue::LoneSurrogate => json.push_str("\"\\ud83d\""),
        FieldValue::Array => json.push_str("[]"),
        FieldValue::Object => json.push_str("{}"),
    }
}
