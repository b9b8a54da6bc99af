//! Accounts and their logins.

use matterbook_core::{
    account::{Account, AccountFlags, Login, Role},
    key::AccountNumber,
    order,
    sign_in::LinkDigest,
    store::{AccountChange, LogEntry, OperatorAnswer, Position, Refusal, StoreError},
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    command::{Command, CommandError, CommandResult},
    page,
    write::{Concerns, Write},
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
    let create = Write::new(Concerns::Account(id), vec![create, login]).then_read(account_with_relations(id));
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
    let suspend = queries::SUSPEND_SESSIONS.bind([("account", bind::id(account)), ("suspended", suspended.into())]);
    let set = Write::new(Concerns::Account(account), vec![set, suspend]);
    let set = match suspended {
        Some(false) => {
            read(&mut command.read(&account_with_relations(account)).await?)?;
            let whole = queries::REQUIRE_WHOLE_ACCOUNT.bind([("account", bind::id(account))]);
            set.require(whole, Refusal::Importing)
        }
        _ => set.require(require(account), Refusal::NoAccount),
    };
    account_answer(&mut set.then_read(account_with_relations(account)).run(command).await?)
}

/// Has the driver set the account's database back once the request has ended. The log says so first.
pub(super) async fn restore<D: Driver>(command: &Command<'_, D>, account: Uuid, at: Timestamp) -> CommandResult {
    let query = account_with_relations(account);
    let found = read(&mut command.read(&query).await?)?;
    if !command.driver.prepare_restore(at).await? {
        return Err(Refusal::NoPointInTime.into());
    }
    if !found.flags.suspended {
        return Err(Refusal::NotSuspended.into());
    }
    account_answer(&mut Write::new(Concerns::Account(account), Vec::new()).then_read(query).run(command).await?)
}

pub(super) async fn add_login<D: Driver>(
    command: &Command<'_, D>,
    id: Uuid,
    account: Uuid,
    email: &str,
    role: Role,
) -> CommandResult {
    let add = Write::new(Concerns::Account(account), vec![create_login(id, account, email, role, command.entry)]);
    let add = add.require(require(account), Refusal::NoAccount).then_read(vec![read_login(id)]);
    login_answer(&mut add.run(command).await?)
}

/// Changes the role of a login. `keeps_owner` fails where the account would be left without an owner.
pub(super) async fn set_role<D: Driver>(
    command: &Command<'_, D>,
    login: Uuid,
    role: Role,
    keeps_owner: Option<Statement>,
) -> CommandResult {
    let (require, refusal) = match keeps_owner {
        Some(keeps_owner) => (keeps_owner, Refusal::LastOwner),
        None => (queries::REQUIRE_LOGIN.bind([("login", bind::id(login))]), Refusal::NoLogin),
    };
    let set = queries::SET_ROLE.bind([("login", bind::id(login)), ("role", role.name().into())]);
    // Before the role changes, so that the same role ends nothing.
    let end = queries::END_SESSIONS_OF_LOGIN.bind([("login", bind::id(login)), ("role", role.name().into())]);
    let set = Write::new(Concerns::Login(login), vec![end, set]);
    let set = set.require(require, refusal).then_read(vec![read_login(login)]);
    login_answer(&mut set.run(command).await?)
}

pub(super) async fn remove_login<D: Driver>(command: &Command<'_, D>, login: Uuid) -> CommandResult {
    // The answer is the login as it was, so it is read first.
    let mut found = command.read(&[read_login(login)]).await?;
    let removed = found.row().map(self::login).ok_or(Refusal::NoLogin)??;
    let id = || ("login", bind::id(login));
    let revoke = queries::REVOKE_KEYS_OF_LOGIN.bind([id(), ("at", bind::time(command.entry.at))]);
    let ways_in = [&queries::END_SESSIONS_OF_LOGIN, &queries::REMOVE_LINKS, &queries::REMOVE_PASSKEYS];
    let ways_in = ways_in.map(|query| query.bind([id()])).to_vec();
    let changes = [vec![revoke], ways_in, vec![queries::REMOVE_LOGIN.bind([id()])]].concat();
    let remove = Write::new(Concerns::Account(removed.account_id), changes);
    remove.require(require_other_owner(login), Refusal::LastOwner).run(command).await?;
    Ok(OperatorAnswer::Login(removed))
}

/// Makes a sign-in link in place of the login's earlier one.
pub(super) async fn make_link<D: Driver>(
    command: &Command<'_, D>,
    login: Uuid,
    link: LinkDigest,
    expires_at: Timestamp,
) -> CommandResult {
    let require = queries::REQUIRE_LOGIN.bind([("login", bind::id(login))]);
    let make = queries::MAKE_LINK.bind([
        ("login", bind::id(login)),
        ("digest", link.to_text().into()),
        ("expires_at", bind::time(expires_at)),
    ]);
    let make = Write::new(Concerns::Login(login), vec![make]).require(require, Refusal::NoLogin);
    login_answer(&mut make.then_read(vec![read_login(login)]).run(command).await?)
}

/// Makes the batch fail when the account does not exist.
pub(super) fn require(account: Uuid) -> Statement {
    queries::REQUIRE_ACCOUNT.bind([("account", bind::id(account))])
}

/// Makes the batch fail when the login is its account's only owner.
pub(super) fn require_other_owner(login: Uuid) -> Statement {
    queries::REQUIRE_OTHER_OWNER.bind([("login", bind::id(login))])
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

pub(super) fn read_login(login: Uuid) -> Statement {
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
    for row in results.rows() {
        let login = login(row)?;
        if let Some(account) = accounts.iter_mut().find(|account| account.id == login.account_id) {
            account.logins.push(login);
        }
    }
    for mut row in results.rows() {
        let (id, grant) = (row.id()?, row.grant()?);
        if let Some(account) = accounts.iter_mut().find(|account| account.id == id) {
            account.counties.push(grant);
        }
    }
    for account in accounts {
        order::sort_by_key(&mut account.logins, |login| (login.created_at, login.id));
        order::sort_by(&mut account.counties, Ord::cmp);
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

pub(super) fn login(mut row: Row) -> Result<Login, StoreError> {
    Ok(Login { id: row.id()?, account_id: row.id()?, email: row.text()?, role: row.role()?, created_at: row.time()? })
}
