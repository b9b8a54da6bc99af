//! The viewer of the API at `/docs`: which files it has, and what is said of each. No key needed.
//!
//! The core carries none of them: what they hold is a host's affair, and a host without a viewer has
//! nothing at these paths.

use http::{HeaderName, HeaderValue, StatusCode, header};

use super::reply::Reply;

/// The page may run the viewer's own script and style, speak to its own service, and nothing else.
/// The viewer's style holds its icons as `data:` images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
        let policy = (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        let referrer = (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        (&self.page, self.page.reply("no-cache", [policy, referrer]))
    }

    /// The file with that name, and all of its answer but the file itself.
    pub(super) fn file(&'static self, name: &str) -> Option<(&'static ViewerFile, Reply)> {
        let file = self.files.iter().find(|file| file.name == name)?;
        let coding = (header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        Some((file, file.reply("public, max-age=31536000, immutable", [coding])))
    }
}

impl ViewerFile {
    fn reply<const N: usize>(&self, caching: &'static str, more: [(HeaderName, HeaderValue); N]) -> Reply {
        let mut headers = vec![
            (header::CONTENT_TYPE, HeaderValue::from_static(self.media_type)),
            (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        ];
        headers.extend(more);
        Reply { status: StatusCode::OK, body: Vec::new(), headers }
    }
}
