//! The responses that several operations share: errors, by status.

use crate::{
    examples::Examples,
    headers::{OF_LIVE_KEYS, fields},
    node::{Node, object},
};

/// An error that operations refer to.
struct Shared {
    name: &'static str,
    status: u16,
    description: &'static str,
    headers: &'static [&'static str],
    /// Whether the response may go to a live key, so that it can have rate limit headers.
    is_counted: bool,
}

const fn shared(name: &'static str, status: u16, description: &'static str) -> Shared {
    Shared { name, status, description, headers: &[], is_counted: true }
}

const SHARED: [Shared; 12] = [
    shared(
        "BadRequest",
        400,
        "`invalid_request`: a parameter, a header or the body is not right; the message says what to fix.",
    ),
    Shared {
        headers: &["WWW-Authenticate"],
        is_counted: false,
        ..shared("Unauthorized", 401, "`unauthorized`: no key, or one that is badly formed, unknown or revoked.")
    },
    shared(
        "Forbidden",
        403,
        "`forbidden`: the account is suspended, or the key belongs to a view-only login. `not_enabled`: the API is not turned on for the account.",
    ),
    shared(
        "BundleRequired",
        403,
        "`forbidden`, `not_enabled`, or `bundle_required`: the account does not have the digital bundle.",
    ),
    shared("NotFound", 404, "`not_found`: there is no such thing."),
    Shared {
        headers: &["Allow"],
        ..shared(
            "MethodNotAllowed",
            405,
            "`invalid_request`: the path does not have that method. HEAD is answered like GET, without a body.",
        )
    },
    shared("RequestTimeout", 408, "`invalid_request`: the body did not arrive in time."),
    shared("ContentTooLarge", 413, "`invalid_request`: the body is larger than the service reads."),
    shared("UnsupportedMediaType", 415, "`invalid_request`: the body is not JSON by its type, or it is compressed."),
    shared(
        "KeyReused",
        422,
        "`invalid_request`: the `Idempotency-Key` was used for another request in the last 24 hours.",
    ),
    Shared {
        headers: &["Retry-After"],
        ..shared(
            "TooManyRequests",
            429,
            "`rate_limited`: too many requests of the key, or too many from one address without a valid key or token; wait for `Retry-After`.",
        )
    },
    Shared {
        headers: &["Retry-After-When-Busy"],
        ..shared(
            "InternalError",
            500,
            "`internal`: the service failed. Nothing of the request was saved, unless the message says that this is not known. Retry shortly, with growing pauses.",
        )
    },
];

/// A response with a JSON body.
pub fn json(description: &str, headers: Node, schema: Node, examples: Node) -> Node {
    object! {
        "description": description,
        "headers": headers,
        "content": object! { "application/json": media(schema, examples) },
    }
}

/// A JSON body, with its examples if there are any.
pub fn media(schema: Node, examples: Node) -> Node {
    let media = object! { "schema": schema };
    match &examples {
        Node::Object(members) if !members.is_empty() => media.with("examples", examples),
        _ => media,
    }
}

/// The components of the responses with these names, with their examples.
pub fn components(names: &[&str], api: &str, examples: &Examples) -> Node {
    let used = SHARED.iter().filter(|shared| names.contains(&shared.name));
    Node::object(used.map(|shared| {
        let rate = OF_LIVE_KEYS.iter().filter(|_| api == "public" && shared.is_counted);
        let headers: Vec<_> = shared.headers.iter().chain(rate).copied().collect();
        let examples = examples.answers(&format!("{api} {}", shared.name), shared.status);
        (shared.name, json(shared.description, fields(&headers), Node::schema("ErrorBody"), examples))
    }))
}

/// The statuses and references of the responses with these names.
pub fn references(names: &[&str]) -> impl Iterator<Item = (String, Node)> {
    let used = SHARED.iter().filter(|shared| names.contains(&shared.name));
    used.map(|shared| (shared.status.to_string(), Node::reference("responses", shared.name)))
}
