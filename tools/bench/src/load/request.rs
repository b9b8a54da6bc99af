//! The bytes of requests.

/// A `GET`.
#[must_use]
pub fn get(path: &str, token: &str) -> Vec<u8> {
    send("GET", path, token, b"")
}

/// A `POST` of JSON.
#[must_use]
pub fn post(path: &str, token: &str, body: &[u8]) -> Vec<u8> {
    send("POST", path, token, body)
}

/// A request of any method, with a body of JSON unless that is empty.
#[must_use]
pub fn send(method: &str, path: &str, token: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes =
        format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\n").into_bytes();
    if !body.is_empty() {
        let about = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        bytes.extend_from_slice(about.as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    bytes
}
