//! A record read back and posted changes nothing (rule U12).

use matterbook_conformance::wire::Firm;
use proptest::prelude::*;
use serde_json::json;

use super::{cases, failed, people, service, state};

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn a_record_read_back_and_posted_changes_nothing(batches in prop::collection::vec(people::batch(6), 1..5)) {
        let service = service();
        let firm = Firm::open(&service).map_err(failed)?;
        for batch in &batches {
            firm.post_clients(batch).map_err(failed)?;
        }
        let before = state(&service, &firm)?;
        for record in &before.0 {
            let answer = firm.post_clients(std::slice::from_ref(record)).map_err(failed)?;
            let result = answer.at("/results/0");
            let has_key = record["address_line1"].is_string()
                && record["zip"].is_string()
                && (record["first_name"].is_string() || record["last_name"].is_string());
            if record["external_id"].is_string() {
                prop_assert_eq!(result, &json!({"index": 0, "status": "updated", "id": record["id"]}));
            } else if has_key && result["status"] == "updated" {
                prop_assert_eq!(&result["id"], &record["id"]);
            } else {
                // Without an id of its own, a record meets itself only where it is the only one there.
                prop_assert_eq!(&result["status"], "conflict");
            }
        }
        // The whole of it at once, too.
        firm.post_clients(&before.0).map_err(failed)?;
        prop_assert_eq!(state(&service, &firm)?, before);
    }
}
