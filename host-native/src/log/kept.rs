//! Lines that a thread keeps until it rests, so that one write takes many of them.
//!
//! A thread of the runtime rests as soon as it has nothing to do, so a line waits for the requests that
//! came with its own and for nothing else. Other threads never say that they rest; their lines are
//! written at once.

use std::{
    cell::RefCell,
    io::{self, Write as _},
};

/// A thread that never comes to rest writes when it has so much.
const KEPT_BYTES_MAX: usize = 16 * 1_024;

/// What one thread keeps.
struct Kept {
    lines: Vec<u8>,
    /// The thread says when it rests.
    rests: bool,
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept { lines: Vec::new(), rests: false }) };
}

/// Takes the line of one event.
pub(super) fn keep(line: &[u8]) {
    let kept = KEPT.try_with(|kept| {
        let mut kept = kept.try_borrow_mut().ok()?;
        kept.lines.extend_from_slice(line);
        if !kept.rests || kept.lines.len() >= KEPT_BYTES_MAX {
            kept.write();
        }
        Some(())
    });
    // At the thread's end.
    if !matches!(kept, Ok(Some(()))) {
        write(line);
    }
}

/// Writes what the calling thread keeps. For a thread that calls it each time before it rests, and
/// before it ends.
pub fn write_kept() {
    let _ = KEPT.try_with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut() {
            kept.rests = true;
            kept.write();
        }
    });
}

impl Kept {
    fn write(&mut self) {
        if !self.lines.is_empty() {
            write(&self.lines);
            self.lines.clear();
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.write();
    }
}

/// A service goes on where nobody reads its log.
fn write(lines: &[u8]) {
    let _ = io::stderr().lock().write_all(lines);
}
