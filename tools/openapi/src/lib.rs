//! Generates the service's OpenAPI documents from the core's tables, and checks responses against them.
//!
//! There are two documents: the public API's, which the service serves at `/openapi.json`, and the operator
//! API's, in `docs/`. Their examples are real responses of the core. `cargo run -p matterbook-openapi` writes
//! both.

mod contract;
mod examples;
mod headers;
mod node;
mod operation;
mod operator;
mod public;
mod responses;
mod scene;
mod schemas;

pub use contract::{Contract, Sent};
pub use node::Node;

use examples::Examples;

/// A document and its checked-in path, from the project's directory.
#[derive(Debug)]
pub struct Document {
    /// Its path.
    pub path: &'static str,
    /// Its text.
    pub text: String,
}

/// Both documents, generated from the current rules.
///
/// ```
/// let [public, operator] = matterbook_openapi::documents();
/// assert!(public.text.contains("/api/v1/clients"));
/// assert!(operator.text.contains("/operator/v1/accounts"));
/// ```
#[must_use]
pub fn documents() -> [Document; 2] {
    let examples = Examples::of_the_service();
    [
        document("core/openapi.json", &public::document(&examples)),
        document("docs/operator-openapi.json", &operator::document(&examples)),
    ]
}

fn document(path: &'static str, node: &Node) -> Document {
    // Maps with names, texts and numbers always serialize to JSON.
    let text = serde_json::to_string_pretty(node).unwrap_or_default() + "\n";
    Document { path, text }
}
