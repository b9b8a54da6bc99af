//! The model of an undo (group Q of the specification): what it gives back and what it leaves, from every state of the
//! account since the change.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Failure,
    asked::{Asked, Doing, Undoing},
    ledger::{Ledger, Person},
    pages::shown,
    referee::{Answered, Referee},
    timeline::Timeline,
    universe::{CITY, ID, NAME, SETTLED, STREET, ZIP},
};

/// Fields that change, each with the value before and after.
type Fields = BTreeMap<String, [Value; 2]>;
/// A client, a field or the whole client, and the reason.
type Left = BTreeSet<(Uuid, Option<String>, String)>;

/// The fields of a client in JSON, each with its place among the values; `do_not_mail` has none.
const NAMED: [(&str, Option<usize>); 8] = [
    ("external_id", Some(ID)),
    ("first_name", Some(NAME)),
    ("last_name", Some(NAME)),
    ("address_line1", Some(STREET)),
    ("zip", Some(ZIP)),
    ("city", Some(CITY)),
    ("settled_on", Some(SETTLED)),
    ("do_not_mail", None),
];

/// What an undo does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Undone {
    /// The account after it.
    pub(super) ledger: Ledger,
    /// The clients that the change created and changed.
    counts: [usize; 2],
    clients: BTreeMap<Uuid, (&'static str, Fields)>,
    left: Left,
}

/// The fields in which two records differ.
pub(super) fn differences(before: Option<&Value>, after: Option<&Value>) -> Fields {
    let value = |record: Option<&Value>, name: &str| {
        let nothing = if name == "do_not_mail" { json!(false) } else { Value::Null };
        record.map_or(nothing, |record| record[name].clone())
    };
    let values = NAMED.iter().map(|(name, _)| ((*name).to_owned(), [value(before, name), value(after, name)]));
    values.filter(|(_, [from, to])| from != to).collect()
}

/// The fields of a list of changes in JSON.
pub(super) fn fields_of(changed: &Value) -> Fields {
    let name = |change: &Value| change["field"].as_str().unwrap_or_default().to_owned();
    let changes = changed.as_array().into_iter().flatten();
    changes.map(|change| (name(change), [change["from"].clone(), change["to"].clone()])).collect()
}

impl Person {
    fn differs(&self, other: &Self, place: Option<usize>) -> bool {
        place.map_or(self.do_not_mail != other.do_not_mail, |place| self.values[place] != other.values[place])
    }
}

impl Undone {
    fn act(&mut self, id: Uuid, action: &'static str, before: Option<&Person>, after: Option<&Person>) {
        let record = |person: &Person| shown(&person.client(id));
        let fields = differences(before.map(record).as_ref(), after.map(record).as_ref());
        self.clients.insert(id, (action, fields));
    }

    fn leave(&mut self, id: Uuid, field: Option<&str>, reason: &str) {
        self.left.insert((id, field.map(str::to_owned), reason.to_owned()));
    }

    /// A client that the change created or brought back; `later` are its states since.
    fn take_created(&mut self, id: Uuid, created: &Person, later: &[&Person], next: usize) {
        if later.iter().any(|later| !later.reads_like(created)) {
            return self.leave(id, None, "changed_since");
        }
        if created.values[SETTLED] != 0 {
            return self.leave(id, None, "settlement");
        }
        self.act(id, "remove", Some(created), None);
        self.ledger.people.remove(&id);
        if created.do_not_mail {
            for identity in created.identities() {
                self.ledger.tombstones.insert(identity, true);
            }
        }
        self.ledger.removed.insert(id, (created.clone(), next));
    }

    /// A client that the change changed; `chain` are its states from that change on.
    fn take_changed(&mut self, id: Uuid, before: &Person, chain: &[&Person]) {
        let ([changed, ..], [.., now]) = (chain, chain) else { return };
        let mut person = (*now).clone();
        for (name, place) in NAMED.into_iter().filter(|(_, place)| changed.differs(before, *place)) {
            if !now.differs(before, place) {
                continue;
            }
            let is_written = chain.iter().zip(chain.iter().skip(1)).any(|(one, next)| one.differs(next, place));
            let is_taken = place == Some(ID) && self.has_id(before, id);
            match place {
                _ if is_written => self.leave(id, Some(name), "changed_since"),
                Some(SETTLED) => self.leave(id, Some(name), "settlement"),
                None if changed.do_not_mail => self.leave(id, Some(name), "do_not_mail"),
                _ if is_taken => self.leave(id, Some(name), "external_id_taken"),
                Some(place) => person.values[place] = before.values[place],
                None => person.do_not_mail = before.do_not_mail,
            }
        }
        if !person.reads_like(now) {
            self.act(id, "update", Some(now), Some(&person));
            self.ledger.people.insert(id, person);
        }
    }

    /// Whether another client has the external id of a person.
    fn has_id(&self, person: &Person, id: Uuid) -> bool {
        let mut others = self.ledger.people.iter().filter(|(other, _)| **other != id);
        person.values[ID] != 0 && others.any(|(_, other)| other.values[ID] == person.values[ID])
    }

    /// Clients that the change removed.
    fn restore(&mut self, now: &Ledger, change: usize, since: i64) {
        for (id, (person, _)) in now.removed.iter().filter(|(_, (_, version))| *version == change) {
            if self.has_id(person, *id) {
                self.leave(*id, None, "external_id_taken");
                continue;
            }
            if now.meets(person, since) {
                self.leave(*id, None, "sent_again");
                continue;
            }
            self.act(*id, "restore", None, Some(person));
            self.ledger.removed.remove(id);
            self.ledger.people.insert(*id, person.clone());
        }
    }

    /// Whether it does nothing but bring back clients that may be erased.
    fn is_empty(&self, may_be_erased: &BTreeSet<Uuid>) -> bool {
        self.clients.keys().all(|id| may_be_erased.contains(id))
    }

    /// Whether an answer says this, but for clients that may be erased.
    fn is_in(&self, answered: &Answered, undoing: &Undoing, may_be_erased: &BTreeSet<Uuid>) -> bool {
        let (change, undo) = (&answered.body["change"], &answered.body["undo"]);
        let id = |one: &Value| one["id"].as_str().and_then(|id| id.parse::<Uuid>().ok()).unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let is_certain = |id: &Uuid| !may_be_erased.contains(id);
        let clients = undo["clients"].as_array().into_iter().flatten();
        let clients = clients.map(|one| (id(one), (text(&one["action"]), fields_of(&one["changed"]))));
        let expected = self.clients.iter().map(|(id, (action, fields))| (*id, ((*action).to_owned(), fields.clone())));
        let expected: BTreeMap<_, _> = expected.filter(|(id, _)| is_certain(id)).collect();
        let left = undo["left"].as_array().into_iter().flatten();
        let left = left.map(|one| (id(one), one["field"].as_str().map(str::to_owned), text(&one["reason"])));
        let expected_left: Left = self.left.iter().filter(|(id, ..)| is_certain(id)).cloned().collect();
        change["request_id"] == json!(undoing.request_id)
            && [&change["created"], &change["changed"]] == self.counts.map(|count| json!(count)).each_ref()
            && undo["dry_run"] == json!(undoing.dry_run)
            && clients.filter(|(id, _)| is_certain(id)).collect::<BTreeMap<_, _>>() == expected
            && left.filter(|(id, ..)| is_certain(id)).collect::<Left>() == expected_left
    }
}

impl Timeline {
    /// What an undo of the change of a version comes to at a later one; it is to be the version `next`.
    pub(super) fn undone(&self, change: usize, version: usize, next: usize) -> Option<Undone> {
        let place = self.ledgers.iter().position(|(since, _)| *since == change && change <= version)?;
        let (_, before) = self.ledgers.get(place.checked_sub(1)?)?;
        let since = self.ledgers.get(place..)?.iter().filter(|(since, _)| *since <= version);
        let ledgers: Vec<&Ledger> = since.map(|(_, ledger)| ledger).collect();
        let ([after, ..], [.., now]) = (ledgers.as_slice(), ledgers.as_slice()) else { return None };
        let mut undone = Undone { ledger: (*now).clone(), ..Undone::default() };
        for (id, changed) in &after.people {
            let earlier = before.people.get(id);
            if earlier.is_some_and(|earlier| earlier.reads_like(changed)) {
                continue;
            }
            undone.counts[usize::from(earlier.is_some())] += 1;
            // What was removed meanwhile has lost its states.
            let Some(chain) = ledgers.iter().map(|ledger| ledger.people.get(id)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            match earlier {
                None => undone.take_created(*id, changed, &chain[1..], next),
                Some(earlier) => undone.take_changed(*id, earlier, &chain),
            }
        }
        undone.restore(now, change, after.last_commit_at);
        Some(undone)
    }
}

impl Referee {
    /// The version of the change that is undone, if it is one of the account.
    pub(super) fn change_of(&self, undoing: &Undoing) -> Option<usize> {
        let of = self.asked.get(&undoing.of).filter(|of| of.account() == undoing.account);
        of.and_then(|of| of.applied_at)
    }

    /// The answer to an undo says what it did, or would do.
    pub(super) fn undo_answered(&self, asked: &Asked, undoing: &Undoing, answered: &Answered) -> Result<(), Failure> {
        let timeline = &self.timelines[undoing.account];
        let change = self.change_of(undoing);
        // A commit that only saves an answer has a record, too.
        let may_be_recorded = self.asked.get(&undoing.of).is_some_and(|of| {
            of.account() == undoing.account && matches!(of.doing, Doing::Write { once: Some(_), .. })
        });
        let nothing = may_be_recorded.then(Undone::default).filter(|_| change.is_none());
        let at = |version: &usize| change.and_then(|change| timeline.undone(change, *version, 0));
        let mut would = asked.seen.iter().filter_map(at).chain(nothing);
        let is_it = |undone: &Undone| undone.is_in(answered, undoing, &self.may_be_erased);
        let is_true = match (answered.status, &asked.undone) {
            (404, done) => done.is_none() && asked.seen.iter().any(|version| change.is_none_or(|at| at > *version)),
            (200, Some(done)) => is_it(done),
            (200, None) => would.any(|would| is_it(&would) && (undoing.dry_run || would.is_empty(&self.may_be_erased))),
            _ => false,
        };
        let failure = || {
            let would: Vec<_> = asked.seen.iter().filter_map(at).map(|one| (one.clients, one.left)).collect();
            Failure::new("undo", format!("an undo is answered that does not do so: {would:?}"))
        };
        if is_true { Ok(()) } else { Err(failure()) }
    }
}
