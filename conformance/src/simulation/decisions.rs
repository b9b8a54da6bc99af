//! Checks of decisions about what waits for review (rules J5 to J8).

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Failure,
    asked::Asked,
    ledger::Outcome,
    pages::shown,
    referee::{Answered, Referee},
    waiting::Decision,
};

impl Referee {
    /// The answer to a decision shows the client as it is then, or says why nothing was done.
    pub(super) fn decided(
        &self,
        asked: &Asked,
        (account, item, decision): (usize, Uuid, Decision),
        answered: &Answered,
    ) -> Result<(), Failure> {
        let timeline = &self.timelines[account];
        let review = &answered.body["review"];
        let client = |version: usize, id: Uuid| {
            let person = timeline.at(version).people.get(&id);
            person.map_or(Value::Null, |person| shown(&person.client(id)))
        };
        let is_true = match (answered.status, asked.applied.as_deref()) {
            (200, Some([])) => review["client"].is_null(),
            (200, Some([Outcome::Created(id) | Outcome::Updated(id), ..])) => {
                asked.seen.iter().any(|version| review["client"] == client(*version, *id))
            }
            (400 | 404, None) => asked.seen.iter().any(|version| {
                let refused = timeline.at(*version).resolve(item, decision, 0).err();
                refused == Some(answered.status)
            }),
            _ => false,
        };
        let is_named = answered.status != 200
            || review["id"] == json!(item.to_string()) && asked.request_id.as_deref() == review["request_id"].as_str();
        if is_true && is_named {
            return Ok(());
        }
        Err(Failure::new("review", format!("a decision is answered that is another: {:?}", asked.applied)))
    }
}
