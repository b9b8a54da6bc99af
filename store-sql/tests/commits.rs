//! Commits where others write in between, and where requests or answers are lost (S5, S14).

use std::sync::{Arc, Mutex};

use crate::scene::{Scene, scene};
use crate::support::{
    at,
    firm::{Firm, lookup_key, person},
    id,
};
use matterbook_core::{
    account::Role,
    matching::PersonHash,
    prospect::ProspectFields,
    store::{
        AccountChange, Authority, ChangeOwner, ChangeRequest, ChangeSet, ConsoleCommand, Decided, IdempotencyRecord,
        ImportCounts, ImportOutcome, ImportProgress, LookupKey, NewImport, OperatorCommand, SessionAuthority,
        SettlementChange, Snapshot, StoreError, StoredResponse,
    },
    uuid::Uuid,
};

#[test]
fn a_person_made_meanwhile_is_updated_not_made_twice() {
    let scene = scene();
    scene.meanwhile(|others| drop(others.put(2, at(2), &[("7", "+1")])));
    let response = scene.firm.put(1, at(1), &[("7", "+2")]);
    assert_eq!(response.body, "created 0, updated 1");
    assert_eq!(scene.count("select count(*) from clients"), 1);
    assert_eq!(scene.phone_of("7"), "+2");
}

#[test]
fn a_match_committed_meanwhile_is_seen() {
    let known = lookup_key(&person("7"));
    let name_only = PersonHash { street: None, unit: 0, zip5: None, ..known.person };
    let lookup_keys = [
        LookupKey { external_id: Some("7".into()), ..LookupKey::default() },
        LookupKey { external_id: Some("another".into()), person: known.person, ..LookupKey::default() },
        LookupKey { person: name_only, ..LookupKey::default() },
    ];
    for lookup_key in lookup_keys {
        let scene = scene();
        scene.meanwhile(|others| drop(others.put(2, at(2), &[("7", "+1")])));
        let counts = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&counts);
        // Whatever it sees, it makes somebody else, so no unique index would notice.
        let mut request = scene.firm.put_request(1, at(1), &[("unrelated", "+2")]);
        request.lookup_keys = vec![lookup_key.clone()];
        let mut decide = request.decide;
        request.decide = Box::new(move |snapshot| {
            noted.lock().unwrap().push(snapshot.clients.len());
            decide(snapshot)
        });
        scene.firm.change(request).unwrap().unwrap();
        assert_eq!(*counts.lock().unwrap(), [0, 1], "{lookup_key:?}");
    }
}

#[test]
fn changes_to_other_clients_meanwhile_do_not_disturb() {
    let scene = scene();
    scene.firm.put(1, at(1), &[("1", "+1"), ("2", "+1")]);
    scene.meanwhile(|others| drop(others.put(2, at(2), &[("2", "+2"), ("3", "+2")])));
    let before = scene.driver.batches.get();
    scene.firm.put(3, at(3), &[("1", "+3")]);
    assert_eq!(scene.driver.batches.get() - before, 2, "one read and one commit");
    let times = "select count(distinct updated_at) from clients";
    assert_eq!(scene.count(times), 2, "the commits have times of their own");
}

#[test]
fn commits_in_one_microsecond_still_grow() {
    let scene = scene();
    scene.firm.put(1, at(9), &[("1", "+1")]);
    scene.meanwhile(|others| drop(others.put(2, at(9), &[("2", "+2")])));
    scene.firm.put(3, at(5), &[("3", "+3")]);
    assert_eq!(scene.count("select max(updated_at) - min(updated_at) from clients"), 2);
}

#[test]
fn a_key_revoked_meanwhile_has_no_effect() {
    let scene = scene();
    let key = scene.firm.key_id;
    scene.meanwhile(move |others| drop(others.operate(OperatorCommand::RevokeKey { key }, at(2))));
    let response = scene.firm.change(scene.firm.put_request(1, at(1), &[("7", "+2")])).unwrap();
    assert_eq!(response, None);
    assert_eq!(scene.count("select count(*) from clients"), 0);
}

/// A request of the owner's session, which is a batch of an import where there is one.
fn request_of_session(scene: &Scene, import: Option<Uuid>) -> ChangeRequest {
    let session = scene.firm.session();
    let authority = Authority::Session(SessionAuthority { session, import });
    ChangeRequest { authority, ..scene.firm.put_request(1, at(1), &[("7", "+2")]) }
}

#[test]
fn a_session_that_ends_meanwhile_has_no_effect() {
    for ends in ["sign-out", "role"] {
        let scene = scene();
        scene.firm.sign_in(at(0));
        let login = scene.firm.login;
        scene.meanwhile(move |others| match ends {
            "sign-out" => drop(others.ask(at(1), ConsoleCommand::SignOut)),
            _ => drop(others.operate(OperatorCommand::SetRole { login, role: Role::Teammate }, at(1))),
        });
        assert_eq!(scene.firm.change(request_of_session(&scene, None)).unwrap(), None, "{ends}");
        assert_eq!(scene.count("select count(*) from clients"), 0, "{ends}");
    }
}

#[test]
fn a_batch_of_an_import_that_went_on_meanwhile_is_decided_again() {
    for ends in [false, true] {
        let scene = scene();
        scene.firm.sign_in(at(0));
        let (file_name, digest, mapping) = ("a.csv".to_owned(), "a".repeat(64), "{}".to_owned());
        let import = NewImport { id: Uuid::from_u128(9), file_name, digest, rows: 9, mapping };
        scene.firm.ask(at(0), ConsoleCommand::BeginImport { import });
        let import = Uuid::from_u128(9);
        scene.meanwhile(move |others| {
            if ends {
                others.ask(at(1), ConsoleCommand::EndImport { import });
                return;
            }
            let session = others.session();
            let authority = Authority::Session(SessionAuthority { session, import: Some(import) });
            let counts = ImportCounts { refused: 3, ..ImportCounts::default() };
            let change_set = ChangeSet { import: Some(ImportProgress { rows: 3, counts }), ..ChangeSet::default() };
            let response = StoredResponse::default();
            let decide =
                Box::new(move |_: &Snapshot| Decided { change_set: change_set.clone(), response: response.clone() });
            others.change(ChangeRequest { authority, decide, ..others.put_request(2, at(1), &[]) }).unwrap().unwrap();
        });
        let states = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&states);
        let mut request = request_of_session(&scene, Some(import));
        let mut decide = request.decide;
        request.decide = Box::new(move |snapshot| {
            let ChangeOwner::Session(_, Some(state)) = &snapshot.owner else { panic!("an import") };
            noted.lock().unwrap().push((state.sent_rows, state.has_ended));
            decide(snapshot)
        });
        scene.firm.change(request).unwrap().unwrap();
        let now = if ends { (0, true) } else { (3, false) };
        assert_eq!(*states.lock().unwrap(), [(0, false), now]);
    }
}

/// Access is decided on the snapshot, so a commit that goes by an earlier one asks again.
#[test]
fn access_taken_meanwhile_is_seen() {
    for taken in ["suspended", "API turned off", "view-only"] {
        let scene = scene();
        let (account, login) = (scene.firm.account, scene.firm.login);
        let set = |change| OperatorCommand::SetAccount { account, change };
        let command = match taken {
            "suspended" => set(AccountChange { suspended: Some(true), ..AccountChange::default() }),
            "API turned off" => set(AccountChange { api_enabled: Some(false), ..AccountChange::default() }),
            _ => OperatorCommand::SetRole { login, role: Role::ViewOnly },
        };
        scene.meanwhile(move |others| drop(others.operate(command, at(2))));
        let key_owners = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&key_owners);
        let mut request = scene.firm.put_request(1, at(1), &[("7", "+2")]);
        let mut decide = request.decide;
        request.decide = Box::new(move |snapshot| {
            let ChangeOwner::Key(owner) = &snapshot.owner else { panic!("the owner of a key") };
            noted.lock().unwrap().push((owner.flags, owner.role));
            decide(snapshot)
        });
        scene.firm.change(request).unwrap().unwrap();
        let key_owners = key_owners.lock().unwrap();
        assert!(matches!(key_owners[..], [before, after] if before != after), "{taken}: {key_owners:?}");
    }
}

#[test]
fn a_settlement_begun_meanwhile_is_seen() {
    let scene = scene();
    scene.firm.put(1, at(1), &[("7", "+1")]);
    let client = scene.firm.page(at(100), None, 1).clients[0].id;
    let settling = LookupKey { settles: true, ..lookup_key(&person("7")) };
    // Settles the client unless it is settled already, and says whether it was.
    let settle = move |number: u128| {
        move |snapshot: &Snapshot| {
            let settled_on = "2026-01-01".parse().unwrap();
            let begun = SettlementChange::Begun { id: id(number), client, settled_on, former_dates: Vec::new() };
            let settlements = if snapshot.settlements.is_empty() { vec![begun] } else { Vec::new() };
            let body = format!("{} before", snapshot.settlements.len());
            let response = StoredResponse { status: 200, body, replayed: false };
            Decided { change_set: ChangeSet { settlements, ..ChangeSet::default() }, response }
        }
    };
    let lookup_keys = vec![settling];
    let others_keys = lookup_keys.clone();
    scene.meanwhile(move |others| {
        let request = others.request(2, at(2), others_keys, Box::new(settle(2)));
        assert_eq!(others.change(request).unwrap().unwrap().body, "0 before");
    });
    let request = scene.firm.request(3, at(3), lookup_keys, Box::new(settle(3)));
    assert_eq!(scene.firm.change(request).unwrap().unwrap().body, "1 before");
    assert_eq!(scene.count("select count(*) from settlements"), 1);
}

#[test]
fn every_match_of_common_names_is_guarded() {
    let scene = scene();
    // More people of 30 names than one parameter has room for ids.
    let sql = "
        with recursive number (n) as (select 1 union all select n + 1 from number where n < 30000)
        insert into clients (account_id, id, last_name, do_not_mail, created_at, updated_at, name_hash, unit_hash, fingerprint)
        select 1, unhex(printf('%032x', n)), 'Smith', 0, n, n, n % 30, 0, x'' from number;
        update accounts set last_commit_at = 30000";
    scene.driver.connection.execute_batch(sql).unwrap();
    scene.meanwhile(|others| {
        // The last of them gets another name, so that nothing but the id tells.
        let sql = "
            update clients set name_hash = 99, updated_at = (select last_commit_at + 1 from accounts)
            where id = unhex(printf('%032x', 30000));
            update accounts set last_commit_at = last_commit_at + 1";
        others.store.driver().connection.execute_batch(sql).unwrap();
    });
    let counts = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&counts);
    let mut request = scene.firm.put_request(1, at(1), &[("unrelated", "+2")]);
    // A request with so many keys is shown all of each name.
    let person = |number: i64| PersonHash { name: (number < 30).then_some(number), ..PersonHash::default() };
    request.lookup_keys =
        (0..1_000).map(|number| LookupKey { person: person(number), ..LookupKey::default() }).collect();
    let mut decide = request.decide;
    request.decide = Box::new(move |snapshot| {
        noted.lock().unwrap().push(snapshot.clients.len());
        decide(snapshot)
    });
    scene.firm.change(request).unwrap().unwrap();
    assert_eq!(*counts.lock().unwrap(), [30_000, 29_999]);
}

#[test]
fn a_client_erased_meanwhile_is_not_updated() {
    let scene = scene();
    scene.firm.put(1, at(1), &[("7", "+1")]);
    let client = scene.firm.page(at(100), None, 1).clients[0].id;
    let account = scene.firm.account;
    scene.meanwhile(move |others| drop(others.operate(OperatorCommand::EraseClient { account, client }, at(2))));
    let response = scene.firm.put(2, at(3), &[("7", "+2")]);
    assert_eq!(response.body, "created 1, updated 0");
    assert_eq!(scene.count("select count(*) from clients"), 1);
}

#[test]
fn an_answer_saved_meanwhile_is_found() {
    let scene = scene();
    let saving = |firm: &Firm, number: u128| {
        let decide = Box::new(move |snapshot: &Snapshot| {
            let body = match &snapshot.idempotency_record {
                Some(saved) => format!("replay of {}", saved.response.body),
                None => format!("answer {number}"),
            };
            let response = StoredResponse { status: 200, body, replayed: false };
            let saved = IdempotencyRecord { request_digest: "d".to_owned(), response: response.clone() };
            let idempotency_record = snapshot.idempotency_record.is_none().then_some(saved);
            Decided { change_set: ChangeSet { idempotency_record, ..ChangeSet::default() }, response }
        });
        let mut request = firm.request(number, at(1), Vec::new(), decide);
        request.idempotency_key = Some("once".to_owned());
        firm.change(request).unwrap().unwrap().body
    };
    scene.meanwhile(move |others| assert_eq!(saving(others, 2), "answer 2"));
    assert_eq!(saving(&scene.firm, 1), "replay of answer 2");
}

#[test]
fn a_contended_write_gives_up_after_its_retries() {
    let scene = scene();
    for number in 2..20 {
        scene.meanwhile(move |others| drop(others.put(number, at(2), &[("7", &format!("+{number}"))])));
    }
    let result = scene.firm.change(scene.firm.put_request(1, at(1), &[("7", "+1")]));
    assert!(matches!(result, Err(StoreError::Contended { .. })), "{result:?}");
    assert_eq!(scene.phone_of("7"), "+9", "eight attempts, and nothing of the request");
}

#[test]
fn an_import_meanwhile_is_seen() {
    let scene = scene();
    let prospect = |first_name: Option<&str>, last_name: Option<&str>| ProspectFields {
        source_id: "s".into(),
        first_name: first_name.map(Into::into),
        last_name: last_name.map(Into::into),
        crash_county_fips: "06037".into(),
        ..Default::default()
    };
    // Somebody is added meanwhile.
    let theirs = (id(901), prospect(None, None));
    scene.meanwhile(move |others| drop(others.import(vec![theirs], at(1))));
    let ours = (id(902), prospect(Some("Ada"), None));
    assert_eq!(scene.firm.import(vec![ours], at(2)), [ImportOutcome::Updated(id(901))]);
    // Another field is given meanwhile.
    let theirs = (id(903), prospect(Some("Ida"), None));
    scene.meanwhile(move |others| drop(others.import(vec![theirs], at(3))));
    scene.firm.import(vec![(id(904), prospect(None, Some("Low")))], at(4));
    assert_eq!(scene.count("select count(*) from prospects where first_name = 'Ida' and last_name = 'Low'"), 1);
    // It is erased meanwhile.
    let erase = OperatorCommand::EraseProspect { prospect: id(901) };
    scene.meanwhile(move |others| drop(others.operate(erase, at(5))));
    let ours = (id(905), prospect(Some("Eva"), None));
    assert_eq!(scene.firm.import(vec![ours], at(6)), [ImportOutcome::Erased]);
    assert_eq!(scene.count("select count(*) from prospects"), 0);
}
