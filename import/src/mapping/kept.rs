//! The mapping of a file that is kept for the next export of the same kind (rule F39).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{HeaderMapping, ListKind, MapError, Mapping, Target, Use, assign::is_meant};

/// The `--map` arguments of a file, and what its columns were used as.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KeptMapping {
    /// The `--map` arguments.
    matterbook_mapping: Vec<String>,
    columns: Vec<KeptColumn>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
struct KeptColumn {
    header: String,
    /// The name of its target.
    used_as: Option<String>,
}

impl KeptMapping {
    /// What is kept of a mapping; `None` without any `--map`.
    #[must_use]
    pub fn of(maps: &[HeaderMapping], mapping: &Mapping) -> Option<Self> {
        let column = |header: &str, used_as: &Use| {
            let used_as = match used_as {
                Use::Target(target) | Use::Fallback(target, _) | Use::Joined(target, _) => {
                    Some(target.name().to_owned())
                }
                Use::Beaten(..) | Use::Known(_) | Use::LeftOut | Use::Unknown => None,
            };
            KeptColumn { header: header.to_owned(), used_as }
        };
        let columns = mapping.columns().iter().map(|found| column(&found.header, &found.used_as)).collect();
        let maps: Vec<String> = maps.iter().map(HeaderMapping::to_string).collect();
        (!maps.is_empty()).then_some(Self { matterbook_mapping: maps, columns })
    }

    /// The kept `--map` arguments that no given one replaces. Those whose columns are gone have no effect.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn maps(&self, given: &[HeaderMapping]) -> Result<Vec<HeaderMapping>, MapError> {
        let mut maps = Vec::new();
        for text in &self.matterbook_mapping {
            let map = HeaderMapping { is_optional: true, ..HeaderMapping::parse(text, ListKind::Clients)? };
            if !given.iter().any(|given| replaces(given, &map)) {
                maps.push(map);
            }
        }
        Ok(maps)
    }

    /// How the columns differ from the kept ones, as sentences.
    #[must_use]
    pub fn differences(&self, current: &Self) -> Vec<String> {
        let of = |columns: &[KeptColumn], header: &str| columns.iter().find(|column| column.header == header).cloned();
        let gone = self.columns.iter().filter(|column| of(&current.columns, &column.header).is_none());
        let new = current.columns.iter().filter(|column| of(&self.columns, &column.header).is_none());
        let header = |column: &KeptColumn| format!("\"{}\"", column.header);
        let changed = current.columns.iter().filter_map(|column| {
            let before = of(&self.columns, &column.header).filter(|before| before.used_as != column.used_as)?;
            let name = |used_as: &Option<String>| used_as.clone().unwrap_or_else(|| "not used".to_owned());
            Some(format!("\"{}\" was {}, is {}", column.header, name(&before.used_as), name(&column.used_as)))
        });
        let lists = [
            ("New columns", new.map(header).collect::<Vec<_>>()),
            ("Columns that are gone", gone.map(header).collect()),
        ];
        let lists = lists.into_iter().chain([("Columns that are used differently", changed.collect())]);
        let sentence = |(name, columns): (&str, Vec<String>)| format!("{name}: {}.", columns.join(", "));
        lists.filter(|(_, columns)| !columns.is_empty()).map(sentence).collect()
    }
}

/// Whether a given `--map` takes the place of a kept one: it names the same column, or gives the same field.
fn replaces(given: &HeaderMapping, kept: &HeaderMapping) -> bool {
    let is_same_header = kept.headers().any(|header| given.headers().any(|given| is_meant(header, given)));
    let gives_same = match (given.target, kept.target) {
        (Some(given), Some(kept)) => overlap(given, kept),
        _ => false,
    };
    is_same_header || gives_same
}

fn overlap(one: Target, other: Target) -> bool {
    let fills_part = |one: Target, other: Target| one.parts().iter().any(|field| other.fills(*field));
    (one == other && !one.takes_several()) || fills_part(one, other) || fills_part(other, one)
}

impl fmt::Display for HeaderMapping {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", self.header, self.target.map_or("", Target::name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maps(texts: &[&str]) -> Vec<HeaderMapping> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn kept(headers: &str, texts: &[&str]) -> KeptMapping {
        let maps = maps(texts);
        KeptMapping::of(&maps, &Mapping::new(headers.split('|'), &maps).unwrap()).unwrap()
    }

    #[test]
    fn given_maps_take_the_place_of_kept_ones() {
        let kept = kept(
            "Name|Ref|Home|No|Street",
            &["Name=first_last", "Ref=external_id", "Home=phone", "No + Street=address_line1"],
        );
        let left = |given: &[&str]| {
            let left = kept.maps(&maps(given)).unwrap();
            left.iter().map(HeaderMapping::to_string).collect::<Vec<_>>().join("|")
        };
        assert_eq!(left(&[]), "Name=first_last|Ref=external_id|Home=phone|No + Street=address_line1");
        assert_eq!(left(&["NAME=", "Cell=phone"]), "Ref=external_id|Home=phone|No + Street=address_line1");
        assert_eq!(left(&["Last=last_name", "Client No=external_id"]), "Home=phone|No + Street=address_line1");
        assert_eq!(left(&["Street=city"]), "Name=first_last|Ref=external_id|Home=phone");
    }

    #[test]
    fn a_kept_map_has_no_effect_where_its_column_is_gone() {
        let kept = kept("Name|Zip|No|Street", &["Name=first_last", "No + Street=address_line1"]);
        let mapping = Mapping::new(["Name", "Street", "City"].into_iter(), &kept.maps(&[]).unwrap()).unwrap();
        let current = KeptMapping::of(&kept.maps(&[]).unwrap(), &mapping).unwrap();
        assert_eq!(kept.differences(&current), ["New columns: \"City\".", "Columns that are gone: \"Zip\", \"No\"."]);
        assert_eq!(current.differences(&current), [""; 0]);
        let left_out = Mapping::new(["Name", "Street", "City"].into_iter(), &maps(&["City="])).unwrap();
        let left_out = KeptMapping::of(&maps(&["City="]), &left_out).unwrap();
        assert_eq!(
            current.differences(&left_out),
            [
                "Columns that are used differently: \"Name\" was first_last, is not used, \"City\" was city, is not used."
            ]
        );
    }
}
