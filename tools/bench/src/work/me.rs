//! `GET /me` with many keys and a rate limit, against a bare warp that answers the same constant.

use std::process::Command;

use serde_json::Value;

use super::{Measured, Session, Side, compared, over, turns};
use crate::{
    Outcome,
    floor::{BareSockets, BareWeb},
    load::{Channel, Flood, get},
    report::{Goal, Row, Unit},
    service::{Account, Service, Start},
};

/// The highest limit that can be set. The requests are counted, and no key reaches it.
const RATE_LIMIT: u32 = 10_000;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let programs: Vec<_> = session.programs().iter().map(Program::start).collect::<Outcome<_>>()?;
    let answer = &programs[0].answer;
    let constant = session.directory.join("constant.json");
    std::fs::write(&constant, answer)?;
    let (web, sockets) = (BareWeb::start(&constant)?, BareSockets::start(answer.len())?);
    let mut rows = Vec::new();
    for (connections, goal) in [(32, Some(Goal::AtLeast(0.65))), (128, None)] {
        let count = session.size(150_000, 30_000);
        let flood = |program: &Program, process, address| {
            let requests = Flood { requests: &program.requests, count, connections, ..Flood::default() };
            Outcome::Ok(Measured::flood(process, address, requests, 1.0)?.0)
        };
        let (mut sides, mut of_web, mut of_sockets): ([Side; 2], Side, Side) = Default::default();
        for round in 0..session.rounds {
            session.say(format_args!("GET /me over {connections} connections, round {}", round + 1));
            for turn in turns(round, programs.len() + 2) {
                if let Some(program) = programs.get(turn) {
                    program.service.empty_log()?;
                    sides[turn].0.push(flood(program, &program.service.process, program.service.address)?);
                } else if turn == programs.len() {
                    of_web.0.push(flood(&programs[0], &web.process, web.address)?);
                } else {
                    of_sockets.0.push(flood(&programs[0], &sockets.process, sockets.address)?);
                }
            }
        }
        let work = format!("GET /me, {}", over(connections));
        let mut row = compared("me", work, Unit::RequestsPerSecond, &sides, ("bare warp", &of_web));
        row.more_floors = vec![of_sockets.floor_of(&sides[0], "sockets")];
        row.goal = goal;
        rows.push(row);
    }
    programs.into_iter().try_for_each(|program| program.service.stop())?;
    Ok(rows)
}

/// A program that is measured.
struct Program {
    service: Service,
    /// One for each key.
    requests: Vec<Vec<u8>>,
    /// The body of an answer.
    answer: Vec<u8>,
}

impl Program {
    fn start(session: &Session) -> Outcome<Self> {
        let database = session.new_file("service")?;
        let service = Service::start(&Start { rate_limit_per_minute: RATE_LIMIT, ..session.on(&database) })?;
        let accounts = service.accounts(session.size(2_000, 200))?;
        let requests = accounts.iter().map(|account| get(BareWeb::CONSTANT, &account.key)).collect();
        let answer = revoked_at_once(session, &service)?;
        Ok(Self { service, requests, answer })
    }
}

/// Verifies what the row promises: requests are counted, and a key that another process revoked is refused
/// at the next request. Returns the body of an answer.
fn revoked_at_once(session: &Session, service: &Service) -> Outcome<Vec<u8>> {
    let Account { key, key_id, .. } = service.account()?;
    let request = get(BareWeb::CONSTANT, &key);
    let mut channel = Channel::open(service.address)?;
    let answer = channel.exchange(&request)?;
    let (head, body) = channel.bytes().split_at(answer.head_bytes);
    if answer.status != 200 || !String::from_utf8_lossy(head).contains("ratelimit:") {
        return Err("GET /me is not counted".into());
    }
    let body = body.to_vec();
    let mut revoke = Command::new(&session.program);
    revoke.args(["key", "revoke", &key_id, "--json", "--db"]).arg(service.database());
    let output = revoke.output()?;
    let revoked: Value = serde_json::from_slice(&output.stdout)?;
    if revoked["key"]["revoked_at"].is_null() {
        return Err("a key was not revoked".into());
    }
    match channel.exchange(&request)?.status {
        401 => Ok(body),
        status => Err(format!("a key that another process revoked was answered {status}").into()),
    }
}
