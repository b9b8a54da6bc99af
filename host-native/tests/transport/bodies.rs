//! The memory that bodies may take.

use std::{io::Write as _, thread::JoinHandle, time::Duration};

use matterbook::http::Limits;

use super::service::{LIMITS, MIB, Service, rest};

/// A server with memory for large bodies of 5 MiB, whose body and connection timeouts no test reaches.
fn with_five_mebibytes(room_timeout: Duration) -> Service {
    let minute = Duration::from_secs(60);
    Service::with(Limits {
        connections: 64,
        head_timeout: minute,
        body_timeout: minute,
        large_bodies_bytes: 5 * MIB,
        room_timeout,
        ..LIMITS
    })
}

/// Sends a body of a key, from another thread, since the server may leave it unread; its answer comes later.
fn send_body(service: &Service, path: &str, key: &str, bytes: usize) -> JoinHandle<String> {
    let mut stream = service.connect();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\nauthorization: {key}\r\nconnection: close\r\ncontent-length: {bytes}\r\n\r\n"
    );
    std::thread::spawn(move || {
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&vec![b'x'; bytes]);
        rest(stream)
    })
}

fn answer_of(answer: JoinHandle<String>) -> String {
    let answer = answer.join().expect("an answer");
    answer.rsplit("\r\n\r\n").next().expect("a body").to_owned()
}

#[test]
fn small_bodies_have_room_however_many_large_ones_wait() {
    let service = with_five_mebibytes(Duration::from_millis(300));
    let all = send_body(&service, "/hold", "a", 5 * MIB);
    service.wait_for_slow(1);
    assert_eq!(answer_of(send_body(&service, "/hold", "b", MIB)), "no room");
    for bytes in [0, 16 * 1_024, 100_000, 256 * 1_024] {
        assert_eq!(answer_of(send_body(&service, "/count", "b", bytes)), format!("counted {bytes}"));
    }
    service.slow.released.add_permits(1);
    assert_eq!(answer_of(all), format!("held {}", 5 * MIB));
    assert_eq!(answer_of(send_body(&service, "/count", "b", 5 * MIB)), format!("counted {}", 5 * MIB));
}

#[test]
fn two_large_bodies_of_a_key_leave_room_for_other_keys() {
    let service = with_five_mebibytes(Duration::from_millis(300));
    let held = [(); 2].map(|()| send_body(&service, "/hold", "a", MIB));
    service.wait_for_slow(2);
    assert_eq!(answer_of(send_body(&service, "/count", "a", MIB)), "no room");
    assert_eq!(answer_of(send_body(&service, "/count", "b", MIB)), format!("counted {MIB}"));
    service.slow.released.add_permits(2);
    for answer in held {
        assert_eq!(answer_of(answer), format!("held {MIB}"));
    }
    assert_eq!(answer_of(send_body(&service, "/count", "a", MIB)), format!("counted {MIB}"));
}
