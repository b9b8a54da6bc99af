//! The headers of responses.

use matterbook_core::{rate_limiter::WINDOW_SECONDS, settings::Settings};

use crate::node::{Node, object};

fn header(description: &str, schema: Node, is_always_there: bool, example: &str) -> Node {
    let header = object! { "description": description, "schema": schema, "example": example };
    if is_always_there { header.with("required", true) } else { header }
}

fn text() -> Node {
    object! { "type": "string" }
}

fn number() -> Node {
    object! { "type": "integer", "minimum": 1_u32 }
}

/// All headers of the public API's responses.
pub fn public() -> Vec<(&'static str, Node)> {
    let limit = Settings::default().rate_limit_per_minute;
    let policy = format!("\"default\";q={limit};w={WINDOW_SECONDS}");
    let state = format!("\"default\";r={};t={WINDOW_SECONDS}", limit - 1);
    let realm = format!("Bearer realm=\"{}\"", Settings::default().service_name);
    let mut headers = common(&realm, "With a wrong key, `error=\"invalid_token\"` follows the realm.");
    headers.extend([
        ("Retry-After", header("Seconds after which a request is let through again.", number(), true, "2")),
        (
            "RateLimit-Policy",
            header("`q` requests of a key in any `w` seconds. In every answer to a live key, unless the service has no limit.", text(), false, &policy),
        ),
        (
            "RateLimit",
            header("`r` more requests are let through now; the oldest counted one leaves the window in `t` seconds.", text(), false, &state),
        ),
        (
            "Idempotent-Replayed",
            header("The answer that was saved under the request's `Idempotency-Key`.", object! { "type": "string", "const": "true" }, false, "true"),
        ),
    ]);
    headers
}

/// All headers of the operator API's responses.
pub fn operator() -> Vec<(&'static str, Node)> {
    common("Bearer realm=\"operator\"", "How to say who you are.")
}

fn common(challenge: &str, meaning: &str) -> Vec<(&'static str, Node)> {
    vec![
        (
            "X-Request-Id",
            header(
                "Finds the request in the service's log.",
                object! { "type": "string", "format": "uuid" },
                true,
                "019cae63-0001-7c1b-8f2a-6e5000000000",
            ),
        ),
        (
            "Cache-Control",
            header("Answers are never cached.", object! { "type": "string", "const": "no-store" }, true, "no-store"),
        ),
        ("WWW-Authenticate", header(meaning, text(), true, challenge)),
        ("Allow", header("The methods that the path has.", text(), true, "GET, HEAD, POST")),
        (
            "Retry-After-When-Busy",
            header("Seconds to wait, where the service has too much to do.", number(), false, "2"),
        ),
    ]
}

/// References to a response's headers.
pub fn fields(names: &[&'static str]) -> Node {
    let always = ["X-Request-Id", "Cache-Control"];
    let field = |name: &'static str| (name.trim_end_matches("-When-Busy"), Node::reference("headers", name));
    Node::object(always.into_iter().chain(names.iter().copied()).map(field))
}

/// The headers of every response to a live key (rule R4).
pub const OF_LIVE_KEYS: [&str; 2] = ["RateLimit-Policy", "RateLimit"];
