//! The description of the API at `/openapi.json` and its viewer at `/docs`: the list of their files, and the
//! headers (rules H3 and H9).
//!
//! The list is plain data. The host has the contents and sends them.

use http::{HeaderName, HeaderValue, StatusCode, header};

use super::response::Response;

/// The headers of the page. It may run the viewer's own script and style and call its own service, and
/// nothing else. The style contains its icons as `data:` images.
static PAGE_HEADERS: [(HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
];

/// The headers of the description.
static DESCRIPTION_HEADERS: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

/// The headers of each file that the page names.
static FILE_HEADERS: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CONTENT_ENCODING, "gzip"),
];

/// The files of a viewer.
#[derive(Debug)]
pub struct Viewer {
    /// The OpenAPI document, at `/openapi.json`. It is sent as it is.
    pub description: ViewerFile,
    /// The page, at `/docs`. It is sent as it is. Browsers ask for it each time, since it names the files of
    /// one version.
    pub page: ViewerFile,
    /// The files that the page names, each at `/docs/` and its name. Their content is gzip. Browsers keep them
    /// for ever, so one name always has the same content.
    pub files: &'static [ViewerFile],
}

/// One file of a viewer.
#[derive(Debug)]
pub struct ViewerFile {
    /// Its name, without a slash.
    pub name: &'static str,
    /// Its `Content-Type`.
    pub media_type: &'static str,
    /// The length of its content.
    pub length_bytes: usize,
}

impl Viewer {
    /// The description, and its response without a body.
    pub(super) fn description(&'static self) -> (&'static ViewerFile, Response) {
        (&self.description, self.description.response(&DESCRIPTION_HEADERS))
    }

    /// The page, and its response without a body.
    pub(super) fn page(&'static self) -> (&'static ViewerFile, Response) {
        (&self.page, self.page.response(&PAGE_HEADERS))
    }

    /// The file with that name, and its response without a body.
    pub(super) fn file(&'static self, name: &str) -> Option<(&'static ViewerFile, Response)> {
        let file = self.files.iter().find(|file| file.name == name)?;
        Some((file, file.response(&FILE_HEADERS)))
    }
}

impl ViewerFile {
    /// Its response without a body.
    fn response(&self, fields: &'static [(HeaderName, &'static str)]) -> Response {
        let of_type = (&header::CONTENT_TYPE, self.media_type);
        let fields = fields.iter().map(|(name, value)| (name, *value)).chain([of_type]);
        let headers = fields.map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect();
        Response { status: StatusCode::OK, body: Vec::new(), headers, counts: None }
    }
}
