//! One line of the table, and all of them.

use serde::Serialize;

use super::goal::{Goal, Reached};
use crate::figures::Spread;

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Clients a second.
    ClientsPerSecond,
    /// Requests a second.
    RequestsPerSecond,
    /// Pages a second.
    PagesPerSecond,
    /// Batches a second.
    BatchesPerSecond,
    /// Milliseconds.
    Milliseconds,
    /// Millions of bytes.
    Megabytes,
}

/// What the service is measured against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Floor {
    /// What it is.
    pub name: &'static str,
    /// What it takes.
    pub figure: Spread,
    /// The service's figure by its figure, round by round.
    pub ratio: Spread,
}

/// The other program of a run with `--against`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// Its figure.
    pub figure: Spread,
    /// The service's figure divided by its figure, round by round.
    pub ratio: Spread,
}

impl Against {
    /// From the figures of the rounds; `None` where the other program has none.
    ///
    /// ```
    /// use matterbook_bench::report::Against;
    /// let against = Against::of(&[3.0, 8.0, 6.0], &[3.0, 2.0, 3.0]).expect("figures");
    /// assert_eq!((against.figure.median, against.ratio.median), (3.0, 2.0));
    /// assert_eq!(Against::of(&[3.0], &[]), None);
    /// ```
    #[must_use]
    pub fn of(service: &[f64], other: &[f64]) -> Option<Self> {
        let ratio = Spread::of(service.iter().zip(other).map(|(service, other)| service / other));
        (!other.is_empty()).then(|| Self { figure: Spread::of(other.iter().copied()), ratio })
    }
}

/// Processor time of a request.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Processor {
    /// Of the service, in microseconds.
    pub service_micros: f64,
    /// Of the other program, in microseconds.
    pub against_micros: Option<f64>,
    /// Of the floor, in microseconds.
    pub floor_micros: Option<f64>,
    /// Of the sender, in microseconds, while it sent to the service.
    pub sender_micros: f64,
    /// The share of the time in which the sender was at work: near 1, it is what holds the service up.
    pub sender_share: f64,
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The group of rows that it is measured with.
    pub group: &'static str,
    /// What is done.
    pub work: String,
    /// What its figures count.
    pub unit: Unit,
    /// The service's figure.
    pub service: Spread,
    /// The other program, with `--against`.
    pub against: Option<Against>,
    /// The floor that the goal speaks of.
    pub floor: Option<Floor>,
    /// Further floors.
    pub more_floors: Vec<Floor>,
    /// What the ratio has to be; where there is no floor, the service's figure.
    pub goal: Option<Goal>,
    /// Where it can be told.
    pub processor: Option<Processor>,
}

impl Row {
    /// A row of the service alone, without floor and goal.
    #[must_use]
    pub fn alone(group: &'static str, work: impl Into<String>, unit: Unit, service: Spread) -> Self {
        Self {
            group,
            work: work.into(),
            unit,
            service,
            against: None,
            floor: None,
            more_floors: Vec::new(),
            goal: None,
            processor: None,
        }
    }

    /// How far the figure that the goal speaks of came: its median.
    #[must_use]
    pub fn reached(&self) -> Option<Reached> {
        let figure = self.floor.as_ref().map_or(self.service, |floor| floor.ratio);
        self.goal.map(|goal| goal.reached(figure.median))
    }
}

/// The machine, as far as it matters.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Processors that threads can run on.
    pub cores: usize,
    /// Milliseconds until 4 KiB are on the disk.
    pub sync_millis: Spread,
    /// The version of SQLite of the bare loops, which is the service's.
    pub sqlite: &'static str,
}

/// Everything that one run measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Where.
    pub machine: Machine,
    /// How often each was measured.
    pub rounds: usize,
    /// With fewer clients than the goals speak of.
    pub is_quick: bool,
    /// The lines.
    pub rows: Vec<Row>,
}
