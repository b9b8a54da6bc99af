//! Types of one text.

use alloc::string::String;
use core::borrow::Borrow;

use smol_str::SmolStr;

use super::text_value::{text_value, value_of_text};
use crate::normalize::{self, FieldValue, Problem};

text_value! {
    /// A ZIP code: `NNNNN` or `NNNNN-NNNN` (rules N17 to N20).
    #[doc(alias = "zip code")]
    #[doc(alias = "postal code")]
    #[doc(alias = "ZIP+4")]
    Zip by normalize::zip, for example "123456789" as "12345-6789"
}

text_value! {
    /// A phone number in E.164: `+` and 10 to 15 digits (rules N21 to N26, N37).
    #[doc(alias = "phone number")]
    #[doc(alias = "E.164")]
    #[doc(alias = "telephone")]
    Phone by normalize::phone, for example "(617) 555-0142 x9" as "+16175550142"
}

text_value! {
    /// An email address, its domain in lower case (rules N31 and N32).
    #[doc(alias = "email address")]
    Email by normalize::email, for example "Jane.Doe@EXAMPLE.COM" as "Jane.Doe@example.com"
}

text_value! {
    /// A client's id in the caller's case system, compared exactly (rules N33 to N35).
    ExternalId by normalize::external_id, for example " A-007 " as "A-007"
}

impl Zip {
    /// The first five digits.
    #[must_use]
    pub fn five_digits(&self) -> &str {
        self.0.get(..5).unwrap_or_default()
    }

    /// The last four of nine digits.
    #[must_use]
    pub fn plus_four(&self) -> Option<&str> {
        self.0.get(6..)
    }
}

impl Phone {
    /// The ten digits of a number of the North American plan; `None` for any other.
    ///
    /// ```
    /// use matterbook_rules::Phone;
    /// let ten_digits = |text: &str| text.parse::<Phone>().ok()?.ten_digits().map(str::to_owned);
    /// assert_eq!(ten_digits("617.555.0142").as_deref(), Some("6175550142"));
    /// assert_eq!(ten_digits("+47 12 34 56 78"), None);
    /// ```
    #[must_use]
    pub fn ten_digits(&self) -> Option<&str> {
        self.0.strip_prefix("+1").filter(|digits| digits.len() == 10)
    }
}

impl Email {
    /// The part before the `@`, as written.
    #[must_use]
    pub fn local_part(&self) -> &str {
        self.parts().0
    }

    /// The part after the `@`, in lower case.
    ///
    /// ```
    /// use matterbook_rules::Email;
    /// let email: Email = "Jane@Example.com".parse().unwrap();
    /// assert_eq!((email.local_part(), email.domain()), ("Jane", "example.com"));
    /// ```
    #[must_use]
    pub fn domain(&self) -> &str {
        self.parts().1
    }

    fn parts(&self) -> (&str, &str) {
        self.0.split_once('@').unwrap_or_default()
    }
}
