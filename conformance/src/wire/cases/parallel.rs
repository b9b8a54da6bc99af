//! Concurrent requests: no duplicates, no lost updates, and no account waits for another one.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::wire::{
    Answer, CaseResult, Failure, Firm, Service,
    failure::{equal, holds},
};

cases! { "parallel":
    "U10" => forty_eight_posts_of_one_new_person_create_one_client,
    "U10" => posts_of_one_new_external_id_create_one_client,
    "U9" => posts_of_different_clients_are_all_created,
    "U9" => changes_of_one_client_are_none_of_them_lost,
    "T2, U10" => one_settlement_settled_many_times_is_begun_once,
    "I3, I5" => one_idempotency_key_saves_once,
}

/// Sends requests made by `make` at once, each on a thread of its own, and hands back the answers.
fn at_once(count: usize, make: impl Fn(usize) -> Result<Answer, Failure> + Sync) -> Result<Vec<Answer>, Failure> {
    let barrier = std::sync::Barrier::new(count);
    let (make, barrier) = (&make, &barrier);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|number| {
                scope.spawn(move || {
                    barrier.wait();
                    make(number)
                })
            })
            .collect();
        let panicked = || Err(Failure::new("parallel requests", "answers", "a panic"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panicked())).collect()
    })
}

/// How many first results are `created` and how many `updated`, and how many ids there are.
fn tally(answers: &[Answer], pointer: &str) -> (usize, usize, usize) {
    let count = |status: &str| answers.iter().filter(|answer| answer.at(pointer)["status"] == json!(status)).count();
    let mut ids: Vec<&str> = answers.iter().filter_map(|answer| answer.at(pointer)["id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    (count("created"), count("updated"), ids.len())
}

fn forty_eight_posts_of_one_new_person_create_one_client(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let person = json!({"first_name": "Ada", "last_name": "Reyes", "address_line1": "12 Elm St", "zip": "62704"});
    let answers = at_once(48, |_| firm.post_clients(std::slice::from_ref(&person)))?;
    equal("48 posts at once: created, updated, clients", &tally(&answers, "/results/0"), &(1, 47, 1))
}

fn posts_of_one_new_external_id_create_one_client(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let answers = at_once(24, |_| firm.post_clients(&[json!({"external_id": "a", "last_name": "Ray"})]))?;
    equal("24 posts at once: created, updated, clients", &tally(&answers, "/results/0"), &(1, 23, 1))
}

fn posts_of_different_clients_are_all_created(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let answers = at_once(32, |number| {
        let batch: Vec<Value> =
            (0..5).map(|item| json!({"external_id": format!("{number}-{item}"), "last_name": "Ray"})).collect();
        firm.post_clients(&batch)
    })?;
    for item in 0..5 {
        equal(
            "32 batches at once: created, updated, clients",
            &tally(&answers, &format!("/results/{item}")),
            &(32, 0, 32),
        )?;
    }
    Ok(())
}

/// How often a change is sent that others get in the way of. The last of ten changes is made in the tenth attempt. On a
/// busy machine ten take longer than the 10 seconds for which the Worker tries (rule W8).
const SENT_TIMES_MAX: usize = 3;

/// A host gives up no earlier.
const TRIED_TIME_MIN: Duration = Duration::from_secs(9);

/// Sends a change of a client, and again where a host has tried for as long as it may and nothing was saved (rule E8), as
/// callers do.
fn save(firm: &Firm<'_>, client: &Value) -> Result<Answer, Failure> {
    for _ in 1..SENT_TIMES_MAX {
        let sent_at = Instant::now();
        let answer = firm.send(&firm.request("POST", "/clients").json(&json!({"clients": [client]})))?;
        if answer.status != 500 {
            answer.expect_status(200)?.expect("/results/0/status", "updated")?;
            return Ok(answer);
        }
        answer.expect_error(500, "internal")?.expect_words("/error/message", &["nothing was saved"])?;
        let took = sent_at.elapsed();
        holds(took >= TRIED_TIME_MIN, "a change that was given up", "about 10 seconds", || format!("{took:?}"))?;
    }
    firm.post_client(client, "updated")
}

fn changes_of_one_client_are_none_of_them_lost(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&json!({"external_id": "a", "last_name": "Ray"}))?;
    let changes = [
        ("first_name", "Ada"),
        ("address_line1", "12 Elm St"),
        ("address_line2", "Apt 4"),
        ("city", "Springfield"),
        ("state", "IL"),
        ("zip", "62704"),
        ("email", "ada@example.com"),
        ("phone", "+12175550123"),
        ("case_type", "Motor vehicle"),
        ("opened_on", "2024-02-03"),
    ];
    at_once(changes.len(), |number| {
        let (name, value) = changes.get(number).copied().unwrap_or_default();
        save(&firm, &json!({"external_id": "a", name: value}))
    })?;
    let record = firm.show(&id)?;
    for (name, value) in changes {
        equal(&format!("{name}, changed at once with others"), &record[name], &json!(value))?;
    }
    Ok(())
}

fn one_settlement_settled_many_times_is_begun_once(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"external_id": "a", "last_name": "Ray", "settled_on": "2025-01-02"});
    let answers = at_once(16, |_| firm.settle(&body)?.ok())?;
    equal("16 at once: created, updated, clients", &tally(&answers, "/result"), &(1, 15, 1))?;
    equal("settlements begun", &firm.settlements()?.len(), &1)
}

fn one_idempotency_key_saves_once(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let request = firm
        .request("POST", "/clients")
        .header("Idempotency-Key", "once")
        .json(&json!({"clients": [{"first_name": "Ada"}, {"external_id": "a", "last_name": "Ray"}]}));
    let answers = at_once(16, |_| firm.send(&request)?.ok())?;
    let replayed = answers.iter().filter(|answer| answer.headers.contains_key("idempotent-replayed")).count();
    equal("replayed of 16 at once", &replayed, &15)?;
    equal("created, updated, clients", &tally(&answers, "/results/0"), &(16, 0, 1))
}
