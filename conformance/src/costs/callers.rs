//! The cost of a firm's requests.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    Cost, Row,
    stage::{BATCH, Stage, people},
};
use crate::wire::{Answer, Failure, Firm, Request, Service as _};

/// Longer than a use of a key is remembered, and than an earlier state of a client is shown.
const REST: Duration = Duration::from_secs(120);

/// A budget: round trips, statements, rows read, rows written.
type Budget = [u64; 4];

struct Caller<'s> {
    stage: &'s Stage<'s>,
    firm: &'s Firm<'s>,
}

impl Caller<'_> {
    /// Measures a request twice: `make(0)` with a key that was not used for a while, then `make(1)`, a request
    /// of the same kind, with a key that was.
    fn row(
        &self,
        request: &'static str,
        budget: Budget,
        make: impl Fn(usize) -> Request,
        is_expected: impl Fn(&Answer) -> bool,
    ) -> Result<Row, Failure> {
        let cost = |number| {
            let (answer, cost) = self.stage.cost_of(&make(number))?;
            if is_expected(&answer) { Ok(cost) } else { Err(answer.failure(format!("a response to {request}"))) }
        };
        self.stage.elapse(REST);
        let unseen: Cost = cost(0)?;
        self.stage.elapse(REST);
        self.firm.get("/me")?;
        let seen = cost(1)?;
        Ok(Row { request, cost: seen, round_trips_unseen: Some(unseen.round_trips), budget: of(budget) })
    }

    fn get(&self, request: &'static str, budget: Budget, path: &str, rows: (&str, usize)) -> Result<Row, Failure> {
        self.row(request, budget, |_| self.firm.request("GET", path), |answer| has(answer, rows.0, rows.1))
    }

    /// Posts batches of clients that all get the same status.
    fn post(
        &self,
        request: &'static str,
        budget: Budget,
        status: &str,
        batch: impl Fn(usize) -> Vec<Value>,
    ) -> Result<Row, Failure> {
        let make = |number| self.firm.request("POST", "/clients").json(&json!({ "clients": batch(number) }));
        self.row(request, budget, make, |answer| all_are(answer, status))
    }
}

/// A budget as a [`Cost`].
pub(super) fn of([round_trips, statements, rows_read, rows_written]: Budget) -> Cost {
    Cost { round_trips, statements, rows_read, rows_written }
}

/// Whether a page has so many rows.
fn has(answer: &Answer, member: &str, count: usize) -> bool {
    answer.at(&format!("/{member}")).as_array().is_some_and(|rows| rows.len() == count)
}

/// Whether every result has this status.
fn all_are(answer: &Answer, status: &str) -> bool {
    answer.at("/results").as_array().is_some_and(|results| results.iter().all(|result| result["status"] == status))
}

/// People with one field changed.
fn with(mut people: Vec<Value>, field: &str, value: impl Into<Value>) -> Vec<Value> {
    let value = value.into();
    people.iter_mut().for_each(|person| person[field] = value.clone());
    people
}

pub(super) fn measure<'s>(stage: &'s Stage<'s>, firm: &'s Firm<'s>) -> Result<Vec<Row>, Failure> {
    let caller = Caller { stage, firm };
    let changed_before = "GET /clients, 100 that changed a moment ago";
    let behind_others = "GET /clients, the same after 500 states that are not shown";
    let mut rows = me(&caller)?;
    rows.extend(posts_of_new(&caller)?);
    // The later posts leave earlier states that no page shows any more. They are pruned with later commits.
    let earlier_states = page_of_earlier_states(&caller, changed_before, [1, 4, 250, 0])?;
    rows.extend(posts_of_changes(&caller)?);
    rows.extend(settled(&caller)?);
    rows.extend(pages(&caller)?);
    rows.push(earlier_states);
    rows.push(page_of_earlier_states(&caller, behind_others, [1, 4, 250, 0])?);
    rows.extend(refused(&caller)?);
    Ok(rows)
}

fn me(caller: &Caller<'_>) -> Result<Vec<Row>, Failure> {
    let first_use = "GET /me, a key's first use in a day";
    let (_, key) = caller.firm.new_key()?;
    let (_, cost) = caller.stage.cost_of(&Request::new("GET", "/api/v1/me").bearer(&key))?;
    Ok(vec![
        caller.row("GET /me", [1, 1, 4, 0], |_| caller.firm.request("GET", "/me"), |_| true)?,
        Row { request: first_use, cost, round_trips_unseen: None, budget: of([2, 2, 6, 1]) },
    ])
}

fn posts_of_new(caller: &Caller<'_>) -> Result<Vec<Row>, Failure> {
    let with_key = |number: usize| {
        let request = caller.firm.request("POST", "/clients").header("Idempotency-Key", format!("key-{number}"));
        request.json(&json!({"clients": people(&format!("keyed-{number}"), 0, BATCH)}))
    };
    let created = |answer: &Answer| all_are(answer, "created");
    let explained = |_| {
        let request = caller.firm.request("POST", "/clients?explain=true");
        request.json(&json!({"clients": people("base", 0, BATCH)}))
    };
    let updated = |answer: &Answer| all_are(answer, "updated");
    Ok(vec![
        caller.post("POST /clients, 1 new", [2, 8, 40, 8], "created", |n| people("one", n, 1))?,
        caller.post("POST /clients, 1 changed", [2, 8, 50, 8], "updated", |n| {
            with(people("one", 0, 1), "phone", phone(n))
        })?,
        caller.post("POST /clients, 1 unchanged", [1, 2, 12, 0], "updated", |_| people("one", 1, 1))?,
        caller.post("POST /clients, 500 new", [2, 8, 1_100, 2_010], "created", |n| {
            people(&format!("new-{n}"), 0, BATCH)
        })?,
        caller.row("POST /clients, 500 new, Idempotency-Key", [2, 9, 1_100, 2_014], with_key, created)?,
        caller.row("POST /clients, the same once more", [1, 2, 2_100, 0], |_| with_key(1), created)?,
        caller.post("POST /clients, 500 unchanged", [1, 2, 2_100, 0], "updated", |_| people("base", 0, BATCH))?,
        caller.row("POST /clients?explain=true, 500 unchanged", [1, 2, 2_100, 0], explained, updated)?,
    ])
}

/// After all others: where clients wait for review, a post also looks whether they are its own.
fn refused(caller: &Caller<'_>) -> Result<Vec<Row>, Failure> {
    Ok(vec![
        caller.post("POST /clients, 500 refused", [3, 5, 3_400, 1_010], "error", |n| {
            with(people(&format!("refused-{n}"), 0, BATCH), "zip", "123")
        })?,
        caller.post("POST /clients, the same 500 refused again", [2, 4, 3_400, 0], "error", |_| {
            with(people("base", 0, BATCH), "zip", "123")
        })?,
    ])
}

fn posts_of_changes(caller: &Caller<'_>) -> Result<Vec<Row>, Failure> {
    let date = |number: usize| format!("2025-03-{:02}", number + 1);
    let first = "POST /clients, 500 changed, each with its first settled_on";
    let corrected = "POST /clients, 500 changed, each with a corrected settled_on";
    let another = "POST /clients, 500 changed, each with another settlement";
    Ok(vec![
        caller.post("POST /clients, 500 changed", [2, 8, 7_000, 2_010], "updated", |n| {
            with(people("base", 0, BATCH), "phone", phone(n))
        })?,
        caller.post(first, [2, 9, 7_500, 3_020], "updated", |n| {
            with(with(people("base", n * BATCH, BATCH), "phone", phone(2)), "settled_on", date(0))
        })?,
        caller.post(corrected, [2, 9, 9_000, 3_020], "updated", |n| {
            with(with(people("base", 0, BATCH), "phone", phone(3 + n)), "settled_on", date(1 + n))
        })?,
        caller.post(another, [2, 9, 9_000, 3_020], "updated", |n| {
            let batch = with(with(people("base", 0, BATCH), "phone", phone(5 + n)), "settled_on", date(3 + n));
            with(batch, "new_settlement", true)
        })?,
        caller.post("POST /clients, 500 moved", [2, 8, 7_500, 3_510], "updated", |n| {
            with(people("base", 2 * BATCH, BATCH), "zip", format!("6000{n}"))
        })?,
        caller.post("POST /clients, 500 renamed", [2, 8, 7_000, 3_010], "updated", |n| {
            with(people("base", 2 * BATCH, BATCH), "first_name", format!("Eve {n}"))
        })?,
    ])
}

fn phone(number: usize) -> String {
    format!("217-555-01{number:02}")
}

fn settled(caller: &Caller<'_>) -> Result<Vec<Row>, Failure> {
    let settle = |number: usize| {
        let body = json!({"external_id": format!("base-{number}"), "settled_on": "2025-06-01"});
        caller.firm.request("POST", "/cases/settled").json(&body)
    };
    Ok(vec![
        caller.row("POST /cases/settled", [2, 9, 60, 10], |number| settle(2 * BATCH + number), |_| true)?,
        caller.row("POST /cases/settled, the same once more", [1, 2, 16, 0], |_| settle(2 * BATCH), |_| true)?,
    ])
}

fn pages(caller: &Caller<'_>) -> Result<Vec<Row>, Failure> {
    let firm = caller.firm;
    caller.stage.elapse(REST);
    let mut deep = String::new();
    for _ in 0..5 {
        deep = format!("&cursor={}", firm.get(&format!("/clients?limit=100{deep}"))?.text("/next_cursor")?);
    }
    Ok(vec![
        caller.get("GET /clients, 100", [1, 4, 150, 0], "/clients?limit=100", ("clients", 100))?,
        caller.get(
            "GET /clients, 100 after a cursor",
            [1, 4, 150, 0],
            &format!("/clients?limit=100{deep}"),
            ("clients", 100),
        )?,
        caller.get(
            "GET /clients, 100 by updated_since",
            [1, 4, 150, 0],
            "/clients?limit=100&updated_since=2026-01-01T01:00:00Z",
            ("clients", 100),
        )?,
        caller.get("GET /clients by external_id", [1, 3, 30, 0], "/clients?external_id=base-7", ("clients", 1))?,
        caller.get("GET /prospects, 100", [1, 3, 800, 0], "/prospects?limit=100", ("prospects", 100))?,
        caller.get("GET /prospects, newest 500", [1, 3, 3_600, 0], "/prospects?order=newest", ("prospects", BATCH))?,
    ])
}

/// A page of the oldest clients, which were changed just before. It shows their earlier states.
fn page_of_earlier_states(caller: &Caller<'_>, request: &'static str, budget: Budget) -> Result<Row, Failure> {
    let firm = caller.firm;
    caller.stage.elapse(REST);
    let oldest = firm.get("/clients?limit=100")?;
    let changed = with(oldest.array("/clients")?.clone(), "case_type", request);
    firm.post_clients(&changed)?;
    caller.stage.elapse(Duration::from_secs(10));
    let (page, cost) = caller.stage.cost_of(&firm.request("GET", "/clients?limit=100"))?;
    if page.at("/clients") != oldest.at("/clients") {
        return Err(page.failure("the clients as they were a minute ago"));
    }
    Ok(Row { request, cost, round_trips_unseen: None, budget: of(budget) })
}
