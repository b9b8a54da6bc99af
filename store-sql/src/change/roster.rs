//! Clients as the last commit of their account left them, for a host with one writer: so that whom an external
//! id finds unchanged, as it does most of a nightly sync's, is found without a look into the database.
//!
//! What is kept of an account is true at one commit of it, and a look uses it only where it finds the account at
//! just that commit. Each commit of any process gives the account a later time. Those of this writer are taken in
//! just before they are made, when nobody can see the account at their time yet; after any other, what was kept
//! is no longer used.

use std::{
    cmp::Ordering,
    hash::BuildHasher as _,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use foldhash::{HashMap, fast::RandomState};
use matterbook_core::{
    client::{Client, ClientFields, Fingerprint},
    store::ChangeSet,
    time::Timestamp,
};
use uuid::Uuid;

use super::{Memory, wanted::Wanted};
use crate::ground::Ground;

/// The most clients that are kept, of all accounts together: 57 bytes of each, in a table of twice as many places
/// at the most.
const CLIENTS_MAX: usize = 200_000;

/// The most accounts of which clients are kept, so that many small ones stay small too.
const ACCOUNTS_MAX: usize = 1_000;

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// The clients that are kept, of every account. Shared between a writer's [`RecentChanges`](super::RecentChanges)
/// and those who [propose](crate::SqlStore::propose) beside it.
#[derive(Default)]
pub struct Roster(Mutex<HashMap<i64, Account>>);

struct Account {
    /// The commit at which all of these are true.
    last_commit_at: Timestamp,
    /// By the hash of the external id. Where two external ids have the same one, the last client is kept.
    clients: HashMap<u64, Kept>,
}

/// A client with an external id, which the fingerprint tells like every other field.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    fingerprint: Fingerprint,
    id: Uuid,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// A client with an external id, as it is after a commit that has no time yet.
pub(super) struct Left {
    external_id_hash: u64,
    fingerprint: Fingerprint,
    id: Uuid,
    /// `None` where the commit creates it.
    created_at: Option<Timestamp>,
    /// `None` where the commit creates or changes it.
    updated_at: Option<Timestamp>,
}

impl Kept {
    /// The client, with the fields that it was found to have.
    pub(super) fn client(self, fields: ClientFields) -> Client {
        Client { id: self.id, fields, created_at: self.created_at, updated_at: self.updated_at }
    }
}

impl Left {
    /// A client of this fingerprint that stays as it is; nothing of one without an external id.
    pub(super) fn as_it_was(client: &Client, fingerprint: Fingerprint) -> Option<Self> {
        let external_id_hash = hash(client.fields.external_id.as_deref()?);
        let (created_at, updated_at) = (Some(client.created_at), Some(client.updated_at));
        Some(Self { external_id_hash, fingerprint, id: client.id, created_at, updated_at })
    }

    /// Those whom a change set creates or changes, where they have an external id.
    pub(super) fn by(change_set: &ChangeSet) -> impl Iterator<Item = Self> {
        let created = change_set.created.iter().map(|new| (new.id, &new.fields, None));
        let updated = change_set.updated.iter();
        let updated = updated.map(|update| (update.id, &update.after, Some(update.before.created_at)));
        created.chain(updated).filter_map(|(id, fields, created_at)| {
            let external_id_hash = hash(fields.external_id.as_deref()?);
            Some(Self { external_id_hash, fingerprint: fields.fingerprint(), id, created_at, updated_at: None })
        })
    }
}

impl Roster {
    /// Forgets everything: before a rollback, since what was taken in will never have happened.
    pub(super) fn clear(&self) {
        self.accounts().clear();
    }

    /// Of what is wanted on this ground, those who are just as their wants say; and what is left.
    pub(super) fn find<'w>(
        &self,
        ground: &Ground,
        wanted: Vec<Wanted<'w>>,
    ) -> (Vec<(Wanted<'w>, Kept)>, Vec<Wanted<'w>>) {
        let accounts = self.accounts();
        let current = accounts.get(&ground.account_id).filter(|kept| kept.last_commit_at == ground.last_commit_at);
        let Some(Account { clients, .. }) = current else { return (Vec::new(), wanted) };
        let mut found = Vec::with_capacity(wanted.len());
        let mut others = Vec::new();
        for wanted in wanted {
            let kept = wanted.external_id.and_then(|external_id| clients.get(&hash(external_id)));
            match kept.filter(|kept| wanted.want.fingerprint == Some(kept.fingerprint)) {
                Some(kept) => found.push((wanted, *kept)),
                None => others.push(wanted),
            }
        }
        (found, others)
    }

    /// Keeps what a look saw on this ground; `false` where a later commit was noted meanwhile.
    pub(super) fn note_seen(&self, ground: &Ground, seen: &[Left]) -> bool {
        self.note(ground, ground.last_commit_at, seen)
    }

    /// Keeps what a commit at a time leaves, which is about to be made on this ground; `false` where a later one
    /// was noted meanwhile.
    pub(super) fn note(&self, ground: &Ground, at: Timestamp, left: &[Left]) -> bool {
        let mut accounts = self.accounts();
        if accounts.len() >= ACCOUNTS_MAX && !accounts.contains_key(&ground.account_id) {
            accounts.clear();
        }
        let others = accounts.iter().filter(|(account_id, _)| **account_id != ground.account_id);
        let others: usize = others.map(|(_, account)| account.clients.len()).sum();
        let account = accounts.entry(ground.account_id).or_insert_with(|| Account::at(ground.last_commit_at));
        match account.last_commit_at.cmp(&ground.last_commit_at) {
            Ordering::Equal => {}
            // Somebody else committed in between. The table goes too, since no bound counts an empty one.
            Ordering::Less => account.clients = HashMap::default(),
            Ordering::Greater => return false,
        }
        account.last_commit_at = at;
        let mut is_full = false;
        for left in left {
            let [created_at, updated_at] = [left.created_at, left.updated_at].map(|time| time.unwrap_or(at));
            let kept = Kept { fingerprint: left.fingerprint, id: left.id, created_at, updated_at };
            // Who is kept is kept as it is now, whether there is room for more or not.
            if let Some(known) = account.clients.get_mut(&left.external_id_hash) {
                *known = kept;
            } else if account.clients.len() + others < CLIENTS_MAX {
                account.clients.insert(left.external_id_hash, kept);
            } else {
                is_full = true;
            }
        }
        if is_full && others > 0 {
            // Whoever posts now needs the room.
            accounts.retain(|account_id, _| *account_id == ground.account_id);
        }
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

impl Account {
    fn at(last_commit_at: Timestamp) -> Self {
        Self { last_commit_at, clients: HashMap::default() }
    }
}

fn hash(external_id: &str) -> u64 {
    HASHER.hash_one(external_id)
}

#[cfg(test)]
mod tests {
    use matterbook_core::{SmolStr, matching::PersonHash, store::Want};

    use super::*;

    const SEEN_AT: Timestamp = Timestamp::from_micros(5);

    fn ground(account_id: i64) -> Ground {
        Ground::at(account_id, SEEN_AT)
    }

    /// A client as it was seen, the fingerprint that of a number.
    fn seen(external_id: &str, number: u8) -> Left {
        let fields = ClientFields { external_id: Some(external_id.into()), ..ClientFields::default() };
        let client = Client { id: Uuid::nil(), fields, created_at: SEEN_AT, updated_at: SEEN_AT };
        Left::as_it_was(&client, Fingerprint([number; 16])).unwrap()
    }

    /// Whether a client is found on a ground with the fingerprint of a number.
    fn is_found(roster: &Roster, ground: &Ground, external_id: &str, number: u8) -> bool {
        let external_id = SmolStr::new(external_id);
        let want = Want { fingerprint: Some(Fingerprint([number; 16])), ..Want::default() };
        let person = PersonHash::default();
        let wanted =
            Wanted { place: 0, want: &want, external_id: Some(&external_id), person, without_external_id: false };
        let (found, others) = roster.find(ground, vec![wanted]);
        assert_eq!(found.len() + others.len(), 1);
        !found.is_empty()
    }

    #[test]
    fn past_the_most_clients_who_is_kept_is_still_kept_as_it_is() {
        let roster = Roster::default();
        let all: Vec<_> = (0..=CLIENTS_MAX).map(|number| seen(&number.to_string(), 1)).collect();
        assert!(roster.note_seen(&ground(1), &all));
        let (first, last) = ("0", CLIENTS_MAX.to_string());
        assert!(is_found(&roster, &ground(1), first, 1));
        assert!(!is_found(&roster, &ground(1), &last, 1), "there was no room for it");
        assert!(roster.note_seen(&ground(1), &[seen(first, 2), seen(&last, 2)]));
        assert!(is_found(&roster, &ground(1), first, 2) && !is_found(&roster, &ground(1), first, 1));
        assert!(!is_found(&roster, &ground(1), &last, 2));
    }

    #[test]
    fn who_posts_now_gets_the_room_of_others() {
        let roster = Roster::default();
        let all: Vec<_> = (0..CLIENTS_MAX).map(|number| seen(&number.to_string(), 1)).collect();
        roster.note_seen(&ground(1), &all);
        for _ in 0..2 {
            roster.note_seen(&ground(2), &[seen("new", 1)]);
        }
        assert!(is_found(&roster, &ground(2), "new", 1) && !is_found(&roster, &ground(1), "0", 1));
        for account_id in 0..2 * i64::try_from(ACCOUNTS_MAX).unwrap() {
            roster.note_seen(&ground(account_id), &[seen("a", 1)]);
            assert!(is_found(&roster, &ground(account_id), "a", 1));
        }
        assert!(roster.accounts().len() <= ACCOUNTS_MAX);
    }

    #[test]
    fn what_another_process_made_useless_takes_no_room() {
        let roster = Roster::default();
        let all: Vec<_> = (0..10_000).map(|number| seen(&number.to_string(), 1)).collect();
        roster.note_seen(&ground(1), &all);
        roster.note_seen(&Ground::at(1, Timestamp::from_micros(9)), &[seen("a", 1)]);
        let room = roster.accounts().values().map(|account| account.clients.capacity()).sum::<usize>();
        assert!(room < 100, "{room} places for one client");
    }

    #[test]
    fn what_was_seen_before_a_commit_that_is_noted_is_not_kept() {
        let (roster, later) = (Roster::default(), Timestamp::from_micros(9));
        assert!(roster.note(&ground(1), later, &[seen("a", 2)]));
        assert!(!roster.note_seen(&ground(1), &[seen("a", 1), seen("b", 1)]));
        let now = Ground::at(1, later);
        assert!(is_found(&roster, &now, "a", 2) && !is_found(&roster, &now, "b", 1));
        assert!(!is_found(&roster, &ground(1), "a", 2), "nor shown to who sees the account before it");
    }
}
