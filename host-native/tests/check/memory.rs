//! Long files stream: the memory of `check` is that of its duplicate finder.
//!
//! What a million clients take, in memory and time:
//!
//! ```sh
//! cargo test --release -p matterbook --test native a_million -- --ignored --nocapture
//! ```
#![cfg(target_os = "linux")]

use std::{
    io::Write as _,
    process::{Child, ChildStdin, Stdio},
    time::Instant,
};

use crate::support::matterbook;

/// A running `check -`, which is written to.
struct Checking {
    process: Child,
    input: ChildStdin,
}

impl Checking {
    fn start() -> Self {
        let mut command = matterbook(&["check", "-"]);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a start");
        let mut input = process.stdin.take().expect("a pipe");
        writeln!(input, "Client ID,First Name,Last Name,Address,City,State,Zip,Phone,Opened").expect("written");
        Self { process, input }
    }

    /// Writes rows; when it comes back, all but the last few thousand were judged, since a pipe holds few.
    fn write(&mut self, numbers: std::ops::Range<u32>, id: impl Fn(u32) -> u32) {
        let mut rows = Vec::new();
        for number in numbers {
            let id = id(number);
            writeln!(
                rows,
                "C-{id},Ana{},Specimenez{id},{id} North Oak Street,Boston,mass.,2134,(617) 555-0142,1/5/2026",
                id % 97
            )
            .expect("written");
            if rows.len() > 60_000 {
                self.input.write_all(&rows).expect("written");
                rows.clear();
            }
        }
        self.input.write_all(&rows).expect("written");
    }

    /// The most memory that the process had so far, in KiB.
    fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    fn finish(self) -> Option<i32> {
        let Self { mut process, input } = self;
        drop(input);
        process.wait().expect("an end").code()
    }
}

#[test]
fn memory_does_not_grow_with_the_rows_that_are_read() {
    let mut checking = Checking::start();
    checking.write(0..10_000, |number| number % 100);
    let before = checking.peak_kib();
    checking.write(10_000..60_000, |number| number % 100);
    let grown = checking.peak_kib() - before;
    assert_eq!(checking.finish(), Some(0));
    assert!(grown < 2_048, "{grown} KiB for 50,000 rows");
}

#[test]
#[ignore = "takes a minute unless it is built for release"]
fn a_million_clients_stream() {
    let begun = Instant::now();
    let mut checking = Checking::start();
    checking.write(0..1_000, |number| number);
    let before = checking.peak_kib();
    checking.write(1_000..1_000_000, |number| number);
    let peak = checking.peak_kib();
    assert_eq!(checking.finish(), Some(0));
    println!(
        "1,000,000 clients: {} MiB at the most, {} MiB of them beyond the first thousand; {:.1} s",
        peak / 1_024,
        (peak - before) / 1_024,
        begun.elapsed().as_secs_f64()
    );
    assert!(peak - before < 300 * 1_024, "{} KiB for a million clients", peak - before);
}
