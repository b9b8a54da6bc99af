//! What the cases act with: a fresh store, firms with keys, people, and short ways to ask.

use std::cell::Cell;

use matterbook_core::{
    account::{Account, AccountFlags, Grant},
    client::{Client, ClientFields, Settlement},
    key::{AccountNumber, KeyDigest, KeyLimits},
    memory::test_key_secrets,
    prospect::{Prospect, ProspectFields},
    store::{
        Authority, ChangeRequest, ChangeSet, ClientFilter, ClientPage, ClientPageQuery, Decide, Decided, ImportOutcome,
        LogEntry, LookupKey, OperatorAnswer, OperatorCommand, OperatorStore, Position, ProspectOrder,
        ProspectPageQuery, Refusal, Retention, SettlementEntry, Snapshot, Store, StoredResponse, Tombstone, View,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, Failure,
    values::{MINUTE_SECONDS, at, by_external_id, clients_at, date, new_client, response, saving, update_of},
};

/// The most pages that a walk may take before it counts as endless.
const PAGES_AT_MOST: usize = 10_000;

/// An account with one live key of its owner.
#[derive(Clone, Debug)]
pub struct Firm {
    /// The account's id.
    pub account: Uuid,
    /// The owner's login.
    pub owner: Uuid,
    /// The key's id.
    pub key_id: Uuid,
    /// The key's digest.
    pub key: KeyDigest,
}

/// A fresh store with unused ids.
pub struct Scene<'store> {
    /// The store.
    pub store: AnyStore<'store>,
    minted: Cell<u128>,
}

/// The number of an account that a case makes.
pub fn number(account: Uuid) -> AccountNumber {
    let [.., a, b, c, d, e, f] = account.into_bytes();
    AccountNumber::from_bytes([a, b, c, d, e, f])
}

impl<'store> Scene<'store> {
    /// A scene on a store.
    pub const fn on(store: AnyStore<'store>) -> Self {
        Self { store, minted: Cell::new(0) }
    }

    /// A scene whose ids are none of another scene.
    pub const fn with_other_ids(store: AnyStore<'store>) -> Self {
        Self { store, minted: Cell::new(1 << 32) }
    }

    /// A new id.
    pub fn id(&self) -> Uuid {
        self.minted.set(self.minted.get() + 1);
        Uuid::from_u128((0x7000_u128 << 64) + self.minted.get())
    }

    /// Gives the operator's command at a time, under the action's name.
    pub async fn operate(
        &self,
        now: Timestamp,
        action: &'static str,
        command: OperatorCommand,
    ) -> CaseResult<OperatorAnswer> {
        Ok(self.store.operate(command, self.entry(now, action)).await?)
    }

    /// The log entry of a command.
    pub fn entry(&self, now: Timestamp, action: &'static str) -> LogEntry {
        let subject = self.minted.get().to_string();
        let (id, request_id, actor) = (self.id(), self.id(), "tester".to_owned());
        LogEntry { id, at: now, actor, action, subject, request_id, retention: Retention::default() }
    }

    /// Gives a command that has to be refused.
    pub async fn refuses(&self, command: OperatorCommand, refusal: Refusal) -> CaseResult {
        let shown = format!("{command:?}");
        let answer = self.operate(at(50), "refused", command).await?;
        super::ensure_eq!(answer, OperatorAnswer::Refused(refusal), "the answer to {shown}");
        Ok(())
    }

    /// A new account and its owner's login.
    pub async fn account(&self, now: Timestamp) -> CaseResult<Account> {
        let id = self.id();
        let command = OperatorCommand::CreateAccount {
            id,
            number: number(id),
            login_id: self.id(),
            email: format!("{}@firm.example", id.simple()),
            flags: AccountFlags { api_enabled: true, digital_bundle: true, ..AccountFlags::default() },
        };
        match self.operate(now, "account.create", command).await? {
            OperatorAnswer::Account(account) => Ok(account),
            other => Err(unexpected("an account", &other)),
        }
    }

    /// A new account with a key, at the start of the case.
    pub async fn firm(&self) -> CaseResult<Firm> {
        let account = self.account(at(0)).await?;
        let owner = account.logins.first().map(|login| login.id);
        let owner = owner.ok_or_else(|| Failure("a new account has no login".to_owned()))?;
        let (key_id, key) = self.key(account.id, None).await?;
        Ok(Firm { account: account.id, owner, key_id, key })
    }

    /// A new key of an account, created by a login or by the oldest owner.
    pub async fn key(&self, account: Uuid, login: Option<Uuid>) -> CaseResult<(Uuid, KeyDigest)> {
        self.limited_key(account, login, KeyLimits::default()).await
    }

    /// A new key of an account with a scope and an end.
    pub async fn limited_key(
        &self,
        account: Uuid,
        login: Option<Uuid>,
        limits: KeyLimits,
    ) -> CaseResult<(Uuid, KeyDigest)> {
        let id = self.id();
        let key = test_key_secrets().stored(&format!("mtb_{}", id.simple()));
        let digest = key.digest;
        let command = OperatorCommand::CreateKey { id, account, login, label: None, limits, key };
        match self.operate(at(0), "key.create", command).await? {
            OperatorAnswer::Key(record) => Ok((record.id, digest)),
            other => Err(unexpected("a key", &other)),
        }
    }

    /// A request that looks up nothing and saves nothing.
    pub fn request(&self, firm: &Firm, now: Timestamp) -> ChangeRequest {
        ChangeRequest {
            authority: Authority::Key(firm.key),
            account_hint: firm.account,
            request_id: self.id(),
            now,
            client_delay_seconds: MINUTE_SECONDS,
            retention: Retention::default(),
            lookup_keys: Vec::new(),
            names_similar: false,
            idempotency_key: None,
            decide: saving(ChangeSet::default()),
        }
    }

    /// Asks for a change with a live key.
    pub async fn change(&self, request: ChangeRequest) -> CaseResult<StoredResponse> {
        self.store.change(request).await?.ok_or_else(|| Failure("a live key is unknown".to_owned()))
    }

    /// Saves new clients in one commit.
    pub async fn create(&self, firm: &Firm, now: Timestamp, people: &[ClientFields]) -> CaseResult<Vec<Uuid>> {
        let created: Vec<_> = people.iter().map(|fields| new_client(self.id(), fields.clone())).collect();
        let ids = created.iter().map(|new| new.id).collect();
        let decide = saving(ChangeSet { created, ..ChangeSet::default() });
        self.change(ChangeRequest { decide, ..self.request(firm, now) }).await?;
        Ok(ids)
    }

    /// Changes the client with an `external_id`.
    pub async fn update(
        &self,
        firm: &Firm,
        now: Timestamp,
        external_id: &str,
        edit: impl Fn(&mut ClientFields) + Send + Sync + 'static,
    ) -> CaseResult {
        let lookup_keys = vec![by_external_id(external_id)];
        let decide: Decide = Box::new(move |snapshot| {
            let updated = snapshot.clients.iter().map(|client| update_of(client, &edit)).collect();
            Decided { change_set: ChangeSet { updated, ..ChangeSet::default() }, response: response("updated") }
        });
        self.change(ChangeRequest { lookup_keys, decide, ..self.request(firm, now) }).await?;
        Ok(())
    }

    /// What a decision with these lookup keys is shown; nothing is saved.
    pub async fn snapshot(&self, firm: &Firm, now: Timestamp, lookup_keys: Vec<LookupKey>) -> CaseResult<Snapshot> {
        self.snapshot_under_key(firm, now, lookup_keys, None).await
    }

    /// What a decision with these lookup keys and an idempotency key is shown; nothing is saved.
    pub async fn snapshot_under_key(
        &self,
        firm: &Firm,
        now: Timestamp,
        lookup_keys: Vec<LookupKey>,
        idempotency_key: Option<String>,
    ) -> CaseResult<Snapshot> {
        self.shown(ChangeRequest { lookup_keys, idempotency_key, ..self.request(firm, now) }).await
    }

    /// What the decision of a request is shown; nothing is saved.
    pub async fn shown(&self, request: ChangeRequest) -> CaseResult<Snapshot> {
        let (sender, receiver) = std::sync::mpsc::channel();
        let decide: Decide = Box::new(move |snapshot| {
            // The receiver outlives the request; a lost snapshot shows as one that never came.
            let _ = sender.send(snapshot.clone());
            Decided { change_set: ChangeSet::default(), response: response("looked") }
        });
        self.change(ChangeRequest { decide, ..request }).await?;
        receiver.try_iter().last().ok_or_else(|| Failure("the decision was never asked".to_owned()))
    }

    /// What a decision is shown of erased clients with the identities of these fields, salted with an account;
    /// nothing is saved.
    pub async fn tombstones(
        &self,
        firm: &Firm,
        salt: Uuid,
        now: Timestamp,
        fields: &[ClientFields],
    ) -> CaseResult<Vec<Tombstone>> {
        let key = |fields: &ClientFields| LookupKey {
            external_id: fields.external_id.clone(),
            fields: fields.clone(),
            ..LookupKey::default()
        };
        let lookup_keys = fields.iter().map(key).collect();
        let request = ChangeRequest { account_hint: salt, lookup_keys, ..self.request(firm, now) };
        Ok(self.shown(request).await?.tombstones)
    }

    /// Every client from a query's place to the end, page by page.
    pub async fn walk_clients(&self, firm: &Firm, query: ClientPageQuery) -> CaseResult<Vec<Client>> {
        let mut query = query;
        let mut clients = Vec::new();
        for _ in 0..PAGES_AT_MOST {
            let page = ClientPage::read(&self.store, &firm.key, &query).await?.ok_or_else(unknown_key)?;
            if page.clients.len() > query.limit as usize {
                return Err(Failure(format!("a page of {} has {} clients", query.limit, page.clients.len())));
            }
            clients.extend(page.clients);
            query.seen_until = Some(page.seen_until);
            query.after = goes_on(query.after, page.next)?;
            if query.after.is_none() {
                return Ok(clients);
            }
        }
        Err(Failure("a walk over the clients does not end".to_owned()))
    }

    /// Every prospect from the oldest to the end, page by page.
    pub async fn walk_prospects(&self, firm: &Firm, query: ProspectPageQuery) -> CaseResult<Vec<Prospect>> {
        let mut prospects = Vec::new();
        let mut after = None;
        for _ in 0..PAGES_AT_MOST {
            let query = ProspectPageQuery { order: ProspectOrder::Oldest { after }, ..query.clone() };
            let page = self.store.prospects(&firm.key, &query).await?.ok_or_else(unknown_key)?;
            if page.prospects.len() > query.limit as usize {
                return Err(Failure(format!("a page of {} has {} prospects", query.limit, page.prospects.len())));
            }
            prospects.extend(page.prospects);
            after = goes_on(after, page.next)?;
            if after.is_none() {
                return Ok(prospects);
            }
        }
        Err(Failure("a walk over the prospects does not end".to_owned()))
    }

    /// A client as it is now, in a page without delay.
    pub async fn show(&self, firm: &Firm, client: Uuid) -> CaseResult<Client> {
        let filter = ClientFilter { id: Some(client), ..ClientFilter::default() };
        let view = View { now: at(0), delay_seconds: 0 };
        let shown = self.walk_clients(firm, ClientPageQuery { view, filter, ..clients_at(at(0)) }).await?;
        shown.into_iter().next().ok_or_else(|| Failure(format!("the client {client} is not shown")))
    }

    /// A client as the operator is shown it.
    pub async fn show_to_operator(&self, firm: &Firm, client: Uuid) -> CaseResult<Client> {
        let command = OperatorCommand::ShowClient { account: firm.account, client };
        match self.operate(at(0), "client.show", command).await? {
            OperatorAnswer::Client(client) => Ok(*client),
            other => Err(unexpected("a client", &other)),
        }
    }

    /// The settlements of the client with an `external_id`, as a decision is shown them.
    pub async fn settlements_of(&self, firm: &Firm, external_id: &str) -> CaseResult<Vec<Settlement>> {
        let lookup_key = LookupKey { settles: true, ..by_external_id(external_id) };
        Ok(self.snapshot(firm, at(0), vec![lookup_key]).await?.settlements)
    }

    /// The operator's feed of settlements of an account, the first hundred.
    pub async fn settlements(&self, firm: &Firm) -> CaseResult<Vec<SettlementEntry>> {
        let command = OperatorCommand::ListSettlements { account: firm.account, after: None, limit: 100 };
        match self.operate(at(0), "settlement.list", command).await? {
            OperatorAnswer::Settlements(settlements, _) => Ok(settlements),
            other => Err(unexpected("settlements", &other)),
        }
    }

    /// Grants a county from a date.
    pub async fn grant(&self, firm: &Firm, fips: &str, from_date: &str) -> CaseResult {
        let grant = Grant { fips: fips.to_owned(), from_date: date(from_date)? };
        let command = OperatorCommand::GrantCounty { account: firm.account, grant: grant.clone() };
        match self.operate(at(0), "county.grant", command).await? {
            OperatorAnswer::County(granted) if granted == grant => Ok(()),
            other => Err(unexpected("the granted county", &other)),
        }
    }

    /// Imports prospects in one commit, and hands back what became of each.
    pub async fn import(&self, now: Timestamp, prospects: Vec<ProspectFields>) -> CaseResult<Vec<ImportOutcome>> {
        let prospects = prospects.into_iter().map(|fields| (self.id(), fields)).collect();
        match self.operate(now, "prospect.import", OperatorCommand::ImportProspects { prospects }).await? {
            OperatorAnswer::Imported(outcomes) => Ok(outcomes),
            other => Err(unexpected("import outcomes", &other)),
        }
    }
}

/// The next place of a walk, which has to lie further on.
fn goes_on(after: Option<Position>, next: Option<Position>) -> CaseResult<Option<Position>> {
    if next.is_some() && next <= after {
        return Err(Failure(format!("a walk does not get on: after {after:?} comes {next:?}")));
    }
    Ok(next)
}

/// The failure of an operator's command that was answered otherwise.
#[must_use]
pub fn unexpected(wanted: &str, found: &OperatorAnswer) -> Failure {
    Failure(format!("instead of {wanted} the store answered {found:?}"))
}

fn unknown_key() -> Failure {
    Failure("a live key is unknown".to_owned())
}
