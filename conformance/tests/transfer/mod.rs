//! An account that moved goes on as if it had stayed: random sessions get the same answers from the service that it
//! left and from the one that it came to, byte for byte but for cursors, which may stand elsewhere between two rows.
//! Between SQLite in both forms of the queries, the Worker on D1 and the Worker with objects (rules O30 to O38).

mod session;

use std::{collections::BTreeMap, sync::LazyLock};

use matterbook_conformance::wire::{Answer, Body, Operator, Request, Service};
use matterbook_core::{
    memory::ManualPlatform, platform::Platform as _, settings::Settings, store::TransferDigest, time::Timestamp,
};
use matterbook_openapi::{Contract, Sent};
use matterbook_store_sql::SqlStore;
use serde_json::{Value, json};

use crate::services::{
    self,
    sqlite::{Database, InRows, InSets},
    worker::WorkerOnClock,
};
use session::Session;

/// A service, and the clock and random bytes that it goes by.
struct Place {
    name: &'static str,
    service: Box<dyn Service>,
    platform: ManualPlatform,
}

impl Place {
    fn rows(platform: ManualPlatform) -> Self {
        let service = services::over_with(InRows(Database::new()), settings(), platform.clone());
        Self { name: "rows", service: Box::new(service), platform }
    }

    fn sets(platform: ManualPlatform) -> Self {
        let store = SqlStore::new(InSets(Database::new()));
        let service = services::remembering(store, settings(), platform.clone());
        Self { name: "sets", service: Box::new(service), platform }
    }

    fn worker(platform: ManualPlatform) -> Self {
        let service = WorkerOnClock::start(&[("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0")], platform.clone());
        Self { name: "Worker", service: Box::new(service), platform }
    }

    fn objects(platform: ManualPlatform) -> Self {
        let settings = [("MATTERBOOK_PROFILE", "objects"), ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0")];
        let service = WorkerOnClock::start(&settings, platform.clone());
        Self { name: "objects", service: Box::new(service), platform }
    }

    fn ask(&self, request: &Request) -> Answer {
        self.service.exchange(request).unwrap_or_else(|problem| panic!("{}: {problem}", self.name))
    }
}

fn settings() -> Settings {
    Settings { rate_limit_per_minute: 0, ..services::settings() }
}

/// Lets all go on with the same random bytes. The Worker goes by those that its platform would draw next, and draws
/// none.
fn same_draws(places: &[&Place]) {
    let most = places.iter().map(|place| place.platform.draws()).max().unwrap_or_default();
    for place in places {
        while place.platform.draws() < most {
            place.platform.random();
        }
    }
}

/// An answer without its cursor.
fn shown(answer: &Answer) -> (u16, Value, Value) {
    let mut json = answer.json.clone();
    if let Some(cursor) = json.get_mut("next_cursor") {
        cursor.take();
    }
    let headers = answer.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap_or("")));
    (answer.status, json, json!(headers.collect::<BTreeMap<_, _>>()))
}

/// An answer that its document describes.
fn described(place: &Place, request: &Request) -> Answer {
    let answer = place.ask(request);
    let body = match &request.body {
        Body::Whole(bytes) => bytes.as_slice(),
        _ => &[],
    };
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::read().expect("documents"));
    let sent = Sent {
        method: &request.method,
        target: &request.target,
        body,
        status: answer.status,
        headers: &answer.headers,
        answer: &answer.body,
    };
    CONTRACT.check(sent).unwrap_or_else(|problem| panic!("{problem}"));
    answer
}

/// Moves the account from one service to another, as `account export --move` and `account import` do.
fn hand_over(from: &Place, to: &Place, account: &str, rows_at_once: usize) {
    let of = |place: &'static str, place_of: &Place, method: &str, body: Option<String>| {
        let request = Operator::of(&*place_of.service).request(method, &format!("/accounts/{account}{place}"));
        let request = body.into_iter().fold(request, |request, body| request.json_text(&body));
        let answer = described(place_of, &request);
        // The next request is another one, also for the Worker.
        place_of.platform.random();
        assert_eq!(answer.status, 200, "{}: {}", place_of.name, answer.json);
        answer.json
    };
    of("", from, "PATCH", Some(json!({"suspended": true}).to_string()));
    let (mut head, mut rows, mut cursor) = (Value::Null, Vec::new(), String::new());
    loop {
        let path = format!("/accounts/{account}/export?cursor={cursor}");
        let page = described(from, &Operator::of(&*from.service).request("GET", &path)).json;
        if head.is_null() {
            head = page["export"]["head"].clone();
        }
        rows.extend(page["export"]["rows"].as_array().expect("rows").iter().map(Value::to_string));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    head["is_suspended"] = false.into();
    let head = head.to_string();
    let digest = rows.iter().fold(TransferDigest::of_head(&head), |digest, row| digest.and_row(row)).to_text();
    let begin = format!("{{\"head\":{head},\"row_count\":{},\"digest\":\"{digest}\"}}", rows.len());
    let mut state = of("/import", to, "PUT", Some(begin));
    while state["import"]["is_done"] == false {
        let received = state["import"]["received_rows"].as_u64().expect("a number");
        let next: Vec<_> =
            rows.iter().skip(usize::try_from(received).expect("few")).take(rows_at_once).cloned().collect();
        state = of("/import", to, "POST", Some(format!("{{\"from\":{received},\"rows\":[{}]}}", next.join(","))));
    }
    // Where it was it goes on too, to be compared with.
    of("", from, "PATCH", Some(json!({"suspended": false}).to_string()));
    same_draws(&[from, to]);
}

/// Plays a session at the first place, moves it from place to place, and goes on at all of them.
fn moves(seed: u64, places: &[Place], steps: usize) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut session = Session::begin(&places[0]);
    for step in 0..steps {
        session.step(&mut random, &places[..1], step);
    }
    for (number, pair) in places.windows(2).enumerate() {
        let now = pair[0].platform.now();
        pair[1].platform.set(now);
        hand_over(&pair[0], &pair[1], &session.account, 1 + random.usize(..200));
        session.moved();
        for step in 0..steps {
            session.step(&mut random, pair, 1_000 * (number + 1) + step);
        }
        session.arrived();
    }
}

fn start() -> ManualPlatform {
    ManualPlatform::new(Timestamp::from_micros(1_767_225_600_000_000))
}

#[test]
fn a_moved_account_gets_the_same_answers_in_either_form_of_the_queries() {
    for seed in 0..3 {
        moves(seed, &[Place::rows(start()), Place::sets(start()), Place::rows(start())], 120);
        moves(100 + seed, &[Place::sets(start()), Place::rows(start()), Place::sets(start())], 120);
    }
}

#[test]
fn an_account_moves_to_the_worker_and_back_with_the_same_answers() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    moves(seed, &[Place::rows(start()), Place::worker(start()), Place::rows(start())], 200);
}

#[test]
fn an_account_moves_into_an_object_from_both_and_back_with_the_same_answers() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let places = [Place::rows, Place::objects, Place::worker, Place::objects, Place::rows];
    moves(seed, &places.map(|place| place(start())), 80);
}
