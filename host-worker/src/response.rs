//! From the rules' response to the runtime's.

use http::{Response, header::CONTENT_LENGTH};
use worker::worker_sys::web_sys;

/// The runtime's response. The answer to HEAD has no body and still says how long it would be.
pub(crate) fn of(response: Response<Vec<u8>>) -> worker::Result<web_sys::Response> {
    let (head, mut body) = response.into_parts();
    let headers = web_sys::Headers::new()?;
    for (name, value) in &head.headers {
        let text: String = value.as_bytes().iter().map(|byte| char::from(*byte)).collect();
        headers.append(name.as_str(), &text)?;
    }
    let init = web_sys::ResponseInit::new();
    init.set_status(head.status.as_u16());
    init.set_headers(&headers);
    let is_to_head = body.is_empty() && head.headers.contains_key(CONTENT_LENGTH);
    let body = if is_to_head { None } else { Some(body.as_mut_slice()) };
    Ok(web_sys::Response::new_with_opt_u8_array_and_init(body, &init)?)
}
