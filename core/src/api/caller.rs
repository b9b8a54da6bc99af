//! The caller of a request, and what the request shows about its key.

use uuid::Uuid;

use super::seen_keys::{LiveKey, SeenKey};
use crate::{account::KeyOwner, key::KeyDigest, time::Timestamp};

/// A key's last use is recorded this often (rule K7).
const USE_RECORDED_EVERY_SECONDS: i64 = 86_400;

/// A caller whose key is live now or was a moment ago.
pub(crate) struct Caller {
    pub(crate) key: KeyDigest,
    /// The account of the key, which never changes.
    pub(crate) account: Uuid,
    /// The owner of the key, if this request looked it up.
    pub(crate) key_owner: Option<KeyOwner>,
    pub(crate) key_status: KeyStatus,
    /// A request over its limit is refused without another look at storage.
    pub(super) is_just_proved: bool,
    last_used_at: Option<Timestamp>,
}

/// What this request has shown about its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyStatus {
    /// Nothing yet: the key was live a moment ago.
    Remembered,
    /// An atomic unit found it live.
    Live,
    /// An atomic unit found it unknown or revoked.
    Dead,
}

impl Caller {
    /// A caller whose key was just looked up.
    pub(super) fn looked_up(key: KeyDigest, key_owner: KeyOwner) -> Self {
        let KeyOwner { account, last_used_at, .. } = key_owner;
        let key_status = KeyStatus::Live;
        Self { key, account, key_owner: Some(key_owner), key_status, is_just_proved: true, last_used_at }
    }

    /// A caller whose key was live a moment ago.
    pub(super) fn remembered(key: KeyDigest, seen: LiveKey, now: Timestamp) -> Self {
        let (account, last_used_at, is_just_proved) = (seen.account, seen.last_used_at, seen.is_just_proved(now));
        Self { key, account, key_owner: None, key_status: KeyStatus::Remembered, is_just_proved, last_used_at }
    }

    /// Takes the recorded last use over from the store.
    pub(super) fn note_last_use(&mut self, key_owner: &KeyOwner) {
        self.last_used_at = key_owner.last_used_at;
    }

    /// Whether a use is due to be recorded.
    pub(super) fn is_use_old(&self, now: Timestamp) -> bool {
        self.last_used_at.is_none_or(|time| time.plus_seconds(USE_RECORDED_EVERY_SECONDS) <= now)
    }

    /// Takes note that a use was recorded.
    pub(super) fn use_was_recorded(&mut self, now: Timestamp) {
        self.last_used_at = Some(now);
    }

    /// What may be remembered about the key, which is live at `now`.
    pub(super) fn seen(&self, now: Timestamp) -> SeenKey {
        SeenKey::Live(LiveKey { account: self.account, last_used_at: self.last_used_at, seen_at: now })
    }
}
