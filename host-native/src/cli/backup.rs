//! `matterbook backup FILE`

use std::path::Path;

use serde_json::json;

use super::{
    flags::Flags,
    outcome::{Failure, Shown},
};
use crate::database::backup;

/// Copies the database at one point in time, even while a service writes to it.
pub(super) fn run(flags: &Flags, target: &Path) -> Result<Shown, Failure> {
    if flags.url.is_some() {
        return Err(Failure::usage("backup copies a file on this machine: name it with --db, not --url."));
    }
    let settings = flags.settings().map_err(Failure::usage)?;
    backup(&settings.database, target).map_err(Failure::refused)?;
    let file = target.display().to_string();
    let text = format!("{} is copied to {file}.\n", settings.database.display());
    Ok(Shown::new(json!({"backup": {"file": file}}), text))
}
