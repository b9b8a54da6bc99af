//! A person's decision about an item that waits for review: read what it concerns, decide, write a commit like any
//! other.

use matterbook_core::{
    client::{Client, ClientFields, Settlement, parse_client},
    id::IdMint,
    matching::{MatchKey, erased_identities},
    plan::{Known, Resolution},
    store::{Alias, IdentityDigest, NewReviewItem, OperatorAnswer, Refusal, ReviewDecision, StoreError, Tombstone},
};
use uuid::Uuid;

use super::{
    clients::{Attempts, client_of, read_client},
    command::{Command, CommandError, CommandResult},
    write::{Concerns, log, logged},
};
use crate::{
    account_version::AccountVersion,
    bind,
    commit::Commit,
    driver::{Driver, DriverError, Statement, Value},
    guard::Guard,
    queries,
    read::ResultSets,
    review,
};

/// A decision about an item.
#[derive(Clone, Copy)]
pub(super) struct Decided {
    pub(super) account: Uuid,
    pub(super) item: Uuid,
    pub(super) decision: ReviewDecision,
    pub(super) mint: IdMint,
    pub(super) client_delay_seconds: u32,
}

/// What the decision is made over.
struct Found {
    clients: Vec<Client>,
    settlements: Vec<Settlement>,
    tombstones: Vec<Tombstone>,
    aliases: Vec<Alias>,
}

pub(super) async fn decide<D: Driver>(command: &Command<'_, D>, decided: Decided) -> CommandResult {
    let mut attempts = Attempts::default();
    // The client of an attempt whose outcome is not known.
    let mut sent: Option<Option<Uuid>> = None;
    let mut is_read_again = false;
    loop {
        attempts.begin();
        let failure = match command.driver.run(&decided.reads(command)).await.map(ResultSets::new) {
            Ok(mut found) => {
                let version = AccountVersion::read(&mut found.row().ok_or(Refusal::NoAccount)?)?;
                let is_applied = found.row().is_some();
                if let (true, Some(client)) = (is_applied, sent) {
                    return decided.answer(command, client).await;
                }
                let kept = found.rows().next().map(review::read_kept).transpose()?;
                let item = kept.filter(|(_, waits)| *waits).ok_or(Refusal::NoItem)?.0.item;
                let known = decided.known(command, &version, &item).await?;
                let over = Known {
                    clients: &known.clients,
                    settlements: &known.settlements,
                    tombstones: &known.tombstones,
                    aliases: &known.aliases,
                };
                let resolution = Resolution::of(decided.account, &item, decided.decision, over, decided.mint);
                // What is in the way may be what another decision about the item has just done: then it no longer waits.
                if resolution.is_err() && command.has_concurrent_writers() && !is_read_again {
                    is_read_again = true;
                    continue;
                }
                let resolution = resolution?;
                let client = resolution.client;
                let batch = decided.batch(command, &version, attempts.number(), &item, &known, resolution);
                match command.driver.run(&batch).await {
                    Ok(_) => return decided.answer(command, client).await,
                    Err(error) => {
                        if command.session_has_changed(&error).await {
                            return Err(CommandError::SessionChanged);
                        }
                        sent = Some(client);
                        attempts.failed(command, error)
                    }
                }
            }
            Err(error) if attempts.number() == 1 => return Err(error.into()),
            Err(error) => error.into(),
        };
        attempts.wait(command, failure).await?;
    }
}

impl Decided {
    fn reads<D: Driver>(&self, command: &Command<'_, D>) -> [Statement; 3] {
        let version = queries::ACCOUNT_VERSION.bind([("account", bind::id(self.account))]);
        let seen_since = command.entry.retention.review_since(command.entry.at);
        let item = queries::REVIEW_ITEM.bind([
            ("account", bind::id(self.account)),
            ("id", bind::id(self.item)),
            ("seen_since", bind::time(seen_since)),
        ]);
        [version, logged(command.entry), item]
    }

    /// The client that the decision names, the one that has the external id that was sent, and what is left of erased clients.
    async fn known<D: Driver>(
        &self,
        command: &Command<'_, D>,
        version: &AccountVersion,
        item: &NewReviewItem,
    ) -> Result<Found, CommandError> {
        let sent = item.sent.as_deref().and_then(|sent| parse_client(sent).ok());
        let fields = sent.map(|sent| sent.fields).unwrap_or_default();
        let named = match self.decision {
            ReviewDecision::Same(client) => client,
            ReviewDecision::Another | ReviewDecision::Leave => Uuid::nil(),
        };
        let account = || ("account", bind::id(self.account));
        let external_id = || ("external_id", fields.external_id.as_deref().into());
        let mut batch = vec![
            read_client(self.account, named),
            queries::SETTLEMENTS_OF_CLIENT.bind([account(), ("client", bind::id(named))]),
            queries::FIND_CLIENT_BY_EXTERNAL_ID.bind([account(), external_id()]),
            queries::FIND_CLIENT_BY_ALIAS.bind([account(), external_id()]),
        ];
        batch.extend(self.tombstones(version, &fields));
        let mut results = command.read(&batch).await?;
        let mut clients: Vec<Client> = client_of(&mut results)?.into_iter().collect();
        let settlements = results.row().map(|mut row| row.settlements(named)).transpose()?.unwrap_or_default();
        for mut row in results.rows() {
            let client: Client = row.client()?;
            clients.extend(Some(client).filter(|client| client.id != named));
        }
        let alias = |client: Uuid| Some(Alias { client, external_id: fields.external_id.clone()? });
        let mut aliases = Vec::new();
        for mut row in results.rows() {
            let client: Client = row.client()?;
            aliases.extend(alias(client.id));
            clients.extend(Some(client).filter(|client| client.id != named));
        }
        let mut tombstones = Vec::new();
        for _ in 4..batch.len() {
            for mut row in results.rows() {
                tombstones.push(Tombstone { identity: IdentityDigest(row.bytes()?), do_not_mail: row.flag()? });
            }
        }
        Ok(Found { clients, settlements, tombstones, aliases })
    }

    fn tombstones(&self, version: &AccountVersion, fields: &ClientFields) -> Vec<Statement> {
        if version.last_erasure_at.is_none() || !matches!(self.decision, ReviewDecision::Another) {
            return Vec::new();
        }
        let match_key = MatchKey::of(fields);
        let identities = erased_identities(self.account, fields.external_id.as_deref(), &match_key);
        let account_id = Value::Integer(version.account_id);
        let rows = identities
            .iter()
            .map(|IdentityDigest(digest)| [account_id.clone(), Value::Null, Value::from(digest.as_slice())]);
        queries::TOMBSTONES.bind_rows(&["account_id", "key", "identity"], rows)
    }

    fn batch<D: Driver>(
        &self,
        command: &Command<'_, D>,
        version: &AccountVersion,
        attempt: u32,
        item: &NewReviewItem,
        known: &Found,
        resolution: Resolution,
    ) -> Vec<Statement> {
        let entry = command.entry;
        let change_set = resolution.change_set;
        let guard = match command.has_concurrent_writers() {
            true => {
                let ids = known.clients.iter().map(|client| client.id);
                let external_ids = change_set.aliases.iter().map(|alias| alias.external_id.as_str());
                let created = change_set.created.iter().filter_map(|new| new.fields.external_id.as_deref());
                let updated = change_set.updated.iter().filter_map(|update| update.after.external_id.as_deref());
                let external_ids = bind::texts(external_ids.chain(created).chain(updated));
                Guard::new(version, ids, vec![("external_ids", external_ids.into())])
            }
            false => Guard::none(),
        };
        let commit = Commit {
            version,
            request_id: entry.request_id,
            attempt,
            now: entry.at,
            author: command.author,
            client_delay_seconds: self.client_delay_seconds,
            retention: entry.retention,
            isolation: command.driver.isolation(),
        };
        let (created, updated) = (change_set.created.len(), change_set.updated.len());
        let names = || [("account_id", commit.account_id()), ("id", bind::id(self.item))];
        let mut batch: Vec<_> = command.session.iter().cloned().collect();
        batch.push(queries::REQUIRE_WAITING_ITEM.bind([&names()[..], &[("content", bind::id(item.content))]].concat()));
        batch.extend(commit.open(created, updated, guard));
        batch.extend(commit.create_clients(change_set.created));
        batch.extend(commit.update_clients(change_set.updated));
        batch.extend(commit.put_settlements(change_set.settlements));
        batch.extend(commit.give_aliases(&change_set.aliases));
        batch.push(
            queries::DECIDE_REVIEW_ITEM.bind([&names()[..], &[("request_id", bind::id(entry.request_id))]].concat()),
        );
        batch.extend(commit.close(updated));
        batch.extend(log(entry, Concerns::Account(self.account)));
        batch
    }

    /// The client as it is after the decision.
    async fn answer<D: Driver>(&self, command: &Command<'_, D>, client: Option<Uuid>) -> CommandResult {
        let Some(client) = client else { return Ok(OperatorAnswer::Resolved(None)) };
        let found = command.driver.run(&[read_client(self.account, client)]).await.map(ResultSets::new);
        // The decision is saved. A failed read must not report that nothing was done.
        let unknown = |error: DriverError| StoreError::Unknown { cause: format!("{error:?}") };
        let client = client_of(&mut found.map_err(unknown)?)?;
        Ok(OperatorAnswer::Resolved(client.map(Box::new)))
    }
}
