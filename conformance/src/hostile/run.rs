//! What comes of a shape.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{Shutdown, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{Caller, Shape, SocketAction};

/// What came of a shape.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The statuses of the answers, in order.
    pub statuses: Vec<u16>,
    /// All that came.
    pub answer: String,
    /// Until the last of the answers; `None` where none came.
    pub answered: Option<Duration>,
    /// Until the end of the connection, or until enough came; the caller's patience where neither came.
    pub took: Duration,
    /// The service ended the connection.
    pub is_closed: bool,
    /// The longest that another caller waited for `GET /me` meanwhile; `None` where it was once not served.
    pub others_waited: Option<Duration>,
}

impl Shape {
    /// Does it until the connection ends or what came is enough, while another caller asks again and again.
    ///
    /// # Errors
    /// When the service takes no connection.
    pub fn run(&self, caller: &Caller, is_enough: impl Fn(&str) -> bool) -> std::io::Result<Outcome> {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let other = scope.spawn(|| {
                let mut longest = Some(Duration::ZERO);
                // Once at least, and once after the shape has begun.
                loop {
                    let was_over = is_over.load(Ordering::Relaxed);
                    longest = caller.ask_me().zip(longest).map(|(one, longest)| one.max(longest));
                    if was_over || longest.is_none() {
                        return longest;
                    }
                    thread::sleep(caller.pause);
                }
            });
            let outcome = self.send(caller, is_enough);
            is_over.store(true, Ordering::Relaxed);
            let others_waited = other.join().ok().flatten();
            Ok(Outcome { others_waited, ..outcome? })
        })
    }

    fn send(&self, caller: &Caller, is_enough: impl Fn(&str) -> bool) -> std::io::Result<Outcome> {
        let stream = caller.connect()?;
        let began = Instant::now();
        let is_over = AtomicBool::new(false);
        Ok(thread::scope(|scope| {
            scope.spawn(|| (self.sends)(caller).iter().all(|step| step.go(&stream, &is_over)));
            let (mut came, mut answered, mut is_closed) = (Vec::new(), None, true);
            let mut space = [0; 64 * 1_024];
            loop {
                match (&stream).read(&mut space) {
                    Ok(0) => break,
                    Ok(count) => came.extend(space.iter().take(count)),
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                        is_closed = false;
                        break;
                    }
                    // A reset after the answer is an end too.
                    Err(_) => break,
                }
                answered = Some(began.elapsed());
                if is_enough(&String::from_utf8_lossy(&came)) {
                    is_closed = false;
                    break;
                }
            }
            let took = began.elapsed();
            is_over.store(true, Ordering::Relaxed);
            let _ = stream.shutdown(Shutdown::Both);
            let answer = String::from_utf8_lossy(&came).into_owned();
            Outcome { statuses: statuses(&answer), answer, answered, took, is_closed, others_waited: None }
        }))
    }
}

impl SocketAction {
    /// Whether the service still listens.
    fn go(&self, mut stream: &TcpStream, is_over: &AtomicBool) -> bool {
        match self {
            Self::Send(bytes) => stream.write_all(bytes).is_ok(),
            Self::Trickle(bytes, pause) => {
                while !is_over.load(Ordering::Relaxed) {
                    if stream.write_all(bytes).is_err() {
                        return false;
                    }
                    thread::sleep(*pause);
                }
                false
            }
            Self::ShutDown => stream.shutdown(Shutdown::Write).is_ok(),
        }
    }
}

/// The statuses of the answers in what came, without those that only say to go on.
///
/// ```
/// use matterbook_conformance::hostile::statuses;
///
/// assert_eq!(statuses("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 408 Request Timeout\r\n\r\n"), [408]);
/// ```
#[must_use]
pub fn statuses(answer: &str) -> Vec<u16> {
    answers(answer).map(|(status, _)| status).collect()
}

/// The bodies of the answers in what came, in order. None of a service's bodies says `HTTP/1.1`.
///
/// ```
/// use matterbook_conformance::hostile::bodies;
///
/// assert_eq!(bodies("HTTP/1.1 200 OK\r\n\r\n{}HTTP/1.1 400 Bad Request\r\n\r\nNo."), ["{}", "No."]);
/// ```
#[must_use]
pub fn bodies(answer: &str) -> Vec<&str> {
    answers(answer).map(|(_, text)| text.split_once("\r\n\r\n").map_or("", |(_, body)| body)).collect()
}

/// The heads of the answers in what came, in order, from the status on.
///
/// ```
/// use matterbook_conformance::hostile::heads;
///
/// assert_eq!(heads("HTTP/1.1 200 OK\r\nx: y\r\n\r\n{}"), ["200 OK\r\nx: y"]);
/// ```
#[must_use]
pub fn heads(answer: &str) -> Vec<&str> {
    answers(answer).map(|(_, text)| text.split_once("\r\n\r\n").map_or(text, |(head, _)| head)).collect()
}

/// Whether an answer puts a session into the browser. One that takes it away has no value.
///
/// ```
/// use matterbook_conformance::hostile::begins_session;
///
/// assert!(begins_session("HTTP/1.1 303 See Other\r\nset-cookie: __Host-matterbook=AB; Secure\r\n\r\n"));
/// assert!(!begins_session("HTTP/1.1 303 See Other\r\nset-cookie: __Host-matterbook=; Secure\r\n\r\n"));
/// ```
#[must_use]
pub fn begins_session(answer: &str) -> bool {
    heads(answer).iter().any(|head| {
        let rest = head.split_once("__Host-matterbook=").map(|(_, rest)| rest);
        rest.is_some_and(|rest| !rest.starts_with(';'))
    })
}

/// Each answer's status, and its text after the version.
fn answers(answer: &str) -> impl Iterator<Item = (u16, &str)> {
    let texts = answer.split("HTTP/1.1 ").skip(1);
    texts.filter_map(|text| Some((text.get(..3)?.parse().ok()?, text))).filter(|(status, _)| *status != 100)
}
