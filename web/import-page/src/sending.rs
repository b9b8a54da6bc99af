//! The rows of a file on their way: in batches, tried out or saved.

use matterbook_import::{
    mapping::Target,
    push::{BATCH_BYTES, BATCH_ROWS, Batch, Counts, Limits, Queue, Refused, Verdict, refused, verdicts},
    records::ReadError,
};
use serde_json::{Value, json};

use crate::{
    forecast::{Forecast, RowForecast},
    import::Problem,
    preview::Preview,
    refused::RefusedRow,
    words::{label, plain},
};

/// What a pass over the rows is for.
pub(crate) enum Purpose {
    /// A dry run.
    Preview(Box<Preview>),
    /// To save them, if they become what was forecast.
    Save(Forecast),
}

/// How many rows that become something else are shown.
const SHOWN: usize = 10;

/// A pass over the rows of a file in requests.
pub(crate) struct Sending {
    queue: Queue<'static>,
    limits: Limits,
    batch: Option<Batch>,
    body: Vec<u8>,
    /// The prefix of the `Idempotency-Key` of each batch.
    base: String,
    counts: Counts,
    purpose: Purpose,
    /// What the rows of the batch become now, where that is something else than forecast.
    now: Vec<RowForecast>,
}

impl Sending {
    /// Begins after the rows of these counts.
    pub(crate) fn new(
        mut queue: Queue<'static>,
        base: &str,
        counts: Counts,
        purpose: Purpose,
    ) -> Result<Self, ReadError> {
        queue.skip(counts.rows())?;
        let limits = Limits { rows: BATCH_ROWS, bytes: BATCH_BYTES };
        let base = base.to_owned();
        Ok(Self { queue, limits, batch: None, body: Vec::new(), base, counts, purpose, now: Vec::new() })
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
        if let Purpose::Preview(preview) = &mut self.purpose {
            preview.refuse(&batch);
        }
        self.count(&batch, vec![Verdict::error("This row is longer than the service takes.".to_owned())])
    }

    /// Takes the answer to the batch; returns the rows that were not saved.
    pub(crate) fn answered(&mut self, body: &[u8]) -> Result<Vec<RefusedRow>, Problem> {
        let batch = self.batch.take().ok_or_else(|| Problem("There is no batch to be answered.".to_owned()))?;
        let mut verdicts = match results(body, &batch) {
            Ok(verdicts) => verdicts,
            Err(problem) => {
                self.queue.take_back(batch);
                return Err(problem);
            }
        };
        if let Purpose::Preview(preview) = &mut self.purpose {
            // Another service has no effects, and nothing of it is known.
            preview.take(&batch, &mut verdicts, serde_json::from_slice(body).unwrap_or_default());
        }
        Ok(self.count(&batch, verdicts))
    }

    /// Compares a dry run of the batch with what was forecast: `{"rows","shown":[{"row","was","now","reason"}]}` of the
    /// rows that become something else.
    pub(crate) fn differences(&mut self, body: &[u8]) -> Result<Value, Problem> {
        let (Some(batch), Purpose::Save(forecast)) = (&self.batch, &self.purpose) else {
            return Err(Problem("There is no batch to be compared.".to_owned()));
        };
        let from = usize::try_from(self.counts.rows()).unwrap_or(usize::MAX);
        let mut verdicts = results(body, batch)?.into_iter();
        let (mut now, mut rows, mut shown) = (Vec::new(), 0_u64, Vec::new());
        for (place, row) in batch.rows().enumerate() {
            let verdict = row.sendable().ok().and_then(|_| verdicts.next());
            let found = verdict.as_ref().map_or(RowForecast::UNSENDABLE, |verdict| RowForecast::of(verdict, true));
            let was = forecast.row(from.saturating_add(place));
            now.push(found);
            if was.is_kept_by(found) {
                continue;
            }
            rows += 1;
            if shown.len() < SHOWN {
                let reason = verdict.as_ref().map(reason).unwrap_or_default();
                shown.push(json!({"row": row.number, "was": was.words(), "now": found.words(), "reason": reason}));
            }
        }
        self.now = now;
        Ok(json!({"rows": rows, "shown": shown}))
    }

    /// Takes what the rows of the batch become now for what was forecast.
    pub(crate) fn accept(&mut self) {
        let from = usize::try_from(self.counts.rows()).unwrap_or(usize::MAX);
        if let Purpose::Save(forecast) = &mut self.purpose {
            forecast.replace(from, &self.now);
        }
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

    /// What a dry run found besides the counts.
    pub(crate) fn preview(&self) -> Option<&Preview> {
        match &self.purpose {
            Purpose::Preview(preview) => Some(preview),
            Purpose::Save(_) => None,
        }
    }
}

fn results(body: &[u8], batch: &Batch) -> Result<Vec<Verdict>, Problem> {
    let distrust = |why: &str| Problem(format!("The service's answer cannot be trusted: {why}"));
    match verdicts(body, batch.clients()) {
        Ok(Some(verdicts)) => Ok(verdicts),
        Ok(None) => Err(distrust("it is no list of results.")),
        Err(why) => Err(distrust(&why)),
    }
}

/// Why a row is refused, or what it changes.
fn reason(verdict: &Verdict) -> String {
    if let Some(message) = &verdict.message {
        return plain(message);
    }
    let changed = verdict.changed.iter().flatten();
    let labels = changed.filter_map(|name| Target::from_name(name)).map(label);
    labels.collect::<Vec<_>>().join(", ")
}
