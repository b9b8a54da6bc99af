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
    Outcome, Stop, cut,
    write::{write, write_to},
};
use crate::{
    bind,
    driver::{Driver, Statement},
    holder::flags,
    queries,
    read::{Results, Row},
};

pub(super) async fn create<D: Driver>(
    driver: &D,
    id: Uuid,
    login_id: Uuid,
    email: String,
    flags: AccountFlags,
    entry: &LogEntry,
) -> Outcome {
    let create = queries::CREATE_ACCOUNT.bind([
        ("account", bind::id(id)),
        ("email", email.as_str().into()),
        ("api_enabled", flags.api_enabled.into()),
        ("suspended", flags.suspended.into()),
        ("digital_bundle", flags.digital_bundle.into()),
        ("contact_enrichment", flags.contact_enrichment.into()),
        ("at", bind::time(entry.at)),
    ]);
    let does = vec![create, create_login(login_id, id, &email, Role::Owner, entry)];
    read_account(&mut write(driver, does, account_and_all(id), entry).await?)
}

pub(super) async fn show<D: Driver>(driver: &D, account: Uuid) -> Outcome {
    read_account(&mut Results::of(driver, &account_and_all(account)).await?)
}

pub(super) async fn list<D: Driver>(driver: &D, after: Option<Position>, limit: u32) -> Outcome {
    let (after_at, after_id) = bind::place(after);
    let page =
        queries::ACCOUNT_PAGE.bind([("after_at", after_at), ("after_id", after_id), ("rows", (limit + 1).into())]);
    let mut results = Results::of(driver, &[page]).await?;
    let accounts = results.rows().map(account).collect::<Result<Vec<_>, _>>()?;
    let (mut accounts, next) = cut(accounts, limit, |account| Position { at: account.created_at, id: account.id });
    if !accounts.is_empty() {
        let ids: Vec<_> = accounts.iter().map(|account| account.id).collect();
        let mut results = Results::of(driver, &all_of(&ids)).await?;
        fill(&mut accounts, &mut results)?;
    }
    Ok(OperatorAnswer::Accounts(accounts, next))
}

pub(super) async fn set<D: Driver>(driver: &D, account: Uuid, change: AccountChange, entry: &LogEntry) -> Outcome {
    let AccountChange { email, api_enabled, suspended, digital_bundle, contact_enrichment } = change;
    let set = queries::SET_ACCOUNT.bind([
        ("account", bind::id(account)),
        ("email", email.into()),
        ("api_enabled", api_enabled.into()),
        ("suspended", suspended.into()),
        ("digital_bundle", digital_bundle.into()),
        ("contact_enrichment", contact_enrichment.into()),
    ]);
    let shows = account_and_all(account);
    let mut results = write_to(driver, require(account), Refusal::NoAccount.into(), vec![set], shows, entry).await?;
    read_account(&mut results)
}

pub(super) async fn add_login<D: Driver>(
    driver: &D,
    id: Uuid,
    account: Uuid,
    email: String,
    role: Role,
    entry: &LogEntry,
) -> Outcome {
    let add = vec![create_login(id, account, &email, role, entry)];
    let shows = vec![show_login(id)];
    read_login(write_to(driver, require(account), Refusal::NoAccount.into(), add, shows, entry).await?)
}

pub(super) async fn set_role<D: Driver>(driver: &D, login: Uuid, role: Role, entry: &LogEntry) -> Outcome {
    let require = queries::REQUIRE_LOGIN.bind([("login", bind::id(login))]);
    let set = queries::SET_ROLE.bind([("login", bind::id(login)), ("role", role.name().into())]);
    let shows = vec![show_login(login)];
    read_login(write_to(driver, require, Refusal::NoLogin.into(), vec![set], shows, entry).await?)
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

fn read_account(results: &mut Results) -> Outcome {
    one(results).map(OperatorAnswer::Account)
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

fn read_login(mut results: Results) -> Outcome {
    Ok(OperatorAnswer::Login(results.row().map(login).ok_or(Refusal::NoLogin)??))
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
