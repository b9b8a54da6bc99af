//! The operator, as cases need one: accounts, keys, counties and prospects of their own.

use std::sync::atomic::{AtomicU32, Ordering};

use matterbook_core::county;
use serde_json::{Value, json};

use super::{Answer, Failure, Firm, Request, Service, send};

/// Speaks the operator API of a service.
#[derive(Clone, Copy)]
pub struct Operator<'s> {
    service: &'s dyn Service,
}

/// A county that no other case and no earlier run has prospects in.
#[derive(Clone, Debug)]
pub struct County {
    /// Five-digit FIPS code.
    pub fips: String,
}

impl<'s> Operator<'s> {
    /// The operator of that service.
    #[must_use]
    pub fn of(service: &'s dyn Service) -> Self {
        Self { service }
    }

    /// A request to a path beneath `/operator/v1`, with the token.
    #[must_use]
    pub fn request(&self, method: &str, path: &str) -> Request {
        Request::new(method, format!("/operator/v1{path}")).bearer(&self.service.facts().operator_token)
    }

    /// Sends a request without a body.
    ///
    /// # Errors
    /// When no proper answer came.
    pub fn call(&self, method: &str, path: &str) -> Result<Answer, Failure> {
        send(self.service, &self.request(method, path))
    }

    /// Sends a request with a JSON body.
    ///
    /// # Errors
    /// When no proper answer came.
    pub fn call_with(&self, method: &str, path: &str, body: &Value) -> Result<Answer, Failure> {
        send(self.service, &self.request(method, path).json(body))
    }

    /// Imports prospects and hands back their ids, all newly created.
    ///
    /// # Errors
    /// When one was not created.
    pub fn import(&self, prospects: &[Value]) -> Result<Vec<String>, Failure> {
        let answer = self.call_with("POST", "/prospects", &json!({ "prospects": prospects }))?.ok()?;
        (0..prospects.len())
            .map(|index| {
                answer.expect(&format!("/results/{index}/status"), "created")?;
                answer.text(&format!("/results/{index}/id"))
            })
            .collect()
    }

    /// Every row of a paged listing under `member`, walked to its end.
    ///
    /// # Errors
    /// When a page is not answered, or the walk does not end.
    pub fn walk(&self, path: &str, member: &str) -> Result<Vec<Value>, Failure> {
        let joint = if path.contains('?') { '&' } else { '?' };
        let mut rows = Vec::new();
        let mut cursor = String::new();
        loop {
            let answer = self.call("GET", &format!("{path}{joint}limit=100{cursor}"))?.ok()?;
            rows.extend(answer.array(&format!("/{member}"))?.iter().cloned());
            match answer.at("/next_cursor") {
                Value::Null => return Ok(rows),
                Value::String(next) => cursor = format!("&cursor={next}"),
                _ => return Err(answer.failure("next_cursor is a string or null")),
            }
        }
    }

    /// A county where a firm that sees everything in it sees nothing.
    ///
    /// # Errors
    /// When the service does not answer.
    pub fn fresh_county(&self) -> Result<County, Failure> {
        let firm = Firm::with(self.service, &json!({"api_enabled": true, "digital_bundle": true}))?;
        loop {
            let fips = next_fips();
            firm.grant(&fips, "1900-01-01")?;
            if firm.get("/prospects?limit=1")?.ok()?.array("/prospects")?.is_empty() {
                return Ok(County { fips });
            }
            firm.revoke_county(&fips)?;
        }
    }
}

impl County {
    /// A prospect in this county with a `source_id` of its own; `fields` are added.
    #[must_use]
    pub fn prospect(&self, fields: &Value) -> Value {
        let mut prospect = json!({
            "source_id": uuid::Uuid::from_u128(unique()).to_string(),
            "crash_county_fips": self.fips,
            "crash_date": "2025-03-14",
        });
        if let (Some(prospect), Some(fields)) = (prospect.as_object_mut(), fields.as_object()) {
            prospect.extend(fields.clone());
        }
        prospect
    }
}

/// The next county of the list, starting at a different one in each process so that one run rarely meets the
/// counties of another.
fn next_fips() -> String {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    let codes: Vec<&str> = county::all().map(|(code, _)| code).collect();
    let number = process_seed() + u64::from(TAKEN.fetch_add(1, Ordering::Relaxed));
    let place = number % u64::try_from(codes.len()).unwrap_or(1);
    codes.get(usize::try_from(place).unwrap_or_default()).copied().unwrap_or_default().to_owned()
}

/// A number that no other call in this or another process gets.
pub(super) fn unique() -> u128 {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    (u128::from(process_seed()) << 64) | u128::from(COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Differs from process to process: the standard library seeds its hash maps at random.
fn process_seed() -> u64 {
    use std::{
        hash::{BuildHasher as _, RandomState},
        sync::OnceLock,
    };
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| RandomState::new().hash_one("seed"))
}
