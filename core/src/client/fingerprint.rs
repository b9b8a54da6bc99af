//! Whether two records have the same fields, told by 16 bytes of each.

use xxhash_rust::xxh3::xxh3_128;

use super::ClientFields;

/// Equal for equal fields. That two different records have the same one by chance is as likely as
/// one in 2^128.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 16]);

/// Stands for a field that is not known.
const UNKNOWN: u8 = 0;

/// Stands before a field that is known, and after it: no field holds a control character like it.
const KNOWN: u8 = 1;

impl ClientFields {
    /// The fingerprint of all fields. Stores keep it: another way to make it needs a migration.
    ///
    /// ```
    /// use matterbook_core::client::ClientFields;
    /// let city = |city: &str| ClientFields { city: Some(city.into()), ..ClientFields::default() };
    /// assert_eq!(city("Salem").fingerprint(), city("Salem").fingerprint());
    /// assert_ne!(city("Salem").fingerprint(), ClientFields::default().fingerprint());
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint_in(&mut Vec::with_capacity(256))
    }

    /// The fingerprint, made in a `room` that many records may use one after the other.
    pub(crate) fn fingerprint_in(&self, room: &mut Vec<u8>) -> Fingerprint {
        let Self {
            external_id,
            first_name,
            last_name,
            address_line1,
            address_line2,
            city,
            state,
            zip,
            email,
            phone,
            case_type,
            opened_on,
            settled_on,
            do_not_mail,
        } = self;
        let texts = [
            external_id,
            first_name,
            last_name,
            address_line1,
            address_line2,
            city,
            state,
            zip,
            email,
            phone,
            case_type,
        ];
        room.clear();
        let mut add = |field: Option<&[u8]>| match field {
            None => room.push(UNKNOWN),
            Some(bytes) => {
                room.push(KNOWN);
                room.extend_from_slice(bytes);
                room.push(KNOWN);
            }
        };
        for text in texts {
            add(text.as_deref().map(str::as_bytes));
        }
        for date in [opened_on, settled_on] {
            add(date
                .map(|date| chrono::Datelike::num_days_from_ce(&date).to_be_bytes())
                .as_ref()
                .map(<[u8; 4]>::as_slice));
        }
        add(do_not_mail.then_some(b"do not mail"));
        Fingerprint(xxh3_128(room).to_be_bytes())
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
