//! One consistent look at an account, for a decision (S3).

use foldhash::HashSet;
use matterbook_core::{
    SmolStr,
    client::{Client, ClientFields, Fingerprint, Settlement},
    store::{ChangeRequest, IdentityDigest, Snapshot, StoreError, Tombstone},
};
use uuid::Uuid;

use super::{
    Memory,
    wanted::{self, Wanted},
};
use crate::{
    SeenErasures,
    driver::{Driver, Isolation, Statement, Value, ValueOf},
    holder::{self, KeyHolder},
    queries,
    read::{Results, RowOf, unexpected},
};

/// What a look sees.
pub(crate) struct Seen {
    pub(crate) found: KeyHolder,
    pub(crate) snapshot: Snapshot,
    /// Clients of whom a roster may be told.
    #[cfg(feature = "transactions")]
    pub(super) left: super::roster::Left,
}

/// Looks at everything that the request's wants meet; `None` for an unknown key. Of a revoked key
/// only what its request left behind is seen.
///
/// Where others may write in between, it is one batch, which has to say beforehand whether it asks
/// for what is left of erased clients. It is made again in the rare case that it should have.
pub(crate) async fn look<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    #[cfg_attr(not(feature = "transactions"), expect(unused_variables, reason = "only a look in turn asks it"))]
    memory: &impl Memory,
    request: &ChangeRequest,
) -> Result<Option<Seen>, StoreError> {
    let who = holder::statement_of(request);
    let key = request.key.to_text();
    let settles = request.wants.iter().any(|want| want.settles);
    match driver.isolation() {
        Isolation::Batch => {
            let mut with_tombstones = erasures.contains(&request.key);
            loop {
                let wanted = wanted::all_at_once(&request.wants);
                let clients = wanted::in_one_go(&key, settles, &wanted);
                let tombstones = tombstones(request, None, &key, with_tombstones);
                let counts = [clients.len(), tombstones.len()];
                let batch = [vec![who.clone()], clients, tombstones].concat();
                let mut results = Results::of(driver, &batch).await?;
                let Some(row) = results.row() else { return Ok(None) };
                let found = holder::read(row)?;
                if with_tombstones || found.ground.last_erasure_at.is_none() {
                    let mut met = Met::default();
                    met.reserve(wanted.len());
                    results.rows_of(counts[0]).try_for_each(|mut row| met.add(request, &wanted, &mut row).map(drop))?;
                    return Ok(Some(seen(found, met, tombstones_of(&mut results, counts[1])?)));
                }
                erasures.insert(&request.key);
                with_tombstones = true;
            }
        }
        #[cfg(feature = "transactions")]
        Isolation::Transaction => super::in_turn::look(driver, memory.roster(), request, who, &key, settles).await,
    }
}

/// The statements that look for what is left of erased clients.
pub(super) fn tombstones(
    request: &ChangeRequest,
    account_id: Option<i64>,
    key: &str,
    are_wanted: bool,
) -> Vec<Statement> {
    let identities: HashSet<_> = are_wanted.then(&*request.identities).into_iter().flatten().collect();
    let identities = identities
        .into_iter()
        .map(|IdentityDigest(digest)| [account_id.into(), key.into(), Value::from(digest.as_slice())]);
    queries::TOMBSTONES.bind_rows(&["account_id", "key", "identity"], identities)
}

/// The clients that wants meet, each once.
#[derive(Default)]
pub(super) struct Met {
    ids: HashSet<Uuid>,
    pub(super) clients: Vec<Client>,
    /// Of those in the database who are just as a want says, the places, and its fingerprint.
    pub(super) same: Vec<(usize, Fingerprint)>,
    settlements: Vec<Settlement>,
}

impl Met {
    pub(super) fn reserve(&mut self, clients: usize) {
        self.ids.reserve(clients);
        self.clients.reserve(clients);
    }

    /// Adds a client with its settlements, read from the number of what is wanted, the id, both times, the
    /// settlements; whether the want says the fields; and otherwise these. Answers the number.
    pub(super) fn add<Text, Bytes, Values>(
        &mut self,
        request: &ChangeRequest,
        wanted: &[Wanted<'_>],
        row: &mut RowOf<Values>,
    ) -> Result<usize, StoreError>
    where
        SmolStr: From<Text>,
        Text: AsRef<str>,
        Bytes: AsRef<[u8]>,
        Values: Iterator<Item = ValueOf<Text, Bytes>>,
    {
        let number = usize::try_from(row.integer()?).map_err(|_| unexpected("the number of a want"))?;
        let (id, created_at, updated_at) = (row.id()?, row.time()?, row.time()?);
        let settlements = row.settlements(id)?;
        let is_same = row.optional_flag()? == Some(true);
        let fields = if is_same {
            given(request, wanted.get(number).ok_or_else(|| unexpected("the number of a want"))?)?
        } else {
            row.client_fields()?
        };
        if self.ids.insert(id) {
            let fingerprint = wanted.get(number).filter(|_| is_same).and_then(|wanted| wanted.want.fingerprint);
            self.same.extend(fingerprint.map(|fingerprint| (self.clients.len(), fingerprint)));
            self.settlements.extend(settlements);
            self.clients.push(Client { id, fields, created_at, updated_at });
        }
        Ok(number)
    }

    /// Those in the database who are just as a want says, with its fingerprint.
    #[cfg(feature = "transactions")]
    pub(super) fn same(&self) -> impl Iterator<Item = (&Client, Fingerprint)> {
        self.same.iter().filter_map(|(place, fingerprint)| Some((self.clients.get(*place)?, *fingerprint)))
    }

    /// Adds a client of which no settlement is wanted, or that has none.
    #[cfg(feature = "transactions")]
    pub(super) fn add_unsettled(&mut self, client: Client) {
        if self.ids.insert(client.id) {
            self.clients.push(client);
        }
    }
}

/// The fields that the item of a want gives.
pub(super) fn given(request: &ChangeRequest, wanted: &Wanted<'_>) -> Result<ClientFields, StoreError> {
    (request.given)(wanted.place).ok_or_else(|| unexpected("the place of a want"))
}

/// Reads what so many statements found of erased clients.
pub(super) fn tombstones_of(results: &mut Results, count: usize) -> Result<Vec<Tombstone>, StoreError> {
    let rows = results.rows_of(count);
    rows.map(|mut row| Ok(Tombstone { identity: IdentityDigest(row.bytes()?), do_not_mail: row.flag()? })).collect()
}

pub(super) fn seen(mut found: KeyHolder, met: Met, tombstones: Vec<Tombstone>) -> Seen {
    let snapshot = Snapshot {
        holder: found.holder.clone(),
        clients: met.clients,
        settlements: met.settlements,
        tombstones,
        saved_answer: found.saved_answer.take(),
    };
    Seen {
        found,
        snapshot,
        #[cfg(feature = "transactions")]
        left: super::roster::Left::default(),
    }
}
