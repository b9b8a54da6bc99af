//! What the terminal is like.

/// How many characters a line of the terminal on stdout has; `None` where stdout is none.
pub(super) fn width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}
