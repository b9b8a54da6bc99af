//! One consistent look at an account, for a decision (S3).

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use matterbook_core::{
    client::{Client, Settlement},
    matching::PersonHash,
    store::{IdentityDigest, Snapshot, StoreError, Tombstone, Want},
};

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

/// Which account the queries read: by its number once that is known, before that by the key.
enum Account<'a> {
    Number(i64),
    OfKey(&'a str),
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
    match driver.isolation() {
        Isolation::Batch => {
            let key = asked.key.to_text();
            let mut with_tombstones = erasures.contains(&asked.key);
            loop {
                let wanted = Wanted::of(asked, &Account::OfKey(&key), with_tombstones);
                let counts = wanted.counts();
                let batch: Vec<_> = [who.clone()].into_iter().chain(wanted.into_statements()).collect();
                let mut results = Results::of(driver, &batch).await?;
                let Some(row) = results.row() else { return Ok(None) };
                let found = holder::read(row)?;
                if with_tombstones || found.ground.last_erasure_at.is_none() {
                    return seen(asked, found, counts, results).map(Some);
                }
                erasures.insert(&asked.key);
                with_tombstones = true;
            }
        }
        Isolation::Transaction => {
            let mut results = Results::of(driver, &[who]).await?;
            let Some(row) = results.row() else { return Ok(None) };
            let found = holder::read(row)?;
            let account = Account::Number(found.ground.account_id);
            let wanted = Wanted::of(asked, &account, found.ground.last_erasure_at.is_some());
            let counts = wanted.counts();
            let batch: Vec<_> = wanted.into_statements().collect();
            let results = if batch.is_empty() { Results::new(Vec::new()) } else { Results::of(driver, &batch).await? };
            seen(asked, found, counts, results).map(Some)
        }
    }
}

/// The statements for clients and tombstones.
struct Wanted {
    statements: [Vec<Statement>; 2],
}

impl Wanted {
    fn of(asked: &Asked, account: &Account<'_>, with_tombstones: bool) -> Self {
        let (account_id, key) = match account {
            Account::Number(account_id) => (Value::Integer(*account_id), Value::Null),
            Account::OfKey(key) => (Value::Null, Value::from(*key)),
        };
        let settles = asked.wants.iter().any(|want| want.settles);
        let facts = distinct_facts(&asked.wants);
        let looks_by_name = facts.iter().any(|facts| facts.person.name.is_some() && facts.person.place.is_none());
        let row = |facts: &WantedFacts<'_>| {
            let fingerprint = facts.want.fingerprint.map(bind::fingerprint);
            [
                settles.into(),
                fingerprint.into(),
                Value::Integer(i64::try_from(facts.place).unwrap_or(i64::MAX)),
                account_id.clone(),
                key.clone(),
                facts.external_id.into(),
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
        let clients = facts
            .chunks(WANTS_MAX)
            .flat_map(|facts| queries::MET_CLIENTS.bind_rows(&names, facts.iter().map(row)))
            .collect();
        let identities: HashSet<_> = with_tombstones.then(&*asked.identities).into_iter().flatten().collect();
        let identities = identities
            .into_iter()
            .map(|IdentityDigest(digest)| [account_id.clone(), key.clone(), bind::bytes(&digest)]);
        let tombstones = queries::TOMBSTONES.bind_rows(&["account_id", "key", "identity"], identities);
        Self { statements: [clients, tombstones] }
    }

    /// How many statements there are of each kind.
    fn counts(&self) -> [usize; 2] {
        self.statements.each_ref().map(Vec::len)
    }

    fn into_statements(self) -> impl Iterator<Item = Statement> {
        self.statements.into_iter().flatten()
    }
}

/// What is looked up of one want.
struct WantedFacts<'w> {
    /// The want's place.
    place: usize,
    want: &'w Want,
    external_id: Option<&'w str>,
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
        let external_id = want.external_id.as_deref().filter(|external_id| external_ids.insert(*external_id));
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

/// Reads what so many statements of each kind found.
fn seen(
    asked: &Asked,
    mut found: KeyHolder,
    [clients, tombstones]: [usize; 2],
    mut results: Results,
) -> Result<Seen, StoreError> {
    let rows = results.rows_of(clients);
    let mut ids = HashSet::with_capacity(rows.len());
    let mut met = Vec::with_capacity(rows.len());
    let mut settlements = Vec::new();
    for mut row in rows {
        let (client, of_client) = met_client(asked, &mut row)?;
        if ids.insert(client.id) {
            settlements.extend(of_client);
            met.push(client);
        }
    }
    let tombstones = results
        .rows_of(tombstones)
        .map(|mut row| Ok(Tombstone { identity: IdentityDigest(row.bytes()?), do_not_mail: row.flag()? }))
        .collect::<Result<_, StoreError>>()?;
    let snapshot = Snapshot {
        holder: found.holder.clone(),
        clients: met,
        settlements,
        tombstones,
        saved_answer: found.saved_answer.take(),
    };
    Ok(Seen { found, snapshot })
}

/// A client with its settlements. A row that begins with a number is that of a client that is just as
/// the want with that number says.
fn met_client(asked: &Asked, row: &mut Row) -> Result<(Client, Vec<Settlement>), StoreError> {
    let client = match row.leading_integer() {
        None => row.client()?,
        Some(want) => {
            let given = usize::try_from(want).ok().and_then(|want| (asked.given)(want));
            Client {
                id: row.id()?,
                fields: given.ok_or_else(|| unexpected("the number of a want"))?,
                created_at: row.time()?,
                updated_at: row.time()?,
            }
        }
    };
    let settlements = row.settlements(client.id)?;
    Ok((client, settlements))
}
