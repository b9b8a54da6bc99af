//! Files that people send in the console: JSON requests with a session (rules G29 to G33). A batch goes through the
//! very code of `POST /clients`.

mod batch;
mod effects;
mod record;

pub(super) use batch::{BatchRows, check_owner};
pub(super) use effects::push_effects;
pub use record::IMPORT_ROWS_MAX;

use http::{StatusCode, request::Parts};
use uuid::Uuid;

use super::{
    Api, Handled, RequestBody,
    error::{ApiError, ErrorCode},
    json_body, media_type,
    post_options::PostOptions,
    request_context::RequestContext,
    response::Response,
};
use crate::{
    key::KeyDigest,
    platform::Platform,
    rate_limiter::RateLimiter,
    sign_in::SessionDigest,
    store::{
        Authority, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, ConsoleRequest, ConsoleResponse, ConsoleStore,
        SessionAuthority, SessionOwner, Store,
    },
};

/// The largest body that begins an import. A row of a file has up to 200 columns.
const BEGIN_BYTES_MAX: usize = 64 * 1024;

/// How many imports the columns of earlier files are taken from.
const MAPPINGS_OF: u32 = 20;

/// The path to which plans belong, so that a plan of a preview is good for a batch of any import.
const PATH_OF_PLANS: &str = "/app/imports";

/// What a batch is to an import.
pub(super) enum ImportBatch {
    /// A dry run, which also answers what the page needs to know of saved clients and settlements.
    Preview,
    /// These rows of its file.
    Rows(BatchRows),
}

/// Why a request is refused before it reaches storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportRefusal {
    /// It was not sent from a page of the console.
    ForeignPage,
    /// The connection is not encrypted.
    PlainHttp,
    /// Its path names no import.
    NoImport,
}

/// What the page asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportCall {
    /// `POST /app/imports/new`: begins an import, or goes on with one of the same file.
    Begin,
    /// `GET /app/imports/mappings`: which columns of earlier files became which fields.
    Mappings,
    /// `POST /app/imports/preview`: a dry run of a batch.
    Preview,
    /// `GET /app/imports/{import}`: how far it is.
    Show(Uuid),
    /// `POST /app/imports/{import}/batch`: a batch of it.
    Batch(Uuid),
    /// `POST /app/imports/{import}/end`: ends it.
    End(Uuid),
}

impl<S: Store + ConsoleStore, L: RateLimiter, P: Platform> Api<S, L, P> {
    /// Answers a request of an import in JSON, in the name of a session. `route` is the template of its path, for the
    /// log. The caller has checked that the request comes from a page of the console, or says why it is refused.
    pub async fn import<B: RequestBody>(
        &self,
        call: Result<ImportCall, ImportRefusal>,
        route: &'static str,
        session: Option<SessionDigest>,
        head: &Parts,
        body: B,
    ) -> Handled {
        let mut context = RequestContext::begin(&self.platform, head);
        context.route = route;
        let outcome = match (call, session) {
            (Err(refusal), _) => Err(refusal.error()),
            (Ok(call), Some(session)) => Box::pin(self.answer_import(&mut context, call, session, body)).await,
            (Ok(_), None) => Err(signed_out()),
        };
        context.finish(outcome)
    }

    async fn answer_import<B: RequestBody>(
        &self,
        context: &mut RequestContext<'_>,
        call: ImportCall,
        session: SessionDigest,
        body: B,
    ) -> Result<Response, ApiError> {
        let (owner, _) = self.ask(context, session, ConsoleCommand::Session).await?;
        context.account = Some(owner.account);
        if owner.is_use_old(context.now) {
            // If this fails, the next request records the use.
            let _ = self.store.record_session_use(&session, context.now).await;
        }
        let import = match call {
            ImportCall::Preview => {
                let options = PostOptions { dry_run: true, plan: None, ..PostOptions::read(context.head.uri.query())? };
                return self.import_batch(context, (session, &owner), None, (options, None), body).await;
            }
            ImportCall::Batch(import) => {
                let (options, rows) = batch::read_query(context.head.uri.query())?;
                return self.import_batch(context, (session, &owner), Some(import), (options, rows), body).await;
            }
            ImportCall::Mappings => {
                let command = ConsoleCommand::ListImports { before: None, limit: MAPPINGS_OF };
                return match self.ask(context, session, command).await?.1 {
                    ConsoleAnswer::Imports(imports, _) => Ok(Response::ok_json(record::mappings(&imports))),
                    _ => Err(another_answer()),
                };
            }
            ImportCall::Begin => {
                // Before the body is read.
                check_owner(&owner)?;
                media_type::check(&context.head.headers)?;
                let text = json_body::read_text(body, BEGIN_BYTES_MAX).await?;
                ConsoleCommand::BeginImport { import: record::read(&text, context.mint.id(0))? }
            }
            ImportCall::Show(import) => ConsoleCommand::ShowImport { import },
            ImportCall::End(import) => ConsoleCommand::EndImport { import },
        };
        match self.ask(context, session, import).await?.1 {
            ConsoleAnswer::Import(import, is_new) => {
                let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
                Ok(Response { status, ..Response::ok_json(record::json(&import)) })
            }
            _ => Err(another_answer()),
        }
    }

    async fn import_batch<B: RequestBody>(
        &self,
        context: &mut RequestContext<'_>,
        (session, owner): (SessionDigest, &SessionOwner),
        import: Option<Uuid>,
        (options, rows): (PostOptions, Option<BatchRows>),
        body: B,
    ) -> Result<Response, ApiError> {
        check_owner(owner)?;
        // A session has the rate of a key. A digest of this text is none of a key.
        self.count(context, &KeyDigest::of(&format!("session {}", owner.session))).await?;
        media_type::check(&context.head.headers)?;
        let mut submission = self.read_clients(context, owner.account, &options, PATH_OF_PLANS, body).await?;
        submission.import = Some(match rows {
            Some(rows) => {
                rows.check_clients(submission.batch.clients())?;
                // What an explanation says of changes counts unchanged rows.
                submission.batch = submission.batch.explained();
                ImportBatch::Rows(rows)
            }
            None => ImportBatch::Preview,
        });
        let authority = Authority::Session(SessionAuthority { session, import });
        self.submit(context, authority, owner.account, submission).await?.ok_or_else(signed_out)
    }

    /// Asks storage for something in the name of the session.
    async fn ask(
        &self,
        context: &RequestContext<'_>,
        session: SessionDigest,
        command: ConsoleCommand,
    ) -> Result<(SessionOwner, ConsoleAnswer), ApiError> {
        let request = ConsoleRequest {
            session,
            now: context.now,
            entry_id: context.entry_id,
            request_id: context.request_id,
            retention: self.settings.retention,
            command,
        };
        match self.store.console(request).await? {
            None => Err(signed_out()),
            Some(ConsoleResponse { answer: ConsoleAnswer::Refused(refusal), .. }) => Err(refused(refusal)),
            Some(ConsoleResponse { owner, answer }) => Ok((owner, answer)),
        }
    }
}

impl ImportRefusal {
    fn error(self) -> ApiError {
        let forbidden = |sentence: &'static str| ApiError::new(ErrorCode::Forbidden, sentence);
        match self {
            Self::ForeignPage => forbidden("This was not sent from a page of this application. Open the page again."),
            Self::PlainHttp => forbidden("The connection is not encrypted, so you cannot sign in here."),
            Self::NoImport => refused(ConsoleRefusal::NoImport),
        }
    }
}

fn signed_out() -> ApiError {
    ApiError::new(ErrorCode::Unauthorized, "You are signed out. Sign in again in another tab, then go on.")
}

/// What a refusal is to the page.
fn refused(refusal: ConsoleRefusal) -> ApiError {
    match refusal {
        ConsoleRefusal::Suspended => ApiError::new(ErrorCode::Forbidden, "Access of your firm is suspended."),
        ConsoleRefusal::Role => ApiError::new(ErrorCode::Forbidden, "Your login only looks at things."),
        ConsoleRefusal::NotEnabled => {
            ApiError::new(ErrorCode::NotEnabled, "The client list is not turned on for your firm.")
        }
        ConsoleRefusal::NoItem
        | ConsoleRefusal::Unreadable
        | ConsoleRefusal::Nameless
        | ConsoleRefusal::ExternalIdTaken => ApiError::not_found("There is no such item."),
        ConsoleRefusal::NoImport => ApiError::not_found("There is no such import; begin it again."),
        _ => another_answer(),
    }
}

/// The store's answer is of another kind, which is a defect.
fn another_answer() -> ApiError {
    ApiError::internal("the store answered another command")
}
