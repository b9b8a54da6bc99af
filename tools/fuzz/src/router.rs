//! Fuzzes requests: every method, path, query and header gets a response, never a failure.

use crate::service::{OPERATOR_TOKEN, Service};

/// Sends a request: a line with method and target, lines with headers, an empty line, and the body. `KEY`,
/// `TOKEN` and `ACCOUNT` are replaced by the service's own.
///
/// # Panics
/// When the service fails, or its response does not match the documents.
///
/// ```
/// matterbook_fuzz::router(b"GET /api/v1/me\nauthorization: Bearer KEY\n\n");
/// ```
pub fn router(bytes: &[u8]) {
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len());
    let (head, body) = bytes.split_at(end);
    let body = body.get(2..).unwrap_or_default();
    let Ok(head) = str::from_utf8(head) else { return };
    let service = Service::new();
    let head = head.replace("KEY", &service.key).replace("TOKEN", OPERATOR_TOKEN).replace("ACCOUNT", &service.account);
    let mut lines = head.split('\n');
    let Some((method, target)) = lines.next().and_then(|line| line.split_once(' ')) else { return };
    let mut request = http::Request::builder().method(method).uri(target);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        request = request.header(name, value.as_bytes());
    }
    // A request that the HTTP library refuses never reaches the service.
    if let Ok(request) = request.body(()) {
        service.send(request.into_parts().0, body);
    }
}
