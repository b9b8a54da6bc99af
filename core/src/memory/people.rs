//! Sign-in links, sessions and passkeys of all logins (S30 to S33).

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::{
    account::Login,
    sign_in::{LinkDigest, SessionDigest},
    store::{NewPasskey, NewSession, PasskeyRecord, SessionOwner},
    time::Timestamp,
};

/// The most ended sessions that the begin of one deletes.
const ENDED_SESSIONS_MAX: usize = 8;

/// How people get in.
#[derive(Debug, Default)]
pub(super) struct People {
    /// The newest link of each login.
    links: BTreeMap<Uuid, Link>,
    sessions: BTreeMap<SessionDigest, Session>,
    /// By credential id.
    passkeys: BTreeMap<Vec<u8>, OwnPasskey>,
}

#[derive(Debug)]
struct Link {
    digest: LinkDigest,
    expires_at: Timestamp,
}

/// A session of a login.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) id: Uuid,
    pub(super) login: Uuid,
    pub(super) started_at: Timestamp,
    pub(super) used_at: Timestamp,
    pub(super) is_suspended: bool,
}

/// A passkey of a login.
#[derive(Debug)]
pub(super) struct OwnPasskey {
    pub(super) login: Uuid,
    pub(super) state: Vec<u8>,
    pub(super) record: PasskeyRecord,
}

impl People {
    pub(super) fn make_link(&mut self, login: Uuid, digest: LinkDigest, expires_at: Timestamp) {
        self.links.insert(login, Link { digest, expires_at });
    }

    /// The login of a link that works, and when it expires.
    pub(super) fn link(&self, digest: &LinkDigest, now: Timestamp) -> Option<(Uuid, Timestamp)> {
        let (login, link) = self.links.iter().find(|(_, link)| link.digest == *digest && link.expires_at > now)?;
        Some((*login, link.expires_at))
    }

    pub(super) fn use_up_link(&mut self, login: Uuid) {
        self.links.remove(&login);
    }

    /// Begins a session, and deletes a few that have ended.
    pub(super) fn begin_session(&mut self, login: Uuid, session: NewSession, now: Timestamp) {
        let is_over = |session: &Session| session.used_at <= SessionOwner::used_before(now);
        let mut ended: Vec<_> = self.sessions.iter().filter(|(_, session)| is_over(session)).collect();
        ended.sort_by_key(|(_, session)| session.used_at);
        let ended: Vec<_> = ended.into_iter().take(ENDED_SESSIONS_MAX).map(|(digest, _)| *digest).collect();
        for digest in ended {
            self.sessions.remove(&digest);
        }
        let begun = Session { id: session.id, login, started_at: now, used_at: now, is_suspended: false };
        self.sessions.insert(session.digest, begun);
    }

    /// An open session.
    pub(super) fn session(&self, digest: &SessionDigest, now: Timestamp) -> Option<&Session> {
        self.sessions.get(digest).filter(|session| SessionOwner::is_open(session.started_at, session.used_at, now))
    }

    pub(super) fn record_use(&mut self, digest: &SessionDigest, now: Timestamp) {
        if let Some(session) = self.sessions.get_mut(digest)
            && SessionOwner::is_open(session.started_at, session.used_at, now)
        {
            session.used_at = session.used_at.max(now);
        }
    }

    /// The open sessions of a login, the newest first.
    pub(super) fn sessions_of(&self, login: Uuid, now: Timestamp) -> Vec<Session> {
        let is_own = |session: &&Session| {
            session.login == login
                && !session.is_suspended
                && SessionOwner::is_open(session.started_at, session.used_at, now)
        };
        let mut sessions: Vec<_> = self.sessions.values().filter(is_own).cloned().collect();
        sessions.sort_by_key(|session| std::cmp::Reverse((session.started_at, session.id)));
        sessions
    }

    pub(super) fn end_session(&mut self, digest: &SessionDigest) {
        self.sessions.remove(digest);
    }

    pub(super) fn end_sessions(&mut self, login: Uuid) {
        self.sessions.retain(|_, session| session.login != login);
    }

    /// The sessions of these logins open nothing any more.
    pub(super) fn suspend(&mut self, logins: &[Login]) {
        for session in self.sessions.values_mut() {
            session.is_suspended |= logins.iter().any(|login| login.id == session.login);
        }
    }

    /// Everything of a login that is removed.
    pub(super) fn remove(&mut self, login: Uuid) {
        self.end_sessions(login);
        self.links.remove(&login);
        self.passkeys.retain(|_, passkey| passkey.login != login);
    }

    pub(super) fn passkey(&self, credential_id: &[u8]) -> Option<&OwnPasskey> {
        self.passkeys.get(credential_id)
    }

    pub(super) fn use_passkey(&mut self, credential_id: &[u8], state: Vec<u8>, now: Timestamp) {
        if let Some(passkey) = self.passkeys.get_mut(credential_id) {
            passkey.state = state;
            passkey.record.last_used_at = Some(now);
        }
    }

    /// `false` where the credential id is known.
    pub(super) fn add_passkey(&mut self, login: Uuid, passkey: NewPasskey, now: Timestamp) -> bool {
        let NewPasskey { id, credential_id, state, name } = passkey;
        if self.passkeys.contains_key(&credential_id) {
            return false;
        }
        let record =
            PasskeyRecord { id, credential_id: credential_id.clone(), name, created_at: now, last_used_at: None };
        self.passkeys.insert(credential_id, OwnPasskey { login, state, record });
        true
    }

    /// The passkeys of a login, oldest first.
    pub(super) fn passkeys_of(&self, login: Uuid) -> Vec<PasskeyRecord> {
        let own = self.passkeys.values().filter(|passkey| passkey.login == login);
        let mut records: Vec<_> = own.map(|passkey| passkey.record.clone()).collect();
        records.sort_by_key(|record| (record.created_at, record.id));
        records
    }

    /// The passkey with a public id.
    pub(super) fn passkey_by_id(&mut self, id: Uuid) -> Option<&mut OwnPasskey> {
        self.passkeys.values_mut().find(|passkey| passkey.record.id == id)
    }

    pub(super) fn remove_passkey(&mut self, id: Uuid) {
        self.passkeys.retain(|_, passkey| passkey.record.id != id);
    }
}
