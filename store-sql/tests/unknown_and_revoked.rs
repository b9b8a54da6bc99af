//! Looking for a key that was revoked is the same work as looking for one that nobody ever had
//! (design section 10): the same statements, the same steps of SQLite's, and nothing found. So the
//! time of a refusal does not say that a key was ever one.

mod support;

use matterbook_core::store::{OperatorCommand, Store as _};
use support::{Form, Shared, at, block_on, database, key};

/// what a lookup of a key costs: batches, statements, steps.
fn cost(driver: &Shared, look: impl FnOnce()) -> (usize, usize, i64) {
    let before = (driver.batches.get(), driver.statements.get(), driver.steps.get());
    look();
    (driver.batches.get() - before.0, driver.statements.get() - before.1, driver.steps.get() - before.2)
}

#[test]
fn a_revoked_key_is_looked_for_as_one_that_nobody_ever_had() {
    for form in [Form::Rows, Form::Set] {
        let connection = database();
        let driver = Shared::new(&connection, form);
        let firms: Vec<_> = (1..=60).map(|number| support::firm::Firm::create(&driver, number)).collect();
        for firm in firms.iter().step_by(2) {
            firm.operate(OperatorCommand::RevokeKey { key: firm.key_id }, at(1));
        }
        let store = &firms[0].store;
        let look = |key| cost(&driver, || assert_eq!(block_on(store.key_owner(&key)).unwrap(), None));
        let expected = look(key("a key that nobody ever had"));
        assert_eq!((expected.0, expected.1), (1, 1));
        for number in 0..200 {
            assert_eq!(look(key(&format!("unknown {number}"))), expected, "unknown, {form:?}");
        }
        for firm in firms.iter().step_by(2) {
            assert_eq!(look(firm.key), expected, "revoked, {form:?}");
        }
        // The count is one that would show a difference.
        let live = cost(&driver, || assert!(block_on(store.key_owner(&firms[1].key)).unwrap().is_some()));
        assert!(live.2 > expected.2, "{live:?} against {expected:?}");
    }
}
