//! The fields of a client: the one list from which the rest follows.

use core::{fmt, str::FromStr};

use chrono::NaiveDate;

use super::ClientFieldsBuilder;
use crate::normalize::FieldValue;

/// Defines [`Field`] and [`ClientFieldsOf`]. A record has the fields in the order written here. An
/// input has the external id after the dates (rule N9).
macro_rules! client_fields {
    (
        external_id { $(#[$id_doc:meta])* $id:ident $Id:ident }
        texts { $($(#[$text_doc:meta])* $text:ident $Text:ident,)+ }
        dates { $($(#[$date_doc:meta])* $date:ident $Date:ident,)+ }
        flag { $(#[$flag_doc:meta])* $flag:ident $Flag:ident }
    ) => {
        /// A field of a client. Its order is that of an input, in which problems are reported (rule N9).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Field {
            $($(#[$text_doc])* $Text,)+
            $($(#[$date_doc])* $Date,)+
            $(#[$id_doc])* $Id,
            $(#[$flag_doc])* $Flag,
        }

        impl Field {
            /// Every field, in the order of an input.
            pub const ALL: [Self; 14] = [$(Self::$Text,)+ $(Self::$Date,)+ Self::$Id, Self::$Flag];

            /// Every field, in the order of a record.
            pub const RECORD: [Self; 14] = [Self::$Id, $(Self::$Text,)+ $(Self::$Date,)+ Self::$Flag];

            /// The name in JSON, in SQL and in every message about the field.
            ///
            /// ```
            /// use matterbook_rules::normalize::Field;
            /// assert_eq!(Field::AddressLine1.name(), "address_line1");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::$Id => stringify!($id),
                    $(Self::$Text => stringify!($text),)+
                    $(Self::$Date => stringify!($date),)+
                    Self::$Flag => stringify!($flag),
                }
            }

            /// The name as a JSON object has it after another member. A page of clients has thousands of
            /// names, and each is written at once.
            ///
            /// ```
            /// use matterbook_rules::normalize::Field;
            /// assert_eq!(Field::AddressLine1.json_name(), ",\"address_line1\":");
            /// ```
            #[must_use]
            pub const fn json_name(self) -> &'static str {
                match self {
                    Self::$Id => concat!(",\"", stringify!($id), "\":"),
                    $(Self::$Text => concat!(",\"", stringify!($text), "\":"),)+
                    $(Self::$Date => concat!(",\"", stringify!($date), "\":"),)+
                    Self::$Flag => concat!(",\"", stringify!($flag), "\":"),
                }
            }
        }

        /// The normalized fields of a client. In an input, `None` and `false` mean "not given"; in a
        /// record, "not known" and "may be mailed".
        ///
        /// Its `Debug` form shows client data: never log it.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct ClientFieldsOf<Text> {
            $(#[$id_doc])* pub $id: Option<Text>,
            $($(#[$text_doc])* pub $text: Option<Text>,)+
            $($(#[$date_doc])* pub $date: Option<NaiveDate>,)+
            $(#[$flag_doc])* pub $flag: bool,
        }

        impl<Text> ClientFieldsOf<Text> {
            /// The texts, in the order of a record.
            pub fn texts(&self) -> [(Field, &Option<Text>); 11] {
                [(Field::$Id, &self.$id), $((Field::$Text, &self.$text),)+]
            }

            /// The texts, to be set, in the order of a record.
            pub fn texts_mut(&mut self) -> [(Field, &mut Option<Text>); 11] {
                [(Field::$Id, &mut self.$id), $((Field::$Text, &mut self.$text),)+]
            }

            /// The dates, in the order of a record.
            pub fn dates(&self) -> [(Field, Option<NaiveDate>); 2] {
                [$((Field::$Date, self.$date),)+]
            }

            /// The dates, to be set, in the order of a record.
            pub fn dates_mut(&mut self) -> [(Field, &mut Option<NaiveDate>); 2] {
                [$((Field::$Date, &mut self.$date),)+]
            }

            /// The same fields with other texts in place of these.
            pub fn map_texts<'a, Other>(&'a self, other: impl Fn(&'a Text) -> Other) -> ClientFieldsOf<Other> {
                ClientFieldsOf {
                    $id: self.$id.as_ref().map(&other),
                    $($text: self.$text.as_ref().map(&other),)+
                    $($date: self.$date,)+
                    $flag: self.$flag,
                }
            }
        }

        impl ClientFieldsBuilder {
            $(#[$id_doc])*
            pub fn $id<'a>(self, value: impl Into<FieldValue<'a>>) -> Self {
                self.set(Field::$Id, value)
            }

            $(
                $(#[$text_doc])*
                pub fn $text<'a>(self, value: impl Into<FieldValue<'a>>) -> Self {
                    self.set(Field::$Text, value)
                }
            )+

            $(
                $(#[$date_doc])*
                pub fn $date<'a>(self, value: impl Into<FieldValue<'a>>) -> Self {
                    self.set(Field::$Date, value)
                }
            )+

            $(#[$flag_doc])*
            pub fn $flag<'a>(self, value: impl Into<FieldValue<'a>>) -> Self {
                self.set(Field::$Flag, value)
            }
        }
    };
}

client_fields! {
    external_id {
        /// The client's id in the caller's case system, compared exactly.
        external_id ExternalId
    }
    texts {
        /// First name, as written, in NFC.
        first_name FirstName,
        /// Last name, as written, in NFC.
        last_name LastName,
        /// Street address, as written.
        address_line1 AddressLine1,
        /// Apartment, suite, unit, as written.
        address_line2 AddressLine2,
        /// City, as written.
        city City,
        /// US state: two capitals, one of the 62 USPS codes.
        state State,
        /// ZIP code: `NNNNN` or `NNNNN-NNNN`.
        zip Zip,
        /// Email address, its domain in lower case.
        email Email,
        /// Phone number in E.164: `+` and 10 to 15 digits.
        phone Phone,
        /// Kind of case, free text.
        case_type CaseType,
    }
    dates {
        /// Date on which the case opened.
        opened_on OpenedOn,
        /// Date of the settlement that began last.
        settled_on SettledOn,
    }
    flag {
        /// No letters to this person.
        do_not_mail DoNotMail
    }
}

impl Field {
    /// The most characters (Unicode scalar values) of a name, a city or a case type.
    pub const TEXT_MAX_LENGTH: usize = 200;
    /// The most characters of an address line.
    pub const ADDRESS_MAX_LENGTH: usize = 300;
    /// The most characters of an email address.
    pub const EMAIL_MAX_LENGTH: usize = 320;
    /// The most characters of an external id.
    pub const EXTERNAL_ID_MAX_LENGTH: usize = 200;

    /// The most characters (Unicode scalar values) of a field that takes free text.
    ///
    /// ```
    /// use matterbook_rules::normalize::Field;
    /// assert_eq!(Field::City.max_length(), Some(200));
    /// assert_eq!(Field::Zip.max_length(), None);
    /// ```
    #[must_use]
    pub const fn max_length(self) -> Option<usize> {
        match self {
            Self::FirstName | Self::LastName | Self::City | Self::CaseType => Some(Self::TEXT_MAX_LENGTH),
            Self::AddressLine1 | Self::AddressLine2 => Some(Self::ADDRESS_MAX_LENGTH),
            Self::Email => Some(Self::EMAIL_MAX_LENGTH),
            Self::ExternalId => Some(Self::EXTERNAL_ID_MAX_LENGTH),
            Self::State | Self::Zip | Self::Phone | Self::OpenedOn | Self::SettledOn | Self::DoNotMail => None,
        }
    }

    /// The field of that exact name.
    ///
    /// ```
    /// use matterbook_rules::normalize::Field;
    /// assert_eq!(Field::from_name("zip"), Some(Field::Zip));
    /// assert_eq!(Field::from_name("ZIP"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

impl AsRef<str> for Field {
    fn as_ref(&self) -> &str {
        self.name()
    }
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// ```
/// use matterbook_rules::client::Field;
/// assert_eq!("zip".parse(), Ok(Field::Zip));
/// let unknown = "ZIP".parse::<Field>().unwrap_err();
/// assert_eq!(unknown.to_string(), "there is no field of this name");
/// ```
impl FromStr for Field {
    type Err = UnknownField;

    fn from_str(name: &str) -> Result<Self, UnknownField> {
        Self::from_name(name).ok_or(UnknownField)
    }
}

impl TryFrom<&str> for Field {
    type Error = UnknownField;

    fn try_from(name: &str) -> Result<Self, UnknownField> {
        name.parse()
    }
}

/// A name that no field of a client has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownField;

impl fmt::Display for UnknownField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("there is no field of this name")
    }
}

impl core::error::Error for UnknownField {}
