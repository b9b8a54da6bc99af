//! Lines that a thread keeps until it rests, so that one write takes many of them.
//!
//! A thread of the runtime rests as soon as it has nothing to do, so a line waits for the requests that
//! came with its own and for nothing else. Other threads never say that they rest; their lines are
//! written at once.

use std::{cell::RefCell, io::Write as _};

/// A thread that never comes to rest writes when it has so much.
const KEPT_BYTES_MAX: usize = 16 * 1_024;

/// What one thread keeps.
struct Kept {
    lines: Vec<u8>,
    /// How much of it are whole lines: what was being added when something panicked is not.
    whole_bytes: usize,
    /// The thread says when it rests.
    rests: bool,
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept { lines: Vec::new(), whole_bytes: 0, rests: false }) };
}

/// Adds the line that `push` appends.
pub(super) fn keep(push: impl Fn(&mut Vec<u8>)) {
    let kept = KEPT.try_with(|kept| {
        let mut kept = kept.try_borrow_mut().ok()?;
        let whole_bytes = kept.whole_bytes;
        kept.lines.truncate(whole_bytes);
        push(&mut kept.lines);
        kept.whole_bytes = kept.lines.len();
        if !kept.rests || kept.whole_bytes >= KEPT_BYTES_MAX {
            kept.write();
        }
        Some(())
    });
    // An event while another is put into words, or at the thread's end.
    if !matches!(kept, Ok(Some(()))) {
        let mut line = Vec::new();
        push(&mut line);
        write(&line);
    }
}

/// Writes what the calling thread keeps. For a thread that calls it each time before it rests, and
/// before it ends.
pub(crate) fn write_kept() {
    let _ = KEPT.try_with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut() {
            kept.rests = true;
            kept.write();
        }
    });
}

impl Kept {
    fn write(&mut self) {
        self.lines.truncate(self.whole_bytes);
        if !self.lines.is_empty() {
            write(&self.lines);
            self.lines.clear();
            self.whole_bytes = 0;
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
    let _ = std::io::stderr().lock().write_all(lines);
}
