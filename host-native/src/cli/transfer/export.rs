//! `matterbook account export ACCOUNT --out FILE`

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::Path,
};

use matterbook_core::store::TransferDigest;
use serde_json::{Value, json};

use super::{file::End, repeated};
use crate::{
    cli::{
        operator::{Call, Operator},
        outcome::{Failure, Shown},
        progress::Progress,
        terminal,
    },
    durable_file,
    private_file::{owners_only, with_suffix},
};

/// How often an export begins again because the account changed meanwhile.
const ATTEMPTS_MAX: u32 = 5;

/// Writes the account to a new file. `moves` suspends it first, so that nothing follows what is written.
pub(in crate::cli) fn export(operator: &Operator, account: &str, out: &Path, moves: bool) -> Result<Shown, Failure> {
    if out.symlink_metadata().is_ok() {
        return Err(Failure::refused(format!("{} exists already; name a new file.", out.display())));
    }
    let found = operator.send(Call::get(&["accounts", account]))?;
    let was_suspended = found["account"]["suspended"] == true;
    // The canonical form of the id.
    let account = found["account"]["id"].as_str().unwrap_or_default().to_owned();
    if moves && !was_suspended {
        operator.send(Call::patch(&["accounts", &account], json!({"suspended": true})))?;
    }
    let partial = with_suffix(out, ".partial");
    let written = write_whole(operator, &account, &partial, moves.then_some(was_suspended));
    let end = written.and_then(|end| {
        durable_file::rename(&partial, out).map_err(|error| failed(out, &error))?;
        Ok(end)
    });
    let end = end.inspect_err(|_| {
        let _ = fs::remove_file(&partial);
    })?;
    let file = out.display().to_string();
    let text = format!("Account {account} is in {file}: {} rows.\n", end.rows);
    let hint = moves.then(|| {
        let left = if was_suspended { "It was suspended before, and stays so there." } else { "It is suspended here." };
        format!("{left} Next, where it moves to: matterbook account import {file}")
    });
    let json = json!({"export": {"account": account, "file": file, "rows": end.rows, "digest": end.digest}});
    Ok(Shown { hint, ..Shown::new(json, text) })
}

/// Writes all pages to a file, again from the start as long as the account changes meanwhile.
fn write_whole(operator: &Operator, account: &str, path: &Path, suspended: Option<bool>) -> Result<End, Failure> {
    for _ in 0..ATTEMPTS_MAX {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(path, &error)),
            _ => {}
        }
        let file = owners_only().write(true).create_new(true).open(path).map_err(|error| failed(path, &error))?;
        if let Some(end) = write(operator, account, path, file, suspended)? {
            return Ok(end);
        }
        terminal::print_wrapped("The account changed meanwhile, so the export begins again.");
    }
    Err(Failure::refused(
        "The account keeps changing while it is read. Export it at a quieter time, or suspend it first, as --move does.",
    ))
}

/// `None` if the account changed between two pages.
fn write(
    operator: &Operator,
    account: &str,
    path: &Path,
    file: File,
    suspended: Option<bool>,
) -> Result<Option<End>, Failure> {
    let progress = Progress::new("Reading".to_owned(), None, false);
    let mut output = BufWriter::new(file);
    let call = Call::get(&["accounts", account, "export"]);
    let mut page = repeated(operator, &call, &call)?;
    let version = page["export"]["version"].clone();
    let mut head = page["export"]["head"].take();
    if let Some(suspended) = suspended {
        head["is_suspended"] = suspended.into();
    }
    let head = head.to_string();
    let mut digest = TransferDigest::of_head(&head);
    writeln!(output, "{head}").map_err(|error| failed(path, &error))?;
    let mut rows = 0;
    loop {
        if page["export"]["version"] != version {
            return Ok(None);
        }
        for row in page["export"]["rows"].as_array().into_iter().flatten() {
            let row = row.to_string();
            digest = digest.and_row(&row);
            writeln!(output, "{row}").map_err(|error| failed(path, &error))?;
            rows += 1;
        }
        progress.rows(rows.into(), "");
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        let next = call.clone().with("cursor", cursor);
        page = repeated(operator, &next, &next)?;
    }
    // What changed while the last page was read shows in one more.
    if repeated(operator, &call, &call)?["export"]["version"] != version {
        return Ok(None);
    }
    let end = End { rows, digest: digest.to_text() };
    let last = serde_json::to_value(&end).unwrap_or(Value::Null);
    let finished = writeln!(output, "{last}").and_then(|()| output.flush()).and_then(|()| output.get_ref().sync_all());
    finished.map_err(|error| failed(path, &error))?;
    Ok(Some(end))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::refused(format!("{} cannot be written: {error}.", path.display()))
}
