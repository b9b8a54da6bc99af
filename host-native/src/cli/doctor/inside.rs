//! The database's content: integrity, schema version, and clock.

use std::path::Path;

use matterbook_core::{platform::Platform as _, time::Timestamp};
use matterbook_store_sql::{
    examine::{DANGLING, LAST_COMMIT_AT, QUICK, WHOLE},
    migrations::{CURRENT_NUMBER, MIGRATIONS},
};
use rusqlite::Connection;

use super::finding::{Finding, count};
use crate::{database::open_to_examine, platform::SystemPlatform, private_file::with_suffix};

const RESTORE: &str = "Stop the service, keep a copy of the files, and restore the last backup.";
/// The integrity check stops after this many faults.
const FAULTS_MAX: usize = 10;
/// A normal difference between the clocks of two machines.
const CLOCK_SECONDS_MAX: i64 = 5;

pub(super) fn examine(database: &Path, is_quick: bool, findings: &mut Vec<Finding>) {
    let has_log = with_suffix(database, "-wal").metadata().is_ok_and(|metadata| metadata.len() > 0);
    let is_log_read = has_log && with_suffix(database, "-shm").exists();
    if has_log && !is_log_read {
        let message = "There is a write-ahead log without its -shm file, as after a copy: what follows leaves it out.";
        findings.push(Finding::warn("log", message, "The next start reads the log and makes the file."));
    }
    let connection = match open_to_examine(database, is_log_read) {
        Ok(connection) => connection,
        Err(error) => return findings.push(Finding::wrong("contents", error.to_string(), RESTORE)),
    };
    let is_ours = schema(&connection, findings);
    findings.push(whole(&connection, is_quick));
    if is_ours {
        findings.push(references(&connection));
        findings.extend(clock(&connection, SystemPlatform::default().now()));
    }
}

/// Checks whether it is a database of this program. `false` if it is none at all.
fn schema(connection: &Connection, findings: &mut Vec<Finding>) -> bool {
    let known = MIGRATIONS.last().map_or(0, |migration| migration.number);
    let number = match connection.table_exists(None, "schema_migrations") {
        Ok(true) => connection.query_row(CURRENT_NUMBER, [], |row| row.get::<_, Option<u32>>(0)),
        Ok(false) => {
            let fix = "Name the right file by --db or MATTERBOOK_DB.";
            findings.push(Finding::wrong("schema", "It is a database of another program.", fix));
            return false;
        }
        Err(error) => Err(error),
    };
    let found = match number {
        Ok(number) => number.unwrap_or(0),
        Err(error) => {
            findings.push(Finding::wrong("schema", format!("It cannot be read: {error}."), RESTORE));
            return false;
        }
    };
    findings.push(if found > known {
        let message = format!("It is of a newer Matterbook (schema {found}; this one knows up to {known}).");
        Finding::wrong("schema", message, "Run that version, or restore a backup from before it.")
    } else if found < known {
        let message = format!("It is of an older Matterbook (schema {found}; this one has {known}).");
        Finding::warn("schema", message, "Make a backup; the next start brings it up to date.")
    } else {
        Finding::ok("schema", format!("It is schema {found}, this program's."))
    });
    found > 0
}

fn whole(connection: &Connection, is_quick: bool) -> Finding {
    let query = if is_quick { QUICK } else { WHOLE };
    let faults = connection.prepare(query).and_then(|mut statement| {
        statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
    });
    match faults.as_deref() {
        Ok([only]) if only == "ok" => {
            let what = if is_quick {
                "Its pages are whole; indexes were not compared."
            } else {
                "Every page, row and index is whole."
            };
            Finding::ok("integrity", what)
        }
        Ok(faults) => {
            let first = faults.first().map_or("", String::as_str);
            let or_more = if faults.len() >= FAULTS_MAX { " or more" } else { "" };
            let message = format!("{}{or_more}, the first: {first}.", count(faults.len(), "fault", "faults"));
            Finding::wrong("integrity", message.replace('\n', " "), RESTORE)
        }
        Err(error) => Finding::wrong("integrity", format!("It cannot be read: {error}."), RESTORE),
    }
}

fn references(connection: &Connection) -> Finding {
    let tables = connection.prepare(DANGLING).and_then(|mut statement| {
        let rows =
            statement.query_map([], |row| Ok(format!("{} ({})", row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
        rows.collect::<Result<Vec<_>, _>>()
    });
    match tables {
        Ok(tables) if tables.is_empty() => Finding::ok("references", "Every row's references lead to a row."),
        Ok(tables) => {
            let message = format!("Rows refer to what is not there: {}.", tables.join(", "));
            Finding::wrong("references", message, RESTORE)
        }
        Err(error) => Finding::wrong("references", format!("They cannot be read: {error}."), RESTORE),
    }
}

/// Checks that the clock is not behind the last commit. The file cannot show whether the clock is ahead.
fn clock(connection: &Connection, now: Timestamp) -> Option<Finding> {
    let last = match connection.query_row(LAST_COMMIT_AT, [], |row| row.get::<_, Option<i64>>(0)) {
        Ok(last) => Timestamp::from_micros(last?),
        Err(error) => {
            return Some(Finding::wrong("clock", format!("The last commit cannot be read: {error}."), RESTORE));
        }
    };
    if last > now.plus_seconds(CLOCK_SECONDS_MAX) {
        let message = format!("It says {now}, before the last commit of {last}: changes would be hidden until then.");
        let fix = "Set the machine's clock by NTP (timedatectl set-ntp true). Where the commit's time is the wrong one, \
                    its clients appear when that time has come.";
        return Some(Finding::wrong("clock", message, fix));
    }
    Some(Finding::ok("clock", format!("It says {now}; the last commit was at {last}.")))
}
