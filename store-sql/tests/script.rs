//! A script of random steps over a store. The same numbers give the same steps.

use crate::support::{
    Shared, at, block_on,
    firm::{Firm, hash_of, lookup_key, person, update_of},
    id,
};
use matterbook_core::{
    client::{Client, ClientFields},
    id::IdMint,
    prospect::ProspectFields,
    similar::SimilarReason,
    store::{
        Authority, ChangeOwner, ChangeSet, ClientPair, ClientSearch, ConsoleCommand, Decided, FoundPair,
        IdempotencyRecord, ImportCounts, ImportProgress, LookupKey, NewClient, NewImport, NewReviewItem,
        OperatorAnswer, OperatorCommand, OverviewQuery, ProspectOrder, ProspectPageQuery, Retention, ReviewChange,
        ReviewDecision, ReviewStatus, SearchText, SessionAuthority, SettlementChange, SimilarDecision, SimilarFilter,
        Snapshot, Store, StoredResponse, View, review_ids,
    },
    time::Timestamp,
    uuid::Uuid,
};

/// Some text with everything that JSON has to escape.
const AWKWARD: &str = "“Ä”\u{1F600} \"\\ \n\t\u{1}é's ?1 :id {each}";

/// One of few people, with or without an `external_id`, a place, a phone, a settled date.
fn somebody(random: &mut fastrand::Rng) -> ClientFields {
    let name = random.u64(..8).to_string();
    let mut fields = person(&name);
    if random.u64(..3) == 0 {
        fields.external_id = None;
    }
    if random.u64(..4) == 0 {
        fields.zip = None;
        fields.address_line1 = None;
    }
    fields.phone = Some(random.u64(..3).to_string().into());
    fields.address_line2 = random.bool().then(|| AWKWARD.into());
    fields.opened_on = random.bool().then(|| "2025-02-28".parse().unwrap());
    fields.settled_on = (random.u64(..3) == 0).then(|| format!("2026-0{}-01", 1 + random.u64(..3)).parse().unwrap());
    fields
}

/// The clients of a snapshot that a lookup key matches, in one order: a store may show more, in any order.
fn matching<'s>(snapshot: &'s Snapshot, wanted: &[ClientFields]) -> Vec<&'s Client> {
    let is_known =
        |external_id: &Option<_>| snapshot.clients.iter().any(|client| client.fields.external_id == *external_id);
    let matches = |fields: &ClientFields, client: &Client| {
        if fields.external_id.is_some() && is_known(&fields.external_id) {
            return client.fields.external_id == fields.external_id;
        }
        let (lookup_key, found) = (hash_of(fields), hash_of(&client.fields));
        let is_told_apart = fields.external_id.is_some() && client.fields.external_id.is_some();
        lookup_key.matches(&found) && (lookup_key.is_complete() || !is_told_apart)
    };
    let is_match = |client: &&Client| wanted.iter().any(|fields| matches(fields, client));
    let mut clients: Vec<_> = snapshot.clients.iter().filter(is_match).collect();
    clients.sort_by_key(|client| client.id);
    clients
}

/// Now and then the first client waits for review, or what waits goes.
fn review(number: u128, snapshot: &Snapshot, wanted: &[ClientFields]) -> ReviewChange {
    let account = match &snapshot.owner {
        ChangeOwner::Key(owner) => owner.account,
        ChangeOwner::Session(owner, _) => owner.account,
    };
    let item = |fields: &ClientFields| {
        let person = hash_of(fields);
        let ids = review_ids(account, fields.external_id.as_deref(), person);
        NewReviewItem {
            id: ids.first().copied().unwrap_or_else(|| id(number % 5)),
            status: if number.is_multiple_of(2) { ReviewStatus::Conflict } else { ReviewStatus::Error },
            message: AWKWARD.to_owned(),
            sent: Some(format!(r#"{{"external_id":"R-{number}","last_name":"Somebody"}}"#)),
            content: id(number % 7),
            candidates: matching(snapshot, wanted).first().map(|client| client.id).into_iter().collect(),
            name_hash: person.name,
        }
    };
    let items = wanted.first().filter(|_| number.is_multiple_of(3)).map(item).into_iter().collect();
    let gone = if number.is_multiple_of(5) { snapshot.waiting.iter().take(1).copied().collect() } else { Vec::new() };
    ReviewChange { items, gone }
}

/// A simple decision: a client with the same external id, or the same name and place, is updated.
fn decide(number: u128, wanted: Vec<ClientFields>, saves: bool) -> impl FnMut(&Snapshot) -> Decided + Send {
    move |snapshot| {
        let mut change_set = ChangeSet::default();
        let clients = matching(snapshot, &wanted);
        for (index, fields) in wanted.iter().enumerate() {
            let person = hash_of(fields);
            let found = clients.iter().find(|client| {
                let known = hash_of(&client.fields);
                (fields.external_id.is_some() && client.fields.external_id == fields.external_id)
                    || (client.fields.external_id.is_none() && known == person)
            });
            let new_id = id((number << 32) + (1 << 100) + index as u128);
            let client_id = found.map_or(new_id, |client| client.id);
            let is_taken = change_set.updated.iter().any(|update| update.id == client_id)
                || change_set
                    .created
                    .iter()
                    .any(|new| new.fields.external_id.is_some() && new.fields.external_id == fields.external_id)
                || change_set
                    .updated
                    .iter()
                    .any(|update| update.after.external_id.is_some() && update.after.external_id == fields.external_id);
            if is_taken {
                continue;
            }
            match found {
                None => change_set.created.push(NewClient {
                    id: client_id,
                    fields: fields.clone(),
                    person,
                    fingerprint: fields.fingerprint(),
                }),
                Some(before) => {
                    let after = ClientFields {
                        external_id: before.fields.external_id.clone().or(fields.external_id.clone()),
                        ..fields.clone()
                    };
                    change_set.updated.push(update_of(before, after));
                }
            }
            if let Some(settled_on) = fields.settled_on {
                let known = snapshot.settlements.iter().find(|settlement| settlement.client == client_id);
                change_set.settlements.push(match known {
                    None => {
                        SettlementChange::Begun { id: new_id, client: client_id, settled_on, former_dates: Vec::new() }
                    }
                    Some(known) => SettlementChange::Corrected {
                        id: known.id,
                        client: client_id,
                        settled_on,
                        former_dates: [known.former_dates.clone(), vec![known.settled_on]].concat(),
                    },
                });
            }
        }
        let mut seen = format!("{:?} {:?}", snapshot.idempotency_record, snapshot.owner);
        let mut settlements = snapshot.settlements.clone();
        settlements.retain(|settlement| clients.iter().any(|client| client.id == settlement.client));
        settlements.sort_by_key(|settlement| settlement.id);
        let mut tombstones = snapshot.tombstones.clone();
        tombstones.sort_by_key(|tombstone| tombstone.identity);
        let mut waiting = snapshot.waiting.clone();
        waiting.sort_unstable();
        let mut similar = snapshot.similar.clone();
        similar.retain(|similar| clients.iter().any(|client| client.id == similar.client));
        let clients: Vec<_> = clients.iter().map(|client| (client, &client.fields)).collect();
        seen.push_str(&format!("{clients:?} {settlements:?} {tombstones:?} {waiting:?} {similar:?}"));
        change_set.review = review(number, snapshot, &wanted);
        let response = StoredResponse { status: 200, body: seen, replayed: false };
        if let ChangeOwner::Session(_, Some(_)) = &snapshot.owner {
            let counts = ImportCounts { refused: 1, ..ImportCounts::default() };
            change_set.import = Some(ImportProgress { rows: 1, counts });
        }
        if saves && snapshot.idempotency_record.is_none() {
            change_set.idempotency_record =
                Some(IdempotencyRecord { request_digest: "d".to_owned(), response: response.clone() });
        }
        Decided { change_set, response }
    }
}

/// The import that a part of the changes are batches of.
const IMPORT: Uuid = Uuid::from_u128(77);

fn prospect(random: &mut fastrand::Rng) -> ProspectFields {
    ProspectFields {
        source_id: format!("s{}", random.u64(..6)).into(),
        first_name: random.bool().then(|| AWKWARD.into()),
        transported: [None, Some(true), Some(false)][random.u64(..3) as usize],
        vehicle_year: random.bool().then_some(2020),
        crash_date: format!("202{}-05-05", 3 + random.u64(..3)).parse().unwrap(),
        crash_county_fips: ["06037", "06059"][random.u64(..2) as usize].into(),
        ..ProspectFields::default()
    }
}

/// Keeps pairs of some clients, decides about one, and reads them in both ways.
fn similar(firm: &Firm, random: &mut fastrand::Rng, clients: &[Client], now: Timestamp) -> String {
    let account = firm.account;
    let id_of = |place: usize| clients.get(place).map_or(id(1), |client| client.id);
    let places = (0..3).map(|_| (random.usize(..9), random.usize(..9))).collect::<Vec<_>>();
    let places = places.into_iter().filter(|(one, other)| one != other);
    let mut pairs: Vec<_> = places.map(|(one, other)| ClientPair::of(id_of(one), id_of(other))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let reasons = vec![SimilarReason::ALL[random.usize(..SimilarReason::ALL.len())], SimilarReason::Unit];
    let found = pairs.iter().map(|pair| FoundPair { pair: *pair, reasons: reasons.clone() }).collect();
    let kept = firm.operate(OperatorCommand::KeepSimilar { account, pairs: found, last_commit_at: now }, now);
    let decision = [None, Some(SimilarDecision::Same), Some(SimilarDecision::Different)][random.usize(..3)];
    let decided =
        pairs.first().map(|pair| firm.operate(OperatorCommand::DecideSimilar { account, pair: *pair, decision }, now));
    let filter = SimilarFilter { decided: random.bool(), letters: random.bool() };
    let list = firm.operate(OperatorCommand::ListSimilar { account, filter, after: None, limit: 2 }, now);
    let asked = firm.ask(now, ConsoleCommand::ListSimilar { filter, after: pairs.first().copied(), limit: 2 });
    let ids: Vec<_> = clients.iter().take(5).map(|client| client.id).collect();
    let reads = [
        OperatorCommand::StartComparison { account },
        OperatorCommand::ListClientsById { account, after: id_of(0), limit: 3 },
        OperatorCommand::ReadClients { account, ids },
        OperatorCommand::ListDue { compared_before: now, limit: 3 },
        OperatorCommand::ListSettlements { account, after: None, limit: 3 },
    ];
    let reads = reads.map(|command| firm.operate(command, now));
    format!("{kept:?} {decided:?} {list:?} {asked:?} {reads:?}")
}

/// One step of the script; hands back whatever the store says.
pub fn step(firm: &Firm, random: &mut fastrand::Rng, number: u128, now: Timestamp) -> String {
    let page = firm.page(now.plus_seconds(1_000), None, 100);
    let client = page.clients.get(random.u64(..20) as usize).map_or(id(1), |client| client.id);
    let account = firm.account;
    match random.u64(..13) {
        0 => format!("{:?}", firm.operate(OperatorCommand::EraseClient { account, client }, now)),
        1 => {
            let command = OperatorCommand::MailOn { account, client, client_delay_seconds: 60 };
            format!("{:?}", firm.operate(command, now))
        }
        2 => {
            let prospects = (0..5).map(|index| (id((number << 8) + index), prospect(random))).collect();
            format!("{:?}", firm.import(prospects, now))
        }
        3 => {
            let view = View { now, delay_seconds: 0 };
            let page = |order| {
                let query = ProspectPageQuery { view, order, limit: 3 };
                block_on(firm.store.prospects(&firm.key, &query)).unwrap()
            };
            let newest = page(ProspectOrder::Newest { added_since: now.plus_seconds(-50) });
            let prospects = page(ProspectOrder::Oldest { after: None });
            let first = prospects.iter().flat_map(|page| &page.prospects).next();
            if let Some(first) = first.filter(|_| random.u64(..8) == 0) {
                firm.operate(OperatorCommand::EraseProspect { prospect: first.id }, now);
            }
            format!("{prospects:?} {newest:?}")
        }
        4 => {
            let settlements = OperatorCommand::ListSettlements { account, after: None, limit: 3 };
            let accounts = OperatorCommand::ListAccounts { after: None, limit: 5 };
            let (clients, pages) = firm.walk(now, 2);
            let clients: Vec<_> = clients.iter().map(|client| (client, &client.fields)).collect();
            let review = OperatorCommand::ListReview { account, seen_since: at(0), before: None, limit: 3 };
            let others = [settlements, accounts, review].map(|command| firm.operate(command, now));
            format!("{others:?} {clients:?} {pages}")
        }
        5 => {
            let text = SearchText::new(["a", "nobody", "+1"][random.usize(..3)]);
            let search = ClientSearch { text, ..ClientSearch::default() };
            let found = firm.ask(now, ConsoleCommand::SearchClients { search, before: None, limit: 3 });
            let query = OverviewQuery::at(now, 60, Retention::default());
            format!("{found:?} {:?}", firm.ask(now, ConsoleCommand::Overview { query }))
        }
        7 => {
            let list = OperatorCommand::ListReview { account, seen_since: at(0), before: None, limit: 3 };
            let OperatorAnswer::Review(items, _) = firm.operate(list, now) else { return "no review".to_owned() };
            let Some(item) = items.get(random.usize(..3)).map(|review| review.item.id) else {
                return "nothing waits".to_owned();
            };
            let decision = match random.u64(..4) {
                0 => ReviewDecision::Another,
                1 => ReviewDecision::Leave,
                _ => ReviewDecision::Same(client),
            };
            let mint = IdMint::new(now, [u8::try_from(number % 251).unwrap(); 10]);
            let decide = OperatorCommand::ResolveReview { account, item, decision, mint, client_delay_seconds: 60 };
            let decided = firm.operate(decide, now);
            let log = firm.operate(OperatorCommand::ListLog { before: None, limit: 1 }, now);
            let OperatorAnswer::Log(entries, _) = &log else { return format!("{log:?}") };
            let undone = entries.first().filter(|_| random.bool()).map(|entry| {
                let request = entry.request_id;
                firm.operate(
                    OperatorCommand::UndoChange {
                        account,
                        change: request,
                        after: None,
                        client_delay_seconds: 60,
                        dry_run: false,
                    },
                    now,
                )
            });
            let ask = ConsoleCommand::ListReview { seen_since: at(0), before: None, limit: 3 };
            format!("{items:?} {decided:?} {undone:?} {:?}", firm.ask(now, ask))
        }
        8 => similar(firm, random, &page.clients, now),
        6 => {
            let list = OperatorCommand::ListHistory { account, client, before: None, limit: 3 };
            let history = firm.operate(list, now);
            let OperatorAnswer::History(found) = &history else { return format!("{history:?}") };
            let Some(request) = found.changes.first().and_then(|change| change.request_id) else {
                return format!("{history:?}");
            };
            let undo = |request| {
                let command = OperatorCommand::UndoChange {
                    account,
                    change: request,
                    after: None,
                    client_delay_seconds: 60,
                    dry_run: false,
                };
                firm.operate(command, now)
            };
            let undone = undo(request);
            let log = firm.operate(OperatorCommand::ListLog { before: None, limit: 1 }, now);
            let OperatorAnswer::Log(entries, _) = &log else { return format!("{log:?}") };
            let again = entries.first().filter(|_| random.bool()).map(|entry| undo(entry.request_id));
            format!("{history:?} {undone:?} {again:?}")
        }
        _ => {
            let clients: Vec<_> = (0..=random.u64(..4)).map(|_| somebody(random)).collect();
            let lookup_keys: Vec<LookupKey> = clients.iter().map(lookup_key).collect();
            let saves = random.u64(..3) == 0;
            let mut request = firm.request(number, now, lookup_keys, Box::new(decide(number, clients, saves)));
            request.names_similar = random.bool();
            request.idempotency_key = saves.then(|| format!("key {}", random.u64(..3)));
            if random.u64(..3) == 0 {
                let (session, import) = (firm.session(), Some(IMPORT));
                request.authority = Authority::Session(SessionAuthority { session, import });
            }
            // The decision is simple enough to break a constraint, which is contention in one form
            // and a failure in the other.
            format!("{:?}", firm.change(request).map_err(|_| "refused"))
        }
    }
}

/// A firm beside that of the script, whose data the script must not meet.
pub fn other_firm(driver: &Shared) {
    Firm::create(driver, 2).put(999, at(1), &[("1", "+1")]);
}

/// The firm of the script.
pub fn firm_of_the_script(driver: &Shared) -> Firm {
    let firm = Firm::create(driver, 1);
    firm.grant("06037", "2024-01-01");
    firm.grant("06059", "2023-01-01");
    firm.sign_in(at(1));
    let import = NewImport {
        id: IMPORT,
        file_name: AWKWARD.to_owned(),
        digest: "d".repeat(64),
        rows: 10_000,
        mapping: "{}".to_owned(),
    };
    firm.ask(at(1), ConsoleCommand::BeginImport { import });
    firm
}
