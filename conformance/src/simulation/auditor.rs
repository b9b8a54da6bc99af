//! What a store holds, looked at past all faults: the truth that the model is held against.

use std::{
    collections::BTreeSet,
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use matterbook_core::{
    account::AccountFlags,
    client::Client,
    key::{KeyDigest, KeyLimits},
    memory::test_key_secrets,
    store::{
        ClientFilter, ClientPage, ClientPageQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, Retention,
        ReviewStatus, SettlementEntry, StoreError, View,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    AnyConsoleStore, Failure,
    universe::{ACCOUNTS, KEYS, account_id, account_number, external_id, external_ids, key_id, key_text, login_id},
    waiting::Listed,
};

/// The most pages of a listing, and turns of a call, before it counts as endless.
const ENDLESS: usize = 1_000;

/// An account as it is.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    pub(super) clients: Vec<Client>,
    pub(super) settlements: Vec<SettlementEntry>,
    /// Further external ids, each with the client that it finds.
    pub(super) aliases: BTreeSet<(u8, Uuid)>,
    /// What waits for review, in the order of ids.
    pub(super) review: Vec<Listed>,
    /// The import that was looked at, and how many of its rows are done.
    pub(super) import: Option<(Uuid, u32)>,
    pub(super) is_suspended: bool,
    pub(super) revoked: [bool; KEYS],
}

/// Runs a future to its end that waits for nothing outside.
pub(super) fn complete<F: Future>(future: F) -> Result<F::Output, Failure> {
    let mut future = pin!(future);
    for _ in 0..ENDLESS {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Ok(output);
        }
    }
    Err(Failure::new("ends", "a call of the store has no end"))
}

/// Asks the store, which has no reason to fail.
pub(super) fn ask<T>(verb: impl Future<Output = Result<T, StoreError>>) -> Result<T, Failure> {
    complete(verb)?.map_err(|error| Failure::new("answers", format!("the store fails without a fault: {error}")))
}

pub(super) fn operate(
    store: &AnyConsoleStore,
    command: OperatorCommand,
    entry: u128,
) -> Result<OperatorAnswer, Failure> {
    let entry = LogEntry {
        id: Uuid::from_u128((0x109 << 64) + entry),
        at: Timestamp::from_micros(0),
        actor: "auditor".to_owned(),
        action: "audit",
        subject: String::new(),
        request_id: Uuid::from_u128((0x109 << 64) + entry),
        retention: Retention::default(),
    };
    ask(store.operate(command, entry))
}

/// The accounts and the keys of the world, in a fresh store.
pub(super) fn open(store: &AnyConsoleStore) -> Result<(), Failure> {
    let mut entry = 0;
    for account in 0..ACCOUNTS {
        let command = OperatorCommand::CreateAccount {
            id: account_id(account),
            number: account_number(account),
            login_id: login_id(account),
            email: format!("firm-{account}@example.com"),
            flags: AccountFlags { api_enabled: true, ..AccountFlags::default() },
        };
        entry += 1;
        operate(store, command, entry)?;
        for key in 0..=KEYS {
            let command = OperatorCommand::CreateKey {
                id: key_id(account, key),
                account: account_id(account),
                login: None,
                label: None,
                limits: KeyLimits::default(),
                key: test_key_secrets().stored(&key_text(account, key)),
            };
            entry += 1;
            operate(store, command, entry)?;
        }
    }
    Ok(())
}

/// Looks at an account.
pub(super) fn observe(store: &AnyConsoleStore, account: usize) -> Result<Observed, Failure> {
    let id = account_id(account);
    let OperatorAnswer::Keys(keys) = operate(store, OperatorCommand::ListKeys { account: id }, 0)? else {
        return Err(Failure::new("answers", "an account's keys are not told"));
    };
    let mut revoked = [false; KEYS];
    for (number, revoked) in revoked.iter_mut().enumerate() {
        let key = keys.iter().find(|key| key.id == key_id(account, number));
        *revoked = key.is_none_or(|key| key.revoked_at.is_some());
    }
    let (clients, is_suspended) = clients(store, account)?;
    let (settlements, aliases, review) = (settlements(store, id)?, aliases(store, id)?, review(store, id)?);
    Ok(Observed { clients, settlements, aliases, review, import: None, is_suspended, revoked })
}

/// Each external id that finds a client which has another one.
fn aliases(store: &AnyConsoleStore, account: Uuid) -> Result<BTreeSet<(u8, Uuid)>, Failure> {
    let mut aliases = BTreeSet::new();
    for number in external_ids() {
        let id = external_id(number);
        let filter = ClientFilter { external_id: id.map(Into::into), ..ClientFilter::default() };
        let command = OperatorCommand::FindClients { account, filter, after: None, limit: 100 };
        let OperatorAnswer::Clients(found, _) = operate(store, command, 0)? else { break };
        let found = found.iter().filter(|client| client.fields.external_id.as_deref() != id);
        aliases.extend(found.map(|client| (number, client.id)));
    }
    Ok(aliases)
}

/// What waits for review.
fn review(store: &AnyConsoleStore, account: Uuid) -> Result<Vec<Listed>, Failure> {
    let (mut before, mut review) = (None, Vec::new());
    for _ in 0..ENDLESS {
        let seen_since = Timestamp::from_micros(0);
        let command = OperatorCommand::ListReview { account, seen_since, before, limit: 100 };
        let OperatorAnswer::Review(items, next) = operate(store, command, 0)? else { break };
        review.extend(items.into_iter().map(|kept| Listed {
            id: kept.item.id,
            sent: kept.item.sent.and_then(|sent| serde_json::from_str(&sent).ok()).unwrap_or_default(),
            is_error: kept.item.status == ReviewStatus::Error,
            candidates: kept.item.candidates,
            request: kept.request_id,
            first_seen_at: kept.first_seen_at.micros(),
            last_seen_at: kept.last_seen_at.micros(),
        }));
        before = next;
        if before.is_none() {
            review.sort_by_key(|item| item.id);
            return Ok(review);
        }
    }
    Err(Failure::new("ends", "what waits for review has no end"))
}

fn clients(store: &AnyConsoleStore, account: usize) -> Result<(Vec<Client>, bool), Failure> {
    let key = KeyDigest::of(&key_text(account, KEYS));
    let view = View { now: Timestamp::from_micros(0), delay_seconds: 0 };
    let mut query = ClientPageQuery {
        view,
        after: None,
        seen_until: None,
        updated_since: None,
        filter: ClientFilter::default(),
        limit: 100,
    };
    let mut clients = Vec::new();
    for _ in 0..ENDLESS {
        let page = ask(ClientPage::read(store, &key, &query))?;
        let page = page.ok_or_else(|| Failure::new("answers", "the auditor's key is dead"))?;
        clients.extend(page.clients);
        query.after = page.next;
        if query.after.is_none() {
            return Ok((clients, page.key_owner.flags.suspended));
        }
    }
    Err(Failure::new("ends", "the listing of clients has no end"))
}

fn settlements(store: &AnyConsoleStore, account: Uuid) -> Result<Vec<SettlementEntry>, Failure> {
    let mut after = None;
    let mut settlements: Vec<SettlementEntry> = Vec::new();
    for _ in 0..ENDLESS {
        let command = OperatorCommand::ListSettlements { account, after, limit: 100 };
        let OperatorAnswer::Settlements(page, next) = operate(store, command, 0)? else { break };
        settlements.extend(page);
        after = next;
        if after.is_none() {
            let is_in_order = settlements.is_sorted_by_key(|entry| (entry.changed_at, entry.id));
            let failure = || Failure::new("true answers", "the settlements feed is not in the order of last change");
            return if is_in_order { Ok(settlements) } else { Err(failure()) };
        }
    }
    Err(Failure::new("ends", "the settlements feed has no end"))
}
