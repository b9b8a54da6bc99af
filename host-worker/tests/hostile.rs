//! Hostile clients over raw sockets, against the Worker under the runtime on this machine. Each is answered
//! or disconnected within a stated time, and others are served meanwhile. The runtime handles heads, framing
//! and connections. The Worker handles the body: its limit, its time and its content. Each case says who
//! responds. In a deployment, the provider's servers may respond in place of the runtime.
//!
//! To print the table, in about 40 seconds:
//!
//! ```sh
//! HOSTILE_TABLE=1 cargo test -p matterbook-worker --test worker hostile:: -- --nocapture
//! ```

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
    time::Duration,
};

use matterbook_conformance::{
    hostile::{self, CONSOLE_SHAPES, Caller, Outcome, SHAPES, Shape, begins_session, bodies, heads},
    wire::Firm,
};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::support::{self, Served};

use Answer::{Ours, Runtimes};

/// Allowance for a busy machine.
const MARGIN: Duration = Duration::from_secs(10);

/// No time limit is involved.
const AT_ONCE: Duration = Duration::from_secs(2);
/// The runtime's time limit for a head.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// The runtime keeps a connection open for so long after a response, even where the caller asks to close it.
const NEXT_TIME: Duration = Duration::from_secs(5);
/// The Worker's time limit for a body (rule W3).
const BODY_TIME: Duration = Duration::from_secs(30);

/// A response: who sent it, and its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The Worker's, as JSON, with a request id and a log line.
    Ours(u16),
    /// The runtime's.
    Runtimes(u16),
}

/// The expected outcome of a shape.
struct Case {
    shape: Shape,
    /// The responses, in order.
    gets: &'static [Answer],
    /// The runtime ends the connection within this time.
    within: Duration,
}

const fn case(shape: Shape, gets: &'static [Answer], within: Duration) -> Case {
    Case { shape, gets, within }
}

/// Where a smuggled request gets a second response, the runtime reads it as the next request on the
/// connection. It has no key and is refused.
const CASES: &[Case] = &[
    case(hostile::A_HEAD_THAT_COMES_LETTER_BY_LETTER, &[], HEAD_TIME),
    case(hostile::A_HEAD_THAT_STOPS, &[], HEAD_TIME),
    case(hostile::A_CONNECTION_THAT_SAYS_NOTHING, &[], HEAD_TIME),
    case(hostile::A_CONNECTION_THAT_SAYS_NO_MORE, &[Ours(200)], NEXT_TIME),
    case(hostile::HALF_OPEN_WITHIN_A_HEAD, &[], AT_ONCE),
    case(hostile::A_BODY_THAT_COMES_LETTER_BY_LETTER, &[Ours(408)], BODY_TIME),
    case(hostile::A_BODY_IN_CHUNKS_THAT_COME_LETTER_BY_LETTER, &[Ours(408)], BODY_TIME),
    case(hostile::A_BODY_THAT_NEVER_COMES, &[Ours(408)], BODY_TIME),
    case(hostile::A_SLOW_BODY_WITHOUT_A_KEY, &[Ours(401)], AT_ONCE),
    case(hostile::HALF_OPEN_WITHIN_A_BODY, &[Ours(400)], AT_ONCE),
    case(hostile::A_BODY_LONGER_THAN_IT_SAYS, &[Ours(400), Runtimes(501)], AT_ONCE),
    case(hostile::CHUNKS_WITHOUT_END, &[Ours(413)], AT_ONCE),
    case(hostile::CHUNKS_OF_ONE_BYTE_WITHOUT_END, &[Ours(408)], BODY_TIME),
    case(hostile::A_CHUNK_WITH_AN_EXTENSION_WITHOUT_END, &[Ours(400)], AT_ONCE),
    case(hostile::TRAILERS_WITHOUT_END, &[Ours(400), Runtimes(431)], AT_ONCE),
    case(hostile::A_CHUNK_LONGER_THAN_ANY_NUMBER, &[Ours(400)], AT_ONCE),
    case(hostile::A_BODY_OVER_THE_LIMIT, &[Ours(413)], AT_ONCE),
    case(hostile::BRACKETS_TWELVE_MEBIBYTES_DEEP, &[Ours(400)], NEXT_TIME),
    case(hostile::BRACKETS_DEEP_WITHIN_A_CLIENT, &[Ours(200)], NEXT_TIME),
    case(hostile::OBJECTS_DEEP_WITHIN_A_CLIENT, &[Ours(200)], NEXT_TIME),
    case(hostile::A_NUMBER_OF_TEN_MILLION_DIGITS, &[Ours(200)], NEXT_TIME),
    case(hostile::A_HUGE_EXPONENT, &[Ours(200)], NEXT_TIME),
    case(hostile::A_MILLION_CLIENTS, &[Ours(400)], NEXT_TIME),
    case(hostile::A_MILLION_NAMES, &[Ours(200)], NEXT_TIME),
    case(hostile::A_HEADER_TOO_LARGE, &[Runtimes(431)], AT_ONCE),
    case(hostile::HEADERS_WITHOUT_END, &[Runtimes(431)], AT_ONCE),
    // The runtime joins them into one header. The native host has a limit of its own.
    case(hostile::TEN_THOUSAND_HEADERS, &[Ours(200)], NEXT_TIME),
    case(hostile::AN_ADDRESS_TOO_LARGE, &[Runtimes(431)], AT_ONCE),
    case(hostile::MANY_PIPELINED_REQUESTS, &[Ours(200); 100], NEXT_TIME),
    case(hostile::A_LENGTH_BESIDE_CHUNKS, &[Ours(400), Ours(401)], NEXT_TIME),
    case(hostile::CHUNKS_BESIDE_A_LENGTH, &[Ours(400), Ours(401)], NEXT_TIME),
    case(hostile::TWO_LENGTHS, &[Runtimes(500)], AT_ONCE),
    case(hostile::A_LIST_OF_LENGTHS, &[Runtimes(500)], AT_ONCE),
    case(hostile::A_LENGTH_WITH_A_SIGN, &[Runtimes(500)], AT_ONCE),
    // The runtime reads it as a length, and the Worker waits for the body.
    case(hostile::A_LENGTH_PAST_ALL_NUMBERS, &[Ours(408)], BODY_TIME),
    case(hostile::CHUNKS_THAT_ARE_NOT_THE_LAST_ENCODING, &[Runtimes(500)], AT_ONCE),
    case(hostile::AN_ENCODING_THAT_NOBODY_KNOWS, &[Runtimes(500)], AT_ONCE),
    case(hostile::A_SPACE_BEFORE_THE_COLON, &[Ours(400), Ours(401)], NEXT_TIME),
    case(hostile::A_FOLDED_HEADER, &[Ours(400), Runtimes(501)], AT_ONCE),
    case(hostile::CHUNKS_IN_HTTP_1_0, &[Ours(400), Ours(401)], NEXT_TIME),
    case(hostile::A_CHUNK_LENGTH_WITH_A_SIGN, &[Ours(400)], AT_ONCE),
    case(hostile::A_ZERO_BYTE_IN_A_HEADER, &[Runtimes(400)], AT_ONCE),
    case(hostile::A_BODY_THAT_SAYS_THAT_IT_IS_COMPRESSED, &[Ours(415)], AT_ONCE),
    case(hostile::ANOTHER_PROTOCOL, &[Runtimes(501)], AT_ONCE),
    case(hostile::TLS_WHERE_THERE_IS_NONE, &[], HEAD_TIME),
    case(hostile::A_FORM_THAT_COMES_LETTER_BY_LETTER, &[Ours(400)], BODY_TIME),
    case(hostile::A_SLOW_FORM_OF_ANOTHER_SITE, &[Ours(403)], AT_ONCE),
    case(hostile::A_FORM_OVER_THE_LIMIT, &[Ours(400)], AT_ONCE),
    case(hostile::A_FORM_IN_CHUNKS_WITHOUT_END, &[Ours(400)], AT_ONCE),
    case(hostile::A_FORM_WITH_A_LENGTH_BESIDE_CHUNKS, &[Ours(400), Ours(401)], NEXT_TIME),
    case(hostile::A_FORM_THAT_IS_NO_TEXT, &[Ours(400)], NEXT_TIME),
    case(hostile::A_FORM_WITH_A_GIANT_FIELD, &[Ours(400)], NEXT_TIME),
    case(hostile::A_FORM_WITH_MANY_FIELDS, &[Ours(400)], NEXT_TIME),
    case(hostile::A_FORM_IN_JSON, &[Ours(400)], NEXT_TIME),
    case(hostile::A_FORM_IN_PARTS, &[Ours(400)], NEXT_TIME),
    case(hostile::A_FORM_THAT_SAYS_THAT_IT_IS_COMPRESSED, &[Ours(400)], NEXT_TIME),
    case(hostile::A_PASSKEY_OF_BRACKETS, &[Ours(303)], NEXT_TIME),
    case(hostile::TWO_THOUSAND_COOKIES, &[Ours(200)], NEXT_TIME),
    case(hostile::A_HUNDRED_SESSIONS, &[Ours(303)], NEXT_TIME),
    case(hostile::A_COOKIE_THAT_IS_NO_TEXT, &[Ours(400)], NEXT_TIME),
    case(hostile::A_LINK_OF_GARBAGE, &[Ours(403)], NEXT_TIME),
    case(hostile::AN_ADDRESS_OF_GARBAGE, &[Ours(404)], NEXT_TIME),
    case(hostile::AN_ADDRESS_OF_THE_CONSOLE_TOO_LARGE, &[Runtimes(431)], AT_ONCE),
];

#[test]
fn every_shape_has_a_case() {
    let of_cases: BTreeSet<_> = CASES.iter().map(|case| case.shape.name).collect();
    assert_eq!(of_cases, SHAPES.iter().chain(CONSOLE_SHAPES).map(|shape: &Shape| shape.name).collect());
}

/// Cases with a time limit run in parallel. The others run one after another.
#[test]
fn every_hostile_client_is_answered_or_ended_in_its_time() {
    every_case_holds("d1");
}

#[test]
fn every_hostile_client_is_answered_with_an_object_for_each_account() {
    every_case_holds("objects");
}

fn every_case_holds(profile: &str) {
    let state = support::state();
    let settings = [
        ("MATTERBOOK_PROFILE", profile),
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0"),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"),
        ("MATTERBOOK_BODY_BUDGET_BYTES", "1000000000"),
    ];
    let served = Served::start(state.path(), &settings);
    let address = served.worker.url.strip_prefix("http://").and_then(|url| url.parse().ok()).expect("an address");
    let firm = Firm::open(&served.http).expect("a firm");
    let link = firm.operator().call("POST", &format!("/logins/{}/link", firm.owner)).expect("a link");
    let link = link.text("/link/url").expect("an address");
    let (key, session, patience) = (firm.key.clone(), String::new(), BODY_TIME + MARGIN);
    let mut caller = Caller { address, key, session, patience, pause: Duration::from_millis(200) };
    caller.session = caller.sign_in(&link).expect("a session");
    let turn = Mutex::new(());
    let run = |case: &Case| {
        let _turn = (case.within == AT_ONCE).then(|| turn.lock());
        let outcome = case.shape.run(&caller, |_| false).expect("a connection");
        let held = catch_unwind(AssertUnwindSafe(|| {
            hold(&served, case, &outcome);
            assert!(caller.ask_me().is_some(), "the Worker serves afterwards");
        }));
        (outcome, held.is_ok())
    };
    let outcomes: Vec<(&Case, Outcome, bool)> = thread::scope(|scope| {
        let running: Vec<_> = CASES.iter().map(|case| (case, scope.spawn(|| run(case)))).collect();
        let ended = running.into_iter().map(|(case, running)| (case, running.join().expect("an outcome")));
        ended.map(|(case, (outcome, held))| (case, outcome, held)).collect()
    });
    if std::env::var_os("HOSTILE_TABLE").is_some() {
        print_table(&outcomes);
    }
    let log = served.worker.log().join("\n");
    let token = link.rsplit('/').next().expect("a token");
    assert!(
        ![&*caller.session, token, &*caller.key].iter().any(|secret| log.contains(secret)),
        "the log has no secret"
    );
    served.stop();
    let failed = outcomes.iter().filter(|(.., held)| !held).map(|(case, ..)| case.shape.name);
    assert_eq!(failed.collect::<Vec<_>>(), Vec::<&str>::new(), "these cases failed");
}

/// The responses, by sender. Only the Worker sends a request id.
fn answers(outcome: &Outcome) -> Vec<Answer> {
    let is_ours = |head: &&str| head.contains("\r\nx-request-id: ");
    let heads = heads(&outcome.answer);
    let pairs = outcome.statuses.iter().zip(heads.iter());
    pairs.map(|(status, head)| if is_ours(head) { Ours(*status) } else { Runtimes(*status) }).collect()
}

fn hold(served: &Served, case: &Case, outcome: &Outcome) {
    let answers = answers(outcome);
    assert_eq!(answers, case.gets, "{:.1000}", outcome.answer);
    for (answer, (head, body)) in answers.iter().zip(heads(&outcome.answer).iter().zip(bodies(&outcome.answer))) {
        let Ours(status) = answer else { continue };
        // A page of the console, or a redirect to one. A head that is no text does not reach it.
        let is_page = *status == 303 || head.contains("\r\nContent-Type: text/html");
        if !(is_of_console(case) && is_page) {
            assert!(head.contains("\r\nContent-Type: application/json\r\n"), "{head}");
            let body: Value = serde_json::from_str(body).expect("JSON");
            if *status != 200 {
                assert!(body["error"]["code"].is_string() && body["error"]["message"].is_string(), "{body}");
            }
        }
        let (_, request_id) = head.split_once("\r\nx-request-id: ").expect("a request id");
        let request_id = request_id.split("\r\n").next().expect("a line");
        let line = support::soon("a line of the log", || served.worker.line_of(request_id));
        assert_eq!(line["status"], json!(status), "{line}");
    }
    assert!(!begins_session(&outcome.answer), "no session begins: {:.1000}", outcome.answer);
    assert!(outcome.is_closed, "the connection is ended");
    let limit = case.within + MARGIN;
    assert!(outcome.took < limit, "{:?}, not within {limit:?}", outcome.took);
    let others_waited = outcome.others_waited.expect("another caller is served meanwhile");
    assert!(others_waited < MARGIN, "another caller waited {others_waited:?}");
}

fn is_of_console(case: &Case) -> bool {
    CONSOLE_SHAPES.iter().any(|shape| shape.name == case.shape.name)
}

fn print_table(outcomes: &[(&Case, Outcome, bool)]) {
    println!("| a client that sends | gets | answered | connection ended (limit) | another's `GET /me` meanwhile |");
    println!("|---|---|---|---|---|");
    for (case, outcome, _) in outcomes {
        let answers = answers(outcome);
        let say = |answer: &Answer| match answer {
            Ours(status) => format!("{status}, ours"),
            Runtimes(status) => format!("{status}, the runtime's"),
        };
        let gets = match answers.as_slice() {
            [] => "no answer; the runtime ends it".to_owned(),
            [first, rest @ ..] if !rest.is_empty() && rest.iter().all(|answer| answer == first) => {
                format!("{} × {}", answers.len(), say(first))
            }
            answers => answers.iter().map(say).collect::<Vec<_>>().join("; "),
        };
        let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
        println!(
            "| {} | {gets} | {} | {} ({} s) | {} |",
            case.shape.name,
            outcome.answered.map_or_else(|| "–".to_owned(), seconds),
            if outcome.is_closed { seconds(outcome.took) } else { "left open".to_owned() },
            case.within.as_secs(),
            outcome
                .others_waited
                .map_or_else(|| "not served".to_owned(), |time| format!("at most {:.0} ms", time.as_secs_f64() * 1e3)),
        );
    }
}
