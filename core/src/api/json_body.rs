//! Bodies: read at most once, within the limit, and taken apart without copying (design section 3).

use http::StatusCode;
use serde::de::{Deserializer as _, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{
    body::{BodyError, RequestBody},
    error::{ApiError, ErrorCode},
    query,
};
use crate::json::{Members, ObjectError};

/// Reads a body as text.
pub(crate) async fn read_text<B: RequestBody>(body: B, limit_bytes: usize) -> Result<String, ApiError> {
    let bytes = body.read(limit_bytes).await.map_err(|error| match error {
        BodyError::TooLarge => {
            ApiError::new(ErrorCode::InvalidRequest, format!("The body has more than {limit_bytes} bytes."))
                .with_status(StatusCode::PAYLOAD_TOO_LARGE)
        }
        BodyError::TooSlow => ApiError::new(ErrorCode::InvalidRequest, "The body did not arrive in time.")
            .with_status(StatusCode::REQUEST_TIMEOUT),
        BodyError::Broken => ApiError::invalid("The body broke off before its end."),
    })?;
    String::from_utf8(bytes).map_err(|_| ApiError::invalid("The body is not UTF-8 text."))
}

/// The members of the object that a body must be. A byte order mark in front is skipped.
pub(crate) fn members<'a, const N: usize>(
    text: &'a str,
    names: &'static [&'static str; N],
) -> Result<Members<'a, N>, ApiError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Err(ApiError::invalid("The body is empty; send a JSON object."));
    }
    Members::parse(text, names).map_err(|error| match error {
        ObjectError::NotAnObject => ApiError::invalid("The body must be a JSON object."),
        ObjectError::Malformed => ApiError::invalid("The body is not valid JSON."),
    })
}

/// Refuses the reserved members, which `members` was asked for: ignoring a dry run would save.
pub(crate) fn refuse_reserved<const N: usize>(members: &Members<'_, N>) -> Result<(), ApiError> {
    match query::RESERVED.iter().find(|name| members.get(name).is_some()) {
        Some(name) => Err(query::reserved(name)),
        None => Ok(()),
    }
}

/// The elements of the array that a required member must be, at most `limit` of them.
pub(crate) fn elements<'a, const N: usize>(
    members: &Members<'a, N>,
    name: &'static str,
    limit: usize,
) -> Result<Vec<&'a RawValue>, ApiError> {
    let token = members
        .get(name)
        .map(RawValue::get)
        .filter(|token| *token != "null")
        .ok_or_else(|| ApiError::invalid(format!("{name} is missing; send {{\"{name}\": […]}}.")))?;
    if !token.starts_with('[') {
        return Err(ApiError::invalid(format!("{name} must be an array.")));
    }
    let (elements, count) = serde_json::Deserializer::from_str(token)
        .deserialize_seq(ElementsVisitor { limit })
        .map_err(|_| ApiError::invalid("The body is not valid JSON."))?;
    if count > limit {
        return Err(ApiError::invalid(format!("{name} has {count} elements; send at most {limit} at once.")));
    }
    Ok(elements)
}

/// Keeps the first elements and counts the others.
struct ElementsVisitor {
    limit: usize,
}

impl<'de> Visitor<'de> for ElementsVisitor {
    type Value = (Vec<&'de RawValue>, usize);

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while elements.len() < self.limit {
            let Some(element) = sequence.next_element()? else {
                let count = elements.len();
                return Ok((elements, count));
            };
            elements.push(element);
        }
        let mut count = elements.len();
        while sequence.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok((elements, count))
    }
}
