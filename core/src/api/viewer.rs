//! The viewer of the API at `/docs`: which files it has, and what is said of each. No key needed.
//!
//! The core carries none of them: what they hold is a host's affair, and a host without a viewer has
//! nothing at these paths.

use http::{HeaderName, HeaderValue, StatusCode, header};

use super::reply::Reply;

/// What is said of the page. It may run the viewer's own script and style, speak to its own service, and
/// nothing else; the viewer's style holds its icons as `data:` images.
static OF_PAGE: [(HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
];

/// What is said of each file that the page names.
static OF_FILE: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CONTENT_ENCODING, "gzip"),
];

/// The files of a viewer.
#[derive(Debug)]
pub struct Viewer {
    /// The page, at `/docs`. It is sent as it is, and asked for anew each time, since it names the files
    /// of one version.
    pub page: ViewerFile,
    /// What the page names, each at `/docs/` and its name. They are sent in gzip's coding and may be kept
    /// for ever, so a name has to stand for the same bytes always.
    pub files: &'static [ViewerFile],
}

/// One file of a viewer.
#[derive(Debug)]
pub struct ViewerFile {
    /// Its name, without a slash.
    pub name: &'static str,
    /// Its `Content-Type`.
    pub media_type: &'static str,
    /// How many bytes are sent of it.
    pub length_bytes: usize,
    /// What is sent; nothing where the host keeps it outside the program.
    pub bytes: Option<&'static [u8]>,
}

impl Viewer {
    /// The page, and all of its answer but the page itself.
    pub(super) fn page(&'static self) -> (&'static ViewerFile, Reply) {
        (&self.page, self.page.reply(&OF_PAGE))
    }

    /// The file with that name, and all of its answer but the file itself.
    pub(super) fn file(&'static self, name: &str) -> Option<(&'static ViewerFile, Reply)> {
        let file = self.files.iter().find(|file| file.name == name)?;
        Some((file, file.reply(&OF_FILE)))
    }
}

impl ViewerFile {
    /// All of its answer but the file itself.
    #[cold]
    pub(super) fn reply(&self, fields: &'static [(HeaderName, &'static str)]) -> Reply {
        let of_type = (&header::CONTENT_TYPE, self.media_type);
        let fields = fields.iter().map(|(name, value)| (name, *value)).chain([of_type]);
        let headers = fields.map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect();
        Reply { status: StatusCode::OK, body: Vec::new(), headers, outcomes: None }
    }
}
