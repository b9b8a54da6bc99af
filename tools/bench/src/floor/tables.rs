//! The statements of the bare loops. All writing ones bind the same 21 values: account, id, fourteen
//! fields, time, two hashes, ZIP, fingerprint. The hash of the unit is the 22nd of those that use it.

use std::sync::LazyLock;

use matterbook_store_sql::columns::{CLIENT_FIELDS, PLAIN_CLIENT_FIELDS};

/// Inserts a client.
pub static INSERT_CLIENT: LazyLock<String> = LazyLock::new(|| {
    let fields = CLIENT_FIELDS.join(", ");
    let places: Vec<_> = CLIENT_FIELDS.iter().map(|field| place(field)).collect();
    format!(
        "insert into clients (account_id, id, {fields}, created_at, updated_at, name_hash, street_hash, zip5, \
         fingerprint, unit_hash) values (?1, ?2, {}, ?17, ?17, ?18, ?19, ?20, ?21, ?22)",
        places.join(", ")
    )
});

/// Inserts a client or updates the one with its external id, in one statement.
pub(super) static UPSERT_CLIENT: LazyLock<String> = LazyLock::new(|| {
    let tail = ["updated_at", "name_hash", "street_hash", "zip5", "fingerprint", "unit_hash"];
    let columns = PLAIN_CLIENT_FIELDS.iter().chain(&tail);
    let assignments: Vec<_> = columns.map(|column| format!("{column} = excluded.{column}")).collect();
    format!(
        "{} on conflict (account_id, external_id) where external_id is not null do update set {}",
        *INSERT_CLIENT,
        assignments.join(", ")
    )
});

/// Updates the client of the same name and place.
pub(super) static UPDATE_PERSON: LazyLock<String> = LazyLock::new(|| {
    let assignments: Vec<_> = PLAIN_CLIENT_FIELDS.iter().map(|field| format!("{field} = {}", place(field))).collect();
    let assignments = assignments.join(", ");
    format!("update clients set {assignments}, updated_at = ?17, fingerprint = ?21 {BY_PERSON}")
});

/// Updates only the columns that [`Work::Changed`](crate::clients::Work) changes.
pub(super) static CHANGE_BY_EXTERNAL_ID: LazyLock<String> =
    LazyLock::new(|| format!("update clients {EXTERNAL_IDS} {} {BY_EXTERNAL_ID}", *CHANGES));
/// The same, by name and place.
pub(super) static CHANGE_BY_PERSON: LazyLock<String> =
    LazyLock::new(|| format!("update clients {} {BY_PERSON}", *CHANGES));

static CHANGES: LazyLock<String> = LazyLock::new(|| {
    let (phone, case_type) = (place("phone"), place("case_type"));
    format!("set phone = {phone}, case_type = {case_type}, updated_at = ?17, fingerprint = ?21")
});

// Without this name, SQLite would use the primary key.
const EXTERNAL_IDS: &str = "indexed by clients_by_external_id";
const BY_EXTERNAL_ID: &str = "where account_id = ?1 and external_id = ?3";
const BY_PERSON: &str = "where account_id = ?1 and id in ( \
     select id from clients indexed by clients_without_external_id \
     where account_id = ?1 and name_hash = ?18 and zip5 = ?20 and street_hash = ?19 \
     and (unit_hash <= 0 and ?22 <= 0 or abs(unit_hash) = abs(?22)) and external_id is null \
     union all select id from clients indexed by clients_with_external_id \
     where account_id = ?1 and name_hash = ?18 and zip5 = ?20 and street_hash = ?19 \
     and (unit_hash <= 0 and ?22 <= 0 or abs(unit_hash) = abs(?22)) and external_id is not null)";

/// The fingerprint of the client with an external id.
pub(super) const LOOK_UP_BY_EXTERNAL_ID: &str = "select fingerprint from clients indexed by clients_by_external_id \
     where account_id = ?1 and external_id = ?2";
/// The fingerprint of the client of a name and place.
pub(super) const LOOK_UP_BY_PERSON: &str = "select fingerprint from clients where account_id = ?1 and id in ( \
     select id from clients indexed by clients_without_external_id \
     where account_id = ?1 and name_hash = ?2 and zip5 = ?4 and street_hash = ?3 \
     and (unit_hash <= 0 and ?5 <= 0 or abs(unit_hash) = abs(?5)) and external_id is null \
     union all select id from clients indexed by clients_with_external_id \
     where account_id = ?1 and name_hash = ?2 and zip5 = ?4 and street_hash = ?3 \
     and (unit_hash <= 0 and ?5 <= 0 or abs(unit_hash) = abs(?5)) and external_id is not null)";

/// Reads a page of an account's clients after a place.
pub(super) static READ_PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select id, {}, created_at, updated_at from clients indexed by clients_by_update \
         where account_id = ?1 and (updated_at, id) > (?2, ?3) order by updated_at, id limit 100",
        CLIENT_FIELDS.join(", ")
    )
});

/// The place before the last hundred clients of an account.
pub(super) const BEFORE_LAST_PAGE: &str = "select updated_at, id from clients indexed by clients_by_update \
     where account_id = ?1 order by updated_at desc, id desc limit 1 offset 100";

/// The parameter of a client's field.
fn place(field: &str) -> String {
    let place = CLIENT_FIELDS.iter().position(|other| *other == field);
    format!("?{}", 3 + place.expect("a field of a client"))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::floor::schema::create_tables;

    #[test]
    fn every_statement_runs_on_the_services_tables() {
        let connection = Connection::open_in_memory().expect("a database");
        create_tables(&connection).expect("the tables");
        for text in [&*INSERT_CLIENT, &UPSERT_CLIENT, &UPDATE_PERSON, &CHANGE_BY_EXTERNAL_ID, &CHANGE_BY_PERSON] {
            let statement = connection.prepare(text).expect(text);
            assert!(matches!(statement.parameter_count(), 21 | 22), "{text}");
        }
        for text in [LOOK_UP_BY_EXTERNAL_ID, LOOK_UP_BY_PERSON, &READ_PAGE, BEFORE_LAST_PAGE] {
            connection.prepare(text).expect(text);
        }
    }
}
