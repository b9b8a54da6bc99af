//! How far a long command is, on stderr: a bar where that is a terminal, else a line now and then.

use std::{
    cell::Cell,
    fmt::Write as _,
    io::IsTerminal as _,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::api_client::{ApiError, Wait};

/// Between two lines where there is no terminal.
const LINE_PAUSE: Duration = Duration::from_secs(30);
/// Between two drawings of the bar, so that the time left and a wait count down.
const TICK: Duration = Duration::from_millis(500);
/// Under the bar: what came of the rows, and what is waited for.
const WITH_TOTAL: &str =
    "{prefix}  {bar:24.cyan/dim} {percent:>3} %  {human_pos} of {human_len} rows  {rate}  {left}\n{msg}{wait}";
const WITHOUT_TOTAL: &str = "{prefix}  {human_pos} rows  {rate}\n{msg}{wait}";

/// A command's progress in rows.
pub(super) struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    total: Option<u64>,
    rows_before: Cell<u64>,
    began: Instant,
    last_line: Mutex<Instant>,
    waits: Arc<Mutex<Option<(Instant, String)>>>,
}

impl Progress {
    /// Of so many rows, if that is known; `name` is what is worked on.
    pub(super) fn new(name: String, total: Option<u64>) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let waits = Arc::<Mutex<Option<(Instant, String)>>>::default();
        let bar = ProgressBar::with_draw_target(total, target).with_prefix(name).with_style(style(total, &waits));
        if is_terminal {
            bar.enable_steady_tick(TICK);
        }
        let now = Instant::now();
        Self { bar, is_terminal, total, rows_before: Cell::new(0), began: now, last_line: Mutex::new(now), waits }
    }

    /// The rows that an earlier run had done: they say nothing of the rate.
    pub(super) fn go_on_from(&self, rows: u64) {
        self.rows_before.set(rows);
        self.bar.set_position(rows);
        self.bar.reset_eta();
    }

    /// So many rows are done, with these words on what came of them.
    pub(super) fn rows(&self, rows: u64, outcome: &str) {
        *self.waits.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.set_message(outcome.to_owned());
        self.bar.set_position(rows);
        if self.is_terminal {
            return;
        }
        let mut last_line = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        if last_line.elapsed() >= LINE_PAUSE {
            *last_line = Instant::now();
            eprintln!("{}", self.line(rows, outcome));
        }
    }

    /// A pause is made.
    pub(super) fn wait(&self, wait: &Wait) {
        let reason = match &wait.trouble {
            None => "keeping below the rate limit".to_owned(),
            Some(error @ ApiError::Refused { status: 429, .. }) => format!("{error}"),
            Some(error) => format!("{error} Trying again."),
        };
        if !self.is_terminal && wait.trouble.is_some() {
            eprintln!("{reason} Waiting {}.", time(wait.pause));
        }
        let until = Instant::now() + wait.pause;
        *self.waits.lock().unwrap_or_else(PoisonError::into_inner) = Some((until, reason));
        self.bar.tick();
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, rows: u64, outcome: &str) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        let done = rows.saturating_sub(self.rows_before.get());
        #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
        let rate = done as f64 / seconds.max(0.001);
        let mut line = format!("{} rows", HumanCount(rows));
        if let Some(total) = self.total {
            let _ = write!(line, " of {}", HumanCount(total));
            #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
            let left = total.saturating_sub(rows) as f64 / rate.max(0.001);
            let _ = write!(line, ", about {} left", time(Duration::from_secs_f64(left.min(1e9))));
        }
        line + ": " + outcome
    }
}

/// A rate that jumps with each answer is smoothed by the bar itself.
fn style(total: Option<u64>, waits: &Arc<Mutex<Option<(Instant, String)>>>) -> ProgressStyle {
    let waits = Arc::clone(waits);
    let wait = move |_: &ProgressState, output: &mut dyn std::fmt::Write| {
        let waits = waits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((until, reason)) = &*waits {
            let left = until.saturating_duration_since(Instant::now());
            let _ = write!(output, "\nwaiting {}: {reason}", time(left));
        }
    };
    let rate = |state: &ProgressState, output: &mut dyn std::fmt::Write| {
        let _ = write!(output, "{:.0} rows/s", state.per_sec());
    };
    let left = |state: &ProgressState, output: &mut dyn std::fmt::Write| {
        if state.pos() > 0 {
            let _ = write!(output, "{} left", time(state.eta()));
        }
    };
    let template = if total.is_some() { WITH_TOTAL } else { WITHOUT_TOTAL };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("━╸━").with_key("wait", wait).with_key("rate", rate).with_key("left", left)
}

/// A time for people: the two units that matter.
pub(super) fn time(time: Duration) -> String {
    // Half a second left is not none.
    let seconds = time.as_millis().div_ceil(1_000);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_two_units_that_matter() {
        let words = |milliseconds| time(Duration::from_millis(milliseconds));
        assert_eq!(words(0), "0 s");
        assert_eq!(words(400), "1 s");
        assert_eq!(words(61_000), "1 min 1 s");
        assert_eq!(words(7_260_000), "2 h 1 min");
    }

    #[test]
    fn a_line_says_how_far_it_is() {
        let mut progress = Progress::new("clients.csv".to_owned(), Some(60_000));
        progress.go_on_from(20_000);
        progress.began = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        let line = progress.line(30_000, "created 30,000");
        assert!(line.starts_with("30,000 rows of 60,000, about 3"), "{line}");
        assert!(line.ends_with(" s left: created 30,000"), "{line}");
    }
}
