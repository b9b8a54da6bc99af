//! One account: the callers that share it, and the one that reads its pages.

use std::sync::mpsc::Sender;

use serde_json::{Value, json};

use super::{Driven, Options, Report, actor::Actor, answered, check, expect_answer};
use crate::wire::{Firm, Operator, Request, Service};

/// An account with its key.
pub(super) struct Account {
    id: String,
    key: String,
    actors: Vec<Actor>,
    pager: Pager,
}

/// Walks the pages of `GET /clients` and keeps the last cursor.
pub(super) struct Pager {
    key: String,
    cursor: Option<String>,
    /// The last row before that cursor.
    last: Option<(String, String)>,
    random: fastrand::Rng,
}

impl Account {
    pub(super) fn open(
        service: &dyn Service,
        number: usize,
        options: &Options,
        random: &mut fastrand::Rng,
    ) -> Result<Self, String> {
        let firm = Firm::with(service, &json!({"api_enabled": true})).map_err(|failure| failure.to_string())?;
        let actors = (0..options.posters_per_account)
            .map(|actor| Actor::new(&firm.key, format!("f{number}c{actor}"), options.batch_max, random.fork()))
            .collect();
        let pager = Pager { key: firm.key.clone(), cursor: None, last: None, random: random.fork() };
        Ok(Self { id: firm.account.clone(), key: firm.key.clone(), actors, pager })
    }

    pub(super) fn parts(&mut self) -> (&mut [Actor], &mut Pager) {
        (&mut self.actors, &mut self.pager)
    }

    /// Every `external_id` that an answer named.
    pub(super) fn answered_ids(&self) -> Vec<String> {
        self.actors.iter().flat_map(|actor| actor.history.clients.keys().cloned()).collect()
    }

    pub(super) fn clients(&self) -> usize {
        self.actors.iter().map(|actor| actor.history.clients.len()).sum()
    }

    pub(super) fn settlements(&self) -> usize {
        let settlements =
            |actor: &Actor| -> usize { actor.history.clients.values().map(|kept| kept.settlements.len()).sum() };
        self.actors.iter().map(settlements).sum()
    }

    /// Holds everything of the account to what its callers were answered, then has them retry.
    pub(super) fn check(&mut self, service: &dyn Service, report: &mut Report) -> Result<(), String> {
        let rows = walk(service, &self.key, None)?;
        let feed = Operator::of(service)
            .walk(&format!("/accounts/{}/settlements", self.id), "settlements")
            .map_err(|failure| failure.to_string())?;
        let found = check::Found::of(&rows, &feed)?;
        let mut retries = Vec::new();
        for actor in &mut self.actors {
            retries.push(found.settle(actor, report)?);
        }
        found.is_complete(&self.actors)?;
        self.pager.go_on(service, &rows, report)?;
        for (actor, pending) in self.actors.iter_mut().zip(retries) {
            actor.retry(service, pending, report)?;
        }
        Ok(())
    }
}

impl Pager {
    /// Reads pages until the service is gone; how many came.
    pub(super) fn drive(&mut self, service: &dyn Service, answers: &Sender<()>) -> Driven {
        for count in 0.. {
            let cursor = self.cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let target = format!("/api/v1/clients?limit={}{cursor}", 1 + self.random.usize(..30));
            let Some(answer) = answered(service, &Request::new("GET", target).bearer(&self.key))? else {
                return Ok(count);
            };
            let rows = answer.array("/clients").map_err(|failure| failure.to_string())?;
            self.cursor = answer.at("/next_cursor").as_str().map(str::to_owned);
            self.last = rows.last().map(check::place);
            let _ = answers.send(());
        }
        Ok(0)
    }

    /// Goes on with the cursor from before: every row after its place comes, and no other.
    fn go_on(&mut self, service: &dyn Service, rows: &[Value], report: &mut Report) -> Result<(), String> {
        let (Some(cursor), Some(last)) = (self.cursor.take(), self.last.take()) else { return Ok(()) };
        let expected: Vec<(String, String)> = rows.iter().map(check::place).filter(|place| *place > last).collect();
        let came: Vec<(String, String)> = walk(service, &self.key, Some(cursor))?.iter().map(check::place).collect();
        if came != expected {
            return Err(format!("a cursor from before leads to {} rows, not {}", came.len(), expected.len()));
        }
        report.cursors += 1;
        Ok(())
    }
}

/// Every row of `GET /clients`, from a cursor on.
fn walk(service: &dyn Service, key: &str, mut cursor: Option<String>) -> Result<Vec<Value>, String> {
    let mut rows = Vec::new();
    loop {
        let from = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let request = Request::new("GET", format!("/api/v1/clients?limit=100{from}")).bearer(key);
        let answer = expect_answer(service, &request)?;
        rows.extend(answer.array("/clients").map_err(|failure| failure.to_string())?.iter().cloned());
        cursor = answer.at("/next_cursor").as_str().map(str::to_owned);
        if cursor.is_none() {
            return Ok(rows);
        }
    }
}
