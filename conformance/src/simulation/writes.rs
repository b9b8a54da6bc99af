//! What a request may change in the store: all that the model says, once, or nothing (rules U7, U14, I5).

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use matterbook_core::{client::Client, store::SettlementEntry};
use uuid::Uuid;

use super::{
    Failure,
    asked::{Asked, Doing, Undoing},
    auditor::Observed,
    ledger::{Ledger, Outcome, Settlement, is_placeholder},
    referee::Referee,
    undo::Undone,
    universe::{ID, date},
    waiting::Sender,
};

/// For how long a saved answer is kept.
const DAY_MICROS: i64 = 86_400_000_000;

/// What a request may come to: the account after it, its outcomes, and what was undone.
type Expected = (Ledger, Vec<Outcome>, Option<Undone>);

impl Referee {
    /// Judges what the accounts are after a call of that request ran.
    pub(super) fn wrote(&mut self, label: u32, observed: &[Observed]) -> Result<(), Failure> {
        let timelines = self.timelines.iter().zip(observed).enumerate();
        let changed: Vec<usize> = timelines
            .filter(|(_, (timeline, seen))| !is_same(timeline.now(), seen))
            .map(|(account, _)| account)
            .collect();
        let Some(asked) = self.asked.get(&label).cloned() else { return Ok(()) };
        match changed.as_slice() {
            [] => {
                self.note_unlisted(&asked);
                Ok(())
            }
            [account] if *account == asked.account() => {
                let seen = &observed[*account];
                let mut judged = self.changed(label, &asked, seen);
                // Or else decided items are gone, which were not listed.
                if judged.is_err() && self.timelines[*account].forget_decided(&self.may_be_erased, &self.may_be_gone) {
                    judged = self.changed(label, &asked, seen).or(judged);
                }
                judged.map_err(|failure| {
                    let before = self.timelines[*account].now();
                    failure.about(format!("request {label}: {:?}\n  before: {before:?}\n  seen: {seen:?}", asked.doing))
                })
            }
            _ => Err(Failure::new(
                "isolation",
                format!("request {label} changed accounts {changed:?}: {:?}", asked.doing),
            )),
        }
    }

    /// Notes what a request would make of decided items. No listing shows whether it did.
    fn note_unlisted(&mut self, asked: &Asked) {
        let account = asked.account();
        let (Doing::Write { drafts, is_settling, .. }, before) = (&asked.doing, self.timelines[account].now()) else {
            return;
        };
        if !before.items.has_decided() {
            return;
        }
        let (after, _) = before.decide_as(drafts, *is_settling, self.sender(asked));
        self.may_be_gone.extend(after.items.gone_since(&before.items));
        let again: Vec<_> = after.items.sent_again_since(&before.items).map(|item| (account, item.clone())).collect();
        self.unlisted.extend(again);
    }

    fn changed(&mut self, label: u32, asked: &Asked, seen: &Observed) -> Result<(), Failure> {
        let before = self.timelines[asked.account()].now();
        if matches!(asked.doing, Doing::Write { .. }) && is_like(before, seen) {
            return self.waits(label, asked, seen);
        }
        if asked.applied.is_some() {
            return Err(Failure::new("once", "it was done a second time"));
        }
        if asked.promised_nothing {
            return Err(Failure::new("true answers", "it was done after its caller was told that nothing was saved"));
        }
        let mut adopted = Err(Failure::new("undo", "it takes back what was never done"));
        for (mut expected, outcomes, undone) in self.expected(label, asked, before, seen)? {
            let of_account = self.unlisted.iter().filter(|(account, _)| *account == asked.account());
            let unlisted: Vec<_> = of_account.map(|(_, item)| item).collect();
            expected.items.reveal(&before.items, &unlisted, &seen.review);
            adopted = adopt(before, expected, seen).map(|adopted| (adopted, outcomes, undone));
            if adopted.is_ok() {
                break;
            }
        }
        let (adopted, outcomes, undone) = adopted?;
        if let Some(at) = adopted.at {
            // A commit that cannot be seen may have moved the time of the account on by a microsecond.
            let latest = asked.now.max(self.latest_clock + 1_000);
            if at <= before.last_commit_at || at < asked.now || at > latest {
                let last = before.last_commit_at;
                return Err(Failure::new("time", format!("commit at {at}, after {last}, by the clock {}", asked.now)));
            }
        }
        let own = |id: &Uuid| adopted.ids.get(id).copied().unwrap_or(*id);
        let outcomes = outcomes.iter().map(|outcome| match outcome {
            Outcome::Created(id) => Outcome::Created(own(id)),
            Outcome::Updated(id) => Outcome::Updated(own(id)),
            other => *other,
        });
        let outcomes = outcomes.collect();
        self.version += 1;
        self.timelines[asked.account()].push(self.version, adopted.ledger, adopted.states);
        if let Some(asked) = self.asked.get_mut(&label) {
            asked.applied = Some(outcomes);
            asked.undone = undone;
            asked.applied_at = Some(self.version);
        }
        Ok(())
    }

    /// A request whose results leave something for review, and change no client. That is no commit.
    fn waits(&mut self, label: u32, asked: &Asked, seen: &Observed) -> Result<(), Failure> {
        let before = self.timelines[asked.account()].now();
        let Doing::Write { drafts, is_settling, plan, .. } = &asked.doing else { return Ok(()) };
        self.check_open(asked, before)?;
        self.check_once(label, asked)?;
        let (mut expected, outcomes) = before.decide_as(drafts, *is_settling, self.sender(asked));
        if let Some(plan) = plan {
            Self::check_plan(plan, asked, before, &outcomes)?;
        }
        expected.items.keep_unseen(&before.items, asked.begun, &seen.review);
        if !expected.is_like(before) {
            return Err(Failure::new("whole", format!("request {label} keeps what waits for review and nothing else")));
        }
        let adopted = adopt(before, expected, seen)?;
        self.version += 1;
        self.timelines[asked.account()].push(self.version, adopted.ledger, adopted.states);
        Ok(())
    }

    fn check_open(&self, asked: &Asked, before: &Ledger) -> Result<(), Failure> {
        let Doing::Write { caller, batch, .. } = &asked.doing else { return Ok(()) };
        let is_open = if batch.is_some() { !before.is_suspended } else { before.admits(caller.1) };
        if is_open {
            return Ok(());
        }
        Err(Failure::new("nobody let in", "it changed clients with a key that opens nothing"))
    }

    fn sender(&self, asked: &Asked) -> Sender {
        let request = asked.request_id.as_ref().and_then(|id| id.parse().ok()).unwrap_or_default();
        Sender { request, now: asked.now, version: self.version + 1 }
    }

    /// The account as it may be after the request, what it came to, and what was undone.
    fn expected(&self, label: u32, asked: &Asked, before: &Ledger, seen: &Observed) -> Result<Vec<Expected>, Failure> {
        let (after, outcomes) = match &asked.doing {
            Doing::Write { drafts, is_settling, plan, batch, .. } => {
                self.check_open(asked, before)?;
                if batch.is_some_and(|batch| before.sent_rows(batch.import) != batch.from) {
                    return Err(Failure::new("once", "a batch of an import is saved that does not begin where it is"));
                }
                if *is_settling && !drafts.iter().all(|draft| draft.can_settle()) {
                    return Err(Failure::new("true answers", "it settled a case that says too little"));
                }
                self.check_once(label, asked)?;
                let (mut after, outcomes) = before.decide_as(drafts, *is_settling, self.sender(asked));
                after.items.keep_unseen(&before.items, asked.begun, &seen.review);
                if let Some(plan) = plan {
                    Self::check_plan(plan, asked, before, &outcomes)?;
                }
                if let Some(batch) = batch {
                    after.imports.insert(batch.import, batch.from + batch.rows);
                }
                (after, outcomes)
            }
            Doing::Undo(undoing) if !undoing.dry_run => {
                let undone = self.undone(asked, undoing, seen).into_iter();
                return Ok(undone.map(|undone| (undone.ledger.clone(), Vec::new(), Some(undone))).collect());
            }
            Doing::Decide(_, item, decision) => match before.resolve(*item, *decision, self.version + 1) {
                Ok((after, None)) => (after, Vec::new()),
                Ok((after, Some(client))) => {
                    let is_new = is_placeholder(client);
                    (after, vec![if is_new { Outcome::Created(client) } else { Outcome::Updated(client) }])
                }
                Err(_) => return Err(Failure::new("review", "it was decided what cannot be")),
            },
            Doing::Suspend(_, on) => (Ledger { is_suspended: *on, ..before.clone() }, Vec::new()),
            Doing::Revoke(caller) => {
                let mut after = before.clone();
                after.revoked[caller.1] = true;
                (after, Vec::new())
            }
            Doing::Erase(_, client) => (before.without(*client), Vec::new()),
            Doing::MailOn(_, client) => (before.mailing(*client), Vec::new()),
            Doing::Preview(..) | Doing::Undo(_) => {
                return Err(Failure::new("whole", "a dry run changed something"));
            }
            Doing::Read(_) | Doing::History(_) | Doing::Me(_) | Doing::Show(..) => {
                return Err(Failure::new("whole", "a read changed something"));
            }
        };
        Ok(vec![(after, outcomes, None)])
    }

    /// What the undo that a request is may do, without clients that were erased after they had been removed.
    fn undone(&self, asked: &Asked, undoing: &Undoing, seen: &Observed) -> Vec<Undone> {
        let is_there = |id: &Uuid| !self.may_be_erased.contains(id) || seen.clients.iter().any(|one| one.id == *id);
        let before = self.timelines[undoing.account].now();
        let mut may_be = self.may_undo(asked, undoing, self.version, self.version + 1);
        for undone in &mut may_be {
            undone.ledger.people.retain(|id, _| before.people.contains_key(id) || is_there(id));
        }
        may_be
    }

    /// A request under an `Idempotency-Key` whose answer is kept changes nothing.
    fn check_once(&self, label: u32, asked: &Asked) -> Result<(), Failure> {
        let kept = self.same_key(label, asked).find(|(_, other)| self.is_kept(asked, other));
        match kept {
            None => Ok(()),
            Some((other, _)) => {
                Err(Failure::new("once", format!("it was done, though the answer of {other} is kept under its key")))
            }
        }
    }

    /// The other requests of the account under the same `Idempotency-Key`.
    pub(super) fn same_key(&self, label: u32, asked: &Asked) -> impl Iterator<Item = (u32, &Asked)> {
        let key = match &asked.doing {
            Doing::Write { caller, once: Some(once), .. } => Some((caller.0, *once)),
            _ => None,
        };
        self.asked.iter().map(|(other, asked)| (*other, asked)).filter(move |(other, asked)| {
            let is_of_key =
                matches!(&asked.doing, Doing::Write { caller, once: Some(once), .. } if Some((caller.0, *once)) == key);
            *other != label && is_of_key
        })
    }

    /// Whether a stored answer must still exist for a request with the same key: it was saved before this
    /// request began, or with its change; its 24 hours have passed on no clock (rule I3); and no client
    /// that it may name was erased.
    fn is_kept(&self, asked: &Asked, other: &Asked) -> bool {
        let was_answered = other.ended.is_some_and(|ended| ended <= asked.begun) && other.answered.is_some();
        let Some(outcomes) = other.applied.as_ref().or(other.answered.as_ref().filter(|_| was_answered)) else {
            return false;
        };
        let timeline = &self.timelines[asked.account()];
        let may_be_erased = |id: &Uuid| timeline.is_erased(*id, usize::MAX) || self.may_be_erased.contains(id);
        let may_name_erased = outcomes.iter().any(|outcome| match outcome {
            Outcome::Created(id) | Outcome::Updated(id) => may_be_erased(id),
            Outcome::Conflict => timeline.everybody().iter().any(may_be_erased),
            Outcome::Nameless => false,
        });
        self.latest_clock < other.now + DAY_MICROS && !may_name_erased
    }

    /// Whether a saved answer may still be given at the time of a request.
    pub(super) fn may_be_kept(asked: &Asked, other: &Asked) -> bool {
        asked.now < other.now + DAY_MICROS
    }
}

/// Whether an account is as the model has it.
pub(super) fn is_same(ledger: &Ledger, seen: &Observed) -> bool {
    is_like(ledger, seen) && ledger.items.listed(&ledger.people) == seen.review
}

/// Whether an account is as the model has it, but for what waits for review.
fn is_like(ledger: &Ledger, seen: &Observed) -> bool {
    let people = ledger.people.iter();
    let aliases = people.flat_map(|(id, person)| {
        let others = person.aliases.keys().filter(|alias| **alias != person.values[ID]);
        others.map(|alias| (*alias, *id))
    });
    aliases.collect::<BTreeSet<_>>() == seen.aliases
        && seen.import.is_none_or(|(import, rows)| ledger.sent_rows(import) == rows)
        && ledger.is_suspended == seen.is_suspended
        && ledger.revoked == seen.revoked
        && ledger.people.len() == seen.clients.len()
        && seen.clients.iter().all(|client| {
            ledger.people.get(&client.id).is_some_and(|person| {
                let times = (client.created_at.micros(), client.updated_at.micros());
                person.fields() == client.fields && (person.created_at, person.updated_at) == times
            })
        })
        && settlements_of(seen) == known_settlements(ledger)
}

/// Whose, which, its date, and when it began and changed.
type Settlements = BTreeSet<(Uuid, Uuid, Option<NaiveDate>, i64, i64)>;

fn settlements_of(seen: &Observed) -> Settlements {
    let one = |entry: &SettlementEntry| {
        let times = (entry.begun_at.micros(), entry.changed_at.micros());
        (entry.client_id, entry.id, Some(entry.settled_on), times.0, times.1)
    };
    seen.settlements.iter().map(one).collect()
}

fn known_settlements(ledger: &Ledger) -> Settlements {
    let people = ledger.people.iter();
    let one = |client: Uuid, known: &Settlement| (client, known.id, date(known.date), known.begun_at, known.changed_at);
    people.flat_map(|(id, person)| person.settlements.iter().map(|known| one(*id, known))).collect()
}

/// What the model takes over from what is seen: ids and times.
struct Adopted {
    ledger: Ledger,
    states: Vec<Client>,
    /// The ids of new people, by their placeholders.
    ids: BTreeMap<Uuid, Uuid>,
    at: Option<i64>,
}

/// Takes ids and times over, and holds all else to be what is expected.
fn adopt(before: &Ledger, expected: Ledger, seen: &Observed) -> Result<Adopted, Failure> {
    let half = |sentence: String| Failure::new("whole", sentence);
    let mut ledger = Ledger { people: BTreeMap::new(), ..expected.clone() };
    let (mut ids, mut states, mut times) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
    for (id, mut person) in expected.people {
        let is_it = |client: &&Client| {
            let is_new = !before.people.contains_key(&client.id) && !ledger.people.contains_key(&client.id);
            if is_placeholder(id) { is_new && client.fields == person.fields() } else { client.id == id }
        };
        let client = seen.clients.iter().find(is_it).ok_or_else(|| half(format!("a client is lost: {person:?}")))?;
        if client.fields != person.fields() {
            return Err(half(format!("a client should be {person:?} and is {client:?}")));
        }
        let known = before.people.get(&id);
        if let Some(known) = known.filter(|known| known.reads_like(&person)) {
            if (client.created_at.micros(), client.updated_at.micros()) != (known.created_at, known.updated_at) {
                return Err(half(format!("a client that nothing changed for has moved: {client:?}")));
            }
        } else {
            person.updated_at = client.updated_at.micros();
            for (alias, given_at) in &mut person.aliases {
                if known.is_none_or(|known| !known.aliases.contains_key(alias)) {
                    *given_at = person.updated_at;
                }
            }
            person.created_at = match known {
                // Who comes back keeps the time.
                None if !is_placeholder(id) => person.created_at,
                None => person.updated_at,
                Some(known) => known.created_at,
            };
            if client.created_at.micros() != person.created_at {
                return Err(half(format!("a client's beginning has moved: {client:?}")));
            }
            times.insert(person.updated_at);
            states.push(client.clone());
        }
        let saved = known.map(|known| known.settlements.as_slice()).unwrap_or_default();
        // Each entry is taken once.
        let mut taken: BTreeSet<Uuid> = saved.iter().map(|known| known.id).collect();
        for settlement in person.settlements.iter_mut().filter(|settlement| !saved.contains(settlement)) {
            let is_new = settlement.id.is_nil();
            let mut entries = seen.settlements.iter().filter(|entry| entry.client_id == client.id);
            let entry = entries.find(|entry| match is_new {
                true => !taken.contains(&entry.id) && Some(entry.settled_on) == date(settlement.date),
                false => entry.id == settlement.id,
            });
            let entry = entry.ok_or_else(|| half(format!("a settlement is lost: {settlement:?}")))?;
            settlement.id = entry.id;
            taken.insert(entry.id);
            settlement.changed_at = entry.changed_at.micros();
            if is_new {
                settlement.begun_at = settlement.changed_at;
            }
            times.insert(settlement.changed_at);
        }
        ids.insert(id, client.id);
        ledger.people.insert(client.id, person);
    }
    if times.len() > 1 {
        return Err(half(format!("one commit has several times: {times:?}")));
    }
    ledger.items.adopt(&ids, &seen.review);
    let at = times.first().copied();
    ledger.last_commit_at = at.unwrap_or(before.last_commit_at);
    if is_same(&ledger, seen) {
        return Ok(Adopted { ledger, states, ids, at });
    }
    Err(half(format!("it should be {ledger:?}")))
}
