//! Accounts and their logins.

use std::mem::take;

use foldhash::HashMap;
use matterbook_core::{
    account::{Account, AccountFlags, Login, Role},
    order::sorted_by,
    store::{AccountChange, LogEntry, OperatorAnswer, Position, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    Stop, cut,
    step::{Outcome, Step, Task},
    write::Write,
};
use crate::{
    bind,
    driver::Statement,
    holder::flags,
    queries,
    read::{Results, Row},
};

pub(super) fn create(id: Uuid, login_id: Uuid, email: &str, flags: AccountFlags, entry: &LogEntry) -> Step {
    let create = queries::CREATE_ACCOUNT.bind([
        ("account", bind::id(id)),
        ("email", email.into()),
        ("api_enabled", flags.api_enabled.into()),
        ("suspended", flags.suspended.into()),
        ("digital_bundle", flags.digital_bundle.into()),
        ("contact_enrichment", flags.contact_enrichment.into()),
        ("at", bind::time(entry.at)),
    ]);
    let login = create_login(login_id, id, email, Role::Owner, entry);
    Write::new(vec![create, login]).show(account_and_all(id)).then(entry, read_account)
}

pub(super) fn show(account: Uuid) -> Step {
    Step::read(account_and_all(account), read_account)
}

pub(super) fn list(after: Option<Position>, limit: u32) -> Step {
    let (after_at, after_id) = bind::place(after);
    let page =
        queries::ACCOUNT_PAGE.bind([("after_at", after_at), ("after_id", after_id), ("rows", (limit + 1).into())]);
    Step::read(vec![page], move |_, results| {
        let accounts = results.rows().map(account).collect::<Result<Vec<_>, _>>()?;
        let place = |account: &Account| Position { at: account.created_at, id: account.id };
        let (mut accounts, next) = cut(accounts, limit, place);
        if accounts.is_empty() {
            return Ok(Step::Done(OperatorAnswer::Accounts(accounts, next)));
        }
        let ids: Vec<_> = accounts.iter().map(|account| account.id).collect();
        Ok(Step::read(all_of(&ids), move |_, results| {
            fill(&mut accounts, results)?;
            Ok(Step::Done(OperatorAnswer::Accounts(accounts, next)))
        }))
    })
}

pub(super) fn set(account: Uuid, change: AccountChange, entry: &LogEntry) -> Step {
    let AccountChange { email, api_enabled, suspended, digital_bundle, contact_enrichment } = change;
    let set = queries::SET_ACCOUNT.bind([
        ("account", bind::id(account)),
        ("email", email.into()),
        ("api_enabled", api_enabled.into()),
        ("suspended", suspended.into()),
        ("digital_bundle", digital_bundle.into()),
        ("contact_enrichment", contact_enrichment.into()),
    ]);
    let set = Write::new(vec![set]).require(require(account), Refusal::NoAccount);
    set.show(account_and_all(account)).then(entry, read_account)
}

pub(super) fn add_login(id: Uuid, account: Uuid, email: &str, role: Role, entry: &LogEntry) -> Step {
    let add = Write::new(vec![create_login(id, account, email, role, entry)]);
    add.require(require(account), Refusal::NoAccount).show(vec![show_login(id)]).then(entry, read_login)
}

pub(super) fn set_role(login: Uuid, role: Role, entry: &LogEntry) -> Step {
    let require = queries::REQUIRE_LOGIN.bind([("login", bind::id(login))]);
    let set = queries::SET_ROLE.bind([("login", bind::id(login)), ("role", role.name().into())]);
    Write::new(vec![set]).require(require, Refusal::NoLogin).show(vec![show_login(login)]).then(entry, read_login)
}

/// Fails the batch when there is no such account.
pub(super) fn require(account: Uuid) -> Statement {
    queries::REQUIRE_ACCOUNT.bind([("account", bind::id(account))])
}

/// One account with its logins and counties.
pub(super) fn account_and_all(account: Uuid) -> Vec<Statement> {
    let mut batch = vec![queries::ACCOUNT.bind([("account", bind::id(account))])];
    batch.extend(all_of(&[account]));
    batch
}

/// Reads what [`account_and_all`] asked for.
pub(super) fn one(results: &mut Results) -> Result<Account, Stop> {
    let mut accounts = results.rows().map(account).collect::<Result<Vec<_>, _>>()?;
    fill(&mut accounts, results)?;
    accounts.pop().ok_or(Stop::Refused(Refusal::NoAccount))
}

fn read_account(_: &Task, results: &mut Results) -> Outcome {
    one(results).map(OperatorAnswer::Account).map(Step::Done)
}

fn create_login(id: Uuid, account: Uuid, email: &str, role: Role, entry: &LogEntry) -> Statement {
    queries::CREATE_LOGIN.bind([
        ("login", bind::id(id)),
        ("account", bind::id(account)),
        ("email", email.into()),
        ("role", role.name().into()),
        ("at", bind::time(entry.at)),
    ])
}

fn show_login(login: Uuid) -> Statement {
    queries::LOGIN.bind([("login", bind::id(login))])
}

fn read_login(_: &Task, results: &mut Results) -> Outcome {
    Ok(Step::Done(OperatorAnswer::Login(results.row().map(login).ok_or(Refusal::NoLogin)??)))
}

/// The logins and the counties of accounts.
fn all_of(accounts: &[Uuid]) -> Vec<Statement> {
    let rows = || accounts.iter().map(|account| [bind::id(*account)]);
    [&queries::LOGINS_OF_ACCOUNTS, &queries::GRANTS_OF_ACCOUNTS]
        .into_iter()
        .flat_map(|query| query.bind_rows(&["account"], rows()))
        .collect()
}

/// Gives each account its logins and counties.
fn fill(accounts: &mut [Account], results: &mut Results) -> Result<(), StoreError> {
    let mut accounts: HashMap<Uuid, &mut Account> = accounts.iter_mut().map(|account| (account.id, account)).collect();
    for row in results.rows() {
        let login = login(row)?;
        if let Some(account) = accounts.get_mut(&login.account_id) {
            account.logins.push(login);
        }
    }
    for mut row in results.rows() {
        let (account, grant) = (row.id()?, row.grant()?);
        if let Some(account) = accounts.get_mut(&account) {
            account.counties.push(grant);
        }
    }
    for account in accounts.into_values() {
        let begun = |login: &Login| (login.created_at, login.id);
        account.logins = sorted_by(take(&mut account.logins), |one, other| begun(one).cmp(&begun(other)));
        account.counties = sorted_by(take(&mut account.counties), Ord::cmp);
    }
    Ok(())
}

fn account(mut row: Row) -> Result<Account, StoreError> {
    Ok(Account {
        id: row.id()?,
        email: row.text()?,
        flags: flags(&mut row)?,
        created_at: row.time()?,
        logins: Vec::new(),
        counties: Vec::new(),
    })
}

fn login(mut row: Row) -> Result<Login, StoreError> {
    Ok(Login { id: row.id()?, account_id: row.id()?, email: row.text()?, role: row.role()?, created_at: row.time()? })
}
