//! Which field of a client a column of an export holds, by its header (rule F10).
//!
//! Headers are compared by [`key`]: letters and digits in lower case, `#` as `number`. So `First Name`,
//! `first_name`, `FirstName` and `FIRST-NAME` are equal. What is only similar to a known name is not taken:
//! a date of loss is not the date on which a case opened.
//!
//! ```
//! use matterbook_rules::{client::Field, columns};
//! let headers = ["Client ID", "Given Name", "Home Zip", "Mailing Zip/Postal Code", "Notes"];
//! let fields = columns::fields_of(&headers);
//! assert_eq!(fields[..2], [Some(Field::ExternalId), Some(Field::FirstName)]);
//! // Letters go to the mailing address.
//! assert_eq!(fields[2..], [None, Some(Field::Zip), None]);
//! ```

mod address;
mod case;
mod person;

pub use address::AddressKind;

use alloc::{string::String, vec::Vec};

use crate::client::Field;

/// The names of some fields.
type Names = [(Field, &'static [&'static str])];

/// The names of every field, each list in the order of preference.
const NAMES: [&Names; 3] = [&person::NAMES, &address::NAMES, &case::NAMES];

/// Prefixes that mean the client.
const PERSON_PREFIXES: [&str; 8] =
    ["primarycontact", "client", "contact", "customer", "plaintiff", "claimant", "person", "injuredparty"];

/// The field that a column holds, and how well its header fits: of two columns for a field, the lesser is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ColumnField {
    /// The address that it belongs to, for a part of one.
    pub address: Option<AddressKind>,
    /// The place of the name among those of its field, the best first.
    pub rank: usize,
    /// The field.
    pub field: Field,
}

/// The field of a column.
///
/// ```
/// use matterbook_rules::{client::Field, columns::field_of};
/// let field = |header| field_of(header).map(|found| found.field);
/// assert_eq!(field("Apt/Unit"), Some(Field::AddressLine2));
/// assert_eq!(field("Plaintiff First"), Some(Field::FirstName));
/// assert_eq!(field("Attorney First Name"), None);
/// ```
#[must_use]
pub fn field_of(header: &str) -> Option<ColumnField> {
    let whole = key(own_name(header));
    let find = |key: &str| named(key).or_else(|| named_of_address(key));
    // The whole header is tried first: `Client ID` is an id, `Contact Number` a phone.
    find(&whole).or_else(|| person_prefixes().find_map(|prefix| find(whole.strip_prefix(prefix)?)))
}

/// The field of each column, each field once: where several columns fit, that of the best one.
#[must_use]
pub fn fields_of<Header: AsRef<str>>(headers: &[Header]) -> Vec<Option<Field>> {
    let found: Vec<_> = headers.iter().map(|header| field_of(header.as_ref())).collect();
    let is_best = |place: usize, column: &ColumnField| {
        let others = found.iter().enumerate().filter_map(|(other, found)| Some((found.as_ref()?, other)));
        others.filter(|(other, _)| other.field == column.field).min() == Some((column, place))
    };
    let fields = found.iter().enumerate();
    fields
        .map(|(place, column)| column.as_ref().filter(|column| is_best(place, column)).map(|best| best.field))
        .collect()
}

/// The field that has exactly this name, given as a [`key`].
#[must_use]
pub fn named(key: &str) -> Option<ColumnField> {
    let mut tables = NAMES.into_iter().flatten();
    let (field, rank) =
        tables.find_map(|(field, names)| Some((*field, names.iter().position(|name| *name == key)?)))?;
    Some(ColumnField { address: address::is_of_address(field).then_some(AddressKind::Plain), rank, field })
}

/// The part of an address whose name has the kind of address before it, given as a [`key`].
///
/// ```
/// use matterbook_rules::columns::{AddressKind, named_of_address};
/// let found = named_of_address("homestreet").unwrap();
/// assert_eq!((found.field.name(), found.address), ("address_line1", Some(AddressKind::Home)));
/// ```
#[must_use]
pub fn named_of_address(key: &str) -> Option<ColumnField> {
    address::PREFIXES.iter().find_map(|(prefix, kind)| {
        let rest = key.strip_prefix(prefix)?;
        // `Mailing Address Street` has both prefixes.
        let rest = rest.strip_prefix("address").filter(|rest| named(rest).is_some()).unwrap_or(rest);
        let found = named(rest).filter(|found| found.address.is_some())?;
        Some(ColumnField { address: Some(*kind), ..found })
    })
}

/// The known names of a field as keys, the best first.
#[must_use]
pub fn names_of(field: Field) -> &'static [&'static str] {
    NAMES.into_iter().flatten().find_map(|(of, names)| (*of == field).then_some(*names)).unwrap_or_default()
}

/// The prefixes of a header that mean the client, as keys.
pub fn person_prefixes() -> impl Iterator<Item = &'static str> {
    PERSON_PREFIXES.into_iter()
}

/// The name of a field without what Salesforce and Litify put around it: `litify_pm__First_Name__c`.
#[must_use]
pub fn own_name(header: &str) -> &str {
    let name = header.trim();
    let name = name.strip_suffix("__c").unwrap_or(name);
    name.strip_prefix("litify_pm__").unwrap_or(name)
}

/// The letters and digits of a header in lower case, `#` as `number`.
///
/// ```
/// use matterbook_rules::columns::key;
/// assert_eq!(key("Apt. #"), "aptnumber");
/// ```
#[must_use]
pub fn key(header: &str) -> String {
    let mut key = String::with_capacity(header.len());
    for character in header.chars() {
        if character == '#' {
            key.push_str("number");
        } else if character.is_alphanumeric() {
            key.extend(character.to_lowercase());
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_names_and_its_own_is_one() {
        for field in Field::ALL {
            assert!(!names_of(field).is_empty(), "{field}");
            assert_eq!(field_of(field.name()).map(|found| found.field), Some(field));
        }
    }

    #[test]
    fn no_name_stands_for_two_fields() {
        let mut names: Vec<_> = NAMES.into_iter().flatten().flat_map(|(_, names)| names.iter()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| key(name) == **name));
    }

    #[test]
    fn of_several_columns_for_a_field_the_best_gets_it() {
        let check =
            |headers: &[&str], expected: &[Option<Field>]| assert_eq!(fields_of(headers), expected, "{headers:?}");
        check(&["Cell", "Phone", "Home Phone"], &[None, Some(Field::Phone), None]);
        check(&["Business City", "Home City"], &[None, Some(Field::City)]);
        check(&["zip", "ZIP", "Status", ""], &[Some(Field::Zip), None, None, None]);
    }
}
