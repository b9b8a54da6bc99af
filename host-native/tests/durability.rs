//! Data that was answered 200 survives every end of the process.

use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::mpsc,
    thread,
};

use crate::support::{Place, Serving, account, batch, post};
use serde_json::{Value, json};

const BATCH_ROWS: usize = 20;

fn ids(writer: usize, number: usize) -> impl Iterator<Item = String> {
    (0..BATCH_ROWS).map(move |row| format!("w{writer}-b{number}-r{row}"))
}

/// Posts batches until the service is gone. Says which were answered, then which was not.
fn post_until_gone(origin: &str, key: &str, writer: usize, answered: &mpsc::Sender<(usize, usize)>) -> (usize, usize) {
    for number in 0.. {
        match post(origin, key, "/api/v1/clients", &batch(ids(writer, number))) {
            Some((status, answer)) => {
                assert_eq!(status, 200, "{answer}");
                let _ = answered.send((writer, number));
            }
            None => return (writer, number),
        }
    }
    unreachable!("the service is killed at some time")
}

#[test]
fn a_killed_service_keeps_every_answered_batch_and_no_half_batch() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    let (answered, answers) = mpsc::channel();
    let mut kept = Vec::new();
    let unanswered: Vec<(usize, usize)> = thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (origin, key, answered) = (serving.origin.clone(), key.clone(), answered.clone());
                scope.spawn(move || post_until_gone(&origin, &key, writer, &answered))
            })
            .collect();
        kept.extend(answers.iter().take(40));
        serving.process.kill().expect("SIGKILL");
        writers.into_iter().map(|writer| writer.join().expect("no panic")).collect()
    });
    drop(answered);
    kept.extend(answers.iter());

    let serving = Serving::start(&place.database());
    let clients = serving.clients(&key);
    let found: BTreeSet<&str> = clients.iter().filter_map(|client| client["external_id"].as_str()).collect();
    assert_eq!(found.len(), clients.len(), "no client is there twice");
    for (writer, number) in kept {
        let missing: Vec<String> = ids(writer, number).filter(|id| !found.contains(id.as_str())).collect();
        assert_eq!(missing, Vec::<String>::new(), "answered 200");
    }
    for (writer, number) in unanswered {
        let rows = ids(writer, number).filter(|id| found.contains(id.as_str())).count();
        assert!(rows == 0 || rows == BATCH_ROWS, "{rows} rows of a batch without an answer");
    }
}

/// Sends the head of a post; returns when the service handles it, for only then it asks for the
/// body.
fn start_posting(serving: &Serving, key: &str, body_bytes: usize) -> TcpStream {
    let mut stream = TcpStream::connect(serving.origin.trim_start_matches("http://")).expect("a connection");
    let head = format!(
        "POST /api/v1/clients HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nexpect: 100-continue\r\ncontent-length: {body_bytes}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).expect("100 Continue");
    assert_eq!(go_on.as_slice(), b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

/// Returns when the service accepts nothing more.
fn wait_until_closed(serving: &Serving) {
    while TcpStream::connect(serving.origin.trim_start_matches("http://")).is_ok() {
        thread::yield_now();
    }
}

#[test]
fn a_stopped_service_finishes_a_post_that_it_is_reading() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    let body = batch(ids(0, 0)).to_string();
    let (sooner, later) = body.split_at(body.len() / 2);
    let mut stream = start_posting(&serving, &key, body.len());
    stream.write_all(sooner.as_bytes()).expect("sent");
    serving.signal("TERM");
    wait_until_closed(&serving);
    stream.write_all(later.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(serving.process.wait().expect("an exit").success());

    let serving = Serving::start(&place.database());
    assert_eq!(serving.clients(&key).len(), BATCH_ROWS);
}

#[test]
fn a_second_signal_ends_a_stopping_service_at_once() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    let mut stream = start_posting(&serving, &key, 10);
    stream.write_all(b"{").expect("sent");
    serving.signal("TERM");
    wait_until_closed(&serving);
    serving.signal("TERM");
    assert_eq!(serving.process.wait().expect("an exit").code(), Some(1));
}

#[test]
fn parallel_posts_of_one_new_person_make_one_client() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    let person = json!({"clients": [
        {"first_name": "Ana", "last_name": "Specimenez", "address_line1": "12 Sample St", "zip": "62704"}
    ]});
    let statuses: Vec<Value> = thread::scope(|scope| {
        let posts: Vec<_> = (0..48)
            .map(|_| scope.spawn(|| serving.post(&key, "/api/v1/clients", &person).1["results"][0].take()))
            .collect();
        posts.into_iter().map(|post| post.join().expect("no panic")).collect()
    });
    let count = |status: &str| statuses.iter().filter(|result| result["status"] == status).count();
    assert_eq!((count("created"), count("updated")), (1, 47));
    let ids: BTreeSet<&str> = statuses.iter().filter_map(|result| result["id"].as_str()).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(serving.clients(&key).len(), 1);
}
