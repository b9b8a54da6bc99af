//! A caller that posts, updates and settles clients of its own until the service is gone.

use std::sync::mpsc::Sender;

use serde_json::Value;

use super::{
    Driven, Report, answered, expect_answer,
    history::{History, Kind, Operation},
};
use crate::wire::{Answer, Request, Service};

/// From this number of clients on, few new ones are created, because each kill is followed by a check of
/// all of them.
const CLIENTS_MANY: usize = 300;
/// How many answers with an `Idempotency-Key` are asked for again after a kill.
const REPLAYS: usize = 3;

/// One caller: its requests follow one another, so that what it was answered says what there is.
pub(super) struct Actor {
    key: String,
    name: String,
    random: fastrand::Rng,
    batch_max: usize,
    operations: u64,
    created: u64,
    pub(super) history: History,
    /// Sent, and not answered.
    pub(super) pending: Option<Operation>,
    /// The last operations with an `Idempotency-Key`, with the answers that they got.
    saved: Vec<(Operation, Vec<u8>)>,
}

impl Actor {
    pub(super) fn new(key: &str, name: String, batch_max: usize, random: fastrand::Rng) -> Self {
        Self {
            key: key.to_owned(),
            name,
            random,
            batch_max,
            operations: 0,
            created: 0,
            history: History::default(),
            pending: None,
            saved: Vec::new(),
        }
    }

    /// The prefix of its clients' `external_id`s; no other actor uses it.
    pub(super) fn prefix(&self) -> String {
        format!("{}-", self.name)
    }

    /// Sends until the service is gone; how many answers came.
    pub(super) fn drive(&mut self, service: &dyn Service, answers: &Sender<()>) -> Driven {
        for count in 0.. {
            let operation = self.next();
            self.pending = Some(operation.clone());
            let Some(answer) = answered(service, &self.request(&operation))? else { return Ok(count) };
            self.pending = None;
            self.take_in(operation, &answer, false)?;
            let _ = answers.send(());
        }
        Ok(0)
    }

    /// Asks for saved answers again, and sends again what was not answered, of which `has_happened` is
    /// known.
    pub(super) fn retry(
        &mut self,
        service: &dyn Service,
        pending: Option<(Operation, bool)>,
        report: &mut Report,
    ) -> Result<(), String> {
        for (operation, body) in &self.saved {
            let again = expect_answer(service, &self.request(operation))?;
            if again.header("idempotent-replayed") != Some("true") || again.body != *body {
                return Err(again.failure("the saved answer").to_string());
            }
            report.replays += 1;
        }
        let Some((operation, has_happened)) = pending else { return Ok(()) };
        let answer = expect_answer(service, &self.request(&operation))?;
        let is_replayed = answer.header("idempotent-replayed") == Some("true");
        if is_replayed {
            report.replays += 1;
        }
        if operation.idempotency_key.is_some() && has_happened && !is_replayed {
            return Err(answer.failure("the saved answer of a request that had happened").to_string());
        }
        if is_replayed && !has_happened {
            return Err(answer.failure("no saved answer of a request that had not happened").to_string());
        }
        self.take_in(operation, &answer, has_happened)
    }

    fn request(&self, operation: &Operation) -> Request {
        let (path, body) = operation.request();
        let request = Request::new("POST", format!("/api/v1{path}")).bearer(&self.key).json(&body);
        match &operation.idempotency_key {
            Some(key) => request.header("Idempotency-Key", key),
            None => request,
        }
    }

    /// Holds an answer to what is known, and learns from it. Where the operation had happened before, its
    /// new clients are in the history already and may be called either.
    fn take_in(&mut self, operation: Operation, answer: &Answer, has_happened: bool) -> Result<(), String> {
        let results: Vec<&Value> = match &operation.kind {
            Kind::Post(_) => answer.array("/results").map_err(|failure| failure.to_string())?.iter().collect(),
            Kind::Settle { .. } => vec![answer.at("/result")],
        };
        let expected = self.history.statuses(&operation);
        if results.len() != expected.len() {
            return Err(answer.failure(format!("{} results", expected.len())).to_string());
        }
        self.history.apply(&operation);
        for ((name, expected), result) in operation.names().into_iter().zip(expected).zip(results) {
            let status = result["status"].as_str().unwrap_or_default();
            let is_right = status == expected || (has_happened && matches!(status, "created" | "updated"));
            let id = result["id"].as_str();
            let kept = self.history.clients.entry(name.to_owned()).or_default();
            let is_same = kept.id.is_none() || kept.id.as_deref() == id;
            if !is_right || id.is_none() || !is_same {
                return Err(answer.failure(format!("{name} {expected}, its id being {:?}", kept.id)).to_string());
            }
            kept.id = id.map(str::to_owned);
        }
        if operation.idempotency_key.is_some() {
            self.saved.push((operation, answer.body.clone()));
            self.saved.drain(..self.saved.len().saturating_sub(REPLAYS));
        }
        Ok(())
    }

    fn next(&mut self) -> Operation {
        self.operations += 1;
        let number = self.operations;
        let known: Vec<String> = if self.history.clients.is_empty() {
            Vec::new()
        } else {
            let all: Vec<&String> = self.history.clients.keys().collect();
            (0..=self.random.usize(..self.batch_max))
                .filter_map(|_| all.get(self.random.usize(..all.len())).map(|id| (*id).clone()))
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect()
        };
        let kind = match self.random.u64(..10) {
            // New clients, some of them together with known ones.
            0..=3 => self.post(&known, number, true),
            4..=6 if !known.is_empty() => self.post(&known, number, false),
            // What is known already, as a nightly sync sends it.
            7 if !known.is_empty() => {
                let version = |id: &String| self.history.clients.get(id).map_or(0, |kept| kept.version);
                Kind::Post(known.iter().map(|id| (id.clone(), version(id))).collect())
            }
            8 | 9 if !known.is_empty() => Kind::Settle {
                external_id: known.first().cloned().unwrap_or_default(),
                settled_on: format!("2026-{:02}-{:02}", 1 + self.random.u64(..12), 1 + self.random.u64(..28)),
            },
            _ => self.post(&[], number, true),
        };
        let idempotency_key = self.random.bool().then(|| format!("{}-{number}", self.name));
        Operation { number, kind, idempotency_key }
    }

    fn post(&mut self, known: &[String], version: u64, with_new: bool) -> Kind {
        let mut posts: Vec<(String, u64)> = Vec::new();
        let known = if with_new { known.get(..known.len() / 4).unwrap_or_default() } else { known };
        posts.extend(known.iter().map(|id| (id.clone(), version)));
        if with_new {
            let most = if self.history.clients.len() < CLIENTS_MANY { self.batch_max } else { 2 };
            for _ in 0..=self.random.usize(..most) {
                self.created += 1;
                posts.push((format!("{}{}", self.prefix(), self.created), version));
            }
        }
        Kind::Post(posts)
    }
}
