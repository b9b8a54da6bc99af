//! Driving a future that never waits.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

/// Drives to its end a future whose every step is done by the time it is asked, as the store's is
/// over a driver that calls SQLite directly.
pub(super) fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}
