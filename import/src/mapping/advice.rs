//! Advice on columns that may be an address or an id, but have an unknown name.

use matterbook_core::normalize::Field;

use super::{Column, ListKind, Mapping, ProspectField, Use, listed, synonyms::key};

/// Parts of headers that may be meant for a field.
const HINTS: [(Field, &[&str], &str); 3] = [
    (Field::AddressLine1, &["street", "addr"], "street"),
    (Field::Zip, &["zip", "postal", "postcode"], "ZIP"),
    (Field::ExternalId, &["id", "number", "no", "ref"], "id"),
];

impl Mapping {
    /// A warning with the `--map` to paste, if no column is an id, and none a street or none a ZIP: such people are
    /// told apart by their names alone.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        let has = |field: Field| self.fills(field);
        let is_known = has(Field::ExternalId) || (has(Field::AddressLine1) && has(Field::Zip));
        if is_known || !self.has_name() || self.kind() == ListKind::Prospects {
            return None;
        }
        let missing = || HINTS.into_iter().filter(|(field, ..)| !has(*field));
        let names: Vec<&str> = missing().map(|(.., name)| name).collect();
        let mut maps: Vec<String> = missing()
            .filter_map(|(field, hints, _)| {
                let header = &self.columns().iter().find(|column| is_hinted(column, hints))?.header;
                Some(format!("--map \"{header}={}\"", field.name()))
            })
            .collect();
        if maps.is_empty() {
            maps.extend(missing().map(|(field, ..)| format!("--map \"Header={}\"", field.name())));
        }
        Some(format!(
            "No column is recognized as {}, so people of one name cannot be told apart. If the file has such columns, \
             name them: {}",
            listed(names.into_iter()),
            maps.join(" ")
        ))
    }
}

impl Mapping {
    /// Why no row of a file of prospects can be imported, with the `--map` to paste: a required column is missing.
    #[must_use]
    pub fn missing_of_prospects(&self) -> Option<String> {
        let has = |field| self.has(field);
        let has_county = has(ProspectField::CrashCountyFips) || has(ProspectField::CrashCounty);
        let missing: Vec<(&str, ProspectField)> = [
            (has(ProspectField::SourceId), "an id that no other person has", ProspectField::SourceId),
            (has(ProspectField::CrashDate), "the day of the crash", ProspectField::CrashDate),
            (
                has_county,
                "the county of the crash (its FIPS code, or its name and state)",
                ProspectField::CrashCountyFips,
            ),
        ]
        .into_iter()
        .filter_map(|(has, meaning, field)| (!has).then_some((meaning, field)))
        .collect();
        let maps: Vec<String> = missing.iter().map(|(_, field)| format!("--map \"Header={}\"", field.name())).collect();
        (!missing.is_empty()).then(|| {
            format!(
                "No column is recognized as {}. If the file has such columns, name them: {}",
                listed(missing.iter().map(|(meaning, _)| *meaning)),
                maps.join(" ")
            )
        })
    }
}

/// Whether an unused column may be meant: by the end of its name for short hints, else by any part.
fn is_hinted(column: &Column, hints: &[&str]) -> bool {
    let key = key(&column.header);
    column.used_as == Use::Unknown
        && hints.iter().any(|hint| if hint.len() > 3 { key.contains(hint) } else { key.ends_with(hint) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(headers: &str) -> Option<String> {
        Mapping::new(headers.split('|'), &[]).unwrap().advice()
    }

    #[test]
    fn a_file_of_prospects_is_told_what_it_lacks() {
        let missing =
            |headers: &str| Mapping::of(ListKind::Prospects, headers.split('|'), &[]).unwrap().missing_of_prospects();
        assert_eq!(missing("Person ID|Crash Date|County|State"), None);
        assert_eq!(missing("source_id|crash_date|crash_county_fips"), None);
        assert_eq!(
            missing("Last Name|Crash Date").as_deref(),
            Some(
                "No column is recognized as an id that no other person has and the county of the crash (its FIPS code, \
                 or its name and state). If the file has such columns, name them: --map \"Header=source_id\" --map \
                 \"Header=crash_county_fips\""
            )
        );
    }

    #[test]
    fn a_file_without_address_and_id_is_told_the_map_to_paste() {
        assert_eq!(
            advice("Last Name|Work Street|Work Zip|Member ID").as_deref(),
            Some(
                "No column is recognized as street, ZIP and id, so people of one name cannot be told apart. If the file \
                 has such columns, name them: --map \"Work Street=address_line1\" --map \"Work Zip=zip\" --map \
                 \"Member ID=external_id\""
            )
        );
        assert_eq!(
            advice("Last Name|Zip").as_deref(),
            Some(
                "No column is recognized as street and id, so people of one name cannot be told apart. If the file has \
                 such columns, name them: --map \"Header=address_line1\" --map \"Header=external_id\""
            )
        );
        assert_eq!(advice("Last Name|Case No"), None);
        assert_eq!(advice("Last Name|Street|Zip"), None);
        assert_eq!(advice("Phone|Notes"), None);
    }
}
