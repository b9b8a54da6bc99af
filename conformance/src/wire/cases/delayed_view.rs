//! `GET /clients` shows the account as it stood one delay ago (group V of the specification).

use std::time::Duration;

use serde_json::{Value, json};

use super::clients_get::{create_numbered, ids, wait_for_count};
use crate::wire::{
    CaseResult, Failure, Firm, Service,
    failure::{equal, holds},
    wait_for_clients,
};

cases! { "delayed_view":
    "V2, V6" => a_new_client_is_not_shown_before_the_delay_and_is_soon_after,
    "V2" => a_changed_client_keeps_its_earlier_state_and_place_until_the_delay,
    "V8" => filters_look_at_the_delayed_state,
    "V3" => a_walk_meets_every_client_though_they_change_meanwhile,
    "V4" => an_unchanged_client_is_met_once_in_a_walk,
    "V2" => several_changes_within_the_delay_show_as_one,
    "U14" => updated_at_grows_from_commit_to_commit,
}

fn delay(service: &dyn Service) -> Duration {
    Duration::from_secs(service.facts().client_delay_seconds)
}

/// What is seen after a change, while the change is younger than the delay. A try that took
/// longer shows nothing, so the change is made again. With a delay of 0 the first read counts.
fn soon_after<T>(
    service: &dyn Service,
    mut change: impl FnMut() -> Result<(), Failure>,
    mut read: impl FnMut() -> Result<T, Failure>,
) -> Result<T, Failure> {
    for _ in 0..20 {
        let began = service.clock();
        change()?;
        let seen = read()?;
        if delay(service).is_zero() || service.clock() - began < delay(service) {
            return Ok(seen);
        }
    }
    Err(Failure::new("a change, then a read", "answers within the delay", "answers slower than that, twenty times"))
}

fn a_new_client_is_not_shown_before_the_delay_and_is_soon_after(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let created = std::cell::RefCell::new(Vec::new());
    let seen = soon_after(
        service,
        || {
            let number = created.borrow().len();
            let id = firm.create(&json!({"external_id": number, "last_name": "Ray"}))?;
            created.borrow_mut().push(id);
            Ok(())
        },
        || shows(&firm, created.borrow().last().map_or("", String::as_str)),
    )?;
    equal("whether a client is listed at once", &seen, &delay(service).is_zero())?;
    let created = created.into_inner();
    equal("after the delay", &ids(&wait_for_count(&firm, created.len())?), &created)
}

/// Whether `GET /clients` shows that client.
fn shows(firm: &Firm<'_>, id: &str) -> Result<bool, Failure> {
    Ok(firm.walk_clients("limit=100")?.iter().any(|row| row["id"] == json!(id)))
}

fn a_changed_client_keeps_its_earlier_state_and_place_until_the_delay(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    create_numbered(&firm, 0..3)?;
    let before = wait_for_count(&firm, 3)?;
    let mut number = 0;
    let seen = soon_after(
        service,
        || {
            number += 1;
            firm.post_client(&json!({"external_id": "n0", "city": format!("City {number}")}), "updated").map(drop)
        },
        || firm.walk_clients("limit=2"),
    )?;
    if !delay(service).is_zero() && number == 1 {
        equal("the listing soon after a change", &seen, &before)?;
    }
    let after = wait_for_clients(service, || {
        let rows = firm.walk_clients("limit=2")?;
        let last = rows.last().cloned().unwrap_or_default();
        equal("the row that shows the change", &last["city"], &json!(format!("City {number}")))?;
        Ok(rows)
    })?;
    let names: Vec<&Value> = after.iter().map(|row| &row["external_id"]).collect();
    equal("the changed client moves to the end", &names, &vec![&json!("n1"), &json!("n2"), &json!("n0")])?;
    equal("the others stay", &after.first(), &before.get(1))
}

fn filters_look_at_the_delayed_state(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    create_numbered(&firm, 0..1)?;
    let before = wait_for_count(&firm, 1)?;
    let since = before[0]["updated_at"].as_str().unwrap_or_default().to_owned();
    let mut number = 0;
    let (by_id, since_then, unknown) = soon_after(
        service,
        || {
            number += 1;
            firm.post_clients(&[
                json!({"external_id": "n0", "city": format!("City {number}")}),
                json!({"external_id": format!("young {number}"), "last_name": "Ray"}),
            ])
            .map(drop)
        },
        || {
            Ok((
                firm.walk_clients("external_id=n0")?,
                firm.walk_clients(&format!("limit=100&updated_since={since}"))?,
                firm.walk_clients("external_id=young%201")?,
            ))
        },
    )?;
    if !delay(service).is_zero() && number == 1 {
        equal("external_id of a changed client", &by_id, &before)?;
        equal("updated_since of its earlier state", &since_then, &before)?;
        equal("external_id of a new client", &unknown, &Vec::new())?;
    }
    wait_for_clients(service, || {
        equal("the new client, later", &firm.walk_clients("external_id=young%201")?.len(), &1)?;
        let rows = firm.walk_clients("external_id=n0")?;
        equal("the change, later", &rows.first().map(|row| row["city"].clone()), &Some(json!(format!("City {number}"))))
    })
}

fn a_walk_meets_every_client_though_they_change_meanwhile(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let created = create_numbered(&firm, 0..8)?;
    wait_for_count(&firm, 8)?;
    let mut met = Vec::new();
    let mut cursor = String::new();
    for page in 0.. {
        let answer = firm.get(&format!("/clients?limit=2{cursor}"))?.ok()?;
        met.extend(ids(answer.array("/clients")?));
        // Everything changes behind the reader and before it, and some of it comes of age.
        if page < 3 {
            let batch: Vec<Value> = (0..8)
                .map(|number| json!({"external_id": format!("n{number}"), "city": format!("City {page}")}))
                .collect();
            firm.post_clients(&batch)?;
            if page == 1 {
                service.elapse(delay(service));
            }
        }
        match answer.at("/next_cursor").as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
        holds(page < 40, "a walk over 8 changing clients", "an end", || format!("page {page}"))?;
    }
    let missed: Vec<&String> = created.iter().filter(|id| !met.contains(id)).collect();
    equal("clients that existed before the walk and were not met", &missed.len(), &0)
}

fn an_unchanged_client_is_met_once_in_a_walk(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let created = create_numbered(&firm, 0..6)?;
    wait_for_count(&firm, 6)?;
    let first = firm.get("/clients?limit=2")?.ok()?;
    let mut met = ids(first.array("/clients")?);
    // Only the client met first changes, and the change comes of age within the walk.
    firm.post_client(&json!({"external_id": "n0", "city": "Peoria"}), "updated")?;
    let rest = wait_for_clients(service, || {
        let rest = firm.walk_clients_after(&first.text("/next_cursor")?, "limit=2")?;
        equal("rows after the first page", &rest.len(), &5)?;
        Ok(ids(&rest))
    })?;
    met.extend(rest);
    let times = |id: &String| met.iter().filter(|met| *met == id).count();
    let expected: Vec<usize> = std::iter::once(2).chain(std::iter::repeat_n(1, 5)).collect();
    equal("how often each client was met", &created.iter().map(times).collect::<Vec<_>>(), &expected)
}

fn several_changes_within_the_delay_show_as_one(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    create_numbered(&firm, 0..2)?;
    wait_for_count(&firm, 2)?;
    for city in ["Peoria", "Joliet", "Aurora"] {
        firm.post_client(&json!({"external_id": "n0", "city": city}), "updated")?;
    }
    let rows = wait_for_clients(service, || {
        let rows = firm.walk_clients("limit=1")?;
        equal("the city in the end", &rows.last().map(|row| row["city"].clone()), &Some(json!("Aurora")))?;
        Ok(rows)
    })?;
    let names: Vec<&Value> = rows.iter().map(|row| &row["external_id"]).collect();
    equal("the rows", &names, &vec![&json!("n1"), &json!("n0")])
}

fn updated_at_grows_from_commit_to_commit(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let created = create_numbered(&firm, 0..10)?;
    let times = created.iter().map(|id| Ok(firm.show(id)?["updated_at"].as_str().unwrap_or_default().to_owned()));
    let times: Vec<String> = times.collect::<Result<_, Failure>>()?;
    let grows = times.iter().zip(times.iter().skip(1)).all(|(before, after)| before < after);
    holds(grows, "ten commits, one after the other", "growing times", || format!("{times:?}"))
}
