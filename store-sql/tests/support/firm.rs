//! One account with a key, and short ways to act on it.

use std::{cell::Cell, collections::BTreeMap};

use matterbook_core::{
    SmolStr,
    account::{AccountFlags, Grant},
    client::{Client, ClientFields},
    key::{KeyDigest, KeyLimits},
    matching::PersonHash,
    prospect::ProspectFields,
    sign_in::{LinkDigest, SessionDigest},
    store::{
        Authority, ChangeRequest, ChangeSet, ClientFilter, ClientPage, ClientPageQuery, ClientUpdate, ConsoleAnswer,
        ConsoleCommand, ConsoleRequest, ConsoleStore, Decide, Decided, ImportOutcome, LogEntry, LookupKey, NewClient,
        NewSession, OperatorAnswer, OperatorCommand, OperatorStore, Position, Retention, SignIn, SignInAnswer,
        SignInCommand, Snapshot, Store, StoreError, StoredResponse, View,
    },
    time::Timestamp,
};
use matterbook_store_sql::SqlStore;
use uuid::Uuid;

use super::{Shared, at, block_on, id, key, stored_key};

pub const DELAY_SECONDS: u32 = 60;

/// An account over a store.
pub struct Firm {
    pub store: SqlStore<Shared>,
    pub account: Uuid,
    pub login: Uuid,
    pub key: KeyDigest,
    pub key_id: Uuid,
    /// How many commands were given: the ids of the next one follow from it.
    commands: Cell<u128>,
}

/// The log entry of a command at a moment.
pub fn entry(now: Timestamp, number: u128) -> LogEntry {
    LogEntry {
        id: id(number),
        at: now,
        actor: "operator".to_owned(),
        action: "account.create",
        subject: String::new(),
        request_id: id(number),
        retention: Retention::default(),
    }
}

impl Firm {
    /// Creates an account, number by number: its ids follow from it.
    pub fn create(driver: &Shared, number: u128) -> Self {
        let firm = Self {
            store: SqlStore::new(driver.clone()),
            account: id(number * 10),
            login: id(number * 10 + 1),
            key: key(&format!("key {number}")),
            key_id: id(number * 10 + 2),
            commands: Cell::new(0),
        };
        let flags = AccountFlags { api_enabled: true, digital_bundle: true, ..AccountFlags::default() };
        firm.operate(
            OperatorCommand::CreateAccount {
                id: firm.account,
                number: super::number(number),
                login_id: firm.login,
                email: format!("owner-{number}@firm.example"),
                flags,
            },
            at(0),
        );
        firm.operate(
            OperatorCommand::CreateKey {
                id: firm.key_id,
                account: firm.account,
                login: None,
                label: None,
                limits: KeyLimits::default(),
                key: stored_key(&format!("key {number}")),
            },
            at(0),
        );
        firm
    }

    /// Begins a session of the owner.
    pub fn sign_in(&self, now: Timestamp) {
        let link = LinkDigest::of(&format!("link {}", self.account));
        self.operate(OperatorCommand::MakeLink { login: self.login, link, expires_at: now.plus_seconds(60) }, now);
        let session = NewSession { id: id(self.account.as_u128() + 5), digest: self.session() };
        let command = SignInCommand::UseLink { link, session };
        let (entry_id, request_id) = (id(self.account.as_u128() + 6), id(self.account.as_u128() + 7));
        let sign_in = SignIn { now, entry_id, request_id, retention: Retention::default(), command };
        let answer = block_on(self.store.sign_in(sign_in)).unwrap();
        assert!(matches!(answer, SignInAnswer::SignedIn(_)), "{answer:?}");
    }

    /// The digest of the owner's session.
    pub fn session(&self) -> SessionDigest {
        SessionDigest::of(&format!("session {}", self.account))
    }

    /// What the owner is answered, whose session is kept open.
    pub fn ask(&self, now: Timestamp, command: ConsoleCommand) -> ConsoleAnswer {
        block_on(self.store.record_session_use(&self.session(), now)).unwrap();
        self.commands.set(self.commands.get() + 1);
        let number = 1_000_000 + self.account.as_u128() * 10_000 + self.commands.get();
        let (session, retention) = (self.session(), Retention::default());
        let request = ConsoleRequest { session, now, entry_id: id(number), request_id: id(number), retention, command };
        block_on(self.store.console(request)).unwrap().expect("an open session").answer
    }

    /// The same account over another driver.
    pub fn over(&self, driver: &Shared) -> Self {
        let commands = Cell::new(self.commands.get() + 1_000);
        Self { store: SqlStore::new(driver.clone()), commands, ..*self }
    }

    pub fn operate(&self, command: OperatorCommand, now: Timestamp) -> OperatorAnswer {
        self.try_operate(command, now).unwrap()
    }

    pub fn try_operate(&self, command: OperatorCommand, now: Timestamp) -> Result<OperatorAnswer, StoreError> {
        let number = self.commands.get() + 1;
        self.commands.set(number);
        let request = Uuid::from_u128(self.account.as_u128() + (number << 64));
        let entry = LogEntry { id: request, request_id: request, ..entry(now, 0) };
        block_on(self.store.operate(command, entry))
    }

    pub fn grant(&self, fips: &str, from_date: &str) {
        let grant = Grant { fips: fips.to_owned(), from_date: from_date.parse().unwrap() };
        self.operate(OperatorCommand::GrantCounty { account: self.account, grant }, at(0));
    }

    pub fn import(&self, prospects: Vec<(Uuid, ProspectFields)>, now: Timestamp) -> Vec<ImportOutcome> {
        match self.operate(OperatorCommand::ImportProspects { prospects }, now) {
            OperatorAnswer::Imported(outcomes) => outcomes,
            other => panic!("{other:?}"),
        }
    }

    /// A request with these lookup keys and this decision.
    pub fn request(&self, number: u128, now: Timestamp, lookup_keys: Vec<LookupKey>, decide: Decide) -> ChangeRequest {
        ChangeRequest {
            authority: Authority::Key(self.key),
            account_hint: self.account,
            request_id: id(number),
            now,
            client_delay_seconds: DELAY_SECONDS,
            retention: Retention::default(),
            lookup_keys,
            names_similar: false,
            idempotency_key: None,
            decide,
        }
    }

    pub fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        block_on(self.store.change(request))
    }

    /// Creates or updates clients by their `external_id`, as one request: each gets the phone given.
    pub fn put(&self, number: u128, now: Timestamp, clients: &[(&str, &str)]) -> StoredResponse {
        self.change(self.put_request(number, now, clients)).unwrap().unwrap()
    }

    pub fn put_request(&self, number: u128, now: Timestamp, clients: &[(&str, &str)]) -> ChangeRequest {
        let lookup_keys = clients.iter().map(|(external_id, _)| lookup_key(&person(external_id))).collect();
        self.request(number, now, lookup_keys, put(number, clients))
    }

    pub fn page(&self, now: Timestamp, after: Option<Position>, limit: u32) -> ClientPage {
        let view = View { now, delay_seconds: DELAY_SECONDS };
        let query = ClientPageQuery {
            view,
            after,
            seen_until: None,
            updated_since: None,
            filter: ClientFilter::default(),
            limit,
        };
        block_on(ClientPage::read(&self.store, &self.key, &query)).unwrap().unwrap()
    }

    /// Every client that a walk from the beginning meets, and the pages that it took.
    pub fn walk(&self, now: Timestamp, limit: u32) -> (Vec<Client>, usize) {
        let (mut clients, mut pages, mut after) = (Vec::new(), 0, None);
        loop {
            let page = self.page(now, after, limit);
            pages += 1;
            clients.extend(page.clients);
            after = page.next;
            if after.is_none() {
                return (clients, pages);
            }
        }
    }
}

/// Somebody of that `external_id`.
pub fn person(external_id: &str) -> ClientFields {
    ClientFields {
        external_id: Some(external_id.into()),
        first_name: Some("Ada".into()),
        last_name: Some(format!("Number {external_id}").into()),
        address_line1: Some(format!("{external_id} Main St").into()),
        zip: Some("62704".into()),
        ..ClientFields::default()
    }
}

/// Hashes that tell people of different names apart.
pub fn hash_of(fields: &ClientFields) -> PersonHash {
    let hash = |text: &Option<SmolStr>| {
        text.as_ref().map(|text| text.bytes().fold(7_i64, |hash, byte| (hash * 31 + i64::from(byte)) % (1 << 53)))
    };
    let street = hash(&fields.address_line1);
    PersonHash { name: hash(&fields.last_name), street, unit: 0, zip5: street.map(|_| 62_704) }
}

/// The change of a client to these fields.
pub fn update_of(client: &Client, after: ClientFields) -> ClientUpdate {
    let found_by = |fields: &ClientFields| (fields.external_id.clone(), hash_of(fields));
    let new_hash = (found_by(&client.fields) != found_by(&after)).then(|| hash_of(&after));
    ClientUpdate { id: client.id, before: client.clone(), after, new_hash, matched_by: None }
}

/// What a request with this client looks up.
pub fn lookup_key(fields: &ClientFields) -> LookupKey {
    LookupKey {
        external_id: fields.external_id.clone(),
        person: hash_of(fields),
        settles: fields.settled_on.is_some(),
        fields: fields.clone(),
        fingerprint: Some(fields.fingerprint()),
    }
}

/// Creates clients that the snapshot lacks and gives the others another phone. The answer counts
/// both.
fn put(number: u128, clients: &[(&str, &str)]) -> Decide {
    let clients: Vec<(SmolStr, SmolStr)> =
        clients.iter().map(|(external_id, phone)| ((*external_id).into(), (*phone).into())).collect();
    Box::new(move |snapshot: &Snapshot| {
        let known: BTreeMap<_, _> = snapshot
            .clients
            .iter()
            .filter_map(|client| Some((client.fields.external_id.clone()?, client.clone())))
            .collect();
        let mut change_set = ChangeSet::default();
        for (index, (external_id, phone)) in clients.iter().enumerate() {
            let phone = Some(phone.clone());
            match known.get(external_id) {
                None => {
                    let fields = ClientFields { phone, ..person(external_id) };
                    let id = Uuid::from_u128((number << 32) + (1 << 100) + index as u128);
                    change_set.created.push(NewClient {
                        id,
                        person: hash_of(&fields),
                        fingerprint: fields.fingerprint(),
                        fields,
                    });
                }
                Some(client) if client.fields.phone != phone => {
                    let after = ClientFields { phone, ..client.fields.clone() };
                    change_set.updated.push(update_of(client, after));
                }
                Some(_) => {}
            }
        }
        let body = format!("created {}, updated {}", change_set.created.len(), change_set.updated.len());
        Decided { change_set, response: StoredResponse { status: 200, body, replayed: false } }
    })
}
