//! The attacks, each a test with short times; and the table of all of them against the program.

use std::{fmt::Write as _, time::Duration};

use matterbook::http::Limits;
use matterbook_conformance::hostile::{self, Shape, begins_session};

use super::{
    attack::Attack,
    target::{InProcess, Program, Target},
};

/// What a stopwatch on a busy machine may add.
const MARGIN: Duration = Duration::from_secs(10);

const SHORT: fn() -> Limits = || Limits {
    head_timeout: Duration::from_millis(700),
    body_timeout: Duration::from_millis(700),
    answer_timeout: Duration::from_millis(700),
    drain_timeout: Duration::from_millis(700),
    ..Limits::default()
};

fn at_once(_: &Target) -> Duration {
    Duration::from_secs(2)
}

fn head_time(target: &Target) -> Duration {
    target.limits.head_timeout
}

fn body_time(target: &Target) -> Duration {
    target.limits.body_timeout + target.limits.drain_timeout
}

/// A refusal is followed by a rest that is read away for a while.
fn drain_time(target: &Target) -> Duration {
    Duration::from_secs(2) + target.limits.drain_timeout
}

const fn attack(shape: Shape, gets: &'static [u16]) -> Attack {
    Attack { shape, gets, goes_on: false, within: at_once }
}

const fn within(attack: Attack, within: fn(&Target) -> Duration) -> Attack {
    Attack { within, ..attack }
}

const fn goes_on(attack: Attack) -> Attack {
    Attack { goes_on: true, ..attack }
}

macro_rules! attacks {
    ($($test:ident: $attack:expr;)*) => {
        const ALL: &[Attack] = &[$($attack),*];
        $(
            #[test]
            fn $test() {
                hold(&$attack);
            }
        )*
    };
}

attacks! {
    a_head_that_comes_letter_by_letter: within(attack(hostile::A_HEAD_THAT_COMES_LETTER_BY_LETTER, &[]), head_time);
    a_head_that_stops: within(attack(hostile::A_HEAD_THAT_STOPS, &[]), head_time);
    a_connection_that_says_nothing: within(attack(hostile::A_CONNECTION_THAT_SAYS_NOTHING, &[]), head_time);
    a_connection_that_says_no_more: within(attack(hostile::A_CONNECTION_THAT_SAYS_NO_MORE, &[200]), head_time);
    half_open_within_a_head: attack(hostile::HALF_OPEN_WITHIN_A_HEAD, &[]);
    a_body_that_comes_letter_by_letter: within(attack(hostile::A_BODY_THAT_COMES_LETTER_BY_LETTER, &[408]), body_time);
    a_body_in_chunks_that_come_letter_by_letter: within(attack(hostile::A_BODY_IN_CHUNKS_THAT_COME_LETTER_BY_LETTER, &[408]), body_time);
    a_body_that_never_comes: within(attack(hostile::A_BODY_THAT_NEVER_COMES, &[408]), body_time);
    a_slow_body_without_a_key: within(attack(hostile::A_SLOW_BODY_WITHOUT_A_KEY, &[401]), drain_time);
    half_open_within_a_body: attack(hostile::HALF_OPEN_WITHIN_A_BODY, &[400]);
    a_body_longer_than_it_says: attack(hostile::A_BODY_LONGER_THAN_IT_SAYS, &[400, 400]);
    chunks_without_end: within(attack(hostile::CHUNKS_WITHOUT_END, &[413]), drain_time);
    chunks_of_one_byte_without_end: within(attack(hostile::CHUNKS_OF_ONE_BYTE_WITHOUT_END, &[408]), body_time);
    a_chunk_with_an_extension_without_end: within(attack(hostile::A_CHUNK_WITH_AN_EXTENSION_WITHOUT_END, &[400]), drain_time);
    trailers_without_end: within(attack(hostile::TRAILERS_WITHOUT_END, &[400]), drain_time);
    a_chunk_longer_than_any_number: within(attack(hostile::A_CHUNK_LONGER_THAN_ANY_NUMBER, &[400]), drain_time);
    a_body_over_the_limit: within(attack(hostile::A_BODY_OVER_THE_LIMIT, &[413]), drain_time);
    brackets_twelve_mebibytes_deep: attack(hostile::BRACKETS_TWELVE_MEBIBYTES_DEEP, &[400]);
    brackets_deep_within_a_client: attack(hostile::BRACKETS_DEEP_WITHIN_A_CLIENT, &[200]);
    objects_deep_within_a_client: attack(hostile::OBJECTS_DEEP_WITHIN_A_CLIENT, &[200]);
    a_number_of_ten_million_digits: attack(hostile::A_NUMBER_OF_TEN_MILLION_DIGITS, &[200]);
    a_huge_exponent: attack(hostile::A_HUGE_EXPONENT, &[200]);
    a_million_clients: attack(hostile::A_MILLION_CLIENTS, &[400]);
    a_million_names: attack(hostile::A_MILLION_NAMES, &[200]);
    a_header_too_large: within(attack(hostile::A_HEADER_TOO_LARGE, &[431]), drain_time);
    headers_without_end: within(attack(hostile::HEADERS_WITHOUT_END, &[431]), drain_time);
    ten_thousand_headers: within(attack(hostile::TEN_THOUSAND_HEADERS, &[431]), drain_time);
    an_address_too_large: within(attack(hostile::AN_ADDRESS_TOO_LARGE, &[431]), drain_time);
    many_pipelined_requests: goes_on(attack(hostile::MANY_PIPELINED_REQUESTS, &[200; 100]));
    a_length_beside_chunks: attack(hostile::A_LENGTH_BESIDE_CHUNKS, &[400]);
    chunks_beside_a_length: attack(hostile::CHUNKS_BESIDE_A_LENGTH, &[400]);
    two_lengths: attack(hostile::TWO_LENGTHS, &[400]);
    a_list_of_lengths: attack(hostile::A_LIST_OF_LENGTHS, &[400]);
    a_length_with_a_sign: attack(hostile::A_LENGTH_WITH_A_SIGN, &[400]);
    a_length_past_all_numbers: attack(hostile::A_LENGTH_PAST_ALL_NUMBERS, &[400]);
    chunks_that_are_not_the_last_encoding: attack(hostile::CHUNKS_THAT_ARE_NOT_THE_LAST_ENCODING, &[400]);
    an_encoding_that_nobody_knows: attack(hostile::AN_ENCODING_THAT_NOBODY_KNOWS, &[400]);
    a_space_before_the_colon: attack(hostile::A_SPACE_BEFORE_THE_COLON, &[400]);
    a_folded_header: attack(hostile::A_FOLDED_HEADER, &[400]);
    chunks_in_http_1_0: attack(hostile::CHUNKS_IN_HTTP_1_0, &[400]);
    a_chunk_length_with_a_sign: attack(hostile::A_CHUNK_LENGTH_WITH_A_SIGN, &[400]);
    a_zero_byte_in_a_header: attack(hostile::A_ZERO_BYTE_IN_A_HEADER, &[400]);
    a_body_that_says_that_it_is_compressed: attack(hostile::A_BODY_THAT_SAYS_THAT_IT_IS_COMPRESSED, &[415]);
    another_protocol: attack(hostile::ANOTHER_PROTOCOL, &[400]);
    tls_where_there_is_none: attack(hostile::TLS_WHERE_THERE_IS_NONE, &[400]);

    a_form_that_comes_letter_by_letter: within(attack(hostile::A_FORM_THAT_COMES_LETTER_BY_LETTER, &[400]), body_time);
    a_slow_form_of_another_site: within(attack(hostile::A_SLOW_FORM_OF_ANOTHER_SITE, &[403]), drain_time);
    a_form_over_the_limit: within(attack(hostile::A_FORM_OVER_THE_LIMIT, &[400]), drain_time);
    a_form_in_chunks_without_end: within(attack(hostile::A_FORM_IN_CHUNKS_WITHOUT_END, &[400]), drain_time);
    a_form_with_a_length_beside_chunks: attack(hostile::A_FORM_WITH_A_LENGTH_BESIDE_CHUNKS, &[400]);
    a_form_that_is_no_text: attack(hostile::A_FORM_THAT_IS_NO_TEXT, &[400]);
    a_form_with_a_giant_field: attack(hostile::A_FORM_WITH_A_GIANT_FIELD, &[400]);
    a_form_with_many_fields: attack(hostile::A_FORM_WITH_MANY_FIELDS, &[400]);
    a_form_in_json: attack(hostile::A_FORM_IN_JSON, &[400]);
    a_form_in_parts: attack(hostile::A_FORM_IN_PARTS, &[400]);
    a_form_that_says_that_it_is_compressed: attack(hostile::A_FORM_THAT_SAYS_THAT_IT_IS_COMPRESSED, &[400]);
    a_passkey_of_brackets: attack(hostile::A_PASSKEY_OF_BRACKETS, &[303]);
    two_thousand_cookies: attack(hostile::TWO_THOUSAND_COOKIES, &[200]);
    a_hundred_sessions: attack(hostile::A_HUNDRED_SESSIONS, &[303]);
    a_cookie_that_is_no_text: attack(hostile::A_COOKIE_THAT_IS_NO_TEXT, &[303]);
    a_link_of_garbage: attack(hostile::A_LINK_OF_GARBAGE, &[403]);
    an_address_of_garbage: attack(hostile::AN_ADDRESS_OF_GARBAGE, &[404]);
    an_address_of_the_console_too_large: within(attack(hostile::AN_ADDRESS_OF_THE_CONSOLE_TOO_LARGE, &[431]), drain_time);
}

/// Runs an attack on a service with short times and holds it to what it says.
fn hold(attack: &Attack) {
    let service = InProcess::start(SHORT());
    let outcome = attack.run(&service.target);
    let heads: Vec<&str> =
        outcome.answer.lines().filter(|line| line.starts_with("HTTP/") || line.starts_with('{')).collect();
    assert_eq!(outcome.statuses, attack.gets, "{}: {heads:?}", attack.shape.name);
    for body in outcome.answer.split("\r\n\r\n").skip(1).filter(|body| body.starts_with("{\"error")) {
        assert!(body.contains("\"code\":\"") && body.contains("\"message\":\""), "the one error shape: {body}");
    }
    assert!(!begins_session(&outcome.answer), "{}: a session begins: {heads:?}", attack.shape.name);
    assert!(!outcome.answer.contains("smuggled"), "a body was taken for a request: {heads:?}");
    let limit = (attack.within)(&service.target) + MARGIN;
    assert!(outcome.took < limit, "{}: {:?}, not within {limit:?}", attack.shape.name, outcome.took);
    assert!(outcome.others_waited.is_some(), "{}: another caller was not served meanwhile", attack.shape.name);
}

#[test]
#[ignore = "a table for people, in some five minutes"]
fn table() {
    let program = Program::start();
    let mut table = String::from(
        "| a client that sends | gets | within (limit) | another's `GET /me` meanwhile | memory |\n|---|---|---|---|---|\n",
    );
    for attack in ALL {
        let outcome = attack.run(&program.target);
        let mut statuses = outcome.statuses.clone();
        statuses.dedup();
        let gets: Vec<String> = statuses.iter().map(u16::to_string).collect();
        let end = if attack.goes_on { "" } else { ", closed" };
        let gets = if gets.is_empty() { "closed".to_owned() } else { gets.join(", ") + end };
        let gets = if outcome.statuses.len() > 2 { format!("{} × {gets}", outcome.statuses.len()) } else { gets };
        let others =
            outcome.others_waited.map_or("not served".to_owned(), |time| format!("{:.0} ms", time.as_secs_f64() * 1e3));
        let _ = writeln!(
            table,
            "| {} | {gets} | {:.2} s ({:.0} s) | {others} | {:.0} MiB |",
            attack.shape.name,
            outcome.took.as_secs_f64(),
            (attack.within)(&program.target).as_secs_f64(),
            program.memory().0
        );
        if outcome.statuses != attack.gets {
            let _ = writeln!(table, "| ^ expected {:?} | | | | |", attack.gets);
        }
    }
    println!("{table}");
}
