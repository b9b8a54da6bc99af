//! Both forms of every query do the same: a row of bound parameters at a time, and a set in one
//! JSON parameter. The same script runs through both; after each step the answers and the whole
//! databases are equal.

use std::rc::Rc;

use crate::support::{
    FORMS, Shared, at, block_on, database, dump,
    firm::{Firm, hash_of, lookup_key, person, update_of},
    id,
};
use matterbook_core::{
    client::{Client, ClientFields},
    id::IdMint,
    prospect::ProspectFields,
    similar::SimilarReason,
    store::{
        Authority, ChangeOwner, ChangeSet, ClientPair, ClientSearch, ConsoleAnswer, ConsoleCommand, Decided, FoundPair,
        IdempotencyRecord, ImportCounts, ImportProgress, LookupKey, NewClient, NewImport, NewReviewItem,
        OperatorAnswer, OperatorCommand, OverviewQuery, ProspectOrder, ProspectPageQuery, Retention, ReviewChange,
        ReviewDecision, ReviewStatus, SearchText, SessionAuthority, SettlementChange, SimilarDecision, SimilarFilter,
        Snapshot, Store, StoredResponse, View, review_ids,
    },
    time::Timestamp,
    uuid::Uuid,
};
use matterbook_store_sql::queries;

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
        let clients: Vec<_> = clients.iter().map(|client| (client, &client.fields)).collect();
        seen.push_str(&format!("{clients:?} {settlements:?} {tombstones:?} {waiting:?}"));
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
    let reasons = vec![SimilarReason::ALL[random.usize(..9)], SimilarReason::Unit];
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

/// Clients of a firm, the last ones changed last. The name of the first 200 has another word.
fn add_clients(driver: &Shared, firm: &Firm, count: i64) {
    let sql = "
        with recursive number (n) as (select 1 union all select n + 1 from number where n < ?1)
        insert into clients (account_id, id, last_name, do_not_mail, created_at, updated_at, unit_hash, fingerprint)
        select (select id from accounts where public_id = ?2), unhex(printf('%032x', (n * 7919) % 1000003)),
          iif(n < 200, 'Number ', 'Somebody ') || n, 0, n, n, 0, x'' from number";
    driver.connection.execute(sql, (count, firm.account.as_bytes().as_slice())).unwrap();
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

#[test]
fn row_form_and_set_form_do_the_same() {
    let drivers = FORMS.map(|form| Shared::new(&database(), form));
    let firms = drivers.each_ref().map(|driver| {
        other_firm(driver);
        firm_of_the_script(driver)
    });
    let mut randoms = [fastrand::Rng::with_seed(1), fastrand::Rng::with_seed(1)];
    let mut now = at(10);
    for number in 1_000..2_500 {
        let [rows, set] = [0, 1].map(|index| step(&firms[index], &mut randoms[index], number, now));
        assert_eq!(rows, set, "step {number}");
        if number % 50 == 0 {
            let [rows, set] = drivers.each_ref().map(|driver| dump(&driver.connection));
            for (rows, set) in rows.iter().zip(&set) {
                assert_eq!(rows, set, "step {number}");
            }
            assert_eq!(rows.len(), set.len());
        }
        now = now.plus_seconds(i64::try_from(randoms[0].u64(..20)).unwrap());
        randoms[1].u64(..20);
    }
    // A search that looks at every client, because none of the newest is found.
    let [rows, set] = drivers.each_ref().map(|driver| {
        let firm = Firm::create(driver, 3);
        firm.sign_in(now);
        add_clients(driver, &firm, 2_500);
        let search = ClientSearch { text: SearchText::new("number 1"), ..ClientSearch::default() };
        let (mut found, mut before) = (Vec::new(), None);
        loop {
            let search = ConsoleCommand::SearchClients { search: search.clone(), before, limit: 7 };
            let ConsoleAnswer::Clients(clients, next) = firm.ask(now, search) else { panic!("no clients") };
            found.extend(clients.iter().map(|client| client.fields.last_name.clone().unwrap_or_default().to_string()));
            before = next;
            if before.is_none() {
                return found;
            }
        }
    });
    assert_eq!(rows, set);
    let expected = (1..200).rev().filter(|number: &i32| number.to_string().starts_with('1'));
    assert_eq!(rows, expected.map(|number| format!("Number {number}")).collect::<Vec<_>>(), "the newest change first");
    // The script reaches every set query in both forms.
    let used = drivers.each_ref().map(|driver| driver.used.borrow().clone());
    for query in queries::all().into_iter().filter(|query| query.set_sql.is_some()) {
        for used in &used {
            assert!(used.contains_key(query.name), "{} is never run", query.name);
        }
    }
    let connection = Rc::clone(&drivers[0].connection);
    let batches = "select count(*) from commits where import_id is not null and login_id is not null";
    let batches: i64 = connection.query_row(batches, [], |row| row.get(0)).unwrap();
    assert!(batches > 100, "{batches} changes are batches of an import");
    let states: i64 = connection.query_row("select count(*) from client_states", [], |row| row.get(0)).unwrap();
    assert!(states > 0, "the script leaves earlier states");
}

#[test]
fn a_client_that_loses_a_field_is_matched_as_before() {
    for form in FORMS {
        let firm = Firm::create(&Shared::new(&database(), form), 1);
        let phone = Some("+12175550111".into());
        let fields = ClientFields { external_id: None, phone, ..person("7") };
        let change = |number, lookup_keys, change_set: ChangeSet, matched: usize| {
            let decide = Box::new(move |snapshot: &Snapshot| {
                assert_eq!(snapshot.clients.len(), matched, "{form:?}");
                let response = StoredResponse { status: 200, body: String::new(), replayed: false };
                Decided { change_set: change_set.clone(), response }
            });
            firm.change(firm.request(number, at(1_000 * i64::try_from(number).unwrap()), lookup_keys, decide))
                .unwrap()
                .unwrap();
        };
        let (person, fingerprint) = (hash_of(&fields), fields.fingerprint());
        let created = vec![NewClient { id: id(77), fields: fields.clone(), person, fingerprint }];
        change(1, Vec::new(), ChangeSet { created, ..ChangeSet::default() }, 0);
        let before = firm.page(at(1_500), None, 1).clients.remove(0);
        let update = update_of(&before, ClientFields { phone: None, ..fields.clone() });
        assert_eq!(update.new_hash, None);
        change(2, Vec::new(), ChangeSet { updated: vec![update], ..ChangeSet::default() }, 0);
        change(3, vec![lookup_key(&fields)], ChangeSet::default(), 1);
    }
}
