//! Answers of the console, with the headers that each has.

use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use maud::Markup;

use matterbook_core::api::ViewerFile;

use crate::{download::FileKind, files::File};

/// The policy of pages, without its last part.
macro_rules! policy {
    ($more:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ",
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            $more
        )
    };
}

/// The import page starts a thread.
const WITH_WORKER: HeaderValue = HeaderValue::from_static(policy!("; worker-src 'self'"));

/// The policy of the thread, which is that of its own script: it alone runs wasm.
const OF_WORKER: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// Pages load and run only what is ours, send forms only to us, and are shown in no frame.
static HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy!(""))),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // Addresses of pages hold what somebody searched for, and links to sign in.
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    ),
];

/// Adds the headers that each answer of the console has.
pub(crate) fn add_headers(headers: &mut HeaderMap) {
    headers.extend(HEADERS.iter().cloned());
}

/// Browsers keep a file for ever.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// An answer before it has a request id.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Vec<u8>,
    pub(crate) headers: HeaderMap,
    /// The file whose content the host sends as the body.
    pub(crate) file: Option<&'static ViewerFile>,
    /// Why it failed, for the log.
    pub(crate) cause: Option<String>,
}

impl Answer {
    /// A page.
    pub(crate) fn page(status: StatusCode, page: Markup) -> Self {
        Self::text(status, "text/html; charset=utf-8", page.into_string().into_bytes())
    }

    /// 200 with a page.
    pub(crate) fn ok(page: Markup) -> Self {
        Self::page(StatusCode::OK, page)
    }

    /// Another page is to be opened, by GET.
    pub(crate) fn see(path: &str) -> Self {
        let answer = Self::text(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", Vec::new());
        answer.with(header::LOCATION, HeaderValue::try_from(path).ok())
    }

    /// A file of the console. Its name changes with its content.
    pub(crate) fn file(file: &File) -> Self {
        let answer = Self::text(StatusCode::OK, file.media_type, file.content.as_bytes().to_vec());
        answer.with(header::CACHE_CONTROL, Some(KEPT))
    }

    /// A file of the import page, which the host has. Its name changes with its content.
    pub(crate) fn import_file(file: &'static ViewerFile) -> Self {
        let is_worker = file.name == matterbook_import_files::WORKER.name;
        let answer = Self::text(StatusCode::OK, file.media_type, Vec::new())
            .with(header::CACHE_CONTROL, Some(KEPT))
            .with(header::CONTENT_ENCODING, Some(HeaderValue::from_static(matterbook_import_files::ENCODING)))
            .with(header::CONTENT_SECURITY_POLICY, is_worker.then_some(OF_WORKER));
        Self { file: Some(file), ..answer }
    }

    /// This page may start the thread that reads a file.
    pub(crate) fn with_worker(self) -> Self {
        self.with(header::CONTENT_SECURITY_POLICY, Some(WITH_WORKER))
    }

    /// A list to be saved under this name.
    pub(crate) fn download(name: &str, kind: FileKind, content: Vec<u8>) -> Self {
        let disposition = format!("attachment; filename=\"{name}.{}\"", kind.extension());
        let answer = Self::text(StatusCode::OK, kind.media_type(), content);
        answer.with(header::CONTENT_DISPOSITION, HeaderValue::try_from(disposition).ok())
    }

    pub(crate) fn with(mut self, name: HeaderName, value: Option<HeaderValue>) -> Self {
        if let Some(value) = value {
            self.headers.insert(name, value);
        }
        self
    }

    pub(crate) fn failed_by(self, cause: impl Into<String>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    fn text(status: StatusCode, media_type: &'static str, body: Vec<u8>) -> Self {
        let mut headers = HeaderMap::new();
        add_headers(&mut headers);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Self { status, body, headers, file: None, cause: None }
    }

    /// The response. HEAD gets the length of the body instead of it.
    pub(crate) fn into_response(self, request_id: &str, is_head: bool) -> Response<Vec<u8>> {
        let Self { status, mut body, mut headers, file, .. } = self;
        if let Ok(id) = HeaderValue::try_from(request_id) {
            headers.insert(HeaderName::from_static("x-request-id"), id);
        }
        if is_head {
            let length = file.map_or(body.len(), |file| file.length_bytes);
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            body.clear();
        }
        let mut response = Response::new(body);
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        response
    }
}

#[cfg(test)]
mod tests {
    use matterbook_import_files::{FILES, WORKER};

    use super::*;

    fn policy(answer: Answer) -> String {
        let response = answer.into_response("1", false);
        response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
    }

    #[test]
    fn only_the_thread_that_reads_a_file_may_run_wasm() {
        for file in FILES {
            let allows = policy(Answer::import_file(file)).contains("wasm-unsafe-eval");
            assert_eq!(allows, file.name == WORKER.name, "{}", file.name);
        }
        let page = policy(Answer::ok(maud::html! {}).with_worker());
        assert!(page.contains("worker-src 'self'") && !page.contains("wasm"), "{page}");
        assert!(!policy(Answer::ok(maud::html! {})).contains("worker-src"));
    }

    #[test]
    fn a_head_of_a_file_has_its_length_and_no_body() {
        let answer = Answer::import_file(FILES[0]);
        let response = answer.into_response("1", true);
        assert_eq!(response.headers()[header::CONTENT_LENGTH], FILES[0].length_bytes.to_string());
        assert!(response.body().is_empty());
    }
}
