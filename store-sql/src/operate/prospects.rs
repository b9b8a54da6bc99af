//! Imports of prospects, and their erasure (S12).

use foldhash::{HashMap, HashMapExt as _};
use matterbook_core::{
    SmolStr, order,
    prospect::ProspectFields,
    store::{ImportOutcome, LogEntry, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    command::{Command, CommandResult},
    write::{Concerns, Write, log},
};
use crate::{
    bind,
    columns::PROSPECT_FIELDS,
    commit::ATTEMPTS_MAX,
    driver::{Driver, DriverError, Statement, Value},
    prospect_row, queries,
    read::{ResultSets, unexpected},
};

/// Imports in order: a `source_id` that appears twice is created, then updated.
pub(super) async fn import<D: Driver>(command: &Command<'_, D>, prospects: &[(Uuid, ProspectFields)]) -> CommandResult {
    let lookup = Lookup::of(prospects);
    let mut attempt = 0;
    loop {
        attempt += 1;
        let stored = lookup.read(&mut command.read(&lookup.batch).await?)?;
        let read_at = stored.read_at;
        let (outcomes, planned) = plan(prospects, stored);
        let mut batch = Vec::new();
        if command.has_concurrent_writers() {
            batch.push(queries::GUARD_IMPORT.bind([("read_at", read_at.into())]));
        }
        batch.extend(writes(planned, command.entry));
        batch.extend(log(command.entry, Concerns::Nobody));
        match command.apply(&batch).await {
            Ok(_) => return Ok(OperatorAnswer::Imported(outcomes)),
            Err(DriverError::Constraint(cause)) if command.has_concurrent_writers() => {
                if attempt >= ATTEMPTS_MAX || !command.driver.back_off(attempt).await {
                    return Err(StoreError::Contended { cause }.into());
                }
            }
            Err(error) => return Err(command.write_error(error)),
        }
    }
}

pub(super) async fn erase<D: Driver>(command: &Command<'_, D>, prospect: Uuid) -> CommandResult {
    let names = || [("prospect", bind::id(prospect))];
    let require = queries::REQUIRE_PROSPECT.bind(names());
    let erase = vec![
        queries::BEGIN_REMOVAL.bind([("now", bind::time(command.entry.at))]),
        queries::INSERT_PROSPECT_TOMBSTONE.bind(names()),
        queries::DELETE_PROSPECT.bind(names()),
    ];
    Write::new(Concerns::Nobody, erase).require(require, Refusal::NoProspect).run(command).await?;
    Ok(OperatorAnswer::Erased)
}

/// The stored prospects that an import may change.
struct StoredProspects {
    read_at: i64,
    known: HashMap<SmolStr, (Uuid, ProspectFields)>,
    /// In ascending order.
    erased: Vec<SmolStr>,
}

/// The statements that read [`StoredProspects`].
struct Lookup {
    batch: Vec<Statement>,
    /// How many of the statements, after the first, read known prospects; the others read erased ones.
    known_count: usize,
}

impl Lookup {
    fn of(prospects: &[(Uuid, ProspectFields)]) -> Self {
        let source_ids = order::distinct(prospects.iter().map(|(_, fields)| fields.source_id.as_str()));
        let rows = || source_ids.iter().map(|source_id| [Value::from(*source_id)]);
        let known = queries::KNOWN_PROSPECTS.bind_rows(&["source_id"], rows());
        let known_count = known.len();
        let erased = queries::ERASED_SOURCES.bind_rows(&["source_id"], rows());
        Self { batch: [vec![queries::PROSPECT_CLOCK.bind([])], known, erased].concat(), known_count }
    }

    fn read(&self, results: &mut ResultSets) -> Result<StoredProspects, StoreError> {
        let read_at = results.row().ok_or_else(|| unexpected("the clock of the prospects"))?.integer()?;
        let mut known = HashMap::new();
        for mut row in results.rows_of(self.known_count) {
            let prospect = prospect_row::read(&mut row)?;
            known.insert(prospect.fields.source_id.clone(), (prospect.id, prospect.fields));
        }
        let erased = results.rows_of(self.batch.len()).map(|mut row| row.text()).collect::<Result<Vec<_>, _>>()?;
        Ok(StoredProspects { read_at, known, erased: order::distinct(erased) })
    }
}

/// One prospect to write.
struct Planned {
    id: Uuid,
    /// The stored fields; `None` for a new prospect.
    before: Option<ProspectFields>,
    after: ProspectFields,
}

/// The outcome of each prospect, and what to write, each `source_id` once.
fn plan(prospects: &[(Uuid, ProspectFields)], mut stored: StoredProspects) -> (Vec<ImportOutcome>, Vec<Planned>) {
    let mut planned: Vec<Planned> = Vec::new();
    let mut planned_by_source: HashMap<&str, usize> = HashMap::new();
    let mut outcomes = Vec::new();
    for (id, given) in prospects {
        let source_id = given.source_id.as_str();
        if stored.erased.binary_search_by(|erased| erased.as_str().cmp(source_id)).is_ok() {
            outcomes.push(ImportOutcome::Erased);
        } else if let Some(earlier) = planned_by_source.get(source_id).and_then(|index| planned.get_mut(*index)) {
            earlier.after = std::mem::take(&mut earlier.after).merged_with(given.clone());
            outcomes.push(ImportOutcome::Updated(earlier.id));
        } else {
            planned_by_source.insert(source_id, planned.len());
            if let Some((id, known)) = stored.known.remove(source_id) {
                let after = known.clone().merged_with(given.clone());
                planned.push(Planned { id, before: Some(known), after });
                outcomes.push(ImportOutcome::Updated(id));
            } else {
                planned.push(Planned { id: *id, before: None, after: given.clone() });
                outcomes.push(ImportOutcome::Created(*id));
            }
        }
    }
    (outcomes, planned)
}

/// The statements that write the differences; none when there are none.
fn writes(planned: Vec<Planned>, entry: &LogEntry) -> Vec<Statement> {
    let mut created = Vec::new();
    let mut moved = Vec::new();
    let mut updated = Vec::new();
    for Planned { id, before, after } in planned {
        let mut row = vec![bind::id(id), prospect_row::crash_year(&after)];
        let Some(before) = before else {
            row.extend(prospect_row::values(after));
            created.push(row);
            continue;
        };
        if before == after {
            continue;
        }
        if (before.crash_date, &before.crash_county_fips) != (after.crash_date, &after.crash_county_fips) {
            moved.push(
                [row.clone(), vec![bind::date(after.crash_date), after.crash_county_fips.as_str().into()]].concat(),
            );
        }
        row.extend(prospect_row::values(after));
        updated.push(row);
    }
    let names = [&["id", "crash_year"], PROSPECT_FIELDS].concat();
    let moved_names = ["id", "crash_year", "crash_date", "crash_county_fips"];
    let begin = if moved.is_empty() { &queries::BEGIN_IMPORT } else { &queries::BEGIN_REMOVAL };
    let statements = [
        queries::CREATE_PROSPECTS.bind_rows(&names, created),
        queries::UPDATE_PROSPECTS.bind_rows(&names, updated),
        queries::MOVE_PROSPECTS.bind_rows(&moved_names, moved),
    ]
    .concat();
    let begin = begin.bind([("now", bind::time(entry.at))]);
    if statements.is_empty() { statements } else { [vec![begin], statements].concat() }
}
