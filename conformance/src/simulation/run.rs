//! Runs a list of steps: machines that share a store, requests under way on them, one call of the store at a
//! time, in the order of the steps.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use matterbook_core::{
    api::{Api, Handled, ImportCall},
    memory::{ManualPlatform, MemoryRateLimiter, test_key_secrets},
    settings::Settings,
    time::Timestamp,
};
use serde_json::Value;

use super::{
    AnyConsoleStore, Failure, Meeting,
    asked::{Asked, Batch, Doing, OPERATOR_TOKEN, Read},
    auditor,
    draw::MACHINE_DRAWS,
    imports::Imports,
    referee::{Answered, Referee},
    step::{Ask, Caller, Fault, Step},
    universe::{ACCOUNTS, KEYS, MACHINES},
};

/// The true time at which every simulation begins: the first moment of 2026.
const START_MICROS: i64 = 1_767_225_600_000_000;
/// The most turns that a request takes before it counts as endless.
const TURNS_MAX: usize = 500;
/// The most pages that a walk over the small world takes before it counts as endless.
const PAGES_MAX: u32 = 300;

/// A store that is simulated.
pub trait Simulated {
    /// The store as a machine sees it: each call waits for its turn.
    fn machine(&self, meeting: &Meeting) -> AnyConsoleStore;
    /// The store past all faults.
    fn auditor(&self) -> AnyConsoleStore;
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests that were answered.
    pub requests: u64,
    /// Calls of the store that ran or failed.
    pub calls: u64,
    /// Faults that befell one.
    pub faults: u64,
    /// Changes that were held against the model.
    pub changes: u64,
    /// A digest of every answer, to tell whether two runs are the same.
    pub digest: u64,
}

type Service = Api<AnyConsoleStore, MemoryRateLimiter, ManualPlatform>;

struct Machine {
    api: Rc<Service>,
    platform: ManualPlatform,
    skew_seconds: i64,
}

type Running = Pin<Box<dyn Future<Output = Handled>>>;

/// A run under way.
pub(super) struct Run {
    meeting: Meeting,
    pub(super) auditor: AnyConsoleStore,
    machines: Vec<Machine>,
    running: BTreeMap<u32, Running>,
    pub(super) referee: Referee,
    pub(super) imports: Imports,
    now_micros: i64,
    tally: Tally,
}

/// Runs steps over a store, lets everything come to its end, and looks at what is left.
///
/// # Errors
/// The first promise that is broken.
pub fn run(steps: &[Step], store: &dyn Simulated) -> Result<Tally, Failure> {
    let meeting = Meeting::default();
    let auditor = store.auditor();
    auditor::open(&auditor)?;
    let machines = (0..MACHINES).map(|number| machine(number, store.machine(&meeting))).collect();
    let mut run = Run {
        meeting,
        auditor,
        machines,
        running: BTreeMap::new(),
        referee: Referee::begin(),
        imports: Imports::default(),
        now_micros: START_MICROS,
        tally: Tally::default(),
    };
    for (number, step) in steps.iter().enumerate() {
        run.step(step).map_err(|failure| failure.about(format!("at step {}: {step}", number + 1)))?;
    }
    run.end()?;
    Ok(run.tally)
}

fn machine(number: usize, store: AnyConsoleStore) -> Machine {
    let draws = MACHINE_DRAWS * number as u64;
    let platform = ManualPlatform::after_draws(Timestamp::from_micros(START_MICROS), draws);
    let settings =
        Settings { operator_token: Some(OPERATOR_TOKEN.to_owned()), rate_limit_per_minute: 0, ..Settings::default() };
    let api = Api::new(store, MemoryRateLimiter::default(), platform.clone(), settings, test_key_secrets());
    let api = if number == 0 { api } else { api.with_seen_keys(Arc::default()) };
    Machine { api: Rc::new(api), platform, skew_seconds: 0 }
}

impl Run {
    fn step(&mut self, step: &Step) -> Result<(), Failure> {
        match step {
            Step::Skew(machine, seconds) => {
                self.machines[*machine].skew_seconds = *seconds;
                Ok(())
            }
            Step::Pass(millis) => {
                self.now_micros += millis * 1_000;
                Ok(())
            }
            Step::Start(label, machine, ask) => self.start(*label, *machine, ask),
            Step::Go(label, fault) => self.go(*label, *fault),
            Step::Finish(label) => self.finish(*label),
            Step::Land => self.land(),
        }
    }

    fn clock(&self, machine: usize) -> i64 {
        self.now_micros + self.machines[machine].skew_seconds * Timestamp::SECOND_MICROS
    }

    /// Begins a request. One that refers to what is not there, or to a walk that is under way, is none.
    fn start(&mut self, label: u32, machine: usize, ask: &Ask) -> Result<(), Failure> {
        if self.referee.asked.contains_key(&label) {
            return Ok(());
        }
        // No two requests begin at the same moment.
        self.now_micros += 1_000;
        let now = self.clock(machine);
        let doing = match ask {
            Ask::Batch(account, import, drafts) => self.batch((*account, *import, machine), drafts, now)?,
            _ => self.doing(ask),
        };
        let Some(doing) = doing else { return Ok(()) };
        self.referee.latest_clock = self.referee.latest_clock.max(now);
        if let Doing::Read(Read { caller, walk: Some(walk), cursor, .. }) = &doing {
            let earliest = (0..MACHINES).map(|machine| self.clock(machine)).min().unwrap_or(now);
            if cursor.is_none() {
                self.referee.begin_walk(caller.0, *walk, earliest);
            }
            if let Some(walk) = self.referee.walks.get_mut(&(caller.0, *walk)) {
                walk.is_busy = true;
            }
        }
        if let Doing::Erase(account, client) = &doing
            && self.referee.timelines[*account].everybody().contains(client)
        {
            self.referee.may_be_erased.insert(*client);
        }
        let asked = Asked::new(doing, now, self.referee.version);
        let Some((head, body)) = asked.http() else { return Ok(()) };
        let batch = asked.import().copied();
        self.referee.asked.insert(label, asked);
        let Machine { api, platform, .. } = &self.machines[machine];
        platform.set(Timestamp::from_micros(now));
        let api = Rc::clone(api);
        self.running.insert(
            label,
            Box::pin(async move {
                match batch {
                    Some(Batch { import, session, .. }) => {
                        let call = Ok(ImportCall::Batch(import));
                        api.import(call, "/app/imports/{import}/batch", Some(session), &head, body).await
                    }
                    None => api.handle(head, body).await,
                }
            }),
        );
        // Up to its first call of the store.
        self.go(label, Fault::None)
    }

    /// Gives a request one turn.
    fn go(&mut self, label: u32, fault: Fault) -> Result<(), Failure> {
        let Some(running) = self.running.get_mut(&label) else { return Ok(()) };
        self.meeting.begin_turn(label, fault);
        let polled = running.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let turn = self.meeting.end_turn();
        if let Some(asked) = self.referee.asked.get_mut(&label) {
            asked.faults += u32::from(turn.has_failed);
            asked.was_refused |= turn.was_refused;
            asked.request_id = turn.request.map(|request| request.to_string()).or(asked.request_id.take());
        }
        self.tally.calls += u64::from(turn.has_run || turn.has_failed);
        self.tally.faults += u64::from(turn.has_failed);
        if turn.has_written {
            self.inspect(label)?;
        }
        if let Some(asked) = self.referee.asked.get_mut(&label) {
            asked.seen.push(self.referee.version);
        }
        let Poll::Ready(handled) = polled else { return Ok(()) };
        self.running.remove(&label);
        let (parts, body) = handled.response.into_parts();
        let text = String::from_utf8_lossy(&body).into_owned();
        self.tally.requests += 1;
        self.tally.digest = digest(self.tally.digest, parts.status.as_u16(), &text);
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        self.referee.ended(label, &Answered { status: parts.status.as_u16(), headers: parts.headers, body })
    }

    /// Holds what is kept against the model, after a call of that request ran.
    fn inspect(&mut self, label: u32) -> Result<(), Failure> {
        let observed: Result<Vec<_>, _> =
            (0..ACCOUNTS).map(|account| auditor::observe(&self.auditor, account)).collect();
        let mut observed = observed?;
        if let Some(asked) = self.referee.asked.get(&label)
            && let Some(batch) = asked.import()
        {
            let of = (asked.account(), batch.import);
            let sent_rows = self.imports.sent_rows(&self.auditor, of, Timestamp::from_micros(asked.now))?;
            observed[of.0].import = sent_rows.map(|sent_rows| (batch.import, sent_rows));
        }
        let before = self.referee.version;
        self.referee.wrote(label, &observed)?;
        self.tally.changes += (self.referee.version - before) as u64;
        Ok(())
    }

    fn finish(&mut self, label: u32) -> Result<(), Failure> {
        for _ in 0..TURNS_MAX {
            if !self.running.contains_key(&label) {
                return Ok(());
            }
            self.go(label, Fault::None)?;
        }
        Err(Failure::new("ends", format!("request {label} has no end")))
    }

    fn land(&mut self) -> Result<(), Failure> {
        let Some((label, later)) = self.meeting.next_late() else { return Ok(()) };
        auditor::complete(later)?;
        self.inspect(label)?;
        // A store whose verb is one unit decides as it lands, and may save an answer that changes no client.
        if let Some(asked) = self.referee.asked.get_mut(&label) {
            asked.seen.push(self.referee.version);
        }
        Ok(())
    }

    /// Everything comes to its end: batches land, requests finish, and each account is walked once more.
    fn end(&mut self) -> Result<(), Failure> {
        while let Some(label) = self.running.keys().next().copied() {
            self.finish(label)?;
        }
        for _ in 0..TURNS_MAX {
            self.land()?;
        }
        self.now_micros += 120 * Timestamp::SECOND_MICROS;
        let mut label = self.referee.asked.keys().next_back().copied().unwrap_or_default();
        for account in 0..ACCOUNTS {
            let ledger = self.referee.timelines[account].now();
            let Some(key) = (0..KEYS).find(|key| ledger.admits(*key)) else { continue };
            self.referee.walks.remove(&(account, 0));
            for page in 0.. {
                label += 1;
                self.start(label, 0, &Ask::Page(Caller(account, key), 0, 3))?;
                self.finish(label)?;
                if self.referee.walks.get(&(account, 0)).is_none_or(|walk| walk.cursor.is_none()) {
                    break;
                }
                if page > PAGES_MAX {
                    return Err(Failure::new("ends", "a walk has no end"));
                }
            }
        }
        Ok(())
    }
}

/// Mixes an answer into a digest (FNV-1a).
fn digest(so_far: u64, status: u16, text: &str) -> u64 {
    let start = if so_far == 0 { 0xcbf2_9ce4_8422_2325 } else { so_far };
    let bytes = status.to_be_bytes().into_iter().chain(text.bytes());
    bytes.fold(start, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
