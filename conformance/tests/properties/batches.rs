//! A batch equals its items posted one by one (rule U5).

use std::collections::HashMap;

use matterbook_conformance::wire::Firm;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{cases, failed, people, service, state};

/// Replaces each id by the number of its first appearance, and leaves times out.
#[derive(Default)]
struct Renamed(HashMap<String, usize>);

impl Renamed {
    fn rename(&mut self, id: &Value) -> Value {
        let next = self.0.len();
        id.as_str().map_or(Value::Null, |id| json!(*self.0.entry(id.to_owned()).or_insert(next)))
    }

    fn result(&mut self, result: &Value) -> Value {
        json!([result["status"], result["message"], self.rename(&result["id"])])
    }

    fn state(&mut self, (clients, settlements): (Vec<Value>, Vec<Value>)) -> Value {
        let mut clients: Vec<Value> = clients.into_iter().map(|client| self.without_times(client)).collect();
        // Within a batch all times are one, so the order of the rows is not that of the items.
        clients.sort_by_key(|client| client["id"].as_u64());
        let mut settlements: Vec<String> = settlements
            .into_iter()
            .map(|row| format!("{} {} {}", self.rename(&row["client_id"]), row["settled_on"], row["do_not_mail"]))
            .collect();
        settlements.sort_unstable();
        json!([clients, settlements])
    }

    fn without_times(&mut self, mut client: Value) -> Value {
        client["id"] = self.rename(&client["id"]);
        client["created_at"].take();
        client["updated_at"].take();
        client
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn a_batch_equals_its_items_one_by_one(before in people::batch(6), batch in people::batch(12)) {
        let (together, apart) = (service(), service());
        let (firm, other) = (Firm::open(&together).map_err(failed)?, Firm::open(&apart).map_err(failed)?);
        let (mut names, mut other_names) = (Renamed::default(), Renamed::default());
        for (firm, names) in [(&firm, &mut names), (&other, &mut other_names)] {
            for result in firm.post_clients(&before).map_err(failed)?.array("/results").map_err(failed)? {
                names.result(result);
            }
        }
        let answer = firm.post_clients(&batch).map_err(failed)?;
        for (index, item) in batch.iter().enumerate() {
            let alone = other.post_clients(std::slice::from_ref(item)).map_err(failed)?;
            let result = names.result(answer.at(&format!("/results/{index}")));
            prop_assert_eq!(result, other_names.result(alone.at("/results/0")), "item {}: {}", index, item);
        }
        prop_assert_eq!(names.state(state(&together, &firm)?), other_names.state(state(&apart, &other)?));
    }
}
