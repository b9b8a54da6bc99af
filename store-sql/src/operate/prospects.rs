//! Imports of prospects, and their erasure (S12).

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _, HashSet};
use matterbook_core::{
    SmolStr,
    order::distinct,
    prospect::ProspectFields,
    store::{ImportOutcome, LogEntry, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    Stop,
    step::{Step, Task},
    write::{Write, apply, failure, log},
};
use crate::{
    bind,
    columns::PROSPECT_FIELDS,
    commit::ATTEMPTS_MAX,
    driver::{DriverError, Isolation, Statement, Value},
    prospect_row, queries,
    read::{Results, unexpected},
};

/// Imports in order: a `source_id` that comes twice is created, then updated.
pub(super) fn import(prospects: Vec<(Uuid, ProspectFields)>) -> Step {
    attempt(Arc::new(prospects), 1)
}

fn attempt(prospects: Arc<Vec<(Uuid, ProspectFields)>>, number: u32) -> Step {
    let look = Look::at(&prospects);
    Step::run(look.batch.clone(), move |task, found| {
        let (outcomes, batch) = batch(&prospects, look.read(&mut found?)?, task);
        let applied = move |task: &Task, outcome| match outcome {
            Ok(_) => Ok(Step::Done(OperatorAnswer::Imported(outcomes))),
            Err(DriverError::Constraint(cause)) if task.isolation == Isolation::Batch => {
                let failure = Stop::from(StoreError::Contended { cause });
                if number >= ATTEMPTS_MAX {
                    return Err(failure);
                }
                Ok(Step::TryAgain(number, failure, Box::new(move |_, ()| Ok(attempt(prospects, number + 1)))))
            }
            Err(error) => Err(failure(task, error)),
        };
        Ok(apply(batch, Box::new(applied)))
    })
}

/// What becomes of each prospect, and what does it.
fn batch(prospects: &[(Uuid, ProspectFields)], ground: Ground, task: &Task) -> (Vec<ImportOutcome>, Vec<Statement>) {
    let read_at = ground.read_at;
    let (outcomes, planned) = plan(prospects, ground);
    let mut batch = Vec::new();
    if task.isolation == Isolation::Batch {
        batch.push(queries::GUARD_IMPORT.bind([("read_at", read_at.into())]));
    }
    batch.extend(writes(planned, &task.entry));
    batch.push(log(&task.entry));
    (outcomes, batch)
}

pub(super) fn erase(prospect: Uuid, entry: &LogEntry) -> Step {
    let name = || ("prospect", bind::id(prospect));
    let require = queries::REQUIRE_PROSPECT.bind([name()]);
    let erase = vec![begin(entry), queries::ENTOMB_PROSPECT.bind([name()]), queries::DELETE_PROSPECT.bind([name()])];
    let erase = Write::new(erase).require(require, Refusal::NoProspect);
    erase.then(entry, |_, _| Ok(Step::Done(OperatorAnswer::Erased)))
}

/// What an import finds.
struct Ground {
    read_at: i64,
    known: HashMap<SmolStr, (Uuid, ProspectFields)>,
    erased: HashSet<SmolStr>,
}

/// How an import looks at what there is.
struct Look {
    batch: Vec<Statement>,
    /// How many of the statements, after the first, look for prospects; the others look for erased ones.
    known_count: usize,
}

impl Look {
    fn at(prospects: &[(Uuid, ProspectFields)]) -> Self {
        let source_ids = distinct(prospects.iter().map(|(_, fields)| fields.source_id.as_str()));
        let rows = || source_ids.iter().map(|source_id| [Value::from(*source_id)]);
        let known = queries::KNOWN_PROSPECTS.bind_rows(&["source_id"], rows());
        let known_count = known.len();
        let erased = queries::ERASED_SOURCES.bind_rows(&["source_id"], rows());
        Self { batch: [vec![queries::PROSPECT_CLOCK.bind([])], known, erased].concat(), known_count }
    }

    fn read(&self, results: &mut Results) -> Result<Ground, StoreError> {
        let read_at = results.row().ok_or_else(|| unexpected("the clock of the prospects"))?.integer()?;
        let mut known = HashMap::new();
        for mut row in results.rows_of(self.known_count) {
            let prospect = prospect_row::read(&mut row)?;
            known.insert(prospect.fields.source_id.clone(), (prospect.id, prospect.fields));
        }
        let erased = results.rows_of(self.batch.len()).map(|mut row| row.text()).collect::<Result<_, _>>()?;
        Ok(Ground { read_at, known, erased })
    }
}

/// One prospect to be written.
struct Planned {
    id: Uuid,
    /// What is in the database; `None` for a new prospect.
    before: Option<ProspectFields>,
    after: ProspectFields,
}

/// What becomes of each prospect, and what is to be written, each `source_id` once.
fn plan(prospects: &[(Uuid, ProspectFields)], mut ground: Ground) -> (Vec<ImportOutcome>, Vec<Planned>) {
    let mut planned: Vec<Planned> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut outcomes = Vec::new();
    for (id, given) in prospects {
        let source_id = given.source_id.as_str();
        if ground.erased.contains(source_id) {
            outcomes.push(ImportOutcome::Erased);
        } else if let Some(earlier) = places.get(source_id).and_then(|place| planned.get_mut(*place)) {
            earlier.after = std::mem::take(&mut earlier.after).merged_with(given.clone());
            outcomes.push(ImportOutcome::Updated(earlier.id));
        } else {
            places.insert(source_id, planned.len());
            if let Some((id, known)) = ground.known.remove(source_id) {
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

/// The statements that write what differs; none when nothing does.
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
    let statements = [
        queries::CREATE_PROSPECTS.bind_rows(&names, created),
        queries::UPDATE_PROSPECTS.bind_rows(&names, updated),
        queries::MOVE_PROSPECTS.bind_rows(&moved_names, moved),
    ]
    .concat();
    if statements.is_empty() { statements } else { [vec![begin(entry)], statements].concat() }
}

/// Gives a change of prospects its time.
fn begin(entry: &LogEntry) -> Statement {
    queries::BEGIN_IMPORT.bind([("now", bind::time(entry.at))])
}
