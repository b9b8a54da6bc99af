//! The bare loop: one thread, one connection, prepared statements, one transaction for each batch.

use matterbook_core::time::Timestamp;
use rusqlite::{Connection, Statement, types::Value};
use serde::{Deserialize, Serialize};

use super::{
    client_rows::ClientRow,
    tables::{
        CHANGE_BY_EXTERNAL_ID, CHANGE_BY_PERSON, INSERT_CLIENT, LOOK_UP_BY_EXTERNAL_ID, LOOK_UP_BY_PERSON,
        UPDATE_PERSON, UPSERT_CLIENT,
    },
};
use crate::Outcome;

/// What the loop does with each client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// Inserts it.
    Insert,
    /// Inserts it or updates every column of the known one, in one statement. Without external id, a client
    /// is found by name and place.
    Upsert,
    /// Updates only the columns of the known one that change.
    Change,
    /// Looks up the known one, which must be unchanged.
    LookUp,
}

/// Clients of one account, to be saved in one transaction.
pub struct BareBatch {
    /// The account's number.
    pub account: i64,
    /// The time of the commit.
    pub at: Timestamp,
    /// The clients.
    pub rows: Vec<ClientRow>,
}

/// Processes each batch in its own transaction.
///
/// # Errors
/// When SQLite fails, or an expected client is missing.
pub fn post_batches(connection: &Connection, batches: &[BareBatch], way: Way) -> Outcome<()> {
    let mut loops = Loops::prepare(connection, way)?;
    let mut begin = connection.prepare(if way == Way::LookUp { "begin" } else { "begin immediate" })?;
    let mut commit = connection.prepare("commit")?;
    for batch in batches {
        begin.execute([])?;
        let done = batch.rows.iter().map(|row| loops.perform(batch, row)).sum::<Outcome<usize>>()?;
        commit.execute([])?;
        if done != batch.rows.len() {
            return Err(format!("the bare loop did {done} of {} clients", batch.rows.len()).into());
        }
    }
    Ok(())
}

/// The statements of a way: for clients with an external id, for those without, and a third one when the
/// second finds no client.
struct Loops<'c> {
    way: Way,
    by_external_id: Statement<'c>,
    by_person: Statement<'c>,
    otherwise: Option<Statement<'c>>,
}

impl<'c> Loops<'c> {
    fn prepare(connection: &'c Connection, way: Way) -> Outcome<Self> {
        let (by_external_id, by_person, otherwise) = match way {
            Way::Insert => (&*INSERT_CLIENT, &*INSERT_CLIENT, None),
            Way::Upsert => (&*UPSERT_CLIENT, &*UPDATE_PERSON, Some(&*INSERT_CLIENT)),
            Way::Change => (&*CHANGE_BY_EXTERNAL_ID, &*CHANGE_BY_PERSON, None),
            Way::LookUp => (&LOOK_UP_BY_EXTERNAL_ID.to_owned(), &LOOK_UP_BY_PERSON.to_owned(), None),
        };
        Ok(Self {
            way,
            by_external_id: connection.prepare(by_external_id)?,
            by_person: connection.prepare(by_person)?,
            otherwise: otherwise.map(|text| connection.prepare(text)).transpose()?,
        })
    }

    /// The number of processed clients, which should be one.
    fn perform(&mut self, batch: &BareBatch, row: &ClientRow) -> Outcome<usize> {
        let external_id = row.fields.first().filter(|value| **value != Value::Null);
        if self.way == Way::LookUp {
            return match external_id {
                Some(external_id) => look_up(&mut self.by_external_id, batch, row, &[external_id]),
                None => {
                    let person = [&row.name_hash, &row.street_hash, &row.zip5, &row.unit_hash];
                    look_up(&mut self.by_person, batch, row, &person)
                }
            };
        }
        let statement = if external_id.is_some() { &mut self.by_external_id } else { &mut self.by_person };
        match (write(statement, batch, row)?, &mut self.otherwise) {
            (0, Some(otherwise)) => write(otherwise, batch, row),
            (done, _) => Ok(done),
        }
    }
}

fn look_up(statement: &mut Statement<'_>, batch: &BareBatch, row: &ClientRow, values: &[&Value]) -> Outcome<usize> {
    statement.raw_bind_parameter(1, batch.account)?;
    for (index, value) in (2..).zip(values) {
        statement.raw_bind_parameter(index, value)?;
    }
    let mut rows = statement.raw_query();
    let found = rows.next()?.ok_or("the bare loop found no client")?;
    Ok(usize::from(found.get_ref(0)?.as_blob()? == row.fingerprint))
}

fn write(statement: &mut Statement<'_>, batch: &BareBatch, row: &ClientRow) -> Outcome<usize> {
    statement.raw_bind_parameter(1, batch.account)?;
    statement.raw_bind_parameter(2, &row.id.as_bytes()[..])?;
    for (index, value) in (3..).zip(&row.fields) {
        statement.raw_bind_parameter(index, value)?;
    }
    statement.raw_bind_parameter(17, batch.at.micros())?;
    statement.raw_bind_parameter(18, &row.name_hash)?;
    statement.raw_bind_parameter(19, &row.street_hash)?;
    statement.raw_bind_parameter(20, &row.zip5)?;
    statement.raw_bind_parameter(21, &row.fingerprint[..])?;
    if statement.parameter_count() > 21 {
        statement.raw_bind_parameter(22, &row.unit_hash)?;
    }
    Ok(statement.raw_execute()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clients::{Bodies, Work},
        floor::{client_rows, schema::create_tables},
    };

    fn batch(bodies: Bodies, number: usize, at: i64) -> BareBatch {
        let at = Timestamp::from_micros(at);
        BareBatch { account: 1, at, rows: client_rows(&bodies.body(number), at).expect("rows") }
    }

    fn count(connection: &Connection, condition: &str) -> i64 {
        let text = format!("select count(*) from clients where {condition}");
        connection.query_row(&text, [], |row| row.get(0)).expect("a count")
    }

    #[test]
    fn each_way_does_what_it_says() {
        let connection = Connection::open_in_memory().expect("a database");
        create_tables(&connection).expect("the tables");
        let (first, changed) = (Bodies::Of(Work::First), Bodies::Of(Work::Changed));
        let run = |bodies, at, way| post_batches(&connection, &[batch(bodies, 0, at)], way);
        run(first, 1, Way::Insert).expect("new");
        assert_eq!(count(&connection, "updated_at = 1"), 500);
        run(first, 2, Way::LookUp).expect("unchanged");
        assert!(run(changed, 2, Way::LookUp).is_err(), "a changed client is not taken for an unchanged one");
        let _ = connection.execute_batch("rollback");
        run(changed, 3, Way::Change).expect("changed");
        run(changed, 4, Way::LookUp).expect("as they were sent");
        assert_eq!((count(&connection, "updated_at = 3"), count(&connection, "created_at = 1")), (500, 500));
        run(first, 5, Way::Upsert).expect("changed back");
        run(first, 6, Way::LookUp).expect("as they were sent");
        assert_eq!((count(&connection, "updated_at = 5"), count(&connection, "true")), (500, 500));
        run(Bodies::Sync { known: 500 }, 7, Way::Upsert).expect("some known, some new");
        assert_eq!((count(&connection, "updated_at = 7"), count(&connection, "true")), (500, 850));
    }
}
