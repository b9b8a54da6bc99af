//! What the console's requests come to where others write in between, where an answer is lost, and what is pruned.

use std::rc::Rc;

use crate::support::{Fault, Form, Shared, at, block_on, database, firm::Firm, id, key, kind, stored_key};
use matterbook_core::{
    account::{KeyOwner, Role},
    key::KeyLimits,
    sign_in::{LinkDigest, SessionDigest},
    store::{
        AccountChange, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, ConsoleRequest, ConsoleResponse, ConsoleStore,
        NewSession, OperatorCommand, Retention, SignIn, SignInAnswer, SignInCommand, SignInRefusal, Store, StoreError,
    },
};
use rusqlite::Connection;

/// An account with a second owner, whose session is open, over a driver as D1 is.
struct Scene {
    connection: Rc<Connection>,
    driver: Shared,
    firm: Firm,
}

fn scene() -> Scene {
    let connection = database();
    let driver = Shared::new(&connection, Form::Set);
    let firm = Firm::create(&driver, 1);
    let email = "second@firm.example".to_owned();
    firm.operate(OperatorCommand::AddLogin { id: id(50), account: firm.account, email, role: Role::Owner }, at(0));
    firm.sign_in(at(1));
    Scene { connection, driver, firm }
}

impl Scene {
    /// What somebody else does just before the next batch that writes.
    fn meanwhile(&self, command: OperatorCommand) {
        let other = self.firm.over(&Shared::new(&self.connection, Form::Rows));
        self.driver.interruptions.borrow_mut().push_back(Box::new(move || drop(other.operate(command, at(2)))));
    }

    fn ask(&self, number: u128, command: ConsoleCommand) -> Result<Option<ConsoleResponse>, StoreError> {
        let (session, retention) = (self.firm.session(), Retention::default());
        let (entry_id, request_id) = (id(number), id(number));
        block_on(self.firm.store.console(ConsoleRequest {
            session,
            now: at(3),
            entry_id,
            request_id,
            retention,
            command,
        }))
    }

    fn create_key(&self) -> Result<Option<ConsoleResponse>, StoreError> {
        let (label, limits) = (None, KeyLimits::default());
        self.ask(900, ConsoleCommand::CreateKey { id: id(901), label, limits, key: stored_key("new") })
    }

    fn owner_of_new_key(&self) -> Option<KeyOwner> {
        block_on(self.firm.store.key_owner(&key("new"), at(4))).unwrap()
    }

    fn logged(&self) -> i64 {
        self.connection.query_row("select count(*) from operator_log", [], |row| row.get(0)).unwrap()
    }
}

fn refusal(response: Result<Option<ConsoleResponse>, StoreError>) -> Option<ConsoleRefusal> {
    match response.unwrap()?.answer {
        ConsoleAnswer::Refused(refusal) => Some(refusal),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_session_loses_before_its_batch_has_no_effect() {
    let scene = scene();
    let (account, login) = (scene.firm.account, scene.firm.login);
    let off = AccountChange { api_enabled: Some(false), ..AccountChange::default() };
    let suspended = AccountChange { suspended: Some(true), ..AccountChange::default() };
    for (command, expected) in [
        (OperatorCommand::SetAccount { account, change: off }, Some(ConsoleRefusal::NotEnabled)),
        (OperatorCommand::SetAccount { account, change: suspended }, Some(ConsoleRefusal::Suspended)),
    ] {
        let before = scene.logged();
        scene.meanwhile(command);
        assert_eq!(refusal(scene.create_key()), expected);
        assert_eq!(scene.logged(), before + 1, "the other's entry alone");
        let on = AccountChange { api_enabled: Some(true), ..AccountChange::default() };
        scene.firm.operate(OperatorCommand::SetAccount { account, change: on }, at(2));
    }
    assert_eq!(scene.owner_of_new_key(), None);

    let scene = self::scene();
    scene.meanwhile(OperatorCommand::SetRole { login, role: Role::ViewOnly });
    assert_eq!(scene.create_key(), Ok(None), "the session ended with the role");
    assert_eq!(scene.owner_of_new_key(), None);
}

#[test]
fn a_link_that_is_used_twice_at_once_begins_one_session() {
    let scene = scene();
    let link = LinkDigest::of("once");
    let make = OperatorCommand::MakeLink { login: id(50), link, expires_at: at(100) };
    scene.firm.operate(make, at(1));
    let use_it = |number: u128| SignIn {
        now: at(2),
        entry_id: id(number),
        request_id: id(number),
        retention: Retention::default(),
        command: SignInCommand::UseLink {
            link,
            session: NewSession { id: id(number), digest: SessionDigest::of(&number.to_string()) },
        },
    };
    let other = scene.firm.over(&Shared::new(&scene.connection, Form::Rows));
    let first = use_it(800);
    scene.driver.interruptions.borrow_mut().push_back(Box::new(move || {
        let answer = block_on(other.store.sign_in(first)).unwrap();
        assert!(matches!(answer, SignInAnswer::SignedIn(_)), "{answer:?}");
    }));
    let second = block_on(scene.firm.store.sign_in(use_it(801))).unwrap();
    assert_eq!(second, SignInAnswer::Refused(SignInRefusal::Unknown));
    let sessions = |login: u128| -> i64 {
        let sql = "select count(*) from sessions where login_id = ?1";
        scene.connection.query_row(sql, [id(login).as_bytes().as_slice()], |row| row.get(0)).unwrap()
    };
    assert_eq!(sessions(50), 1);
}

#[test]
fn a_change_whose_answer_is_lost_is_known_from_its_log_entry() {
    let scene = scene();
    scene.driver.faults.borrow_mut().extend([Fault::None, Fault::None, Fault::LostAnswer]);
    let response = scene.create_key().unwrap().unwrap();
    assert!(matches!(response.answer, ConsoleAnswer::Key(_)), "{:?}", response.answer);
    assert!(scene.owner_of_new_key().is_some());
    scene.driver.faults.borrow_mut().extend([Fault::None, Fault::None, Fault::LostBatch]);
    let revoke = ConsoleCommand::RevokeKey { key: id(901) };
    assert_eq!(scene.ask(902, revoke).map_err(kind), Err("Unknown"));
    assert!(scene.owner_of_new_key().is_some(), "a batch that was lost has no effect");
}

#[test]
fn a_new_session_deletes_eight_that_have_ended() {
    let scene = scene();
    let sql = "insert into sessions (digest, id, login_id, started_at, used_at) values (?1, x'01', x'02', ?2, ?2)";
    for number in 0..20 {
        scene.connection.execute(sql, (format!("ended {number}"), at(number - 50_000).micros())).unwrap();
    }
    scene.connection.execute(sql, ("open", at(-40_000).micros())).unwrap();
    let ended = || -> Vec<String> {
        let mut found = scene.connection.prepare("select digest from sessions where login_id = x'02'").unwrap();
        found.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for (number, left) in [(1, 13), (2, 5), (3, 1)] {
        let link = LinkDigest::of(&number.to_string());
        scene.firm.operate(OperatorCommand::MakeLink { login: id(50), link, expires_at: at(100) }, at(2));
        let session = NewSession { id: id(700 + number), digest: SessionDigest::of(&number.to_string()) };
        let (entry_id, request_id, retention) = (id(710 + number), id(720 + number), Retention::default());
        let command = SignInCommand::UseLink { link, session };
        block_on(scene.firm.store.sign_in(SignIn { now: at(2), entry_id, request_id, retention, command })).unwrap();
        assert_eq!(ended().len(), left, "after {number} new sessions");
    }
    assert_eq!(ended(), ["open"]);
}
