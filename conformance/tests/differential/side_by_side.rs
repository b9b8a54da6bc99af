//! Services that are asked the same, one after the other, and have to answer the same.

use http::HeaderMap;
use matterbook_conformance::wire::{Answer, Operator, Request, Service};
use matterbook_core::{
    memory::{ManualPlatform, MemoryStore},
    platform::Platform as _,
    settings::Settings,
};
use matterbook_store_sql::SqlStore;
use proptest::{prelude::*, test_runner::TestCaseError};
use serde_json::Value;

use crate::services::{
    self, Over,
    sqlite::{Database, InRows, InSets},
    worker::WorkerOnClock,
};

/// Services on one clock, each with its name. The store in memory is the first, and what the others
/// are held to.
pub struct Services {
    all: Vec<(&'static str, Box<dyn Service>)>,
    platforms: Vec<ManualPlatform>,
}

impl Services {
    /// The three stores, in process.
    pub fn in_process() -> Self {
        let mut services = Self::memory();
        services.add("rows", |settings, platform| services::over_with(InRows(Database::new()), settings, platform));
        services.add("sets", sets);
        services
    }

    /// The Worker in one of its profiles, compared with the store in memory and with D1's queries on SQLite.
    pub fn with_the_worker(profile: &str) -> Self {
        let mut services = Self::memory();
        services.add("sets", sets);
        let settings = [("MATTERBOOK_PROFILE", profile), ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0")];
        let worker = WorkerOnClock::start(&settings, services.platforms[0].clone());
        services.all.push(("Worker", Box::new(worker)));
        services
    }

    fn memory() -> Self {
        let mut services = Self { all: Vec::new(), platforms: Vec::new() };
        services.add("memory", |settings, platform| services::over_with(MemoryStore::default(), settings, platform));
        services
    }

    fn add<S: Service + 'static>(&mut self, name: &'static str, service: impl FnOnce(Settings, ManualPlatform) -> S) {
        let settings = Settings { rate_limit_per_minute: 0, ..services::settings() };
        let platform = ManualPlatform::new(services::start());
        self.all.push((name, Box::new(service(settings, platform.clone()))));
        self.platforms.push(platform);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The operator of all of them.
    pub fn operator(&self) -> Operator<'_> {
        Operator::of(&*self.all[0].1)
    }

    /// Moves the clock of all of them, back with a negative number.
    pub fn elapse(&self, seconds: i64) {
        for platform in &self.platforms {
            platform.set(platform.now().plus_seconds(seconds));
        }
    }

    /// Sends each its request, and holds the answers to be one but for their cursors.
    pub fn same_answers(&self, requests: &[Request]) -> Result<Vec<Answer>, TestCaseError> {
        let answers = self.ask(requests)?;
        let first = &answers[0];
        for ((name, _), answer) in self.all.iter().zip(&answers).skip(1) {
            let (expected, came) = (shown(first), shown(answer));
            prop_assert!(expected == came, "{}\nmemory: {expected:?}\n{name}: {came:?}", &requests[0]);
        }
        prop_assert!(first.status < 500, "{}", &requests[0]);
        let has_ended = |answer: &Answer| answer.at("/next_cursor").is_null();
        if answers.iter().any(|answer| has_ended(answer) != has_ended(first)) {
            self.nothing_follows(requests, &answers)?;
        }
        Ok(answers)
    }

    /// Where one service has come to an end and another has not, nothing follows in that one either.
    fn nothing_follows(&self, requests: &[Request], answers: &[Answer]) -> Result<(), TestCaseError> {
        let next = requests.iter().zip(answers).map(|(request, answer)| {
            let path = request.target.split('?').next().unwrap_or_default();
            // One that has ended is asked something too, so that all draw as many random bytes.
            let target = match answer.at("/next_cursor").as_str() {
                Some(cursor) => format!("{path}?cursor={cursor}"),
                None => path.to_owned(),
            };
            Request { target, ..request.clone() }
        });
        let rest = self.ask(&next.collect::<Vec<_>>())?;
        for (answer, rest) in answers.iter().zip(rest).filter(|(answer, _)| answer.at("/next_cursor").is_string()) {
            let members = rest.json.as_object().into_iter().flatten();
            let rows: usize = members.filter_map(|(_, rows)| rows.as_array()).map(Vec::len).sum();
            prop_assert_eq!(rows, 0, "after the end of another: {}", &answer.sent);
            prop_assert!(rest.at("/next_cursor").is_null(), "after the end of another: {}", &answer.sent);
        }
        Ok(())
    }

    /// The answer of each to its request. The store in memory is asked last: the Worker goes by the
    /// random bytes that its platform gives next.
    fn ask(&self, requests: &[Request]) -> Result<Vec<Answer>, TestCaseError> {
        let asked = self.all.iter().zip(requests).rev();
        let mut answers: Vec<Answer> = asked
            .map(|((name, service), request)| service.exchange(request).map_err(|problem| format!("{name}: {problem}")))
            .collect::<Result<_, _>>()
            .map_err(TestCaseError::fail)?;
        answers.reverse();
        Ok(answers)
    }
}

/// The queries that D1 runs, and like the Worker it remembers the keys that it saw.
fn sets(settings: Settings, platform: ManualPlatform) -> Over<SqlStore<InSets>> {
    services::remembering(SqlStore::new(InSets(Database::new())), settings, platform)
}

/// What an answer shows, its cursor aside.
fn shown(answer: &Answer) -> (u16, &HeaderMap, Value) {
    let mut json = answer.json.clone();
    if let Some(cursor) = json.get_mut("next_cursor") {
        cursor.take();
    }
    (answer.status, &answer.headers, json)
}
