//! Files that people send (S37): begin, list and end. Batches are changes ([`crate::change`]).

use matterbook_core::store::{
    ConsoleAnswer, ConsoleRefusal, IMPORTS_KEPT, ImportCounts, ImportRecord, NewImport, Position, StoreError,
};
use uuid::Uuid;

use super::{Answered, Asked, Denied};
use crate::{
    bind,
    driver::{Driver, Statement},
    operate::{
        command::{Command, CommandError},
        page,
        write::{Concerns, Write},
    },
    queries,
    read::{Row, unexpected},
};

pub(super) async fn begin<D: Driver>(command: &Command<'_, D>, asked: &Asked<'_, D>, new: &NewImport) -> Answered {
    let of_file = || queries::IMPORT_OF_FILE.bind([asked.account(), ("digest", new.digest.as_str().into())]);
    if let Some(open) = asked.read(vec![of_file()]).await?.row() {
        return Ok(ConsoleAnswer::Import(Box::new(import(open)?), false));
    }
    let begin = queries::BEGIN_FILE.bind([
        ("import", bind::id(new.id)),
        asked.account(),
        ("login", bind::id(asked.owner.login)),
        ("file_name", new.file_name.as_str().into()),
        ("digest", new.digest.as_str().into()),
        ("rows", new.rows.into()),
        ("mapping", new.mapping.as_str().into()),
        ("now", bind::time(asked.request.now)),
    ]);
    let forget = queries::FORGET_IMPORTS.bind([asked.account(), ("kept", IMPORTS_KEPT.into())]);
    let require = queries::REQUIRE_NEW_FILE.bind([asked.account(), ("digest", new.digest.as_str().into())]);
    let write = Write::new(Concerns::Account(asked.owner.account), vec![begin, forget])
        // Somebody began the same file since it was looked for: look again.
        .require(require, CommandError::SessionChanged)
        .then_read(vec![read_import(asked, new.id)]);
    one(write.run(command).await?.row(), true)
}

pub(super) async fn show<D: Driver>(asked: &Asked<'_, D>, id: Uuid) -> Answered {
    one(asked.read(vec![read_import(asked, id)]).await?.row(), false)
}

pub(super) async fn list<D: Driver>(asked: &Asked<'_, D>, before: Option<Position>, limit: u32) -> Answered {
    let (at, id) = bind::before(before);
    let names = [asked.account(), ("before_at", at), ("before_id", id), ("rows", (limit + 1).into())];
    let mut results = asked.read(vec![queries::IMPORTS_OF_ACCOUNT.bind(names)]).await?;
    let imports = results.rows().map(import).collect::<Result<Vec<_>, _>>()?;
    let (imports, next) = page(imports, limit, |import| Position { at: import.started_at, id: import.id });
    Ok(ConsoleAnswer::Imports(imports, next))
}

pub(super) async fn end<D: Driver>(command: &Command<'_, D>, asked: &Asked<'_, D>, id: Uuid) -> Answered {
    // An import of another account is none.
    show(asked, id).await?;
    let end = queries::END_IMPORT.bind([("import", bind::id(id)), ("now", bind::time(asked.request.now))]);
    let write = Write::new(Concerns::Account(asked.owner.account), vec![end]).then_read(vec![read_import(asked, id)]);
    one(write.run(command).await?.row(), false)
}

fn read_import<D>(asked: &Asked<'_, D>, id: Uuid) -> Statement {
    queries::IMPORT.bind([("account", bind::id(asked.owner.account)), ("import", bind::id(id))])
}

fn one(row: Option<Row>, is_new: bool) -> Answered {
    let row = row.ok_or(Denied::Refused(ConsoleRefusal::NoImport))?;
    Ok(ConsoleAnswer::Import(Box::new(import(row)?), is_new))
}

fn import(mut row: Row) -> Result<ImportRecord, StoreError> {
    let (id, email, file_name, digest) = (row.id()?, row.optional_text()?, row.text()?, row.text()?);
    let count = |row: &mut Row| u32::try_from(row.integer()?).map_err(|_| unexpected("a number of rows"));
    let (rows, mapping, sent_rows) = (count(&mut row)?, row.text()?, count(&mut row)?);
    let counts = ImportCounts {
        created: count(&mut row)?,
        updated: count(&mut row)?,
        unchanged: count(&mut row)?,
        refused: count(&mut row)?,
    };
    let (started_at, ended_at) = (row.time()?, row.optional_time()?);
    Ok(ImportRecord { id, email, file_name, digest, rows, mapping, sent_rows, counts, started_at, ended_at })
}
