//! A recorded request with its answer, to be sent to a later version of the service.

use serde_json::Value;

use super::{Answer, Failure, Request, Service, send};

/// A question as JSON: `method`, `target`, `token`, and where there are such, `idempotency_key` and
/// `body`; then what was answered, `status` and `answer`.
#[derive(Clone, Debug)]
pub struct RecordedRequest<'k>(pub &'k Value);

impl RecordedRequest<'_> {
    /// The request.
    #[must_use]
    pub fn request(&self) -> Request {
        let text = |name: &str| self.0[name].as_str().unwrap_or_default();
        let mut request = Request::new(text("method"), text("target")).bearer(text("token"));
        if let Some(key) = self.0["idempotency_key"].as_str() {
            request = request.header("Idempotency-Key", key);
        }
        if self.0["body"].is_null() { request } else { request.json(&self.0["body"]) }
    }

    /// Sends the request again, by `request`, and checks that the answer has everything that the kept one
    /// has. It may have further members.
    ///
    /// # Errors
    /// When it does not.
    pub fn holds(&self, service: &dyn Service, request: &Request) -> Result<Answer, Failure> {
        let answer = send(service, request)?;
        if self.0["status"] == answer.status && says_all_of(&answer.json, &self.0["answer"]) {
            return Ok(answer);
        }
        Err(answer.failure(format!("all of {} {}", self.0["status"], self.0["answer"])))
    }
}

/// Whether a later answer says all that an earlier one said. What a cursor looks like is its own
/// affair.
#[must_use]
pub fn says_all_of(later: &Value, earlier: &Value) -> bool {
    match (later, earlier) {
        (Value::Object(later), Value::Object(earlier)) => earlier.iter().all(|(name, value)| match name.as_str() {
            "next_cursor" => later.get(name).is_some_and(|cursor| cursor.is_string() == value.is_string()),
            _ => later.get(name).is_some_and(|later| says_all_of(later, value)),
        }),
        (Value::Array(later), Value::Array(earlier)) => {
            later.len() == earlier.len()
                && later.iter().zip(earlier).all(|(later, earlier)| says_all_of(later, earlier))
        }
        _ => later == earlier,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_later_answer_may_say_more_and_nothing_else() {
        let earlier = json!({"rows": [{"id": 1, "name": null}], "next_cursor": "x"});
        let check = |later: Value, expected: bool| assert_eq!(says_all_of(&later, &earlier), expected, "{later}");
        check(earlier.clone(), true);
        check(json!({"rows": [{"id": 1, "name": null, "new": 2}], "next_cursor": "y", "more": 3}), true);
        check(json!({"rows": [{"id": 1}], "next_cursor": "x"}), false);
        check(json!({"rows": [{"id": 2, "name": null}], "next_cursor": "x"}), false);
        check(json!({"rows": [], "next_cursor": "x"}), false);
        check(json!({"rows": [{"id": 1, "name": null}], "next_cursor": null}), false);
    }
}
