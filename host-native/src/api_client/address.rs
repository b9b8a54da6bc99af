//! The address of a service, as the user writes it.

use std::net::IpAddr;

use http::Uri;

/// The scheme and authority of a service's address, given with or without `/api/v1`.
///
/// # Errors
/// A sentence, when it is not an `http` or `https` address.
pub(crate) fn origin_of(base: &str) -> Result<String, String> {
    let origin = base.trim_end_matches('/');
    let origin = origin.strip_suffix("/api/v1").unwrap_or(origin).trim_end_matches('/');
    let uri: Option<Uri> = origin.parse().ok();
    if !uri.is_some_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.query().is_none()) {
        return Err("--url must begin with http:// or https://, such as https://matterbook.example.com.".to_owned());
    }
    Ok(origin.to_owned())
}

/// How an address is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Over TLS.
    Encrypted,
    /// On this machine only.
    OnThisMachine,
    /// Over the network without TLS, so others can read the traffic.
    Open,
}

/// How this origin is reached.
pub(crate) fn way_to(origin: &str) -> Way {
    let uri: Option<Uri> = origin.parse().ok();
    if uri.as_ref().and_then(Uri::scheme_str) == Some("https") {
        return Way::Encrypted;
    }
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    let is_here = host.eq_ignore_ascii_case("localhost") || address.is_some_and(|ip| ip.to_canonical().is_loopback());
    if is_here { Way::OnThisMachine } else { Way::Open }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_with_or_without_the_path_of_the_api() {
        let check =
            |base: &str, expected: Option<&str>| assert_eq!(origin_of(base).ok().as_deref(), expected, "{base}");
        check("https://matterbook.example.com", Some("https://matterbook.example.com"));
        check("http://127.0.0.1:8080/api/v1/", Some("http://127.0.0.1:8080"));
        check("https://example.com/book/api/v1", Some("https://example.com/book"));
        for base in ["127.0.0.1:8080", "ftp://example.com", "http://", "http:///api/v1", "https://example.com?x=1"] {
            check(base, None);
        }
    }

    #[test]
    fn only_this_machine_is_safe_without_tls() {
        let check = |origin: &str, expected| assert_eq!(way_to(origin), expected, "{origin}");
        check("https://matterbook.example.com", Way::Encrypted);
        for origin in ["http://127.0.0.1:8080", "http://127.9.9.9", "http://LOCALHOST:80", "http://[::1]:8080"] {
            check(origin, Way::OnThisMachine);
        }
        for origin in [
            "http://matterbook.example.com",
            "http://10.0.0.7:8080",
            "http://[fd00::1]",
            "http://localhost.example.com",
        ] {
            check(origin, Way::Open);
        }
    }
}
