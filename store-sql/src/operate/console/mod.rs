//! The console's requests (S30 to S36).
//!
//! A request reads its session first, and then runs what it asks for in a batch that reads the session again, or that
//! fails where the session has changed. So the answer holds in the unit that reads or writes the data, and queries
//! by account serve the operator and the console alike. If the session has changed, the request starts over.

mod clients;
mod imports;
mod overview;
mod people;
mod prospects;
pub(crate) mod session;
mod sign_in;

use matterbook_core::{
    account::Role,
    sign_in::SessionDigest,
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleRefusal, ConsoleRequest, ConsoleResponse, ConsoleStore, LogEntry,
        OperatorAnswer, Position, SessionOwner, SignIn, SignInAnswer, StoreError,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    accounts,
    command::{Command, CommandError, CommandResult},
    feeds, keys,
    write::{Concerns, Write},
};
use crate::{
    SqlStore, bind,
    commit::Author,
    driver::{Driver, Statement},
    queries,
    read::ResultSets,
};

/// How often a request starts over because its session changed.
const ATTEMPTS_MAX: u32 = 5;

impl<D: Driver> ConsoleStore for SqlStore<D> {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        sign_in::sign_in(&self.driver, &sign_in).await
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        for _ in 0..ATTEMPTS_MAX {
            let session = session::read(&request.session, request.now);
            let mut results = ResultSets::of(&self.driver, &[session]).await?;
            let Some(owner) = results.row().map(session::owner).transpose()? else { return Ok(None) };
            let answered = match request.command.check(&owner) {
                Err(refusal) => Err(Denied::Refused(refusal)),
                Ok(()) => answer(&self.driver, &request, &owner).await,
            };
            let answer = match answered {
                Ok(answer) => answer,
                Err(Denied::Refused(refusal)) => ConsoleAnswer::Refused(refusal),
                Err(Denied::SessionChanged) => continue,
                Err(Denied::Failed(error)) => return Err(error),
            };
            return Ok(Some(ConsoleResponse { owner, answer }));
        }
        Err(StoreError::Contended { cause: "the session kept changing".to_owned() })
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        let [session, started_before, used_before] = session::open(session, now);
        let names = [session, started_before, used_before, ("now", bind::time(now))];
        ResultSets::of_write(&self.driver, &[queries::RECORD_SESSION_USE.bind(names)]).await.map(|_| ())
    }
}

/// Why a request has no answer of its kind.
enum Denied {
    Refused(ConsoleRefusal),
    SessionChanged,
    Failed(StoreError),
}

impl From<ConsoleRefusal> for Denied {
    fn from(refusal: ConsoleRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StoreError> for Denied {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl From<CommandError> for Denied {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Refused(refusal) => Self::Refused(refusal.into()),
            CommandError::SessionChanged => Self::SessionChanged,
            CommandError::Failed(error) => Self::Failed(error),
        }
    }
}

type Answered = Result<ConsoleAnswer, Denied>;

/// A request whose session may ask it.
struct Asked<'a, D> {
    driver: &'a D,
    request: &'a ConsoleRequest,
    owner: &'a SessionOwner,
}

impl<D: Driver> Asked<'_, D> {
    /// Runs a batch that only reads, if the session may still ask.
    async fn read(&self, statements: Vec<Statement>) -> Result<ResultSets, Denied> {
        let session = session::read(&self.request.session, self.request.now);
        let mut results = ResultSets::of(self.driver, &[vec![session], statements].concat()).await?;
        let owner = results.row().map(session::owner).transpose()?.ok_or(Denied::SessionChanged)?;
        if self.request.command.check(&owner).is_err() {
            return Err(Denied::SessionChanged);
        }
        Ok(results)
    }

    /// The account, as queries name it.
    fn account(&self) -> (&'static str, crate::driver::Value) {
        ("account", bind::id(self.owner.account))
    }

    /// A login of the account.
    async fn own_login(&self, login: Uuid) -> Result<matterbook_core::account::Login, Denied> {
        let mut results = self.read(vec![accounts::read_login(login)]).await?;
        let found = results.row().map(accounts::login).transpose()?;
        found.filter(|login| login.account_id == self.owner.account).ok_or(ConsoleRefusal::NoLogin.into())
    }
}

async fn answer<D: Driver>(driver: &D, request: &ConsoleRequest, owner: &SessionOwner) -> Answered {
    let entry = LogEntry {
        id: request.entry_id,
        at: request.now,
        actor: owner.email.clone(),
        action: request.command.action().unwrap_or_default(),
        subject: request.command.subject(owner),
        request_id: request.request_id,
        retention: request.retention,
    };
    // A session is ended whatever else has changed.
    let session = match request.command {
        ConsoleCommand::SignOut => None,
        _ => Some(session::require(&request.session, request.now, owner)),
    };
    let command = Command { driver, entry: &entry, author: Author::Login(owner.login, None), session };
    let asked = Asked { driver, request, owner };
    let account = owner.account;
    match &request.command {
        ConsoleCommand::Session => Ok(ConsoleAnswer::Done),
        ConsoleCommand::ShowAccount => {
            let mut results = asked.read(accounts::account_with_relations(account)).await?;
            Ok(ConsoleAnswer::Account(accounts::read(&mut results)?))
        }
        ConsoleCommand::SignOut => {
            let end = queries::END_SESSION.bind([("session", request.session.to_text().into())]);
            done(&command, account, vec![end]).await
        }
        ConsoleCommand::RecordDownload { .. } => done(&command, account, Vec::new()).await,
        ConsoleCommand::ListSessions => people::sessions(&asked).await,
        ConsoleCommand::EndSessions { login } => {
            asked.own_login(*login).await?;
            let end = queries::END_SESSIONS_OF_LOGIN.bind([("login", bind::id(*login))]);
            done(&command, account, vec![end]).await
        }
        ConsoleCommand::ListPasskeys { login } => people::passkeys(&asked, *login).await,
        ConsoleCommand::AddPasskey { passkey } => people::add_passkey(&command, &asked, passkey).await,
        ConsoleCommand::RenamePasskey { id, name } => people::rename_passkey(&command, &asked, *id, name).await,
        ConsoleCommand::RemovePasskey { id } => people::remove_passkey(&command, &asked, *id).await,
        ConsoleCommand::Overview { query } => overview::overview(&asked, query).await,
        ConsoleCommand::SearchClients { search, before, limit } => {
            clients::search(&asked, search, *before, *limit).await
        }
        ConsoleCommand::ShowClient { client } => clients::show(&asked, *client).await,
        ConsoleCommand::MailOn { client, reason, client_delay_seconds } => {
            let reason = Some(reason.clone());
            super::clients::mail_on(&command, account, *client, *client_delay_seconds, reason).await?;
            clients::show(&asked, *client).await
        }
        ConsoleCommand::UndoChange { change, after, client_delay_seconds, dry_run } => {
            if *dry_run {
                asked.read(Vec::new()).await?;
            }
            operated(super::undo::run(&command, (account, *change, *after), *client_delay_seconds, *dry_run).await)
        }
        ConsoleCommand::ListReview { seen_since, before, limit } => {
            clients::review(&asked, *seen_since, *before, *limit).await
        }
        ConsoleCommand::ResolveReview { item, decision, mint, client_delay_seconds } => {
            let decided = super::review::Decided {
                account,
                item: *item,
                decision: *decision,
                mint: *mint,
                client_delay_seconds: *client_delay_seconds,
            };
            match super::review::decide(&command, decided).await? {
                OperatorAnswer::Resolved(client) => Ok(ConsoleAnswer::Resolved(client.map(|client| client.id))),
                _ => Ok(ConsoleAnswer::Done),
            }
        }
        ConsoleCommand::ListSimilar { filter, after, limit } => {
            let page = super::similar::reads(account, *filter, *after, *limit);
            let page = super::similar::read_page(&mut asked.read(page.to_vec()).await?, *limit)?;
            Ok(ConsoleAnswer::Similar(page.unwrap_or_default()))
        }
        ConsoleCommand::DecideSimilar { pair, decision } => {
            operated(super::similar::decide(&command, account, *pair, *decision).await)
        }
        ConsoleCommand::BeginImport { import } => imports::begin(&command, &asked, import).await,
        ConsoleCommand::ShowImport { import } => imports::show(&asked, *import).await,
        ConsoleCommand::ListImports { before, limit } => imports::list(&asked, *before, *limit).await,
        ConsoleCommand::EndImport { import } => imports::end(&command, &asked, *import).await,
        ConsoleCommand::ListProspects { search } => prospects::list(&asked, search).await,
        ConsoleCommand::ListActivity { before, limit } => {
            let (at, id) = bind::before(*before);
            let names = [asked.account(), ("before_at", at), ("before_id", id), ("rows", (limit + 1).into())];
            let mut results = asked.read(vec![queries::ACTIVITY.bind(names)]).await?;
            let records = results.rows().map(feeds::record).collect::<Result<Vec<_>, _>>()?;
            let (records, next) = super::page(records, *limit, |record| Position { at: record.at, id: record.id });
            Ok(ConsoleAnswer::Log(records, next))
        }
        ConsoleCommand::ListKeys => {
            let mut results = asked.read(vec![queries::KEYS_OF_ACCOUNT.bind([asked.account()])]).await?;
            Ok(ConsoleAnswer::Keys(results.rows().map(keys::key).collect::<Result<_, _>>()?))
        }
        ConsoleCommand::ListKeySecrets => {
            asked.read(Vec::new()).await?;
            operated(keys::list_secrets(&command).await)
        }
        ConsoleCommand::CreateKey { id, label, limits, key } => {
            let label = (label.clone(), *limits);
            operated(keys::create(&command, *id, account, Some(owner.login), label, key.clone()).await)
        }
        ConsoleCommand::RevokeKey { key } => {
            let mut results = asked.read(vec![keys::read(*key)]).await?;
            let found = results.row().map(keys::key).transpose()?;
            found.filter(|key| key.account_id == account).ok_or(ConsoleRefusal::NoKey)?;
            operated(keys::revoke(&command, *key).await)
        }
        ConsoleCommand::AddLogin { id, email, role } => {
            operated(accounts::add_login(&command, *id, account, email, *role).await)
        }
        ConsoleCommand::SetRole { login, role } => {
            asked.own_login(*login).await?;
            // The firm's only owner stays one.
            let keeps_owner = (*role != Role::Owner).then(|| accounts::require_other_owner(*login));
            operated(accounts::set_role(&command, *login, *role, keeps_owner).await)
        }
        ConsoleCommand::RemoveLogin { login } => {
            asked.own_login(*login).await?;
            operated(accounts::remove_login(&command, *login).await)
        }
        ConsoleCommand::MakeLink { login, link, expires_at } => {
            asked.own_login(*login).await?;
            operated(accounts::make_link(&command, *login, *link, *expires_at).await)
        }
    }
}

/// Writes changes and the log entry of a request that is answered `Done`.
async fn done<D: Driver>(command: &Command<'_, D>, account: Uuid, changes: Vec<Statement>) -> Answered {
    Write::new(Concerns::Account(account), changes).run(command).await?;
    Ok(ConsoleAnswer::Done)
}

/// The answer of a command that the operator has as well.
fn operated(result: CommandResult) -> Answered {
    Ok(match result? {
        OperatorAnswer::Key(key) => ConsoleAnswer::Key(key),
        OperatorAnswer::Login(login) => ConsoleAnswer::Login(login),
        OperatorAnswer::Undone(report) => ConsoleAnswer::Undone(report),
        OperatorAnswer::SimilarPair(pair) => ConsoleAnswer::SimilarPair(pair),
        OperatorAnswer::KeySecrets(secrets) => ConsoleAnswer::KeySecrets(secrets),
        _ => ConsoleAnswer::Done,
    })
}
