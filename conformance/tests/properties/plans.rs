//! A plan commits exactly when its results are still those of its dry run (rules X15 and X16).

use std::time::Duration;

use matterbook_conformance::wire::{Answer, Firm, Service as _};
use proptest::{
    prelude::*,
    sample::{Index, select},
};
use serde_json::{Value, json};

use super::{cases, failed, service, state};

/// How long a plan is good.
const GOOD: Duration = Duration::from_secs(15 * 60);

/// What happens between a dry run and its request.
#[derive(Clone, Debug)]
enum Event {
    Post(Vec<Value>),
    Erase(Index),
    Wait(u64),
}

/// Clients of a small town: many posts find one another.
fn client() -> impl Strategy<Value = Value> {
    let optional = |name: &'static str, values: &'static [&'static str]| {
        proptest::option::of(select(values)).prop_map(move |value| value.map(|value| (name, json!(value))))
    };
    let fields = (
        optional("external_id", &["1", "2"]),
        optional("first_name", &["Ana", "Bo"]),
        optional("address_line1", &["1 Elm St", "2 Oak Ave"]),
        optional("zip", &["02139", "1"]),
        optional("city", &["Reno", "Tampa"]),
        optional("settled_on", &["2025-01-02", "2025-03-04"]),
    );
    fields.prop_map(|(id, name, street, zip, city, settled)| {
        [id, name, street, zip, city, settled]
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    })
}

fn clients() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(client(), 1..4)
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => clients().prop_map(Event::Post),
        1 => any::<Index>().prop_map(Event::Erase),
        1 => select(&[1_u64, 400, 900, 901][..]).prop_map(Event::Wait),
    ]
}

/// The status of an answer, and its results.
fn results(answer: &Answer) -> (u16, Value) {
    (answer.status, json!([answer.json["results"], answer.json["result"]]))
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_plan_commits_exactly_when_its_results_are_still_those_of_its_dry_run(
        before in clients(),
        body in clients(),
        is_settled in any::<bool>(),
        is_explained in any::<bool>(),
        events in prop::collection::vec(event(), 0..4),
    ) {
        let service = service();
        let firm = Firm::open(&service).map_err(failed)?;
        let mut known = Vec::new();
        let mut post = |clients: &[Value]| {
            let answer = firm.post("/clients", &json!({"clients": clients})).map_err(failed)?;
            known.extend(answer.array("/results").map_err(failed)?.iter().filter_map(|result| result["id"].as_str().map(str::to_owned)));
            Ok::<_, TestCaseError>(known.clone())
        };
        let mut known = post(&before)?;

        let (path, body) = match body.first() {
            Some(client) if is_settled => ("/cases/settled", client.clone()),
            _ => ("/clients", json!({"clients": body})),
        };
        let dry_run = format!("{path}?dry_run=true&explain={is_explained}");
        let shown = firm.post(&dry_run, &body).map_err(failed)?;
        // A settled case that would be refused has no plan.
        if shown.status != 200 {
            prop_assert!(shown.at("/plan").is_null());
            return Ok(());
        }
        let (plan, made_at) = (shown.text("/plan").map_err(failed)?, service.clock());
        for event in events {
            match event {
                Event::Post(clients) => known = post(&clients)?,
                Event::Erase(index) if !known.is_empty() => {
                    firm.operator().call("DELETE", &firm.path(&format!("/clients/{}", index.get(&known)))).map_err(failed)?;
                }
                Event::Erase(_) => {}
                Event::Wait(seconds) => service.elapse(Duration::from_secs(seconds)),
            }
        }

        let saved = state(&service, &firm)?;
        let now = firm.post(&dry_run, &body).map_err(failed)?;
        let is_kept = results(&now) == results(&shown) && service.clock() - made_at <= GOOD;
        let answer = firm.post(&format!("{path}?plan={plan}"), &body).map_err(failed)?;
        prop_assert_eq!(answer.status, if is_kept { 200 } else { 409 });
        if !is_kept {
            prop_assert_eq!(state(&service, &firm)?, saved);
            if now.status == 200 {
                prop_assert_eq!(results(&answer).1, results(&now).1);
            }
        }
    }
}
