//! The progress of a long command on stderr: a bar on a terminal, otherwise a line at intervals.

use std::{
    io::IsTerminal as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{HumanCount, HumanFloatCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::rate::Rate;
use crate::api_client::Wait;

/// The time between two lines without a terminal.
const LINE_PAUSE: Duration = Duration::from_secs(30);
/// The time between two drawings of the bar, so that the remaining time counts down.
const TICK: Duration = Duration::from_millis(500);
/// Below the bar: the results of the rows, and the reason of a pause.
const WITH_TOTAL: &str =
    "{prefix}  {bar:24.cyan/dim} {percent:>3} %  {human_pos} of {human_len} rows{speed}\n{msg}{wait}";
const WITHOUT_TOTAL: &str = "{prefix}  {human_pos} rows{speed}{wait}";

/// A command's progress in rows.
pub(super) struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    seen: Arc<Mutex<Seen>>,
}

/// The state that the bar's drawing reads.
struct Seen {
    total: Option<u64>,
    rate: Rate,
    last_line: Instant,
    /// The end of a pause, and the failure that caused it, unless the rate limit did.
    wait: Option<(Instant, Option<String>)>,
}

impl Progress {
    /// Starts the progress of `name` with the total, if it is known. No bar is drawn if `is_among_rows`,
    /// because the rows themselves go to the terminal.
    pub(super) fn new(name: String, total: Option<u64>, is_among_rows: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal() && !is_among_rows;
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let now = Instant::now();
        let seen = Arc::new(Mutex::new(Seen { total, rate: Rate::new(now, 0), last_line: now, wait: None }));
        let bar = ProgressBar::with_draw_target(total, target).with_prefix(name).with_style(style(total, &seen));
        if is_terminal {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, is_terminal, seen }
    }

    /// Sets the rows that an earlier run finished.
    pub(super) fn go_on_from(&self, rows: u64) {
        self.seen().rate = Rate::new(Instant::now(), rows);
        self.bar.set_position(rows);
    }

    /// Sets how many rows are done, with a text on their results.
    pub(super) fn rows(&self, rows: u64, outcome: &str) {
        let now = Instant::now();
        let mut seen = self.seen();
        seen.wait = None;
        seen.rate.note(now, rows);
        if !self.is_terminal && now.saturating_duration_since(seen.last_line) >= LINE_PAUSE {
            seen.last_line = now;
            eprintln!("{}", seen.line(now, rows, outcome));
        }
        // Drawing takes the same lock.
        drop(seen);
        self.bar.set_message(outcome.to_owned());
        self.bar.set_position(rows);
    }

    /// Reports a pause.
    pub(super) fn wait(&self, wait: &Wait) {
        // A pause that only keeps the rate is not reported.
        if let (false, Some(error)) = (self.is_terminal, &wait.trouble) {
            eprintln!("{error} Trying again. Waiting {}.", time(wait.pause));
        }
        let trouble = wait.trouble.as_ref().map(ToString::to_string);
        self.seen().wait = Some((Instant::now() + wait.pause, trouble));
        self.bar.tick();
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    /// `25,800 of 60,000 rows, 903 rows/s, 38 s left: created …`
    fn line(&self, now: Instant, rows: u64, outcome: &str) -> String {
        let total = self.total.map(|total| format!(" of {}", HumanCount(total))).unwrap_or_default();
        let outcome = if outcome.is_empty() { String::new() } else { format!(": {outcome}") };
        format!("{}{total} rows{}{outcome}", HumanCount(rows), self.speed(now, ", "))
    }

    /// What the command waits for, and how much longer; `None` if it does not wait.
    fn waiting(&self, now: Instant) -> Option<String> {
        let (until, trouble) = self.wait.as_ref()?;
        let left = until.checked_duration_since(now).filter(|left| !left.is_zero()).map(time)?;
        Some(match trouble {
            None => format!("Waiting for the rate limit; continues in {left}."),
            Some(trouble) => format!("{trouble} Trying again in {left}."),
        })
    }

    fn speed(&self, now: Instant, separator: &str) -> String {
        let rate = self.rate.per_second(now).map(|rate| format!("{separator}{} rows/s", HumanFloatCount(rate.round())));
        // During a pause no rows finish, so the rate cannot estimate the remaining time.
        let total = self.total.filter(|_| self.waiting(now).is_none());
        let left = total.and_then(|total| self.rate.left(now, total));
        let left = left.map(|left| format!("{separator}{} left", time(left)));
        rate.into_iter().chain(left).collect()
    }
}

fn style(total: Option<u64>, seen: &Arc<Mutex<Seen>>) -> ProgressStyle {
    let look = |draw: fn(&Seen, Instant) -> String| {
        let seen = Arc::clone(seen);
        move |_: &ProgressState, output: &mut dyn std::fmt::Write| {
            let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = output.write_str(&draw(&seen, Instant::now()));
        }
    };
    let wait = look(|seen, now| seen.waiting(now).map(|waiting| format!("\n{waiting}")).unwrap_or_default());
    let template = if total.is_some() { WITH_TOTAL } else { WITHOUT_TOTAL };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let speed = look(|seen, now| seen.speed(now, "  "));
    // The rest of the bar is a thinner line, for terminals without colour.
    style.progress_chars("━╸─").with_key("wait", wait).with_key("speed", speed)
}

/// A duration for people, in its two largest units.
pub(super) fn time(time: Duration) -> String {
    // Rounded up: half a second is not shown as zero.
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
        let start = Instant::now();
        let now = start + Duration::from_secs(10);
        let mut seen = Seen { total: Some(60_000), rate: Rate::new(start, 20_000), last_line: start, wait: None };
        seen.rate.note(now, 30_000);
        let line = seen.line(now, 30_000, "created 30,000");
        assert_eq!(line, "30,000 of 60,000 rows, 1,000 rows/s, 30 s left: created 30,000");
        // During a pause the remaining time is unknown.
        seen.wait = Some((now + Duration::from_secs(42), None));
        assert_eq!(seen.speed(now, "  "), "  1,000 rows/s");
        assert_eq!(seen.waiting(now).as_deref(), Some("Waiting for the rate limit; continues in 42 s."));
        assert_eq!(seen.waiting(now + Duration::from_secs(42)), None);
        seen.wait = Some((now + Duration::from_secs(61), Some("It fails.".to_owned())));
        assert_eq!(seen.waiting(now).as_deref(), Some("It fails. Trying again in 1 min 1 s."));
        seen.wait = None;
        seen.total = None;
        assert_eq!(seen.line(now, 30_000, ""), "30,000 rows, 1,000 rows/s");
    }
}
