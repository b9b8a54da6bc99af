//! Fills a database quickly while the service does not run, with the rows that posts two hours ago would
//! have stored. The rules are those of the core, the tables those of the service.

use std::{path::Path, sync::mpsc::sync_channel, time::SystemTime};

use matterbook_core::time::Timestamp;
use matterbook_store_sql::columns::{CLIENT_FIELDS, PROSPECT_FIELDS};
use rusqlite::{Connection, params, types::Value};

use crate::{
    Outcome,
    clients::{BATCH_ROWS, Work, body_of, client},
    floor::{BareBatch, Way, client_rows, post_batches},
    prospects::prospect,
    service::Account,
};

/// Batches that are prepared ahead of the saved ones.
const BATCHES_AHEAD: usize = 8;

/// The age of the last row. The lists hide younger rows.
const AGE_SECONDS: i64 = 2 * 60 * 60;

/// Inserts clients 0 to `count` into the accounts in turn, at most 500 in each transaction.
///
/// # Errors
/// When SQLite fails.
pub fn fill_clients(database: &Path, accounts: &[Account], count: usize) -> Outcome<()> {
    let connection = open(database)?;
    let numbers = accounts.iter().map(|account| number(&connection, account)).collect::<Outcome<Vec<_>>>()?;
    let at_once = (count / numbers.len()).clamp(1, BATCH_ROWS);
    let last_at = now()?.plus_seconds(-AGE_SECONDS).micros();
    let (sender, receiver) = sync_channel(BATCHES_AHEAD);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for (place, first) in (0..count).step_by(at_once).enumerate() {
                let rows = first..count.min(first + at_once);
                let at = Timestamp::from_micros(last_at - i64::try_from(count - first).unwrap_or(0));
                let rows = client_rows(&body_of(rows.map(|index| client(index, Work::First))), at);
                let batch = rows.map(|rows| BareBatch { account: numbers[place % numbers.len()], at, rows });
                if sender.send(batch).is_err() {
                    return;
                }
            }
        });
        // An error drops the receiver: the thread would otherwise wait for room in it, and the scope for the thread.
        receiver.into_iter().try_for_each(|batch| save(&connection, batch?))
    })?;
    close(&connection)
}

/// Inserts so many prospects. A thousand of them are in the counties of
/// [`OPEN_COUNTIES`](crate::prospects::OPEN_COUNTIES).
///
/// # Errors
/// When SQLite fails.
pub fn fill_prospects(database: &Path, count: usize) -> Outcome<()> {
    let connection = open(database)?;
    let fields = PROSPECT_FIELDS.join(", ");
    let places: Vec<_> = (1..=PROSPECT_FIELDS.len() + 3).map(|place| format!("?{place}")).collect();
    let text = format!("insert into prospects ({fields}, id, crash_year, added_at) values ({})", places.join(", "));
    let last_at = now()?.plus_seconds(-AGE_SECONDS).micros();
    connection.execute_batch("begin immediate")?;
    let mut insert = connection.prepare(&text)?;
    for index in 0..count {
        let at = last_at - i64::try_from(count - index)?;
        insert.execute(rusqlite::params_from_iter(prospect(index, count, at)))?;
    }
    connection.execute("update prospect_clock set last_change_at = ?1", [last_at])?;
    connection.execute_batch("commit")?;
    close(&connection)
}

fn save(connection: &Connection, batch: BareBatch) -> Outcome<()> {
    let settled_on = CLIENT_FIELDS.iter().position(|field| *field == "settled_on").unwrap_or_default();
    post_batches(connection, std::slice::from_ref(&batch), Way::Insert)?;
    let mut settle = connection.prepare_cached(
        "insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) \
         values (?1, ?2, ?2, ?3, '[]', ?4, ?4)",
    )?;
    for row in batch.rows.iter().filter(|row| row.fields[settled_on] != Value::Null) {
        settle.execute(params![batch.account, row.id.as_bytes(), row.fields[settled_on], batch.at.micros()])?;
    }
    let mut commit = connection.prepare_cached("update accounts set last_commit_at = ?2 where id = ?1")?;
    commit.execute(params![batch.account, batch.at.micros()])?;
    Ok(())
}

/// The number of an account.
fn number(connection: &Connection, account: &Account) -> Outcome<i64> {
    let text = "select id from accounts where public_id = unhex(?1, '-')";
    Ok(connection.query_row(text, [&account.id], |row| row.get(0))?)
}

fn open(database: &Path) -> Outcome<Connection> {
    let connection = Connection::open(database)?;
    // Durability is not needed: after a crash, the file is filled again.
    connection.pragma_update(None, "synchronous", "off")?;
    connection.pragma_update(None, "wal_autocheckpoint", 32_768)?;
    connection.pragma_update(None, "cache_size", -256 * 1_024)?;
    Ok(connection)
}

/// Checkpoints and syncs the file, so that no measurement includes it.
fn close(connection: &Connection) -> Outcome<()> {
    connection.pragma_update(None, "synchronous", "full")?;
    Ok(connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))?)
}

fn now() -> Outcome<Timestamp> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    Ok(Timestamp::from_micros(i64::try_from(since.as_micros())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `--against` a program of other tables, the benchmark waited for ever and named no error.
    #[test]
    fn a_database_with_other_tables_is_an_error() {
        let directory = tempfile::tempdir().expect("a directory");
        let database = directory.path().join("other.db");
        let id = "01900000-0000-7000-8000-000000000001";
        let connection = Connection::open(&database).expect("a database");
        connection.execute_batch("create table accounts (id integer primary key, public_id blob)").expect("a table");
        connection.execute("insert into accounts values (1, unhex(?1, '-'))", [id]).expect("a row");
        let account = Account { id: id.to_owned(), key: String::new(), key_id: String::new() };
        let outcome = fill_clients(&database, &[account], 2 * BATCHES_AHEAD * BATCH_ROWS);
        assert!(outcome.expect_err("no table of clients").to_string().contains("clients"));
    }
}
