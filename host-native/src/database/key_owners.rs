//! A cache of key owners, valid while no other connection commits (docs/decisions/0010).

use std::collections::HashMap;

use foldhash::fast::RandomState;
use matterbook_core::{account::KeyOwner, key::KeyDigest, store::StoreError, time::Timestamp};
use rusqlite::Connection;

/// The most owners that one connection keeps, about 200 bytes each. Past them the cache starts empty again.
const OWNERS_MAX: usize = 4_096;

/// The owners of live keys, as one connection read them.
#[derive(Default)]
pub(super) struct KeyOwners {
    /// SQLite's `data_version` of the connection: it changes with every commit of any other connection, of this
    /// process or another. Each request reads it first, so a revoked key is refused from its revocation on.
    data_version: Option<i64>,
    owners: HashMap<KeyDigest, KeyOwner, RandomState>,
}

impl KeyOwners {
    /// The owner of a live key, from the cache or from `read`.
    ///
    /// `read` may see a later commit than the version read before it. The version has changed then, and the next
    /// request empties the cache.
    pub(super) fn get(
        &mut self,
        connection: &Connection,
        key: &KeyDigest,
        now: Timestamp,
        read: impl FnOnce() -> Result<Option<KeyOwner>, StoreError>,
    ) -> Result<Option<KeyOwner>, StoreError> {
        let data_version = data_version(connection)?;
        if self.data_version != Some(data_version) || self.owners.len() >= OWNERS_MAX {
            self.owners.clear();
            self.data_version = Some(data_version);
        }
        if let Some(owner) = self.owners.get(key) {
            // No commit tells that a key has ended.
            return Ok(Some(owner.clone()).filter(|owner| !owner.has_ended(now)));
        }
        let found = read()?;
        if let Some(owner) = &found {
            self.owners.insert(*key, owner.clone());
        }
        Ok(found)
    }
}

fn data_version(connection: &Connection) -> Result<i64, StoreError> {
    let version = connection
        .prepare_cached("pragma data_version")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)));
    version.map_err(|error| StoreError::Failed { cause: error.to_string() })
}

#[cfg(test)]
mod tests {
    use matterbook_core::account::{AccountFlags, Role};
    use uuid::Uuid;

    use super::*;
    use crate::database::connection::{open_reader, open_writer};

    fn owner(email: &str) -> KeyOwner {
        KeyOwner {
            account: Uuid::nil(),
            email: email.to_owned(),
            flags: AccountFlags::default(),
            role: Role::Owner,
            last_used_at: None,
            scope: None,
            ends_at: None,
        }
    }

    const NOW: Timestamp = Timestamp::from_micros(5);

    #[test]
    fn an_owner_is_read_again_after_any_commit_and_not_before() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("keys.db");
        let writer = open_writer(&path).unwrap();
        writer.execute_batch("create table t (x)").unwrap();
        let reader = open_reader(&path).unwrap();
        let (mut owners, key) = (KeyOwners::default(), KeyDigest::of("mtb_a"));
        let mut get = |email: &str| owners.get(&reader, &key, NOW, || Ok(Some(owner(email)))).unwrap().unwrap().email;
        assert_eq!([get("first"), get("unread")], ["first", "first"]);
        writer.execute("insert into t values (1)", []).unwrap();
        assert_eq!([get("second"), get("unread")], ["second", "second"]);
        open_writer(&path).unwrap().execute("insert into t values (2)", []).unwrap();
        assert_eq!(get("third"), "third", "another connection's commit");
    }

    #[test]
    fn an_unknown_key_is_not_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("keys.db");
        let _writer = open_writer(&path).unwrap();
        let reader = open_reader(&path).unwrap();
        let (mut owners, key) = (KeyOwners::default(), KeyDigest::of("mtb_a"));
        assert_eq!(owners.get(&reader, &key, NOW, || Ok(None)), Ok(None));
        assert_eq!(owners.get(&reader, &key, NOW, || Ok(Some(owner("now")))), Ok(Some(owner("now"))));
    }

    #[test]
    fn a_key_that_ends_opens_nothing_from_then_on_without_any_commit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("keys.db");
        let _writer = open_writer(&path).unwrap();
        let reader = open_reader(&path).unwrap();
        let (mut owners, key) = (KeyOwners::default(), KeyDigest::of("mtb_a"));
        let ending = KeyOwner { ends_at: Some(NOW.next()), ..owner("ending") };
        let mut get = |now| owners.get(&reader, &key, now, || Ok(Some(ending.clone()))).unwrap().is_some();
        assert_eq!([get(NOW), get(NOW.next())], [true, false]);
    }
}
