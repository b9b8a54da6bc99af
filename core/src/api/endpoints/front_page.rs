//! `GET /`: a small page for people (rule H31).

use http::{HeaderName, HeaderValue, header};

use crate::api::response::Response;

/// The page loads and runs nothing.
static HEADERS: [(HeaderName, HeaderValue); 3] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
];

/// The page, with links to the viewer and to the console if they are there.
pub(in crate::api) fn front_page(service_name: &str, has_viewer: bool, has_console: bool) -> Response {
    let name = service_name.replace('&', "&amp;").replace('<', "&lt;");
    let link = if has_viewer { "<p><a href=\"docs\">API documentation</a></p>\n" } else { "" };
    let console = if has_console { "<p><a href=\"app\">Client list of your firm</a></p>\n" } else { "" };
    let version = env!("CARGO_PKG_VERSION");
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{name}</title>\n<h1>{name}</h1>\n\
         {console}{link}<p>Version {version}</p>\n</html>\n"
    );
    Response { headers: HEADERS.to_vec(), ..Response::ok_json(page) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_text_whatever_it_holds() {
        let page = String::from_utf8(front_page("Ray & <b>Sons</b>", false, false).body).unwrap();
        assert!(page.contains("<h1>Ray &amp; &lt;b>Sons&lt;/b></h1>"), "{page}");
        assert!(!page.contains("docs") && !page.contains("app"), "{page}");
    }
}
