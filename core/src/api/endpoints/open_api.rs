//! `GET /openapi.json`: what this API is, for programs. No key needed.

use crate::api::{reply::Reply, viewer::ViewerFile};

const DOCUMENT: &str = include_str!("../../../openapi.json");

/// The description of the API, as it is given at `/openapi.json`. A host that keeps it outside its program
/// ([`Platform::KEEPS_DESCRIPTION_OUTSIDE`]) writes it from here where it is built.
///
/// [`Platform::KEEPS_DESCRIPTION_OUTSIDE`]: crate::platform::Platform::KEEPS_DESCRIPTION_OUTSIDE
///
/// ```
/// use matterbook_core::api::DESCRIPTION;
/// assert!(DESCRIPTION.bytes.is_some_and(|bytes| bytes.starts_with(br#"{"#)));
/// ```
pub static DESCRIPTION: ViewerFile = ViewerFile { bytes: Some(DOCUMENT.as_bytes()), ..OUTSIDE };

/// What is said of the description where the program does not hold it.
static DESCRIPTION_OUTSIDE: ViewerFile = OUTSIDE;

const OUTSIDE: ViewerFile =
    ViewerFile { name: "openapi.json", media_type: "application/json", length_bytes: DOCUMENT.len(), bytes: None };

/// The document, the same for everybody.
pub(in crate::api) fn open_api() -> Reply {
    Reply::ok_json(DOCUMENT.to_owned())
}

/// The document as a file, and all of its answer but the document itself.
pub(in crate::api) fn open_api_outside() -> (&'static ViewerFile, Reply) {
    (&DESCRIPTION_OUTSIDE, DESCRIPTION_OUTSIDE.reply(&[]))
}
