//! A request under test, and others that write into the same database.

use std::rc::Rc;

use crate::support::{Form, Shared, database, firm::Firm};

/// A request under test: its driver, and others who use the same database undisturbed.
pub struct Scene {
    pub driver: Shared,
    pub firm: Firm,
    pub others: Rc<Firm>,
}

pub fn scene() -> Scene {
    let connection = database();
    let driver = Shared::new(&connection, Form::Set);
    let firm = Firm::create(&driver, 1);
    let others = Rc::new(firm.over(&Shared::new(&connection, Form::Set)));
    Scene { driver, firm, others }
}

impl Scene {
    /// Before the next commit of the request under test, others do this.
    pub fn meanwhile(&self, act: impl FnOnce(&Firm) + 'static) {
        let others = Rc::clone(&self.others);
        self.driver.interruptions.borrow_mut().push_back(Box::new(move || act(&others)));
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.driver.connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    pub fn phone_of(&self, external_id: &str) -> String {
        let sql = "select phone from clients where external_id = ?1";
        self.driver.connection.query_row(sql, [external_id], |row| row.get(0)).unwrap()
    }
}
