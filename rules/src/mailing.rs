//! An address as the postal service prefers it on an envelope (USPS Publication 28, chapter 2).

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::{
    client::ClientFields,
    matching::{fold_name, fold_street, standard_unit},
};

/// The lines of an address in capitals without punctuation, with the standard abbreviations of USPS Publication
/// 28. It displays as its lines.
///
/// It is a form for envelopes and for comparing with postal data. Store the address as written: accents and
/// apostrophes do not come back.
///
/// ```
/// use matterbook_rules::{MailingAddress, client::ClientFields};
/// let client = ClientFields::builder()
///     .address_line1("600 North Canal Street")
///     .address_line2("Apartment #4")
///     .city("St. Louis")
///     .state("Missouri")
///     .zip("631011234")
///     .build()?;
/// let address = MailingAddress::of(&client);
/// assert_eq!(address.to_string(), "600 N CANAL ST APT 4\nST LOUIS MO 63101-1234");
/// # Ok::<(), matterbook_rules::client::ParseError>(())
/// ```
#[doc(alias = "normalize address")]
#[doc(alias = "standardize address")]
#[doc(alias = "CASS")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MailingAddress {
    /// What the second line of the address says other than a unit, such as `C O RUIZ`. It is written above the street.
    pub attention_line: Option<String>,
    /// House number, street and unit.
    pub delivery_line: Option<String>,
    /// City, state and ZIP, as far as they are known.
    pub last_line: Option<String>,
}

impl MailingAddress {
    /// The address of a client.
    #[must_use]
    pub fn of(fields: &ClientFields) -> Self {
        let mut delivery_line = fields.address_line1.as_deref().map(fold_street).unwrap_or_default().to_uppercase();
        let mut attention_line = String::new();
        if let Some(line2) = fields.address_line2.as_deref() {
            match standard_unit(line2) {
                Some(unit) => {
                    if !delivery_line.is_empty() {
                        delivery_line.push(' ');
                    }
                    delivery_line.push_str(&unit.to_uppercase());
                }
                None => attention_line = fold_name(line2).to_uppercase(),
            }
        }
        let city = fields.city.as_deref().map(fold_name).unwrap_or_default().to_uppercase();
        let parts =
            [city.as_str(), fields.state.as_deref().unwrap_or_default(), fields.zip.as_deref().unwrap_or_default()];
        let last_line = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let given = |line: String| Some(line).filter(|line| !line.is_empty());
        Self { attention_line: given(attention_line), delivery_line: given(delivery_line), last_line: given(last_line) }
    }

    /// The lines, from the top.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        [&self.attention_line, &self.delivery_line, &self.last_line].into_iter().flatten().map(String::as_str)
    }
}

impl fmt::Display for MailingAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, line) in self.lines().enumerate() {
            formatter.write_str(if place > 0 { "\n" } else { "" })?;
            formatter.write_str(line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line1: &str, line2: &str, expected: &str) {
        let fields = ClientFields::builder().address_line1(line1).address_line2(line2).build().unwrap();
        assert_eq!(MailingAddress::of(&fields).to_string(), expected, "{line1}, {line2}");
    }

    #[test]
    fn a_unit_stands_behind_the_street_with_its_designator() {
        check("600 Canal Street", "Apt. 4", "600 CANAL ST APT 4");
        check("600 Canal Street", "4B", "600 CANAL ST # 4B");
        check("600 Canal Street", "Suite No. 200", "600 CANAL ST STE 200");
        check("600 Canal Street", "2nd Floor", "600 CANAL ST 2ND FL");
        check("600 Canal Street", "P.O. Box 22", "600 CANAL ST PO BOX 22");
        check("600 Canal St Unit 7", "", "600 CANAL ST UNIT 7");
    }

    #[test]
    fn other_words_of_the_second_line_stand_above_the_street() {
        check("9 Mount Street", "c/o Ruiz", "C O RUIZ\n9 MOUNT ST");
        check("", "", "");
        check("P.O. Box 12", "", "PO BOX 12");
    }

    #[test]
    fn the_last_line_has_what_is_known() {
        let fields = ClientFields::builder().city("Winston-Salem").zip("27101").build().unwrap();
        assert_eq!(MailingAddress::of(&fields).to_string(), "WINSTON SALEM 27101");
    }
}
