//! One consistent look at an account, for a decision (S3).

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use matterbook_core::{
    SmolStr,
    client::{Client, Settlement},
    matching::PersonHash,
    store::{IdentityDigest, Snapshot, StoreError, Tombstone, Want},
};

use uuid::Uuid;

use super::Asked;
use crate::{
    SeenErasures, bind,
    driver::{Driver, Isolation, Statement, Value},
    holder::{self, KeyHolder},
    queries,
    read::{Results, Row, unexpected},
};

/// The most wants of one statement. It returns all whom external ids find as one value, of which D1
/// allows 2,000,000 bytes; a client takes up to 8,500.
const WANTS_MAX: usize = 170;

/// What a look sees.
pub(crate) struct Seen {
    pub(crate) found: KeyHolder,
    pub(crate) snapshot: Snapshot,
}

/// Which account the queries read: by its number, where that is known and they are bound by rows; or by
/// the key.
struct Account<'a> {
    number: Option<i64>,
    key: &'a str,
}

impl Account<'_> {
    /// The values of `account_id` and `key`.
    fn values(&self) -> (Value, Value) {
        (self.number.into(), self.key.into())
    }
}

/// Looks at everything that the request's wants meet; `None` for an unknown key. Of a revoked key
/// only what its request left behind is seen.
///
/// Where others may write in between, it is one batch, which has to say beforehand whether it asks
/// for what is left of erased clients. It is made again in the rare case that it should have.
pub(crate) async fn look<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    asked: &Asked,
) -> Result<Option<Seen>, StoreError> {
    let who = holder::statement_for_change(&asked.key, asked.request_id, asked.idempotency_key.as_deref(), asked.now);
    let key = asked.key.to_text();
    match driver.isolation() {
        Isolation::Batch => {
            let mut with_tombstones = erasures.contains(&asked.key);
            loop {
                let account = Account { number: None, key: &key };
                let clients = clients(asked, &account, &distinct_facts(&asked.wants));
                let tombstones = tombstones(asked, &account, with_tombstones);
                let counts = [clients.len(), tombstones.len()];
                let batch = [vec![who.clone()], clients, tombstones].concat();
                let mut results = Results::of(driver, &batch).await?;
                let Some(row) = results.row() else { return Ok(None) };
                let found = holder::read(row)?;
                if with_tombstones || found.ground.last_erasure_at.is_none() {
                    let mut met = Met::default();
                    met.add(asked, results.rows_of(counts[0]))?;
                    return Ok(Some(seen(found, met, tombstones_of(&mut results, counts[1])?)));
                }
                erasures.insert(&asked.key);
                with_tombstones = true;
            }
        }
        Isolation::Transaction => {
            let mut results = Results::of(driver, &[who]).await?;
            let Some(row) = results.row() else { return Ok(None) };
            let found = holder::read(row)?;
            let account = Account { number: Some(found.ground.account_id), key: &key };
            let mut met = Met::default();
            // Most are found by their external ids, and nobody needs to be looked for by name then.
            met.read(asked, clients(asked, &account, &external_ids(&asked.wants)), driver).await?;
            met.read(asked, clients(asked, &account, &persons_of_strangers(&asked.wants, &met)), driver).await?;
            let tombstones = tombstones(asked, &account, found.ground.last_erasure_at.is_some());
            let count = tombstones.len();
            let mut results = run(driver, &tombstones).await?;
            Ok(Some(seen(found, met, tombstones_of(&mut results, count)?)))
        }
    }
}

/// Runs a batch, which may be empty.
async fn run<D: Driver>(driver: &D, batch: &[Statement]) -> Result<Results, StoreError> {
    if batch.is_empty() { Ok(Results::new(Vec::new())) } else { Results::of(driver, batch).await }
}

/// The statements that look for clients.
fn clients(asked: &Asked, account: &Account<'_>, facts: &[WantedFacts<'_>]) -> Vec<Statement> {
    let (account_id, key) = account.values();
    let settles = asked.wants.iter().any(|want| want.settles);
    let looks_by_name = facts.iter().any(|facts| facts.person.name.is_some() && facts.person.place.is_none());
    let row = |facts: &WantedFacts<'_>| {
        [
            settles.into(),
            facts.want.fingerprint.map(bind::fingerprint).into(),
            Value::Integer(i64::try_from(facts.place).unwrap_or(i64::MAX)),
            account_id.clone(),
            key.clone(),
            facts.external_id.cloned().into(),
            facts.person.name.into(),
            facts.person.place.into(),
            looks_by_name.into(),
            facts.without_external_id.into(),
        ]
    };
    let names = [
        "settles",
        "fingerprint",
        "want",
        "account_id",
        "key",
        "external_id",
        "name_hash",
        "place_hash",
        "looks_by_name",
        "without_external_id",
    ];
    facts.chunks(WANTS_MAX).flat_map(|facts| queries::MET_CLIENTS.bind_rows(&names, facts.iter().map(row))).collect()
}

/// The statements that look for what is left of erased clients.
fn tombstones(asked: &Asked, account: &Account<'_>, are_wanted: bool) -> Vec<Statement> {
    let (account_id, key) = account.values();
    let identities: HashSet<_> = are_wanted.then(&*asked.identities).into_iter().flatten().collect();
    let identities = identities
        .into_iter()
        .map(|IdentityDigest(digest)| [account_id.clone(), key.clone(), Value::from(digest.as_slice())]);
    queries::TOMBSTONES.bind_rows(&["account_id", "key", "identity"], identities)
}

/// What is looked up of one want.
struct WantedFacts<'w> {
    /// The want's place.
    place: usize,
    want: &'w Want,
    external_id: Option<&'w SmolStr>,
    person: PersonHash,
    /// Of those of the name, only those without an external id.
    without_external_id: bool,
}

/// What to look up, no external id and no person twice: five hundred wants of one name would
/// otherwise read everybody of that name five hundred times. A person whom several wants name is
/// looked up apart from their external ids, any of which may not be known.
fn distinct_facts(wants: &[Want]) -> Vec<WantedFacts<'_>> {
    let mut named: HashMap<PersonHash, (usize, bool)> = HashMap::new();
    for want in wants.iter().filter(|want| want.person.name.is_some()) {
        let (times, without_external_id) = named.entry(want.person).or_insert((0, true));
        *times += 1;
        *without_external_id &= want.external_id.is_some();
    }
    let mut external_ids = HashSet::new();
    let mut facts = Vec::new();
    for (place, want) in wants.iter().enumerate() {
        let external_id = want.external_id.as_ref().filter(|external_id| external_ids.insert(*external_id));
        let wanted = |external_id, person, without_external_id| WantedFacts {
            place,
            want,
            external_id,
            person,
            without_external_id,
        };
        match named.get_mut(&want.person) {
            Some((1, _)) if external_id.is_some() => facts.push(wanted(external_id, want.person, true)),
            person => {
                facts.extend(external_id.map(|id| wanted(Some(id), PersonHash::default(), false)));
                if let Some((times, without_external_id)) = person.filter(|(times, _)| *times > 0) {
                    *times = 0;
                    facts.push(wanted(None, want.person, *without_external_id));
                }
            }
        }
    }
    facts
}

/// The external ids, each once.
fn external_ids(wants: &[Want]) -> Vec<WantedFacts<'_>> {
    let mut external_ids = HashSet::with_capacity(wants.len());
    let distinct = wants.iter().enumerate().filter_map(|(place, want)| {
        let external_id = want.external_id.as_ref().filter(|external_id| external_ids.insert(*external_id))?;
        let person = PersonHash::default();
        Some(WantedFacts { place, want, external_id: Some(external_id), person, without_external_id: false })
    });
    distinct.collect()
}

/// The persons of those wants that no external id found, each once.
fn persons_of_strangers<'w>(wants: &'w [Want], met: &Met) -> Vec<WantedFacts<'w>> {
    let known: HashSet<&str> = met.clients.iter().filter_map(|client| client.fields.external_id.as_deref()).collect();
    let mut places: HashMap<PersonHash, usize> = HashMap::new();
    let mut facts: Vec<WantedFacts<'w>> = Vec::new();
    for (place, want) in wants.iter().enumerate().filter(|(_, want)| want.person.name.is_some()) {
        if want.external_id.as_deref().is_some_and(|external_id| known.contains(external_id)) {
            continue;
        }
        let without_external_id = want.external_id.is_some();
        match places.get(&want.person).and_then(|place| facts.get_mut(*place)) {
            Some(earlier) => earlier.without_external_id &= without_external_id,
            None => {
                places.insert(want.person, facts.len());
                facts.push(WantedFacts { place, want, external_id: None, person: want.person, without_external_id });
            }
        }
    }
    facts
}

/// The clients that wants meet, each once.
#[derive(Default)]
struct Met {
    ids: HashSet<Uuid>,
    clients: Vec<Client>,
    settlements: Vec<Settlement>,
}

impl Met {
    /// Runs statements, and adds whom they find.
    async fn read<D: Driver>(&mut self, asked: &Asked, batch: Vec<Statement>, driver: &D) -> Result<(), StoreError> {
        let mut results = run(driver, &batch).await?;
        self.add(asked, results.rows_of(batch.len()))
    }

    fn add(&mut self, asked: &Asked, rows: impl ExactSizeIterator<Item = Row>) -> Result<(), StoreError> {
        self.ids.reserve(rows.len());
        self.clients.reserve(rows.len());
        for mut row in rows {
            let (client, settlements) = met_client(asked, &mut row)?;
            if self.ids.insert(client.id) {
                self.settlements.extend(settlements);
                self.clients.push(client);
            }
        }
        Ok(())
    }
}

/// Reads what so many statements found of erased clients.
fn tombstones_of(results: &mut Results, count: usize) -> Result<Vec<Tombstone>, StoreError> {
    let rows = results.rows_of(count);
    rows.map(|mut row| Ok(Tombstone { identity: IdentityDigest(row.bytes()?), do_not_mail: row.flag()? })).collect()
}

fn seen(mut found: KeyHolder, met: Met, tombstones: Vec<Tombstone>) -> Seen {
    let snapshot = Snapshot {
        holder: found.holder.clone(),
        clients: met.clients,
        settlements: met.settlements,
        tombstones,
        saved_answer: found.saved_answer.take(),
    };
    Seen { found, snapshot }
}

/// A client with its settlements: the number of a want that says the client's fields, where one does; the
/// id, both times, the settlements; and otherwise the fields.
fn met_client(asked: &Asked, row: &mut Row) -> Result<(Client, Vec<Settlement>), StoreError> {
    let want = row.leading_integer();
    let (id, created_at, updated_at) = (row.id()?, row.time()?, row.time()?);
    let settlements = row.settlements(id)?;
    let fields = match want {
        None => row.client_fields()?,
        Some(want) => {
            let given = usize::try_from(want).ok().and_then(|want| (asked.given)(want));
            given.ok_or_else(|| unexpected("the number of a want"))?
        }
    };
    Ok((Client { id, fields, created_at, updated_at }, settlements))
}
