//! A change that was decided beside the writer comes to what it would have come to if the writer had decided
//! it, whatever was committed meanwhile (S5); and where nothing that it saw was changed, it is not decided
//! again.

mod support;

use std::sync::{Arc, atomic::Ordering};

use matterbook_core::{
    account::Role,
    store::{AccountChange, Answer, ChangeRequest, OperatorCommand, StoreError},
};
use matterbook_store_sql::{Looked, Proposal, RecentChanges, Roster};
use support::{
    Form, Shared, at, block_on, database, dump,
    firm::Firm,
    post::{Decisions, client, post},
    random::Random,
};

fn propose(firm: &Firm, roster: &Roster, request: ChangeRequest) -> Result<Proposal, Option<Answer>> {
    match block_on(firm.store.propose(roster, request)).unwrap() {
        Looked::Answered(answer) => Err(answer),
        Looked::ToWrite(proposal) => Ok(*proposal),
    }
}

fn write(firm: &Firm, recent: &mut RecentChanges, mut proposal: Proposal) -> Result<Option<Answer>, StoreError> {
    block_on(firm.store.write(recent, &mut proposal))
}

/// One of few people: so that two requests often mean the same one.
fn somebody(random: &mut Random) -> String {
    let number = random.below(30);
    // Some go by a new name, and some move.
    let name = if random.one_in(6) { random.below(30) } else { number };
    let house = if random.one_in(6) { 2 } else { 1 };
    let mut members = vec![format!(r#""first_name":"Ada","last_name":"Nr {name}""#)];
    if !random.one_in(3) {
        members.push(format!(r#""external_id":"e{number}""#));
    }
    if !random.one_in(12) {
        members.push(format!(r#""address_line1":"{house} Oak St","zip":"62704""#));
    }
    if random.one_in(4) {
        members.push(format!(r#""settled_on":"2026-0{}-01""#, 1 + random.below(4)));
    }
    members.push(format!(r#""phone":"217555010{}""#, random.below(4)));
    format!("{{{}}}", members.join(","))
}

#[test]
fn a_proposal_comes_to_what_a_decision_of_the_writer_would() {
    let mut random = Random::new(7);
    let Counts { taken, again, unchanged } = compare(&mut random, 5_000, 0);
    assert!(taken > 300 && again > 300, "{taken} were taken as they were, {again} decided again");
    assert!(unchanged > 100, "{unchanged} came to nothing");
}

/// So that the roster knows of everybody all the time.
#[test]
fn so_it_does_while_one_writer_makes_all_commits_of_a_new_account() {
    let mut random = Random::new(8);
    for _ in 0..30 {
        compare(&mut random, 150, 3);
    }
}

/// Requests of which others were committed before they came to the writer: those taken as they were, and those
/// decided again. And those that came to nothing.
#[derive(Default)]
struct Counts {
    taken: usize,
    again: usize,
    unchanged: usize,
}

/// Does things at random with a new account, of 40 kinds all but the first few, by proposals and by decisions of
/// the writer.
fn compare(random: &mut Random, things: u128, first_kind: u64) -> Counts {
    let drivers = [(); 2].map(|()| Shared::new(&database(), Form::Rows));
    let [proposing, deciding] = drivers.each_ref().map(|driver| Firm::create(driver, 1));
    let roster = Arc::<Roster>::default();
    let mut recent = RecentChanges::beside(Arc::clone(&roster));
    let mut waiting: Vec<(Proposal, ChangeRequest, Decisions, usize)> = Vec::new();
    let mut counts = Counts::default();
    let mut commits = 0;
    for number in 1_000..1_000 + things {
        let now = at(i64::try_from(number / 8).unwrap());
        match first_kind + random.below(40 - first_kind) {
            0 => {
                let page = proposing.page(now.plus_seconds(1_000), None, 100);
                let Some(client) = page.clients.get(random.below(20) as usize) else { continue };
                let (account, client) = (proposing.account, client.id);
                let command = if random.one_in(2) {
                    OperatorCommand::EraseClient { account, client }
                } else {
                    OperatorCommand::MailOn { account, client, client_delay_seconds: 60 }
                };
                let answers = [&proposing, &deciding].map(|firm| firm.operate(command.clone(), now));
                assert_eq!(format!("{:?}", answers[0]), format!("{:?}", answers[1]));
                commits += 1;
            }
            // Another process, of which this writer knows nothing.
            1 => {
                let clients = [somebody(random)];
                let answers = [&proposing, &deciding].map(|firm| firm.change(post(firm, number, now, &clients).0));
                assert_eq!(answers[0], answers[1]);
                commits += 1;
            }
            2 => {
                let clients = [somebody(random)];
                proposing.store.driver().connection.execute_batch("begin").unwrap();
                let proposal = post(&proposing, number, now, &clients).0.into();
                write(&proposing, &mut recent, proposal).unwrap();
                recent.clear();
                proposing.store.driver().connection.execute_batch("rollback").unwrap();
            }
            3..20 => {
                let clients: Vec<_> = (0..=random.below(3)).map(|_| somebody(random)).collect();
                let (request, decisions) = post(&proposing, number, now, &clients);
                let other = post(&deciding, number, now, &clients).0;
                match propose(&proposing, &roster, request) {
                    Ok(proposal) => waiting.push((proposal, other, decisions, commits)),
                    Err(answer) => {
                        assert_eq!(answer, deciding.change(other).unwrap(), "request {number}");
                        counts.unchanged += 1;
                    }
                }
            }
            _ if waiting.is_empty() => {}
            _ => {
                let place = usize::try_from(random.below(waiting.len().min(6) as u64)).unwrap();
                let (proposal, request, decisions, before) = waiting.remove(place);
                let found = write(&proposing, &mut recent, proposal).unwrap();
                assert_eq!(found, deciding.change(request).unwrap(), "request {number}");
                if before != commits {
                    match decisions.load(Ordering::Relaxed) {
                        1 => counts.taken += 1,
                        _ => counts.again += 1,
                    }
                }
                commits += 1;
            }
        }
        if number.is_multiple_of(100) {
            let [found, expected] = drivers.each_ref().map(|driver| dump(&driver.connection));
            assert_eq!(found, expected, "request {number}");
        }
    }
    counts
}

/// Whether a proposal to change one client's phone is decided again after something was done.
#[track_caller]
fn check(what: &str, is_decided_again: bool, meanwhile: impl FnOnce(&Firm, &mut RecentChanges)) {
    let driver = Shared::new(&database(), Form::Rows);
    let firm = Firm::create(&driver, 1);
    firm.change(post(&firm, 1, at(1), &[client("a", "0100"), client("b", "0100")]).0).unwrap();
    let mut recent = RecentChanges::default();
    let (request, decisions) = post(&firm, 2, at(2), &[client("a", "0101"), client("new", "0100")]);
    let Ok(proposal) = propose(&firm, &Roster::default(), request) else {
        panic!("{what}: there is something to write")
    };
    meanwhile(&firm, &mut recent);
    write(&firm, &mut recent, proposal).unwrap();
    assert_eq!(decisions.load(Ordering::Relaxed), 1 + usize::from(is_decided_again), "{what}");
}

#[test]
fn it_is_decided_again_only_where_what_it_saw_was_changed() {
    let commit = |number: u128, external_id: &'static str| {
        move |firm: &Firm, recent: &mut RecentChanges| {
            let request = post(firm, number, at(3), &[client(external_id, "0102")]).0;
            write(firm, recent, request.into()).unwrap();
        }
    };
    check("nothing", false, |_, _| {});
    check("somebody else changed", false, commit(3, "b"));
    check("somebody else is new", false, commit(3, "c"));
    check("the client changed", true, commit(3, "a"));
    check("somebody took the external id", true, commit(3, "new"));
    check("another process committed", true, |firm, _| {
        firm.change(post(firm, 3, at(3), &[client("c", "0100")]).0).unwrap();
    });
    check("a commit was rolled back", true, |firm, recent| {
        commit(3, "c")(firm, recent);
        recent.clear();
    });
    check("the account was suspended", true, |firm, _| {
        let change = AccountChange { suspended: Some(true), ..AccountChange::default() };
        firm.operate(OperatorCommand::SetAccount { account: firm.account, change }, at(3));
    });
    check("the login's role changed", true, |firm, _| {
        firm.operate(OperatorCommand::SetRole { login: firm.login, role: Role::ViewOnly }, at(3));
    });
    check("an earlier attempt of the request was applied", true, |firm, _| {
        firm.change(post(firm, 2, at(2), &[client("z", "0100")]).0).unwrap();
    });
}

#[test]
fn a_revoked_key_writes_nothing_though_it_was_decided() {
    let driver = Shared::new(&database(), Form::Rows);
    let firm = Firm::create(&driver, 1);
    let Ok(proposal) = propose(&firm, &Roster::default(), post(&firm, 1, at(1), &[client("a", "0100")]).0) else {
        panic!("there is something to write")
    };
    firm.operate(OperatorCommand::RevokeKey { key: firm.key_id }, at(2));
    let before = dump(&driver.connection);
    assert_eq!(write(&firm, &mut RecentChanges::default(), proposal), Ok(None));
    assert_eq!(dump(&driver.connection), before);
}
