//! Groups rows into requests.

use std::{collections::VecDeque, fmt::Write as _};

use sha2::{Digest as _, Sha256};

use crate::records::{ReadError, Record};

const OPENING: &str = "{\"clients\":[";
const CLOSING: &str = "]}";

/// The limits of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of rows.
    pub rows: usize,
    /// The maximum body length; a single longer row is still sent.
    pub bytes: usize,
}

/// Rows that are sent together, in their order.
#[derive(Debug, Default)]
pub struct Batch {
    /// The rows of one client each.
    groups: Vec<Vec<Record>>,
}

impl Batch {
    /// The rows, including those that cannot be sent.
    pub fn rows(&self) -> impl Iterator<Item = &Record> {
        self.groups.iter().flatten()
    }

    /// Whether it has no row, which means the end of the file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The body of the request; `None` if no row can be sent.
    #[must_use]
    pub fn body(&self) -> Option<String> {
        let clients: Vec<&str> = self.rows().filter_map(|row| row.sendable().ok()).collect();
        (!clients.is_empty()).then(|| format!("{OPENING}{}{CLOSING}", clients.join(",")))
    }

    /// The number of rows that can be sent.
    #[must_use]
    pub fn clients(&self) -> usize {
        self.rows().filter(|row| row.sendable().is_ok()).count()
    }

    /// The batch's `Idempotency-Key`: equal only for the same body of the same push. A batch of other rows
    /// never gets the saved response of this one.
    #[must_use]
    pub fn idempotency_key(&self, base: &str, body: &str) -> String {
        let first = self.rows().next().map_or(0, |row| row.number);
        format!("{base}-{first}-{}", hex(Sha256::digest(body).get(..8).unwrap_or_default()))
    }
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Rows that were read but not sent yet, before the rest of the file. Each item is the rows of one client.
pub struct Queue<'a> {
    waiting: VecDeque<Vec<Record>>,
    rest: Box<dyn Iterator<Item = Result<Vec<Record>, ReadError>> + 'a>,
}

impl<'a> Queue<'a> {
    /// All rows of a file, as groups of the rows of one client.
    pub fn new(rest: impl Iterator<Item = Result<Vec<Record>, ReadError>> + 'a) -> Self {
        Self { waiting: VecDeque::new(), rest: Box::new(rest) }
    }

    /// Skips rows that an earlier run sent.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn skip(&mut self, rows: u64) -> Result<(), ReadError> {
        let mut left = usize::try_from(rows).unwrap_or(usize::MAX);
        while left > 0 {
            let Some(mut group) = self.next()? else { break };
            if group.len() > left {
                self.waiting.push_front(group.split_off(left));
                break;
            }
            left -= group.len();
        }
        Ok(())
    }

    /// The next rows that fit into one request, at least one; empty at the end of the file. The rows of one
    /// client are divided only if they do not fit into any request.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn gather(&mut self, limits: Limits) -> Result<Batch, ReadError> {
        let mut batch = Batch::default();
        let (mut rows, mut bytes) = (0, OPENING.len() + CLOSING.len());
        while rows < limits.rows {
            let Some(mut group) = self.next()? else { break };
            let fitting = fitting(&group, limits.rows - rows, limits.bytes.saturating_sub(bytes));
            if fitting < group.len() {
                if batch.is_empty() {
                    let rest = group.split_off(fitting.max(1));
                    batch.groups.push(group);
                    group = rest;
                }
                if !group.is_empty() {
                    self.waiting.push_front(group);
                }
                break;
            }
            rows += group.len();
            bytes += group.iter().map(sent_bytes).sum::<usize>();
            batch.groups.push(group);
        }
        Ok(batch)
    }

    /// Puts back the rows of a batch that was too large.
    pub fn take_back(&mut self, batch: Batch) {
        for group in batch.groups.into_iter().rev() {
            self.waiting.push_front(group);
        }
    }

    fn next(&mut self) -> Result<Option<Vec<Record>>, ReadError> {
        match self.waiting.pop_front() {
            Some(group) => Ok(Some(group)),
            None => self.rest.next().transpose(),
        }
    }
}

/// How many rows of a group fit.
fn fitting(group: &[Record], rows: usize, bytes: usize) -> usize {
    let mut used = 0;
    let fits = |row: &&Record| {
        used += sent_bytes(row);
        used <= bytes
    };
    group.iter().take(rows).take_while(fits).count()
}

/// A row's length in the body, with a comma.
fn sent_bytes(row: &Record) -> usize {
    row.sendable().map_or(0, |client| client.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Original;

    fn row(number: u64, client: &str) -> Record {
        let original = Original::Object(client.to_owned());
        let client = Some(client.to_owned());
        Record {
            number,
            original,
            client,
            problems: Vec::new(),
            left_out: Vec::new(),
            is_short: false,
            is_windows_1252: false,
        }
    }

    fn numbers(batch: &Batch) -> Vec<u64> {
        batch.rows().map(|row| row.number).collect()
    }

    #[test]
    fn a_batch_ends_before_the_row_that_makes_it_too_large() {
        let mut rows = [row(2, "{}"), row(3, "{\"a\":1}"), row(4, "{}")].map(|row| Ok(vec![row])).into_iter();
        let mut queue = Queue::new(&mut rows);
        let limits = Limits { rows: 500, bytes: 20 };
        let batch = queue.gather(limits).unwrap();
        assert_eq!((numbers(&batch), batch.body().as_deref()), (vec![2], Some("{\"clients\":[{}]}")));
        let batch = queue.gather(limits).unwrap();
        assert_eq!(numbers(&batch), [3], "one row always fits");
        queue.take_back(batch);
        assert_eq!(numbers(&queue.gather(Limits { rows: 2, bytes: 99 }).unwrap()), [3, 4]);
        assert!(queue.gather(limits).unwrap().is_empty());
    }

    #[test]
    fn the_rows_of_a_client_are_divided_only_if_no_request_takes_them() {
        let groups = || {
            let numbers: [&[u64]; 3] = [&[2], &[3, 4, 5], &[6, 7, 8, 9]];
            numbers.map(|numbers| Ok(numbers.iter().map(|number| row(*number, "{}")).collect::<Vec<_>>())).into_iter()
        };
        let sent = |skipped: u64| {
            let mut groups = groups();
            let mut queue = Queue::new(&mut groups);
            queue.skip(skipped).unwrap();
            let mut batches = Vec::new();
            loop {
                let batch = queue.gather(Limits { rows: 3, bytes: 99 }).unwrap();
                if batch.is_empty() {
                    return batches;
                }
                batches.push(numbers(&batch));
            }
        };
        assert_eq!(sent(0), [vec![2], vec![3, 4, 5], vec![6, 7, 8], vec![9]]);
        assert_eq!(sent(2), [vec![4, 5], vec![6, 7, 8], vec![9]]);
    }

    #[test]
    fn rows_that_cannot_be_read_are_not_in_the_body() {
        let unreadable = Record { client: None, problems: vec!["why".to_owned()], ..row(3, "[]") };
        let batch = Batch { groups: vec![vec![unreadable.clone()], vec![row(4, "{}")]] };
        assert_eq!((batch.clients(), batch.body().as_deref()), (1, Some("{\"clients\":[{}]}")));
        assert_eq!(Batch { groups: vec![vec![unreadable]] }.body(), None);
    }

    #[test]
    fn another_body_has_another_key() {
        let batch = Batch { groups: vec![vec![row(2, "{}")]] };
        let key = batch.idempotency_key("base", "one");
        assert_eq!(key, batch.idempotency_key("base", "one"));
        assert_ne!(key, batch.idempotency_key("base", "two"));
        assert_ne!(key, batch.idempotency_key("other", "one"));
        assert!(key.len() <= 255 && key.starts_with("base-2-"), "{key}");
    }
}
