//! Earlier states of clients are kept while a reader may see them, and pruned afterwards (rule S8).

use std::collections::BTreeMap;

use crate::support::{
    FORMS, Form, Shared, at, database,
    firm::{DELAY_SECONDS, Firm, lookup_key, person, update_of},
};
use matterbook_core::{
    SmolStr,
    client::{Client, ClientFields},
    id::IdMint,
    store::{ChangeSet, Decide, Decided, OperatorCommand, StoredResponse, View},
    time::Timestamp,
    uuid::Uuid,
};

/// The times of the commits that changed each client.
#[derive(Default)]
struct Histories {
    changed_at: BTreeMap<SmolStr, Vec<i64>>,
    last_commit_at: i64,
}

impl Histories {
    /// The earlier states that a reader with this horizon may see: when each was made, when superseded.
    fn earlier(&self, superseded_after: i64) -> Vec<(i64, i64)> {
        let mut states: Vec<_> = self
            .changed_at
            .values()
            .flat_map(|times| times.windows(2).map(|pair| (pair[0], pair[1])))
            .filter(|(_, superseded_at)| *superseded_at > superseded_after)
            .collect();
        states.sort_unstable();
        states
    }
}

fn states(driver: &Shared) -> Vec<(i64, i64)> {
    let sql = "select updated_at, superseded_at from client_states order by 1, 2";
    let mut statement = driver.connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Changes clients, of which earlier states are kept for so many days.
fn put(firm: &Firm, number: u128, now: Timestamp, clients: &[(&str, &str)], history_days: u32) {
    let mut request = firm.put_request(number, now, clients);
    request.retention.history_days = history_days;
    firm.change(request).unwrap().unwrap();
}

const SECOND: i64 = Timestamp::SECOND_MICROS;

/// Commits of random sizes at random times, by machines whose clocks differ by up to `skew` seconds.
fn check(seed: u64, people: u64, skew: u64) {
    let random = &mut fastrand::Rng::with_seed(seed);
    let driver = Shared::new(&database(), Form::Set);
    let firm = Firm::create(&driver, 1);
    let mut histories = Histories::default();
    let mut true_now = at(1_000);
    let mut most_live = 0;
    for number in 1..=200_u64 {
        true_now = true_now.plus_seconds(i64::try_from(random.u64(..12)).unwrap());
        let ahead_seconds = i64::try_from(random.u64(..skew + 1)).unwrap() - i64::try_from(skew / 2).unwrap();
        let now = true_now.plus_seconds(ahead_seconds);
        let phone = SmolStr::from(number.to_string());
        let mut ids: Vec<_> =
            (0..=random.u64(..people)).map(|_| SmolStr::from(random.u64(..people).to_string())).collect();
        ids.sort_unstable();
        ids.dedup();
        let clients: Vec<_> = ids.iter().map(|id| (id.as_str(), phone.as_str())).collect();
        put(&firm, u128::from(number), now, &clients, 0);
        histories.last_commit_at = now.micros().max(histories.last_commit_at + 1);
        for id in ids {
            histories.changed_at.entry(id).or_default().push(histories.last_commit_at);
        }

        // Every state that a reader may still see is kept. No reader trusts a commit that is further ahead
        // of its clock than the tolerance.
        let tolerance = View::CLOCK_TOLERANCE_SECONDS * SECOND;
        let oldest_horizon = histories.last_commit_at - tolerance - i64::from(DELAY_SECONDS) * SECOND;
        let kept = states(&driver);
        let live = histories.earlier(oldest_horizon);
        for state in &live {
            assert!(kept.binary_search(state).is_ok(), "seed {seed}, commit {number}: {state:?} is lost");
        }
        // Each kept state existed. Dead ones are of two periods at most, of 134 s each.
        let ever = histories.earlier(i64::MIN);
        assert!(kept.iter().all(|state| ever.binary_search(state).is_ok()));
        most_live = most_live.max(live.len());
        assert!(kept.len() <= 5 * most_live + 32, "seed {seed}, commit {number}: {} kept, {most_live}", kept.len());
    }
    // Without further changes, a few small commits prune every earlier state.
    let later = true_now.plus_seconds(1_000);
    let rounds = states(&driver).len() / 8 + 3;
    for number in 0..rounds {
        put(&firm, 10_000 + number as u128, later, &[(&format!("new {number}"), "+1")], 0);
    }
    assert_eq!(states(&driver), [], "seed {seed}");
}

#[test]
fn pruning_keeps_every_live_state_and_deletes_every_dead_one() {
    for (seed, people) in [(1, 1), (2, 5), (3, 25)] {
        for skew in [0, 28, 100] {
            check(seed, people, skew);
        }
    }
}

fn count(driver: &Shared, sql: &str) -> i64 {
    driver.connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// The id of a request at a time: it begins with the time, as all do.
fn request_id(day: i64, number: u64) -> u128 {
    let now = at(day * DAY_SECONDS).plus_seconds(i64::try_from(number).unwrap());
    IdMint::new(now, [7; 10]).id(0).as_u128()
}

#[test]
fn a_commit_is_on_record_for_thirty_days() {
    for form in FORMS {
        let driver = Shared::new(&database(), form);
        let firm = Firm::create(&driver, 1);
        let post = |day: i64, number: u64| {
            let now = at(day * DAY_SECONDS).plus_seconds(i64::try_from(number).unwrap());
            put(&firm, request_id(day, number), now, &[("7", &format!("{day} {number}"))], 0);
        };
        let records = || count(&driver, "select count(*) from commits");
        (0..10).for_each(|number| post(1, number));
        (0..4).for_each(|number| post(30, number));
        assert_eq!(records(), 14, "none is older than thirty days");
        (0..5).for_each(|number| post(32, number));
        assert_eq!(records(), 9, "each commit has deleted two that are older");
        post(32, 5);
        assert_eq!(records(), 10, "the others are young enough");
    }
}

#[test]
fn an_expired_answer_is_deleted_by_any_commit() {
    for form in FORMS {
        let driver = Shared::new(&database(), form);
        let firm = Firm::create(&driver, 1);
        let sql = "
            insert into saved_answers (account_id, idempotency_key, request_digest, status, body, saved_at)
            select 1, value, 'd', 200, '{}', ?1 from json_each('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]')";
        driver.connection.execute(sql, [at(0).micros()]).unwrap();
        let answers = || count(&driver, "select count(*) from saved_answers");
        firm.put(1, at(DAY_SECONDS + 29), &[("7", "1")]);
        assert_eq!(answers(), 10);
        firm.put(2, at(DAY_SECONDS + 30), &[("7", "2")]);
        assert_eq!(answers(), 2, "a commit without an idempotency key deletes up to eight");
    }
}

#[test]
fn without_a_delay_and_a_history_nothing_is_kept() {
    let driver = Shared::new(&database(), Form::Rows);
    let firm = Firm::create(&driver, 1);
    for number in 1..10 {
        let mut request = firm.put_request(number, at(1), &[("7", &number.to_string())]);
        request.client_delay_seconds = 0;
        request.retention.history_days = 0;
        firm.change(request).unwrap().unwrap();
    }
    assert_eq!(states(&driver), []);
}

#[test]
fn earlier_states_and_their_commits_are_kept_for_the_days_of_the_history() {
    for form in FORMS {
        for delay_seconds in [0, 60] {
            let driver = Shared::new(&database(), form);
            let firm = Firm::create(&driver, 1);
            let post = |day: i64, number: u64| {
                let now = at(day * DAY_SECONDS).plus_seconds(i64::try_from(number).unwrap());
                let phone = format!("{day} {number}");
                let mut request = firm.put_request(request_id(day, number), now, &[("7", &phone)]);
                request.client_delay_seconds = delay_seconds;
                request.retention.history_days = 90;
                firm.change(request).unwrap().unwrap();
            };
            let kept = || (states(&driver).len(), count(&driver, "select count(*) from commits"));
            (0..30).for_each(|number| post(1, number));
            post(90, 0);
            assert_eq!(kept(), (30, 31), "none is older than ninety days");
            (0..4).for_each(|number| post(92, number));
            assert_eq!(kept(), (5, 27), "each commit deletes a few states and two records that are older");
        }
    }
}

/// An erased client leaves nothing behind, however long its history (rule S12).
#[test]
fn an_erased_clients_history_is_deleted_and_no_other() {
    for form in FORMS {
        let driver = Shared::new(&database(), form);
        let firm = Firm::create(&driver, 1);
        for number in 0..40_u64 {
            let phone = number.to_string();
            // With various delays, and so periods.
            let now = at(i64::try_from(number).unwrap() * 1_000);
            let mut request = firm.put_request(u128::from(number) + 1, now, &[("7", &phone), ("8", &phone)]);
            request.client_delay_seconds = [0, 60, 600, 86_400][usize::try_from(number % 4).unwrap()];
            firm.change(request).unwrap().unwrap();
        }
        assert_eq!(states(&driver).len(), 78);
        let id: Vec<u8> = driver
            .connection
            .query_row("select id from clients where external_id = '7'", [], |row| row.get(0))
            .unwrap();
        let client = Uuid::from_slice(&id).unwrap();
        firm.operate(OperatorCommand::EraseClient { account: firm.account, client }, at(100_000));
        let left = "select count(*) from client_states where external_id = '8'";
        assert_eq!((states(&driver).len(), count(&driver, left)), (39, 39), "{form:?}");
    }
}

/// A former address is kept as long as the state that had it (rule S41).
#[test]
fn former_addresses_are_swept_and_erased_with_the_earlier_states() {
    for form in FORMS {
        let driver = Shared::new(&database(), form);
        let firm = Firm::create(&driver, 1);
        firm.put(1, at(DAY_SECONDS), &[("7", "+1"), ("8", "+1")]);
        let moves = |day: i64, number: u64, history_days: u32| {
            let now = at(day * DAY_SECONDS).plus_seconds(i64::try_from(number).unwrap());
            let keys = ["7", "8"].map(|external_id| lookup_key(&person(external_id)));
            let decide: Decide = Box::new(move |snapshot| {
                let street = SmolStr::from(format!("{day} {number} Elm St"));
                let there = |client: &Client| {
                    let street = Some(street.clone());
                    update_of(client, ClientFields { address_line1: street, ..client.fields.clone() })
                };
                let updated = snapshot.clients.iter().map(there).collect();
                let response = StoredResponse { status: 200, body: "moved".into(), replayed: false };
                Decided { change_set: ChangeSet { updated, ..ChangeSet::default() }, response }
            });
            let mut request = firm.request(request_id(day, number), now, keys.to_vec(), decide);
            request.retention.history_days = history_days;
            firm.change(request).unwrap().unwrap();
        };
        let kept = || (states(&driver).len(), count(&driver, "select count(*) from former_addresses"));
        (1..=10).for_each(|number| moves(1, number, 90));
        assert_eq!(kept(), (20, 20));
        // A change of another field has no address to keep.
        firm.put(2, at(DAY_SECONDS + 20), &[("7", "+2")]);
        assert_eq!(kept(), (21, 20));
        (1..=4).for_each(|number| moves(200, number, 90));
        let without_state = "select count(*) from former_addresses as former where not exists (
            select 1 from client_states as state where state.account_id = former.account_id
              and state.id = former.client_id and state.superseded_at = former.superseded_at)";
        assert_eq!(count(&driver, without_state), 0, "{form:?}: of a state that was swept");
        assert!(kept().1 < 24, "{form:?}: {:?}", kept());
        let id: Vec<u8> = driver
            .connection
            .query_row("select id from clients where external_id = '7'", [], |row| row.get(0))
            .unwrap();
        let of_7 = "select count(*) from former_addresses
            where client_id = (select id from clients where external_id = '7')";
        let of_others = count(&driver, "select count(*) from former_addresses") - count(&driver, of_7);
        let client = Uuid::from_slice(&id).unwrap();
        firm.operate(OperatorCommand::EraseClient { account: firm.account, client }, at(300 * DAY_SECONDS));
        assert_eq!(kept().1, of_others, "{form:?}: after an erasure");
    }
}
