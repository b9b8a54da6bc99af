//! What every commit of an account writes besides its data: its time (S6), its record (S14), the
//! states that `GET /clients` goes on showing (S8), and the pruning of what is no longer needed: those states,
//! expired saved answers, and old records of commits.
//!
//! # Pruning
//!
//! A state is dead once no reader can be shown it: once the time at which it was superseded lies
//! before every reader's horizon. Each commit looks at a bounded stretch of the account's states,
//! goes round after the last one, and drops the dead ones it meets. A round looks at half again as
//! many rows as its commits add, so it always ends, and at most twice as many states are dead as
//! can be shown. It does not come to states that are themselves too young to be dead: while clients
//! change again and again, and in an account's first minutes, it reads next to nothing.
//!
//! A live state is never dropped. A commit at time `c` drops what was superseded at or before
//! `c − delay − tolerance` at the latest. A reader whose clock says `now` is shown earlier states
//! only if `c ≤ now + tolerance`, else it sees everything ([`View::horizon`]); its horizon is
//! `now − delay ≥ c − delay − tolerance`, which is no earlier than what was dropped.

use matterbook_core::{
    api::answers_since,
    matching::PersonHash,
    store::{ChangeRequest, ClientUpdate, NewClient, Retention, SettlementChange, View},
    time::Timestamp,
};
use uuid::Uuid;

use crate::{
    account_version::AccountVersion,
    bind,
    columns::CLIENT_FIELDS,
    driver::{Isolation, Statement, Value},
    guard::Guard,
    key_owner::KeyState,
    queries,
};

/// The most attempts at one request or command, whatever the driver's patience.
pub(crate) const ATTEMPTS_MAX: u32 = 100;

/// The most attempts at what only reads, where the database may fail for a moment.
pub(crate) const READ_ATTEMPTS_MAX: u32 = 5;

/// Rows of earlier states that a commit looks at besides those for the states that it adds.
const SWEEP_ROWS: usize = 8;

/// Who makes a commit.
#[derive(Clone, Copy)]
pub(crate) enum Author<'a> {
    /// An API key, by its id as it was read.
    Key(&'a Value),
    /// A person in the console.
    #[cfg(feature = "console")]
    Login(Uuid),
    Operator,
}

impl Author<'_> {
    fn api_key_id(self) -> Value {
        match self {
            Self::Key(id) => id.clone(),
            #[cfg(feature = "console")]
            Self::Login(_) => Value::Null,
            Self::Operator => Value::Null,
        }
    }

    fn login_id(self) -> Value {
        match self {
            #[cfg(feature = "console")]
            Self::Login(id) => bind::id(id),
            _ => Value::Null,
        }
    }
}

/// One commit that is being put together.
pub(crate) struct Commit<'a> {
    pub(crate) version: &'a AccountVersion,
    pub(crate) request_id: Uuid,
    pub(crate) attempt: u32,
    pub(crate) now: Timestamp,
    /// Who makes it.
    pub(crate) author: Author<'a>,
    pub(crate) client_delay_seconds: u32,
    pub(crate) retention: Retention,
    pub(crate) isolation: Isolation,
}

impl<'a> Commit<'a> {
    /// That of a request, on the version that was read with its key.
    pub(crate) fn of(request: &ChangeRequest, key: &'a KeyState, attempt: u32, isolation: Isolation) -> Self {
        Self {
            version: &key.version,
            request_id: request.request_id,
            attempt,
            now: request.now,
            author: Author::Key(&key.api_key_id),
            client_delay_seconds: request.client_delay_seconds,
            retention: request.retention,
            isolation,
        }
    }

    /// The time of the commit, if no other writer can commit first.
    pub(crate) fn time(&self) -> Timestamp {
        self.now.max(self.version.last_commit_at.next())
    }

    /// The number of the account, as it is bound.
    pub(crate) fn account_id(&self) -> Value {
        Value::Integer(self.version.account_id)
    }

    /// The time of the commit as it is bound: `NULL` where others may commit first, so that only the
    /// batch itself can tell.
    pub(crate) fn at(&self) -> Value {
        if self.isolation == Isolation::Batch { Value::Null } else { bind::time(self.time()) }
    }

    /// The first statements, before any that carries the commit's time. `created` and `updated` are the numbers of
    /// clients that are new and that change.
    pub(crate) fn open(&self, created: usize, updated: usize, guard: Guard) -> Vec<Statement> {
        let (swept_at, swept_id) = self.version.sweep_start();
        let sweep_rows = i64::try_from(updated + updated / 2 + SWEEP_ROWS).unwrap_or(i64::MAX);
        let begin = queries::BEGIN_COMMIT.bind([
            ("account_id", self.account_id()),
            ("now", bind::time(self.now)),
            ("swept_at", swept_at),
            ("swept_id", swept_id),
            ("dead_before", self.dead_before()),
            ("sweep_rows", sweep_rows.into()),
            ("end", bind::time(Timestamp::MAX)),
        ]);
        let record = guard.record([
            ("account_id", self.account_id()),
            ("request_id", bind::id(self.request_id)),
            ("attempt", self.attempt.into()),
            ("api_key_id", self.author.api_key_id()),
            ("login_id", self.author.login_id()),
            ("created", i64::try_from(created).unwrap_or(i64::MAX).into()),
            ("changed", i64::try_from(updated).unwrap_or(i64::MAX).into()),
        ]);
        [vec![begin], record].concat()
    }

    /// Creates clients.
    pub(crate) fn create_clients(&self, created: Vec<NewClient>) -> Vec<Statement> {
        let rows = created.into_iter().map(|client| {
            let NewClient { id, fields, person, fingerprint } = client;
            let PersonHash { name, street, unit, zip5 } = person;
            let tail = [name.into(), street.into(), unit.into(), zip5.into(), bind::fingerprint(fingerprint)];
            [self.account_id(), self.at(), bind::id(id)].into_iter().chain(bind::client_fields(&fields)).chain(tail)
        });
        let tail = ["name_hash", "street_hash", "unit_hash", "zip5", "fingerprint"];
        let names = [&["account_id", "commit_at", "id"], CLIENT_FIELDS, &tail].concat();
        queries::CREATE_CLIENTS.bind_rows(&names, rows)
    }

    /// Updates clients; a trigger keeps their earlier states.
    pub(crate) fn update_clients(&self, updates: Vec<ClientUpdate>) -> Vec<Statement> {
        // Without a delay, no request reads an earlier state.
        let forgets_states = self.client_delay_seconds == 0;
        let mut statements = Vec::new();
        let mut plain = Vec::new();
        let mut whole = Vec::new();
        for ClientUpdate { id, before, after, new_hash } in updates {
            let fingerprint = bind::fingerprint(after.fingerprint());
            let head = [self.account_id(), self.at(), bind::id(id), forgets_states.into(), fingerprint];
            let (before, mut after) = (bind::client_fields(&before.fields), bind::client_fields(&after));
            let forgets = before.iter().zip(&after).any(|(before, after)| *after == Value::Null && after != before);
            if new_hash.is_none() && !forgets {
                let unchanged = after.iter_mut().zip(&before).filter(|(after, before)| *after == *before);
                unchanged.for_each(|(after, _)| *after = Value::Null);
                plain.push((head, after));
            } else {
                let PersonHash { name, street, unit, zip5 } = new_hash.unwrap_or_default();
                let person = [new_hash.is_some().into(), name.into(), street.into(), unit.into(), zip5.into()];
                whole.push((head, after, person));
            }
        }
        let names = [&["account_id", "commit_at", "id", "forgets_states", "fingerprint"], CLIENT_FIELDS].concat();
        let rows = plain.into_iter().map(|(head, fields)| head.into_iter().chain(fields));
        statements.extend(queries::UPDATE_CLIENTS.bind_rows(&names, rows));
        let names = [&names[..], &["is_anew", "name_hash", "street_hash", "unit_hash", "zip5"]].concat();
        let rows = whole.into_iter().map(|(head, fields, person)| head.into_iter().chain(fields).chain(person));
        statements.extend(queries::UPDATE_WHOLE_CLIENTS.bind_rows(&names, rows));
        statements
    }

    /// Begins and corrects settlements.
    pub(crate) fn put_settlements(&self, settlements: Vec<SettlementChange>) -> Vec<Statement> {
        let rows = settlements.into_iter().map(|change| {
            let (SettlementChange::Begun { id, client, settled_on, former_dates }
            | SettlementChange::Corrected { id, client, settled_on, former_dates }) = change;
            let former_dates: Vec<_> = former_dates.iter().map(ToString::to_string).collect();
            let former_dates = bind::texts(former_dates.iter().map(String::as_str));
            [self.account_id(), self.at(), bind::id(client), bind::id(id), bind::date(settled_on), former_dates.into()]
        });
        let names = ["account_id", "commit_at", "client_id", "id", "settled_on", "former_dates"];
        queries::PUT_SETTLEMENTS.bind_rows(&names, rows)
    }

    /// The last statements: delete dead states, a few expired answers, and old records of commits.
    pub(crate) fn close(&self) -> Vec<Statement> {
        let (swept_at, swept_id) = self.version.sweep_start();
        vec![
            queries::SWEEP_STATES.bind([
                ("account_id", self.account_id()),
                ("swept_at", swept_at),
                ("swept_id", swept_id),
                ("dead_before", self.dead_before()),
            ]),
            queries::FORGET_ANSWERS.bind([("answers_since", bind::time(answers_since(self.now)))]),
            queries::FORGET_COMMITS.bind([
                ("account_id", self.account_id()),
                ("commits_before", bind::time(self.retention.commits_before(self.now))),
            ]),
        ]
    }

    /// A state that was superseded at this time or earlier is dead.
    fn dead_before(&self) -> Value {
        let delay = i64::from(self.client_delay_seconds) + View::CLOCK_TOLERANCE_SECONDS;
        bind::time(self.now.plus_seconds(-delay))
    }
}
