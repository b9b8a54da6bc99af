//! What would happen to each row if the file were sent, from the service's dry run and the check of the file
//! (rule G43, decision 0108).
//!
//! A dry run saves nothing, so no request sees what the one before it would have made. The check sees the rows of all
//! requests, and learns the saved clients from the dry run.

use std::collections::{HashMap, HashSet};

use matterbook_core::{
    chrono::NaiveDate,
    client::{ClientFields, parse_client},
    uuid::Uuid,
};
use matterbook_import::{
    check::{ByClient, Judge, RowClient, Status},
    push::{Batch, Verdict, VerdictStatus},
    records::Record,
};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    forecast::{Forecast, RowForecast},
    settlements::Settlements,
};

/// What the service answers to a preview besides the results (rule G31).
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Effects {
    known: Vec<KnownClient>,
}

#[derive(Debug, Deserialize)]
struct KnownClient {
    id: Uuid,
    external_id: Option<String>,
    aliases: Vec<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    address_line1: Option<String>,
    address_line2: Option<String>,
    zip: Option<String>,
    settlements: Option<Vec<(NaiveDate, Vec<NaiveDate>)>>,
}

/// The number of the first saved client. Rows have smaller ones.
const SAVED: u32 = 1 << 31;

/// What the rows so far would have made, and what the dry run found.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    /// Judges the rows in the order in which they are sent, after the saved clients.
    judge: Judge,
    /// The saved clients that it knows, and their numbers.
    known: HashMap<Uuid, (u32, matterbook_core::plan::KnownClient)>,
    /// External ids that are aliases of saved clients.
    aliases: HashSet<String>,
    /// The clients that rows of earlier requests mean.
    touched: ByClient<bool>,
    settlements: Settlements,
    forecast: Forecast,
}

impl Preview {
    /// Corrects the verdicts of a dry run by what earlier requests would have made, and counts settlements. One verdict
    /// for each row that can be sent.
    pub(crate) fn take(&mut self, batch: &Batch, verdicts: &mut [Verdict], effects: Effects) {
        effects.known.iter().for_each(|client| self.add_saved(client));
        let (mut meant, mut diverged) = (Vec::new(), Diverged::default());
        let mut verdicts = verdicts.iter_mut();
        for row in batch.rows() {
            let judged = self.judge.judge(row);
            if row.sendable().is_err() {
                self.forecast.push(RowForecast::UNSENDABLE);
                continue;
            }
            let Some(verdict) = verdicts.next() else { break };
            let is_corrected = correct(verdict, judged.status);
            let id = verdict.id.as_deref().and_then(|id| Uuid::try_parse(id).ok());
            if let Some(client) = judged.client.filter(|_| is_saved(verdict)) {
                self.settle(row, client);
            }
            let client = judged.client.and_then(|client| u32::try_from(client.first_row).ok());
            if is_corrected {
                diverged.add(id);
                client.into_iter().for_each(|client| self.touched.set(client, true));
            }
            let is_exact = !is_corrected && !diverged.has(verdict.status, id);
            let is_exact = is_exact && client.is_none_or(|client| !self.touched.get(client));
            self.forecast.push(RowForecast::of(verdict, is_exact));
            meant.extend(client);
        }
        meant.into_iter().for_each(|client| self.touched.set(client, true));
    }

    /// Takes a batch that the service does not take.
    pub(crate) fn refuse(&mut self, batch: &Batch) {
        batch.rows().for_each(|_| self.forecast.push(RowForecast::UNSENDABLE));
    }

    /// Adds a client that a row of the batch is compared with, before the first such row.
    fn add_saved(&mut self, client: &KnownClient) {
        let next = SAVED.saturating_add(u32::try_from(self.known.len()).unwrap_or(u32::MAX));
        let judge = &mut self.judge;
        let (number, known) =
            *self.known.entry(client.id).or_insert_with(|| (next, judge.add_saved(next.into(), &client.fields())));
        for alias in &client.aliases {
            self.judge.add_alias(known, alias);
            self.aliases.insert(alias.clone());
        }
        self.settlements.add_saved(number, client.settlements.as_deref().unwrap_or_default());
    }

    fn settle(&mut self, row: &Record, client: RowClient) {
        let (Some(date), Ok(number)) = (client.settled_on, u32::try_from(client.first_row)) else { return };
        // Nearly no row says whether it begins a settlement, and nearly no client has an alias.
        let text = row.client.as_deref().unwrap_or_default();
        let is_said = !self.aliases.is_empty() || text.contains("\"new_settlement\"");
        let input = Some(text).filter(|_| is_said).and_then(|text| parse_client(text).ok());
        let new_settlement = input.is_some_and(|input| {
            let is_alias = || input.fields.external_id.is_some_and(|id| self.aliases.contains(id.as_str()));
            // Each matter has a settlement of its own (rule T13).
            input.new_settlement.unwrap_or_else(is_alias)
        });
        self.settlements.settle(number, date, new_settlement);
    }

    /// How many settlements would begin and how many would get another date, by year: `[[2025,3,1]]`.
    pub(crate) fn settlements(&self) -> Value {
        self.settlements.by_year()
    }

    /// What each row would become.
    pub(crate) const fn forecast(&self) -> &Forecast {
        &self.forecast
    }
}

/// The clients that the dry run of a request changes otherwise than sending does, because it has another verdict of one
/// of their rows.
#[derive(Debug, Default)]
struct Diverged {
    saved: HashSet<Uuid>,
    /// A client that the dry run would create, which has no id.
    is_new_client: bool,
}

impl Diverged {
    fn add(&mut self, client: Option<Uuid>) {
        match client {
            Some(client) => {
                self.saved.insert(client);
            }
            None => self.is_new_client = true,
        }
    }

    fn has(&self, status: VerdictStatus, client: Option<Uuid>) -> bool {
        match client {
            Some(client) => self.saved.contains(&client),
            None => self.is_new_client && status == VerdictStatus::Updated,
        }
    }
}

const fn is_saved(verdict: &Verdict) -> bool {
    matches!(verdict.status, VerdictStatus::Created | VerdictStatus::Updated)
}

/// Gives the row the status that the check has for it, and says whether the dry run had another.
fn correct(verdict: &mut Verdict, status: Status) -> bool {
    let of_file = match status {
        Status::Ready | Status::Repaired | Status::Incomplete => VerdictStatus::Created,
        Status::Duplicate => VerdictStatus::Updated,
        Status::Conflict => VerdictStatus::Conflict,
        Status::UpdateOnly | Status::Error => VerdictStatus::Error,
    };
    let is_corrected = verdict.status != of_file;
    if is_corrected {
        verdict.status = of_file;
        verdict.message = Some("It conflicts with an earlier row of the file.".to_owned());
    }
    is_corrected
}

impl KnownClient {
    fn fields(&self) -> ClientFields {
        let text = |text: &Option<String>| text.as_deref().map(Into::into);
        ClientFields {
            external_id: text(&self.external_id),
            first_name: text(&self.first_name),
            last_name: text(&self.last_name),
            address_line1: text(&self.address_line1),
            address_line2: text(&self.address_line2),
            zip: text(&self.zip),
            ..ClientFields::default()
        }
    }
}
