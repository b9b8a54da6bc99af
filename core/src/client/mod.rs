//! A client: the fields that callers give, and the record that is kept (reference section 2.1).

mod fingerprint;
mod parse;
mod render;

pub use fingerprint::Fingerprint;
pub use parse::{ClientInput, parse_client};
pub(crate) use parse::{ClientReader, FieldReader};
pub(crate) use render::{CLIENT_BYTES, push_client};

use chrono::NaiveDate;
use smol_str::SmolStr;
use uuid::Uuid;

use crate::time::Timestamp;

/// The normalized fields of a client. In an input, `None` and `false` mean "not given"; in a
/// record, "not known" and "may be mailed".
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFields {
    /// The client's id in the caller's case system, compared exactly.
    pub external_id: Option<SmolStr>,
    /// As written, in NFC.
    pub first_name: Option<SmolStr>,
    /// As written, in NFC.
    pub last_name: Option<SmolStr>,
    /// Street address, as written.
    pub address_line1: Option<SmolStr>,
    /// Apartment, suite, unit, as written.
    pub address_line2: Option<SmolStr>,
    /// As written.
    pub city: Option<SmolStr>,
    /// Two capitals, one of the 62 USPS codes.
    pub state: Option<SmolStr>,
    /// `NNNNN` or `NNNNN-NNNN`.
    pub zip: Option<SmolStr>,
    /// Domain in lower case.
    pub email: Option<SmolStr>,
    /// E.164, `+` and 10 to 15 digits.
    pub phone: Option<SmolStr>,
    /// Free text.
    pub case_type: Option<SmolStr>,
    /// Calendar date on which the case opened.
    pub opened_on: Option<NaiveDate>,
    /// Calendar date of the settlement begun last.
    pub settled_on: Option<NaiveDate>,
    /// No letters to this person.
    pub do_not_mail: bool,
}

/// A client as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Public id.
    pub id: Uuid,
    /// What is known of the person and the case.
    pub fields: ClientFields,
    /// The commit that created the client.
    pub created_at: Timestamp,
    /// The commit that changed it last; grows strictly from commit to commit within an account.
    pub updated_at: Timestamp,
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
