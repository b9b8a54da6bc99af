//! The module traps.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use matterbook_conformance::wire::{Answer, Body, Firm, Request, Service as _, send};
use matterbook_core::{api::HostRefusal, memory::ManualPlatform, time::Timestamp};
use serde_json::{Value, json};

use super::{client, clients_of, commits_of, with_fault};
use crate::support::Served;

/// The core's response body for a request that panicked.
fn body_of_a_panic() -> Vec<u8> {
    HostRefusal::Panicked.answer(&ManualPlatform::new(Timestamp::from_micros(0))).response.into_body()
}

/// Whether this is the response to a request that met a trap.
fn is_of_a_trap(answer: &Answer) -> bool {
    answer.status == 500 && answer.body == body_of_a_panic()
}

#[track_caller]
fn assert_is_of_a_trap(served: &Served, answer: &Answer) {
    assert!(is_of_a_trap(answer), "{}", answer.failure("the answer to a request that panicked"));
    let line = served.line_of(answer);
    assert_eq!((&line["status"], &line["cause"]), (&json!(500), &json!("the module trapped")));
}

/// Sets a flag at the end of the scope, even after a panic.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

pub(super) fn a_trap_gives_the_same_500_as_a_panic(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    let post = firm.request("POST", "/clients").json(&json!({"clients": [client("trap-1")]}));
    for request in [firm.request("GET", "/me"), post, Request::new("GET", "/nothing")] {
        // `send` checks the error's shape and headers.
        let answer = send(&served.http, &with_fault(request, "trap")).expect("an answer");
        assert_is_of_a_trap(served, &answer);
        answer.expect_header("content-type", "application/json").expect("the media type of every answer");
    }
    let to_head = send(&served.http, &with_fault(firm.request("HEAD", "/me"), "trap")).expect("an answer");
    assert_eq!((to_head.status, to_head.body.len()), (500, 0));
    assert_eq!(served.line_of(&to_head)["status"], 500);
    assert_eq!(clients_of(served, "trap-"), 0);
    firm.create(&client("trap-1")).expect("the next request is served");
}

/// Posts and pages wait for the rate limit and for D1, and bodies never end, while the module traps
/// repeatedly. A page of an account's object waits for nothing, so a trap may meet none.
pub(super) fn a_trap_gives_every_request_in_progress_a_500(served: &Served) {
    const CLIENTS: usize = 20;
    let firm = Firm::open(&served.http).expect("a firm");
    let is_over = AtomicBool::new(false);
    let [trapped_posts, trapped_pages, ended_bodies] = [const { AtomicUsize::new(0) }; 3];
    let posts = thread::scope(|scope| {
        let poster = |poster: usize| {
            let (firm, is_over, trapped_posts) = (&firm, &is_over, &trapped_posts);
            scope.spawn(move || {
                let mut posts = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    let prefix = format!("way-{poster}-{}-", posts.len());
                    let clients: Vec<Value> = (0..CLIENTS).map(|index| client(&format!("{prefix}{index}"))).collect();
                    let request = firm.request("POST", "/clients").json(&json!({ "clients": clients }));
                    let answer = send(firm.service, &request).expect("an answer");
                    trapped_posts.fetch_add(usize::from(is_of_a_trap(&answer)), Ordering::Relaxed);
                    posts.push((prefix, answer));
                }
                posts
            })
        };
        let posters: Vec<_> = (0..4).map(poster).collect();
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let answer = send(&served.http, &firm.request("GET", "/clients?limit=5")).expect("an answer");
                assert!(answer.status == 200 || is_of_a_trap(&answer), "{}", answer.failure("a page, or a trap"));
                trapped_pages.fetch_add(usize::from(is_of_a_trap(&answer)), Ordering::Relaxed);
            }
        });
        scope.spawn(|| {
            let body = Body::Stalled { begun: b"{\"clients\":".to_vec(), length: 1_000 };
            let request = firm.request("POST", "/clients").header("Content-Type", "application/json").body(body);
            assert_is_of_a_trap(served, &send(&served.http, &request).expect("an answer"));
            ended_bodies.fetch_add(1, Ordering::Relaxed);
        });
        scope.spawn(|| {
            let answer = answer_to_endless_chunks(served, &firm);
            assert!(answer.starts_with("HTTP/1.1 500 "), "{answer}");
            assert!(answer.ends_with(&String::from_utf8(body_of_a_panic()).expect("text")), "{answer}");
            ended_bodies.fetch_add(1, Ordering::Relaxed);
        });
        let end = SetAtEnd(&is_over);
        // Each fault traps at a different point, and so meets the others at different points.
        let faults = ["trap", "trap-before-commit", "trap-in-rate-limiter", "trap-after-commit"];
        for (round, fault) in faults.iter().cycle().take(60).enumerate() {
            let clients = json!({"clients": [client(&format!("trapping-{round}"))]});
            let request = with_fault(firm.request("POST", "/clients").json(&clients), fault);
            assert_is_of_a_trap(served, &send(&served.http, &request).expect("an answer"));
            let [posts, pages, bodies] =
                [&trapped_posts, &trapped_pages, &ended_bodies].map(|count| count.load(Ordering::Relaxed));
            if round >= 7 && posts > 0 && (pages > 0 || served.has_objects) && bodies == 2 {
                break;
            }
        }
        drop(end);
        posters.into_iter().flat_map(|poster| poster.join().expect("a poster")).collect::<Vec<_>>()
    });
    assert!(trapped_posts.into_inner() > 0, "a post was in progress");
    assert!(trapped_pages.into_inner() > 0 || served.has_objects, "a page was in progress");
    assert_eq!(ended_bodies.into_inner(), 2, "the endless bodies were answered");
    for (prefix, answer) in &posts {
        let saved = clients_of(served, prefix);
        let whole = i64::try_from(CLIENTS).expect("a small number");
        match answer.status {
            200 => assert_eq!(saved, whole, "an answered post is saved"),
            _ => {
                assert_is_of_a_trap(served, answer);
                assert!(saved == 0 || saved == whole, "{saved} of a batch of {CLIENTS} were saved");
            }
        }
    }
    firm.get("/me").and_then(Answer::ok).expect("the next request is served");
}

/// Sends the first chunk of a body and no other. Returns the response.
fn answer_to_endless_chunks(served: &Served, firm: &Firm<'_>) -> String {
    let address = served.worker.url.strip_prefix("http://").expect("a URL");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = format!(
        "POST /api/v1/clients HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{{\"cli\r\n",
        firm.key
    );
    stream.write_all(head.as_bytes()).expect("the request is taken");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("a whole answer");
    answer
}

pub(super) fn a_trap_at_a_commit_saves_all_or_nothing(served: &Served) {
    for (fault, expected) in [("trap-before-commit", 0), ("trap-after-commit", 20)] {
        let firm = Firm::open(&served.http).expect("a firm");
        let clients: Vec<Value> = (0..20).map(|number| client(&format!("{fault}-{number}"))).collect();
        let request = firm.request("POST", "/clients").json(&json!({ "clients": clients }));
        let answer = send(&served.http, &with_fault(request, fault)).expect("an answer");
        assert_is_of_a_trap(served, &answer);
        assert_eq!(clients_of(served, fault), expected, "{fault}");
        assert_eq!(commits_of(served, &firm), i64::from(expected > 0), "{fault}");
        let again = firm.post_clients(&clients).expect("the next request is served");
        let status = if expected > 0 { "updated" } else { "created" };
        again.expect("/results/19/status", status).expect("no client is added twice");
        assert_eq!(clients_of(served, fault), 20, "{fault}");
    }
}

pub(super) fn a_trap_in_the_rate_limits_object_gives_the_same_500(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    let request = firm.request("POST", "/clients").json(&json!({"clients": [client("in-rate-limiter")]}));
    let answer = send(&served.http, &with_fault(request, "trap-in-rate-limiter")).expect("an answer");
    assert_is_of_a_trap(served, &answer);
    assert_eq!(clients_of(served, "in-rate-limiter"), 0);
    firm.create(&client("in-rate-limiter")).expect("the next request is served");
}

/// A body is under way in the first module meanwhile.
pub(super) fn a_trap_of_the_passkeys_module_gives_its_own_request_a_500(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    let link = firm.operator().call("POST", &format!("/logins/{}/link", firm.owner)).expect("a link");
    let link = link.text("/link/url").expect("an address");
    let (_, token) = link.split_once("/app/link/").expect("a path");
    let form = |path: &str, cookie: &str, form: &str| {
        let request = Request::new("POST", path).header("Sec-Fetch-Site", "same-origin").header("Cookie", cookie);
        served.http.exchange(&request.body(Body::Whole(form.as_bytes().to_vec()))).expect("an answer")
    };
    let signed_in = form(&format!("/app/link/{token}"), "", "");
    let cookie = signed_in.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a session");
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            let body = Body::Stalled { begun: b"{\"clients\":".to_vec(), length: 1_000 };
            let request = firm.request("POST", "/clients").header("Content-Type", "application/json").body(body);
            send(&served.http, &request).expect("an answer")
        });
        let add = |credential: &str| {
            let answer =
                form("/app/settings/passkeys", cookie, &format!("name=x&credential_id=AQID&credential={credential}"));
            let line = served.line_of(&answer);
            (answer.status, line["cause"].as_str().unwrap_or_default().to_owned())
        };
        while !other.is_finished() {
            let (status, cause) = add("trap");
            assert_eq!(status, 500);
            assert!(cause.starts_with("the module of passkeys: RuntimeError"), "{cause}");
            // The next one has an instance of its own, which refuses what is no credential.
            assert_eq!(add("none"), (303, String::new()));
        }
        let answer = other.join().expect("an answer");
        assert_eq!(answer.status, 408, "{}", answer.failure("the answer to a body that stalls"));
    });
}

pub(super) fn the_rate_limit_survives_a_trap(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    let left = || {
        let answer = firm.get("/me").and_then(Answer::ok).expect("an answer");
        let left = answer.header("ratelimit").and_then(|field| field.strip_prefix("\"default\";r=")?.split(';').next());
        left.and_then(|left| left.parse::<u32>().ok()).expect("what is left")
    };
    assert_eq!([left(), left(), left()], [9_999, 9_998, 9_997]);
    for (fault, expected) in [("trap", 9_996), ("trap-in-rate-limiter", 9_995)] {
        let answer = send(&served.http, &with_fault(firm.request("GET", "/me"), fault)).expect("an answer");
        assert_is_of_a_trap(served, &answer);
        assert_eq!(left(), expected, "after {fault}");
    }
}
