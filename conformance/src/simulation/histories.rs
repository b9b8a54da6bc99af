//! Checks of a page of a client's history (rules V15 to V17).

use matterbook_core::time::Timestamp;
use serde_json::{Value, json};

use super::{
    Failure,
    asked::{Asked, History},
    pages::shown,
    referee::{Answered, Referee},
    undo::{alias_differences, differences, fields_of},
};

impl Referee {
    /// A page shows the changes that are due at the moment at which it was read, the newest first.
    pub(super) fn told(
        &mut self,
        label: u32,
        asked: &Asked,
        history: &History,
        answered: &Answered,
        open: &[usize],
    ) -> Result<(), Failure> {
        let account = history.caller.0;
        let timeline = &self.timelines[account];
        let mut is_due = false;
        for version in open {
            for horizon in timeline.horizons(*version, asked.now, self.latest_clock) {
                is_due |= self.is_due(account, history, answered, *version, horizon);
            }
        }
        if !is_due {
            return Err(Failure::new("history", format!("the history is none of those due, by clock {}", asked.now)));
        }
        let last = answered.body["changes"].as_array().and_then(|changes| changes.last());
        let last = last.and_then(|change| change["at"].as_str()).and_then(Timestamp::parse_rfc3339);
        let older = answered.body["next_cursor"].as_str().zip(last);
        let older = older.map(|(cursor, at)| (cursor.to_owned(), at.micros()));
        if let Some(asked) = self.asked.get_mut(&label) {
            asked.older = older;
        }
        Ok(())
    }

    fn is_due(&self, account: usize, history: &History, answered: &Answered, version: usize, horizon: i64) -> bool {
        let states = self.timelines[account].states_of(history.client, version, horizon);
        // A walk over the history of a client that is gone just ends.
        if states.is_empty() && history.after.is_none() {
            return answered.status == 404;
        }
        let timeline = &self.timelines[account];
        let changes = states.iter().enumerate().rev().map(|(place, (since, state))| {
            let before = place.checked_sub(1).and_then(|place| states.get(place)).map(|(_, before)| shown(before));
            let mut fields = differences(before.as_ref(), Some(&shown(state)));
            let [before, after] = timeline.aliases_around(state.id, *since);
            fields.extend(alias_differences(&before, &after));
            (state.updated_at, fields)
        });
        let is_after = |at: i64| history.after.as_ref().is_none_or(|(_, after)| at < *after);
        let due: Vec<_> = changes.filter(|(at, _)| is_after(at.micros())).collect();
        let page = &due[..due.len().min(history.limit as usize)];
        let told = answered.body["changes"].as_array().cloned().unwrap_or_default();
        answered.status == 200
            && answered.body["next_cursor"].is_string() == (due.len() > page.len())
            && told.len() == page.len()
            && told.iter().zip(page).all(|(told, (at, fields))| {
                let is_change = told["at"] == json!(at.to_string()) && fields_of(&told["changed"]) == *fields;
                is_change && self.is_author(account, at.micros(), told)
            })
    }

    /// Whether a change names the request that made it, where its id is known, and who made it.
    fn is_author(&self, account: usize, at: i64, told: &Value) -> bool {
        let timeline = &self.timelines[account];
        let made = self.asked.values().filter(|asked| asked.account() == account);
        let mut made = made.filter(|asked| asked.applied_at.is_some_and(|made| timeline.at(made).last_commit_at == at));
        made.any(|asked| {
            let kind = match asked.caller() {
                Some(_) if asked.import().is_some() => "login",
                Some(_) => "key",
                None => "operator",
            };
            let request_id = told["request_id"].as_str();
            told["by"]["kind"] == json!(kind)
                && request_id.is_some()
                && asked.request_id.as_deref().is_none_or(|known| request_id == Some(known))
        })
    }
}
