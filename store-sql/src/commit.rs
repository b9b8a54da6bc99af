//! What every commit of an account writes besides its data: its time (S6), its record (S14), the
//! states that `GET /clients` goes on showing (S8), and the pruning of what is no longer needed: those states,
//! expired saved answers, and old records of commits.
//!
//! # Pruning
//!
//! Earlier states are in the order of the periods in which they were superseded. So each commit deletes the first
//! ones, half again as many as it adds and a few more, once they are older than the history and no reader can be
//! shown them.
//!
//! A live state is never dropped. A commit at time `c` drops what was superseded at or before
//! `c − delay − tolerance` at the latest. A reader whose clock says `now` is shown earlier states
//! only if `c ≤ now + tolerance`, else it sees everything ([`View::horizon`]); its horizon is
//! `now − delay ≥ c − delay − tolerance`, which is no earlier than what was dropped.

use matterbook_core::{
    api::answers_kept_since,
    matching::PersonHash,
    store::{Alias, ChangeRequest, ClientUpdate, NewClient, Retention, SettlementChange, View},
    time::Timestamp,
};
use uuid::Uuid;

use crate::{
    account_version::AccountVersion,
    bind,
    change_state::ChangeState,
    columns::CLIENT_FIELDS,
    driver::{Isolation, Statement, Value},
    guard::Guard,
    queries,
};

/// The most attempts at one request or command, whatever the driver's patience.
pub(crate) const ATTEMPTS_MAX: u32 = 100;

/// The most attempts at what only reads, where the database may fail for a moment.
pub(crate) const READ_ATTEMPTS_MAX: u32 = 5;

/// Rows of earlier states that a commit may delete besides those for the states that it adds.
const SWEEP_ROWS: usize = 8;

/// What a time keeps as the period of the states that a commit supersedes then: all but its low bits. A period is
/// longer than a view is delayed and clocks differ, so a page shows states of two periods at most.
pub(crate) fn period_mask(client_delay_seconds: u32) -> i64 {
    let seconds = i64::from(client_delay_seconds) + View::CLOCK_TOLERANCE_SECONDS;
    let length = (seconds * Timestamp::SECOND_MICROS).unsigned_abs().next_power_of_two();
    i64::try_from(length).map_or(i64::MIN, |length| -length)
}

/// Who makes a commit.
#[derive(Clone, Copy)]
pub(crate) enum Author<'a> {
    /// An API key, by its id as it was read.
    Key(&'a Value),
    /// A person in the console, and the import that the commit is a batch of.
    #[cfg(feature = "console")]
    Login(Uuid, Option<Uuid>),
    Operator,
}

impl Author<'_> {
    pub(crate) fn api_key_id(self) -> Value {
        match self {
            Self::Key(id) => id.clone(),
            #[cfg(feature = "console")]
            Self::Login(..) => Value::Null,
            Self::Operator => Value::Null,
        }
    }

    pub(crate) fn login_id(self) -> Value {
        match self {
            #[cfg(feature = "console")]
            Self::Login(id, _) => bind::id(id),
            _ => Value::Null,
        }
    }

    pub(crate) fn import_id(self) -> Value {
        match self {
            #[cfg(feature = "console")]
            Self::Login(_, import) => import.map(bind::id).into(),
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
    /// That of a request, on the version that was read with its authority.
    pub(crate) fn of(request: &ChangeRequest, state: &'a ChangeState, attempt: u32, isolation: Isolation) -> Self {
        Self {
            version: &state.version,
            request_id: request.request_id,
            attempt,
            now: request.now,
            author: state.author(request),
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
        let begin = queries::BEGIN_COMMIT.bind([("account_id", self.account_id()), ("now", bind::time(self.now))]);
        let record = guard.record([
            ("account_id", self.account_id()),
            ("request_id", bind::id(self.request_id)),
            ("attempt", self.attempt.into()),
            ("period_mask", self.period_mask()),
            ("api_key_id", self.author.api_key_id()),
            ("login_id", self.author.login_id()),
            ("import_id", self.author.import_id()),
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
            let head = [self.account_id(), self.at(), bind::id(self.request_id), bind::id(id)];
            head.into_iter().chain(bind::client_fields(&fields)).chain(tail)
        });
        let tail = ["name_hash", "street_hash", "unit_hash", "zip5", "fingerprint"];
        let names = [&["account_id", "commit_at", "request_id", "id"], CLIENT_FIELDS, &tail].concat();
        queries::CREATE_CLIENTS.bind_rows(&names, rows)
    }

    /// Updates clients; a trigger keeps their earlier states.
    pub(crate) fn update_clients(&self, updates: Vec<ClientUpdate>) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut plain = Vec::new();
        let mut whole = Vec::new();
        for ClientUpdate { id, before, after, new_hash, matched_by } in updates {
            let fingerprint = bind::fingerprint(after.fingerprint());
            let matched_by = matched_by.map_or(Value::Null, |matched_by| i64::from(matched_by.code()).into());
            let request_id = bind::id(self.request_id);
            let head =
                [self.account_id(), self.at(), request_id, self.period_mask(), bind::id(id), matched_by, fingerprint];
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
        let head = ["account_id", "commit_at", "request_id", "period_mask", "id", "matched_by", "fingerprint"];
        let names = [&head, CLIENT_FIELDS].concat();
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

    /// Gives aliases to clients that the commit changes.
    pub(crate) fn give_aliases(&self, aliases: &[Alias]) -> Vec<Statement> {
        let give = |alias: &Alias| {
            queries::ADD_ALIAS.bind([
                ("account_id", self.account_id()),
                ("client_id", bind::id(alias.client)),
                ("request_id", bind::id(self.request_id)),
                ("external_id", alias.external_id.clone().into()),
            ])
        };
        aliases.iter().map(give).chain((!aliases.is_empty()).then(|| self.mark_aliases())).collect()
    }

    /// Takes aliases from clients that the commit changes.
    pub(crate) fn take_aliases(&self, aliases: &[Alias]) -> Vec<Statement> {
        let take = |alias: &Alias| {
            queries::REMOVE_ALIAS.bind([
                ("account_id", self.account_id()),
                ("client_id", bind::id(alias.client)),
                ("request_id", bind::id(self.request_id)),
                ("external_id", alias.external_id.clone().into()),
            ])
        };
        aliases.iter().map(take).chain((!aliases.is_empty()).then(|| self.mark_aliases())).collect()
    }

    fn mark_aliases(&self) -> Statement {
        queries::MARK_ALIASES.bind([("account_id", self.account_id())])
    }

    /// The last statements: delete dead states, a few expired answers, and old records of commits. `updated` is the
    /// number of clients that change.
    pub(crate) fn close(&self, updated: usize) -> Vec<Statement> {
        let delay = i64::from(self.client_delay_seconds) + View::CLOCK_TOLERANCE_SECONDS;
        // A state that was superseded at this time or earlier is dead.
        let dead_before = self.now.plus_seconds(-delay).min(self.retention.history_before(self.now)).micros();
        let sweep_rows = i64::try_from(updated + updated / 2 + SWEEP_ROWS).unwrap_or(i64::MAX);
        vec![
            queries::SWEEP_STATES.bind([
                ("account_id", self.account_id()),
                ("dead_before", dead_before.into()),
                ("dead_period", (dead_before & period_mask(self.client_delay_seconds)).into()),
                ("sweep_rows", sweep_rows.into()),
            ]),
            queries::FORGET_ANSWERS.bind([("kept_since", bind::time(answers_kept_since(self.now)))]),
            queries::FORGET_COMMITS.bind([
                ("account_id", self.account_id()),
                ("commits_before", bind::time(self.retention.commits_before(self.now))),
            ]),
        ]
    }

    /// `NULL` where no request reads an earlier state: without a delay and without a history.
    fn period_mask(&self) -> Value {
        if self.client_delay_seconds == 0 && self.retention.history_days == 0 {
            return Value::Null;
        }
        period_mask(self.client_delay_seconds).into()
    }
}
