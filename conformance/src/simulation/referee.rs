//! What is known of the world at every moment, and what every answer is held to.

use std::collections::{BTreeMap, BTreeSet};

use http::HeaderMap;
use matterbook_core::{sign_in::SESSION_UNUSED_SECONDS, time::Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Failure,
    asked::{Asked, Doing, Given, Read},
    ledger::Ledger,
    pages::shown,
    timeline::{DELAY_MICROS, Timeline},
    universe::{ACCOUNTS, account_id},
    waiting::Item,
};

/// A session lasts at least so long after a request, whatever clock recorded its last use.
const SESSION_MICROS_MIN: i64 = SESSION_UNUSED_SECONDS / 2 * Timestamp::SECOND_MICROS;

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
    /// Clients whose erasure was asked for.
    pub(super) may_be_erased: BTreeSet<Uuid>,
    /// Decided items as they may have come again, by account. What does not wait is not listed.
    pub(super) unlisted: Vec<(usize, Item)>,
    /// Decided items that may be gone, since their client came well. That is not to be seen either.
    pub(super) may_be_gone: BTreeSet<Uuid>,
    /// The latest time that any clock has shown.
    pub(super) latest_clock: i64,
}

/// A walk over the clients of an account, from no cursor to `null`.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    pub(super) cursor: Option<Given>,
    /// The request that goes on with it now.
    pub(super) is_busy: bool,
    /// The clients that it must show: all that existed a minute before it began, by any clock.
    pub(super) owed: BTreeSet<Uuid>,
    pub(super) met: BTreeMap<Uuid, Timestamp>,
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
        asked.request_id = answered.headers.get("x-request-id").and_then(|id| Some(id.to_str().ok()?.to_owned()));
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
        let Some(caller) = asked.caller() else {
            self.note_erasure(asked, answered)?;
            return self.operated(label, asked, answered);
        };
        let is_batch = asked.import().is_some();
        let timeline = &self.timelines[caller.0];
        let at = |version: &usize| timeline.at(*version);
        match answered.status {
            // A session may end while its request is under way.
            401 if is_batch && asked.applied.is_none() => return Ok(()),
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
        let is_open = |version: &usize| if is_batch { !at(version).is_suspended } else { at(version).admits(caller.1) };
        let open: Vec<usize> = asked.seen.iter().copied().filter(is_open).collect();
        if open.is_empty() && answered.status < 300 {
            return Err(Failure::new("nobody let in", "the key opened nothing at any time"));
        }
        match &asked.doing {
            Doing::Write { .. } => self.saved(label, asked, answered, &open),
            Doing::Preview(_, drafts) => self.previewed(label, asked, drafts, answered, &open),
            Doing::Read(read) => self.paged(asked, read, answered, &open),
            Doing::History(history) => self.told(label, asked, history, answered, &open),
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
            let aliases = |ledger: &Ledger| -> Vec<_> {
                let people = ledger.people.iter();
                people.flat_map(|(id, person)| person.aliases.keys().map(|alias| (*id, *alias))).collect()
            };
            let people = one.people.iter().chain(&next.people).filter(|(id, _)| differs(id));
            let mut touched = people.map(|(_, person)| person);
            one.revoked != next.revoked
                || one.is_suspended != next.is_suspended
                || one.tombstones != next.tombstones
                || one.imports != next.imports
                || aliases(one) != aliases(next)
                || one.people.keys().any(|id| !next.people.contains_key(id))
                || touched.any(|person| Ledger::concerns(drafts, person))
        };
        let mut changes = self.timelines[asked.account()].changes(asked.begun, asked.applied_at);
        let is_keyed = matches!(asked.doing, Doing::Write { once: Some(_), .. });
        // Time passes while a request is under way. So its session may have ended, by any clock.
        let has_ended = asked.import().is_some() && self.latest_clock >= asked.now + SESSION_MICROS_MIN;
        if is_keyed || has_ended || changes.any(|(one, next)| is_reason(one, next)) {
            return Ok(());
        }
        Err(Failure::new("undisturbed", "a commit was refused, though nothing that it met has changed"))
    }

    /// Takes note of the erasure of a client that an undo had removed, which no view shows.
    fn note_erasure(&mut self, asked: &Asked, answered: &Answered) -> Result<(), Failure> {
        let Doing::Erase(account, client) = &asked.doing else { return Ok(()) };
        if answered.status != 200 || asked.applied.is_some() {
            return Ok(());
        }
        let timeline = &mut self.timelines[*account];
        if !asked.seen.iter().any(|version| timeline.at(*version).removed.contains_key(client)) {
            return Ok(());
        }
        if timeline.now().people.contains_key(client) {
            return Err(Failure::new("true answers", "a client that was erased is there"));
        }
        // What began before may still name the client.
        self.version += 1;
        timeline.erase_removed(*client, self.version);
        Ok(())
    }

    /// The answer to a command of the operator.
    fn operated(&mut self, label: u32, asked: &Asked, answered: &Answered) -> Result<(), Failure> {
        match &asked.doing {
            Doing::Undo(undoing) => return self.undo_answered(label, asked, undoing, answered),
            Doing::Decide(account, item, decision) => {
                return self.decided(asked, (*account, *item, *decision), answered);
            }
            _ => {}
        }
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
                let is_done = asked.applied.is_some() || timeline.is_erased(*client, usize::MAX);
                is_done && seen.any(|ledger| !ledger.people.contains_key(client))
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
}
