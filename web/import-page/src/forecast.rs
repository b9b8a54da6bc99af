//! What each row of a file was to become when a person looked at the comparison (rule G43). It takes four bytes a row,
//! so that the browser can keep it until the import ends.

use matterbook_import::push::{Verdict, VerdictStatus};
use sha2::{Digest as _, Sha256};

/// The forecasts of the rows, in the order in which they are sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forecast(Vec<RowForecast>);

/// What one row becomes: a kind, whether what it changes is known too, and a digest of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowForecast(u32);

const KINDS: u32 = 0b111;
/// What the row changes is known, because no earlier request of the file has to do with its client.
const EXACT: u32 = 0b1000;

const CREATED: u32 = 1;
const CHANGED: u32 = 2;
const UNCHANGED: u32 = 3;
const REFUSED: u32 = 4;

impl RowForecast {
    /// A row that is not sent.
    pub(crate) const UNSENDABLE: Self = Self(REFUSED | EXACT);

    pub(crate) fn of(verdict: &Verdict, is_exact: bool) -> Self {
        let changed = verdict.changed.as_deref();
        let kind = match verdict.status {
            VerdictStatus::Created => CREATED,
            VerdictStatus::Updated if changed.is_some_and(<[String]>::is_empty) => UNCHANGED,
            VerdictStatus::Updated => CHANGED,
            VerdictStatus::Conflict | VerdictStatus::Error => REFUSED,
        };
        if !is_exact {
            return Self(kind);
        }
        let changed = changed.unwrap_or_default().join(",");
        let digest = match kind {
            REFUSED => 0,
            _ => digest(&[verdict.id.as_deref().unwrap_or_default(), &changed]),
        };
        Self(kind | EXACT | (digest & !(KINDS | EXACT)))
    }

    /// Whether a row becomes what was forecast. Without exactness, only whether it is saved to a new client, to a known
    /// one or not at all is compared.
    pub(crate) fn is_kept_by(self, now: Self) -> bool {
        if self.0 & EXACT != 0 {
            return self.0 == now.0;
        }
        let is_of_known = |kind| kind == CHANGED || kind == UNCHANGED;
        let (kind, now) = (self.0 & KINDS, now.0 & KINDS);
        kind == now || is_of_known(kind) && is_of_known(now)
    }

    /// What it becomes, for the person at the page.
    pub(crate) const fn words(self) -> &'static str {
        match self.0 & KINDS {
            CREATED => "New client",
            CHANGED => "Changed",
            UNCHANGED => "As it was",
            REFUSED => "Refused",
            _ => "Not compared",
        }
    }
}

fn digest(texts: &[&str]) -> u32 {
    let digest = Sha256::digest(texts.join(" "));
    digest.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

impl Forecast {
    pub(crate) fn push(&mut self, row: RowForecast) {
        self.0.push(row);
    }

    /// The forecast of a row by its place; one that nothing keeps where there is none.
    pub(crate) fn row(&self, place: usize) -> RowForecast {
        self.0.get(place).copied().unwrap_or(RowForecast(0))
    }

    /// Replaces the forecasts of rows from a place on.
    pub(crate) fn replace(&mut self, from: usize, rows: &[RowForecast]) {
        let old = self.0.iter_mut().skip(from);
        old.zip(rows).for_each(|(old, new)| *old = *new);
    }

    /// As bytes, for the browser to keep.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|row| row.0.to_le_bytes()).collect()
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let (rows, _) = bytes.as_chunks();
        Self(rows.iter().map(|bytes| RowForecast(u32::from_le_bytes(*bytes))).collect())
    }
}
