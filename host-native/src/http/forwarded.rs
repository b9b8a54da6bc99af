//! The address of a caller behind a reverse proxy (rule L15), and whether its connection is encrypted.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderName, request::Parts};
use matterbook_console::IsEncrypted;
use matterbook_core::api::CallerAddress;

static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
static X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Takes the address that the proxy added last to `X-Forwarded-For` for the caller's. What stands before it
/// is the caller's own claim. Without it the address of the connection stays.
pub(crate) fn take_forwarded_address(head: &mut Parts) {
    let last = head.headers.get_all(&X_FORWARDED_FOR).iter().next_back();
    let text = last.and_then(|value| value.to_str().ok()?.rsplit(',').next()).unwrap_or_default().trim();
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    if let Ok(address) = text.parse::<IpAddr>().or_else(|_| with_port()) {
        head.extensions.insert(CallerAddress(address));
    }
}

/// Takes what the proxy says last of the caller's protocol. Without it, it is not known.
pub(crate) fn take_forwarded_protocol(head: &mut Parts) {
    let last = head.headers.get_all(&X_FORWARDED_PROTO).iter().next_back();
    let text = last.and_then(|value| value.to_str().ok()?.rsplit(',').next()).unwrap_or_default().trim();
    match text {
        "https" => drop(head.extensions.insert(IsEncrypted(true))),
        "http" => drop(head.extensions.insert(IsEncrypted(false))),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[test]
    fn the_address_is_the_one_that_the_proxy_added() {
        for (values, address) in [
            (vec![], "127.0.0.1"),
            (vec!["192.0.2.1"], "192.0.2.1"),
            (vec!["203.0.113.9, 192.0.2.1"], "192.0.2.1"),
            (vec!["203.0.113.9", "198.51.100.7 , 192.0.2.1"], "192.0.2.1"),
            (vec!["2001:db8::1"], "2001:db8::1"),
            (vec!["[2001:db8::1]:443"], "2001:db8::1"),
            (vec!["192.0.2.1, unknown"], "127.0.0.1"),
        ] {
            let request = values.iter().fold(Request::builder(), |head, value| head.header("x-forwarded-for", *value));
            let (mut head, ()) = request.body(()).expect("a request").into_parts();
            head.extensions.insert(CallerAddress("127.0.0.1".parse().expect("an address")));
            take_forwarded_address(&mut head);
            let expected = CallerAddress(address.parse().expect("an address"));
            assert_eq!(head.extensions.get(), Some(&expected), "{values:?}");
        }
    }

    #[test]
    fn the_protocol_is_the_one_that_the_proxy_says() {
        for (value, expected) in [
            ("https", Some(IsEncrypted(true))),
            ("http", Some(IsEncrypted(false))),
            ("https, http", Some(IsEncrypted(false))),
            ("wss", None),
        ] {
            let request = Request::builder().header("x-forwarded-proto", value);
            let (mut head, ()) = request.body(()).expect("a request").into_parts();
            take_forwarded_protocol(&mut head);
            assert_eq!(head.extensions.get().copied(), expected, "{value}");
        }
    }
}
