//! One account with its data, and the one write of its clients (S3–S7, S11, S14).

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{clients::Clients, expiring_map::ExpiringMap, imports::Imports, review::Review, similar::SimilarPairs};
use crate::{
    account::Account,
    client::Client,
    id::IdMint,
    key::KeyDigest,
    matching::{MatchKey, identities},
    plan::{Known, Resolution},
    store::{
        ChangeOwner, ChangeRequest, IdempotencyRecord, IdentityDigest, LettersOn, Refusal, Retention, ReviewDecision,
        Snapshot, StoreError, StoredResponse, Tombstone,
    },
    time::Timestamp,
    undo::UndoReport,
};

/// The data of an account.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) account: Account,
    pub(super) clients: Clients,
    pub(super) last_commit_at: Timestamp,
    tombstones: BTreeMap<IdentityDigest, bool>,
    idempotency_records: ExpiringMap<String, IdempotencyRecord>,
    commits: ExpiringMap<Uuid, StoredResponse>,
    /// Every commit, in the order of time.
    pub(super) arrivals: Vec<Arrival>,
    /// Who turned letters of a client on again.
    pub(super) letters_on: BTreeMap<Uuid, Vec<LettersOn>>,
    /// Files that its people sent.
    pub(super) imports: Imports,
    /// What waits for review.
    pub(super) review: Review,
    /// Pairs of clients that may be one person.
    pub(super) similar: SimilarPairs,
}

/// What a commit brought, and from where.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) at: Timestamp,
    pub(super) request_id: Uuid,
    pub(super) source: Source,
    pub(super) created: u32,
    pub(super) changed: u32,
}

/// Who made a commit.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Key(KeyDigest),
    /// A person, and the import that it is a batch of.
    Login(Uuid, Option<Uuid>),
    Operator,
}

impl Source {
    /// The import that a commit is a batch of.
    pub(super) const fn import(&self) -> Option<Uuid> {
        match self {
            Self::Login(_, import) => *import,
            Self::Key(_) | Self::Operator => None,
        }
    }
}

impl Content {
    pub(super) fn new(account: Account) -> Self {
        Self {
            account,
            clients: Clients::default(),
            last_commit_at: Timestamp::default(),
            tombstones: BTreeMap::new(),
            idempotency_records: ExpiringMap::default(),
            commits: ExpiringMap::default(),
            arrivals: Vec::new(),
            letters_on: BTreeMap::new(),
            imports: Imports::default(),
            review: Review::default(),
            similar: SimilarPairs::default(),
        }
    }

    /// The time of the next commit (S6).
    pub(super) fn next_commit_at(&self, now: Timestamp) -> Timestamp {
        now.max(self.last_commit_at.next())
    }

    pub(super) const fn set_last_commit_at(&mut self, at: Timestamp) {
        self.last_commit_at = at;
        self.account.last_commit_at = Some(at);
    }

    /// Keeps who made a commit, and what it brought.
    pub(super) fn note_commit(&mut self, at: Timestamp, request_id: Uuid, source: Source, created: u32, changed: u32) {
        self.arrivals.push(Arrival { at, request_id, source, created, changed });
    }

    /// Keeps who turned a client's letters on again.
    pub(super) fn note_letters_on(&mut self, client: Uuid, at: Timestamp, actor: &str, reason: Option<String>) {
        self.letters_on.entry(client).or_default().push(LettersOn { at, actor: actor.to_owned(), reason });
    }

    /// Runs the decision and applies it.
    pub(super) fn change(
        &mut self,
        owner: ChangeOwner,
        source: Source,
        mut request: ChangeRequest,
    ) -> Result<StoredResponse, StoreError> {
        if let Some(response) = self.commits.get(&request.request_id, request.now) {
            return Ok(response.clone());
        }
        let snapshot = self.snapshot(owner, &request);
        let decided = (request.decide)(&snapshot);
        let mut change_set = decided.change_set;
        if change_set.is_empty() {
            return Ok(decided.response);
        }
        let review = std::mem::take(&mut change_set.review);
        if !change_set.is_commit() {
            self.review.apply(review, request.now, &source, request.request_id);
            return Ok(decided.response);
        }
        self.clients.check(&change_set)?;
        let at = self.next_commit_at(request.now);
        self.set_last_commit_at(at);
        self.review.apply(review, request.now, &source, request.request_id);
        if let (Some(key), Some(saved)) = (request.idempotency_key, change_set.idempotency_record.take()) {
            // The 24 hours count from the request's time, not from the commit's.
            self.idempotency_records.keep(request.now, key, saved);
        }
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        let (created, changed) = (count(change_set.created.len()), count(change_set.updated.len()));
        if let (Source::Login(_, Some(import)), Some(progress)) = (&source, change_set.import.take()) {
            self.imports.add(*import, progress);
        }
        self.note_commit(at, request.request_id, source, created, changed);
        self.clients.apply(change_set, at);
        self.commits.keep(at, request.request_id, decided.response.clone());
        Ok(decided.response)
    }

    fn snapshot(&self, owner: ChangeOwner, request: &ChangeRequest) -> Snapshot {
        let (clients, settlements) = self.clients.lookup(request);
        let external_ids = request.lookup_keys.iter().filter_map(|key| key.external_id.as_ref());
        let aliases = self.clients.aliases_among(external_ids);
        let tombstones: BTreeMap<_, _> =
            request.identities().iter().filter_map(|identity| self.tombstones.get_key_value(identity)).collect();
        let tombstones = tombstones
            .into_iter()
            .map(|(identity, do_not_mail)| Tombstone { identity: *identity, do_not_mail: *do_not_mail });
        let idempotency_record =
            request.idempotency_key.as_ref().and_then(|key| self.idempotency_records.get(key, request.now));
        let similar = if request.names_similar { self.similar.of_clients(&clients) } else { Vec::new() };
        Snapshot {
            owner,
            clients,
            similar,
            settlements,
            tombstones: tombstones.collect(),
            idempotency_record: idempotency_record.cloned(),
            aliases,
            waiting: self.review.waiting(|| request.review_ids()),
        }
    }

    /// Takes a change back. The identities of clients that are removed keep their `do_not_mail`.
    pub(super) fn undo(&mut self, report: &UndoReport, at: Timestamp, request_id: Uuid, source: Source) {
        let undo = &report.undo;
        if undo.is_empty() {
            return;
        }
        if let Some(item) = undo.item {
            self.review.turn(item, request_id);
        }
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        self.set_last_commit_at(at);
        self.note_commit(at, request_id, source, count(undo.restored.len()), count(undo.updated.len()));
        for client in undo.removed.iter().filter(|client| client.fields.do_not_mail) {
            self.entomb(client);
        }
        self.clients.apply_undo(undo, at);
        undo.removed.iter().for_each(|client| self.similar.remove(client.id));
    }

    /// Decides about an item. Returns the client.
    pub(super) fn resolve(
        &mut self,
        item: Uuid,
        decision: ReviewDecision,
        mint: IdMint,
        (now, at): (Timestamp, Timestamp),
        (request_id, source, retention): (Uuid, Source, Retention),
    ) -> Result<Option<Client>, Refusal> {
        let item = self.review.waiting_item(item, retention.review_since(now)).ok_or(Refusal::NoItem)?.clone();
        let clients: Vec<Client> = self.clients.all().cloned().collect();
        let settlements: Vec<_> = clients.iter().flat_map(|client| self.clients.settlements_of(client.id)).collect();
        let tombstones: Vec<_> = self
            .tombstones
            .iter()
            .map(|(identity, do_not_mail)| Tombstone { identity: *identity, do_not_mail: *do_not_mail })
            .collect();
        let aliases = self.clients.all_aliases();
        let known = Known { clients: &clients, settlements: &settlements, tombstones: &tombstones, aliases: &aliases };
        let Resolution { change_set, client } = Resolution::of(self.account.id, &item, decision, known, mint)?;
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        self.set_last_commit_at(at);
        self.note_commit(at, request_id, source, count(change_set.created.len()), count(change_set.updated.len()));
        self.clients.apply(change_set, at);
        self.review.decide(item.id, request_id);
        Ok(client.and_then(|client| self.clients.get(client)).cloned())
    }

    /// Keeps digests of a client's identities.
    fn entomb(&mut self, client: &Client) {
        let fields = &client.fields;
        let aliases = self.clients.aliases_of(client.id);
        let by_alias = aliases.iter().flat_map(|alias| identities(self.account.id, Some(alias), &MatchKey::default()));
        for identity in by_alias {
            *self.tombstones.entry(identity).or_default() |= fields.do_not_mail;
        }
        for identity in identities(self.account.id, fields.external_id.as_deref(), &MatchKey::of(fields)) {
            *self.tombstones.entry(identity).or_default() |= fields.do_not_mail;
        }
    }

    /// Erases a client and keeps digests of its identities (S12). Returns `false` if there is none.
    ///
    /// Two erased clients may share an identity. Its `do_not_mail` is the OR of both (rule D3).
    pub(super) fn erase_client(&mut self, id: Uuid, at: Timestamp, request_id: Uuid) -> bool {
        if let Some(erased) = self.clients.erase_removed(id) {
            let external_id = erased.fields.external_id.as_deref();
            self.review.erase(self.account.id, id, external_id, MatchKey::of(&erased.fields).hash());
            self.forget_answers(&erased);
            return true;
        }
        let Some(erased) = self.clients.get(id).cloned() else { return false };
        self.entomb(&erased);
        let aliases = self.clients.aliases_of(id);
        self.clients.erase(id);
        self.set_last_commit_at(at);
        self.note_commit(at, request_id, Source::Operator, 0, 0);
        self.letters_on.remove(&id);
        self.similar.remove(id);
        let person = MatchKey::of(&erased.fields).hash();
        for external_id in erased.fields.external_id.iter().chain(&aliases) {
            self.review.erase(self.account.id, id, Some(external_id), person);
        }
        self.review.erase(self.account.id, id, None, person);
        self.forget_answers(&erased);
        true
    }

    /// Forgets the saved answers that name an erased client.
    fn forget_answers(&mut self, erased: &Client) {
        let (id, external_id) = IdempotencyRecord::texts_naming(erased.id, erased.fields.external_id.as_deref());
        let names: Vec<_> = external_id.into_iter().chain([id, IdempotencyRecord::TELLS_VALUES.to_owned()]).collect();
        self.idempotency_records.forget(|saved| names.iter().any(|name| saved.response.body.contains(name.as_str())));
    }
}
