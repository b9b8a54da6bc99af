//! `GET /openapi.json`: what this API is, for programs. No key needed.

use crate::api::reply::Reply;

/// `openapi.json` without the white space that people read it by; `build.rs` writes it.
static DOCUMENT: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

/// The document, the same for everybody.
pub(in crate::api) fn open_api() -> Reply {
    Reply::ok_json(DOCUMENT.to_owned())
}
