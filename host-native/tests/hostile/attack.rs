//! One attack: what is sent, and what came of it.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{Shutdown, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::target::Target;

/// A way to do harm over one connection.
pub struct Attack {
    /// In a caller's words.
    pub name: &'static str,
    /// What it sends.
    pub sends: fn(&Target) -> Vec<Step>,
    /// The statuses of the answers that it gets, in order; none where it is only cut off.
    pub gets: &'static [u16],
    /// Whether the connection stays open for another request.
    pub goes_on: bool,
    /// Within how long it is answered or cut off.
    pub within: fn(&Target) -> Duration,
}

/// A part of what is sent.
pub enum Step {
    Send(Vec<u8>),
    /// These bytes again and again, so long apart, until the service has had enough.
    Trickle(Vec<u8>, Duration),
    /// Nothing more comes, and says so.
    ShutDown,
}

/// What came of an attack.
#[derive(Debug)]
pub struct Outcome {
    pub statuses: Vec<u16>,
    /// All that came.
    pub answer: String,
    /// Until the last answer, where the connection goes on, or until the end of the connection.
    pub took: Duration,
    /// The longest that another caller waited for `GET /me` meanwhile; `None` where it was once not served.
    pub others_waited: Option<Duration>,
}

impl Attack {
    /// Does it, while another caller asks again and again.
    pub fn run(&self, target: &Target) -> Outcome {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let other = scope.spawn(|| {
                let mut longest = Some(Duration::ZERO);
                // Once at least, and once after the attack has begun.
                loop {
                    let was_over = is_over.load(Ordering::Relaxed);
                    longest = target.ask_me().zip(longest).map(|(one, longest)| one.max(longest));
                    if was_over || longest.is_none() {
                        return longest;
                    }
                    thread::sleep(Duration::from_millis(5));
                }
            });
            let (answer, took) = self.send(target);
            is_over.store(true, Ordering::Relaxed);
            let others_waited = other.join().expect("no panic");
            Outcome { statuses: statuses(&answer), answer, took, others_waited }
        })
    }

    fn send(&self, target: &Target) -> (String, Duration) {
        let stream = target.connect();
        let began = Instant::now();
        let is_closed = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for step in (self.sends)(target) {
                    if !step.go(&stream, &is_closed) {
                        return;
                    }
                }
            });
            let mut answer = Vec::new();
            let mut space = [0; 64 * 1_024];
            loop {
                match (&stream).read(&mut space) {
                    Ok(0) => break,
                    Ok(count) => answer.extend_from_slice(&space[..count]),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    // A reset after the answer is an end too.
                    Err(_) => break,
                }
                let is_all = statuses(&String::from_utf8_lossy(&answer)).len() == self.gets.len();
                if self.goes_on && is_all && answer.ends_with(b"}") {
                    break;
                }
            }
            let took = began.elapsed();
            is_closed.store(true, Ordering::Relaxed);
            let _ = stream.shutdown(Shutdown::Both);
            (String::from_utf8_lossy(&answer).into_owned(), took)
        })
    }
}

impl Step {
    /// Whether the service still listens.
    fn go(&self, mut stream: &TcpStream, is_closed: &AtomicBool) -> bool {
        match self {
            Self::Send(bytes) => stream.write_all(bytes).is_ok(),
            Self::Trickle(bytes, pause) => {
                while !is_closed.load(Ordering::Relaxed) {
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
pub fn statuses(answer: &str) -> Vec<u16> {
    let heads = answer.match_indices("HTTP/1.1 ").filter_map(|(at, _)| answer.get(at + 9..at + 12)?.parse().ok());
    heads.filter(|status| *status != 100).collect()
}
