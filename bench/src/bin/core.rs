//! Batches of 500 clients through the core alone, on one core: a table of batches a second.

use std::time::Instant;

use matterbook_bench::{
    clients::{Work, body},
    core_alone::CoreAlone,
    figures::Spread,
};

/// Posts of one round, each of another body.
const POSTS: usize = 40;
const ROUNDS: usize = 15;

fn main() {
    println!("| work | batches a second, median | lowest | highest |\n|---|---:|---:|---:|");
    for (name, known, posted) in [
        ("new", None, Work::First),
        ("updates", Some(Work::First), Work::Changed),
        ("unchanged", Some(Work::First), Work::First),
    ] {
        let services: Vec<_> = (0..POSTS)
            .map(|number| {
                known.map_or_else(|| CoreAlone::knowing(Vec::new()), |work| CoreAlone::after(body(number, work)))
            })
            .collect();
        let bodies: Vec<_> = (0..POSTS).map(|number| body(number, posted)).collect();
        let Spread { median, low, high } = Spread::of((0..ROUNDS).map(|_| {
            let bodies = bodies.clone();
            let began = Instant::now();
            for (service, body) in services.iter().zip(bodies) {
                std::hint::black_box(service.post(body));
            }
            POSTS as f64 / began.elapsed().as_secs_f64()
        }));
        println!("| {name} | {median:.0} | {low:.0} | {high:.0} |");
    }
}
