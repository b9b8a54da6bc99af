//! What one caller may take of the service: connections, time, bytes (rules W1 to W7, W15 and W16).

use std::time::Duration;

/// The bounds of a server. They are not settings: the defaults suit one machine, and tests shorten
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections served at once. Past it, an idle one is evicted for a new one, or else the new one is
    /// answered 500 with `Retry-After`. Below the 1,024 files that a process may usually open.
    pub connections: usize,
    /// How long a connection has waited for a head before it may be evicted.
    pub idle_time_at_least: Duration,
    /// From a connection's opening, or the end of its last answer, to the end of the next head.
    /// Past it the connection is closed.
    pub head_timeout: Duration,
    /// From the start of reading a body to its end. Past it the answer is 408.
    pub body_timeout: Duration,
    /// The most bytes of bodies up to 256 KiB that are held at once, from before they are read to their
    /// answers. More than one caller can hold within the usual rate limit and the body's time.
    pub small_bodies_bytes: usize,
    /// The most bytes of larger bodies.
    pub large_bodies_bytes: usize,
    /// How long a request waits for memory for its body. Past it the answer is 500 with `Retry-After`.
    pub room_timeout: Duration,
    /// How long a caller may take to read its answers, besides what the next limit gives.
    pub answer_timeout: Duration,
    /// Each of so many bytes of its answers gives a caller a second more.
    pub answer_bytes_per_second: u32,
    /// The most bytes of answers that wait for their callers to take them. Past it, slow readers are evicted:
    /// of the account whose answers take most.
    pub answers_bytes: usize,
    /// The most connections on which an answer to a request without a key waits to be taken. Past it, the one
    /// that has waited longest is evicted.
    pub stranger_answers: usize,
    /// The socket's buffer for answers. A larger one would hold what a slow reader leaves unread, uncounted.
    pub send_buffer_bytes: usize,
    /// The most failed authentications in a minute from one address.
    pub failures_of_address: u32,
    /// The most from all addresses together.
    pub failures: u32,
    /// How long the unread rest of a body is drained, so that the answer arrives.
    pub drain_timeout: Duration,
    /// How much of such a rest is drained.
    pub drain_bytes: u64,
    /// How long a stopping server waits for what it accepted.
    pub stop_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 768,
            idle_time_at_least: Duration::from_secs(1),
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            small_bodies_bytes: 40 * 1_024 * 1_024,
            large_bodies_bytes: 64 * 1_024 * 1_024,
            room_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(30),
            answer_bytes_per_second: 16 * 1_024,
            answers_bytes: 64 * 1_024 * 1_024,
            stranger_answers: 64,
            send_buffer_bytes: 128 * 1_024,
            failures_of_address: 2_000,
            failures: 10_000,
            drain_timeout: Duration::from_secs(5),
            drain_bytes: 32 * 1_024 * 1_024,
            stop_timeout: Duration::from_secs(30),
        }
    }
}
