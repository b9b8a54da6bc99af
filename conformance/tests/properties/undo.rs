//! An undo gives back exactly what a request changed, where no later request wrote it (rules Q2 to Q4), over each store.

use std::collections::{BTreeMap, BTreeSet};

use matterbook_conformance::wire::{Firm, Service};
use matterbook_core::{
    memory::{ManualPlatform, MemoryStore},
    settings::Settings,
};
use matterbook_store_sql::SqlStore;
use proptest::prelude::*;
use serde_json::Value;

use super::{cases, failed, people};
use crate::services::{
    over_with,
    sqlite::{Database, InRows, InSets},
};

/// Each client by its id, without the time of its last change.
type Clients = BTreeMap<String, Value>;
/// A client, a field or the whole client, and the reason.
type Left = BTreeSet<(String, Option<String>, String)>;

/// A service over each kind of store.
fn services() -> Vec<Box<dyn Service>> {
    let settings = Settings { rate_limit_per_minute: 0, ..crate::services::settings() };
    let platform = || ManualPlatform::new(crate::services::start());
    vec![
        Box::new(over_with(MemoryStore::default(), settings.clone(), platform())),
        Box::new(over_with(InRows(Database::new()), settings.clone(), platform())),
        Box::new(over_with(SqlStore::new(InSets(Database::new())), settings, platform())),
    ]
}

fn clients(firm: &Firm<'_>) -> Result<Clients, TestCaseError> {
    let page =
        firm.operator().call("GET", &firm.path("/clients?limit=100")).and_then(|page| page.ok()).map_err(failed)?;
    prop_assert!(page.at("/next_cursor").is_null(), "there are more clients than a page has");
    let clients = page.array("/clients").map_err(failed)?.clone().into_iter().map(|mut client| {
        client["updated_at"] = Value::Null;
        (client["id"].as_str().unwrap_or_default().to_owned(), client)
    });
    Ok(clients.collect())
}

/// Posts a batch; its request.
fn post(firm: &Firm<'_>, batch: &[Value]) -> Result<String, TestCaseError> {
    let posted = firm.post_clients(batch).and_then(|answer| answer.ok()).map_err(failed)?;
    Ok(posted.header("x-request-id").unwrap_or_default().to_owned())
}

/// Takes a request back; the undo's request, and what it left. A request that changed nothing has no undo.
fn undo(firm: &Firm<'_>, request: &str) -> Result<Option<(String, Left)>, TestCaseError> {
    let path = firm.path(&format!("/changes/{request}/undo"));
    let answer = firm.operator().call("POST", &path).map_err(failed)?;
    if answer.status == 404 {
        return Ok(None);
    }
    let answer = answer.ok().map_err(failed)?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let left = answer.array("/undo/left").map_err(failed)?.iter();
    let left = left.map(|one| {
        (text(&one["id"]).unwrap_or_default(), text(&one["field"]), text(&one["reason"]).unwrap_or_default())
    });
    Ok(Some((answer.header("x-request-id").unwrap_or_default().to_owned(), left.collect())))
}

/// The fields of one client that differ between two states; none of a client that one of them lacks.
fn written(id: &str, one: &Clients, next: &Clients) -> BTreeSet<String> {
    let (Some(one), Some(next)) = (one.get(id).and_then(Value::as_object), next.get(id)) else {
        return BTreeSet::new();
    };
    one.iter().filter(|(name, value)| next[name.as_str()] != **value).map(|(name, _)| name.clone()).collect()
}

/// What has to be there after the undo of a change from `before` to `after`, where it is `now` and later requests wrote
/// what `is_written` says; and what has to be left.
fn expected(
    before: &Clients,
    after: &Clients,
    now: &Clients,
    is_written: impl Fn(&str, Option<&str>) -> bool,
) -> (Clients, Left) {
    let (mut clients, mut left) = (now.clone(), Left::new());
    for (id, changed) in after {
        let mut leave = |field: Option<&str>, reason: &str| {
            left.insert((id.clone(), field.map(str::to_owned), reason.to_owned()));
        };
        if !before.contains_key(id) {
            match (is_written(id, None), changed["settled_on"].is_null()) {
                (true, _) => leave(None, "changed_since"),
                (false, false) => leave(None, "settlement"),
                (false, true) => drop(clients.remove(id)),
            }
            continue;
        }
        for field in written(id, before, after) {
            match field.as_str() {
                name if now[id][name] == before[id][name] => {}
                name if is_written(id, Some(name)) => leave(Some(name), "changed_since"),
                "settled_on" => leave(Some("settled_on"), "settlement"),
                "do_not_mail" => leave(Some("do_not_mail"), "do_not_mail"),
                name => {
                    if let Some(client) = clients.get_mut(id) {
                        client[name] = before[id][name].clone();
                    }
                }
            }
        }
    }
    (clients, left)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn an_undo_right_after_a_change_is_the_identity_and_its_undo_is_the_change(
        earlier in people::batch(6),
        batch in people::batch(6),
    ) {
        for service in services() {
            let firm = Firm::open(&*service).map_err(failed)?;
            post(&firm, &earlier)?;
            let before = clients(&firm)?;
            let request = post(&firm, &batch)?;
            let after = clients(&firm)?;
            let Some((undone, left)) = undo(&firm, &request)? else {
                prop_assert_eq!(&after, &before);
                continue;
            };
            let (expected, expected_left) = expected(&before, &after, &after, |_, _| false);
            let back = clients(&firm)?;
            prop_assert_eq!((&back, &left), (&expected, &expected_left));
            match undo(&firm, &undone)? {
                // All was left.
                None => prop_assert_eq!(&back, &after),
                Some((_, left)) => {
                    prop_assert_eq!(left, Left::new());
                    prop_assert_eq!(&clients(&firm)?, &after);
                }
            }
        }
    }

    #[test]
    fn an_undo_leaves_every_field_that_a_later_request_wrote(
        earlier in people::batch(6),
        batch in people::batch(4),
        later in prop::collection::vec(people::batch(3), 1..4),
    ) {
        for service in services() {
            let firm = Firm::open(&*service).map_err(failed)?;
            post(&firm, &earlier)?;
            let before = clients(&firm)?;
            let request = post(&firm, &batch)?;
            let mut states = vec![clients(&firm)?];
            for batch in &later {
                post(&firm, batch)?;
                states.push(clients(&firm)?);
            }
            let Some((_, left)) = undo(&firm, &request)? else { continue };
            let is_written = |id: &str, field: Option<&str>| {
                states.iter().zip(&states[1..]).any(|(one, next)| {
                    let written = written(id, one, next);
                    field.map_or(!written.is_empty(), |field| written.contains(field))
                })
            };
            let expected = expected(&before, &states[0], &states[later.len()], is_written);
            prop_assert_eq!((clients(&firm)?, left), expected);
        }
    }
}
