//! Who reads the write-ahead log, and so keeps it from being cut: the service's own reads, and other processes by
//! their locks.

use std::{fs, time::Duration};

/// The bytes of the index that SQLite's readers lock (`WAL_READ_LOCK` in its source).
const READ_LOCKS: std::ops::RangeInclusive<u64> = 123..=127;

/// A sentence about who reads: the oldest read of this process, and the others by the number of the index file.
pub(super) fn describe(own: Option<Duration>, index: Option<u64>, is_since: Option<Duration>) -> String {
    let mut readers = Vec::new();
    if let Some(read) = own {
        readers.push(format!("a read of this service, {} s old", read.as_secs()));
    }
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    let others = index.map(|index| processes(&locks, index)).unwrap_or_default();
    readers.extend(others.into_iter().filter(|process| *process != std::process::id()).map(|process| {
        let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
        match name.trim() {
            "" => format!("process {process}"),
            name => format!("process {process} ({name})"),
        }
    }));
    let who = match readers.as_slice() {
        [] => "another process, which fuser -v names for the -shm file".to_owned(),
        readers => readers.join(", "),
    };
    let since = is_since.map(|since| format!(" for {} s", since.as_secs())).unwrap_or_default();
    format!("it is held{since} by {who}")
}

/// The processes that hold a reader's lock on the file of that number, by the lines of `/proc/locks`:
/// `1: POSIX  ADVISORY  READ 3145 fe:00:1048623 124 124`.
fn processes(locks: &str, file: u64) -> Vec<u32> {
    let mut found: Vec<u32> = locks.lines().filter_map(|line| process(line, file)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn process(line: &str, file: u64) -> Option<u32> {
    let (_, lock) = line.split_once("POSIX")?;
    let mut words = lock.split_whitespace().skip(2);
    let (process, place, from, to) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let is_of_file = place.rsplit(':').next()?.parse() == Ok(file);
    let (from, to) = (from.parse::<u64>().ok()?, to.parse::<u64>().unwrap_or(u64::MAX));
    let is_reading = from <= *READ_LOCKS.end() && to >= *READ_LOCKS.start();
    // A process of another container is shown as 0 or -1.
    process.parse().ok().filter(|process| is_of_file && is_reading && *process > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_a_readers_lock_is_found() {
        let locks = "1: POSIX  ADVISORY  READ 3145 fe:00:77 124 124\n\
                     2: POSIX  ADVISORY  READ 3145 fe:00:77 128 128\n\
                     3: POSIX  ADVISORY  WRITE 12 fe:00:77 120 120\n\
                     4: POSIX  ADVISORY  READ 13 fe:00:78 124 124\n\
                     5: FLOCK  ADVISORY  WRITE 14 fe:00:77 0 EOF\n\
                     6: POSIX  ADVISORY  READ -1 fe:00:77 125 125\n";
        assert_eq!(processes(locks, 77), [3145]);
        assert_eq!(describe(Some(Duration::from_secs(5)), None, None), "it is held by a read of this service, 5 s old");
    }
}
