//! The cost of each kind of request on D1, by the log's figures, against its budget. A request has to cost
//! the same in a small account and in a large one.

use matterbook_conformance::{
    costs::{self, Row, SETTINGS},
    wire::{ServedWorker, WorkerOptions},
};

/// A request in the large account may read so many more rows.
const READ_MORE_MAX: u64 = 8;

fn measure(profile: &str, clients: usize) -> Vec<Row> {
    let state = tempfile::tempdir().expect("a directory for the state");
    let mut settings = SETTINGS.map(|(name, value)| (name, value.to_owned())).to_vec();
    settings.push(("MATTERBOOK_PROFILE", profile.to_owned()));
    let options = WorkerOptions { state: state.path().to_owned(), settings };
    let worker = ServedWorker::start(&options).unwrap_or_else(|problem| panic!("{problem}"));
    let rows = costs::measure(&worker, clients).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(worker.stop().expect("it ends").success(), "it ends as it should");
    rows
}

#[test]
fn every_request_stays_within_its_budget_in_any_account() {
    let (small, large) = (measure("d1", 1_500), measure("d1", 5_000));
    for row in small.iter().chain(&large) {
        let Row { request, cost, round_trips_unseen, budget } = row;
        assert!(cost.is_within(budget), "{request} costs {cost:?}, more than {budget:?}");
        // A budget far above the cost would not notice an increase.
        assert!(cost.rows_read >= budget.rows_read / 2, "{request} costs {cost:?}: lower its budget of {budget:?}");
        assert!(cost.statements < 20, "{request} costs {cost:?}");
        if let Some(unseen) = round_trips_unseen {
            // `GET /me` only looks the key up. That refused clients wait in the account is told with the key, or
            // else by a lookup of its own.
            let more = u64::from(*request != "GET /me" && *request != "POST /clients, 500 refused");
            assert_eq!(*unseen, cost.round_trips + more, "{request}, with a key that was not used for a while");
        }
    }
    for (small, large) in small.iter().zip(&large) {
        let (few, many) = (small.cost, large.cost);
        assert!(many.rows_read <= few.rows_read + READ_MORE_MAX, "{}: {few:?}, then {many:?}", small.request);
        assert_eq!(many.rows_written, few.rows_written, "{}", small.request);
    }
}

/// Each rate-limited request writes a row more, on both profiles; the log does not count it.
#[test]
fn a_request_in_an_object_writes_as_many_rows_as_on_d1_without_a_round_trip() {
    for Row { request, cost, round_trips_unseen, budget } in measure("objects", 1_500) {
        assert!(cost.statements < 20, "{request} costs {cost:?}");
        // That of a request with an API key.
        let Some(unseen) = round_trips_unseen else { continue };
        let to_directory = u64::from(request.contains("/prospects"));
        assert_eq!((cost.round_trips, unseen), (to_directory, to_directory), "{request}");
        assert!(cost.rows_written <= budget.rows_written, "{request} costs {cost:?}, more than {budget:?}");
        // Steps that depend on each other read a row of an index again.
        assert!(cost.rows_read <= 2 * budget.rows_read + READ_MORE_MAX, "{request} costs {cost:?}, not {budget:?}");
    }
}
