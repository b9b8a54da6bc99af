//! A client: the fields that callers give, and the record that is kept (reference section 2.1).

mod fingerprint;
mod parse;
mod render;
mod repair;

pub use fingerprint::Fingerprint;
pub use parse::{ClientInput, parse_client};
pub(crate) use parse::{ClientReader, FieldReader};
pub use render::MEMBERS;
pub(crate) use render::{CLIENT_BYTES, push_client};
pub use repair::{KeptValue, Repair, SentValue, kept, repair, repairs};

use chrono::NaiveDate;
use smol_str::SmolStr;
use uuid::Uuid;

use crate::time::Timestamp;

/// The normalized fields of a client that keeps its texts.
pub type ClientFields = ClientFieldsOf<SmolStr>;

/// A client that keeps its texts.
pub type Client = ClientOf<SmolStr>;

/// A client whose texts are somewhere else, such as in a row of a database.
pub type ClientRef<'a> = ClientOf<&'a str>;

/// The normalized fields of a client. In an input, `None` and `false` mean "not given"; in a
/// record, "not known" and "may be mailed".
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFieldsOf<Text> {
    /// The client's id in the caller's case system, compared exactly.
    pub external_id: Option<Text>,
    /// As written, in NFC.
    pub first_name: Option<Text>,
    /// As written, in NFC.
    pub last_name: Option<Text>,
    /// Street address, as written.
    pub address_line1: Option<Text>,
    /// Apartment, suite, unit, as written.
    pub address_line2: Option<Text>,
    /// As written.
    pub city: Option<Text>,
    /// Two capitals, one of the 62 USPS codes.
    pub state: Option<Text>,
    /// `NNNNN` or `NNNNN-NNNN`.
    pub zip: Option<Text>,
    /// Domain in lower case.
    pub email: Option<Text>,
    /// E.164, `+` and 10 to 15 digits.
    pub phone: Option<Text>,
    /// Free text.
    pub case_type: Option<Text>,
    /// Calendar date on which the case opened.
    pub opened_on: Option<NaiveDate>,
    /// Calendar date of the settlement begun last.
    pub settled_on: Option<NaiveDate>,
    /// No letters to this person.
    pub do_not_mail: bool,
}

/// A client as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOf<Text> {
    /// Public id.
    pub id: Uuid,
    /// What is known of the person and the case.
    pub fields: ClientFieldsOf<Text>,
    /// The commit that created the client.
    pub created_at: Timestamp,
    /// The commit that changed it last; grows strictly from commit to commit within an account.
    pub updated_at: Timestamp,
}

impl Client {
    /// The client, its texts borrowed.
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
    /// The client, its texts kept.
    #[must_use]
    pub fn to_client(&self) -> Client {
        self.with_texts(SmolStr::new)
    }
}

impl<Text> ClientOf<Text> {
    /// The same client with other texts in place of these.
    fn with_texts<'a, Other>(&'a self, other: impl Fn(&'a Text) -> Other) -> ClientOf<Other> {
        let fields = &self.fields;
        let other = |text: &'a Option<Text>| text.as_ref().map(&other);
        ClientOf {
            id: self.id,
            fields: ClientFieldsOf {
                external_id: other(&fields.external_id),
                first_name: other(&fields.first_name),
                last_name: other(&fields.last_name),
                address_line1: other(&fields.address_line1),
                address_line2: other(&fields.address_line2),
                city: other(&fields.city),
                state: other(&fields.state),
                zip: other(&fields.zip),
                email: other(&fields.email),
                phone: other(&fields.phone),
                case_type: other(&fields.case_type),
                opened_on: fields.opened_on,
                settled_on: fields.settled_on,
                do_not_mail: fields.do_not_mail,
            },
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// One settlement of a client (design section 6). A letter goes out once for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Public id.
    pub id: Uuid,
    /// The client whose case settled.
    pub client: Uuid,
    /// The date it has now.
    pub settled_on: NaiveDate,
    /// Dates it had before corrections, oldest first; a late retry with one of them begins nothing.
    pub former_dates: Vec<NaiveDate>,
    /// The commit that began it.
    pub begun_at: Timestamp,
    /// The commit that changed it last.
    pub changed_at: Timestamp,
}
