//! One line of the table, and all of them.

use serde::Serialize;

use super::goal::Goal;
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

/// What the service is compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Floor {
    /// Its name.
    pub name: &'static str,
    /// Its figure.
    pub figure: Spread,
    /// The service's figure divided by its figure, round by round.
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
    /// The sender's share of a processor: near 1, the sender limits the result.
    pub sender_share: f64,
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The group of rows that it belongs to.
    pub group: &'static str,
    /// What the row measures.
    pub work: String,
    /// What its figures count.
    pub unit: Unit,
    /// The service's figure.
    pub service: Spread,
    /// The other program, with `--against`.
    pub against: Option<Against>,
    /// The floor that the goal refers to.
    pub floor: Option<Floor>,
    /// Further floors.
    pub more_floors: Vec<Floor>,
    /// What the ratio must be, or without floor the service's figure; `None` for information only.
    pub goal: Option<Goal>,
    /// Where the system reports it.
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

    /// The median that the goal applies to: of the ratio to the floor, or without floor of the service's figure.
    #[must_use]
    pub fn judged(&self) -> f64 {
        self.floor.as_ref().map_or(self.service, |floor| floor.ratio).median
    }
}

/// The machine.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Available processors.
    pub cores: usize,
    /// Milliseconds to sync 4 KiB to the disk.
    pub sync_millis: Spread,
    /// The version of SQLite, of the bare loops and of the service.
    pub sqlite: &'static str,
}

/// Everything that one run measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The machine.
    pub machine: Machine,
    /// How often each row was measured.
    pub rounds: usize,
    /// With fewer clients than the goals apply to.
    pub is_quick: bool,
    /// The rows.
    pub rows: Vec<Row>,
}
