//! Finds a column's field by its name.

use matterbook_core::normalize::Field;

/// The field of a column; `None` if the name is not known.
///
/// Letter case, spaces and punctuation are ignored, and so is a first word such as `client`.
pub(crate) fn field_of(column: &str) -> Option<Field> {
    let letters: String = column.chars().filter(|character| character.is_alphanumeric()).collect();
    let name = letters.to_lowercase();
    let name = ["client", "contact", "customer"].into_iter().find_map(|word| name.strip_prefix(word)).unwrap_or(&name);
    Field::ALL.into_iter().find(|field| field.name().replace('_', "") == name).or_else(|| {
        Some(match name {
            "first" | "given" | "givenname" => Field::FirstName,
            "last" | "surname" | "family" | "familyname" => Field::LastName,
            "address" | "street" | "streetaddress" | "address1" => Field::AddressLine1,
            "address2" | "apt" | "unit" | "suite" => Field::AddressLine2,
            "zipcode" | "postalcode" | "postcode" => Field::Zip,
            "mail" | "emailaddress" => Field::Email,
            "tel" | "telephone" | "phonenumber" | "mobile" | "cell" => Field::Phone,
            "opened" | "dateopened" => Field::OpenedOn,
            "settled" | "datesettled" => Field::SettledOn,
            "id" | "number" | "no" | "caseid" | "matter" | "matterid" => Field::ExternalId,
            "nomail" | "optout" => Field::DoNotMail,
            _ => return None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_known_however_they_are_written() {
        for (column, field) in [
            ("first_name", Field::FirstName),
            ("First Name", Field::FirstName),
            ("client_zip", Field::Zip),
            ("Client ID", Field::ExternalId),
            ("Phone #", Field::Phone),
            ("E-Mail", Field::Email),
            ("Do Not Mail?", Field::DoNotMail),
        ] {
            assert_eq!(field_of(column), Some(field), "{column}");
        }
        assert_eq!(field_of("Shoe size"), None);
        assert_eq!(field_of(""), None);
    }
}
