//! A process that is started for a measurement and ended by its id.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use rustix::{
    process::{Pid, Signal, kill_process},
    time::{ClockId, clock_gettime},
};

use crate::Outcome;

/// A process. It is killed when dropped.
pub struct Process {
    child: Child,
    output: BufReader<ChildStdout>,
}

/// The resident memory of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Now.
    pub megabytes: f64,
    /// The maximum since its start.
    pub peak_megabytes: f64,
}

impl Process {
    /// Starts it; its output is read with [`Process::line`].
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(command: &mut Command) -> Outcome<Self> {
        let name = command.get_program().display().to_string();
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| format!("{name} cannot be started: {error}"))?;
        let output = child.stdout.take().ok_or("a process has no output")?;
        Ok(Self { child, output: BufReader::new(output) })
    }

    /// The next line that it prints.
    ///
    /// # Errors
    /// When it ended.
    pub fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err("a process ended before it said what was expected".into()),
            _ => Ok(line),
        }
    }

    /// Its input.
    ///
    /// # Errors
    /// When its input is closed.
    pub fn input(&mut self) -> Outcome<&mut ChildStdin> {
        self.child.stdin.as_mut().ok_or_else(|| "a process reads no more".into())
    }

    /// The processor time of all its threads so far, with a resolution of 10 ms; `None` without `/proc`.
    #[must_use]
    pub fn processor_time(&self) -> Option<Duration> {
        processor_time(&fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?)
    }

    /// Its memory; `None` without `/proc`.
    #[must_use]
    pub fn memory(&self) -> Option<Memory> {
        memory(&fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?)
    }

    /// Sends SIGTERM and waits for its end.
    ///
    /// # Errors
    /// When it ends with another status than 0.
    pub fn stop(mut self) -> Outcome<()> {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).ok_or("a process has no id")?;
        kill_process(id, Signal::TERM)?;
        let status = self.child.wait()?;
        if status.success() { Ok(()) } else { Err(format!("a process ended with {status}").into()) }
    }

    /// Sends SIGKILL and waits for its end.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn kill(mut self) -> Outcome<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processor time of the current thread.
#[must_use]
pub fn thread_processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// From `/proc/…/stat`: the 14th and 15th words, in hundredths of a second. The second word is the program's
/// name in parentheses, which may contain any character.
fn processor_time(stat: &str) -> Option<Duration> {
    let after_name = stat.rsplit_once(')')?.1;
    let ticks: Vec<u64> = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse().ok()).collect();
    Some(Duration::from_millis(10 * (ticks.first()? + ticks.get(1)?)))
}

/// From `/proc/…/status`, whose values are in kibibytes.
fn memory(status: &str) -> Option<Memory> {
    let megabytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kibibytes * 1_024.0 / 1e6)
    };
    Some(Memory { megabytes: megabytes("VmRSS:")?, peak_megabytes: megabytes("VmHWM:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_past_any_name() {
        let stat = "4711 (a) b (c) S 1 4711 4711 0 -1 4194560 900 0 3 0 250 30 0 0 20 0 6 0 100 1000 200";
        assert_eq!(processor_time(stat), Some(Duration::from_millis(2_800)));
        assert_eq!(processor_time("4711 (cut"), None);
    }

    #[test]
    fn memory_is_read_in_megabytes() {
        let status = "Name:\tx\nVmHWM:\t    2000 kB\nVmRSS:\t    1000 kB\n";
        assert_eq!(memory(status), Some(Memory { megabytes: 1.024, peak_megabytes: 2.048 }));
        assert_eq!(memory("Name:\tx\n"), None);
    }

    #[test]
    fn the_threads_time_grows_with_work() {
        let before = thread_processor_time();
        let mut sum = 0_u64;
        while thread_processor_time() == before {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(thread_processor_time() > before);
    }
}
