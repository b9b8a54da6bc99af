//! Posts of 500 clients: new, updated, unchanged, and the mixture of a nightly sync. The floors are bare
//! loops on the same tables.

mod kinds;
mod round;

use std::time::Duration;

use self::{
    kinds::{Kind, kinds},
    round::{Sides, measure_round},
};
use super::{Measured, Session, alone, compared, over};
use crate::{
    Outcome,
    figures::percentile,
    load::Flood,
    report::{Row, Unit},
};

/// The connections, and the accounts that they post to.
#[derive(Clone, Copy)]
struct Load {
    connections: usize,
    accounts: usize,
}

impl Load {
    /// Sends these requests once each. Several accounts keep one connection each.
    const fn flood(self, requests: &[Vec<u8>]) -> Flood<'_> {
        let Self { connections, accounts } = self;
        Flood { requests, count: requests.len(), connections, is_pinned: accounts > 1, keeps_bodies: true }
    }
}

impl std::fmt::Display for Load {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&over(self.connections))?;
        match (self.connections, self.accounts) {
            (1, _) => Ok(()),
            (_, 1) => formatter.write_str(" of one account"),
            (_, accounts) => write!(formatter, " of {accounts} accounts"),
        }
    }
}

/// Over one connection, and over eight connections, each of which posts to its own account.
pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let [one, eight] = [Load { connections: 1, accounts: 1 }, Load { connections: 8, accounts: 8 }];
    let mut rows = Vec::new();
    let mut slowest = Vec::new();
    for (place, load) in [one, eight].into_iter().enumerate() {
        let (measured, p99) = measure_load(session, "posts", load, Some(place))?;
        rows.extend(measured);
        slowest.push(p99);
    }
    rows.extend(slowest);
    Ok(rows)
}

/// Over eight connections that all post to one account.
pub(super) fn measure_one_account(session: &Session) -> Outcome<Vec<Row>> {
    let (mut rows, p99) = measure_load(session, "one_account", Load { connections: 8, accounts: 1 }, None)?;
    rows.push(p99);
    Ok(rows)
}

/// The rows of each kind, and the 99th percentile; the goals are those at a place, if any.
fn measure_load(session: &Session, group: &'static str, load: Load, goals: Option<usize>) -> Outcome<(Vec<Row>, Row)> {
    let count = session.size(200, 80);
    let kinds = kinds(count);
    let bodies = |kind: &Kind| (0..count / load.accounts).map(|number| kind.bodies.body(number)).collect::<Vec<_>>();
    let bodies: Vec<_> = kinds.iter().map(bodies).collect();
    let mut sides: [Sides; 4] = Default::default();
    for round in 0..session.rounds {
        session.say(format_args!("posts over {load}, round {}", round + 1));
        measure_round(session, load, round, &kinds, &bodies, &mut sides)?;
    }
    let row = |(kind, sides): (&Kind, &Sides)| {
        let work = format!("500 {}, {load}", kind.name);
        let mut row = compared(group, work, Unit::ClientsPerSecond, &sides.programs, ("bare loop", &sides.bare));
        row.goal = goals.and_then(|place| kind.goals.map(|goals| goals[place]));
        row.more_floors =
            [("leanest loop", &sides.lean), ("warp that parses", &sides.parse), ("sockets", &sides.sockets)]
                .into_iter()
                .filter(|(_, side)| !side.0.is_empty())
                .map(|(name, side)| side.floor_of(&sides.programs[0], name))
                .collect();
        row
    };
    let rows = kinds.iter().zip(&sides).map(row).collect();
    Ok((rows, slowest(group, load, &sides[..2])))
}

/// The 99th percentile of the posts that write, round by round.
fn slowest(group: &'static str, load: Load, sides: &[Sides]) -> Row {
    let rounds = |program: usize| sides[0].programs[program].0.iter().zip(&sides[1].programs[program].0);
    let millis = |(new, updates): (&Measured, &Measured)| {
        let times: Vec<Duration> = new.times.iter().chain(&updates.times).copied().collect();
        percentile(&times, 0.99).as_secs_f64() * 1e3
    };
    let millis = [0, 1].map(|program| rounds(program).map(millis).collect());
    alone(group, format!("p99 of a 500 post, {load}"), Unit::Milliseconds, millis)
}
