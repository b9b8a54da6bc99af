//! Drivers that make the SQL store's mistakes: as if a statement were missing from its batches, or a value
//! were wrong. What a store could get wrong about D1, one thing at a time.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use matterbook_store_sql::driver::{Driver, DriverError, Isolation, Rows, Statement, Value};

use super::sqlite::{Database, InSets};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A statement of that name is not run.
    LeavesOut(&'static str),
    /// Of a decision about what waits, a statement of that name is not run.
    DecidesWithout(&'static str),
    /// The guard of a commit does not look at the external ids that it gives.
    ForgetsIds,
    /// What comes again with the same content waits again.
    ForgetsDecisions,
    /// A commit is applied whatever has changed since its read.
    GuardsNothing,
    /// A commit is refused when any other came right before it.
    GuardsTooMuch,
    /// A batch that fails leaves its first half behind.
    AppliesHalf,
    /// A commit is recorded under an id that is not its request's.
    RecordsOtherIds,
    /// Who holds a key is remembered after it is revoked.
    RemembersKeys,
    /// Earlier states are pruned while they are still to be shown.
    PrunesTooEarly,
}

/// Each mistake, with what is wrong in words.
pub const MISTAKES: [(&str, Mistake); 24] = [
    ("an erased client is named in saved answers", Mistake::LeavesOut("erase_answers")),
    ("an alias outlives its undo", Mistake::LeavesOut("remove_alias")),
    ("an alias is not given", Mistake::LeavesOut("add_alias")),
    ("a decision under way misses a new alias", Mistake::LeavesOut("mark_aliases")),
    ("an alias is given to two clients", Mistake::ForgetsIds),
    ("an erased client leaves its aliases", Mistake::LeavesOut("erase_aliases")),
    ("the same person loses what was sent", Mistake::DecidesWithout("update_clients")),
    ("what was decided still waits", Mistake::LeavesOut("decide_review_item")),
    ("what was decided waits again with the same content", Mistake::ForgetsDecisions),
    ("what waits stays when its client comes well", Mistake::LeavesOut("remove_review_items")),
    ("what was decided does not wait again after the undo", Mistake::LeavesOut("turn_review_items")),
    ("an erased client leaves what waits for it", Mistake::LeavesOut("erase_review_items")),
    ("the guard of a commit is too lax", Mistake::GuardsNothing),
    ("the guard of a commit is too coarse", Mistake::GuardsTooMuch),
    ("half of a batch is applied", Mistake::AppliesHalf),
    ("a request whose answer was lost is forgotten", Mistake::RecordsOtherIds),
    ("a key is remembered past its revocation", Mistake::RemembersKeys),
    ("a revocation does nothing", Mistake::LeavesOut("revoke_key")),
    ("earlier states are pruned too early", Mistake::PrunesTooEarly),
    ("an erased client leaves its earlier states", Mistake::LeavesOut("erase_states")),
    ("an erased client leaves no digest", Mistake::LeavesOut("insert_tombstones")),
    ("an answer is not saved beside its data", Mistake::LeavesOut("save_answer")),
    ("settlements are not saved", Mistake::LeavesOut("put_settlements")),
    ("a key's account is not suspended", Mistake::LeavesOut("set_account")),
];

/// SQLite as D1 runs it, with one mistake.
pub struct Mistaken {
    sound: InSets,
    mistake: Mistake,
    batches: Cell<u32>,
    last_wrote: Cell<bool>,
    key_owners: RefCell<BTreeMap<String, Rows>>,
}

impl Mistaken {
    pub fn new(mistake: Mistake) -> Self {
        Self {
            sound: InSets(Database::new()),
            mistake,
            batches: Cell::new(0),
            last_wrote: Cell::new(false),
            key_owners: RefCell::default(),
        }
    }

    /// The batch as the mistake has it.
    fn altered(&self, batch: &[Statement]) -> Vec<Statement> {
        let number = Value::from(format!("{:032x}", self.batches.get()).as_str());
        let alter = |statement: &Statement| match (self.mistake, statement.query.name) {
            (Mistake::GuardsNothing, "record_commit" | "guard_commit") => {
                with(statement, "read_at", &Value::Integer(i64::from(u32::MAX) << 20))
            }
            (Mistake::ForgetsIds, "record_commit") => with(statement, "external_ids", &Value::from("[]")),
            (Mistake::ForgetsDecisions, "put_review_items") => with(statement, "content", &number),
            (Mistake::RecordsOtherIds, "record_commit") => with(statement, "request_id", &number),
            (Mistake::PrunesTooEarly, "sweep_states") => {
                let end = Value::Integer(i64::from(u32::MAX) << 20);
                with(&with(statement, "dead_before", &end), "dead_period", &end)
            }
            _ => statement.clone(),
        };
        batch.iter().map(alter).collect()
    }

    /// Runs a batch without the statements that are left out, whose rows are none.
    async fn without(&self, name: &str, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        let is_in = |statement: &&Statement| statement.query.name != name;
        let rest: Vec<_> = batch.iter().filter(is_in).cloned().collect();
        let mut found = self.sound.run(&rest).await?.into_iter();
        Ok(batch
            .iter()
            .map(|statement| if is_in(&statement) { found.next().unwrap_or_default() } else { Rows::new() })
            .collect())
    }

    /// Puts the owners in that were found when their keys were live.
    fn remember(&self, batch: &[Statement], found: &mut [Rows]) {
        for (statement, rows) in batch.iter().zip(found).filter(|(statement, _)| statement.query.name == "key_owner") {
            let place = statement.query.parameters.iter().position(|parameter| *parameter == "key");
            let place = place.expect("the owner of a key is found by it");
            let key = format!("{:?}", statement.rows().next().map(|row| &row[place]));
            let is_live = rows.first().and_then(|row| row.first()) == Some(&Value::Integer(1));
            let mut key_owners = self.key_owners.borrow_mut();
            if is_live {
                key_owners.insert(key, rows.clone());
            } else if let Some(known) = key_owners.get(&key) {
                rows.clone_from(known);
            }
        }
    }
}

/// A statement with another value of that name.
fn with(statement: &Statement, name: &str, value: &Value) -> Statement {
    let place = statement.query.parameters.iter().position(|parameter| *parameter == name);
    let place = place.unwrap_or_else(|| panic!("{} has no parameter {name}", statement.query.name));
    let rows = statement.rows().map(|row| {
        let mut row = row.to_vec();
        row[place] = value.clone();
        row
    });
    Statement::of_rows(statement.query, rows.collect::<Vec<_>>())
}

impl Driver for Mistaken {
    fn isolation(&self) -> Isolation {
        Isolation::Batch
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        self.batches.set(self.batches.get() + 1);
        let commits = batch.iter().any(|statement| statement.query.name == "begin_commit");
        let reads = batch.iter().any(|statement| statement.query.name.starts_with("lookup_"));
        let others_wrote = if commits || reads { self.last_wrote.replace(commits) } else { false };
        match self.mistake {
            Mistake::LeavesOut(name) => self.without(name, batch).await,
            Mistake::DecidesWithout(name)
                if batch.iter().any(|statement| statement.query.name == "decide_review_item") =>
            {
                self.without(name, batch).await
            }
            Mistake::GuardsTooMuch if commits && others_wrote => {
                self.last_wrote.set(false);
                Err(DriverError::Constraint("another commit came before".to_owned()))
            }
            Mistake::AppliesHalf if commits && self.batches.get().is_multiple_of(7) => {
                self.sound.run(&batch[..batch.len() / 2]).await?;
                Err(DriverError::Failed("half of it failed".to_owned()))
            }
            _ => {
                let mut found = self.sound.run(&self.altered(batch)).await?;
                if self.mistake == Mistake::RemembersKeys {
                    self.remember(batch, &mut found);
                }
                Ok(found)
            }
        }
    }

    async fn back_off(&self, _attempt: u32) -> bool {
        false
    }
}
