//! A request in flight when its key's revocation is answered does not commit afterwards. This holds for
//! every way to revoke the key and every stage of the request (rules A7 and K6).

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use crate::support::{OPERATOR_TOKEN, Place, Serving, account, batch, run_json, text};
use rusqlite::Connection;
use serde_json::Value;

/// The service, its place and an account; its keys are made as they are needed.
struct Scene {
    place: Place,
    serving: Serving,
    account: String,
}

/// Who revokes a key.
type Revoke = fn(&Scene, &str);

/// The command line, in a process of its own on the same file, and the operator API.
const WAYS: [Revoke; 2] = [
    |scene, key| drop(scene.command(&["key", "revoke", key])),
    |scene, key| {
        let url = scene.serving.origin.as_str();
        run_json(&["key", "revoke", key, "--url", url, "--operator-token", OPERATOR_TOKEN]);
    },
];

impl Scene {
    fn new() -> Self {
        let place = Place::new();
        let (account, _) = account(&place.database());
        let serving = Serving::start(&place.database());
        Self { place, serving, account }
    }

    fn command(&self, arguments: &[&str]) -> Value {
        let database = self.place.database();
        run_json(&[arguments, &["--db", database.to_str().expect("a plain name")]].concat())
    }

    /// A new key: its id and the key.
    fn key(&self) -> (String, String) {
        let made = self.command(&["key", "create", "--account", &self.account]);
        (text(&made["key"]["id"]), text(&made["key"]["key"]))
    }

    /// How many commits were made with a key.
    fn commits_of(&self, key_id: &str) -> i64 {
        let connection = Connection::open(self.place.database()).expect("a connection");
        let sql = "select count(*) from commits where lower(hex(api_key_id)) = ?1";
        connection.query_row(sql, [key_id.replace('-', "")], |row| row.get(0)).expect("a count")
    }
}

#[test]
fn a_post_whose_body_is_still_coming_saves_nothing_once_its_key_is_revoked() {
    let scene = Scene::new();
    for (round, revoke) in WAYS.iter().cycle().take(4).enumerate() {
        let (id, key) = scene.key();
        // One that was never used, and one that is known well.
        if round >= 2 {
            assert_eq!(scene.serving.get(&key, "/api/v1/me").0, 200);
        }
        let body = batch((0..20).map(|row| format!("slow-{round}-{row}"))).to_string();
        let (sooner, later) = body.split_at(body.len() / 2);
        let mut stream = TcpStream::connect(scene.serving.origin.trim_start_matches("http://")).expect("a connection");
        let head = format!(
            "POST /api/v1/clients HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\
             expect: 100-continue\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        // It asks for the body: so the key was let in.
        let mut go_on = [0; 25];
        stream.read_exact(&mut go_on).expect("100 Continue");
        assert_eq!(go_on.as_slice(), b"HTTP/1.1 100 Continue\r\n\r\n");
        stream.write_all(sooner.as_bytes()).expect("sent");
        revoke(&scene, &id);
        stream.write_all(later.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        assert!(!answer.to_lowercase().contains("ratelimit"), "{answer}");
        assert_eq!(scene.commits_of(&id), 0);
    }
}

/// Posts wait for the writer while another process has the file, and that process is the one which
/// revokes their key.
#[test]
fn posts_that_wait_to_be_written_save_nothing_once_their_key_is_revoked() {
    let scene = Scene::new();
    for round in 0..3 {
        let (id, key) = scene.key();
        assert_eq!(scene.serving.get(&key, "/api/v1/me").0, 200);
        let other = Connection::open(scene.place.database()).expect("a connection");
        other.execute_batch("begin immediate").expect("the lock");
        let answers: Vec<u16> = thread::scope(|scope| {
            let posts: Vec<_> = (0..6)
                .map(|post| {
                    let (scene, key) = (&scene, &key);
                    scope.spawn(move || {
                        let body = batch((0..5).map(|row| format!("queued-{round}-{post}-{row}")));
                        scene.serving.post(key, "/api/v1/clients", &body).0
                    })
                })
                .collect();
            // Until they are in the queue; where one is late, it is refused all the same.
            thread::sleep(Duration::from_millis(300));
            let sql = "update api_keys set revoked_at = 1 where lower(hex(id)) = ?1";
            assert_eq!(other.execute(sql, [id.replace('-', "")]), Ok(1));
            other.execute_batch("commit").expect("revoked");
            posts.into_iter().map(|post| post.join().expect("an answer")).collect()
        });
        assert_eq!(answers, [401; 6]);
        assert_eq!(scene.commits_of(&id), 0);
    }
}

#[test]
fn nothing_is_committed_after_a_revocation_was_answered() {
    let scene = Scene::new();
    for (round, revoke) in WAYS.iter().cycle().take(8).enumerate() {
        let (id, key) = scene.key();
        let answered = AtomicUsize::new(0);
        let then = thread::scope(|scope| {
            for writer in 0..6 {
                let (scene, key, answered) = (&scene, &key, &answered);
                scope.spawn(move || {
                    for number in 0.. {
                        let body = batch((0..10).map(|row| format!("w{round}-{writer}-{number}-{row}")));
                        match scene.serving.post(key, "/api/v1/clients", &body).0 {
                            200 => answered.fetch_add(1, Ordering::Relaxed),
                            status => return assert_eq!(status, 401),
                        };
                    }
                });
            }
            while answered.load(Ordering::Relaxed) < 12 {
                thread::yield_now();
            }
            revoke(&scene, &id);
            scene.commits_of(&id)
        });
        // All who posted were refused at last; what was answered 200 was saved, and nothing since.
        assert_eq!(scene.commits_of(&id), then, "round {round}");
        let answered = i64::try_from(answered.into_inner()).expect("a small number");
        assert_eq!(answered, then, "round {round}: what was answered is what was saved");
    }
}
