//! One round: every kind of post by each program and each floor in turn, on new databases.

use std::{
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use super::{
    super::{
        Measured, Session, Side,
        requests::{posts_to, warm_up, warm_up_order},
        turns, verify,
    },
    Load,
    kinds::Kind,
};
use crate::{
    Outcome,
    clients::{BATCH_ROWS, is_known_in_sync},
    floor::{BareSockets, BareTables, BareWeb, Order, Tuning},
    load::Flood,
    service::{Account, Service},
};

/// The length of the service's answer to a post of 500.
const ANSWER_BYTES: usize = 42_000;

/// Twice the time after which an idle writer cuts its log.
const CUT_TIMEOUT: Duration = Duration::from_secs(10);

/// The measurements of one kind.
#[derive(Default)]
pub(super) struct Sides {
    /// Those of the service, and with `--against` those of the other program.
    pub(super) programs: [Side; 2],
    pub(super) bare: Side,
    pub(super) lean: Side,
    pub(super) parse: Side,
    pub(super) sockets: Side,
}

pub(super) fn measure_round(
    session: &Session,
    load: Load,
    round: usize,
    kinds: &[Kind; 4],
    bodies: &[Vec<Vec<u8>>],
    sides: &mut [Sides; 4],
) -> Outcome<()> {
    let programs = session.programs();
    let mut programs: Vec<_> = programs.iter().map(|session| Program::start(session, load)).collect::<Outcome<_>>()?;
    let mut bare = BareTables::on(session.new_file("bare")?, Tuning::Plain, None)?;
    let mut lean = BareTables::on(session.new_file("lean")?, Tuning::AsService, None)?;
    for tables in [&mut bare, &mut lean] {
        tables.order(&warm_up_order())?;
    }
    let constant = session.directory.join("constant.json");
    std::fs::write(&constant, "{}")?;
    let web = BareWeb::start(&constant)?;
    let sockets = BareSockets::start(ANSWER_BYTES)?;
    for (kind, (bodies, sides)) in kinds.iter().zip(bodies.iter().zip(sides)) {
        let count = bodies.len() * load.accounts;
        let order = |way| Order::Post { accounts: vec![1], bodies: kind.bodies, first: 0, count, way };
        let (items, posts) = ((count * BATCH_ROWS) as f64, count as f64);
        let services = programs.len();
        for turn in turns(round, services + 2) {
            if let Some(program) = programs.get_mut(turn) {
                sides.programs[turn].0.push(program.post(load, kind, bodies)?);
            } else if turn == services {
                sides.bare.0.push(Measured::order(&mut bare, &order(kind.way), items, posts)?);
            } else {
                sides.lean.0.push(Measured::order(&mut lean, &order(kind.lean_way), items, posts)?);
            }
        }
        if kind.name == "unchanged" {
            let requests = posts_to(&programs[0].accounts, bodies);
            let requests = Flood { keeps_bodies: false, ..load.flood(&requests) };
            let per_post = BATCH_ROWS as f64;
            sides.parse.0.push(Measured::flood(&web.process, web.address, requests, per_post)?.0);
            sides.sockets.0.push(Measured::flood(&sockets.process, sockets.address, requests, per_post)?.0);
        }
    }
    programs.into_iter().try_for_each(|program| program.service.stop())
}

/// A program that is measured, with the accounts that are posted to.
struct Program {
    service: Service,
    accounts: Vec<Account>,
    /// The ids that the clients of each post were created with.
    known: Vec<Vec<String>>,
}

impl Program {
    fn start(session: &Session, load: Load) -> Outcome<Self> {
        let service = session.new_service("service")?;
        let accounts = service.accounts(load.accounts)?;
        warm_up(&service, load.connections)?;
        Ok(Self { service, accounts, known: Vec::new() })
    }

    /// Posts all batches of a kind and verifies the answers.
    fn post(&mut self, load: Load, kind: &Kind, bodies: &[Vec<u8>]) -> Outcome<Measured> {
        let requests = posts_to(&self.accounts, bodies);
        let wal = self.service.database().with_extension("db-wal");
        if kind.name == "unchanged" {
            wait_until_cut(&wal)?;
        }
        let before = written(&wal)?;
        let (process, address) = (&self.service.process, self.service.address);
        let (measured, answers) = Measured::flood(process, address, load.flood(&requests), BATCH_ROWS as f64)?;
        self.verify(kind.name, &answers)?;
        if kind.name == "unchanged" && written(&wal)? != before {
            return Err("a post that changed nothing wrote to the log".into());
        }
        Ok(measured)
    }

    /// Verifies statuses and ids: each client keeps the id that it was created with.
    fn verify(&mut self, kind: &str, answers: &[Vec<u8>]) -> Outcome<()> {
        for (number, answer) in answers.iter().enumerate() {
            match kind {
                "new" => self.known.push(verify::ids(answer, |_| "created")?),
                "30 % known" => drop(verify::ids(answer, status_in_sync)?),
                _ if verify::ids(answer, |_| "updated")? == self.known[number] => {}
                _ => return Err("an updated client has another id than before".into()),
            }
        }
        Ok(())
    }
}

fn status_in_sync(row: usize) -> &'static str {
    if is_known_in_sync(row) { "updated" } else { "created" }
}

/// Waits until the idle writer has cut the log to nothing: otherwise it may do so while nothing else is written. An
/// older program never cuts it.
fn wait_until_cut(log: &Path) -> Outcome<()> {
    let deadline = Instant::now() + CUT_TIMEOUT;
    while written(log)?.1 > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The time of a file's last write, and its length.
fn written(file: &Path) -> Outcome<(SystemTime, u64)> {
    let about = std::fs::metadata(file)?;
    Ok((about.modified()?, about.len()))
}
