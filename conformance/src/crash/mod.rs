//! Kills a service repeatedly under load, and checks it after each kill against the answers that its callers
//! received (rules S4, S8 and S11 of the store).
//!
//! After each start: every change that was answered 200 is complete; a request without an answer was applied
//! wholly or not at all; no client exists twice; `updated_at` grows strictly from commit to commit; settlements
//! and the operator's changes are as answered; an earlier cursor continues at its position; a retry with the
//! same `Idempotency-Key` gets the saved answer. A [`Host`] starts and kills the service and checks its files.
//!
//! Not covered: a power failure. When a process is killed, the operating system still writes its data.

mod accounts;
mod actor;
mod check;
mod history;
mod operator;

use std::{
    collections::BTreeSet,
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use crate::wire::{Answer, OverHttp, Request, Service};
use accounts::Account;
use operator::OperatorActor;

/// A service in processes that can be killed, over files that stay.
pub trait Host {
    /// Starts it on its files and hands back its address, without a path.
    ///
    /// # Errors
    /// Why it did not come to serve.
    fn start(&mut self) -> Result<String, String>;

    /// Ends it with SIGKILL and waits until it is gone.
    ///
    /// # Errors
    /// When it cannot be ended.
    fn kill(&mut self) -> Result<(), String>;

    /// Starts it and kills it after that time. A host that starts slowly may do nothing and return `false`.
    ///
    /// # Errors
    /// When it cannot be started or ended.
    fn kill_at_start(&mut self, after: Duration) -> Result<bool, String>;

    /// Checks the integrity of the files of the killed service.
    ///
    /// # Errors
    /// What is wrong with them.
    fn check_files(&self) -> Result<(), String>;

    /// Takes a backup of the living service: the `external_id`s in it. `None` where it has none.
    ///
    /// # Errors
    /// When the backup fails, or is not whole.
    fn back_up(&self) -> Result<Option<BTreeSet<String>>, String>;
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How often the service is killed.
    pub kills: u32,
    /// The moments and the requests are drawn from it.
    pub seed: u64,
    /// Accounts that post at once.
    pub accounts: usize,
    /// Connections of each account that post at once.
    pub posters_per_account: usize,
    /// At most so many answers come between a start and the kill.
    pub answers_max: usize,
    /// The largest batch of the posts.
    pub batch_max: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { kills: 25, seed: 1, accounts: 3, posters_per_account: 2, answers_max: 60, batch_max: 60 }
    }
}

/// What was done, for those who want figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// SIGKILLs under load.
    pub kills: usize,
    /// SIGKILLs of a service that was starting.
    pub kills_at_start: usize,
    /// Requests that were answered 200 and found in full.
    pub answered: usize,
    /// Requests without an answer that were found to have happened.
    pub happened: usize,
    /// Requests without an answer that were found not to have happened.
    pub lost: usize,
    /// Requests without an answer that would have changed nothing.
    pub without_effect: usize,
    /// Retries that were answered with the saved answer.
    pub replays: usize,
    /// Cursors from before a kill that went on after it.
    pub cursors: usize,
    /// Backups taken under load and checked.
    pub backups: usize,
    /// Clients and settlements at the end.
    pub clients: usize,
    /// Settlements at the end.
    pub settlements: usize,
}

impl std::fmt::Display for Report {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "{:>7} kills under load, {} more while starting", self.kills, self.kills_at_start)?;
        writeln!(formatter, "{:>7} requests answered 200, each found in full after every later kill", self.answered)?;
        writeln!(
            formatter,
            "{:>7} requests without an answer: {} had happened wholly, {} not at all, {} had nothing to change",
            self.happened + self.lost + self.without_effect,
            self.happened,
            self.lost,
            self.without_effect
        )?;
        writeln!(formatter, "{:>7} retries with an Idempotency-Key answered with the saved answer", self.replays)?;
        writeln!(formatter, "{:>7} cursors from before a kill went on after it", self.cursors)?;
        writeln!(formatter, "{:>7} backups taken under load and checked", self.backups)?;
        write!(formatter, "{:>7} clients and {} settlements at the end", self.clients, self.settlements)
    }
}

/// Drives a fresh service, kills it and checks it, so often as the options say.
///
/// # Errors
/// The first promise that was not kept, with the kill after which it was found.
pub fn run(host: &mut impl Host, options: &Options) -> Result<Report, String> {
    let mut random = fastrand::Rng::with_seed(options.seed);
    let mut report = Report::default();
    let (mut accounts, mut operator) = {
        let http = connect(host)?;
        let accounts = (0..options.accounts).map(|number| Account::open(&http, number, options, &mut random));
        (accounts.collect::<Result<Vec<_>, _>>()?, OperatorActor::open(&http)?)
    };
    host.kill()?;
    for kill in 0..=options.kills {
        let place = |problem: String| format!("seed {}, after kill {kill}: {problem}", options.seed);
        if random.u64(..4) == 0 {
            let is_killed = host.kill_at_start(Duration::from_micros(random.u64(..30_000))).map_err(place)?;
            report.kills_at_start += usize::from(is_killed);
        }
        let http = connect(host).map_err(place)?;
        for account in &mut accounts {
            account.check(&http, &mut report).map_err(place)?;
        }
        operator.check(&http, &mut report).map_err(place)?;
        if kill == options.kills {
            break;
        }
        drive_and_kill(host, &http, &mut accounts, &mut operator, options, &mut random, &mut report).map_err(place)?;
        host.check_files().map_err(place)?;
        report.kills += 1;
    }
    host.kill()?;
    report.clients = accounts.iter().map(Account::clients).sum();
    report.settlements = accounts.iter().map(Account::settlements).sum();
    Ok(report)
}

fn connect(host: &mut impl Host) -> Result<OverHttp, String> {
    let url = host.start()?;
    OverHttp::connect(&url, OPERATOR_TOKEN).map_err(|error| error.0)
}

/// The token that a [`Host`] starts its service with.
pub const OPERATOR_TOKEN: &str = "operator-token-of-the-crash-test";

/// Lets everybody send until so many answers came, kills the service in the middle of the rest.
fn drive_and_kill(
    host: &mut impl Host,
    http: &OverHttp,
    accounts: &mut [Account],
    operator: &mut OperatorActor,
    options: &Options,
    random: &mut fastrand::Rng,
    report: &mut Report,
) -> Result<(), String> {
    let answers = 1 + random.usize(..options.answers_max);
    let is_backed_up = random.u64(..10) == 0;
    let pause = Duration::from_micros(random.u64(..3_000));
    let service: &(dyn Service + Sync) = http;
    let (answered, answers_received) = mpsc::channel();
    let expected: BTreeSet<String> =
        if is_backed_up { accounts.iter().flat_map(Account::answered_ids).collect() } else { BTreeSet::new() };
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for account in accounts.iter_mut() {
            let (actors, pager) = account.parts();
            for actor in actors {
                let answered = answered.clone();
                threads.push(scope.spawn(move || actor.drive(service, &answered)));
            }
            let answered = answered.clone();
            threads.push(scope.spawn(move || pager.drive(service, &answered)));
        }
        let answered_operator = answered.clone();
        threads.push(scope.spawn(move || operator.drive(service, &answered_operator)));
        drop(answered);
        wait_for(&answers_received, answers);
        let backed_up = if is_backed_up { host.back_up() } else { Ok(None) };
        thread::sleep(pause);
        let killed = host.kill();
        let outcomes: Vec<Result<usize, String>> = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a caller panicked".to_owned())))
            .collect();
        killed?;
        for outcome in outcomes {
            report.answered += outcome?;
        }
        if let Some(kept) = backed_up? {
            let missing = expected.difference(&kept).count();
            if missing > 0 {
                return Err(format!("a backup lacks {missing} clients that were answered before it was begun"));
            }
            report.backups += 1;
        }
        Ok(())
    })
}

/// Returns early where everybody has stopped, which only a failure makes them do.
fn wait_for(answers: &Receiver<()>, count: usize) {
    for _ in answers.iter().take(count) {}
}

/// Whether an exchange got an answer: `None` where the service is gone.
fn answered(service: &dyn Service, request: &Request) -> Result<Option<Answer>, String> {
    match service.exchange(request) {
        Err(_) => Ok(None),
        Ok(answer) if answer.status == 200 => Ok(Some(answer)),
        Ok(answer) => Err(answer.failure("200, or no answer from a dead service").to_string()),
    }
}

/// The 200 of a service that lives.
fn expect_answer(service: &dyn Service, request: &Request) -> Result<Answer, String> {
    match service.exchange(request) {
        Ok(answer) if answer.status == 200 => Ok(answer),
        Ok(answer) => Err(answer.failure("200 of a living service").to_string()),
        Err(problem) => Err(format!("a living service did not answer {request}: {problem}")),
    }
}

/// How many answers a caller got, or the promise that was not kept.
type Driven = Result<usize, String>;
