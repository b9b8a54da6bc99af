//! The rules for C and C++. Diplomat exports the functions of the module [`ffi`], and the headers in `include` are
//! generated from it, with its comments (`headers`).
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod convert;

/// What C and C++ see. C++ has the namespace `matterbook` instead of the prefix.
#[allow(clippy::needless_lifetimes, reason = "Diplomat takes named lifetimes only")]
#[diplomat::bridge]
#[diplomat::attr(auto, namespace = "matterbook")]
pub mod ffi {
    use std::fmt::Write as _;

    use diplomat_runtime::{DiplomatStr, DiplomatWrite};
    use matterbook_rules::{client::ClientFields, columns, matching, normalize, MailingAddress};

    use crate::convert;

    /// The fields of a client, in the order of a record.
    #[diplomat::enum_convert(normalize::Field)]
    #[diplomat::attr(not(c), rename = "Field")]
    pub enum MatterbookField {
        /// The client's id in the caller's case system.
        ExternalId,
        /// First name.
        FirstName,
        /// Last name.
        LastName,
        /// Street address.
        AddressLine1,
        /// Apartment, suite, unit.
        AddressLine2,
        /// City.
        City,
        /// US state: one of the 62 USPS codes.
        State,
        /// ZIP code: `NNNNN` or `NNNNN-NNNN`.
        Zip,
        /// Email address.
        Email,
        /// Phone number in E.164.
        Phone,
        /// Kind of case.
        CaseType,
        /// Date on which the case opened.
        OpenedOn,
        /// Date of the settlement.
        SettledOn,
        /// No letters to this person.
        DoNotMail,
    }

    impl MatterbookField {
        /// The field of that exact name, such as `zip`.
        pub fn from_name(name: &DiplomatStr) -> Option<MatterbookField> {
            normalize::Field::from_name(std::str::from_utf8(name).ok()?).map(Into::into)
        }

        /// The field that a column of an export holds, by its header, such as `Given Name`.
        pub fn of_column(header: &DiplomatStr) -> Option<MatterbookField> {
            columns::field_of(std::str::from_utf8(header).ok()?).map(|found| found.field.into())
        }

        /// The name of the field.
        pub fn name(self) -> &'static str {
            normalize::Field::from(self).name()
        }
    }

    /// The kinds of problems. Later versions may add kinds. Such a one is `Other` here; its name is known.
    #[diplomat::attr(not(c), rename = "ProblemKind")]
    pub enum MatterbookProblemKind {
        /// A kind of a later version.
        Other,
        /// A control character in a text.
        ControlCharacter,
        /// No date in a known form.
        DateFormat,
        /// No email address.
        EmailFormat,
        /// No valid Unicode.
        InvalidUnicode,
        /// A date that the calendar does not have, or that is out of range.
        NoSuchDate,
        /// Nothing of what the field allows.
        NotAllowed,
        /// No phone number, such as too few digits.
        PhoneDigits,
        /// A required value is missing.
        Required,
        /// More characters than the field takes.
        TooLong,
        /// Two phone numbers in one value.
        TwoNumbers,
        /// No US state.
        UnknownState,
        /// Another type than the field takes.
        WrongType,
        /// Neither a yes nor a no.
        YesNo,
        /// No ZIP code.
        ZipFormat,
    }

    /// What became of a value.
    #[diplomat::attr(not(c), rename = "Status")]
    pub enum MatterbookStatus {
        /// It has a stored form.
        Stored,
        /// It is blank: missing, empty, or only white space.
        Blank,
        /// The rule of its field refuses it.
        Refused,
    }

    /// A value, normalized by the rule of its field.
    #[diplomat::opaque]
    #[diplomat::attr(not(c), rename = "Value")]
    pub struct MatterbookValue(convert::Value);

    impl MatterbookValue {
        /// Normalizes a text in UTF-8. A text that is not valid UTF-8 is refused.
        pub fn of_text(field: MatterbookField, text: &DiplomatStr) -> Box<MatterbookValue> {
            Box::new(MatterbookValue(convert::Value::of(field.into(), &convert::text(text))))
        }

        /// Normalizes an integer.
        pub fn of_integer(field: MatterbookField, value: i64) -> Box<MatterbookValue> {
            Box::new(MatterbookValue(convert::Value::of(field.into(), &value.into())))
        }

        /// Normalizes a boolean.
        pub fn of_boolean(field: MatterbookField, value: bool) -> Box<MatterbookValue> {
            Box::new(MatterbookValue(convert::Value::of(field.into(), &value.into())))
        }

        /// Normalizes a JSON value: one valid token in UTF-8, without white space around it. A number may have any
        /// number of digits. `null` is a blank value. Arrays and objects are refused.
        pub fn of_json(field: MatterbookField, token: &DiplomatStr) -> Box<MatterbookValue> {
            Box::new(MatterbookValue(convert::Value::of(field.into(), &convert::json(token))))
        }

        /// What became of the value.
        pub fn status(&self) -> MatterbookStatus {
            match self.0.stored {
                Ok(Some(_)) => MatterbookStatus::Stored,
                Ok(None) => MatterbookStatus::Blank,
                Err(_) => MatterbookStatus::Refused,
            }
        }

        /// The stored form: for `do_not_mail` the text `true` or `false`, for a date `YYYY-MM-DD`. It is empty if
        /// the value is blank or refused. It is valid as long as the value, and has no NUL at its end.
        pub fn text<'a>(&'a self) -> &'a str {
            if self.0.stored.is_ok() {
                &self.0.text
            } else {
                ""
            }
        }

        /// The kind of the problem of a refused value.
        pub fn problem(&self) -> Option<MatterbookProblemKind> {
            self.0.stored.as_ref().err().map(|problem| convert::kind(problem.kind()))
        }

        /// The name of that kind, such as `zip_format`; empty if the value is not refused.
        pub fn problem_name(&self) -> &'static str {
            self.0.stored.as_ref().err().map_or("", |problem| problem.kind().name())
        }

        /// What to fix in a refused value, as the part of a sentence after the field's name; empty if the value is
        /// not refused. It never repeats the value. It is valid as long as the value, and has no NUL at its end.
        pub fn message<'a>(&'a self) -> &'a str {
            if self.0.stored.is_err() {
                &self.0.text
            } else {
                ""
            }
        }
    }

    /// The values of one person, to be compared.
    #[diplomat::opaque_mut]
    #[diplomat::attr(not(c), rename = "Record")]
    pub struct MatterbookRecord(ClientFields);

    impl MatterbookRecord {
        /// A record without values.
        pub fn create() -> Box<MatterbookRecord> {
            Box::new(MatterbookRecord(ClientFields::default()))
        }

        /// Copies a value into the record, in the place of an earlier one of the same field. A refused value
        /// counts as missing.
        pub fn put(&mut self, value: &MatterbookValue) {
            convert::put(&mut self.0, &value.0);
        }

        /// What is compared of the record.
        pub fn match_key(&self) -> Box<MatterbookMatchKey> {
            Box::new(MatterbookMatchKey(matching::MatchKey::of(&self.0)))
        }
    }

    /// The lines of an address as USPS Publication 28 prefers it on an envelope: in capitals, without punctuation, with
    /// the standard abbreviations.
    #[diplomat::opaque]
    #[diplomat::attr(not(c), rename = "MailingAddress")]
    pub struct MatterbookMailingAddress(MailingAddress);

    impl MatterbookMailingAddress {
        /// The address of a record.
        pub fn of(record: &MatterbookRecord) -> Box<MatterbookMailingAddress> {
            Box::new(MatterbookMailingAddress(MailingAddress::of(&record.0)))
        }

        /// What the second line says besides a unit, such as `C O RUIZ`; empty if there is nothing.
        pub fn attention_line<'a>(&'a self) -> &'a str {
            self.0.attention_line.as_deref().unwrap_or_default()
        }

        /// House number, street and unit; empty if they are missing.
        pub fn delivery_line<'a>(&'a self) -> &'a str {
            self.0.delivery_line.as_deref().unwrap_or_default()
        }

        /// City, state and ZIP, as far as they are known.
        pub fn last_line<'a>(&'a self) -> &'a str {
            self.0.last_line.as_deref().unwrap_or_default()
        }
    }

    /// What is compared of a record.
    #[diplomat::opaque]
    #[diplomat::attr(not(c), rename = "MatchKey")]
    pub struct MatterbookMatchKey(matching::MatchKey);

    impl MatterbookMatchKey {
        /// Whether both have the same name, street and ZIP, and have all three.
        pub fn is_same_person(&self, other: &MatterbookMatchKey) -> bool {
            matching::same_person(&self.0, &other.0)
        }

        /// First and last name, folded, with U+001F between them; empty if both are missing.
        pub fn name<'a>(&'a self) -> &'a str {
            self.0.name.as_deref().unwrap_or_default()
        }

        /// The street in its USPS Publication 28 form, without the units at its end; empty if it is missing.
        pub fn street<'a>(&'a self) -> &'a str {
            self.0.street.as_deref().unwrap_or_default()
        }

        /// The unit at the end of the first line, or else that of the second; empty if it is missing.
        pub fn unit<'a>(&'a self) -> &'a str {
            self.0.unit.as_deref().or(self.0.line2_unit.as_deref()).unwrap_or_default()
        }

        /// The first five digits of the ZIP; empty if it is missing.
        pub fn zip5<'a>(&'a self) -> &'a str {
            self.0.zip5.as_deref().unwrap_or_default()
        }

        /// Writes a name as it is compared: without case, accents, apostrophes and dots.
        pub fn fold_name(name: &DiplomatStr, folded: &mut DiplomatWrite) {
            // Writing fails only where memory does, which the caller sees in `grow_failed`.
            let _ = folded.write_str(&matching::fold_name(&String::from_utf8_lossy(name)));
        }

        /// Writes the first line of an address as it is compared: in lower case, in its USPS Publication 28 form.
        pub fn fold_street(line1: &DiplomatStr, folded: &mut DiplomatWrite) {
            let _ = folded.write_str(&matching::fold_street(&String::from_utf8_lossy(line1)));
        }
    }

    /// The street and the unit of the first line of an address, each as it is compared.
    #[diplomat::opaque]
    #[diplomat::attr(not(c), rename = "StreetParts")]
    pub struct MatterbookStreetParts(matching::StreetParts);

    impl MatterbookStreetParts {
        /// The parts of a line.
        pub fn of(line1: &DiplomatStr) -> Box<MatterbookStreetParts> {
            Box::new(MatterbookStreetParts(matching::StreetParts::of(&String::from_utf8_lossy(line1))))
        }

        /// The street without the units at its end.
        pub fn street<'a>(&'a self) -> &'a str {
            &self.0.street
        }

        /// The unit; empty if it is missing.
        pub fn unit<'a>(&'a self) -> &'a str {
            self.0.unit.as_deref().unwrap_or_default()
        }
    }
}
