//! The rows of a file on their way: in batches, tried out or saved.

use matterbook_import::{
    push::{BATCH_BYTES, BATCH_ROWS, Batch, Counts, Limits, Queue, Refused, Verdict, refused, verdicts},
    records::ReadError,
};
use serde_json::json;

use crate::{import::Problem, preview::Preview, refused::RefusedRow};

/// A pass over the rows of a file in requests.
pub(crate) struct Sending {
    queue: Queue<'static>,
    limits: Limits,
    batch: Option<Batch>,
    body: Vec<u8>,
    /// The prefix of the `Idempotency-Key` of each batch.
    base: String,
    counts: Counts,
    /// For a dry run, what the check of the file knows.
    preview: Option<Preview>,
}

impl Sending {
    /// Begins after the rows of these counts.
    pub(crate) fn new(
        mut queue: Queue<'static>,
        base: &str,
        counts: Counts,
        preview: Option<Preview>,
    ) -> Result<Self, ReadError> {
        queue.skip(counts.rows())?;
        let limits = Limits { rows: BATCH_ROWS, bytes: BATCH_BYTES };
        Ok(Self { queue, limits, batch: None, body: Vec::new(), base: base.to_owned(), counts, preview })
    }

    /// Gathers the next batch; `None` at the end of the file. Its body has no client if none of its rows can be sent.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, ReadError> {
        let batch = self.queue.gather(self.limits)?;
        if batch.is_empty() {
            self.batch = None;
            return Ok(None);
        }
        self.body = batch.body().unwrap_or_else(|| r#"{"clients":[]}"#.to_owned()).into_bytes();
        self.batch = Some(batch);
        Ok(Some(&self.body))
    }

    /// `{"from","rows","clients","key"}` of the batch: the rows of the file before it, its own, those that are sent,
    /// and its `Idempotency-Key`.
    pub(crate) fn batch_json(&self) -> String {
        let Some(batch) = &self.batch else { return "null".to_owned() };
        let key = batch.idempotency_key(&self.base, &String::from_utf8_lossy(&self.body));
        let (from, rows) = (self.counts.rows(), batch.rows().count());
        json!({"from": from, "rows": rows, "clients": batch.clients(), "key": key}).to_string()
    }

    /// Makes the batches smaller, because the service refused this one as too large. A single row is then refused.
    pub(crate) fn halve(&mut self) -> Vec<RefusedRow> {
        let Some(batch) = self.batch.take() else { return Vec::new() };
        if batch.clients() > 1 {
            self.limits.bytes = self.body.len() / 2;
            self.queue.take_back(batch);
            return Vec::new();
        }
        self.count(&batch, vec![Verdict::error("This row is longer than the service takes.".to_owned())])
    }

    /// Takes the answer to the batch; returns the rows that were not saved.
    pub(crate) fn answered(&mut self, body: &[u8]) -> Result<Vec<RefusedRow>, Problem> {
        let batch = self.batch.take().ok_or_else(|| Problem("There is no batch to be answered.".to_owned()))?;
        let answer = verdicts(body, batch.clients());
        let mut verdicts = match answer {
            Ok(Some(verdicts)) => verdicts,
            Ok(None) => return Err(self.distrust(batch, "it is no list of results.")),
            Err(why) => return Err(self.distrust(batch, &why)),
        };
        if let Some(preview) = &mut self.preview {
            preview.take(&batch, &mut verdicts);
        }
        Ok(self.count(&batch, verdicts))
    }

    fn distrust(&mut self, batch: Batch, why: &str) -> Problem {
        self.queue.take_back(batch);
        Problem(format!("The service's answer cannot be trusted: {why}"))
    }

    fn count(&mut self, batch: &Batch, verdicts: Vec<Verdict>) -> Vec<RefusedRow> {
        let refused = refused(batch, verdicts, &mut self.counts);
        let is_refused = |number| refused.iter().any(|refused| refused.row.number == number);
        let incomplete = batch.rows().filter(|row| !row.left_out.is_empty() && !is_refused(row.number)).count();
        self.counts.incomplete += u64::try_from(incomplete).unwrap_or(0);
        let row = |Refused { row, status, reason }: Refused<'_>| RefusedRow::new(row.number, status, &reason);
        refused.into_iter().map(row).collect()
    }

    /// The results so far.
    pub(crate) const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How many rows of a dry run change a settled date, by its year: `[[2025,3]]`.
    pub(crate) fn settled_years(&self) -> serde_json::Value {
        let years = self.preview.iter().flat_map(Preview::settled_years);
        years.map(|(year, rows)| json!([year, rows])).collect()
    }
}
