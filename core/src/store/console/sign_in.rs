//! Signing in, sessions and passkeys (S30 to S33).

use uuid::Uuid;

use crate::{
    account::{AccountFlags, Role},
    key::AccountNumber,
    sign_in::{LinkDigest, SESSION_SECONDS, SESSION_UNUSED_SECONDS, SESSION_USE_RECORDED_EVERY_SECONDS, SessionDigest},
    store::Retention,
    time::Timestamp,
};

/// One step of signing in.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// The time of the request.
    pub now: Timestamp,
    /// The id of the log entry that a new session leaves.
    pub entry_id: Uuid,
    /// The id of the request.
    pub request_id: Uuid,
    /// How long entries of the log are kept.
    pub retention: Retention,
    /// What is asked.
    pub command: SignInCommand,
}

/// What is asked without a session.
#[derive(Clone, Debug)]
pub enum SignInCommand {
    /// Whose link it is. Nothing is used up. → `Link`
    ShowLink {
        /// The link.
        link: LinkDigest,
    },
    /// Uses the link up and begins a session. → `SignedIn`
    UseLink {
        /// The link.
        link: LinkDigest,
        /// The session to begin.
        session: NewSession,
    },
    /// The passkey with this credential id, to verify an assertion with. → `Passkey`
    FindPasskey {
        /// The id that the authenticator names.
        credential_id: Vec<u8>,
    },
    /// Begins a session with a passkey whose assertion was verified. → `SignedIn`
    UsePasskey {
        /// The id that the authenticator names.
        credential_id: Vec<u8>,
        /// The state that the assertion was verified with; another one means that the passkey was used meanwhile.
        verified_state: Vec<u8>,
        /// The state after the assertion, such as the new counter.
        new_state: Vec<u8>,
        /// The session to begin.
        session: NewSession,
    },
}

/// A session that is to begin. The caller mints both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Its public id, by which it is listed.
    pub id: Uuid,
    /// The digest of its token.
    pub digest: SessionDigest,
}

/// What a step of signing in comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInAnswer {
    /// A link that works.
    Link(LinkOwner),
    /// A session has begun.
    SignedIn(Box<SessionOwner>),
    /// A passkey of a login that may sign in.
    Passkey(Passkey),
    /// Nothing was done.
    Refused(SignInRefusal),
}

/// Why there is no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignInRefusal {
    /// There is no such link or passkey: it was never made, used up, replaced or removed, or it has expired.
    Unknown,
    /// The account is suspended.
    Suspended,
}

/// Whom a sign-in link signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOwner {
    /// The login.
    pub login: Uuid,
    /// The login's email.
    pub email: String,
    /// What the login may do.
    pub role: Role,
    /// From when on the link does not work.
    pub expires_at: Timestamp,
}

/// Who asks with a live session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOwner {
    /// The session's public id.
    pub session: Uuid,
    /// When it began.
    pub started_at: Timestamp,
    /// Its last recorded use.
    pub used_at: Timestamp,
    /// Whether it was open while the account was suspended. It opens nothing any more, and says why as long as
    /// the account is.
    pub is_suspended: bool,
    /// The login's id.
    pub login: Uuid,
    /// The login's email: the actor of its log entries.
    pub email: String,
    /// The login's present role.
    pub role: Role,
    /// The account's public id.
    pub account: Uuid,
    /// The account's number, which its new keys begin with.
    pub account_number: AccountNumber,
    /// The account's email.
    pub account_email: String,
    /// What the account may do.
    pub flags: AccountFlags,
}

impl SessionOwner {
    /// A session that began at this time, or before it, has ended.
    #[must_use]
    pub fn started_before(now: Timestamp) -> Timestamp {
        now.plus_seconds(-SESSION_SECONDS)
    }

    /// A session that was used last at this time, or before it, has ended.
    #[must_use]
    pub fn used_before(now: Timestamp) -> Timestamp {
        now.plus_seconds(-SESSION_UNUSED_SECONDS)
    }

    /// Whether a session with these times is still open (rule G6).
    ///
    /// ```
    /// use matterbook_core::{store::SessionOwner, time::Timestamp};
    /// let start = Timestamp::from_micros(1_767_225_600_000_000);
    /// let hour = |hour: i64| start.plus_seconds(hour * 3_600);
    /// assert!(SessionOwner::is_open(start, start, hour(11)));
    /// assert!(!SessionOwner::is_open(start, start, hour(12)));
    /// assert!(!SessionOwner::is_open(start, hour(719), hour(720)));
    /// ```
    #[must_use]
    pub fn is_open(started_at: Timestamp, used_at: Timestamp, now: Timestamp) -> bool {
        started_at > Self::started_before(now) && used_at > Self::used_before(now)
    }

    /// Whether a use is due to be recorded (rule G7).
    #[must_use]
    pub fn is_use_old(&self, now: Timestamp) -> bool {
        self.used_at.plus_seconds(SESSION_USE_RECORDED_EVERY_SECONDS) <= now
    }
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRecord {
    /// Its public id.
    pub id: Uuid,
    /// When it began.
    pub started_at: Timestamp,
    /// Its last recorded use.
    pub used_at: Timestamp,
}

/// A passkey to be added. Its state is opaque to the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPasskey {
    /// Its public id, by which it is renamed and removed.
    pub id: Uuid,
    /// The credential id that the authenticator gave; unique in a deployment.
    pub credential_id: Vec<u8>,
    /// What verifies its assertions: public key, counter and what else the library keeps.
    pub state: Vec<u8>,
    /// What its owner calls it.
    pub name: String,
}

/// A passkey as a sign-in needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// The login that it signs in: the user handle is the 16 bytes of this id.
    pub login: Uuid,
    /// What verifies its assertions.
    pub state: Vec<u8>,
}

/// A passkey in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyRecord {
    /// Its public id.
    pub id: Uuid,
    /// The credential id, which a new registration excludes.
    pub credential_id: Vec<u8>,
    /// What its owner calls it.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it signed in last.
    pub last_used_at: Option<Timestamp>,
}
