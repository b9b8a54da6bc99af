//! Verifies the answers, after the clock has stopped.

use serde::Deserialize;

use crate::Outcome;

#[derive(Deserialize)]
struct Results<'a> {
    #[serde(borrow)]
    results: Vec<Result<'a>>,
}

#[derive(Deserialize)]
struct Result<'a> {
    status: &'a str,
    id: Option<&'a str>,
}

/// The ids of a post's clients. Each client must have the expected status.
///
/// # Errors
/// When a client has another status.
pub fn ids(answer: &[u8], expected: impl Fn(usize) -> &'static str) -> Outcome<Vec<String>> {
    let Results { results } = serde_json::from_slice(answer)?;
    let id = |(place, result): (usize, Result<'_>)| {
        let expected = expected(place);
        match result.id {
            Some(id) if result.status == expected => Ok(id.to_owned()),
            _ => Err(format!("client {place} of a post was answered {}, not {expected}", result.status).into()),
        }
    };
    results.into_iter().enumerate().map(id).collect()
}

/// The `next_cursor` of a page, which must have a hundred rows.
///
/// # Errors
/// When it has another number of rows.
pub fn page(answer: &[u8], rows: &str) -> Outcome<Option<String>> {
    let page: serde_json::Value = serde_json::from_slice(answer)?;
    match page[rows].as_array().map(Vec::len) {
        Some(100) => Ok(page["next_cursor"].as_str().map(str::to_owned)),
        count => Err(format!("a page has {count:?} rows, not 100").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_is_held_to_what_its_work_calls_for() {
        let answer =
            br#"{"results":[{"index":0,"status":"created","id":"a"},{"index":1,"status":"updated","id":"b"}]}"#;
        let mixed = |place| if place == 0 { "created" } else { "updated" };
        assert_eq!(ids(answer, mixed).expect("as expected"), ["a", "b"]);
        assert!(ids(answer, |_| "created").is_err());
        assert!(ids(br#"{"results":[{"index":0,"status":"error","message":"no"}]}"#, |_| "error").is_err());
    }

    #[test]
    fn a_page_is_held_to_its_hundred_rows() {
        let rows = |count| serde_json::json!({"clients": vec![0; count], "next_cursor": "c"}).to_string();
        assert_eq!(page(rows(100).as_bytes(), "clients").expect("a page"), Some("c".to_owned()));
        assert!(page(rows(99).as_bytes(), "clients").is_err());
    }
}
