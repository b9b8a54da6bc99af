//! A prepared change has the result that it would have if the writer had decided it, whatever was committed
//! meanwhile (S5). Where the key and the account's version are the same, it is not decided again.

use std::sync::atomic::Ordering;

use crate::support::{
    Form, Shared, at, block_on, database, dump,
    firm::Firm,
    post::{Decisions, client, post},
};
use matterbook_core::{
    account::Role,
    store::{AccountChange, ChangeRequest, OperatorCommand, StoreError, StoredResponse},
};
use matterbook_store_sql::{FingerprintCache, Preparation, Prepared};

fn prepare(firm: &Firm, cache: &FingerprintCache, request: ChangeRequest) -> Result<Prepared, Option<StoredResponse>> {
    match block_on(firm.store.prepare(cache, request)).unwrap() {
        Preparation::Answered(response) => Err(response),
        Preparation::ToWrite(prepared) => Ok(*prepared),
    }
}

/// Writes a change, and tells the cache what the commit changed.
fn write(firm: &Firm, cache: &FingerprintCache, prepared: Prepared) -> Result<Option<StoredResponse>, StoreError> {
    let written = block_on(firm.store.write(prepared))?;
    written.cache_update.into_iter().for_each(|update| cache.apply(update));
    Ok(written.response)
}

/// One of few people: so that two requests often mean the same one.
fn somebody(random: &mut fastrand::Rng) -> String {
    let number = random.u64(..30);
    // Some go by a new name, and some move.
    let name = if random.u64(..6) == 0 { random.u64(..30) } else { number };
    let house = if random.u64(..6) == 0 { 2 } else { 1 };
    let mut members = vec![format!(r#""first_name":"Ada","last_name":"Nr {name}""#)];
    if random.u64(..3) != 0 {
        members.push(format!(r#""external_id":"e{number}""#));
    }
    if random.u64(..12) != 0 {
        members.push(format!(r#""address_line1":"{house} Oak St","zip":"62704""#));
    }
    if random.u64(..4) == 0 {
        members.push(format!(r#""settled_on":"2026-0{}-01""#, 1 + random.u64(..4)));
    }
    members.push(format!(r#""phone":"217555010{}""#, random.u64(..4)));
    format!("{{{}}}", members.join(","))
}

#[test]
fn a_prepared_change_has_the_result_of_a_decision_by_the_writer() {
    let mut random = fastrand::Rng::with_seed(7);
    let Counts { taken, again, unchanged } = compare(&mut random, 5_000);
    assert!(taken > 100 && again > 300, "{taken} were taken as they were, {again} decided again");
    assert!(unchanged > 100, "{unchanged} came to nothing");
}

/// How many prepared changes were written as they were, were decided again, and had nothing to write.
#[derive(Default)]
struct Counts {
    taken: usize,
    again: usize,
    unchanged: usize,
}

/// Does things at random with a new account, by prepared changes and by decisions of the writer.
fn compare(random: &mut fastrand::Rng, things: u128) -> Counts {
    let drivers = [(); 2].map(|()| Shared::new(&database(), Form::Rows));
    let [preparing, deciding] = drivers.each_ref().map(|driver| Firm::create(driver, 1));
    let cache = FingerprintCache::default();
    let mut waiting: Vec<(Prepared, ChangeRequest, Decisions)> = Vec::new();
    let mut counts = Counts::default();
    for number in 1_000..1_000 + things {
        let now = at(i64::try_from(number / 8).unwrap());
        match random.u64(..40) {
            0 => {
                let page = preparing.page(now.plus_seconds(1_000), None, 100);
                let Some(client) = page.clients.get(random.u64(..20) as usize) else { continue };
                let (account, client) = (preparing.account, client.id);
                let command = if random.u64(..2) == 0 {
                    OperatorCommand::EraseClient { account, client }
                } else {
                    OperatorCommand::MailOn { account, client, client_delay_seconds: 60 }
                };
                let answers = [&preparing, &deciding].map(|firm| firm.operate(command.clone(), now));
                assert_eq!(format!("{:?}", answers[0]), format!("{:?}", answers[1]));
            }
            // Another process, of which this writer knows nothing.
            1 => {
                let clients = [somebody(random)];
                let answers = [&preparing, &deciding].map(|firm| firm.change(post(firm, number, now, &clients).0));
                assert_eq!(answers[0], answers[1]);
            }
            2 => {
                let clients = [somebody(random)];
                preparing.store.driver().connection.execute_batch("begin").unwrap();
                // The cache learns nothing of a commit that was rolled back.
                block_on(preparing.store.write(post(&preparing, number, now, &clients).0.into())).unwrap();
                preparing.store.driver().connection.execute_batch("rollback").unwrap();
            }
            3..20 => {
                let clients: Vec<_> = (0..=random.u64(..3)).map(|_| somebody(random)).collect();
                let (request, decisions) = post(&preparing, number, now, &clients);
                let other = post(&deciding, number, now, &clients).0;
                match prepare(&preparing, &cache, request) {
                    Ok(prepared) => waiting.push((prepared, other, decisions)),
                    Err(response) => {
                        assert_eq!(response, deciding.change(other).unwrap(), "request {number}");
                        counts.unchanged += 1;
                    }
                }
            }
            _ if waiting.is_empty() => {}
            _ => {
                let place = usize::try_from(random.u64(..waiting.len().min(6) as u64)).unwrap();
                let (prepared, request, decisions) = waiting.remove(place);
                let found = write(&preparing, &cache, prepared).unwrap();
                assert_eq!(found, deciding.change(request).unwrap(), "request {number}");
                match decisions.load(Ordering::Relaxed) {
                    1 => counts.taken += 1,
                    _ => counts.again += 1,
                }
            }
        }
        if number.is_multiple_of(100) {
            let [found, expected] = drivers.each_ref().map(|driver| dump(&driver.connection));
            assert_eq!(found, expected, "request {number}");
        }
    }
    counts
}

/// Whether a prepared change of one client's phone is decided again after something was done.
#[track_caller]
fn check(what: &str, is_decided_again: bool, meanwhile: impl FnOnce(&Firm)) {
    let driver = Shared::new(&database(), Form::Rows);
    let firm = Firm::create(&driver, 1);
    firm.change(post(&firm, 1, at(1), &[client("a", "0100"), client("b", "0100")]).0).unwrap();
    let (request, decisions) = post(&firm, 2, at(2), &[client("a", "0101"), client("new", "0100")]);
    let Ok(prepared) = prepare(&firm, &FingerprintCache::default(), request) else {
        panic!("{what}: there is something to write")
    };
    meanwhile(&firm);
    write(&firm, &FingerprintCache::default(), prepared).unwrap();
    assert_eq!(decisions.load(Ordering::Relaxed), 1 + usize::from(is_decided_again), "{what}");
}

#[test]
fn a_prepared_change_is_decided_again_if_the_account_or_key_changed() {
    let commit = |external_id: &'static str| {
        move |firm: &Firm| {
            block_on(firm.store.write(post(firm, 3, at(3), &[client(external_id, "0102")]).0.into())).unwrap();
        }
    };
    check("nothing", false, |_| {});
    check("another account changed", false, |firm| commit("a")(&Firm::create(firm.store.driver(), 2)));
    check("another client changed", true, commit("b"));
    check("the client changed", true, commit("a"));
    check("the external id was taken", true, commit("new"));
    check("the account was suspended", true, |firm| {
        let change = AccountChange { suspended: Some(true), ..AccountChange::default() };
        firm.operate(OperatorCommand::SetAccount { account: firm.account, change }, at(3));
    });
    check("the login's role changed", true, |firm| {
        firm.operate(OperatorCommand::SetRole { login: firm.login, role: Role::ViewOnly }, at(3));
    });
    check("an earlier attempt of the request was applied", true, |firm| {
        firm.change(post(firm, 2, at(2), &[client("z", "0100")]).0).unwrap();
    });
}

#[test]
fn a_prepared_change_of_a_revoked_key_writes_nothing() {
    let driver = Shared::new(&database(), Form::Rows);
    let firm = Firm::create(&driver, 1);
    let Ok(prepared) = prepare(&firm, &FingerprintCache::default(), post(&firm, 1, at(1), &[client("a", "0100")]).0)
    else {
        panic!("there is something to write")
    };
    firm.operate(OperatorCommand::RevokeKey { key: firm.key_id }, at(2));
    let before = dump(&driver.connection);
    assert_eq!(write(&firm, &FingerprintCache::default(), prepared), Ok(None));
    assert_eq!(dump(&driver.connection), before);
}
