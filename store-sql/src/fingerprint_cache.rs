//! A cache of clients by fingerprint, for a host with one writer. A nightly sync sends most clients as they are
//! stored, and a cached one needs no lookup in the database.
//!
//! What is cached of an account is valid for one version of it. A commit of this host moves it to its own version.
//! After a commit of another process the versions differ, and the cache of the account starts empty.

use foldhash::{HashMap, HashMapExt as _};
use lru::LruCache;
use matterbook_core::{
    client::{Client, Fingerprint},
    store::{ChangeSet, LookupKey},
    time::Timestamp,
};
use parking_lot::Mutex;
use uuid::Uuid;

use crate::account_version::AccountVersion;

/// The most clients of all accounts together, about 100 bytes each. Past it, the least recently used account is
/// dropped.
const CLIENTS_MAX: usize = 200_000;

/// What a lookup asks of a cache. The code of the cache is no part of a host without one.
pub(crate) trait ClientCache: Sync {
    /// Of the clients that keys look up, those that are stored just as the key's fields say, by the index of the
    /// key. A client with a settled date is left out where the request settles: settlements are not cached.
    fn find(&self, version: &AccountVersion, keys: &[LookupKey], settles: bool) -> Vec<(usize, Client)>;

    /// Adds clients that a lookup found as they are stored at a version.
    fn add(&self, version: &AccountVersion, clients: &mut dyn Iterator<Item = (Fingerprint, &Client)>);
}

/// The cached clients of every account.
pub struct FingerprintCache(Mutex<Accounts>);

struct Accounts {
    by_id: LruCache<i64, Account>,
    clients: usize,
}

/// Clients with an external id, which their fingerprint covers like every other field.
struct Account {
    version: Timestamp,
    clients: HashMap<Fingerprint, Cached>,
}

/// What a fingerprint does not tell of a client.
#[derive(Clone, Copy)]
pub(crate) struct Cached {
    id: Uuid,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// What a commit does to the cache. It is applied after the commit.
pub struct CacheUpdate {
    account_id: i64,
    before: Timestamp,
    after: Timestamp,
    removed: Vec<Fingerprint>,
    added: Vec<(Fingerprint, Cached)>,
}

impl Default for FingerprintCache {
    fn default() -> Self {
        Self(Mutex::new(Accounts { by_id: LruCache::unbounded(), clients: 0 }))
    }
}

impl ClientCache for FingerprintCache {
    fn find(&self, version: &AccountVersion, keys: &[LookupKey], settles: bool) -> Vec<(usize, Client)> {
        let mut accounts = self.0.lock();
        let Some(account) = accounts.by_id.get(&version.account_id).filter(|it| it.version == version.last_commit_at)
        else {
            return Vec::new();
        };
        let is_cacheable = |key: &LookupKey| key.external_id.is_some() && !(settles && key.fields.settled_on.is_some());
        let keys = keys.iter().enumerate().filter(|(_, key)| is_cacheable(key));
        let found = keys.filter_map(|(index, key)| {
            let Cached { id, created_at, updated_at } = *account.clients.get(&key.fingerprint?)?;
            Some((index, Client { id, fields: key.fields.clone(), created_at, updated_at }))
        });
        found.collect()
    }

    fn add(&self, version: &AccountVersion, clients: &mut dyn Iterator<Item = (Fingerprint, &Client)>) {
        let clients = clients.filter(|(_, client)| client.fields.external_id.is_some());
        let cached =
            |client: &Client| Cached { id: client.id, created_at: client.created_at, updated_at: client.updated_at };
        let added = clients.map(|(fingerprint, client)| (fingerprint, cached(client))).collect();
        let (account_id, at) = (version.account_id, version.last_commit_at);
        self.apply(CacheUpdate { account_id, before: at, after: at, removed: Vec::new(), added });
    }
}

impl FingerprintCache {
    /// Applies what a commit changed, once it is committed.
    pub fn apply(&self, update: CacheUpdate) {
        let mut accounts = self.0.lock();
        let mut account = match accounts.remove(update.account_id) {
            // A later state is cached already.
            Some(later) if later.version > update.after => return accounts.insert(update.account_id, later),
            Some(account) if account.version == update.before => account,
            _ => Account { version: update.before, clients: HashMap::new() },
        };
        account.version = update.after;
        for fingerprint in &update.removed {
            account.clients.remove(fingerprint);
        }
        for (fingerprint, cached) in update.added {
            if account.clients.len() < CLIENTS_MAX || account.clients.contains_key(&fingerprint) {
                account.clients.insert(fingerprint, cached);
            }
        }
        accounts.insert(update.account_id, account);
    }
}

impl Accounts {
    fn remove(&mut self, account_id: i64) -> Option<Account> {
        let account = self.by_id.pop(&account_id)?;
        self.clients -= account.clients.len();
        Some(account)
    }

    /// Adds an account as the most recently used one.
    fn insert(&mut self, account_id: i64, account: Account) {
        self.clients += account.clients.len();
        self.by_id.put(account_id, account);
        while self.clients > CLIENTS_MAX
            && let Some((_, oldest)) = self.by_id.pop_lru()
        {
            self.clients -= oldest.clients.len();
        }
    }
}

impl CacheUpdate {
    /// The update of a commit at a time, on a version of its account.
    pub(crate) fn of(version: &AccountVersion, at: Timestamp, change_set: &ChangeSet) -> Self {
        let removed = change_set.updated.iter().map(|update| update.before.fields.fingerprint()).collect();
        let created = change_set.created.iter().map(|new| (&new.fields, new.fingerprint, new.id, at));
        let updated = change_set.updated.iter();
        let updated =
            updated.map(|update| (&update.after, update.after.fingerprint(), update.id, update.before.created_at));
        let added = created.chain(updated).filter(|(fields, ..)| fields.external_id.is_some());
        let added =
            added.map(|(_, fingerprint, id, created_at)| (fingerprint, Cached { id, created_at, updated_at: at }));
        Self {
            account_id: version.account_id,
            before: version.last_commit_at,
            after: at,
            removed,
            added: added.collect(),
        }
    }
}
