//! What a service has, held to what its callers were answered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::{
    Report,
    actor::Actor,
    history::{History, Operation, version_text},
};

/// Everything that a service has of one account.
pub(super) struct Found<'a> {
    rows: HashMap<&'a str, &'a Value>,
    /// Dates by `external_id`, in the order in which the settlements were begun.
    settlements: HashMap<&'a str, Vec<&'a str>>,
}

/// The position of a row in the listing.
pub(super) fn place(row: &Value) -> (String, String) {
    (text(row, "updated_at").to_owned(), text(row, "id").to_owned())
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap_or_default()
}

impl<'a> Found<'a> {
    /// Takes the rows of a whole walk and of the settlements feed; each is there once, in order.
    pub(super) fn of(rows: &'a [Value], feed: &'a [Value]) -> Result<Self, String> {
        let mut by_id = HashMap::new();
        let places: Vec<_> = rows.iter().map(place).collect();
        if !places.is_sorted_by(|one, next| one < next) {
            return Err("the rows of a walk are not strictly in order".to_owned());
        }
        for row in rows {
            if by_id.insert(text(row, "external_id"), row).is_some() {
                return Err(format!("{} is there twice", text(row, "external_id")));
            }
        }
        let ids: BTreeSet<&str> = feed.iter().map(|settlement| text(settlement, "id")).collect();
        if ids.len() != feed.len() {
            return Err("a settlement is in the feed twice".to_owned());
        }
        let mut settlements: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut ordered: Vec<&Value> = feed.iter().collect();
        ordered.sort_by_key(|settlement| (text(settlement, "begun_at"), text(settlement, "id")));
        for settlement in ordered {
            settlements.entry(text(settlement, "external_id")).or_default().push(text(settlement, "settled_on"));
        }
        Ok(Self { rows: by_id, settlements })
    }

    /// Holds a caller's clients to its history, and finds out whether what it was not answered happened.
    /// The history goes on from there; the operation is handed back to be sent again.
    pub(super) fn settle(&self, actor: &mut Actor, report: &mut Report) -> Result<Option<(Operation, bool)>, String> {
        let Some(operation) = actor.pending.take() else {
            self.matches(actor, &actor.history)?;
            return Ok(None);
        };
        if !actor.history.is_changed_by(&operation) {
            self.matches(actor, &actor.history)?;
            report.without_effect += 1;
            // Its answer may have been saved all the same.
            return Ok(if operation.idempotency_key.is_some() { None } else { Some((operation, false)) });
        }
        let mut after = actor.history.clone();
        after.apply(&operation);
        let happened = self.matches(actor, &after);
        let has_happened = happened.is_ok();
        if has_happened {
            actor.history = after;
            report.happened += 1;
        } else {
            self.matches(actor, &actor.history).map_err(|before| {
                let happened = happened.err().unwrap_or_default();
                format!("a request without an answer is saved by half: if it happened, {happened}; if not, {before}")
            })?;
            report.lost += 1;
        }
        Ok(Some((operation, has_happened)))
    }

    /// Nothing is there but what callers sent, and each commit has a time of its own, later than the one
    /// before.
    pub(super) fn is_complete(&self, actors: &[Actor]) -> Result<(), String> {
        let known: usize = actors.iter().map(|actor| actor.history.clients.len()).sum();
        if known != self.rows.len() {
            return Err(format!("there are {} clients, not {known}", self.rows.len()));
        }
        let mut commits: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
        for (number, actor) in actors.iter().enumerate() {
            for (external_id, kept) in &actor.history.clients {
                let updated_at = self.rows.get(external_id.as_str()).map_or("", |row| text(row, "updated_at"));
                let commit = (number, kept.changed_by);
                if *commits.entry(updated_at).or_insert(commit) != commit {
                    return Err(format!("two requests share the time {updated_at}"));
                }
            }
        }
        let mut last: HashMap<usize, u64> = HashMap::new();
        for (updated_at, (actor, operation)) in commits {
            if last.insert(actor, operation).is_some_and(|before| before >= operation) {
                return Err(format!("the changes of {updated_at} are not later than those of an earlier request"));
            }
        }
        Ok(())
    }

    fn matches(&self, actor: &Actor, history: &History) -> Result<(), String> {
        let prefix = actor.prefix();
        let count = self.rows.keys().filter(|id| id.starts_with(&prefix)).count();
        if count != history.clients.len() {
            return Err(format!("{count} of {} clients {prefix}… are there", history.clients.len()));
        }
        for (external_id, kept) in &history.clients {
            let row = self.rows.get(external_id.as_str()).ok_or_else(|| format!("{external_id} is not there"))?;
            let version = version_text(kept.version);
            if text(row, "case_type") != version {
                return Err(format!("{external_id} is {}, not {version}", row["case_type"]));
            }
            if kept.id.as_deref().is_some_and(|id| id != text(row, "id")) {
                return Err(format!("{external_id} has another id than was answered"));
            }
            let dates = self.settlements.get(external_id.as_str()).map(Vec::as_slice).unwrap_or_default();
            if dates != kept.settlements {
                return Err(format!("{external_id} has the settlements {dates:?}, not {:?}", kept.settlements));
            }
            if row["settled_on"].as_str() != kept.settlements.last().map(String::as_str) {
                return Err(format!("{external_id} is settled on {}, not {:?}", row["settled_on"], kept.settlements));
            }
        }
        Ok(())
    }
}
