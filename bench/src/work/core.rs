//! The core alone: batches of 500 on one core.

use std::time::Instant;

use super::Session;
use crate::{
    Outcome,
    clients::{Work, body},
    core_alone::CoreAlone,
    figures::Spread,
    report::{Goal, Row, Unit},
};

/// Posts of one round, each of another body.
const POSTS: usize = 40;
/// How much more often it is measured than the rest: it takes little time.
const ROUNDS_MORE: usize = 3;

/// Measures new, updated and unchanged clients.
///
/// # Errors
/// Never; the signature is that of all groups.
pub fn measure(session: &Session) -> Outcome<Vec<Row>> {
    session.say("the core alone");
    let works = [
        ("new", None, Work::First),
        ("updates", Some(Work::First), Work::Changed),
        ("unchanged", Some(Work::First), Work::First),
    ];
    let row = |(name, known, posted): (&str, Option<Work>, Work)| {
        let figure = batches_per_second(session.rounds * ROUNDS_MORE, known, posted);
        let goal = Goal::new(1_500.0, 3_000.0);
        Row::alone("core", format!("the core alone, 500 {name}"), Unit::BatchesPerSecond, figure, goal)
    };
    Ok(works.into_iter().map(row).collect())
}

/// How many batches of a work the rules take a second, where these clients are known.
fn batches_per_second(rounds: usize, known: Option<Work>, posted: Work) -> Spread {
    let services: Vec<_> = (0..POSTS)
        .map(|number| known.map_or_else(|| CoreAlone::knowing(Vec::new()), |work| CoreAlone::after(body(number, work))))
        .collect();
    let bodies: Vec<_> = (0..POSTS).map(|number| body(number, posted)).collect();
    Spread::of((0..rounds).map(|_| {
        let bodies = bodies.clone();
        let began = Instant::now();
        for (service, body) in services.iter().zip(bodies) {
            std::hint::black_box(service.post(body));
        }
        POSTS as f64 / began.elapsed().as_secs_f64()
    }))
}
