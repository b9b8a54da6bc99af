//! Converts the core's response into the runtime's.

use http::{HeaderMap, Response, header::CONTENT_LENGTH};
use matterbook_core::json::push_text;
use worker::{
    js_sys::{JSON, Object},
    worker_sys::{ext::ResponseInitExt as _, web_sys},
};

/// The runtime's response, with a file as its body where there is one. The answer to HEAD has no body and
/// still says how long it would be.
pub(crate) fn of(response: Response<Vec<u8>>, file: Option<Object>) -> worker::Result<web_sys::Response> {
    let (head, mut body) = response.into_parts();
    let mut init = web_sys::ResponseInit::new();
    init.set_status(head.status.as_u16());
    init.set_headers(&JSON::parse(&pairs(&head.headers))?);
    if file.is_some() {
        // The file is in the coding that the headers name already, if any.
        init.encode_body("manual")?;
        return Ok(web_sys::Response::new_with_opt_buffer_source_and_init(file.as_ref(), &init)?);
    }
    let is_to_head = body.is_empty() && head.headers.contains_key(CONTENT_LENGTH);
    let body = if is_to_head { None } else { Some(body.as_mut_slice()) };
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
        let text: String = value.as_bytes().iter().map(|byte| char::from(*byte)).collect();
        push_text(&mut json, &text);
        json.push(']');
    }
    json.push(']');
    json
}
