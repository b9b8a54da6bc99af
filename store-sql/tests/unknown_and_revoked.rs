//! Looking up a revoked key takes the same work as looking up a key that never existed: the same
//! statements, the same SQLite steps, no result. So the latency of a refusal does not reveal that a key
//! once existed (rule A3).

use crate::support::{Form, Shared, at, block_on, database, key};
use matterbook_core::store::{OperatorCommand, Store as _};

/// The cost of a key lookup: batches, statements, steps.
fn cost(driver: &Shared, look: impl FnOnce()) -> (usize, usize, i64) {
    let before = (driver.batches.get(), driver.statements.get(), driver.steps.get());
    look();
    (driver.batches.get() - before.0, driver.statements.get() - before.1, driver.steps.get() - before.2)
}

#[test]
fn a_revoked_key_costs_the_same_lookup_as_an_unknown_key() {
    for form in [Form::Rows, Form::Set] {
        let connection = database();
        let driver = Shared::new(&connection, form);
        let firms: Vec<_> = (1..=60).map(|number| crate::support::firm::Firm::create(&driver, number)).collect();
        for firm in firms.iter().step_by(2) {
            firm.operate(OperatorCommand::RevokeKey { key: firm.key_id }, at(1));
        }
        let store = &firms[0].store;
        let look = |key| cost(&driver, || assert_eq!(block_on(store.key_owner(&key, at(0))).unwrap(), None));
        let expected = look(key("a key that nobody ever had"));
        assert_eq!((expected.0, expected.1), (1, 1));
        for number in 0..200 {
            assert_eq!(look(key(&format!("unknown {number}"))), expected, "unknown, {form:?}");
        }
        for firm in firms.iter().step_by(2) {
            assert_eq!(look(firm.key), expected, "revoked, {form:?}");
        }
        // The count is one that would show a difference.
        let live = cost(&driver, || assert!(block_on(store.key_owner(&firms[1].key, at(0))).unwrap().is_some()));
        assert!(live.2 > expected.2, "{live:?} against {expected:?}");
    }
}
