//! What is known of the world at every moment, and what every answer is held to.

use std::collections::{BTreeMap, BTreeSet};

use http::HeaderMap;
use matterbook_core::{client::Client, time::Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Failure,
    asked::{Asked, Doing, Given, Read},
    ledger::{Ledger, Outcome},
    timeline::{DELAY_MICROS, Timeline, place_of},
    universe::{ACCOUNTS, account_id, external_id},
};

/// The world as the model has it.
#[derive(Default)]
pub(super) struct Referee {
    pub(super) timelines: Vec<Timeline>,
    /// Writes so far.
    pub(super) version: usize,
    pub(super) asked: BTreeMap<u32, Asked>,
    pub(super) walks: BTreeMap<(usize, usize), Walk>,
    /// Every cursor that an account was given.
    pub(super) cursors: Vec<Vec<Given>>,
    /// The latest time that any clock has shown.
    pub(super) latest_clock: i64,
}

/// A walk over the clients of an account, from no cursor to `null`.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    pub(super) cursor: Option<Given>,
    /// The request that goes on with it now.
    pub(super) is_busy: bool,
    /// Whom it has to meet: every client that existed a minute before it began, by any clock.
    pub(super) owed: BTreeSet<Uuid>,
    met: BTreeMap<Uuid, Timestamp>,
}

/// What a caller is answered.
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Value,
}

impl Referee {
    pub(super) fn begin() -> Self {
        let mut referee = Self::default();
        for _ in 0..ACCOUNTS {
            let mut timeline = Timeline::default();
            timeline.begin(Ledger::default());
            referee.timelines.push(timeline);
        }
        referee.cursors.resize(ACCOUNTS, Vec::new());
        referee
    }

    /// A walk begins; by the clock that is the furthest behind, every client of a minute ago is owed to it.
    pub(super) fn begin_walk(&mut self, account: usize, walk: usize, earliest_clock: i64) {
        let people = self.timelines[account].now().people.iter();
        let owed = people.filter(|(_, person)| person.created_at <= earliest_clock - DELAY_MICROS).map(|(id, _)| *id);
        let owed = owed.collect();
        self.walks.insert((account, walk), Walk { owed, ..Walk::default() });
    }

    /// A request has ended: its answer has to be true.
    pub(super) fn ended(&mut self, label: u32, answered: &Answered) -> Result<(), Failure> {
        let Some(asked) = self.asked.get_mut(&label) else { return Ok(()) };
        asked.ended = Some(self.version);
        let asked = asked.clone();
        let judged = self.judge(label, &asked, answered);
        if let Doing::Read(Read { caller, walk: Some(walk), .. }) = &asked.doing
            && let Some(walk) = self.walks.get_mut(&(caller.0, *walk))
        {
            walk.is_busy = false;
        }
        judged.map_err(|failure| {
            let Answered { status, body, .. } = answered;
            failure.about(format!("request {label}: {:?}\n  answered: {status} {body}", asked.doing))
        })
    }

    fn judge(&mut self, label: u32, asked: &Asked, answered: &Answered) -> Result<(), Failure> {
        self.check_disturbed(asked)?;
        if answered.status == 500 {
            return self.failed(label, asked, answered);
        }
        let Some(caller) = asked.caller() else { return self.operated(asked, answered) };
        let timeline = &self.timelines[caller.0];
        let at = |version: &usize| timeline.at(*version);
        match answered.status {
            401 if !asked.seen.iter().map(at).any(|ledger| ledger.revoked[caller.1]) => {
                return Err(Failure::new("true answers", "the key was not revoked"));
            }
            403 if !asked.seen.iter().map(at).any(|ledger| ledger.is_suspended) => {
                return Err(Failure::new("true answers", "the account was not suspended"));
            }
            401 | 403 if asked.applied.is_none() => return Ok(()),
            401 | 403 => {
                return Err(Failure::new("true answers", "it was done, and its caller is told that it was not"));
            }
            _ => {}
        }
        let open: Vec<usize> = asked.seen.iter().copied().filter(|version| at(version).admits(caller.1)).collect();
        if open.is_empty() && answered.status < 300 {
            return Err(Failure::new("nobody let in", "the key opened nothing at any time"));
        }
        match &asked.doing {
            Doing::Write { .. } => self.saved(label, asked, answered, &open),
            Doing::Read(read) => self.paged(asked, read, answered, &open),
            _ => {
                let id = &answered.body["account"]["id"];
                let is_own = answered.status == 200 && *id == json!(account_id(caller.0).to_string());
                if is_own { Ok(()) } else { Err(Failure::new("true answers", "the account is not the key's")) }
            }
        }
    }

    /// A 500 needs a fault, and says what is true.
    fn failed(&mut self, label: u32, asked: &Asked, answered: &Answered) -> Result<(), Failure> {
        if asked.faults == 0 {
            return Err(Failure::new("answers", "it fails without a fault"));
        }
        let says_nothing_saved =
            answered.body["error"]["message"].as_str().is_some_and(|message| message.contains("nothing was saved"));
        if says_nothing_saved && asked.applied.is_some() {
            return Err(Failure::new("true answers", "it was done, and its caller is told that nothing was saved"));
        }
        if let Some(asked) = self.asked.get_mut(&label) {
            asked.promised_nothing = says_nothing_saved;
        }
        Ok(())
    }

    /// A commit is refused as stale only where something that its request could meet has changed meanwhile.
    fn check_disturbed(&self, asked: &Asked) -> Result<(), Failure> {
        let Doing::Write { drafts, .. } = &asked.doing else { return Ok(()) };
        if !asked.was_refused || asked.faults > 0 {
            return Ok(());
        }
        let is_reason = |one: &Ledger, next: &Ledger| {
            let differs = |id: &Uuid| one.people.get(id) != next.people.get(id);
            let people = one.people.iter().chain(&next.people).filter(|(id, _)| differs(id));
            let mut touched = people.map(|(_, person)| person);
            one.revoked != next.revoked
                || one.is_suspended != next.is_suspended
                || one.tombstones != next.tombstones
                || one.people.keys().any(|id| !next.people.contains_key(id))
                || touched.any(|person| Ledger::concerns(drafts, person))
        };
        let mut changes = self.timelines[asked.account()].changes(asked.begun, asked.applied_at);
        let is_keyed = matches!(asked.doing, Doing::Write { once: Some(_), .. });
        if is_keyed || changes.any(|(one, next)| is_reason(one, next)) {
            return Ok(());
        }
        Err(Failure::new("undisturbed", "a commit was refused, though nothing that it met has changed"))
    }

    /// The answer to a command of the operator.
    fn operated(&self, asked: &Asked, answered: &Answered) -> Result<(), Failure> {
        let timeline = &self.timelines[asked.account()];
        let mut seen = asked.seen.iter().map(|version| timeline.at(*version));
        let is_true = match (&asked.doing, answered.status) {
            (Doing::Suspend(_, on), 200) => seen.any(|ledger| ledger.is_suspended == *on),
            (Doing::Show(_, client), 200) => seen.any(|ledger| {
                let person = ledger.people.get(client);
                person.is_some_and(|person| answered.body["client"] == shown(&person.client(*client)))
            }),
            (Doing::Revoke(caller), 200) => seen.any(|ledger| ledger.revoked[caller.1]),
            (Doing::Erase(_, client), 200) => {
                asked.applied.is_some() && seen.any(|ledger| !ledger.people.contains_key(client))
            }
            (Doing::MailOn(_, client), 200) => {
                seen.any(|ledger| ledger.people.get(client).is_some_and(|person| !person.do_not_mail))
            }
            (Doing::Erase(_, client) | Doing::MailOn(_, client) | Doing::Show(_, client), 404) => {
                seen.any(|ledger| !ledger.people.contains_key(client))
            }
            _ => false,
        };
        if is_true { Ok(()) } else { Err(Failure::new("true answers", "the operator is told what is not so")) }
    }

    /// A page shows what is due at the moment at which it was read, and goes on where it says.
    fn paged(&mut self, asked: &Asked, read: &Read, answered: &Answered, open: &[usize]) -> Result<(), Failure> {
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
                due.retain(|client| id.is_none() || client.fields.external_id.as_deref() == id);
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
            let is_missed = |id: &&Uuid| !walk.met.contains_key(id) && !timeline.is_erased(**id, usize::MAX);
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

    /// The answer of a write is what was done, what there was to do, or what was answered before.
    fn saved(&mut self, label: u32, asked: &Asked, answered: &Answered, open: &[usize]) -> Result<(), Failure> {
        let Doing::Write { drafts, is_settling, .. } = &asked.doing else { return Ok(()) };
        let untrue = |sentence: &str| Err(Failure::new("true answers", sentence));
        if *is_settling && !drafts.iter().all(|draft| draft.can_settle()) {
            return if answered.status == 400 { Ok(()) } else { untrue("a case that says too little is not refused") };
        }
        let is_it = |outcomes: &[Outcome]| says(answered, outcomes, *is_settling);
        let timeline = &self.timelines[asked.account()];
        let came_to = |asked: &Asked, version: usize| {
            let Doing::Write { caller, drafts, is_settling, .. } = &asked.doing else { return None };
            let before = timeline.at(version);
            let (after, outcomes) = before.decide(drafts, *is_settling);
            (before.admits(caller.1) && after == *before).then_some(outcomes)
        };
        let is_replay = answered.headers.contains_key("idempotent-replayed");
        if is_replay || answered.status == 422 {
            if asked.applied.is_some() {
                return untrue("it was done, and is answered as if it had been before");
            }
            let same_key = || self.same_key(label, asked).filter(|(_, other)| Self::may_be_kept(asked, other));
            let is_same = |other: &Asked| match (&other.doing, &asked.doing) {
                (
                    Doing::Write { drafts: one, is_settling: this, .. },
                    Doing::Write { drafts: other, is_settling: that, .. },
                ) => one == other && this == that,
                _ => false,
            };
            let is_true = if is_replay {
                same_key().filter(|(_, other)| is_same(other)).any(|(_, other)| match &other.applied {
                    Some(outcomes) => {
                        let names_erased = outcomes.iter().any(|outcome| match outcome {
                            Outcome::Created(id) | Outcome::Updated(id) => timeline.is_erased(*id, asked.begun),
                            _ => false,
                        });
                        is_it(outcomes) && !names_erased
                    }
                    None => other
                        .seen
                        .iter()
                        .filter_map(|version| came_to(other, *version))
                        .any(|outcomes| is_it(&outcomes)),
                })
            } else {
                same_key().any(|(_, other)| !is_same(other))
            };
            return if is_true { Ok(()) } else { untrue("no request under its key was answered so") };
        }
        let outcomes = match &asked.applied {
            Some(outcomes) => Some(outcomes.clone()).filter(|outcomes| is_it(outcomes)),
            None => open.iter().filter_map(|version| came_to(asked, *version)).find(|outcomes| is_it(outcomes)),
        };
        if outcomes.is_none() {
            return Err(Failure::new("true answers", format!("it came to {:?}", asked.applied)));
        }
        if let Some(asked) = self.asked.get_mut(&label) {
            asked.answered = outcomes;
        }
        Ok(())
    }
}

/// Whether an answer says these outcomes.
fn says(answered: &Answered, outcomes: &[Outcome], is_settling: bool) -> bool {
    let result = |(index, outcome): (usize, &Outcome)| match outcome {
        Outcome::Created(id) => json!({"index": index, "status": "created", "id": id.to_string()}),
        Outcome::Updated(id) => json!({"index": index, "status": "updated", "id": id.to_string()}),
        Outcome::Conflict => json!({"index": index, "status": "conflict"}),
        Outcome::Nameless => json!({"index": index, "status": "error"}),
    };
    let is = |shown: &Value, expected: &Value| {
        let mut shown = shown.clone();
        shown.as_object_mut().map(|members| members.remove("message"));
        shown == *expected
    };
    let mut expected = outcomes.iter().enumerate().map(result);
    if is_settling {
        let status = match outcomes.first() {
            Some(Outcome::Conflict) => 409,
            Some(Outcome::Nameless) => 404,
            _ => 200,
        };
        let shown = &answered.body["result"];
        return answered.status == status && (status == 404 || expected.all(|expected| is(shown, &expected)));
    }
    let shown = answered.body["results"].as_array().cloned().unwrap_or_default();
    answered.status == 200
        && shown.len() == outcomes.len()
        && shown.iter().zip(expected).all(|(shown, expected)| is(shown, &expected))
}

/// A client as it is read back.
fn shown(client: &Client) -> Value {
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
        "case_type": null,
        "opened_on": null,
        "settled_on": fields.settled_on.map(|date| date.to_string()),
        "do_not_mail": fields.do_not_mail,
        "created_at": client.created_at.to_string(),
        "updated_at": client.updated_at.to_string(),
    })
}
