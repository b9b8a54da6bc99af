//! The viewer of the API, for a service to show at `/docs`: [Swagger UI](https://swagger.io/tools/swagger-ui/),
//! as the crate `utoipa-swagger-ui-vendored` carries it, with a page and a start of our own.
//!
//! It reads only the service's own `/openapi.json`, which is one of its files. `build.rs` makes the others: a page,
//! a script and a style; the last two are gzipped and named after their content. With the feature `bytes` the program contains
//! them. Without it, the host stores them elsewhere.
//!
//! ```
//! use matterbook_core::{api::Api, memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets}, settings::Settings, time::Timestamp};
//!
//! let platform = ManualPlatform::new(Timestamp::from_micros(0));
//! let api = Api::new(MemoryStore::default(), MemoryRateLimiter::default(), platform, Settings::default(), test_key_secrets());
//! let api = api.with_viewer(&matterbook_viewer::VIEWER);
//! # drop(api);
//! ```

use matterbook_core::api::{Viewer, ViewerFile};

/// The description's media type.
const JSON: &str = "application/json";
/// The page's media type.
const PAGE: &str = "text/html; charset=utf-8";
/// A script's media type.
const SCRIPT: &str = "text/javascript; charset=utf-8";
/// A style's media type.
const STYLE: &str = "text/css; charset=utf-8";

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The content of a file of [`VIEWER`], by its name.
#[cfg(feature = "bytes")]
#[must_use]
pub fn content(name: &str) -> Option<&'static [u8]> {
    CONTENTS.iter().find(|(file, _)| *file == name).map(|(_, content)| *content)
}
