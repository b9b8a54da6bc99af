//! `matterbook backup FILE`

use std::path::Path;

use serde_json::json;

use super::{
    flags::Flags,
    outcome::{Failure, Shown},
};
use crate::{database::backup, key_secret_file};

/// Copies the database and its key secret at one point in time, even while a service writes to it.
pub(super) fn run(flags: &Flags, target: &Path) -> Result<Shown, Failure> {
    if flags.url.is_some() {
        return Err(Failure::usage("backup copies a file on this machine: name it with --db, not --url."));
    }
    let settings = flags.settings().map_err(Failure::usage)?;
    // The secret comes first, so that a copy of the database is never without it.
    let secret = match target.symlink_metadata() {
        Ok(_) => None,
        Err(_) => key_secret_file::copy(&settings.database, target).map_err(Failure::refused)?,
    };
    backup(&settings.database, target).map_err(Failure::refused)?;
    let file = target.display().to_string();
    let mut text = format!("{} is copied to {file}.\n", settings.database.display());
    let mut json = json!({"backup": {"file": file}});
    if let Some(secret) = secret {
        let secret = secret.display().to_string();
        text.push_str(&format!("Its key secret is copied to {secret}; keep the two together.\n"));
        json["backup"]["key_secret_file"] = secret.into();
    }
    Ok(Shown::new(json, text))
}
