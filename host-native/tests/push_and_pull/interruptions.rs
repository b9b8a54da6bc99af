//! Pushes that are interrupted, and the same command again.

use std::{
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use super::{
    between::{Asked, Between, Reply, pass_on},
    run::{Firm, Ran, clients, command, files, read, run, write},
};
use crate::support::{Place, account};

const ROWS: usize = 60;
const BATCHES: usize = 6;

/// The process that is to be interrupted.
#[derive(Clone, Default)]
struct Victim(Arc<Mutex<Option<u32>>>);

impl Victim {
    fn signal(&self, name: &str) {
        // The command is asked for its first batch only after it was started and noted.
        let pid = loop {
            if let Some(pid) = *self.0.lock().expect("no panic") {
                break pid;
            }
            std::thread::yield_now();
        };
        assert!(Command::new("kill").args(["-s", name, &pid.to_string()]).status().expect("kill runs").success());
    }

    fn run(&self, mut command: Command) -> Ran {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        *self.0.lock().expect("no panic") = Some(child.id());
        Ran::of(&child.wait_with_output().expect("it ends"))
    }
}

/// Kills a push while its batch number `at` is in flight, before or after the service saved it, then
/// runs the command again.
fn check_kill(at: usize, is_saved: bool) {
    let firm = Firm::new();
    let victim = Victim::default();
    let (origin, killer) = (firm.serving.origin.clone(), victim.clone());
    let mut batches = 0;
    let between = Between::start(move |asked| {
        batches += usize::from(asked.is_batch());
        if asked.is_batch() && batches == at {
            if is_saved {
                pass_on(&origin, asked);
            }
            killer.signal("KILL");
            return Reply::Nothing;
        }
        pass_on(&origin, asked)
    });
    let file = firm.write("clients.csv", &clients(ROWS));
    let arguments = ["push", &file, "--batch-rows", "10", "--json"];
    let killed = victim.run(command(&arguments, &between.origin, &firm.key));
    assert_eq!(killed.status, None, "{killed:?}");
    let ran = run(&arguments, &between.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let errors_file = format!("{file}.errors.csv");
    let expected = json!({"push": {"rows": ROWS, "created": ROWS - BATCHES, "updated": 0, "unchanged": 0, "conflict": 0,
        "error": BATCHES, "incomplete": 0, "rows_done_before": (at - 1) * 10, "is_dry_run": false, "errors_file": errors_file}});
    assert_eq!(ran.json(), expected, "killed in batch {at}, saved: {is_saved}");

    let batches = between.batches();
    assert_eq!(batches.len(), BATCHES + 1, "only the batch in flight is sent again");
    assert_eq!(batches[at - 1], batches[at], "with the same bytes and the same key");
    assert_eq!(firm.serving.clients(&firm.key).len(), ROWS - BATCHES, "each is there once");
    let errors = read(&errors_file);
    let numbers: Vec<&str> = errors.lines().skip(1).filter_map(|line| line.split(',').nth(3)).collect();
    assert_eq!(numbers, ["11", "21", "31", "41", "51", "61"], "no refused row twice, none lost");
    assert_eq!(files(&firm.place, "clients.csv"), ["clients.csv", "clients.csv.errors.csv"]);
}

#[test]
fn killed_in_any_batch_it_goes_on_and_sends_no_answered_batch_again() {
    for at in [1, 3, BATCHES] {
        check_kill(at, false);
        check_kill(at, true);
    }
}

/// What was written behind the state is of a batch whose answer comes again.
#[test]
fn an_error_file_that_was_written_further_than_the_state_says_is_cut_back() {
    let firm = Firm::new();
    let victim = Victim::default();
    let (origin, killer, errors) =
        (firm.serving.origin.clone(), victim.clone(), firm.place.file("clients.csv.errors.csv"));
    let mut batches = 0;
    let between = Between::start(move |asked| {
        batches += usize::from(asked.is_batch());
        if batches == 3 && asked.is_batch() {
            killer.signal("KILL");
            let torn = read(&errors) + "M-29,half a ro";
            std::fs::write(&errors, torn).expect("written");
            return Reply::Nothing;
        }
        pass_on(&origin, asked)
    });
    let file = firm.write("clients.csv", &clients(ROWS));
    let arguments = ["push", &file, "--batch-rows", "10"];
    assert_eq!(victim.run(command(&arguments, &between.origin, &firm.key)).status, None);
    let ran = run(&arguments, &between.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.shown.contains("           20 of them by an earlier run\n"), "{ran:?}");
    let errors = read(format!("{file}.errors.csv"));
    assert_eq!(errors.lines().count(), 1 + BATCHES, "{errors}");
    assert!(!errors.contains("half a ro"));
}

#[test]
fn an_error_file_that_was_taken_away_is_asked_for() {
    let (place, between) = (Place::new(), stopping_after(1));
    let file = write(&place, "clients.csv", "Last Name\nSampleton,too many\nDemowitz\nTesterson\n");
    let arguments = ["push", &file, "--batch-rows", "2", "--retry-seconds", "0"];
    assert_eq!(run(&arguments, &between.origin, "key").status, Some(1));
    std::fs::remove_file(format!("{file}.errors.csv")).expect("it is there");
    let ran = run(&arguments, &between.origin, "key");
    assert!(ran.status == Some(1) && ran.sentence().starts_with("The refused rows cannot be written to "), "{ran:?}");
}

#[test]
fn ctrl_c_stops_at_once_with_a_sentence() {
    let place = Place::new();
    let victim = Victim::default();
    let killer = victim.clone();
    let mut batches = 0;
    let between = Between::start(move |asked| {
        batches += usize::from(asked.is_batch());
        match batches {
            0 => Reply::account(),
            2 => {
                killer.signal("INT");
                // No client waits for this answer.
                Reply::Silence
            }
            _ => Reply::created(asked),
        }
    });
    let file = write(&place, "clients.csv", &clients(30));
    let arguments = ["push", &file, "--batch-rows", "10"];
    let ran = victim.run(command(&arguments, &between.origin, "key"));
    assert_eq!(ran.status, Some(130), "{ran:?}");
    assert_eq!(ran.sentence(), "Stopped. All answered rows are saved. Run the same command again to continue.");
    let state: Value = serde_json::from_str(&read(format!("{file}.push-state"))).expect("JSON");
    assert_eq!(state["rows_done"], 10);
}

/// A service that answers so many batches and then no more.
fn stopping_after(batches: usize) -> Between {
    let mut answered = 0;
    Between::start(move |asked: &Asked| {
        answered += usize::from(asked.is_batch());
        match asked.is_batch() {
            false => Reply::account(),
            true if answered <= batches => Reply::created(asked),
            true => Reply::Nothing,
        }
    })
}

#[test]
fn a_service_that_goes_away_for_longer_than_it_is_waited_for_leaves_a_state() {
    let (place, between) = (Place::new(), stopping_after(2));
    let file = write(&place, "clients.csv", &clients(30));
    let ran = run(&["push", &file, "--batch-rows", "10", "--retry-seconds", "0"], &between.origin, "key");
    assert_eq!((ran.status, ran.shown.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.sentence().contains("/api/v1 cannot be reached: "), "{ran:?}");
    assert!(ran.sentence().ends_with(". 20 of 30 rows are done. Run the same command again to continue."), "{ran:?}");
}

/// A push that was interrupted, and what the next command with these flags says.
fn check_refused(change: impl FnOnce(&str) -> Vec<String>, sentence: &str) {
    let (place, between) = (Place::new(), stopping_after(1));
    let file = write(&place, "clients.csv", &clients(30));
    let begin = ["push", &file, "--batch-rows", "10", "--retry-seconds", "0"];
    assert_eq!(run(&begin, &between.origin, "key").status, Some(1));
    let flags = change(&file);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let ran = run(&[begin.as_slice(), &flags].concat(), &between.origin, "key");
    let expected = format!(
        "By {file}.push-state, a push was interrupted after 10 rows, but {sentence}. Go on as it was begun, or give \
         --restart to send the whole file: that is safe, since known clients are found."
    );
    assert_eq!((ran.status, ran.sentence()), (Some(1), expected.as_str()), "{ran:?}");
    assert_eq!(between.batches().len(), 2, "nothing was sent");
}

#[test]
fn another_file_or_other_columns_do_not_go_on_with_a_state() {
    check_refused(
        |file| {
            std::fs::write(file, clients(31)).expect("written");
            Vec::new()
        },
        "the file has changed since",
    );
    check_refused(|_| vec!["--map".to_owned(), "Street=".to_owned()], "its columns were mapped differently");
}

#[test]
fn another_service_or_account_does_not_go_on_with_a_state() {
    let firm = Firm::new();
    let between = stopping_after(1);
    let file = firm.write("clients.csv", &clients(30));
    let begin = ["push", &file, "--batch-rows", "10", "--retry-seconds", "0"];
    assert_eq!(run(&begin, &between.origin, "key").status, Some(1));
    let ran = run(&begin, &firm.serving.origin, &firm.key);
    assert!(ran.sentence().contains(&format!("but it was sent to {}/api/v1.", between.origin)), "{ran:?}");
    let ran = run(&[begin.as_slice(), &["--restart"]].concat(), &firm.serving.origin, &firm.key);
    assert_eq!((ran.status, ran.shown.contains("27 created")), (Some(1), true), "{ran:?}");

    // The same service, another account's key.
    let (_, other_key) = account(&firm.place.database());
    let origin = firm.serving.origin.clone();
    let mut batches = 0;
    let between = Between::start(move |asked| {
        batches += usize::from(asked.is_batch());
        if asked.is_batch() && batches > 1 { Reply::Nothing } else { pass_on(&origin, asked) }
    });
    assert_eq!(run(&begin, &between.origin, &firm.key).status, Some(1));
    let ran = run(&begin, &between.origin, &other_key);
    assert!(ran.sentence().contains(&format!("but the key was of another account, {}.", firm.account)), "{ran:?}");
    assert_eq!(between.batches().len(), 2, "nothing was sent");
}

#[test]
fn a_file_that_is_no_state_is_never_written_over() {
    let (place, between) = (Place::new(), stopping_after(9));
    let file = write(&place, "clients.csv", &clients(3));
    let diary = write(&place, "diary.txt", "Dear diary");
    let ran = run(&["push", &file, "--state", &diary], &between.origin, "key");
    let sentence = format!("{diary} is not a state of push: name another file with --state.");
    assert_eq!((ran.status, ran.sentence()), (Some(1), sentence.as_str()), "{ran:?}");
    let ran = run(&["push", &file, "--errors", &file], &between.origin, "key");
    assert_eq!(ran.sentence(), format!("{file} cannot be two of input, --errors, --state and preview at once."));
    assert_eq!((read(&diary).as_str(), read(&file)), ("Dear diary", clients(3)));
}
