//! A service runs the same statements for a revoked key and for one that never existed, so that the latency
//! of a refusal does not reveal which it was (rule A3).

use std::sync::{Arc, Mutex};

use crate::services::sqlite::{Database, InSets};
use matterbook_conformance::wire::{Firm, Request, Service as _};
use matterbook_core::{
    api::{Api, endpoints},
    key::AccountNumber,
    memory::{ManualPlatform, MemoryRateLimiter, test_key_secrets},
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
};

/// The statements of each batch, each with the rows that it found.
type Noted = Arc<Mutex<Vec<Vec<(&'static str, usize)>>>>;

struct Noting(InSets, Noted);

impl Driver for Noting {
    fn isolation(&self) -> Isolation {
        self.0.isolation()
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        let found = self.0.run(batch).await?;
        let noted = batch.iter().zip(&found).map(|(statement, rows)| (statement.query.name, rows.len()));
        self.1.lock().expect("no panic").push(noted.collect());
        Ok(found)
    }

    async fn back_off(&self, attempt: u32) -> bool {
        self.0.back_off(attempt).await
    }
}

#[test]
fn unknown_and_revoked_keys_send_the_same_statements() {
    for is_remembering in [false, true] {
        let noted = Noted::default();
        let platform = ManualPlatform::new(crate::services::start());
        let store = SqlStore::new(Noting(InSets(Database::new()), Arc::clone(&noted)));
        let api = Api::new(
            store,
            MemoryRateLimiter::default(),
            platform.clone(),
            crate::services::settings(),
            test_key_secrets(),
        );
        let api = if is_remembering { api.with_seen_keys(Arc::default()) } else { api };
        let service = crate::services::in_process(api, platform);
        let firm = Firm::open(&service).expect("a firm");
        firm.get("/me").expect("an answer").ok().expect("a live key");
        firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id)).expect("an answer").ok().expect("revoked");
        let ask = |method: &str, path: &str, key: &str| {
            noted.lock().expect("no panic").clear();
            let request = Request::new(method, path).bearer(key).header("content-type", "application/json");
            assert_eq!(service.exchange(&request).expect("an answer").status, 401, "{method} {path}");
            noted.lock().expect("no panic").clone()
        };
        let unknown = test_key_secrets().new_key("mtb_", AccountNumber::from_bytes([7; 6]), [7; 20]);
        let lookup = vec![vec![("live_key_owner", 0)]];
        for (number, (method, path)) in endpoints().filter(|(_, path)| path.starts_with("/api/v1")).enumerate() {
            // Where a host remembers keys, the first refusal tells it that this one is dead.
            let expected = if is_remembering && number > 0 { Vec::new() } else { lookup.clone() };
            assert_eq!(ask(method.as_str(), path, &unknown), expected, "unknown, {method} {path}");
            assert_eq!(ask(method.as_str(), path, &firm.key), expected, "revoked, {method} {path}");
        }
        assert_eq!(ask("GET", "/api/v1/nothing", &firm.key), ask("GET", "/api/v1/nothing", &unknown));
        for never_made in ["mtb_short".to_owned(), format!("mtb_{}", "u".repeat(43))] {
            assert!(ask("GET", "/api/v1/me", &never_made).is_empty(), "a key that was never made is not looked for");
        }
    }
}
