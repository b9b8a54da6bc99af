//! What a writer changed lately: so that it can tell, without a look, whether a change that was decided
//! beside it saw what is there now (S5).
//!
//! A decision depends on whom its wants meet: on who has their external ids and who their names and places,
//! and on what these clients are. So of a client that changes is noted that it did, for those who saw it, and
//! by what it is found now where that is new, for those who did not. Notes are hashes: where two are the same
//! by chance, a decision is made again that need not be.

use std::{
    hash::{BuildHasher as _, Hash},
    sync::{Arc, LazyLock},
};

use foldhash::{HashMap, fast::RandomState};
use matterbook_core::{
    matching::PersonHash,
    store::{ChangeRequest, ChangeSet, SettlementChange, Snapshot},
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    Memory,
    look::Seen,
    roster::{Left, Roster},
    wants_of_strangers,
};
use crate::ground::Ground;

/// The most notes that are kept, some 20 bytes each.
const NOTES_MAX: usize = 50_000;

/// Notes of this long before the last one are kept when there are too many: longer than a change waits for
/// a writer that is not overloaded.
const KEPT_MICROS: i64 = 50_000;

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Something of an account that a decision may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Note(u64);

#[derive(Hash)]
enum Part<'a> {
    ExternalId(&'a str),
    /// A name, or a name and a place.
    Person(PersonHash),
    Client(Uuid),
}

impl Note {
    fn of(ground: &Ground, part: Part<'_>) -> Self {
        Self(HASHER.hash_one((ground.account_id, part)))
    }

    /// What a change set changes.
    fn changed(ground: &Ground, change_set: &ChangeSet) -> Vec<Self> {
        let ChangeSet { created, updated, settlements, saved_answer: _ } = change_set;
        let mut notes = Vec::with_capacity(3 * created.len() + updated.len() + settlements.len());
        let mut is_found_by = |external_id: Option<&str>, person: PersonHash| {
            let by_name = PersonHash { place: None, ..person };
            let persons = [by_name, person].map(|person| Self::of(ground, Part::Person(person)));
            notes.extend(external_id.map(|external_id| Self::of(ground, Part::ExternalId(external_id))));
            notes.extend(persons);
        };
        for client in created {
            is_found_by(client.fields.external_id.as_deref(), client.person);
        }
        for update in updated {
            if let Some(person) = update.found_anew {
                is_found_by(update.after.external_id.as_deref(), person);
            }
        }
        let settled = settlements.iter().map(|change| match change {
            SettlementChange::Begun { client, .. } | SettlementChange::Corrected { client, .. } => *client,
        });
        let changed = updated.iter().map(|update| update.id).chain(settled);
        notes.extend(changed.map(|id| Self::of(ground, Part::Client(id))));
        notes
    }

    /// What a decision depends on.
    pub(super) fn seen(ground: &Ground, request: &ChangeRequest, snapshot: &Snapshot) -> Vec<Self> {
        let mut notes = Vec::with_capacity(2 * request.wants.len() + snapshot.clients.len());
        let external_ids = request.wants.iter().filter_map(|want| want.external_id.as_deref());
        notes.extend(external_ids.map(|id| Self::of(ground, Part::ExternalId(id))));
        let persons = wants_of_strangers(request, snapshot).map(|want| want.person.hash());
        notes.extend(
            persons.filter(|person| person.name.is_some()).map(|person| Self::of(ground, Part::Person(person))),
        );
        notes.extend(snapshot.clients.iter().map(|client| Self::of(ground, Part::Client(client.id))));
        notes
    }
}

/// The changes of the last commits of one writer.
#[derive(Default)]
pub struct RecentChanges {
    /// Of each account the commits of which all changes are noted: those after the first time, up to the
    /// second.
    spans: HashMap<i64, (Timestamp, Timestamp)>,
    /// When each was changed last.
    changed_at: HashMap<u64, Timestamp>,
    roster: Arc<Roster>,
}

/// What a commit comes to for whoever decides the next one.
pub(super) struct Changes {
    notes: Vec<Note>,
    left: Left,
}

impl Changes {
    /// Those of a change set, beside clients that it leaves as they are.
    pub(super) fn of(ground: &Ground, change_set: &ChangeSet, mut left: Left) -> Self {
        left.add(change_set);
        Self { notes: Note::changed(ground, change_set), left }
    }
}

impl RecentChanges {
    /// Those of a writer that keeps this roster.
    #[must_use]
    pub fn beside(roster: Arc<Roster>) -> Self {
        Self { roster, ..Self::default() }
    }

    /// Forgets everything, and so does the roster: before a rollback, since what is noted will never have
    /// happened.
    pub fn clear(&mut self) {
        self.spans.clear();
        self.changed_at.clear();
        self.roster.clear();
    }

    /// Notes what a commit at a time changes, which is about to be made on this ground.
    pub(super) fn note(&mut self, ground: &Ground, at: Timestamp, Changes { notes, left }: &Changes) {
        self.roster.note(ground, at, left);
        if self.changed_at.len() > NOTES_MAX {
            self.forget_before(Timestamp::from_micros(at.micros() - KEPT_MICROS));
        }
        let span = self.spans.entry(ground.account_id).or_insert((ground.last_commit_at, at));
        if span.1 != ground.last_commit_at {
            // Somebody else committed in between.
            span.0 = ground.last_commit_at;
        }
        span.1 = at;
        self.changed_at.extend(notes.iter().map(|note| (note.0, at)));
    }

    /// Whether nothing of what was seen of an account on one ground was changed up to another. `false` where
    /// that is not known.
    pub(super) fn are_none_of(&self, seen: &[Note], before: &Ground, now: &Ground) -> bool {
        if before.last_commit_at == now.last_commit_at {
            return true;
        }
        let is_noted =
            |(since, until): &(Timestamp, Timestamp)| *since <= before.last_commit_at && *until == now.last_commit_at;
        let is_untouched =
            |note: &Note| self.changed_at.get(&note.0).is_none_or(|changed_at| *changed_at <= before.last_commit_at);
        self.spans.get(&now.account_id).is_some_and(is_noted) && seen.iter().all(is_untouched)
    }

    fn forget_before(&mut self, time: Timestamp) {
        self.changed_at.retain(|_, at| *at > time);
        if self.changed_at.len() > NOTES_MAX / 2 {
            return self.clear();
        }
        self.spans.retain(|_, (since, until)| {
            *since = time.max(*since);
            *until > time
        });
    }
}

impl Memory for RecentChanges {
    fn roster(&self) -> Option<&Roster> {
        Some(&self.roster)
    }

    fn note_seen(&self, seen: &Seen) {
        self.roster.note_seen(&seen.found.ground, &seen.left);
    }

    fn note_change(&mut self, ground: &Ground, at: Timestamp, change_set: &ChangeSet) {
        self.note(ground, at, &Changes::of(ground, change_set, Left::default()));
    }
}
