//! Batches of 500 clients through the core alone, on one core: a table of batches a second.

use matterbook_bench::{
    core_alone::{WORKS, batches_per_second},
    figures::Spread,
};

const ROUNDS: usize = 15;

fn main() {
    println!("| work | batches a second, median | lowest | highest |\n|---|---:|---:|---:|");
    for (name, known, posted) in WORKS {
        let Spread { median, low, high } = batches_per_second(ROUNDS, known, posted);
        println!("| {name} | {median:.0} | {low:.0} | {high:.0} |");
    }
}
