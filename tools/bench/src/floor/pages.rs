//! The raw read of a page: steps through its rows and reads every column.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::tables::{BEFORE_LAST_PAGE, READ_PAGE};
use crate::Outcome;

/// A page of an account's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Page {
    /// The first hundred clients.
    First,
    /// The last hundred.
    Last,
}

/// The place after which a page begins.
pub(super) fn place_of(connection: &Connection, account: i64, page: Page) -> Outcome<(i64, Vec<u8>)> {
    match page {
        Page::First => Ok((0, Vec::new())),
        Page::Last => Ok(connection.query_row(BEFORE_LAST_PAGE, [account], |row| Ok((row.get(0)?, row.get(1)?)))?),
    }
}

/// Reads a page so many times.
pub(super) fn read_pages(connection: &Connection, account: i64, place: &(i64, Vec<u8>), times: usize) -> Outcome<()> {
    let mut statement = connection.prepare(&READ_PAGE)?;
    let columns = statement.column_count();
    for _ in 0..times {
        let mut found = statement.query((account, place.0, &place.1))?;
        let mut count = 0;
        while let Some(row) = found.next()? {
            for column in 0..columns {
                std::hint::black_box(row.get_ref(column)?);
            }
            count += 1;
        }
        if count != 100 {
            return Err(format!("a page of {count} rows was read").into());
        }
    }
    Ok(())
}
