//! The import of an account: its begin, its rows, its discard (rules O32 to O36).

use matterbook_core::store::{AccountImport, AccountImportState, ExportHead, OperatorAnswer, Refusal, TransferDigest};
use smol_str::SmolStr;
use uuid::Uuid;

use super::{
    export::columns,
    tables::{Kind, TABLES, Table},
};
use crate::{
    bind,
    driver::{Driver, DriverError, Statement, Value, unpack},
    operate::{
        command::{Command, CommandError, CommandResult},
        write::{Concerns, log},
    },
    queries,
    read::{ResultSets, unexpected},
};

/// How many rows of a table one request of a discard deletes at most.
const DISCARDED_ROWS: u32 = 500;

/// How many statements insert the rows of one request at most. Rows of one table need one statement, or several if they
/// are large. The request has eight more statements, and two to find out why it failed: fewer than 20 (decision 0011).
const INSERTS_MAX: usize = 9;

/// An import as it is stored.
struct Stored {
    state: AccountImportState,
    received_digest: SmolStr,
    revokes_keys: bool,
}

/// What is known of an account that may be an import.
enum Found {
    /// There is no such account.
    Nothing,
    /// It was made here.
    Own,
    Import(Stored),
}

pub(in crate::operate) async fn begin<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    import: &AccountImport,
) -> CommandResult {
    match find(command, account).await? {
        Found::Import(Stored { state, .. }) if state.digest == import.digest && state.received_rows > 0 => {
            return Ok(OperatorAnswer::AccountImport(state));
        }
        Found::Nothing => {}
        Found::Import(Stored { state, .. }) if state.received_rows == 0 => {}
        Found::Own | Found::Import(_) => return Err(Refusal::AccountExists.into()),
    }
    let AccountImport { head, head_digest, digest, row_count, key_secrets, revokes_keys } = import;
    let create = account_row(account, head)?;
    let begin = queries::BEGIN_ACCOUNT_IMPORT.bind([
        ("account", bind::id(account)),
        ("digest", digest.to_text().into()),
        ("row_count", (*row_count).into()),
        ("received_digest", head_digest.to_text().into()),
        ("is_suspended", head.is_suspended.into()),
        ("revokes_keys", (*revokes_keys).into()),
    ]);
    let secrets =
        key_secrets.iter().map(|secret| queries::RECORD_KEY_SECRET.bind([("secret", secret.as_str().into())]));
    let mut batch = vec![create, begin];
    batch.extend(secrets);
    batch.extend(log(command.entry, Concerns::Account(account)));
    match command.apply(&batch).await {
        // The account is the first that is written, so nothing is where it is refused.
        Err(DriverError::Constraint(_)) => Err(Refusal::NumberTaken.into()),
        Err(error) => Err(command.write_error(error)),
        Ok(_) => answer(find(command, account).await?),
    }
}

pub(in crate::operate) async fn rows<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    from: i64,
    rows: &[String],
) -> CommandResult {
    let Found::Import(Stored { mut state, received_digest, revokes_keys }) = find(command, account).await? else {
        return Err(Refusal::NoAccountImport.into());
    };
    if received_digest.is_empty() {
        return Err(Refusal::Discarding.into());
    }
    if state.is_done || state.received_rows != from {
        return Ok(OperatorAnswer::AccountImport(state));
    }
    let values = unpack(&format!("[{}]", rows.join(","))).map_err(|_| Refusal::MalformedRow)?;
    let taken = taken(account, &values);
    let revoked_at = revokes_keys.then(|| bind::time(command.entry.at));
    let mut inserts = inserts(account, values, revoked_at.as_ref())?;
    inserts.truncate(INSERTS_MAX);
    let rows = rows.get(..inserts.iter().map(|statement| statement.rows().len()).sum()).unwrap_or(rows);
    let received_rows = from + i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let is_last = received_rows == state.row_count;
    let digest = TransferDigest::parse(&received_digest).ok_or_else(|| unexpected("a digest"))?;
    let digest = rows.iter().fold(digest, |digest, row| digest.and_row(row));
    if received_rows > state.row_count {
        return Err(Refusal::MalformedRow.into());
    }
    if is_last && digest != state.digest {
        return Err(Refusal::OtherDigest.into());
    }
    let id = || ("account", bind::id(account));
    let mut batch = vec![queries::REQUIRE_ACCOUNT_IMPORT.bind([
        id(),
        ("received_rows", from.into()),
        ("received_digest", received_digest.into()),
    ])];
    batch.extend(inserts);
    batch.push(queries::ADVANCE_ACCOUNT_IMPORT.bind([
        id(),
        ("received_rows", received_rows.into()),
        ("received_digest", digest.to_text().into()),
    ]));
    if is_last {
        batch.push(queries::END_ACCOUNT_IMPORT.bind([id(), ("at", bind::time(command.entry.at))]));
        batch.push(queries::OPEN_IMPORTED_ACCOUNT.bind([id()]));
        batch.extend(log(command.entry, Concerns::Account(account)));
    }
    // Before anything is written: a refusal rolls nothing back.
    let refusal = if is_taken(command, taken.as_slice()).await? {
        Refusal::RowTaken.into()
    } else {
        match command.driver.run(&batch).await {
            Ok(_) => {
                (state.received_rows, state.is_done) = (received_rows, is_last);
                return Ok(OperatorAnswer::AccountImport(state));
            }
            Err(error) if !command.has_concurrent_writers() => return Err(command.write_error(error)),
            // Another account may have got an id since this one looked.
            Err(DriverError::Constraint(_)) if is_taken(command, taken.as_slice()).await? => Refusal::RowTaken.into(),
            Err(error) => command.write_error(error),
        }
    };
    // The same request may have been faster: then this tells how far it came.
    match find(command, account).await {
        Ok(Found::Import(now)) if now.state.received_rows != from => Ok(OperatorAnswer::AccountImport(now.state)),
        _ => Err(refusal),
    }
}

pub(in crate::operate) async fn discard<D: Driver>(command: &Command<'_, D>, account: Uuid) -> CommandResult {
    let Found::Import(Stored { mut state, .. }) = find(command, account).await? else {
        return Err(Refusal::NoAccountImport.into());
    };
    if state.is_done {
        return Err(Refusal::ImportEnded.into());
    }
    let advance = |received_rows: i64| {
        let names =
            [("account", bind::id(account)), ("received_rows", received_rows.into()), ("received_digest", "".into())];
        queries::ADVANCE_ACCOUNT_IMPORT.bind(names)
    };
    // Before anything is deleted, so that no rows follow those that are gone.
    let batch = [vec![advance(state.received_rows)], log(command.entry, Concerns::Account(account))].concat();
    command.apply(&batch).await.map_err(|error| command.write_error(error))?;
    let mut deleted = 0;
    for discard in TABLES.iter().rev().filter_map(|table| table.discard.as_ref()) {
        let statement = discard.bind([("account", bind::id(account)), ("rows", DISCARDED_ROWS.into())]);
        deleted += ResultSets::of_write(command.driver, &[statement]).await?.rows().len();
        if deleted > 0 {
            break;
        }
    }
    state.received_rows = match i64::try_from(deleted).unwrap_or(i64::MAX) {
        0 => 0,
        deleted => (state.received_rows - deleted).max(1),
    };
    ResultSets::of_write(command.driver, &[advance(state.received_rows)]).await?;
    Ok(OperatorAnswer::AccountImport(state))
}

fn answer(found: Found) -> CommandResult {
    match found {
        Found::Import(stored) => Ok(OperatorAnswer::AccountImport(stored.state)),
        Found::Nothing | Found::Own => Err(Refusal::NoAccountImport.into()),
    }
}

async fn find<D: Driver>(command: &Command<'_, D>, account: Uuid) -> Result<Found, CommandError> {
    let mut results = command.read(&[queries::ACCOUNT_IMPORT.bind([("account", bind::id(account))])]).await?;
    let Some(mut row) = results.row() else { return Ok(Found::Nothing) };
    let Some(digest) = row.optional_text::<SmolStr>()? else { return Ok(Found::Own) };
    let digest = TransferDigest::parse(&digest).ok_or_else(|| unexpected("a digest"))?;
    let (row_count, received_rows, received_digest) = (row.integer()?, row.integer()?, row.text()?);
    let (_is_suspended, revokes_keys, is_done) = (row.flag()?, row.flag()?, row.flag()?);
    let state = AccountImportState { account, digest, row_count, received_rows, is_done };
    Ok(Found::Import(Stored { state, received_digest, revokes_keys }))
}

/// Creates the account of an export, suspended.
fn account_row(account: Uuid, head: &ExportHead) -> Result<Statement, CommandError> {
    let table = TABLES.first().filter(|_| has_own_columns(&head.tables)).ok_or(Refusal::OtherColumns)?;
    let row = unpack(&format!("[{}]", head.row)).ok().and_then(|mut rows| rows.pop()).ok_or(Refusal::MalformedRow)?;
    let mut values = table.read(row).ok_or(Refusal::MalformedRow)?;
    table.set(&mut values, "suspended", true.into());
    table.insert(account, [values]).pop().ok_or(CommandError::Refused(Refusal::MalformedRow))
}

/// Whether an export has the columns of this store.
fn has_own_columns(tables: &str) -> bool {
    // Names have no white space.
    tables.split_whitespace().collect::<String>() == columns()
}

/// The tables whose ids are those of no other account.
const WITH_IDS: [&str; 4] = ["logins", "api_keys", "passkeys", "imports"];

/// Looks whether the service has ids or digests of rows already; `None` where rows have none.
fn taken(account: Uuid, rows: &[Vec<Value>]) -> Option<Statement> {
    let (mut ids, mut digests, mut logins) = (Vec::new(), Vec::new(), Vec::new());
    for table in TABLES.iter().filter(|table| WITH_IDS.contains(&table.name)) {
        for row in rows.iter().filter(|row| row.first() == Some(&Value::from(table.name))) {
            for (column, value) in table.columns.iter().zip(row.iter().skip(1)) {
                let Value::Text(text) = value else { continue };
                match (column.name, column.kind) {
                    ("id" | "credential_id", _) => ids.push(text.as_str()),
                    // An import's is that of a file.
                    ("digest", _) if table.name == "api_keys" => digests.push(text.as_str()),
                    (_, Kind::Login) => logins.push(text.as_str()),
                    _ => {}
                }
            }
        }
    }
    let is_none = ids.is_empty() && digests.is_empty() && logins.is_empty();
    let lists = [("ids", bind::texts(ids)), ("digests", bind::texts(digests)), ("logins", bind::texts(logins))];
    let [ids, digests, logins] = lists.map(|(name, list)| (name, Value::from(list)));
    (!is_none).then(|| queries::TAKEN_ROWS.bind([ids, digests, logins, ("account", bind::id(account))]))
}

/// Whether the service has what these statements of [`taken`] look for.
async fn is_taken<D: Driver>(command: &Command<'_, D>, taken: &[Statement]) -> Result<bool, CommandError> {
    Ok(!taken.is_empty() && command.read(taken).await?.row().is_some())
}

/// Inserts rows in their order, those of one table that follow each other in one statement.
fn inserts(account: Uuid, rows: Vec<Vec<Value>>, revoked_at: Option<&Value>) -> Result<Vec<Statement>, CommandError> {
    let mut statements = Vec::new();
    let mut pending: Option<(&Table, Vec<Vec<Value>>)> = None;
    for row in rows {
        let table = TABLES.iter().skip(1).find(|table| row.first() == Some(&Value::from(table.name)));
        let table = table.ok_or(Refusal::MalformedRow)?;
        let mut values = table.read(row).ok_or(Refusal::MalformedRow)?;
        if let Some(at) = revoked_at.filter(|_| table.name == "api_keys") {
            table.set(&mut values, "revoked_at", at.clone());
        }
        match &mut pending {
            Some((same, values_of_table)) if same.name == table.name => values_of_table.push(values),
            _ => {
                let before = pending.replace((table, vec![values]));
                statements.extend(before.into_iter().flat_map(|(table, rows)| table.insert(account, rows)));
            }
        }
    }
    statements.extend(pending.into_iter().flat_map(|(table, rows)| table.insert(account, rows)));
    Ok(statements)
}

impl Table {
    /// The values of a row of the file; `None` if it is not one of this table.
    fn read(&self, row: Vec<Value>) -> Option<Vec<Value>> {
        if row.len() != self.columns.len() + 1 {
            return None;
        }
        let values = self.columns.iter().zip(row.into_iter().skip(1)).map(|(column, value)| {
            let value = column.kind.value(value)?;
            (column.is_optional || value != Value::Null).then_some(value)
        });
        values.collect()
    }

    /// Sets a value that is `NULL` or a flag.
    fn set(&self, values: &mut [Value], name: &str, value: Value) {
        let place = self.columns.iter().position(|column| column.name == name);
        if let Some(place) = place.and_then(|place| values.get_mut(place))
            && !matches!(place, Value::Integer(at) if *at > 1)
        {
            *place = value;
        }
    }

    fn insert(&'static self, account: Uuid, rows: impl IntoIterator<Item = Vec<Value>>) -> Vec<Statement> {
        let names: Vec<_> = std::iter::once("account").chain(self.columns.iter().map(|column| column.name)).collect();
        let rows = rows.into_iter().map(|values| std::iter::once(bind::id(account)).chain(values));
        self.import.bind_rows(&names, rows)
    }
}
