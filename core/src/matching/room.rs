//! Where records are folded, one after the other.

use super::{fold::fold_into, street::fold_street_into};
use crate::client::ClientFields;

/// Room for the texts that folding makes. A batch folds hundreds of records, and keeps the texts of few.
#[derive(Debug, Default)]
pub(crate) struct Room {
    name: Vec<u8>,
    words: Vec<u8>,
    street: Vec<u8>,
}

/// The folded facts of one record, in the room where they were made: see [`super::Facts`].
pub(super) struct Folded<'r> {
    pub(super) name: Option<&'r [u8]>,
    pub(super) street: Option<&'r [u8]>,
    pub(super) zip5: Option<&'r [u8]>,
}

/// Stands between the first and the last name. No folded name holds it, nor any other control
/// character.
const BETWEEN_NAMES: u8 = b'\x1f';

impl Room {
    /// Folds a record.
    pub(super) fn fold<'r>(&'r mut self, fields: &'r ClientFields) -> Folded<'r> {
        self.name.clear();
        fold_into(fields.first_name.as_deref().unwrap_or_default(), &mut self.name);
        self.name.push(BETWEEN_NAMES);
        fold_into(fields.last_name.as_deref().unwrap_or_default(), &mut self.name);
        self.street.clear();
        if let Some(address) = fields.address_line1.as_deref() {
            fold_street_into(address, &mut self.words, &mut self.street);
        }
        Folded {
            name: Some(self.name.as_slice()).filter(|name| name.len() > 1),
            street: Some(self.street.as_slice()).filter(|street| !street.is_empty()),
            zip5: fields.zip.as_deref().and_then(|zip| zip.get(..5)).map(str::as_bytes),
        }
    }
}
