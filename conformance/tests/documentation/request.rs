//! The requests of the documentation: an `http` block, or a `curl` line of a shell block.

use http::Method;

/// A request as it is shown.
pub struct Request {
    pub method: Method,
    /// Path and query.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// Whether a block shows a request, whatever its language.
pub fn is_request(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("curl "))
        || text
            .split_once(" /")
            .is_some_and(|(word, _)| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Reads the request of a block.
pub fn parse(language: &str, text: &str) -> Request {
    match language {
        "http" => parse_http(text),
        "sh" => parse_curl(text),
        _ => panic!("a request must stand in an http or sh block"),
    }
}

fn parse_http(text: &str) -> Request {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let (method, target) = lines.next().and_then(|line| line.split_once(' ')).expect("a request begins with its line");
    Request {
        method: method.parse().expect("a method"),
        target: target.to_owned(),
        headers: headers(lines),
        body: body.to_owned(),
    }
}

/// The header lines of a request or an answer.
pub fn headers<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<(String, String)> {
    let parts = lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("no header: {line}")));
    parts.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Reads a `curl` command as curl does, as far as the documentation needs it.
fn parse_curl(text: &str) -> Request {
    let mut words = shell_words(text).into_iter();
    assert_eq!(words.next().as_deref(), Some("curl"), "a shell block with a request is one curl command");
    let mut method = None;
    let mut target = None;
    let mut headers = Vec::new();
    let mut body = None;
    while let Some(word) = words.next() {
        match word.as_str() {
            "-s" | "-i" => {}
            "-X" => method = words.next().map(|method| method.parse().expect("a method")),
            "-H" => headers.extend(self::headers(words.next().as_deref().into_iter())),
            "-d" => body = words.next(),
            url => {
                let (_, after_scheme) =
                    url.split_once("://").unwrap_or_else(|| panic!("no option that is known: {url}"));
                let path = after_scheme.find('/').expect("an address with a path");
                target = Some(after_scheme[path..].to_owned());
            }
        }
    }
    if body.is_some() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
    }
    let default = if body.is_some() { Method::POST } else { Method::GET };
    Request {
        method: method.unwrap_or(default),
        target: target.expect("curl needs an address"),
        headers,
        body: body.unwrap_or_default(),
    }
}

/// Splits a command into words by the shell's quoting.
fn shell_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '\\') | (Some('"'), '\\') => match characters.next() {
                Some('\n') | None => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
            },
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == character => quote = None,
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    assert_eq!(quote, None, "an open quote");
    words.extend(word);
    words
}
