//! What a command of the operator comes to where it is refused, where something fails, and where a
//! request or an answer is lost (S13, S14).

use std::rc::Rc;

use crate::support::{
    FORMS, Fault, Form, Shared, at, database,
    firm::{Firm, hash_of, person},
    id, kind, number, stored_key,
};
use matterbook_core::{
    account::{AccountFlags, Grant, Role},
    client::ClientFields,
    key::KeyLimits,
    prospect::ProspectFields,
    store::{
        AccountChange, ChangeSet, Decided, NewClient, OperatorAnswer, OperatorCommand, Refusal, StoreError,
        StoredResponse,
    },
};
use rusqlite::Connection;

/// An account with a client that asked for no letters and one that did not, a county and a prospect.
struct Scene {
    connection: Rc<Connection>,
    driver: Shared,
    firm: Firm,
}

/// Ids of what a scene holds.
const NO_MAIL: u128 = 501;
const MAIL: u128 = 502;
const PROSPECT: u128 = 503;
const SECOND_OWNER: u128 = 504;

fn scene(form: Form) -> Scene {
    let connection = database();
    let driver = Shared::new(&connection, form);
    let firm = Firm::create(&driver, 1);
    firm.grant("06037", "2025-01-01");
    let email = "second@firm.example".to_owned();
    let second = OperatorCommand::AddLogin { id: id(SECOND_OWNER), account: firm.account, email, role: Role::Owner };
    firm.operate(second, at(1));
    firm.import(vec![(id(PROSPECT), prospect("known"))], at(1));
    let clients = [(NO_MAIL, "no mail", true), (MAIL, "mail", false)].map(|(number, external_id, do_not_mail)| {
        let fields = ClientFields { do_not_mail, ..person(external_id) };
        NewClient { id: id(number), person: hash_of(&fields), fingerprint: fields.fingerprint(), fields }
    });
    let create = move |_: &_| Decided {
        change_set: ChangeSet { created: clients.to_vec(), ..ChangeSet::default() },
        response: StoredResponse { status: 200, body: String::new(), replayed: false },
    };
    firm.change(firm.request(900, at(2), Vec::new(), Box::new(create))).unwrap().unwrap();
    Scene { connection, driver, firm }
}

fn prospect(source_id: &str) -> ProspectFields {
    ProspectFields { source_id: source_id.into(), crash_county_fips: "06037".into(), ..ProspectFields::default() }
}

impl Scene {
    /// How many rows each table has, and the entries in the log.
    fn counts(&self) -> Vec<(String, i64)> {
        let mut tables = self.connection.prepare("select name from sqlite_schema where type = 'table'").unwrap();
        let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let count = |table: &String| {
            let sql = format!("select count(*) from {table}");
            self.connection.query_row(&sql, [], |row| row.get(0)).unwrap()
        };
        tables.iter().map(|table| (table.clone(), count(table))).collect()
    }

    /// The times of the last change of prospects, and of the last one that took one from a page.
    fn prospect_clock(&self) -> (i64, i64) {
        let sql = "select last_change_at, last_removal_at from prospect_clock";
        self.connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
    }

    fn logged(&self) -> i64 {
        self.connection.query_row("select count(*) from operator_log", [], |row| row.get(0)).unwrap()
    }
}

/// Every command that changes something, done to what a scene holds, with the number of reads that it
/// takes before it writes.
fn commands(firm: &Firm) -> Vec<(OperatorCommand, usize)> {
    let (account, login) = (firm.account, firm.login);
    let email = || "somebody@firm.example".to_owned();
    let flags = AccountFlags::default();
    let change = AccountChange { suspended: Some(true), ..AccountChange::default() };
    let grant = Grant { fips: "06059".to_owned(), from_date: "2025-01-01".parse().unwrap() };
    let prospects = vec![(id(701), prospect("new")), (id(702), prospect("known"))];
    let mail_on = |client| OperatorCommand::MailOn { account, client: id(client), client_delay_seconds: 60 };
    vec![
        (
            OperatorCommand::CreateAccount {
                id: id(703),
                number: number(703),
                login_id: id(704),
                email: email(),
                flags,
            },
            0,
        ),
        (OperatorCommand::SetAccount { account, change }, 0),
        (OperatorCommand::AddLogin { id: id(705), account, email: email(), role: Role::Teammate }, 0),
        (OperatorCommand::SetRole { login, role: Role::ViewOnly }, 0),
        (OperatorCommand::RemoveLogin { login: id(SECOND_OWNER) }, 1),
        (
            OperatorCommand::CreateKey {
                id: id(706),
                account,
                login: None,
                label: None,
                limits: KeyLimits::default(),
                key: stored_key("new"),
            },
            1,
        ),
        (OperatorCommand::RevokeKey { key: firm.key_id }, 0),
        (OperatorCommand::GrantCounty { account, grant }, 0),
        (OperatorCommand::RevokeCounty { account, fips: "06037".to_owned() }, 1),
        (OperatorCommand::ImportProspects { prospects }, 1),
        (OperatorCommand::EraseProspect { prospect: id(PROSPECT) }, 0),
        (mail_on(NO_MAIL), 1),
        (mail_on(MAIL), 1),
        (OperatorCommand::EraseClient { account, client: id(NO_MAIL) }, 1),
    ]
}

#[test]
fn a_command_with_a_lost_answer_is_known_from_its_log_entry() {
    let count = commands(&scene(Form::Set).firm).len();
    for number in 0..count {
        let sound = scene(Form::Set);
        let (command, reads) = commands(&sound.firm).swap_remove(number);
        let expected = sound.firm.operate(command.clone(), at(9));

        let losing = scene(Form::Set);
        losing.driver.faults.borrow_mut().extend([vec![Fault::None; reads], vec![Fault::LostAnswer]].concat());
        assert_eq!(losing.firm.operate(command.clone(), at(9)), expected, "{command:?}");
        assert_eq!(losing.counts(), sound.counts(), "{command:?}");
        assert!(losing.driver.faults.borrow().is_empty(), "the answer was lost: {command:?}");
    }
}

/// Erasing a client and turning its letters on are tried again; what became of the others is not
/// known, since what was lost may land yet.
#[test]
fn a_lost_request_is_done_later_or_leaves_no_trace() {
    let count = commands(&scene(Form::Set).firm).len();
    for number in 0..count {
        let scene = scene(Form::Set);
        let (command, reads) = commands(&scene.firm).swap_remove(number);
        let (before, logged) = (scene.counts(), scene.logged());
        scene.driver.faults.borrow_mut().extend([vec![Fault::None; reads], vec![Fault::LostBatch]].concat());
        match scene.firm.try_operate(command.clone(), at(9)) {
            Ok(_) => assert_eq!(scene.logged(), logged + 1, "{command:?}"),
            Err(error) => assert_eq!((kind(error), scene.counts()), ("Unknown", before), "{command:?}"),
        }
    }
}

#[test]
fn an_unknown_result_of_a_command_is_reported_to_the_operator() {
    let count = commands(&scene(Form::Set).firm).len();
    for number in 0..count {
        // Every answer is lost, from the read on or from the write on.
        let fails_from = |intact: usize| {
            let scene = scene(Form::Set);
            let (command, _) = commands(&scene.firm).swap_remove(number);
            scene.driver.faults.borrow_mut().extend([vec![Fault::None; intact], vec![Fault::LostAnswer; 20]].concat());
            kind(scene.firm.try_operate(command, at(9)).unwrap_err())
        };
        let (command, reads) = commands(&scene(Form::Set).firm).swap_remove(number);
        assert_eq!(fails_from(0), if reads > 0 { "Failed" } else { "Unknown" }, "{command:?}");
        assert_eq!(fails_from(reads), "Unknown", "{command:?}");
    }
}

#[test]
fn a_command_on_a_missing_record_writes_nothing() {
    for form in FORMS {
        let scene = scene(form);
        let (account, nobody) = (scene.firm.account, id(1_000_000));
        let fips = "99999".to_owned();
        let grant = Grant { fips: fips.clone(), from_date: "2025-01-01".parse().unwrap() };
        let email = String::new;
        let mail_on = |account, client| OperatorCommand::MailOn { account, client, client_delay_seconds: 60 };
        let cases = [
            (OperatorCommand::SetAccount { account: nobody, change: AccountChange::default() }, Refusal::NoAccount),
            (
                OperatorCommand::AddLogin { id: id(701), account: nobody, email: email(), role: Role::Owner },
                Refusal::NoAccount,
            ),
            (OperatorCommand::SetRole { login: nobody, role: Role::Owner }, Refusal::NoLogin),
            (OperatorCommand::RevokeKey { key: nobody }, Refusal::NoKey),
            (OperatorCommand::GrantCounty { account: nobody, grant }, Refusal::NoAccount),
            (OperatorCommand::RevokeCounty { account: nobody, fips: fips.clone() }, Refusal::NoAccount),
            (OperatorCommand::RevokeCounty { account, fips }, Refusal::NoCounty),
            (OperatorCommand::EraseProspect { prospect: nobody }, Refusal::NoProspect),
            (mail_on(nobody, nobody), Refusal::NoAccount),
            (mail_on(account, nobody), Refusal::NoClient),
            (OperatorCommand::EraseClient { account, client: nobody }, Refusal::NoClient),
        ];
        let before = scene.counts();
        let changed_at = scene.prospect_clock();
        for (command, refusal) in cases {
            let response = scene.firm.operate(command.clone(), at(9));
            assert_eq!(response, OperatorAnswer::Refused(refusal), "{form:?}: {command:?}");
        }
        assert_eq!((scene.counts(), scene.prospect_clock()), (before, changed_at), "{form:?}");
    }
}

/// A replica that is older than this still shows it.
#[test]
fn the_time_is_kept_at_which_a_prospect_was_taken_from_a_page() {
    for form in FORMS {
        let scene = scene(form);
        let removed_by = |command| {
            let before = scene.prospect_clock().1;
            scene.firm.operate(command, at(9));
            let (changed_at, removed_at) = scene.prospect_clock();
            removed_at > before && removed_at == changed_at
        };
        let import = |prospect| OperatorCommand::ImportProspects { prospects: vec![(id(707), prospect)] };
        assert!(!removed_by(import(prospect("7"))), "{form:?}: a new one");
        let renamed = ProspectFields { last_name: Some("Ray".into()), ..prospect("7") };
        assert!(!removed_by(import(renamed.clone())), "{form:?}: a name");
        assert!(
            removed_by(import(ProspectFields { crash_county_fips: "17031".into(), ..renamed })),
            "{form:?}: a county"
        );
        assert!(removed_by(OperatorCommand::EraseProspect { prospect: id(PROSPECT) }), "{form:?}: an erasure");
    }
}

/// Not a refusal: there is such an account.
#[test]
fn a_new_id_that_is_taken_is_a_failure() {
    for form in FORMS {
        let scene = scene(form);
        let Firm { account, login, key_id, .. } = scene.firm;
        let email = || "somebody@firm.example".to_owned();
        let flags = AccountFlags::default();
        let commands = [
            OperatorCommand::CreateAccount {
                id: account,
                number: number(701),
                login_id: id(701),
                email: email(),
                flags,
            },
            OperatorCommand::AddLogin { id: login, account, email: email(), role: Role::Teammate },
            OperatorCommand::CreateKey {
                id: key_id,
                account,
                login: None,
                label: None,
                limits: KeyLimits::default(),
                key: stored_key("new"),
            },
        ];
        let before = scene.counts();
        for command in commands {
            let outcome = scene.firm.try_operate(command.clone(), at(9));
            assert!(matches!(outcome, Err(StoreError::Failed { .. })), "{form:?}: {command:?}: {outcome:?}");
        }
        assert_eq!(scene.counts(), before, "{form:?}");
    }
}

/// The answer tells the grant that was taken away, so one that moves at that very moment stays.
#[test]
fn a_grant_that_moves_meanwhile_is_not_taken_back() {
    let scene = scene(Form::Set);
    let others = scene.firm.over(&Shared::new(&scene.connection, Form::Set));
    let moves = Box::new(move || others.grant("06037", "2026-01-01"));
    scene.driver.interruptions.borrow_mut().push_back(moves);
    let revoke = OperatorCommand::RevokeCounty { account: scene.firm.account, fips: "06037".to_owned() };
    let outcome = scene.firm.try_operate(revoke.clone(), at(9));
    assert!(matches!(outcome, Err(StoreError::Contended { .. })), "{outcome:?}");
    let moved = Grant { fips: "06037".to_owned(), from_date: "2026-01-01".parse().unwrap() };
    assert_eq!(scene.firm.operate(revoke, at(10)), OperatorAnswer::County(moved));
}
