//! Where a request comes from: whether its connection is safe, and whether a form is our own.

use http::{HeaderMap, header, request::Parts};

/// Whether the caller's connection to the service, or to the proxy before it, is encrypted. A host that knows it puts
/// it into the extensions of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsEncrypted(pub bool);

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The origin by which the browser reaches the console, such as `https://firm.example`; `None` where no person may
/// sign in: on plain HTTP to another machine.
pub(crate) fn own(head: &Parts, public_url: Option<&str>) -> Option<String> {
    let host = text(&head.headers, header::HOST.as_str())?;
    let encrypted = head.extensions.get::<IsEncrypted>().map(|known| known.0);
    if encrypted == Some(true) {
        return Some(format!("https://{host}"));
    }
    if is_loopback(host) {
        return Some(format!("http://{host}"));
    }
    // A proxy that tells nothing ends the encryption of the address that the operator gave out.
    let public = origin_of(public_url?)?;
    let is_public = public.strip_prefix("https://").is_some_and(|name| name.eq_ignore_ascii_case(host));
    (encrypted.is_none() && is_public).then_some(public)
}

/// Scheme and authority of an address.
pub(crate) fn origin_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let authority = rest.split('/').next().filter(|authority| !authority.is_empty())?;
    Some(format!("{scheme}://{authority}").to_ascii_lowercase())
}

/// Whether a form was sent from a page of the console. Browsers say it themselves; a page of others cannot.
pub(crate) fn is_own_form(headers: &HeaderMap, own: &str) -> bool {
    match text(headers, SEC_FETCH_SITE) {
        Some(site) => site == "same-origin",
        // Browsers from before 2023 send the origin alone.
        None => text(headers, header::ORIGIN.as_str()).is_some_and(|origin| origin.eq_ignore_ascii_case(own)),
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next()?;
    if values.next().is_some() { None } else { only.to_str().ok() }
}

/// Whether the authority names this machine, where no other machine can listen.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn head(host: &str, encrypted: Option<bool>) -> Parts {
        let (mut head, ()) = Request::builder().header("host", host).body(()).unwrap().into_parts();
        if let Some(encrypted) = encrypted {
            head.extensions.insert(IsEncrypted(encrypted));
        }
        head
    }

    #[test]
    fn nobody_signs_in_on_plain_http_to_another_machine() {
        let public = Some("https://firm.example/");
        for (host, encrypted, public, expected) in [
            ("127.0.0.1:8080", None, None, Some("http://127.0.0.1:8080")),
            ("localhost", None, public, Some("http://localhost")),
            ("[::1]:8080", None, None, Some("http://[::1]:8080")),
            ("demo.localhost:1", Some(false), None, Some("http://demo.localhost:1")),
            ("firm.example", None, None, None),
            ("firm.example", Some(true), None, Some("https://firm.example")),
            ("firm.example", None, public, Some("https://firm.example")),
            ("firm.example", Some(false), public, None),
            ("192.0.2.1:8080", None, public, None),
            ("firm.example", None, Some("http://firm.example"), None),
            ("localhost.evil.example", None, None, None),
            ("127.0.0.1.evil.example", None, None, None),
        ] {
            let found = own(&head(host, encrypted), public);
            assert_eq!(found.as_deref(), expected, "{host} {encrypted:?} {public:?}");
        }
    }

    #[test]
    fn a_form_of_another_site_is_not_ours() {
        for (site, origin, expected) in [
            (Some("same-origin"), None, true),
            (Some("same-origin"), Some("https://firm.example"), true),
            (Some("same-site"), Some("https://firm.example"), false),
            (Some("cross-site"), Some("https://firm.example"), false),
            (Some("none"), None, false),
            (None, Some("https://firm.example"), true),
            (None, Some("https://evil.example"), false),
            (None, Some("null"), false),
            (None, None, false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [(SEC_FETCH_SITE, site), ("origin", origin)] {
                if let Some(value) = value {
                    headers.insert(name, http::HeaderValue::from_static(value));
                }
            }
            assert_eq!(is_own_form(&headers, "https://firm.example"), expected, "{site:?} {origin:?}");
        }
    }
}
