//! A client: the fields that callers send, and the record that is stored (groups N and U).

mod fields;
mod fingerprint;
mod parse;
mod reading;
mod render;
mod repair;

pub use fields::{ClientFieldsOf, Field, MEMBERS};
pub use fingerprint::Fingerprint;
pub use parse::{ClientInput, DO_NOT_MAIL_NOT_SAVED, parse_client};
pub(crate) use parse::{ClientReader, FieldReader};
pub(crate) use reading::Reading;
pub(crate) use render::{CLIENT_BYTES, push_client};
pub use repair::{Repair, SentValue, StoredValue, repair, repairs, stored_value};

use chrono::NaiveDate;
use smol_str::SmolStr;
use uuid::Uuid;

use crate::time::Timestamp;

/// The normalized fields of a client that owns its texts.
pub type ClientFields = ClientFieldsOf<SmolStr>;

/// A client that owns its texts.
pub type Client = ClientOf<SmolStr>;

/// A client whose texts are borrowed, such as from a row of a database.
pub type ClientRef<'a> = ClientOf<&'a str>;

/// A stored client.
#[derive(Clone, Debug, PartialEq, Eq)]
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
            fields: self.fields.with_texts(other),
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
