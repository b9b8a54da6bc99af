//! Services, of this machine and elsewhere.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
    thread,
};

use rusqlite::Connection;

use super::examined::{Examined, NOWHERE, database};
use crate::support::{OPERATOR_TOKEN, Place, Serving, matterbook};

/// An address that answers everything with this.
fn answering(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let _ = stream.read(&mut [0; 4_096]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}

fn local(database: &Path, address: &str) -> Examined {
    Examined::with(database, &["--listen", address], &[])
}

fn remote(origin: &str, token: &str) -> Examined {
    let mut command = matterbook(&["doctor", "--json", "--url", origin]);
    command.env("MATTERBOOK_OPERATOR_TOKEN", token);
    Examined::run(command)
}

const OTHER: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const OTHER_AND_WRONG_CLOCK: &str = "HTTP/1.1 200 OK\r\ndate: Thu, 01 Jan 2015 00:00:00 GMT\r\n\
    content-length: 15\r\nconnection: close\r\n\r\n{\"status\":\"ok\"}";

#[test]
fn doctor_reports_a_wrong_or_broken_service_at_the_address() {
    let place = Place::new();
    database(&place);
    local(&place.database(), &answering(OTHER)).check("service", "warn", "with 404, which is not Matterbook.");
    let serving = Serving::start(&place.database());
    let address = serving.origin.trim_start_matches("http://");
    local(&place.database(), address).check("service", "ok", "and reaches its database.");
    let breaking = Connection::open(place.database()).expect("a connection");
    breaking.execute_batch("alter table api_keys rename to gone").expect("broken");
    local(&place.database(), address).check("service", "wrong", "does not reach its database");
    remote(&serving.origin, OPERATOR_TOKEN).check("service", "wrong", "does not reach its database");
}

#[test]
fn a_service_elsewhere_is_examined_as_its_callers_meet_it() {
    let place = Place::new();
    let serving = Serving::start(&place.database());
    let base = format!("{}/api/v1", serving.origin);
    for origin in [&serving.origin, &base] {
        let examined = remote(origin, OPERATOR_TOKEN);
        examined
            .check("encryption", "ok", "on this machine")
            .check("service", "ok", "It answers, and reaches its database.")
            .check("api", "ok", "asks for a key")
            .check("operator api", "ok", "takes the operator token")
            .check("clock", "ok", "agrees");
        assert_eq!(examined.complaints(), Vec::<&str>::new());
    }
    let examined = remote(&serving.origin, "another-token");
    examined.check("operator api", "wrong", "It refuses the operator token.");
    assert!(!examined.text.contains("another-token"));
}

#[test]
fn a_service_without_the_operator_api_one_that_is_not_there_and_one_that_is_another_are_told() {
    let place = Place::new();
    let serving = Serving::start_with(&place.database(), &[]);
    remote(&serving.origin, OPERATOR_TOKEN).check("operator api", "warn", "It is not there");
    remote(&format!("http://{NOWHERE}"), "").check(
        "service",
        "wrong",
        "cannot be reached: the connection was refused.",
    );
    let plain = remote(&serving.origin.replace("http://", "https://"), "");
    plain.check("encryption", "wrong", "answers in plain HTTP").check("encryption", "wrong", "Name it by http://");
    let other = format!("http://{}", answering(OTHER));
    remote(&other, "").check("service", "warn", "/healthz is not passed on").check("api", "wrong", "(404)");
    let wrong_clock = format!("http://{}", answering(OTHER_AND_WRONG_CLOCK));
    remote(&wrong_clock, OPERATOR_TOKEN).check("clock", "warn", "Its clock differs").check("api", "wrong", "(200)");
}

#[test]
fn the_size_of_a_database_on_cloudflare_is_told() {
    for (bytes, is, message) in
        [("1507328", "ok", "It has 1.4 MiB of the 10 GB"), ("8000000000", "warn", "It has 7.4 GiB of the 10 GB")]
    {
        let body = format!(r#"{{"settings":{{"database_bytes":{bytes}}}}}"#);
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
        let origin = format!("http://{}", answering(answer.leak()));
        remote(&origin, OPERATOR_TOKEN).check("database", is, message);
    }
    let place = Place::new();
    let serving = Serving::start(&place.database());
    assert!(!remote(&serving.origin, OPERATOR_TOKEN).text.contains("10 GB"), "another database has no such limit");
}

#[test]
fn an_address_of_no_form_and_flags_that_exclude_each_other_are_wrong_usage() {
    for arguments in
        [&["doctor", "--url", "matterbook.example.com"][..], &["doctor", "--url", "http://a.example", "--quick"]]
    {
        assert_eq!(matterbook(arguments).output().expect("the program starts").status.code(), Some(2), "{arguments:?}");
    }
}
