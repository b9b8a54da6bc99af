//! The schema, as migrations that are only ever added, never edited.
//!
//! Wrangler applies the files to D1 and keeps its own record. A native host applies what
//! [`pending`] names, each in a transaction that records it as well, so a database is never half
//! migrated.

/// One step of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Its place, from 1 on.
    pub number: u32,
    /// The name of its file, without number and ending.
    pub name: &'static str,
    /// Its statements, to be run as one script.
    pub sql: &'static str,
}

/// Every migration, in order.
pub const MIGRATIONS: &[Migration] = &[Migration {
    number: 1,
    name: "accounts_clients_prospects",
    sql: include_str!("../migrations/0001_accounts_clients_prospects.sql"),
}];

/// Makes the table in which a native host records what it applied.
pub const CREATE_RECORD: &str = "\
create table if not exists schema_migrations (
  -- Which migrations this database has had, and when, in microseconds since 1970.
  number integer primary key,
  name text not null,
  applied_at integer not null
) strict";

/// Reads the number of the last migration applied: one row, `NULL` when there is none.
pub const CURRENT_NUMBER: &str = "select max(number) from schema_migrations";

/// Records a migration: its number, its name, the time in microseconds.
pub const RECORD: &str = "insert into schema_migrations (number, name, applied_at) values (?1, ?2, ?3)";

/// The database was made by a newer program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The database has schema {found}, and this program knows schemas up to {known}. Run the newer program that made it."
)]
pub struct NewerSchema {
    /// What the database has.
    pub found: u32,
    /// The last that this program knows.
    pub known: u32,
}

/// The migrations that a database still needs.
///
/// # Errors
/// When the database was made by a newer program: it is not touched then.
///
/// ```
/// use matterbook_store_sql::migrations::{MIGRATIONS, pending};
/// assert_eq!(pending(None), Ok(MIGRATIONS));
/// assert!(pending(Some(1_000_000)).is_err());
/// ```
pub fn pending(current: Option<u32>) -> Result<&'static [Migration], NewerSchema> {
    pending_of(MIGRATIONS, current)
}

/// Like [`pending`], for a given list of migrations. Tests use it to apply a later migration.
///
/// # Errors
/// As [`pending`].
pub fn pending_of(migrations: &[Migration], current: Option<u32>) -> Result<&[Migration], NewerSchema> {
    let known = migrations.last().map_or(0, |migration| migration.number);
    let found = current.unwrap_or(0);
    if found > known {
        return Err(NewerSchema { found, known });
    }
    let applied = migrations.iter().take_while(|migration| migration.number <= found).count();
    Ok(migrations.get(applied..).unwrap_or_default())
}
