//! The fields of a client, in the reference's order (reference section 2.1).

/// A field of a client's input. Problems are reported in the order of [`Field::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
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
    /// US state.
    State,
    /// ZIP code.
    Zip,
    /// Email address.
    Email,
    /// Phone number.
    Phone,
    /// Kind of case, free text.
    CaseType,
    /// Date the case opened.
    OpenedOn,
    /// Date the case settled.
    SettledOn,
    /// The client's id in the caller's system.
    ExternalId,
    /// Stops all letters.
    DoNotMail,
}

impl Field {
    /// Every field, in the reference's order.
    pub const ALL: [Self; 14] = [
        Self::FirstName,
        Self::LastName,
        Self::AddressLine1,
        Self::AddressLine2,
        Self::City,
        Self::State,
        Self::Zip,
        Self::Email,
        Self::Phone,
        Self::CaseType,
        Self::OpenedOn,
        Self::SettledOn,
        Self::ExternalId,
        Self::DoNotMail,
    ];

    /// The most characters (Unicode scalar values) of a name, a city or a case type.
    pub const TEXT_MAX_LENGTH: usize = 200;
    /// The most characters of an address line.
    pub const ADDRESS_MAX_LENGTH: usize = 300;
    /// The most characters of an email address.
    pub const EMAIL_MAX_LENGTH: usize = 320;
    /// The most characters of an external id.
    pub const EXTERNAL_ID_MAX_LENGTH: usize = 200;

    /// The name in JSON, and in every message about the field.
    ///
    /// ```
    /// use matterbook_core::normalize::Field;
    /// assert_eq!(Field::AddressLine1.name(), "address_line1");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstName => "first_name",
            Self::LastName => "last_name",
            Self::AddressLine1 => "address_line1",
            Self::AddressLine2 => "address_line2",
            Self::City => "city",
            Self::State => "state",
            Self::Zip => "zip",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::CaseType => "case_type",
            Self::OpenedOn => "opened_on",
            Self::SettledOn => "settled_on",
            Self::ExternalId => "external_id",
            Self::DoNotMail => "do_not_mail",
        }
    }

    /// The most characters (Unicode scalar values) of a text, where any text is taken.
    ///
    /// ```
    /// use matterbook_core::normalize::Field;
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
    /// use matterbook_core::normalize::Field;
    /// assert_eq!(Field::from_name("zip"), Some(Field::Zip));
    /// assert_eq!(Field::from_name("ZIP"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}
