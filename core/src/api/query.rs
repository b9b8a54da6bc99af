//! Query parameters (rules H17 to H21).

use super::{error::ApiError, limits::PAGE_LIMIT_MAX};
use crate::time::Timestamp;

/// The parameters of both POSTs. Other requests refuse them (rule H19), because ignoring `dry_run` or `plan` would
/// save data.
pub(crate) static OF_POSTS: [&str; 3] = ["dry_run", "explain", "plan"];

/// Those that are refused as members of a client that is the whole body. A client may have a member `plan`.
pub(crate) static FLAGS_OF_POSTS: [&str; 2] = ["dry_run", "explain"];

/// The known parameters of one request.
pub(crate) struct Query {
    values: Vec<(&'static str, String)>,
}

impl Query {
    /// Reads a query string, keeping the parameters that are `known`.
    pub(crate) fn parse(query: Option<&str>, known: &[&'static str]) -> Result<Self, ApiError> {
        let mut seen = Vec::new();
        let mut values = Vec::new();
        for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decode(name)?, decode(value)?);
            let Some(name) = known.iter().copied().find(|known| *known == name) else {
                if OF_POSTS.contains(&name.as_str()) {
                    return Err(ApiError::invalid(format!(
                        "{name} is a parameter of POST /clients and POST /cases/settled only; leave it out."
                    )));
                }
                continue;
            };
            if seen.contains(&name) {
                return Err(ApiError::invalid(format!("{name} is given twice; give it once.")));
            }
            seen.push(name);
            if !value.is_empty() {
                values.push((name, value));
            }
        }
        Ok(Self { values })
    }

    /// A parameter's text, `None` when it is absent or empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Whether a parameter is `true`; false if it is absent.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, ApiError> {
        match self.text(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(ApiError::invalid(format!("{name} must be true or false."))),
        }
    }

    /// The page size, a whole number from 1 to the most that a page may have.
    pub(crate) fn limit(&self, default: u32) -> Result<u32, ApiError> {
        let Some(text) = self.text("limit") else { return Ok(default) };
        let is_plain = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|limit| is_plain && (1..=PAGE_LIMIT_MAX).contains(limit))
            .ok_or_else(|| ApiError::invalid(format!("limit must be a whole number from 1 to {PAGE_LIMIT_MAX}.")))
    }

    /// A time in RFC 3339. An unescaped `+` was decoded to a space, so a space is read as `+`.
    pub(crate) fn time(&self, name: &str) -> Result<Option<Timestamp>, ApiError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        Timestamp::parse_rfc3339(&text.replace(' ', "+")).map(Some).ok_or_else(|| {
            ApiError::invalid(format!("{name} must be a date and time with an offset, such as 2026-01-31T08:00:00Z."))
        })
    }
}

/// Refuses a body with a parameter of the POSTs as a member, whatever its value.
pub(crate) fn refuse_in_body(is_given: impl Fn(&str) -> bool) -> Result<(), ApiError> {
    OF_POSTS.iter().find(|name| is_given(name)).map_or(Ok(()), |name| {
        let value = if FLAGS_OF_POSTS.contains(name) { "true" } else { "TEXT" };
        Err(ApiError::invalid(format!(
            "{name} is a query parameter; take it out of the body and send it as ?{name}={value}."
        )))
    })
}

/// Form decoding: `+` is a space, `%XX` a byte; the whole must be UTF-8.
fn decode(text: &str) -> Result<String, ApiError> {
    let malformed = || ApiError::invalid("The query string has malformed percent-encoding.");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let high = rest.next().and_then(hex_digit).ok_or_else(malformed)?;
                let low = rest.next().and_then(hex_digit).ok_or_else(malformed)?;
                high * 16 + low
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_| malformed())
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
