//! Every example of the documentation is run, in the order of its page, and answered as shown.
//!
//! A request is an `http` block or a `curl` command in an `sh` block. The next block is
//! its answer: an `http` block with status, some headers and the body, or a `json` block with the
//! body of a 200, as curl prints it. HTML comments stage what a reader need not see, such as time
//! going by (`World::stage` has them all).

mod links;
mod markdown;
mod matching;
mod request;
mod rules;
mod shown;
mod world;

use http::Response;
use matterbook_core::api::ErrorCode;
use serde_json::Value;

use markdown::{Content, pieces, table_rows};
use request::{is_request, parse};
use shown::Bindings;
use world::World;

const API: &str = include_str!("../../../docs/api.md");
const OPERATOR_API: &str = include_str!("../../../docs/operator-api.md");
const QUICK_START: &str = include_str!("../../../docs/quick-start.md");
const SYNCING: &str = include_str!("../../../docs/syncing.md");
const AUTOMATION: &str = include_str!("../../../docs/automation.md");
const OPERATING: &str = include_str!("../../../docs/operating.md");
const README: &str = include_str!("../../../README.md");

#[test]
fn the_api_answers_as_its_documentation_shows() {
    check("docs/api.md", API, World::new());
}

#[test]
fn the_operator_api_answers_as_its_documentation_shows() {
    let world = World::new();
    world.add_settled_client();
    check("docs/operator-api.md", OPERATOR_API, world);
}

#[test]
fn the_api_answers_as_the_quick_start_shows() {
    check("docs/quick-start.md", QUICK_START, World::new());
}

#[test]
fn the_api_answers_as_the_page_on_syncing_shows() {
    check("docs/syncing.md", SYNCING, World::new());
}

#[test]
fn the_api_answers_as_the_page_on_automation_shows() {
    check("docs/automation.md", AUTOMATION, World::new());
}

#[test]
fn the_service_answers_as_the_page_on_operating_shows() {
    check("docs/operating.md", OPERATING, World::new());
}

#[test]
fn the_service_answers_as_the_readme_shows() {
    check("README.md", README, World::new());
}

#[test]
fn the_table_of_errors_is_that_of_the_code() {
    let rows = table_rows(API, "## Errors");
    let documented: Vec<_> = rows.iter().map(|row| (row[1].trim_matches('`'), &row[0][..3])).collect();
    let known = ErrorCode::TABLE.map(|(_, name, status)| (name, status.as_str().to_owned()));
    let known: Vec<_> = known.iter().map(|(name, status)| (*name, status.as_str())).collect();
    assert_eq!(documented, known);
}

#[test]
fn values_are_repaired_and_refused_as_the_api_documentation_shows() {
    for row in table_rows(API, "### What is repaired") {
        let (sent, kept) = (values(row[1]), values(row[2]));
        assert!(kept.len() == 1 || kept.len() == sent.len(), "{row:?}");
        for (sent, kept) in sent.iter().zip(kept.iter().cycle()) {
            let kept: Value = serde_json::from_str(kept).expect("JSON");
            assert_eq!(World::new().kept(row[0].trim_matches('`'), sent), Ok(kept.to_string()), "{row:?}");
        }
    }
    for row in table_rows(API, "What would be a guess is an error instead. Some that you may meet:") {
        let name = row[0].trim_matches('`');
        for sent in values(row[1]) {
            let message = World::new().kept(name, &sent).expect_err(&sent);
            assert!(message.starts_with(name), "{row:?}: {message}");
        }
    }
}

/// The code spans of a table's cell, which are JSON values.
fn values(cell: &str) -> Vec<String> {
    cell.trim_matches('`').split("`, `").map(str::to_owned).collect()
}

#[test]
fn every_endpoint_of_the_operator_api_has_an_example() {
    let blocks = pieces(OPERATOR_API).into_iter().filter_map(|piece| match piece.content {
        Content::Block { text, .. } if is_request(&text) => text.lines().next().map(str::to_owned),
        _ => None,
    });
    let examples: Vec<_> = blocks.collect();
    for row in table_rows(OPERATOR_API, "## Endpoints") {
        let endpoint = row[0].trim_matches('`');
        let shape: Vec<_> = endpoint.split(['/', ' ']).collect();
        let is_example = |example: &String| {
            let parts: Vec<_> = example.split('?').next().unwrap_or_default().split(['/', ' ']).collect();
            parts.len() == shape.len()
                && parts.iter().zip(&shape).all(|(part, shape)| shape.starts_with('{') || part == shape)
        };
        assert!(examples.iter().any(is_example), "{endpoint} has no example");
    }
}

/// Runs the examples of a page and complains of all that differ at once.
fn check(name: &str, page: &str, mut world: World) {
    let mut bindings = Bindings::default();
    let mut complaints = String::new();
    let mut unanswered: Option<(usize, Response<Vec<u8>>)> = None;
    let mut examples = 0;
    for piece in pieces(page) {
        let line = piece.line;
        match piece.content {
            Content::Comment(words) if words == "test command" => {}
            Content::Comment(words) => world.stage(&words),
            Content::Block { language, text } if is_request(&text) => {
                assert!(unanswered.is_none(), "{name}:{line}: the request before this one shows no answer");
                let mut request = parse(&language, &text);
                for shown in
                    request.headers.iter_mut().map(|(_, value)| value).chain([&mut request.target, &mut request.body])
                {
                    *shown = bindings.resolve(shown);
                }
                let target = &request.target;
                assert!(!target.contains('…'), "{name}:{line}: {target} stands for nothing yet{complaints}");
                unanswered = Some((line, world.run(request)));
                examples += 1;
            }
            Content::Block { language, text } if language == "http" || language == "json" => {
                let (line, actual) = unanswered.take().unwrap_or_else(|| panic!("{name}:{line}: an answer to nothing"));
                if let Err(complaint) = compare(&mut bindings, &language, &text, &actual) {
                    let body = String::from_utf8_lossy(actual.body());
                    complaints += &format!("\n{name}:{line}: {complaint}\n{} {body}\n", actual.status());
                }
            }
            Content::Block { language, .. } => {
                assert!(["", "text", "sh", "rust"].contains(&language.as_str()), "{name}:{line}: what is {language}?");
            }
        }
    }
    assert!(unanswered.is_none(), "{name}: the last request shows no answer");
    assert!(complaints.is_empty(), "{complaints}");
    let requests =
        page.split("```").skip(1).step_by(2).filter(|block| is_request(block.split_once('\n').unwrap_or_default().1));
    assert_eq!(examples, requests.count(), "{name}: a request was not run");
    assert!(examples > 0, "{name} has no examples");
}

fn compare(bindings: &mut Bindings, language: &str, shown: &str, actual: &Response<Vec<u8>>) -> Result<(), String> {
    let (head, body) =
        if language == "json" { ("HTTP/1.1 200 OK", shown) } else { shown.split_once("\n\n").unwrap_or((shown, "")) };
    let mut lines = head.lines();
    let status = format!("HTTP/1.1 {}", actual.status());
    if lines.next() != Some(status.as_str()) {
        return Err(format!("the status is {status}"));
    }
    for (name, value) in request::headers(lines) {
        let actual = actual.headers().get(&name).and_then(|value| value.to_str().ok());
        bindings.compare_text(&name, &value, actual.unwrap_or("absent"))?;
    }
    let shown: Value = serde_json::from_str(body).map_err(|error| format!("what is shown is not JSON: {error}"))?;
    let actual: Value = serde_json::from_slice(actual.body()).map_err(|error| error.to_string())?;
    bindings.compare("body", &shown, &actual)
}
