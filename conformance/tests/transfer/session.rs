//! What a firm and its operator ask, drawn at random.

use matterbook_conformance::wire::{Answer, Operator, Request};
use serde_json::{Value, json};

use super::{Place, same_draws, shown};

/// A firm, and what the answers so far have named.
pub struct Session {
    pub account: String,
    key: String,
    clients: Vec<String>,
    requests: Vec<String>,
    /// Paths of listings with the cursor of each place.
    cursors: Vec<(String, Vec<String>)>,
}

/// A request draws random bytes at most so often.
const DRAWS_OF_REQUEST_MAX: usize = 4;

impl Session {
    /// Makes a firm with a key and a county.
    pub fn begin(place: &Place) -> Self {
        let operator = Operator::of(&*place.service);
        let account = json!({"email": "firm@example.com", "api_enabled": true, "digital_bundle": true});
        let account = place.ask(&operator.request("POST", "/accounts").json(&account));
        let account = account.text("/account/id").expect("an account");
        let key = place.ask(&operator.request("POST", &format!("/accounts/{account}/keys")).json(&json!({})));
        let key = key.text("/key/key").expect("a key");
        Self { account, key, clients: Vec::new(), requests: Vec::new(), cursors: Vec::new() }
    }

    /// The account is at a second place as well: its cursors go on there.
    pub fn moved(&mut self) {
        for (_, cursors) in &mut self.cursors {
            cursors.extend(cursors.first().cloned());
        }
    }

    /// The first place is left.
    pub fn arrived(&mut self) {
        for (_, cursors) in &mut self.cursors {
            cursors.remove(0);
        }
    }

    /// Asks all places the same, who have to answer the same.
    pub fn step(&mut self, random: &mut fastrand::Rng, places: &[Place], step: usize) {
        if random.usize(..6) == 0 {
            let seconds = random.i64(1..100);
            for place in places {
                let now = matterbook_core::platform::Platform::now(&place.platform);
                place.platform.set(now.plus_seconds(seconds));
            }
            return;
        }
        let state = random.get_seed();
        let requests = places.iter().enumerate().map(|(index, place)| {
            *random = fastrand::Rng::with_seed(state);
            self.request(random, place, index)
        });
        let requests: Vec<_> = requests.collect();
        let answers: Vec<_> = places.iter().zip(&requests).map(|(place, request)| place.ask(request)).collect();
        // The next request is another one, also where all places are Workers, which draw none.
        for _ in 0..DRAWS_OF_REQUEST_MAX {
            matterbook_core::platform::Platform::random(&places[0].platform);
        }
        same_draws(&places.iter().collect::<Vec<_>>());
        for (place, answer) in places.iter().zip(&answers).skip(1) {
            assert_eq!(shown(&answers[0]), shown(answer), "step {step} at {}: {}", place.name, requests[0]);
        }
        assert!(answers[0].status < 500, "{}: {}", requests[0], answers[0].json);
        self.learn(&requests[0], &answers);
    }

    fn request(&self, random: &mut fastrand::Rng, place: &Place, index: usize) -> Request {
        let operator = Operator::of(&*place.service);
        let public = |method: &str, path: String| Request::new(method, format!("/api/v1{path}")).bearer(&self.key);
        let client = match self.clients.len() {
            0 => "00000000-0000-7000-8000-000000000000",
            count => &self.clients[random.usize(..count)],
        };
        let account = format!("/accounts/{}", self.account);
        match random.usize(..16) {
            0..6 => {
                let clients: Vec<_> = (0..random.usize(1..6)).map(|_| person(random)).collect();
                let request = public("POST", "/clients".to_owned()).json(&json!({"clients": clients}));
                match random.usize(..4) {
                    0 => request.header("Idempotency-Key", format!("key-{}", random.usize(..3))),
                    _ => request,
                }
            }
            6 => {
                let mut settled = person(random);
                settled["settled_on"] = format!("2026-02-0{}", random.usize(1..9)).into();
                public("POST", "/cases/settled".to_owned()).json(&settled)
            }
            7 => public("GET", format!("/clients?limit={}", random.usize(1..4))),
            8 if !self.cursors.is_empty() => {
                let (path, cursors) = &self.cursors[random.usize(..self.cursors.len())];
                Request::new("GET", format!("{path}?limit=2&cursor={}", cursors[index]))
                    .bearer(if path.starts_with("/api") { &self.key } else { &place.service.facts().operator_token })
            }
            9 => public("GET", format!("/clients/{client}/history?limit=2")),
            10 => operator.request("GET", &format!("{account}/settlements?limit=2")),
            11 => operator.request("GET", &format!("{account}/clients/{client}/history")),
            12 => operator.request("POST", &format!("{account}/clients/{client}/mail-on")),
            13 if random.bool() => operator.request("DELETE", &format!("{account}/clients/{client}")),
            14 if !self.requests.is_empty() => {
                let request = &self.requests[random.usize(..self.requests.len())];
                operator.request("POST", &format!("{account}/changes/{request}/undo"))
            }
            15 => operator.request("GET", &format!("{account}/clients/{client}")),
            _ => match random.usize(..4) {
                0 => operator.request("GET", &format!("{account}/keys")),
                1 => operator.request("GET", &account),
                2 => public("GET", "/me".to_owned()),
                _ => operator
                    .request("PUT", &format!("{account}/counties/06037"))
                    .json(&json!({"from_date": format!("2025-01-0{}", random.usize(1..9))})),
            },
        }
    }

    fn learn(&mut self, request: &Request, answers: &[Answer]) {
        let first = &answers[0];
        let results = first.json["results"].as_array().into_iter().flatten();
        let ids = results.filter_map(|result| result["id"].as_str()).map(str::to_owned);
        self.clients.extend(ids);
        if request.method == "POST" && first.status == 200 {
            self.requests.extend(first.header("x-request-id").map(str::to_owned));
        }
        let cursors: Option<Vec<_>> =
            answers.iter().map(|answer| answer.json["next_cursor"].as_str().map(str::to_owned)).collect();
        let path = request.target.split('?').next().unwrap_or_default();
        self.cursors.extend(cursors.map(|cursors| (path.to_owned(), cursors)));
    }
}

/// One of few people.
fn person(random: &mut fastrand::Rng) -> Value {
    let number = random.usize(..12);
    let mut person = json!({"first_name": "Ana", "last_name": format!("Lee{}", number % 8)});
    if random.usize(..3) > 0 {
        person["external_id"] = format!("M-{number}").into();
    }
    if random.usize(..3) > 0 {
        person["address_line1"] = format!("{} Main Street", number % 4).into();
        person["zip"] = "62704".into();
    }
    if random.bool() {
        person["phone"] = format!("(813) 555-01{}", random.usize(10..15)).into();
    }
    if random.usize(..5) == 0 {
        person["do_not_mail"] = true.into();
    }
    if random.usize(..4) == 0 {
        person["settled_on"] = format!("2026-01-0{}", random.usize(1..9)).into();
    }
    person
}
