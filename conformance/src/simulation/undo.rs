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
    universe::{CASE, CITY, ID, NAME, OPENED, SETTLED, STREET, ZIP, external_id},
};

/// Fields that change, each with the value before and after.
type Fields = BTreeMap<String, [Value; 2]>;
/// A client, a field or the whole client, and the reason.
type Left = BTreeSet<(Uuid, Option<String>, String)>;

/// The fields of a client in JSON, each with its place among the values; `do_not_mail` has none.
const NAMED: [(&str, Option<usize>); 10] = [
    ("external_id", Some(ID)),
    ("first_name", Some(NAME)),
    ("last_name", Some(NAME)),
    ("address_line1", Some(STREET)),
    ("zip", Some(ZIP)),
    ("city", Some(CITY)),
    ("case_type", Some(CASE)),
    ("opened_on", Some(OPENED)),
    ("settled_on", Some(SETTLED)),
    ("do_not_mail", None),
];

/// What an undo does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Undone {
    /// The account after it.
    pub(super) ledger: Ledger,
    /// The version of the change that it takes back.
    change: usize,
    /// The clients that the change created and changed.
    counts: [usize; 2],
    clients: BTreeMap<Uuid, (&'static str, Fields)>,
    left: Left,
    /// The item about which the change decided, and whether it waits.
    item: Option<(Uuid, bool)>,
}

/// One state of a client.
struct State<'l> {
    person: &'l Person,
    /// The version that it came with.
    since: usize,
    /// The client began with it, or came back with it.
    is_first: bool,
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

/// The alias that was given or taken, as a change of the external id.
pub(super) fn alias_differences(before: &BTreeSet<u8>, after: &BTreeSet<u8>) -> Fields {
    let given = after.difference(before).map(|alias| [Value::Null, json!(external_id(*alias))]);
    let taken = before.difference(after).map(|alias| [json!(external_id(*alias)), Value::Null]);
    given.chain(taken).map(|change| ("external_id".to_owned(), change)).collect()
}

/// The fields of a list of changes in JSON.
pub(super) fn fields_of(changed: &Value) -> Fields {
    let name = |change: &Value| change["field"].as_str().unwrap_or_default().to_owned();
    let changes = changed.as_array().into_iter().flatten();
    changes.map(|change| (name(change), [change["from"].clone(), change["to"].clone()])).collect()
}

fn aliases(person: Option<&Person>) -> BTreeSet<u8> {
    person.map(|person| person.aliases.keys().copied().collect()).unwrap_or_default()
}

impl Person {
    fn differs(&self, other: &Self, place: Option<usize>) -> bool {
        place.map_or(self.do_not_mail != other.do_not_mail, |place| self.values[place] != other.values[place])
    }
}

impl Undone {
    fn act(&mut self, id: Uuid, action: &'static str, before: Option<&Person>, after: Option<&Person>) {
        let record = |person: &Person| shown(&person.client(id));
        let mut fields = differences(before.map(record).as_ref(), after.map(record).as_ref());
        if action == "update" {
            fields.extend(alias_differences(&aliases(before), &aliases(after)));
        }
        self.clients.insert(id, (action, fields));
    }

    fn leave(&mut self, id: Uuid, field: Option<&str>, reason: &str) {
        self.left.insert((id, field.map(str::to_owned), reason.to_owned()));
    }

    /// A client that the change, or a batch of its import, created or brought back. Says whether fields of it may still
    /// go back.
    fn take_created(&mut self, id: Uuid, now: &Person, is_untouched: bool, next: usize) {
        if !is_untouched {
            return self.leave(id, None, "changed_since");
        }
        if now.values[SETTLED] != 0 {
            return self.leave(id, None, "settlement");
        }
        self.act(id, "remove", Some(now), None);
        self.ledger.people.remove(&id);
        if now.do_not_mail {
            for identity in now.identities() {
                self.ledger.tombstones.insert(identity, true);
            }
        }
        self.ledger.removed.insert(id, (now.clone(), next));
    }

    /// A client that the change touched; `states` are all its states, the present one last.
    fn take(&mut self, id: Uuid, states: &[State<'_>], own: &BTreeSet<usize>, now: &Ledger, next: usize) {
        let is_own = |state: &State<'_>| own.contains(&state.since);
        // A later batch of the import takes care of a client that it touched.
        let Some(last) = states.iter().rposition(is_own).filter(|last| states[*last].since == self.change) else {
            return;
        };
        let Some(present) = states.last().map(|state| state.person) else { return };
        if states.iter().any(|state| state.is_first && is_own(state)) {
            let is_untouched = states.iter().all(is_own);
            self.take_created(id, present, is_untouched, next);
            if is_untouched || states[last].is_first {
                return;
            }
        }
        let mut person = present.clone();
        for (name, place) in NAMED {
            let writes = states.iter().zip(states.iter().skip(1));
            let writes = writes.filter(|(before, after)| after.person.differs(before.person, place));
            let writes: Vec<_> = writes.map(|(before, after)| (before.person, is_own(after))).collect();
            let is_written = writes.last().is_some_and(|(_, is_own)| !is_own);
            let mut own_writes =
                writes.iter().rev().skip_while(|(_, is_own)| !is_own).take_while(|(_, is_own)| *is_own);
            let Some((before, _)) = own_writes.by_ref().last() else { continue };
            if !present.differs(before, place) {
                continue;
            }
            let holder = now.with_id(Some(before.values[ID]));
            match place {
                _ if is_written => self.leave(id, Some(name), "changed_since"),
                Some(SETTLED) => self.leave(id, Some(name), "settlement"),
                None if present.do_not_mail => self.leave(id, Some(name), "do_not_mail"),
                Some(ID) if holder.is_some_and(|holder| holder != id) => {
                    self.leave(id, Some(name), "external_id_taken");
                }
                Some(place) => person.values[place] = before.values[place],
                None => person.do_not_mail = before.do_not_mail,
            }
        }
        if let Some(before) = last.checked_sub(1) {
            self.take_aliases(id, &mut person, &states[before..], now);
        }
        if !person.reads_like(present) {
            self.act(id, "update", Some(present), Some(&person));
            self.ledger.people.insert(id, person);
        }
    }

    /// Aliases that the change gave or took; the states begin with that before the change.
    fn take_aliases(&mut self, id: Uuid, person: &mut Person, states: &[State<'_>], now: &Ledger) {
        let [before, changed, ..] = states else { return };
        let [before, after] = [before, changed].map(|state| aliases(Some(state.person)));
        for alias in after.difference(&before) {
            if states.iter().skip(1).all(|state| state.person.aliases.contains_key(alias)) {
                person.aliases.remove(alias);
            } else {
                self.leave(id, Some("external_id"), "changed_since");
            }
        }
        for alias in before.difference(&after) {
            match now.with_id(Some(*alias)) {
                Some(holder) if holder == id => self.leave(id, Some("external_id"), "changed_since"),
                Some(_) => self.leave(id, Some("external_id"), "external_id_taken"),
                None => drop(person.aliases.insert(*alias, 0)),
            }
        }
    }

    /// Clients that the change removed.
    fn restore(&mut self, now: &Ledger, since: i64) {
        let change = self.change;
        for (id, (person, _)) in now.removed.iter().filter(|(_, (_, version))| *version == change) {
            if now.with_id(Some(person.values[ID])).is_some() {
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
        self.item.is_none() && self.clients.keys().all(|id| may_be_erased.contains(id))
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
        let item = self.item.map_or(Value::Null, |(id, waits)| json!({"id": id.to_string(), "waits": waits}));
        undo["review"] == item
            && [&change["created"], &change["changed"]] == self.counts.map(|count| json!(count)).each_ref()
            && undo["dry_run"] == json!(undoing.dry_run)
            && clients.filter(|(id, _)| is_certain(id)).collect::<BTreeMap<_, _>>() == expected
            && left.filter(|(id, ..)| is_certain(id)).collect::<Left>() == expected_left
    }
}

impl Timeline {
    /// What an undo of the change of a version comes to at a later one; it is to be the version `next`. Of a batch of an
    /// import, `own` are the versions of all its batches.
    pub(super) fn undone(&self, change: usize, own: &BTreeSet<usize>, version: usize, next: usize) -> Option<Undone> {
        let ledgers: Vec<_> = self.ledgers.iter().filter(|(since, _)| *since <= version).collect();
        let place = ledgers.iter().position(|(since, _)| *since == change)?;
        let (_, before) = ledgers.get(place.checked_sub(1)?)?;
        let ((_, after), (_, now)) = (ledgers.get(place)?, ledgers.last()?);
        let mut undone = Undone { ledger: now.clone(), change, ..Undone::default() };
        for (id, changed) in &after.people {
            let earlier = before.people.get(id);
            if earlier.is_some_and(|earlier| earlier.reads_like(changed)) {
                continue;
            }
            undone.counts[usize::from(earlier.is_some())] += 1;
            // What was removed meanwhile has lost its states.
            if ledgers[place..].iter().all(|(_, ledger)| ledger.people.contains_key(id)) {
                undone.take(*id, &states_of(&ledgers, *id), own, now, next);
            }
        }
        undone.restore(now, after.last_commit_at);
        undone.item = undone.ledger.items.turn(change, next);
        Some(undone)
    }
}

/// The states of a client since it came or came back last.
fn states_of<'l>(ledgers: &[&'l (usize, Ledger)], id: Uuid) -> Vec<State<'l>> {
    let mut states: Vec<State<'l>> = Vec::new();
    for (since, ledger) in ledgers {
        match (ledger.people.get(&id), states.last()) {
            (None, _) => states.clear(),
            (Some(person), Some(last)) if last.person.reads_like(person) => {}
            (Some(person), last) => states.push(State { person, since: *since, is_first: last.is_none() }),
        }
    }
    states
}

impl Referee {
    /// The versions of the change that is undone, and of the batches of its import, as of a version.
    fn change_of(&self, undoing: &Undoing, version: usize) -> Option<Target> {
        let is_made = |asked: &&Asked| {
            asked.account() == undoing.account && asked.applied_at.is_some_and(|applied_at| applied_at <= version)
        };
        let Some((import, after)) = &undoing.import else {
            let of = self.asked.get(&undoing.of).filter(is_made)?;
            let change = of.applied_at?;
            return Some(Target { change, own: [change].into(), request: undoing.request_id.clone(), next: None });
        };
        let made = self.asked.values().filter(is_made);
        let of_import = made.filter(|asked| asked.import().is_some_and(|batch| batch.import == *import));
        let batches: BTreeMap<_, _> =
            of_import.filter_map(|asked| Some((asked.request_id.clone()?, asked.applied_at?))).collect();
        let own = batches.values().copied().collect();
        let left: Vec<_> =
            batches.iter().filter(|(request, _)| after.as_ref().is_none_or(|after| *request < after)).collect();
        let (request, change) = *left.last()?;
        let next = (left.len() > 1).then(|| request.clone());
        Some(Target { change: *change, own, request: request.clone(), next })
    }

    /// What an undo may be taken to do at a version: of an import, the batch may have been found earlier.
    pub(super) fn may_undo(&self, asked: &Asked, undoing: &Undoing, version: usize, next: usize) -> Vec<Undone> {
        let timeline = &self.timelines[undoing.account];
        let found = asked.seen.iter().chain([&version]).filter_map(|seen| self.change_of(undoing, *seen));
        let changes: BTreeSet<usize> = found.map(|target| target.change).collect();
        let own = self.change_of(undoing, version).map(|target| target.own).unwrap_or_default();
        let undone = changes.into_iter().filter_map(|change| timeline.undone(change, &own, version, next));
        let mut undone: Vec<_> = undone.collect();
        let mut without_item = undone.clone();
        without_item.retain_mut(|one| {
            one.item.is_some_and(|(item, _)| {
                one.item = None;
                let erased = timeline.erased_of(&self.may_be_erased);
                one.ledger.items.remove_gone(|known| known.id == item, &erased, &self.may_be_gone)
            })
        });
        undone.extend(without_item);
        undone
    }

    /// The answer to an undo says what it did, or would do.
    pub(super) fn undo_answered(
        &mut self,
        label: u32,
        asked: &Asked,
        undoing: &Undoing,
        answered: &Answered,
    ) -> Result<(), Failure> {
        // A commit that only saves an answer has a record, too.
        let may_be_recorded = undoing.import.is_none()
            && self.asked.get(&undoing.of).is_some_and(|of| {
                of.account() == undoing.account && matches!(of.doing, Doing::Write { once: Some(_), .. })
            });
        let is_never = self.change_of(undoing, usize::MAX).is_none();
        let nothing = may_be_recorded.then(Undone::default).filter(|_| is_never);
        let would: Vec<Undone> = asked.seen.iter().flat_map(|seen| self.may_undo(asked, undoing, *seen, 0)).collect();
        let is_it = |undone: &Undone| {
            let target = asked.seen.iter().filter_map(|seen| self.change_of(undoing, *seen));
            let mut target = target.filter(|target| target.change == undone.change);
            let is_named = target.any(|target| target.is_in(answered)) || undone.change == 0;
            is_named && undone.is_in(answered, undoing, &self.may_be_erased)
        };
        let may_be = |would: &Undone| is_it(would) && (undoing.dry_run || would.is_empty(&self.may_be_erased));
        let is_true = match (answered.status, &asked.undone) {
            (404, done) => done.is_none() && asked.seen.iter().any(|seen| self.change_of(undoing, *seen).is_none()),
            (200, Some(done)) => is_it(done),
            (200, None) => would.iter().chain(&nothing).any(may_be),
            _ => false,
        };
        if !is_true {
            let would: Vec<_> = would.iter().map(|one| (&one.clients, &one.left, one.item)).collect();
            return Err(Failure::new("undo", format!("an undo is answered that does not do so: {would:?}")));
        }
        if let Some(known) = self.asked.get_mut(&label) {
            known.next_batch = answered.body["next_cursor"].as_str().map(str::to_owned);
        }
        Ok(())
    }
}

/// What is undone.
struct Target {
    change: usize,
    own: BTreeSet<usize>,
    request: String,
    /// The cursor of further batches of an import.
    next: Option<String>,
}

impl Target {
    fn is_in(&self, answered: &Answered) -> bool {
        answered.body["change"]["request_id"] == json!(self.request) && answered.body["next_cursor"] == json!(self.next)
    }
}
