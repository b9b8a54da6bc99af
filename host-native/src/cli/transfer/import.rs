//! `matterbook account import FILE`

use std::path::Path;

use serde_json::{Value, json};

use super::{file::AccountFile, repeated};
use crate::cli::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    progress::Progress,
};

/// How many rows, and about how many bytes, one request has.
const ROWS_MAX: usize = 500;
const BYTES_MAX: usize = 400_000;

/// Imports the account of a file, or goes on where an earlier import of the file ended.
pub(in crate::cli) fn import(operator: &Operator, path: &Path, revoke_keys: bool) -> Result<Shown, Failure> {
    let mut file = AccountFile::open(path).map_err(Failure::refused)?;
    let account = file.account.to_string();
    let AccountFile { head, end, .. } = &file;
    let begin = format!(
        "{{\"head\":{head},\"row_count\":{},\"digest\":\"{}\",\"revoke_keys\":{revoke_keys}}}",
        end.rows, end.digest
    );
    let begin = Call::put_text(&["accounts", &account, "import"], begin);
    let progress = Progress::new("Sending".to_owned(), Some(file.end.rows.into()), false);
    let mut state = repeated(operator, &begin, &begin).map_err(going_on)?;
    progress.go_on_from(received(&state));
    // How many rows of the file are read.
    let mut read = 0;
    while state["import"]["is_done"] != true {
        let from = received(&state);
        if from < read {
            file = AccountFile::open(path).map_err(Failure::refused)?;
            read = 0;
        }
        while read < from {
            next_row(&mut file)?;
            read += 1;
        }
        let (mut rows, mut count) = (String::new(), 0);
        while count < ROWS_MAX && rows.len() < BYTES_MAX && read < u64::from(file.end.rows) {
            if count > 0 {
                rows.push(',');
            }
            rows.push_str(&next_row(&mut file)?);
            (read, count) = (read + 1, count + 1);
        }
        let body = format!("{{\"from\":{from},\"rows\":[{rows}]}}");
        state =
            repeated(operator, &Call::post_text(&["accounts", &account, "import"], body), &begin).map_err(going_on)?;
        progress.rows(received(&state), "");
    }
    let is_suspended = operator.send(Call::get(&["accounts", &account]))?["account"]["suspended"] == true;
    let text = format!("Account {account} is imported: {} rows.\n", file.end.rows);
    let hint = is_suspended.then(|| {
        format!("It is suspended, as it was. To end that: matterbook account set {account} --suspended false")
    });
    Ok(Shown { hint, ..Shown::new(json!({"import": state["import"]}), text) })
}

fn next_row(file: &mut AccountFile) -> Result<String, Failure> {
    let row = file.row().map_err(Failure::refused)?;
    row.ok_or_else(|| Failure::refused("The file became shorter while it was read."))
}

fn received(state: &Value) -> u64 {
    state["import"]["received_rows"].as_u64().unwrap_or_default()
}

/// A failure with what to do about it.
fn going_on(failure: Failure) -> Failure {
    match failure {
        Failure::Refused(sentence) => Failure::Refused(format!(
            "{sentence} What is imported already is kept: after an interruption the same command goes on from there."
        )),
        usage @ Failure::Usage(_) => usage,
    }
}
