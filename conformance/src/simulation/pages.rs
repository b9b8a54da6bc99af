//! Checks of a page of clients and of a walk over them (rules V2 to V8).

use matterbook_core::client::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Failure,
    asked::{Asked, Given, Read},
    referee::{Answered, Referee},
    timeline::place_of,
    universe::external_id,
};

impl Referee {
    /// A page shows what is due at the moment at which it was read, and goes on where it says.
    pub(super) fn paged(
        &mut self,
        asked: &Asked,
        read: &Read,
        answered: &Answered,
        open: &[usize],
    ) -> Result<(), Failure> {
        let account = read.caller.0;
        if read.is_foreign {
            let is_refused = answered.status == 400;
            return if is_refused {
                Ok(())
            } else {
                Err(Failure::new("isolation", "another account's cursor is taken"))
            };
        }
        if answered.status != 200 {
            return Err(Failure::new("cursors", "a page is refused"));
        }
        let rows = answered.body["clients"].as_array().cloned().unwrap_or_default();
        let next = answered.body["next_cursor"].as_str();
        let timeline = &self.timelines[account];
        let first = Given { text: String::new(), after: None, floors: vec![i64::MIN] };
        let Given { after, floors, .. } = read.cursor.clone().unwrap_or(first);
        let id = read.external_id.and_then(external_id);
        let (mut tried, mut page, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        for version in open {
            let horizons = timeline.horizons(*version, asked.now, self.latest_clock);
            for horizon in horizons.iter().flat_map(|horizon| floors.iter().map(|floor| *horizon.max(floor))) {
                let mut due = timeline.as_of(*version, horizon);
                due.retain(|client| after.is_none_or(|after| place_of(client) > after));
                due.retain(|client| read.updated_since.is_none_or(|since| client.updated_at >= since));
                let people = &timeline.at(*version).people;
                let has_alias = |client: &Client, number: u8| {
                    let given_at = people.get(&client.id).and_then(|person| person.aliases.get(&number));
                    given_at.is_some_and(|given_at| *given_at <= horizon)
                };
                due.retain(|client| {
                    let is_own = client.fields.external_id.as_deref() == id;
                    id.is_none() || is_own || read.external_id.is_some_and(|number| has_alias(client, number))
                });
                let is_page = rows.len() <= read.limit as usize
                    && rows.len() <= due.len()
                    && (next.is_some() || rows.len() == due.len())
                    && rows.iter().zip(&due).all(|(row, client)| *row == shown(client));
                if is_page {
                    due.truncate(rows.len());
                    page = due;
                    // Nothing later than the last commit has been seen.
                    seen.push(horizon.min(timeline.at(*version).last_commit_at));
                }
                tried.push((version, horizon));
            }
        }
        if seen.is_empty() {
            let sentence = format!("the page is none of those due, by clock {}: {tried:?}", asked.now);
            return Err(Failure::new("delayed view", sentence));
        }
        seen.sort_unstable();
        seen.dedup();
        let after = page.last().map(place_of).or(after);
        let given = next.map(|text| Given { text: text.to_owned(), after, floors: seen });
        self.cursors[account].extend(given.clone());
        match read.walk {
            Some(walk) => self.walked(account, walk, &page, given),
            None => Ok(()),
        }
    }

    /// The promises of a walk.
    fn walked(&mut self, account: usize, walk: usize, page: &[Client], given: Option<Given>) -> Result<(), Failure> {
        let timeline = &self.timelines[account];
        let Some(walk) = self.walks.get_mut(&(account, walk)) else { return Ok(()) };
        for client in page {
            let earlier = walk.met.insert(client.id, client.updated_at);
            if earlier.is_some_and(|earlier| earlier >= client.updated_at) {
                return Err(Failure::new("walks", format!("a client is met twice that has not changed: {client:?}")));
            }
        }
        if given.is_none() {
            let is_missed = |id: &&Uuid| !walk.met.contains_key(id) && !timeline.was_gone(**id);
            let missed: Vec<_> = walk.owed.iter().filter(is_missed).collect();
            if !missed.is_empty() {
                return Err(Failure::new(
                    "walks",
                    format!("a walk ends without clients of before it began: {missed:?}"),
                ));
            }
        }
        walk.cursor = given;
        Ok(())
    }
}

/// A client as it is read back.
pub(super) fn shown(client: &Client) -> Value {
    let fields = &client.fields;
    json!({
        "id": client.id.to_string(),
        "external_id": fields.external_id.as_deref(),
        "first_name": fields.first_name.as_deref(),
        "last_name": fields.last_name.as_deref(),
        "address_line1": fields.address_line1.as_deref(),
        "address_line2": null,
        "city": fields.city.as_deref(),
        "state": null,
        "zip": fields.zip.as_deref(),
        "email": null,
        "phone": null,
        "case_type": fields.case_type.as_deref(),
        "opened_on": fields.opened_on.map(|date| date.to_string()),
        "settled_on": fields.settled_on.map(|date| date.to_string()),
        "do_not_mail": fields.do_not_mail,
        "created_at": client.created_at.to_string(),
        "updated_at": client.updated_at.to_string(),
    })
}
