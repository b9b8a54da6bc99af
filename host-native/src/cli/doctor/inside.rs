//! The database's content: integrity, schema version, and clock.

use std::{path::Path, time::Duration};

use matterbook_core::{key::KeySecrets, platform::Platform as _, time::Timestamp};
use matterbook_store_sql::{
    examine::{DANGLING, LAST_COMMIT_AT, QUICK, WHOLE},
    migrations::{CURRENT_NUMBER, MIGRATIONS},
};
use rusqlite::{Connection, OpenFlags};

use super::finding::{Finding, count};
use crate::{
    database::{DatabaseError, accounts_ahead, recorded_key_secrets},
    key_secret_file::{self, key_secret_file},
    platform::SystemPlatform,
    private_file::with_suffix,
};

const RESTORE: &str = "Stop the service, keep a copy of the files, and restore the last backup.";
const FROM_WHERE_IT_WAS: &str = "Bring the key secret along from where the database was: the file beside it whose name ends in .key-secret, or MATTERBOOK_KEY_SECRET.";
/// The integrity check stops after this many faults.
const FAULTS_MAX: usize = 10;
/// The usual difference between the clocks of two machines.
const CLOCK_SECONDS_MAX: i64 = 5;
/// How long a query waits for a service that recovers the log.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// The page cache of the connection.
const CACHE_KIB: i32 = 4 * 1_024;

pub(super) fn examine(database: &Path, is_quick: bool, given: Option<&KeySecrets>, findings: &mut Vec<Finding>) {
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
        findings.push(key_secret(database, given, &connection));
        let now = SystemPlatform::default().now();
        findings.extend(clock(&connection, now));
        findings.push(accounts_ahead_of(&connection, now));
    }
}

/// A connection that changes neither the database nor its `-wal` and `-shm` files.
///
/// With the log, it reads what every reader sees. Where a service has the database open, it uses the `-shm`
/// file; otherwise it indexes the log in its own memory. Without the log, it reads the file as immutable.
fn open_to_examine(path: &Path, is_log_read: bool) -> Result<Connection, DatabaseError> {
    let refused = |cause: String| DatabaseError::Open { path: path.to_owned(), cause };
    // The path as a URI has it (<https://www.sqlite.org/uri.html>).
    let text = path.to_str().ok_or_else(|| refused("its name is not UTF-8".to_owned()))?;
    let absolute = std::path::absolute(text).map_err(|error| refused(error.to_string()))?;
    let name = absolute.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let how = if is_log_read { "readonly_shm=1" } else { "immutable=1" };
    let access = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(format!("file:{name}?mode=ro&{how}"), access)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "query_only", true)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        Ok(connection)
    };
    open().map_err(|error| refused(error.to_string()))
}

/// Whether it is a database of this program. `false` where it is none at all.
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

/// Checks that the service would recognize the keys of the database.
fn key_secret(database: &Path, given: Option<&KeySecrets>, connection: &Connection) -> Finding {
    const CHECK: &str = "key secret";
    let recorded = match recorded_key_secrets(connection) {
        Ok(recorded) => recorded,
        Err(error) => return Finding::wrong(CHECK, format!("It cannot be compared: {error}."), RESTORE),
    };
    let file = key_secret_file(database);
    let secrets = match given.cloned().map_or_else(|| key_secret_file::read(&file), |given| Ok(Some(given))) {
        Ok(secrets) => secrets,
        Err(error) => return Finding::wrong(CHECK, error.to_string(), FROM_WHERE_IT_WAS),
    };
    match secrets {
        None if recorded.is_empty() => Finding::ok(CHECK, "There is none yet, and no key: the next start makes one."),
        None => {
            let message = format!("There is no file {}: no key would be recognized.", file.display());
            Finding::wrong(CHECK, message, FROM_WHERE_IT_WAS)
        }
        Some(secrets) if secrets.fit(&recorded) => Finding::ok(CHECK, "It is the one that the keys were made with."),
        Some(_) => {
            let message = "It is not the one that the keys were made with: every key would be refused.";
            Finding::wrong(CHECK, message, FROM_WHERE_IT_WAS)
        }
    }
}

/// Names the accounts whose times go on from a clock that was once far ahead (rule U19).
fn accounts_ahead_of(connection: &Connection, now: Timestamp) -> Finding {
    match accounts_ahead(connection, now) {
        Ok(accounts) if accounts.is_empty() => {
            Finding::ok("accounts", "No account's last commit is ahead of the clock.")
        }
        Ok(accounts) => {
            let list = accounts.iter().map(|(account, at)| format!("{account} ({at})")).collect::<Vec<_>>().join(", ");
            let fix = "Set the machine's clock by NTP (timedatectl set-ntp true). Each change of these accounts gets a \
                        time after its last one, so tell their firms that updated_at is ahead.";
            Finding::warn("accounts", format!("The last commit is far ahead of the clock in {list}."), fix)
        }
        Err(error) => Finding::wrong("accounts", format!("They cannot be read: {error}."), RESTORE),
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
