//! Converts the core's response into the runtime's.

use http::{
    HeaderMap, Response,
    header::{CONTENT_ENCODING, CONTENT_LENGTH},
};
use js_sys::JSON;
use matterbook_core::json::push_text;
use worker::worker_sys::{ext::ResponseInitExt as _, web_sys};

/// The runtime's response. A response to HEAD has no body, but keeps its `Content-Length`.
pub(crate) fn to_runtime(response: Response<Vec<u8>>) -> worker::Result<web_sys::Response> {
    let (head, mut body) = response.into_parts();
    let mut init = web_sys::ResponseInit::new();
    init.set_status(head.status.as_u16());
    init.set_headers(&JSON::parse(&pairs(&head.headers))?);
    let is_to_head = body.is_empty() && head.headers.contains_key(CONTENT_LENGTH);
    let body = if is_to_head { None } else { Some(body.as_mut_slice()) };
    if body.is_some() && head.headers.contains_key(CONTENT_ENCODING) {
        // The body is encoded already.
        init.encode_body("manual")?;
    }
    Ok(web_sys::Response::new_with_opt_u8_array_and_init(body, &init)?)
}

/// The headers as a JSON array of pairs, so that one call into JavaScript sets all of them. A value is a text
/// with one character for each byte.
fn pairs(headers: &HeaderMap) -> String {
    let mut json = String::from("[");
    for (name, value) in headers {
        json.push_str(if json.len() > 1 { ",[" } else { "[" });
        push_text(&mut json, name.as_str());
        json.push(',');
        push_text(&mut json, &value.as_bytes().iter().map(|byte| char::from(*byte)).collect::<String>());
        json.push(']');
    }
    json.push(']');
    json
}
