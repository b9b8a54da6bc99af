//! The service's OpenAPI documents, made of the core's own tables, and the check that holds answers to
//! them.
//!
//! There are two: the one of the public API, which the service itself gives at `/openapi.json`, and
//! the one of the operator API, for operators only, which lies beside its page. Their examples are
//! answers that the core gave when they were made. `cargo run -p matterbook-openapi` writes both
//! anew.

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

/// A document, and where it is checked in, from the project's directory.
#[derive(Debug)]
pub struct Document {
    /// Where it is.
    pub path: &'static str,
    /// Its text, as it is checked in.
    pub text: String,
}

/// Both documents, as the rules have them now.
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
    // What is made of maps with names, texts and numbers always has a JSON form.
    let text = serde_json::to_string_pretty(node).unwrap_or_default() + "\n";
    Document { path, text }
}
