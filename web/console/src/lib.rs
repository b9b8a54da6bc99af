//! The firm's console at `/app`: pages in a browser, for the owner and the staff of a law firm (rules of group G,
//! decision 0102).
//!
//! [`handle`] answers what is below `/app`, and gives everything else to the [`Api`]. A host that
//! mounts the console calls it instead of [`Api::handle_in`]. [`view`] has the pages, which are pure functions of what
//! a session sees. Pages work without scripts, except for passkeys and for reading a file
//! (`matterbook-import-files`).
#![deny(missing_debug_implementations)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod account_reference;
mod cookie;
mod download;
mod files;
pub mod form;
mod handle;
mod origin;
mod response;
mod route;
pub mod text;
pub mod view;

use http::request::Parts;
use matterbook_core::{
    api::{Api, Areas, Handled, RequestBody},
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleStore, Store},
};
use matterbook_passkeys::PasskeyVerifier;

pub use account_reference::{account_reference, names_account_in_form};
pub use handle::FORM_BYTES_MAX;
pub use origin::IsEncrypted;
pub use route::{Audience, endpoints};

/// Answers one request: a page of the console, or what the API answers.
///
/// The console is served with the public API, not at an address of the operator's own, and not where the setting
/// `CONSOLE` is off: its paths are then unknown. `verifier` verifies passkeys.
pub async fn handle<S, L, P, B>(
    api: &Api<S, L, P>,
    verifier: &dyn PasskeyVerifier,
    areas: Areas,
    head: Parts,
    body: B,
) -> Handled
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
    B: RequestBody,
{
    let is_served = api.settings().console && areas != Areas::WithoutPublic;
    if is_served && route::is_below(head.uri.path()) {
        Box::pin(handle::answer(api, verifier, &head, body)).await
    } else {
        api.handle_in(areas, head, body).await
    }
}
