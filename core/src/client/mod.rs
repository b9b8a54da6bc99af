//! A client: the fields that callers send, and the record that is stored (groups N and U).

mod parse;
mod reading;
mod render;
mod repair;
mod sent;

pub use matterbook_rules::client::{
    ClientFields, ClientFieldsBuilder, ClientFieldsOf, ClientInput, DO_NOT_MAIL_NOT_SAVED, Field, Fingerprint, Member,
    ParseError, Repair, SentValue, StoredValue, UnknownField, repair, stored_text, stored_value,
};
pub use parse::parse_client;
pub(crate) use parse::{ClientReader, FieldReader};
pub(crate) use reading::Reading;
pub use render::MEMBERS;
pub(crate) use render::{CLIENT_BYTES, push_client};
pub use repair::repairs;
pub(crate) use sent::{sent_input, sent_unreadable, sent_values};

use std::fmt;

use chrono::NaiveDate;
use smol_str::SmolStr;
use uuid::Uuid;

use crate::time::Timestamp;

/// A client that owns its texts.
pub type Client = ClientOf<SmolStr>;

/// A client whose texts are borrowed, such as from a row of a database.
pub type ClientRef<'a> = ClientOf<&'a str>;

/// A stored client.
///
/// Its `Debug` form shows its id and its times.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientOf<Text> {
    /// Public id.
    pub id: Uuid,
    /// The person and the case.
    pub fields: ClientFieldsOf<Text>,
    /// The commit that created the client.
    pub created_at: Timestamp,
    /// The commit that changed it last. It grows strictly within an account (rule U14).
    pub updated_at: Timestamp,
}

impl<Text> fmt::Debug for ClientOf<Text> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Client")
            .field("id", &self.id)
            .field("created_at", &self.created_at)
            .field("updated_at", &self.updated_at)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// The client with its texts borrowed.
    ///
    /// ```
    /// use matterbook_core::{client::{Client, ClientFields}, time::Timestamp, uuid::Uuid};
    /// let at = Timestamp::from_micros(5);
    /// let fields = ClientFields { city: Some("Reno".into()), ..ClientFields::default() };
    /// let client = Client { id: Uuid::nil(), fields, created_at: at, updated_at: at };
    /// assert_eq!(client.borrowed().fields.city, Some("Reno"));
    /// assert_eq!(client.borrowed().to_client(), client);
    /// ```
    #[must_use]
    pub fn borrowed(&self) -> ClientRef<'_> {
        self.with_texts(SmolStr::as_str)
    }
}

impl ClientRef<'_> {
    /// The client with texts of its own.
    #[must_use]
    pub fn to_client(&self) -> Client {
        self.with_texts(SmolStr::new)
    }
}

impl<Text> ClientOf<Text> {
    /// The same client with other texts in place of these.
    fn with_texts<'a, Other>(&'a self, other: impl Fn(&'a Text) -> Other) -> ClientOf<Other> {
        ClientOf {
            id: self.id,
            fields: self.fields.map_texts(other),
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// One settlement of a client (group T). Each gets one letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Public id.
    pub id: Uuid,
    /// The client whose case settled.
    pub client: Uuid,
    /// Its present date.
    pub settled_on: NaiveDate,
    /// Its dates before corrections, oldest first. A late retry with one of them begins no settlement.
    pub former_dates: Vec<NaiveDate>,
    /// The commit that began it.
    pub begun_at: Timestamp,
    /// The commit that changed it last.
    pub changed_at: Timestamp,
}
