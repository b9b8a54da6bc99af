//! The loss of power: a disk keeps what was synced, and of what was not any part, down to single sectors.
//!
//! The service runs on a disk that writes down every write and sync. Afterwards the files are made as they
//! may have been at many moments: all that was synced by then, and a part of the rest, drawn from a seed.
//! In each of them SQLite must find a whole database with every batch that had been answered 200 by then.
//!
//! More moments, with figures:
//!
//! ```sh
//! POWER_CUTS=500 CRASH_SEED=1 cargo test --release -p matterbook --test native disk::power -- --nocapture
//! ```

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use rusqlite::{Connection, OpenFlags};

use super::library::{Disk, Which};
use crate::support::{account, batch};

const POSTERS: usize = 4;
/// More are posted until the log was copied: how much of it a commit writes depends on how many wait for it.
const BATCHES: usize = 140;
const BATCH_ROWS: usize = 150;
/// What a disk writes wholly or not at all.
const SECTOR_BYTES: usize = 512;

/// One line of the record.
#[derive(Clone, Debug)]
enum Line {
    Write { offset: usize, bytes: Vec<u8> },
    Truncate { length: usize },
    Sync,
}

/// What was written to which file, and where the record ends after it.
struct Entry {
    file: Which,
    line: Line,
    end: usize,
}

fn read_record(bytes: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let word = |index: usize| {
            let word = bytes[at + 8 * index..][..8].try_into().expect("eight bytes");
            usize::try_from(u64::from_ne_bytes(word)).expect("a size")
        };
        let (kind, file, offset, length) = (word(0), word(1), word(2), word(3));
        let data = &bytes[at + 32..][..length];
        at += 32 + length;
        let line = match kind {
            1 => Line::Write { offset, bytes: data.to_vec() },
            2 => Line::Truncate { length: offset },
            _ => Line::Sync,
        };
        let file = match file {
            1 => Which::Database,
            2 => Which::Log,
            _ => continue,
        };
        entries.push(Entry { file, line, end: at });
    }
    entries
}

/// A file as the disk has it, and what was written to it since its last sync.
#[derive(Clone, Default)]
struct OnDisk<'r> {
    synced: Vec<u8>,
    since: Vec<&'r Line>,
}

fn apply(image: &mut Vec<u8>, line: &Line) {
    match line {
        Line::Write { offset, bytes } => {
            if image.len() < offset + bytes.len() {
                image.resize(offset + bytes.len(), 0);
            }
            image[*offset..][..bytes.len()].copy_from_slice(bytes);
        }
        Line::Truncate { length } => image.resize(*length, 0),
        Line::Sync => {}
    }
}

impl<'r> OnDisk<'r> {
    fn take(&mut self, line: &'r Line) {
        if matches!(line, Line::Sync) {
            for line in self.since.drain(..) {
                apply(&mut self.synced, line);
            }
        } else {
            self.since.push(line);
        }
    }

    /// The file after the power came back.
    fn left(&self, loss: Loss, random: &mut fastrand::Rng) -> Vec<u8> {
        let mut image = self.synced.clone();
        let prefix = random.usize(..self.since.len() + 1);
        for (number, line) in self.since.iter().enumerate() {
            let is_kept = match loss {
                Loss::All => false,
                Loss::Nothing => true,
                Loss::Tail => number < prefix,
                Loss::Some | Loss::Sectors => random.bool(),
            };
            match line {
                Line::Write { offset, bytes } if loss == Loss::Sectors => {
                    for (sector, part) in bytes.chunks(SECTOR_BYTES).enumerate() {
                        if random.bool() {
                            let line = Line::Write { offset: offset + sector * SECTOR_BYTES, bytes: part.to_vec() };
                            apply(&mut image, &line);
                        }
                    }
                }
                line if is_kept => apply(&mut image, line),
                _ => {}
            }
        }
        image
    }
}

/// What becomes of the writes that were not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    All,
    Nothing,
    /// The last ones.
    Tail,
    /// Any.
    Some,
    /// Any sectors of any.
    Sectors,
}

const LOSSES: [Loss; 5] = [Loss::All, Loss::Nothing, Loss::Tail, Loss::Some, Loss::Sectors];

/// The clients of each batch in a database that SQLite found whole.
fn batches(file: &Path) -> Result<HashMap<usize, usize>, String> {
    let read = || -> rusqlite::Result<(String, Vec<String>)> {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let verdict = connection.query_row("pragma integrity_check", [], |row| row.get(0))?;
        let mut statement = connection.prepare("select external_id from clients")?;
        let ids = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok((verdict, ids))
    };
    let (verdict, ids) = read().map_err(|error| error.to_string())?;
    if verdict != "ok" {
        return Err(verdict);
    }
    let mut found = HashMap::new();
    for id in ids {
        let number = id.split('-').next().and_then(|number| number.parse().ok()).ok_or("a strange client")?;
        *found.entry(number).or_default() += 1;
    }
    Ok(found)
}

/// A run of the service.
struct Recorded {
    /// The database when it began, all of it on the disk.
    begun: Vec<u8>,
    /// How long the record was when each batch had been answered.
    answered: BTreeMap<usize, usize>,
    record: Vec<u8>,
}

/// Posts batches from several connections on a recorded disk.
fn record(disk: &Disk) -> Recorded {
    let (_, key) = account(&disk.place.database());
    let begun = fs::read(disk.place.database()).expect("the database");
    let file = disk.place.file("record");
    let serving = disk.serve_recorded(&file);
    let is_copied = || fs::metadata(disk.place.database()).expect("the database").len() > begun.len() as u64;
    let next = AtomicUsize::new(0);
    let answered = thread::scope(|scope| {
        let posters: Vec<_> = (0..POSTERS)
            .map(|_| {
                scope.spawn(|| {
                    let mut answered = Vec::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        // The file grows while the log is copied; the next batch is answered after the copy.
                        let is_last = number + 1 >= BATCHES && is_copied();
                        let clients = batch((0..BATCH_ROWS).map(|row| format!("{number}-{row}")));
                        let (status, answer) = serving.post(&key, "/api/v1/clients", &clients);
                        assert_eq!(status, 200, "{answer}");
                        let length = fs::metadata(&file).expect("the record").len();
                        answered.push((number, usize::try_from(length).expect("a length")));
                        if is_last {
                            return answered;
                        }
                    }
                })
            })
            .collect();
        posters.into_iter().flat_map(|poster| poster.join().expect("no panic")).collect()
    });
    drop(serving);
    Recorded { begun, answered, record: fs::read(&file).expect("the record") }
}

#[test]
fn what_was_answered_is_there_after_a_loss_of_power() {
    let cuts: usize = std::env::var("POWER_CUTS").map_or(40, |text| text.parse().expect("POWER_CUTS is a number"));
    let seed = std::env::var("CRASH_SEED").map_or(1, |text| text.parse().expect("CRASH_SEED is a number"));
    let disk = Disk::new();
    let Recorded { begun, answered, record } = record(&disk);
    let record = read_record(&record);
    let copies =
        record.iter().filter(|entry| entry.file == Which::Database && matches!(entry.line, Line::Sync)).count();
    assert!(copies >= 1, "the log was copied into the file at least once");

    let mut random = fastrand::Rng::with_seed(seed);
    // Every other moment is one at which the log is being copied.
    let copying: Vec<usize> = (0..record.len()).filter(|number| record[*number].file == Which::Database).collect();
    let mut moments: Vec<usize> = (0..cuts)
        .map(|cut| if cut % 2 == 0 { random.usize(..record.len()) } else { copying[random.usize(..copying.len())] })
        .collect();
    moments.sort_unstable();

    let begun = OnDisk { synced: begun, since: Vec::new() };
    let mut files = [(Which::Database, begun), (Which::Log, OnDisk::default())];
    let (mut taken, mut states, mut kept) = (0, 0, 0);
    let place = disk.place.file("after");
    for moment in moments {
        for entry in &record[taken..=moment] {
            let (_, file) = files.iter_mut().find(|(file, _)| *file == entry.file).expect("one of the two");
            file.take(&entry.line);
        }
        taken = moment + 1;
        let due: Vec<usize> =
            answered.iter().filter(|(_, length)| **length <= record[moment].end).map(|(number, _)| *number).collect();
        for loss in LOSSES {
            let _ = fs::remove_dir_all(&place);
            fs::create_dir(&place).expect("a directory");
            let [database, log] = [&files[0].1, &files[1].1].map(|file| file.left(loss, &mut random));
            fs::write(place.join("m.db"), database).expect("written");
            fs::write(place.join("m.db-wal"), log).expect("written");
            let context = format!("seed {seed}, after write {moment}, losing {loss:?}");
            let found = batches(&place.join("m.db")).unwrap_or_else(|problem| panic!("{context}: {problem}"));
            for number in &due {
                assert_eq!(found.get(number), Some(&BATCH_ROWS), "{context}: batch {number} was answered 200");
            }
            assert!(found.values().all(|rows| *rows == BATCH_ROWS), "{context}: a batch is there by half");
            states += 1;
            kept += due.len();
        }
    }
    println!(
        "{cuts} losses of power, {states} states of the files, {copies} copies of the log: \
         {kept} answered batches looked for, all there; no batch by half"
    );
}
