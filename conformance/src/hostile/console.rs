//! The shapes that are for the console.

use super::{
    Caller, Shape, SocketAction,
    shapes::{SMUGGLED, quickly, send, shapes, slowly},
};

const FORM: &str = "content-type: application/x-www-form-urlencoded\r\n";
const OWN: &str = "sec-fetch-site: same-origin\r\n";
const KEYS: &str = "POST /app/settings/keys";

/// A whole form with the session, as a page of the console sends it.
fn form(caller: &Caller, media_type: &str, body: &[u8]) -> Vec<SocketAction> {
    let lines = format!("{OWN}{media_type}content-length: {}\r\nconnection: close\r\n", body.len());
    let head = caller.console_head(KEYS, &lines);
    vec![SocketAction::Send([head.as_bytes(), body].concat())]
}

/// The head of a form with the session, whose body comes later.
fn begun(caller: &Caller, lines: &str) -> SocketAction {
    SocketAction::Send(caller.console_head(KEYS, &format!("{OWN}{FORM}{lines}")).into_bytes())
}

/// A page that needs a session, with these bytes for a cookie.
fn page(cookie: &[u8]) -> Vec<SocketAction> {
    let start = b"GET /app/settings/passkeys HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncookie: ";
    vec![SocketAction::Send([start, cookie, b"\r\n\r\n"].concat())]
}

shapes! { CONSOLE_SHAPES:
    A_FORM_THAT_COMES_LETTER_BY_LETTER: "a form that comes letter by letter", |caller| {
        vec![begun(caller, "content-length: 10000\r\n"), slowly("x")]
    };
    A_SLOW_FORM_OF_ANOTHER_SITE: "a slow form of another site", |caller| {
        let lines = format!("sec-fetch-site: cross-site\r\norigin: https://evil.example\r\n{FORM}content-length: 10000\r\n");
        vec![SocketAction::Send(caller.console_head(KEYS, &lines).into_bytes()), slowly("x")]
    };
    A_FORM_OVER_THE_LIMIT: "a form that says 10 GB", |caller| {
        vec![begun(caller, "content-length: 10000000000\r\n"), quickly(vec![b'x'; 0x10000])]
    };
    A_FORM_IN_CHUNKS_WITHOUT_END: "a form in chunks without end", |caller| {
        let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
        vec![begun(caller, "transfer-encoding: chunked\r\n"), quickly(chunk.into_bytes())]
    };
    A_FORM_WITH_A_LENGTH_BESIDE_CHUNKS: "smuggling: a form with a length beside chunks", |caller| {
        let rest = format!("0\r\n\r\n{SMUGGLED}");
        vec![begun(caller, "content-length: 4\r\ntransfer-encoding: chunked\r\n"), SocketAction::Send(rest.into_bytes())]
    };
    A_FORM_THAT_IS_NO_TEXT: "a form of bytes that are no text", |caller| form(caller, FORM, &[0xff; 16_000]);
    A_FORM_WITH_A_GIANT_FIELD: "a form with a field of 15 kB", |caller| {
        form(caller, FORM, format!("label={}", "x".repeat(15_000)).as_bytes())
    };
    A_FORM_WITH_MANY_FIELDS: "a form with 8,000 fields", |caller| form(caller, FORM, "a&".repeat(8_000).as_bytes());
    A_FORM_IN_JSON: "a form in JSON", |caller| {
        form(caller, "content-type: application/json\r\n", br#"{"label": "x"}"#)
    };
    A_FORM_IN_PARTS: "a form in parts, as of a file", |caller| {
        let part = b"--a\r\ncontent-disposition: form-data; name=\"label\"\r\n\r\nx\r\n--a--\r\n";
        form(caller, "content-type: multipart/form-data; boundary=a\r\n", part)
    };
    A_FORM_THAT_SAYS_THAT_IT_IS_COMPRESSED: "a form that says that it is compressed", |caller| {
        let bytes = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0];
        form(caller, &format!("{FORM}content-encoding: gzip\r\n"), &bytes)
    };
    A_PASSKEY_OF_BRACKETS: "a passkey that is 12,000 brackets deep", |caller| {
        let body = format!("name=x&credential_id=AQID&credential={}", "[".repeat(12_000));
        let lines = format!("{OWN}{FORM}content-length: {}\r\nconnection: close\r\n", body.len());
        send(caller.console_head("POST /app/settings/passkeys", &lines) + &body)
    };
    TWO_THOUSAND_COOKIES: "2,000 cookies before the session", |caller| {
        page(format!("{}__Host-matterbook={}", "a=b; ".repeat(2_000), caller.session).as_bytes())
    };
    A_HUNDRED_SESSIONS: "a hundred sessions before the own one", |caller| {
        page(format!("{}__Host-matterbook={}", "__Host-matterbook=x; ".repeat(100), caller.session).as_bytes())
    };
    A_COOKIE_THAT_IS_NO_TEXT: "a cookie that is no text", |_| page(&[b"__Host-matterbook=", [0xff; 1_000].as_slice()].concat());
    A_LINK_OF_GARBAGE: "a sign-in link that is none", |caller| {
        let token = "%ff%00%zz".repeat(500);
        send(caller.console_head(&format!("POST /app/link/{token}"), &format!("{OWN}content-length: 0\r\nconnection: close\r\n")))
    };
    AN_ADDRESS_OF_GARBAGE: "an address of garbage below /app", |caller| {
        send(caller.console_head("GET /app/%ff%00%zz/..%2f..%5c%2e%2e%2fkeys;x=y?%00", "connection: close\r\n"))
    };
    AN_ADDRESS_OF_THE_CONSOLE_TOO_LARGE: "an address of 1 MB below /app", |caller| {
        send(caller.console_head(&format!("GET /app/{}", "x".repeat(1_000_000)), ""))
    };
}
