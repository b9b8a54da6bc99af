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

/// Rows that are sent together, in the order of the file.
#[derive(Debug)]
pub struct Batch {
    /// The rows, including those that cannot be sent.
    pub rows: Vec<Record>,
}

impl Batch {
    /// The body of the request; `None` if no row can be sent.
    #[must_use]
    pub fn body(&self) -> Option<String> {
        let clients: Vec<&str> = self.rows.iter().filter_map(|row| row.sendable().ok()).collect();
        (!clients.is_empty()).then(|| format!("{OPENING}{}{CLOSING}", clients.join(",")))
    }

    /// The number of rows that can be sent.
    #[must_use]
    pub fn clients(&self) -> usize {
        self.rows.iter().filter(|row| row.sendable().is_ok()).count()
    }

    /// The batch's `Idempotency-Key`: equal only for the same body of the same push. A batch of other rows
    /// never gets the saved response of this one.
    #[must_use]
    pub fn idempotency_key(&self, base: &str, body: &str) -> String {
        let first = self.rows.first().map_or(0, |row| row.number);
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

/// Rows that were read but not sent yet, before the rest of the file.
pub struct Queue<'a> {
    waiting: VecDeque<Record>,
    rest: &'a mut dyn Iterator<Item = Result<Record, ReadError>>,
}

impl<'a> Queue<'a> {
    /// All rows of a file.
    pub fn new(rest: &'a mut dyn Iterator<Item = Result<Record, ReadError>>) -> Self {
        Self { waiting: VecDeque::new(), rest }
    }

    /// Skips rows that an earlier run sent.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn skip(&mut self, rows: u64) -> Result<(), ReadError> {
        for _ in 0..rows {
            self.next()?;
        }
        Ok(())
    }

    /// The next rows that fit into one request, at least one; empty at the end of the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn gather(&mut self, limits: Limits) -> Result<Batch, ReadError> {
        let mut rows = Vec::new();
        let mut bytes = OPENING.len() + CLOSING.len();
        while rows.len() < limits.rows {
            let Some(row) = self.next()? else { break };
            bytes += row.sendable().map_or(0, |client| client.len() + 1);
            if bytes > limits.bytes && !rows.is_empty() {
                self.waiting.push_front(row);
                break;
            }
            rows.push(row);
        }
        Ok(Batch { rows })
    }

    /// Puts back the rows of a batch that was too large.
    pub fn take_back(&mut self, batch: Batch) {
        for row in batch.rows.into_iter().rev() {
            self.waiting.push_front(row);
        }
    }

    fn next(&mut self) -> Result<Option<Record>, ReadError> {
        match self.waiting.pop_front() {
            Some(row) => Ok(Some(row)),
            None => self.rest.next().transpose(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Original;

    fn row(number: u64, client: &str) -> Record {
        let original = Original::Object(client.to_owned());
        let client = Some(client.to_owned());
        Record { number, original, client, problems: Vec::new(), is_short: false, is_windows_1252: false }
    }

    fn numbers(batch: &Batch) -> Vec<u64> {
        batch.rows.iter().map(|row| row.number).collect()
    }

    #[test]
    fn a_batch_ends_before_the_row_that_makes_it_too_large() {
        let mut rows = [row(2, "{}"), row(3, "{\"a\":1}"), row(4, "{}")].map(Ok).into_iter();
        let mut queue = Queue::new(&mut rows);
        let limits = Limits { rows: 500, bytes: 20 };
        let batch = queue.gather(limits).unwrap();
        assert_eq!((numbers(&batch), batch.body().as_deref()), (vec![2], Some("{\"clients\":[{}]}")));
        let batch = queue.gather(limits).unwrap();
        assert_eq!(numbers(&batch), [3], "one row always fits");
        queue.take_back(batch);
        assert_eq!(numbers(&queue.gather(Limits { rows: 2, bytes: 99 }).unwrap()), [3, 4]);
        assert!(queue.gather(limits).unwrap().rows.is_empty());
    }

    #[test]
    fn rows_that_cannot_be_read_are_not_in_the_body() {
        let unreadable = Record { client: None, problems: vec!["why".to_owned()], ..row(3, "[]") };
        let batch = Batch { rows: vec![unreadable.clone(), row(4, "{}")] };
        assert_eq!((batch.clients(), batch.body().as_deref()), (1, Some("{\"clients\":[{}]}")));
        assert_eq!(Batch { rows: vec![unreadable] }.body(), None);
    }

    #[test]
    fn another_body_has_another_key() {
        let batch = Batch { rows: vec![row(2, "{}")] };
        let key = batch.idempotency_key("base", "one");
        assert_eq!(key, batch.idempotency_key("base", "one"));
        assert_ne!(key, batch.idempotency_key("base", "two"));
        assert_ne!(key, batch.idempotency_key("other", "one"));
        assert!(key.len() <= 255 && key.starts_with("base-2-"), "{key}");
    }
}
