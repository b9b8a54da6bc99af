//! Other callers, while something else goes on.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::target::Program;

/// Lets this process have so many files; how many it may have.
pub fn files_allowed(wanted: u64) -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX).min(wanted);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: limit.maximum });
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// The longest that callers wait for `GET /me` while `work` goes on; every one of them is served.
pub fn served_meanwhile<T>(program: &Program, work: impl FnOnce() -> T) -> (T, Duration) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            let (mut longest, mut told_to_come_back) = (Duration::ZERO, 0);
            loop {
                let was_over = is_over.load(Ordering::Relaxed);
                match program.target.caller.ask_me() {
                    Some(time) => longest = longest.max(time),
                    None => told_to_come_back += 1,
                }
                if was_over {
                    return (longest, told_to_come_back);
                }
                thread::sleep(Duration::from_millis(2));
            }
        });
        let outcome = work();
        is_over.store(true, Ordering::Relaxed);
        let (longest, told_to_come_back) = other.join().expect("no panic");
        println!("others: at most {longest:?}, {told_to_come_back} told to come back");
        (outcome, longest)
    })
}
