//! What a person chose for a file.

use matterbook_import::{
    mapping::{HeaderMapping, ListKind, Target},
    push::Settlements,
    records::{Fix, Options},
};
use serde::Deserialize;

use crate::import::Problem;

/// How a file is read, as the page sends it: `{"sheet","maps":[{"header","field"}],"leaves_out_unreadable",
/// "separate_settlements","fixes"}`, each optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The sheet of a workbook; without it the first that is not hidden.
    sheet: Option<String>,
    maps: Vec<Map>,
    leaves_out_unreadable: bool,
    separate_settlements: bool,
    fixes: Vec<Fix>,
}

/// A column and its field; an empty field leaves the column out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Map {
    header: String,
    field: String,
}

impl Settings {
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(|error| Problem(format!("The page sent damaged settings: {error}.")))
    }

    pub(crate) const fn settlements(&self) -> Settlements {
        if self.separate_settlements { Settlements::Separate } else { Settlements::One }
    }

    pub(crate) fn options(&self) -> Options {
        let target = |name: &str| Target::all(ListKind::Clients).find(|target| target.name() == name);
        let map = |map: &Map| HeaderMapping {
            header: map.header.clone(),
            target: target(&map.field),
            // A remembered column that this file lacks has no effect.
            is_optional: true,
        };
        Options {
            mappings: self.maps.iter().map(map).collect(),
            sheet: self.sheet.clone(),
            leaves_out_unreadable: self.leaves_out_unreadable,
            fixes: self.fixes.iter().cloned().collect(),
            ..Options::default()
        }
    }
}
