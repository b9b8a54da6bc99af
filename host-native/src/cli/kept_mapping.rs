//! The file `FILE.mapping.json` next to a file of clients: its `--map` arguments, for the next export (rule F39).

use std::path::{Path, PathBuf};

use matterbook_import::{
    mapping::{HeaderMapping, KeptMapping},
    records::{Records, is_standard_input},
};

use super::{outcome::Failure, terminal};
use crate::{durable_file, private_file::with_suffix, push::first_file, visible::visible};

/// The mapping that is kept of a file.
pub(super) struct MappingFile {
    path: PathBuf,
    kept: Option<KeptMapping>,
    /// The `--map` arguments of this run: the given ones, then the kept ones that these do not replace.
    maps: Vec<HeaderMapping>,
    kept_maps: usize,
}

impl MappingFile {
    /// Reads what is kept of the file, also where the file is an error file of it. `None` for standard input.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn open(file: &Path, given: &[HeaderMapping]) -> Result<Option<Self>, Failure> {
        if is_standard_input(file) {
            return Ok(None);
        }
        let path = with_suffix(&first_file(file), ".mapping.json");
        let shown = path.display();
        let remedy = "Fix that, or leave it out with --ignore-mapping.";
        let unreadable = |error| Failure::refused(format!("The mapping {shown} cannot be read: {error}. {remedy}"));
        let kept: Option<KeptMapping> = match durable_file::read_json(&path).map_err(unreadable)? {
            None => None,
            Some(Ok(kept)) => Some(kept),
            Some(Err(_)) => return Err(Failure::refused(format!("{shown} is not a mapping. {remedy}"))),
        };
        let kept_maps = kept.as_ref().map_or(Ok(Vec::new()), |kept| kept.maps(given));
        let kept_maps = kept_maps.map_err(|error| Failure::refused(format!("{shown}: {error}. {remedy}")))?;
        let count = kept_maps.len();
        Ok(Some(Self { path, kept, maps: given.iter().cloned().chain(kept_maps).collect(), kept_maps: count }))
    }

    /// The `--map` arguments of this run.
    pub(super) fn maps(&self) -> &[HeaderMapping] {
        &self.maps
    }

    /// Says what is reused and what has changed, and keeps the mapping of this run.
    pub(super) fn keep(&self, records: &Records) {
        let name = visible(&self.path.file_name().unwrap_or_default().to_string_lossy());
        let reused = self.maps.get(self.maps.len() - self.kept_maps..).unwrap_or_default();
        if !reused.is_empty() {
            let maps: Vec<String> = reused.iter().map(|map| format!("\"{map}\"")).collect();
            let maps = maps.join(", ");
            say(&format!("Columns are mapped as kept in {name}: {maps}. --ignore-mapping leaves it out."));
        }
        let Some(current) = KeptMapping::of(&self.maps, records.mapping()) else { return };
        self.kept.iter().flat_map(|kept| kept.differences(&current)).for_each(|difference| say(&difference));
        if self.kept.as_ref() == Some(&current) {
            return;
        }
        match durable_file::replace_by_json(&self.path, &current) {
            Ok(()) => say(&format!("The mapping is kept in {name}, for the next time.")),
            Err(error) => say(&format!("The mapping cannot be kept in {name}: {error}.")),
        }
    }
}

fn say(sentence: &str) {
    terminal::print_wrapped(&visible(sentence));
}
