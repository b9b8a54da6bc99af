//! Fuzzes bodies: the service accepts or refuses any bytes, and agrees with `serde_json` on what is JSON.

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::service::{OPERATOR_TOKEN, Service};

/// Sends bytes as a body; the first byte selects the endpoint.
///
/// # Panics
/// When the service fails, its response does not match the documents, or it disagrees with `serde_json` on
/// what is JSON.
///
/// ```
/// matterbook_fuzz::body(br#"0{"clients": [{"first_name": "Ana", "zip": 2134}]}"#);
/// ```
pub fn body(bytes: &[u8]) {
    let Some((place, body)) = bytes.split_first() else { return };
    let service = Service::new();
    let account = format!("/operator/v1/accounts/{}", service.account);
    let (method, path, token) = match place % 6 {
        0 => ("POST", "/api/v1/clients", service.key.as_str()),
        1 => ("POST", "/api/v1/cases/settled", service.key.as_str()),
        2 => ("POST", "/operator/v1/accounts", OPERATOR_TOKEN),
        3 => ("POST", "/operator/v1/prospects", OPERATOR_TOKEN),
        4 => ("PATCH", account.as_str(), OPERATOR_TOKEN),
        _ => ("POST", &*format!("{account}/keys"), OPERATOR_TOKEN),
    };
    let head = http::Request::builder().method(method).uri(path).header("authorization", format!("Bearer {token}"));
    let (head, ()) = head.body(()).expect("a request").into_parts();
    let answer = service.send(head, body);
    let said = String::from_utf8_lossy(answer.body());
    let json = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    if serde_json::from_slice::<Value>(json).is_ok_and(|value| value.is_object()) {
        assert!(!said.contains("not valid JSON"), "an object is no JSON to {method} {path}: {said}");
    } else if let Err(error) = serde_json::from_slice::<IgnoredAny>(json) {
        // The core allows deeper nesting, and an empty body in place of an object.
        let is_excused = error.to_string().contains("recursion limit") || json.trim_ascii().is_empty();
        assert!(is_excused || answer.status() == 400, "what is no JSON is taken by {method} {path}: {said}");
    }
}
