//! The viewer of the API, for a service to show at `/docs`: [Swagger UI](https://swagger.io/tools/swagger-ui/),
//! as the crate `utoipa-swagger-ui-vendored` carries it, with a page and a start of our own.
//!
//! It reads the service's own `/openapi.json` and asks nobody else for anything. `build.rs` makes its files:
//! a page, a script and a style, the last two in gzip's coding and with names that stand for what they hold.
//! With the feature `bytes` their contents are in the program. Without it, the host has them elsewhere.
//!
//! ```
//! use matterbook_core::{api::Api, memory::{ManualPlatform, MemoryGate, MemoryStore}, settings::Settings, time::Timestamp};
//!
//! let platform = ManualPlatform::new(Timestamp::from_micros(0));
//! let api = Api::new(MemoryStore::default(), MemoryGate::default(), platform, Settings::default());
//! let api = api.showing(&matterbook_viewer::VIEWER);
//! # drop(api);
//! ```

use matterbook_core::api::{Viewer, ViewerFile};

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
