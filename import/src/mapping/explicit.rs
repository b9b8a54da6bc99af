//! The mapping that the user gives with `--map "Header=field"` (rule F11).

use std::str::FromStr;

use super::{ListKind, Target};

/// One `--map`: a header and its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderMapping {
    /// The header; or several, as `House No + Street`.
    pub header: String,
    /// The field; `None` leaves the column out.
    pub target: Option<Target>,
    /// It has no effect where one of its columns is missing, instead of being an error: it is of an earlier file.
    pub is_optional: bool,
}

/// An invalid `--map`, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MapError(pub(crate) String);

impl FromStr for HeaderMapping {
    type Err = MapError;

    /// Parses `Header=field` for a file of clients.
    fn from_str(text: &str) -> Result<Self, MapError> {
        Self::parse(text, ListKind::Clients)
    }
}

impl HeaderMapping {
    /// Parses `Header=field` or `Header=`. It splits at the last `=`, because no field name contains one.
    ///
    /// # Errors
    /// When it has another form, or such a file has no field of that name.
    pub fn parse(text: &str, kind: ListKind) -> Result<Self, MapError> {
        let Some((header, name)) = text.rsplit_once('=') else {
            return Err(MapError(format!(
                "\"{text}\" must be written \"Header=field\", or \"Header=\" to leave the column out"
            )));
        };
        let (header, name) = (header.trim(), name.trim());
        if header.is_empty() {
            return Err(MapError(format!("\"{text}\" must name a header before its \"=\"")));
        }
        let target =
            match name {
                "" => None,
                _ => Some(Target::all(kind).find(|target| target.name() == name).ok_or_else(|| {
                    MapError(format!("\"{name}\" is no field; the fields are {}", target_names(kind)))
                })?),
            };
        Ok(Self { header: header.to_owned(), target, is_optional: false })
    }
}

impl HeaderMapping {
    /// The headers of the columns that are joined, in this order; one header if nothing is joined.
    pub(crate) fn headers(&self) -> impl Iterator<Item = &str> {
        self.header.split(JOIN).map(str::trim)
    }
}

/// Joins columns: `House No + Street=address_line1`.
const JOIN: &str = " + ";

/// All targets that `--map` accepts, for a sentence.
pub(super) fn target_names(kind: ListKind) -> String {
    listed(Target::all(kind).map(Target::name))
}

/// `a, b and c`.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use matterbook_core::normalize::Field;

    use super::*;

    fn check(text: &str, expected: Result<(&str, Option<Target>), &str>) {
        let found = text.parse::<HeaderMapping>().map_err(|error| error.to_string());
        let expected = expected
            .map(|(header, target)| HeaderMapping { header: header.to_owned(), target, is_optional: false })
            .map_err(str::to_owned);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_header_may_hold_anything_and_a_field_is_one_of_the_list() {
        check("Zip code=zip", Ok(("Zip code", Some(Target::Field(Field::Zip)))));
        check(" a=b = city ", Ok(("a=b", Some(Target::Field(Field::City)))));
        check("Notes=", Ok(("Notes", None)));
        check("Name=last_comma_first", Ok(("Name", Some(Target::LastCommaFirst))));
        check("zip", Err("\"zip\" must be written \"Header=field\", or \"Header=\" to leave the column out"));
        check("=zip", Err("\"=zip\" must name a header before its \"=\""));
        check(
            "Zip=zipcode",
            Err("\"zipcode\" is no field; the fields are first_name, last_name, address_line1, address_line2, city, \
                 state, zip, email, phone, case_type, opened_on, settled_on, external_id, do_not_mail, new_settlement, \
                 last_comma_first, first_last, city_state_zip and whole_address"),
        );
    }
}
