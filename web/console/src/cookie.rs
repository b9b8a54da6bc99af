//! The cookie of a session. It is the only one.

use http::{HeaderMap, HeaderValue, header};

/// Browsers accept this prefix only from an encrypted or local address, for this host alone.
const NAME: &str = "__Host-matterbook";

/// What follows the value, for a session and for its end.
const ATTRIBUTES: &str = "Path=/; HttpOnly; Secure; SameSite=Lax";

/// The token of the session in a request.
pub(crate) fn token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == NAME).map(|(_, token)| token)
}

/// The header that starts a session. The browser forgets it when the service does: after `age_seconds`.
pub(crate) fn set(token: &str, age_seconds: i64) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("{NAME}={token}; Max-Age={age_seconds}; {ATTRIBUTES}")).ok()
}

/// The header that ends a session.
pub(crate) fn clear() -> Option<HeaderValue> {
    HeaderValue::try_from(format!("{NAME}=; Max-Age=0; {ATTRIBUTES}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_found_among_other_cookies() {
        for (cookies, expected) in [
            (vec![], None),
            (vec!["a=b"], None),
            (vec!["__Host-matterbook=abc"], Some("abc")),
            (vec!["a=b; __Host-matterbook=abc; c=d"], Some("abc")),
            (vec!["a=b", "__Host-matterbook=abc"], Some("abc")),
            (vec!["matterbook=abc"], None),
            (vec!["x__Host-matterbook=abc"], None),
        ] {
            let mut headers = HeaderMap::new();
            for cookie in &cookies {
                headers.append(header::COOKIE, HeaderValue::from_static(cookie));
            }
            assert_eq!(token(&headers), expected, "{cookies:?}");
        }
    }

    #[test]
    fn a_session_is_for_this_host_by_encryption_and_not_for_scripts() {
        let cookie = set("abc", 60).unwrap();
        assert_eq!(cookie, "__Host-matterbook=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax");
        assert!(clear().unwrap().to_str().unwrap().contains("Max-Age=0"));
    }
}
