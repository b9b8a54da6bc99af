//! 16 bytes that tell whether two records have the same fields.

use alloc::vec::Vec;

use chrono::Datelike as _;
use xxhash_rust::xxh3::xxh3_128;

use super::ClientFields;

/// Equal for equal fields. Two different records have the same fingerprint with a chance of one in 2^128.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 16]);

/// Marks a field that is not known.
const UNKNOWN: u8 = 0;

/// Written before and after a field that is known. No field contains this control character.
const KNOWN: u8 = 1;

impl ClientFields {
    /// The fingerprint of all fields. Stores keep it: another way to compute it needs a migration.
    ///
    /// ```
    /// use matterbook_rules::client::ClientFields;
    /// let city = |city: &str| ClientFields { city: Some(city.into()), ..ClientFields::default() };
    /// assert_eq!(city("Salem").fingerprint(), city("Salem").fingerprint());
    /// assert_ne!(city("Salem").fingerprint(), ClientFields::default().fingerprint());
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint_in(&mut Vec::with_capacity(256))
    }

    /// The fingerprint. `scratch` is memory that many records can use in turn.
    #[must_use]
    pub fn fingerprint_in(&self, scratch: &mut Vec<u8>) -> Fingerprint {
        scratch.clear();
        let mut add = |field: Option<&[u8]>| match field {
            None => scratch.push(UNKNOWN),
            Some(bytes) => {
                scratch.push(KNOWN);
                scratch.extend_from_slice(bytes);
                scratch.push(KNOWN);
            }
        };
        for (_, text) in self.texts() {
            add(text.as_deref().map(str::as_bytes));
        }
        for (_, date) in self.dates() {
            let days = date.map(|date| date.num_days_from_ce().to_be_bytes());
            add(days.as_ref().map(<[u8; 4]>::as_slice));
        }
        add(self.do_not_mail.then_some(b"do not mail"));
        Fingerprint(xxh3_128(scratch).to_be_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_fingerprints_do_not_change() {
        let fields = ClientFields {
            external_id: Some("A-1".into()),
            last_name: Some("Reyes".into()),
            opened_on: chrono::NaiveDate::from_ymd_opt(2026, 1, 5),
            do_not_mail: true,
            ..ClientFields::default()
        };
        assert_eq!(u128::from_be_bytes(fields.fingerprint().0), 276_008_946_354_095_888_946_481_825_126_336_102_103);
    }

    #[test]
    fn a_text_in_another_field_or_split_elsewhere_is_another_record() {
        let record = |first: Option<&str>, last: Option<&str>| ClientFields {
            first_name: first.map(Into::into),
            last_name: last.map(Into::into),
            ..ClientFields::default()
        };
        let records =
            [record(Some("ab"), None), record(None, Some("ab")), record(Some("a"), Some("b")), record(None, None)];
        let fingerprints: std::collections::HashSet<_> = records.iter().map(ClientFields::fingerprint).collect();
        assert_eq!(fingerprints.len(), records.len());
    }
}
