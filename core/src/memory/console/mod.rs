//! The console's requests (S30 to S36).

mod pages;

use std::ops::Bound;

use uuid::Uuid;

use pages::find_clients;

use super::{
    MemoryStore,
    account::{Content, Source},
    listing::page,
    people::Session,
    state::State,
};
use crate::{
    account::{Account, KeyRecord, Login, Role},
    sign_in::SessionDigest,
    store::{
        CANDIDATES_COMPARED, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, ConsoleRequest, ConsoleResponse,
        ConsoleStore, LinkOwner, LogEntry, OperatorAnswer, OperatorCommand, Passkey, Position, Refusal, SessionOwner,
        SessionRecord, SignIn, SignInAnswer, SignInCommand, SignInRefusal, StoreError,
    },
    time::Timestamp,
    undo::UndoReport,
};

type Answered = Result<ConsoleAnswer, ConsoleRefusal>;

impl ConsoleStore for MemoryStore {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        Ok(self.state().sign_in(sign_in).unwrap_or_else(SignInAnswer::Refused))
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        self.state().console(request)
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        self.state().people.record_use(session, now);
        Ok(())
    }
}

impl State {
    fn sign_in(&mut self, sign_in: SignIn) -> Result<SignInAnswer, SignInRefusal> {
        let now = sign_in.now;
        match &sign_in.command {
            SignInCommand::ShowLink { link } => {
                let (login, expires_at) = self.people.link(link, now).ok_or(SignInRefusal::Unknown)?;
                let (_, Login { id: login, email, role, .. }) = self.may_sign_in(login)?;
                Ok(SignInAnswer::Link(LinkOwner { login, email, role, expires_at }))
            }
            SignInCommand::UseLink { link, session } => {
                let (login, _) = self.people.link(link, now).ok_or(SignInRefusal::Unknown)?;
                self.may_sign_in(login)?;
                self.people.use_up_link(login);
                self.people.begin_session(login, *session, now);
                self.signed_in(&sign_in, session.digest)
            }
            SignInCommand::FindPasskey { credential_id } => {
                let passkey = self.people.passkey(credential_id).ok_or(SignInRefusal::Unknown)?;
                self.may_sign_in(passkey.login)?;
                Ok(SignInAnswer::Passkey(Passkey { login: passkey.login, state: passkey.state.clone() }))
            }
            SignInCommand::UsePasskey { credential_id, verified_state, new_state, session } => {
                let passkey = self.people.passkey(credential_id).ok_or(SignInRefusal::Unknown)?;
                if passkey.state != *verified_state {
                    return Err(SignInRefusal::Unknown);
                }
                let login = passkey.login;
                self.may_sign_in(login)?;
                self.people.use_passkey(credential_id, new_state.clone(), now);
                self.people.begin_session(login, *session, now);
                self.signed_in(&sign_in, session.digest)
            }
        }
    }

    /// The account and the login of somebody who may sign in.
    fn may_sign_in(&self, login: Uuid) -> Result<(Account, Login), SignInRefusal> {
        let login = self.login(login).cloned().ok_or(SignInRefusal::Unknown)?;
        let account = self.accounts.get(&login.account_id).ok_or(SignInRefusal::Unknown)?.account.clone();
        if account.flags.suspended {
            return Err(SignInRefusal::Suspended);
        }
        Ok((account, login))
    }

    fn signed_in(&mut self, sign_in: &SignIn, session: SessionDigest) -> Result<SignInAnswer, SignInRefusal> {
        let owner = self.session_owner(&session, sign_in.now).ok_or(SignInRefusal::Unknown)?;
        let entry = LogEntry {
            id: sign_in.entry_id,
            at: sign_in.now,
            actor: owner.email.clone(),
            action: "session.begin",
            subject: owner.login.to_string(),
            request_id: sign_in.request_id,
            retention: sign_in.retention,
        };
        self.add_to_log(entry, Some(owner.account));
        Ok(SignInAnswer::SignedIn(Box::new(owner)))
    }

    /// The owner of a session that is open.
    pub(super) fn session_owner(&self, session: &SessionDigest, now: Timestamp) -> Option<SessionOwner> {
        let Session { id, login, started_at, used_at, is_suspended } = self.people.session(session, now)?.clone();
        let login = self.login(login)?;
        let account = &self.accounts.get(&login.account_id)?.account;
        // After the suspension the session is as good as ended.
        if is_suspended && !account.flags.suspended {
            return None;
        }
        Some(SessionOwner {
            session: id,
            started_at,
            used_at,
            is_suspended,
            login: login.id,
            email: login.email.clone(),
            role: login.role,
            account: account.id,
            account_number: account.number,
            account_email: account.email.clone(),
            flags: account.flags,
        })
    }

    fn console(&mut self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        let Some(owner) = self.session_owner(&request.session, request.now) else { return Ok(None) };
        let entry = request.command.action().map(|action| LogEntry {
            id: request.entry_id,
            at: request.now,
            actor: owner.email.clone(),
            action,
            subject: request.command.subject(&owner),
            request_id: request.request_id,
            retention: request.retention,
        });
        let is_begin = matches!(request.command, ConsoleCommand::BeginImport { .. });
        let answered = match request.command.check(&owner) {
            Ok(()) => self.answer(&owner, request)?,
            Err(refusal) => Err(refusal),
        };
        // Going on with an import changes nothing.
        let goes_on = is_begin && matches!(answered, Ok(ConsoleAnswer::Import(_, false)));
        if let (Ok(_), Some(entry), false) = (&answered, entry, goes_on) {
            self.add_to_log(entry, Some(owner.account));
        }
        let answer = answered.unwrap_or_else(ConsoleAnswer::Refused);
        Ok(Some(ConsoleResponse { owner, answer }))
    }

    fn answer(&mut self, owner: &SessionOwner, request: ConsoleRequest) -> Result<Answered, StoreError> {
        let ConsoleRequest { session, now, request_id, command, retention, .. } = request;
        let account = owner.account;
        Ok(match command {
            ConsoleCommand::Session | ConsoleCommand::RecordDownload { .. } => Ok(ConsoleAnswer::Done),
            ConsoleCommand::ShowAccount => self.own(account).map(|own| ConsoleAnswer::Account(own.account.clone())),
            ConsoleCommand::SignOut => {
                self.people.end_session(&session);
                Ok(ConsoleAnswer::Done)
            }
            ConsoleCommand::ListSessions => {
                let sessions = self.people.sessions_of(owner.login, now).into_iter().take(SESSIONS_SHOWN);
                let record = |session: Session| SessionRecord {
                    id: session.id,
                    started_at: session.started_at,
                    used_at: session.used_at,
                };
                Ok(ConsoleAnswer::Sessions(sessions.map(record).collect()))
            }
            ConsoleCommand::EndSessions { login } => self.own_login(account, login).map(|login| {
                self.people.end_sessions(login.id);
                ConsoleAnswer::Done
            }),
            ConsoleCommand::ListPasskeys { login } => {
                self.own_login(account, login).map(|login| ConsoleAnswer::Passkeys(self.people.passkeys_of(login.id)))
            }
            ConsoleCommand::AddPasskey { passkey } => {
                let is_added = self.people.add_passkey(owner.login, passkey, now);
                is_added.then_some(ConsoleAnswer::Done).ok_or(ConsoleRefusal::KnownPasskey)
            }
            ConsoleCommand::RenamePasskey { id, name } => {
                let own = self.people.passkey_by_id(id).filter(|passkey| passkey.login == owner.login);
                own.ok_or(ConsoleRefusal::NoPasskey).map(|passkey| {
                    passkey.record.name = name;
                    ConsoleAnswer::Done
                })
            }
            ConsoleCommand::RemovePasskey { id } => self.remove_passkey(owner, id),
            ConsoleCommand::Overview { query } => self.overview(account, &query),
            ConsoleCommand::SearchClients { search, before, limit } => {
                self.own(account).map(|own| find_clients(own, &search, before, limit))
            }
            ConsoleCommand::ShowClient { client } => self.client_record(account, client),
            ConsoleCommand::MailOn { client, reason, .. } => self.mail_on(owner, client, reason, (now, request_id)),
            ConsoleCommand::UndoChange { change, after, dry_run, .. } => {
                let report = self.undo_report(account, change, after).map_err(|_| ConsoleRefusal::NoChange);
                report.map(|report| {
                    if !dry_run {
                        self.undo_as(owner, &report, (now, request_id));
                    }
                    ConsoleAnswer::Undone(Box::new(report))
                })
            }
            ConsoleCommand::ListReview { seen_since, before, limit } => self.own(account).map(|own| {
                let (items, next) = own.review.page(seen_since, before, limit, |kept| {
                    let clients = kept.item.candidates.iter().filter_map(|id| own.clients.get(*id)).cloned();
                    (self.review_item(own, kept), clients.take(CANDIDATES_COMPARED).collect())
                });
                ConsoleAnswer::Review(items, next)
            }),
            ConsoleCommand::ResolveReview { item, decision, mint, .. } => {
                let decided = self.content_mut(account).and_then(|content| {
                    let at = content.next_commit_at(now);
                    let by = (request_id, Source::Login(owner.login, None), retention);
                    content.resolve(item, decision, mint, (now, at), by)
                });
                let client = decided.map(|client| client.map(|client| client.id));
                client.map(ConsoleAnswer::Resolved).map_err(ConsoleRefusal::from)
            }
            ConsoleCommand::ListSimilar { filter, after, limit } => self
                .own(account)
                .map(|own| ConsoleAnswer::Similar(own.similar.page(&own.clients, filter, after, limit))),
            ConsoleCommand::DecideSimilar { pair, decision } => {
                let decide = OperatorCommand::DecideSimilar { account, pair, decision };
                match self.write(decide, now, &owner.email, request_id) {
                    Ok(OperatorAnswer::SimilarPair(pair)) => Ok(ConsoleAnswer::SimilarPair(pair)),
                    Ok(_) => Ok(ConsoleAnswer::Done),
                    Err(refusal) => Err(refusal.into()),
                }
            }
            ConsoleCommand::BeginImport { import } => self.begin_import(owner, import, now),
            ConsoleCommand::ShowImport { import } => self.show_import(account, import, false),
            ConsoleCommand::ListImports { before, limit } => Ok(self.list_imports(account, before, limit)),
            ConsoleCommand::EndImport { import } => self.end_import(account, import, now),
            ConsoleCommand::ListProspects { search } => self.own(account).map(|own| {
                let grants = own.account.counties.clone();
                let (prospects, next) = self.prospects.search(&search, &grants);
                ConsoleAnswer::Prospects(grants, prospects, next)
            }),
            ConsoleCommand::ListActivity { before, limit } => {
                let end = before.map_or(Bound::Unbounded, Bound::Excluded);
                let is_own = |entry: &&(Position, Uuid)| entry.1 == account;
                let places: Vec<_> = self
                    .log
                    .range((Bound::Unbounded, end))
                    .rev()
                    .filter_map(|(place, (account, _))| Some((*place, (*account)?)))
                    .collect();
                let places = places.iter().filter(is_own).map(|(place, _)| *place);
                let (log, next) = page(places, limit, |place| Some(self.log.get(&place)?.1.clone()));
                Ok(ConsoleAnswer::Log(log, next))
            }
            ConsoleCommand::ListKeys => Ok(ConsoleAnswer::Keys(self.keys_of(account))),
            ConsoleCommand::ListKeySecrets => Ok(ConsoleAnswer::KeySecrets(self.key_secrets.iter().cloned().collect())),
            ConsoleCommand::CreateKey { id, label, limits, key } => {
                let login = Some(owner.login);
                let create = OperatorCommand::CreateKey { id, account, login, label, limits, key };
                self.check_ids(&create)?;
                self.operated(create, (now, request_id), owner)
            }
            ConsoleCommand::RevokeKey { key } => match self.keys_of(account).iter().any(|known| known.id == key) {
                true => self.operated(OperatorCommand::RevokeKey { key }, (now, request_id), owner),
                false => Err(ConsoleRefusal::NoKey),
            },
            ConsoleCommand::AddLogin { id, email, role } => {
                let add = OperatorCommand::AddLogin { id, account, email, role };
                self.check_ids(&add)?;
                self.operated(add, (now, request_id), owner)
            }
            ConsoleCommand::SetRole { login, role } => match self.own_login(account, login) {
                Ok(known) if role != Role::Owner && self.is_last_owner(&known) => Err(ConsoleRefusal::LastOwner),
                Ok(_) => self.operated(OperatorCommand::SetRole { login, role }, (now, request_id), owner),
                Err(refusal) => Err(refusal),
            },
            ConsoleCommand::RemoveLogin { login } => match self.own_login(account, login) {
                Ok(_) => self.operated(OperatorCommand::RemoveLogin { login }, (now, request_id), owner),
                Err(refusal) => Err(refusal),
            },
            ConsoleCommand::MakeLink { login, link, expires_at } => match self.own_login(account, login) {
                Ok(_) => self.operated(OperatorCommand::MakeLink { login, link, expires_at }, (now, request_id), owner),
                Err(refusal) => Err(refusal),
            },
        })
    }

    /// The operator's command, done by a person.
    fn operated(
        &mut self,
        command: OperatorCommand,
        (at, request_id): (Timestamp, Uuid),
        owner: &SessionOwner,
    ) -> Answered {
        match self.write(command, at, &owner.email, request_id) {
            Ok(OperatorAnswer::Key(key)) => Ok(ConsoleAnswer::Key(key)),
            Ok(OperatorAnswer::Login(login)) => Ok(ConsoleAnswer::Login(login)),
            Ok(_) => Ok(ConsoleAnswer::Done),
            Err(Refusal::LastOwner) => Err(ConsoleRefusal::LastOwner),
            Err(Refusal::NoKey) => Err(ConsoleRefusal::NoKey),
            Err(Refusal::NoClient) => Err(ConsoleRefusal::NoClient),
            Err(_) => Err(ConsoleRefusal::NoLogin),
        }
    }

    fn own(&self, account: Uuid) -> Result<&Content, ConsoleRefusal> {
        self.accounts.get(&account).ok_or(ConsoleRefusal::NoLogin)
    }

    fn own_login(&self, account: Uuid, login: Uuid) -> Result<Login, ConsoleRefusal> {
        let own = self.login(login).filter(|login| login.account_id == account);
        own.cloned().ok_or(ConsoleRefusal::NoLogin)
    }

    fn is_last_owner(&self, login: &Login) -> bool {
        let logins = self.accounts.get(&login.account_id).map(|content| content.account.logins.as_slice());
        let mut others = logins.unwrap_or_default().iter().filter(|other| other.id != login.id);
        login.role == Role::Owner && !others.any(|other| other.role == Role::Owner)
    }

    fn keys_of(&self, account: Uuid) -> Vec<KeyRecord> {
        let mut keys: Vec<_> = self.keys.values().filter(|key| key.account_id == account).cloned().collect();
        keys.sort_by_key(|key| (key.created_at, key.id));
        keys
    }

    fn remove_passkey(&mut self, owner: &SessionOwner, id: Uuid) -> Answered {
        let login = self.people.passkey_by_id(id).map(|passkey| passkey.login).ok_or(ConsoleRefusal::NoPasskey)?;
        if login == owner.login {
            if self.people.passkeys_of(login).len() == 1 {
                return Err(ConsoleRefusal::LastWayIn);
            }
        } else if owner.role != Role::Owner || self.own_login(owner.account, login).is_err() {
            return Err(ConsoleRefusal::NoPasskey);
        }
        self.people.remove_passkey(id);
        Ok(ConsoleAnswer::Done)
    }

    fn mail_on(
        &mut self,
        owner: &SessionOwner,
        client: Uuid,
        reason: String,
        (now, request_id): (Timestamp, Uuid),
    ) -> Answered {
        let content = self.content_mut(owner.account).map_err(|_| ConsoleRefusal::NoClient)?;
        let is_off = content.clients.get(client).ok_or(ConsoleRefusal::NoClient)?.fields.do_not_mail;
        if is_off {
            let at = content.next_commit_at(now);
            content.clients.mail_on(client, at);
            content.set_last_commit_at(at);
            content.note_commit(at, request_id, Source::Login(owner.login, None), 0, 1);
            content.note_letters_on(client, at, &owner.email, Some(reason));
        }
        self.client_record(owner.account, client)
    }

    /// Applies an undo in the name of a person.
    fn undo_as(&mut self, owner: &SessionOwner, report: &UndoReport, (now, request_id): (Timestamp, Uuid)) {
        if let Ok(content) = self.content_mut(owner.account) {
            let at = content.next_commit_at(now);
            content.undo(report, at, request_id, Source::Login(owner.login, None));
        }
    }
}

/// The most sessions of a login that are listed.
const SESSIONS_SHOWN: usize = 100;
