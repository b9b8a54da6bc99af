//! Accounts and their logins.

use foldhash::HashMap;
use matterbook_core::{
    account::{Account, AccountFlags, Login, Role},
    key::AccountNumber,
    store::{AccountChange, LogEntry, OperatorAnswer, Position, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    command::{Command, CommandError, CommandResult},
    page,
    write::Write,
};
use crate::{
    bind,
    driver::{Driver, Statement},
    key_owner::flags,
    queries,
    read::{ResultSets, Row, unexpected},
};

pub(super) async fn create<D: Driver>(
    command: &Command<'_, D>,
    id: Uuid,
    number: AccountNumber,
    login_id: Uuid,
    email: &str,
    flags: AccountFlags,
) -> CommandResult {
    let create = queries::CREATE_ACCOUNT.bind([
        ("account", bind::id(id)),
        ("number", number.value().into()),
        ("email", email.into()),
        ("api_enabled", flags.api_enabled.into()),
        ("suspended", flags.suspended.into()),
        ("digital_bundle", flags.digital_bundle.into()),
        ("contact_enrichment", flags.contact_enrichment.into()),
        ("at", bind::time(command.entry.at)),
    ]);
    let login = create_login(login_id, id, email, Role::Owner, command.entry);
    let create = Write::new(vec![create, login]).then_read(account_with_relations(id));
    account_answer(&mut create.run(command).await?)
}

pub(super) async fn show<D: Driver>(command: &Command<'_, D>, account: Uuid) -> CommandResult {
    account_answer(&mut command.read(&account_with_relations(account)).await?)
}

pub(super) async fn list<D: Driver>(command: &Command<'_, D>, after: Option<Position>, limit: u32) -> CommandResult {
    let (after_at, after_id) = bind::place(after);
    let names = [("after_at", after_at), ("after_id", after_id), ("rows", (limit + 1).into())];
    let mut results = command.read(&[queries::ACCOUNT_PAGE.bind(names)]).await?;
    let accounts = results.rows().map(account).collect::<Result<Vec<_>, _>>()?;
    let (mut accounts, next) = page(accounts, limit, |account| Position { at: account.created_at, id: account.id });
    if !accounts.is_empty() {
        let ids: Vec<_> = accounts.iter().map(|account| account.id).collect();
        add_relations(&mut accounts, &mut command.read(&relations(&ids)).await?)?;
    }
    Ok(OperatorAnswer::Accounts(accounts, next))
}

pub(super) async fn set<D: Driver>(command: &Command<'_, D>, account: Uuid, change: AccountChange) -> CommandResult {
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
    account_answer(&mut set.then_read(account_with_relations(account)).run(command).await?)
}

pub(super) async fn add_login<D: Driver>(
    command: &Command<'_, D>,
    id: Uuid,
    account: Uuid,
    email: &str,
    role: Role,
) -> CommandResult {
    let add = Write::new(vec![create_login(id, account, email, role, command.entry)]);
    let add = add.require(require(account), Refusal::NoAccount).then_read(vec![read_login(id)]);
    login_answer(&mut add.run(command).await?)
}

pub(super) async fn set_role<D: Driver>(command: &Command<'_, D>, login: Uuid, role: Role) -> CommandResult {
    let require = queries::REQUIRE_LOGIN.bind([("login", bind::id(login))]);
    let set = queries::SET_ROLE.bind([("login", bind::id(login)), ("role", role.name().into())]);
    let set = Write::new(vec![set]).require(require, Refusal::NoLogin).then_read(vec![read_login(login)]);
    login_answer(&mut set.run(command).await?)
}

pub(super) async fn remove_login<D: Driver>(command: &Command<'_, D>, login: Uuid) -> CommandResult {
    // The answer is the login as it was, so it is read first.
    let answer = login_answer(&mut command.read(&[read_login(login)]).await?)?;
    let id = || ("login", bind::id(login));
    let revoke = queries::REVOKE_KEYS_OF_LOGIN.bind([id(), ("at", bind::time(command.entry.at))]);
    let remove = Write::new(vec![revoke, queries::REMOVE_LOGIN.bind([id()])]);
    let require = queries::REQUIRE_OTHER_OWNER.bind([id()]);
    remove.require(require, Refusal::LastOwner).run(command).await?;
    Ok(answer)
}

/// Makes the batch fail when the account does not exist.
pub(super) fn require(account: Uuid) -> Statement {
    queries::REQUIRE_ACCOUNT.bind([("account", bind::id(account))])
}

/// Reads one account with its logins and counties.
pub(super) fn account_with_relations(account: Uuid) -> Vec<Statement> {
    let mut batch = vec![queries::ACCOUNT.bind([("account", bind::id(account))])];
    batch.extend(relations(&[account]));
    batch
}

/// The account that [`account_with_relations`] read.
pub(super) fn read(results: &mut ResultSets) -> Result<Account, CommandError> {
    let mut accounts = results.rows().map(account).collect::<Result<Vec<_>, _>>()?;
    add_relations(&mut accounts, results)?;
    accounts.pop().ok_or(CommandError::Refused(Refusal::NoAccount))
}

fn account_answer(results: &mut ResultSets) -> CommandResult {
    Ok(OperatorAnswer::Account(read(results)?))
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

fn read_login(login: Uuid) -> Statement {
    queries::LOGIN.bind([("login", bind::id(login))])
}

fn login_answer(results: &mut ResultSets) -> CommandResult {
    Ok(OperatorAnswer::Login(results.row().map(login).ok_or(Refusal::NoLogin)??))
}

/// Reads the logins and the counties of accounts.
fn relations(accounts: &[Uuid]) -> Vec<Statement> {
    let rows = || accounts.iter().map(|account| [bind::id(*account)]);
    [&queries::LOGINS_OF_ACCOUNTS, &queries::GRANTS_OF_ACCOUNTS]
        .into_iter()
        .flat_map(|query| query.bind_rows(&["account"], rows()))
        .collect()
}

/// Adds to each account its logins and counties, as [`relations`] read them.
fn add_relations(accounts: &mut [Account], results: &mut ResultSets) -> Result<(), StoreError> {
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
        account.logins.sort_by_key(|login| (login.created_at, login.id));
        account.counties.sort();
    }
    Ok(())
}

fn account(mut row: Row) -> Result<Account, StoreError> {
    Ok(Account {
        id: row.id()?,
        number: AccountNumber::from_value(row.integer()?).ok_or_else(|| unexpected("an account's number"))?,
        email: row.text()?,
        flags: flags(&mut row)?,
        created_at: row.time()?,
        last_commit_at: row.optional_time()?,
        logins: Vec::new(),
        counties: Vec::new(),
    })
}

fn login(mut row: Row) -> Result<Login, StoreError> {
    Ok(Login { id: row.id()?, account_id: row.id()?, email: row.text()?, role: row.role()?, created_at: row.time()? })
}
