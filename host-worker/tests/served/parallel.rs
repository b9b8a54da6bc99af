//! Parallel posts on D1, where other requests commit between the two batches of a request. Posts of
//! different clients do not disturb each other, no client is created twice, and no answered post is lost,
//! even by a crash.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use crate::support::{self, Served, state};
use matterbook_conformance::wire::{Answer, Firm, Request, Service as _, send};
use serde_json::{Value, json};

const SETTINGS: [(&str, &str); 2] =
    [("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"), ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0")];

/// Runs `work(0..count)` on so many threads. Returns the results in order.
fn in_parallel<T: Send>(count: usize, threads_count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let numbers =
            std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count));
        numbers.map(|number| (number, work(number))).collect::<Vec<_>>()
    };
    let done: BTreeMap<usize, T> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads_count).map(|_| scope.spawn(take)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("an outcome")).collect()
    });
    done.into_values().collect()
}

#[test]
fn sixteen_posts_of_different_clients_need_no_retry() {
    const CLIENTS: usize = 50;
    let state = state();
    let served = Served::start(state.path(), &SETTINGS);
    let firm = Firm::open(&served.http).expect("a firm");
    // A lookup and a commit. With a key that was not used before, the first request also looks the key up
    // and records its use. A retry would add a lookup and a commit.
    for (round, is_key_seen, round_trips) in [(0, false, 2..=4), (1, true, 2..=2)] {
        let (_, key) = firm.new_key().expect("a key");
        if is_key_seen {
            send(&served.http, &Request::new("GET", "/api/v1/me").bearer(&key)).expect("an answer");
        }
        let lines = in_parallel(16, 16, |post| {
            let client = |number| {
                json!({"external_id": format!("{round}-{post}-{number}"), "first_name": "Ada",
                    "last_name": format!("Ray {round} {post} {number}"), "address_line1": format!("{number} Elm St"),
                    "zip": "62704"})
            };
            let clients: Vec<Value> = (0..CLIENTS).map(client).collect();
            let request = Request::new("POST", "/api/v1/clients").bearer(&key).json(&json!({ "clients": clients }));
            let answer = send(&served.http, &request).and_then(Answer::ok).expect("a success");
            let results = answer.array("/results").expect("results");
            assert!(results.iter().all(|result| result["status"] == "created"), "{}", answer.failure("all created"));
            served.line_of(&answer)
        });
        for line in lines {
            let came = line["round_trips"].as_u64().expect("a number");
            assert!(round_trips.contains(&came), "{came} round trips, the first try being {round_trips:?}: {line}");
            assert!(line["statements"].as_u64().expect("a number") < 20, "{line}");
        }
    }
    assert_eq!(served.count("select count(*) from clients"), 2 * 16 * 50);
    assert_eq!(served.count("select count(*) from commits"), 2 * 16);
    served.stop();
}

#[test]
fn overlapping_posts_create_each_client_once() {
    const PERSONS: usize = 60;
    const POSTS: usize = 400;
    let state = state();
    let served = Served::start(state.path(), &SETTINGS);
    let firm = Firm::open(&served.http).expect("a firm");
    firm.get("/me").expect("the key is known");
    // The persons of each post, each with an `external_id` or without. The name and address are always
    // sent, so both ways match the same client.
    let mut random = fastrand::Rng::with_seed(7);
    let posts: Vec<Vec<(usize, bool)>> = (0..POSTS)
        .map(|_| {
            let persons: BTreeSet<usize> = (0..=random.usize(..5)).map(|_| random.usize(..PERSONS)).collect();
            persons.into_iter().map(|person| (person, random.bool())).collect()
        })
        .collect();
    let answers = in_parallel(POSTS, 24, |post| {
        let client = |(person, with_id): &(usize, bool)| {
            let mut client = json!({"first_name": "Ada", "last_name": format!("Person {person}"),
                "address_line1": format!("{person} Elm St"), "zip": "62704", "city": format!("City {post}")});
            if *with_id {
                client["external_id"] = json!(format!("person-{person}"));
            }
            client
        };
        let clients: Vec<Value> = posts[post].iter().map(client).collect();
        firm.post_clients(&clients).expect("a success")
    });

    let mut created = vec![0; PERSONS];
    let mut ids = vec![BTreeSet::new(); PERSONS];
    let mut cities = vec![BTreeSet::new(); PERSONS];
    for ((post, persons), answer) in posts.iter().enumerate().zip(&answers) {
        for ((person, _), result) in persons.iter().zip(answer.array("/results").expect("results")) {
            created[*person] += usize::from(result["status"] == "created");
            ids[*person].insert(result["id"].as_str().expect("saved").to_owned());
            cities[*person].insert(format!("City {post}"));
        }
    }
    assert_eq!(created, vec![1; PERSONS], "each person was created by exactly one post");
    assert!(ids.iter().all(|ids| ids.len() == 1), "each person kept one id: {ids:?}");
    let clients = firm.walk_clients("limit=100").expect("the clients");
    assert_eq!(clients.len(), PERSONS, "each person exists once");
    for client in &clients {
        let person: usize = client["last_name"].as_str().expect("a name")["Person ".len()..].parse().expect("a number");
        assert!(ids[person].contains(client["id"].as_str().expect("an id")), "{client}");
        assert!(cities[person].contains(client["city"].as_str().expect("a city")), "{client}");
        let is_named = posts.iter().flatten().any(|named| *named == (person, true));
        let external_id = if is_named { json!(format!("person-{person}")) } else { Value::Null };
        assert_eq!(client["external_id"], external_id, "{client}");
    }
    served.stop();
}

#[test]
fn a_crash_during_posts_loses_no_answered_post() {
    const CLIENTS: usize = 20;
    let state = state();
    let served = Served::start(state.path(), &SETTINGS);
    let firm = Firm::open(&served.http).expect("a firm");
    let (key, answered, is_over) = (firm.key.clone(), AtomicUsize::new(0), AtomicBool::new(false));
    let Served { worker, http, .. } = served;
    let posts: Vec<(String, bool)> = thread::scope(|scope| {
        let poster = |poster: usize| {
            let (key, http, answered, is_over) = (&key, &http, &answered, &is_over);
            scope.spawn(move || {
                let mut posts = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    let prefix = format!("crash-{poster}-{}-", posts.len());
                    let client = |number| json!({"external_id": format!("{prefix}{number}"), "last_name": prefix});
                    let clients: Vec<Value> = (0..CLIENTS).map(client).collect();
                    let request = Request::new("POST", "/api/v1/clients").bearer(key);
                    let answer = http.exchange(&request.json(&json!({ "clients": clients })));
                    let is_answered = answer.is_ok_and(|answer| answer.status == 200);
                    answered.fetch_add(usize::from(is_answered), Ordering::Relaxed);
                    is_over.fetch_or(!is_answered, Ordering::Relaxed);
                    posts.push((prefix, is_answered));
                }
                posts
            })
        };
        let posters: Vec<_> = (0..8).map(poster).collect();
        support::soon("number of answered posts", || (answered.load(Ordering::Relaxed) >= 40).then_some(()));
        worker.kill().expect("it ends");
        posters.into_iter().flat_map(|poster| poster.join().expect("a poster")).collect()
    });
    assert!(posts.iter().any(|(_, is_answered)| !is_answered), "the crash interrupted posts");

    let served = Served::start(state.path(), &SETTINGS);
    let mut commits = 0;
    for (prefix, is_answered) in &posts {
        let saved = served.count(&format!("select count(*) from clients where external_id like '{prefix}%'"));
        let whole = i64::try_from(CLIENTS).expect("a small number");
        assert!(saved == whole || (saved == 0 && !is_answered), "{saved} of a post, answered: {is_answered}");
        commits += saved / whole;
    }
    assert_eq!(served.count("select count(*) from commits"), commits);
    let request =
        Request::new("POST", "/api/v1/clients").bearer(&key).json(&json!({"clients": [{"last_name": "Ray"}]}));
    send(&served.http, &request).and_then(Answer::ok).expect("the service goes on");
    served.stop();
}
