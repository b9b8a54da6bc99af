//! Who holds a key, kept from the last look for as long as nothing at all was committed since.
//!
//! Each request proves it by the file's [`CommitMark`], which is read first: what was looked up while the
//! mark was the same is what a look would find now. Any commit of any process, such as one that revokes a
//! key, changes the mark, and all that was kept is void (docs/decisions/0010).

use std::{
    collections::HashMap,
    hash::BuildHasher as _,
    sync::{Mutex, MutexGuard, PoisonError},
};

use foldhash::fast::RandomState;
use matterbook_core::{account::Holder, key::KeyDigest, store::StoreError};

use super::commit_mark::{CommitMark, CommitMarks};

/// Keys are spread over this many locks, so that two seldom meet at one.
const SHARDS: usize = 64;
/// The most holders of a shard, some 200 bytes each; past them it begins anew.
const HOLDERS_PER_SHARD: usize = 128;

/// The holders of the keys that were used since the last commit.
pub(super) struct Holders {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
    /// Nothing is kept where no mark can be read.
    marks: Option<CommitMarks>,
}

#[derive(Default)]
struct Shard {
    mark: Option<CommitMark>,
    holders: HashMap<KeyDigest, Holder, RandomState>,
}

impl Holders {
    pub(super) fn new(marks: Option<CommitMarks>) -> Self {
        Self { hasher: RandomState::default(), shards: std::array::from_fn(|_| Mutex::default()), marks }
    }

    /// The file's mark, where it can be read.
    fn mark(&self) -> Option<CommitMark> {
        self.marks.as_ref().and_then(CommitMarks::now)
    }

    /// Who holds a live key, as `look` finds it or would find it.
    pub(super) fn holder(
        &self,
        key: &KeyDigest,
        look: impl FnOnce() -> Result<Option<Holder>, StoreError>,
    ) -> Result<Option<Holder>, StoreError> {
        let Some(mark) = self.mark() else { return look() };
        if let Some(holder) = self.shard(key).at(mark).get(key) {
            return Ok(Some(holder.clone()));
        }
        let found = look()?;
        // The look may have seen a later commit than the mark's. Then the mark has changed, and whoever
        // asks next finds nothing here.
        if let Some(holder) = &found {
            let mut shard = self.shard(key);
            let holders = shard.at(mark);
            if holders.len() >= HOLDERS_PER_SHARD {
                holders.clear();
            }
            holders.insert(*key, holder.clone());
        }
        Ok(found)
    }

    /// Nothing panics while the lock is held, so what a poisoned one guards is whole.
    fn shard(&self, key: &KeyDigest) -> MutexGuard<'_, Shard> {
        let index = usize::try_from(self.hasher.hash_one(key)).unwrap_or(0) % SHARDS;
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shard {
    /// What was kept at this mark; at any other there is nothing.
    fn at(&mut self, mark: CommitMark) -> &mut HashMap<KeyDigest, Holder, RandomState> {
        if self.mark != Some(mark) {
            self.holders.clear();
            self.mark = Some(mark);
        }
        &mut self.holders
    }
}

#[cfg(test)]
mod tests {
    use matterbook_core::account::{AccountFlags, Role};
    use uuid::Uuid;

    use super::*;
    use crate::database::{commit_mark::Opening, connection::open_writer};

    fn holder(email: &str) -> Holder {
        Holder {
            account: Uuid::nil(),
            email: email.to_owned(),
            flags: AccountFlags::default(),
            role: Role::Owner,
            last_used_at: None,
        }
    }

    #[test]
    fn a_holder_is_looked_up_again_after_any_commit_and_only_then() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("holders.db");
        let writer = open_writer(&path).unwrap();
        writer.execute_batch("create table t (x)").unwrap();
        let holders = Holders::new(Some(Opening::begin().marks(&path).unwrap()));
        let (key, other) = (KeyDigest::of("key"), KeyDigest::of("other"));
        let ask = |key, email: &str| holders.holder(key, || Ok(Some(holder(email)))).unwrap().unwrap().email;
        let commit = || writer.execute("insert into t values (1)", []).unwrap();

        assert_eq!(ask(&key, "first"), "first");
        assert_eq!(ask(&key, "not asked"), "first");
        assert_eq!(ask(&other, "another"), "another");
        commit();
        assert_eq!(ask(&key, "second"), "second");
        assert_eq!(ask(&key, "not asked"), "second");
        // One that was revoked since is not found, and nothing is kept of it.
        commit();
        assert_eq!(holders.holder(&key, || Ok(None)), Ok(None));
        assert_eq!(ask(&key, "third"), "third");
        // What was committed while it was looked for may be seen or not; it is not kept either way.
        let late = holders.holder(&other, || {
            commit();
            Ok(Some(holder("from before")))
        });
        assert_eq!(late.unwrap().unwrap().email, "from before");
        assert_eq!(ask(&other, "from after"), "from after");
        drop(writer);
    }

    #[test]
    fn where_there_is_no_mark_every_request_looks() {
        let holders = Holders::new(None);
        for email in ["one", "two"] {
            let found = holders.holder(&KeyDigest::of("key"), || Ok(Some(holder(email))));
            assert_eq!(found, Ok(Some(holder(email))));
        }
    }

    #[test]
    fn no_more_holders_are_kept_than_there_is_room_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("holders.db");
        let writer = open_writer(&path).unwrap();
        writer.execute_batch("create table t (x)").unwrap();
        let holders = Holders::new(Some(Opening::begin().marks(&path).unwrap()));
        for number in 0..4 * SHARDS * HOLDERS_PER_SHARD {
            assert!(holders.holder(&KeyDigest::of(&number.to_string()), || Ok(Some(holder("")))).is_ok());
        }
        let kept = holders.shards.iter().map(|shard| shard.lock().unwrap().holders.len());
        assert!(kept.max() <= Some(HOLDERS_PER_SHARD));
        drop(writer);
    }
}
