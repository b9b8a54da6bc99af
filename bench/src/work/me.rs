//! `GET /me` over many keys, counted toward their limits, against a bare warp that answers the same
//! constant.

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

/// The highest limit that can be set: counted, and not reached.
const RATE_LIMIT: u32 = 10_000;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let database = session.new_file("service")?;
    let service = Service::start(&Start { rate_limit_per_minute: RATE_LIMIT, ..session.on(&database) })?;
    let accounts = service.accounts(session.size(2_000, 200))?;
    let answer = revoked_at_once(session, &service)?;
    let constant = session.directory.join("constant.json");
    std::fs::write(&constant, &answer)?;
    let (web, sockets) = (BareWeb::start(&constant)?, BareSockets::start(answer.len())?);
    let requests: Vec<_> = accounts.iter().map(|account| get(BareWeb::CONSTANT, &account.key)).collect();
    let mut rows = Vec::new();
    for connections in [32, 128] {
        let count = session.size(150_000, 30_000);
        let requests = Flood { requests: &requests, count, connections, ..Flood::default() };
        let mut sides: [Side; 3] = Default::default();
        for round in 0..session.rounds {
            session.say(format_args!("GET /me over {connections} connections, round {}", round + 1));
            service.empty_log()?;
            for turn in turns(round, 3) {
                let (process, address) = match turn {
                    0 => (&service.process, service.address),
                    1 => (&web.process, web.address),
                    _ => (&sockets.process, sockets.address),
                };
                sides[turn].0.push(Measured::flood(process, address, requests, 1.0)?.0);
            }
        }
        let work = format!("GET /me, {}", over(connections));
        let [service, web, sockets] = &sides;
        let mut row = compared("me", work, Unit::RequestsPerSecond, service, ("bare warp", web));
        row.more_floors = vec![sockets.floor_of(service, "sockets")];
        row.goal = Some(Goal::new(0.92, 0.98));
        rows.push(row);
    }
    service.stop()?;
    Ok(rows)
}

/// Holds the service to what the row speaks of: the request is counted, and a key that another process
/// revoked is refused with the next one. Hands back an answer's body.
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
