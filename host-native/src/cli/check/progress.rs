//! The progress of reading a long file, on a terminal only.

use std::io::{IsTerminal as _, Write as _};

use indicatif::HumanCount;

/// The progress is printed after each this many rows.
const ROWS: u64 = 20_000;

/// A line on stderr that is overwritten.
pub(in crate::cli) struct Progress {
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    /// Shows nothing if `is_quiet`, because findings are printed meanwhile.
    pub(in crate::cli) fn new(is_quiet: bool) -> Self {
        Self { is_terminal: !is_quiet && std::io::stderr().is_terminal(), is_shown: false }
    }

    /// Shows how many rows were read, and the read part of the file if it is known.
    pub(in crate::cli) fn show(&mut self, rows: u64, (done, total): (u64, Option<u64>)) {
        if !self.is_terminal || rows == 0 || !rows.is_multiple_of(ROWS) {
            return;
        }
        let part = total.filter(|total| *total > 0).map(|total| format!(", {} %", (100 * done.min(total)) / total));
        let _ = write!(std::io::stderr(), "\r{} rows{}", HumanCount(rows), part.unwrap_or_default());
        self.is_shown = true;
    }

    /// Clears the line for other output.
    pub(in crate::cli) fn clear(&self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
