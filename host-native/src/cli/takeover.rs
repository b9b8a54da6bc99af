//! `matterbook takeover`

use serde_json::json;

use super::{
    flags::Flags,
    outcome::{Failure, Shown},
};
use crate::database::take_over;

/// Makes a followed copy the main database (rule W24). It starts nothing.
pub(super) fn run(flags: &Flags) -> Result<Shown, Failure> {
    if flags.url.is_some() {
        return Err(Failure::usage("takeover is about a file on this machine: name it with --db, not --url."));
    }
    let settings = flags.settings().map_err(Failure::usage)?;
    let newest = take_over(&settings.database, settings.key_secrets.as_ref()).map_err(Failure::refused)?;
    let file = settings.database.display().to_string();
    let json = json!({"takeover": {"file": file, "copied_until": newest.map(|at| at.to_string())}});
    let until = match newest {
        Some(at) => format!("Its newest change is of {at}: what was saved later is missing here."),
        None => "Nothing was ever changed in it.".to_owned(),
    };
    let text = format!(
        "{file} is the main database now. {until}\n\
         Start the service with matterbook serve. The lost machine must not serve again, and its Litestream must not \
         write to the replica of this one.\n"
    );
    Ok(Shown::new(json, text))
}
