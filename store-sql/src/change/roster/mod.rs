//! Clients as the last commit of their account left them, for a host with one writer: so that whom an external
//! id finds unchanged, as it does most of a nightly sync's, is found without a look into the database. Of an
//! account that is known since before its first commit nobody is missing, so whoever is new, as everybody is in
//! a firm's first import, is known to be without a look as well.
//!
//! What is kept of an account is true at one commit of it, and a look uses it only where it finds the account at
//! just that commit. Each commit of any process gives the account a later time. Those of this writer are taken in
//! just before they are made, when nobody can see the account at their time yet; after any other, what was kept
//! is no longer used.

mod account;
mod hashes;
mod left;

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;
use matterbook_core::time::Timestamp;

pub(super) use account::Kept;
pub(super) use left::Left;

use account::{Account, Room, Told};

use super::{Memory, wanted::Wanted};
use crate::ground::Ground;

/// The most accounts of which clients are kept, so that many small ones stay small too.
const ACCOUNTS_MAX: usize = 1_000;

/// The clients that are kept, of every account. Shared between a writer's [`RecentChanges`](super::RecentChanges)
/// and those who [propose](crate::SqlStore::propose) beside it.
#[derive(Default)]
pub struct Roster(Mutex<HashMap<i64, Account>>);

impl Roster {
    /// Forgets everything: before a rollback, since what was taken in will never have happened.
    pub(super) fn clear(&self) {
        self.accounts().clear();
    }

    /// Of what is wanted on this ground, those who are just as their wants say; and what somebody else may be.
    pub(super) fn find<'w>(
        &self,
        ground: &Ground,
        wanted: Vec<Wanted<'w>>,
    ) -> (Vec<(Wanted<'w>, Kept)>, Vec<Wanted<'w>>) {
        let accounts = self.accounts();
        let current = accounts.get(&ground.account_id).filter(|kept| kept.last_commit_at == ground.last_commit_at);
        let Some(account) = current else { return (Vec::new(), wanted) };
        let mut found = Vec::with_capacity(wanted.len());
        let mut others = Vec::new();
        for wanted in wanted {
            match account.tell(&wanted) {
                Told::Same(kept) => found.push((wanted, kept)),
                Told::Nobody => {}
                Told::Nothing => others.push(wanted),
            }
        }
        (found, others)
    }

    /// Keeps what a look saw on this ground; `false` where a later commit was noted meanwhile.
    pub(super) fn note_seen(&self, ground: &Ground, seen: &Left) -> bool {
        self.note(ground, ground.last_commit_at, seen)
    }

    /// Keeps what a commit at a time leaves, which is about to be made on this ground; `false` where a later one
    /// was noted meanwhile.
    pub(super) fn note(&self, ground: &Ground, at: Timestamp, left: &Left) -> bool {
        let mut accounts = self.accounts();
        let mut account = match accounts.remove(&ground.account_id) {
            Some(later) if later.last_commit_at > ground.last_commit_at => {
                accounts.insert(ground.account_id, later);
                return false;
            }
            Some(kept) if kept.last_commit_at == ground.last_commit_at => kept,
            // Nothing is kept, or somebody else committed in between.
            _ => Account::at(ground.last_commit_at),
        };
        if accounts.len() >= ACCOUNTS_MAX {
            accounts.clear();
        }
        let mut is_whole = account.take_in(at, left, &Room::beside(&accounts));
        if !is_whole && !accounts.is_empty() {
            // Whoever posts now needs the room.
            accounts.clear();
            is_whole = account.take_in(at, left, &Room::beside(&accounts));
        }
        if !is_whole {
            account.persons = None;
        }
        accounts.insert(ground.account_id, account);
        true
    }

    /// Nothing panics while the lock is held, so what a poisoned one guards is whole.
    fn accounts(&self) -> MutexGuard<'_, HashMap<i64, Account>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What those who propose remember.
impl Memory for Roster {
    fn roster(&self) -> Option<&Roster> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use matterbook_core::{
        SmolStr,
        client::{Client, ClientFields, Fingerprint},
        matching::PersonHash,
        store::Want,
    };
    use uuid::Uuid;

    use super::{
        account::{CLIENTS_MAX, PERSONS_MAX},
        *,
    };

    const SEEN_AT: Timestamp = Timestamp::from_micros(5);

    fn ground(account_id: i64) -> Ground {
        Ground::at(account_id, SEEN_AT)
    }

    /// Clients as they were seen, the fingerprint that of a number.
    fn seen<'i>(external_ids: impl IntoIterator<Item = &'i str>, number: u8) -> Left {
        let client = |external_id: &str| {
            let fields = ClientFields { external_id: Some(external_id.into()), ..ClientFields::default() };
            Client { id: Uuid::nil(), fields, created_at: SEEN_AT, updated_at: SEEN_AT }
        };
        let clients: Vec<_> = external_ids.into_iter().map(client).collect();
        Left::as_they_were(clients.iter().map(|client| (client, Fingerprint([number; 16]))))
    }

    fn numbers(count: usize) -> Vec<String> {
        (0..count).map(|number| number.to_string()).collect()
    }

    /// Those of these wants who are found, and those who have to be searched for.
    fn counts(
        roster: &Roster,
        ground: &Ground,
        external_id: Option<&str>,
        person: PersonHash,
        number: u8,
    ) -> [usize; 2] {
        let external_id = external_id.map(SmolStr::new);
        let want = Want { fingerprint: Some(Fingerprint([number; 16])), ..Want::default() };
        let external_id = external_id.as_ref();
        let wanted = Wanted { place: 0, want: &want, external_id, person, without_external_id: false };
        let (found, others) = roster.find(ground, vec![wanted]);
        [found.len(), others.len()]
    }

    /// Whether a client is found on a ground with the fingerprint of a number; it is searched for otherwise.
    fn is_found(roster: &Roster, ground: &Ground, external_id: &str, number: u8) -> bool {
        let counts = counts(roster, ground, Some(external_id), PersonHash::default(), number);
        assert!(counts == [1, 0] || counts == [0, 1], "{counts:?}");
        counts == [1, 0]
    }

    #[test]
    fn past_the_most_clients_who_is_kept_is_still_kept_as_it_is() {
        let roster = Roster::default();
        let all = numbers(CLIENTS_MAX + 1);
        assert!(roster.note_seen(&ground(1), &seen(all.iter().map(String::as_str), 1)));
        let (first, last) = ("0", CLIENTS_MAX.to_string());
        assert!(is_found(&roster, &ground(1), first, 1));
        assert!(!is_found(&roster, &ground(1), &last, 1), "there was no room for it");
        assert!(roster.note_seen(&ground(1), &seen([first, &last], 2)));
        assert!(is_found(&roster, &ground(1), first, 2) && !is_found(&roster, &ground(1), first, 1));
        assert!(!is_found(&roster, &ground(1), &last, 2));
    }

    #[test]
    fn who_posts_now_gets_the_room_of_others() {
        let roster = Roster::default();
        let all = numbers(CLIENTS_MAX);
        roster.note_seen(&ground(1), &seen(all.iter().map(String::as_str), 1));
        for _ in 0..2 {
            roster.note_seen(&ground(2), &seen(["new"], 1));
        }
        assert!(is_found(&roster, &ground(2), "new", 1) && !is_found(&roster, &ground(1), "0", 1));
        for account_id in 0..2 * i64::try_from(ACCOUNTS_MAX).unwrap() {
            roster.note_seen(&ground(account_id), &seen(["a"], 1));
            assert!(is_found(&roster, &ground(account_id), "a", 1));
        }
        assert!(roster.accounts().len() <= ACCOUNTS_MAX);
    }

    #[test]
    fn what_another_process_made_useless_takes_no_room() {
        let roster = Roster::default();
        let all = numbers(10_000);
        roster.note_seen(&ground(1), &seen(all.iter().map(String::as_str), 1));
        roster.note_seen(&Ground::at(1, Timestamp::from_micros(9)), &seen(["a"], 1));
        let room = roster.accounts().values().map(|account| account.clients.capacity()).sum::<usize>();
        assert!(room < 100, "{room} places for one client");
    }

    #[test]
    fn what_was_seen_before_a_commit_that_is_noted_is_not_kept() {
        let (roster, later) = (Roster::default(), Timestamp::from_micros(9));
        assert!(roster.note(&ground(1), later, &seen(["a"], 2)));
        assert!(!roster.note_seen(&ground(1), &seen(["a", "b"], 1)));
        let now = Ground::at(1, later);
        assert!(is_found(&roster, &now, "a", 2) && !is_found(&roster, &now, "b", 1));
        assert!(!is_found(&roster, &ground(1), "a", 2), "nor shown to who sees the account before it");
    }

    /// Whether somebody of an external id, or of a name at a place, is known to be new to an account.
    fn is_new(roster: &Roster, ground: &Ground, external_id: Option<&str>, name: i64) -> bool {
        let person = if external_id.is_some() { PersonHash::default() } else { person(name) };
        counts(roster, ground, external_id, person, 0) == [0, 0]
    }

    fn person(name: i64) -> PersonHash {
        PersonHash { name: Some(name), place: Some(1) }
    }

    fn before_its_first_commit(account_id: i64) -> Ground {
        Ground::at(account_id, Timestamp::from_micros(0))
    }

    #[test]
    fn who_is_new_is_known_to_be_while_nobody_is_missing() {
        let roster = Roster::default();
        let left = Left { persons: vec![person(1)], ..seen(["a"], 1) };
        assert!(roster.note(&before_its_first_commit(1), SEEN_AT, &left));
        assert!(is_new(&roster, &ground(1), Some("b"), 0) && is_new(&roster, &ground(1), None, 2));
        assert!(!is_new(&roster, &ground(1), Some("a"), 0) && !is_new(&roster, &ground(1), None, 1));
        let nowhere = PersonHash { place: None, ..person(2) };
        assert_eq!(counts(&roster, &ground(1), None, nowhere, 0), [0, 1], "whoever has the name may be it");
        // Another process may have added anybody since.
        let later = Ground::at(1, Timestamp::from_micros(9));
        assert!(!is_new(&roster, &later, Some("b"), 0) && !is_new(&roster, &later, None, 2));
        roster.note_seen(&later, &seen(["a"], 1));
        assert!(!is_new(&roster, &later, Some("b"), 0) && !is_new(&roster, &later, None, 2));
    }

    #[test]
    fn past_the_most_nobody_is_known_to_be_new() {
        let all = numbers(CLIENTS_MAX);
        let most = seen(all.iter().map(String::as_str), 1);
        let roster = Roster::default();
        roster.note(&before_its_first_commit(1), SEEN_AT, &most);
        assert!(is_new(&roster, &ground(1), Some("new"), 0) && is_new(&roster, &ground(1), None, 1));
        // Another account takes the room of this one, and knows of everybody then.
        roster.note(&before_its_first_commit(2), SEEN_AT, &most);
        assert!(is_new(&roster, &ground(2), Some("new"), 0));
        roster.note(&ground(2), SEEN_AT.next(), &seen(["one too many"], 1));
        let now = Ground::at(2, SEEN_AT.next());
        assert!(!is_new(&roster, &now, Some("new"), 0) && !is_new(&roster, &now, None, 1));

        let persons: Vec<_> = (0..=i64::try_from(PERSONS_MAX).unwrap()).map(person).collect();
        let (last, most) = persons.split_last().unwrap();
        let roster = Roster::default();
        roster.note(&before_its_first_commit(1), SEEN_AT, &Left { persons: most.to_vec(), ..Left::default() });
        assert!(is_new(&roster, &ground(1), None, -1));
        let left = Left { persons: vec![*last], ..Left::default() };
        roster.note(&ground(1), SEEN_AT.next(), &left);
        assert!(!is_new(&roster, &Ground::at(1, SEEN_AT.next()), None, -1));
        assert!(roster.accounts().values().all(|account| account.persons.is_none()), "and it takes no room");
    }
}
