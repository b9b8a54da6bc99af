//! The operator API under `/operator/v1/…` (rules of group O, `docs/operator-api.md`).
//!
//! It has a token of its own and no rate limit. Each change is logged in the same atomic unit.

mod accounts;
mod changes;
mod clients;
mod counties;
mod input;
mod keys;
mod listing;
mod log;
mod logins;
mod prospects;
mod refusal;
mod request;
mod review;
mod settings;
mod settlements;
mod similar;
mod transfer;

use http::{HeaderMap, HeaderName};
use sha2::{Digest as _, Sha256};

use super::{
    Api, RequestBody, bearer,
    error::{ApiError, ErrorCode},
    json_body,
    limits::ACTOR_MAX_LENGTH,
    media_type,
    query::Query,
    request_context::RequestContext,
    response::Response,
    route::{self, OperatorEndpoint},
};
use crate::{platform::Platform, rate_limiter::RateLimiter, store::Store};
use request::{OperatorRequest, PathParameters};

static MATTERBOOK_ACTOR: HeaderName = HeaderName::from_static("matterbook-actor");

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    /// Answers a request under `/operator/v1`.
    pub(super) async fn operator<B: RequestBody>(
        &self,
        context: &mut RequestContext<'_>,
        body: B,
    ) -> Result<Response, ApiError> {
        context.route = route::operator_template(context.head.uri.path());
        let store = self.store.operator().ok_or_else(|| ApiError::not_found("This service has no operator API."))?;
        let Some(token) = &self.settings.operator_token else {
            return Err(ApiError::not_found(
                "The operator API is off: the service was started without an operator token.",
            ));
        };
        self.check_failures(context)?;
        check_token(&context.head.headers, token)?;
        context.is_operator = true;
        let actor = actor(&context.head.headers)?;
        let (endpoint, arguments) = route::operator_endpoint(context.head.uri.path(), context.method())?;
        // No other command has a dry run, so a request for one must not be carried out (rule H19).
        let has_dry_run = endpoint == OperatorEndpoint::UndoChange;
        Query::parse(context.head.uri.query(), if has_dry_run { &["dry_run"] } else { &[] })?;
        let path = PathParameters::read(context.route, arguments)?;
        let text = if has_body(endpoint) { self.operator_body(context, body).await? } else { String::new() };
        let (settings, key_secrets, platform) = (&self.settings, &self.key_secrets, &self.platform);
        let request = OperatorRequest { store, context, settings, key_secrets, platform, actor, path, text };
        let response = match endpoint {
            OperatorEndpoint::ShowSettings => settings::show(&request).await,
            OperatorEndpoint::ListAccounts => accounts::list(&request).await,
            OperatorEndpoint::CreateAccount => accounts::create(&request, self.platform.random()).await,
            OperatorEndpoint::ShowAccount => accounts::show(&request).await,
            OperatorEndpoint::SetAccount => accounts::set(&request).await,
            OperatorEndpoint::ListLogins => logins::list(&request).await,
            OperatorEndpoint::AddLogin => logins::add(&request).await,
            OperatorEndpoint::SetRole => logins::set_role(&request).await,
            OperatorEndpoint::RemoveLogin => logins::remove(&request).await,
            OperatorEndpoint::MakeLink => logins::make_link(&request, self.platform.random()).await,
            OperatorEndpoint::ListKeys => keys::list(&request).await,
            OperatorEndpoint::CreateKey => keys::create(&request, self.platform.random()).await,
            OperatorEndpoint::RevokeKey => keys::revoke(&request).await,
            OperatorEndpoint::ListCounties => counties::list(&request).await,
            OperatorEndpoint::GrantCounty => counties::grant(&request).await,
            OperatorEndpoint::RevokeCounty => counties::revoke(&request).await,
            OperatorEndpoint::ImportProspects => prospects::import(&request).await,
            OperatorEndpoint::EraseProspect => prospects::erase(&request).await,
            OperatorEndpoint::FindClients => clients::find(&request).await,
            OperatorEndpoint::ShowClient => clients::show(&request).await,
            OperatorEndpoint::EraseClient => clients::erase(&request).await,
            OperatorEndpoint::MailOn => clients::mail_on(&request).await,
            OperatorEndpoint::ClientHistory => clients::history(&request).await,
            OperatorEndpoint::ShowChange => changes::show(&request).await,
            OperatorEndpoint::UndoChange => changes::undo(&request).await,
            OperatorEndpoint::ListReview => review::list(&request).await,
            OperatorEndpoint::ResolveReview => review::resolve(&request).await,
            OperatorEndpoint::ListSimilar => similar::list(&request).await,
            OperatorEndpoint::FindSimilar => similar::find(&request).await,
            OperatorEndpoint::DecideSimilar => similar::decide(&request).await,
            OperatorEndpoint::ListSettlements => settlements::list(&request).await,
            OperatorEndpoint::ExportAccount => transfer::export(&request).await,
            OperatorEndpoint::BeginAccountImport => transfer::begin(&request).await,
            OperatorEndpoint::ImportAccountRows => transfer::rows(&request).await,
            OperatorEndpoint::DiscardAccountImport => transfer::discard(&request).await,
            OperatorEndpoint::RestoreAccount => accounts::restore(&request).await,
            OperatorEndpoint::ListLog => log::list(&request).await,
        };
        // Too many requests of a revoked key are 401 from here on (rule A14).
        if matches!(endpoint, OperatorEndpoint::RevokeKey | OperatorEndpoint::RemoveLogin)
            && let Some(keys) = &self.seen_keys
        {
            keys.forget_all();
        }
        response
    }

    /// The text of a body of a readable type, within the limit.
    async fn operator_body<B: RequestBody>(&self, context: &RequestContext<'_>, body: B) -> Result<String, ApiError> {
        media_type::check(&context.head.headers)?;
        json_body::read_text(body, self.settings.body_limit_bytes).await
    }
}

/// Whether an endpoint reads the body of its request.
const fn has_body(endpoint: OperatorEndpoint) -> bool {
    matches!(
        endpoint,
        OperatorEndpoint::CreateAccount
            | OperatorEndpoint::SetAccount
            | OperatorEndpoint::AddLogin
            | OperatorEndpoint::SetRole
            | OperatorEndpoint::CreateKey
            | OperatorEndpoint::GrantCounty
            | OperatorEndpoint::ImportProspects
            | OperatorEndpoint::BeginAccountImport
            | OperatorEndpoint::ImportAccountRows
            | OperatorEndpoint::RestoreAccount
            | OperatorEndpoint::ResolveReview
            | OperatorEndpoint::DecideSimilar
    )
}

/// The error for a store's answer of another command's kind.
fn unexpected<T>() -> Result<T, ApiError> {
    Err(ApiError::internal("the store answered an operator's command with another command's answer"))
}

/// Compares digests, so that the time taken reveals nothing of the token (rule O2).
pub(super) fn check_token(headers: &HeaderMap, token: &str) -> Result<(), ApiError> {
    let presented = bearer::bearer_token(headers).ok().flatten();
    if presented.is_some_and(|presented| Sha256::digest(presented) == Sha256::digest(token)) {
        return Ok(());
    }
    Err(ApiError::new(ErrorCode::Unauthorized, "The operator token is missing or wrong.")
        .with_header(http::header::WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer realm=\"operator\"")))
}

/// Reads who acts (rule O3).
fn actor(headers: &HeaderMap) -> Result<String, ApiError> {
    let Some(value) = headers.get(&MATTERBOOK_ACTOR) else { return Ok("operator".to_owned()) };
    // `to_str` allows tabs.
    let text = value.to_str().ok().map(str::trim).filter(|text| text.len() <= ACTOR_MAX_LENGTH && !text.contains('\t'));
    match text {
        Some("") => Ok("operator".to_owned()),
        Some(text) => Ok(text.to_owned()),
        None => Err(ApiError::invalid("Matterbook-Actor must be at most 100 visible ASCII characters and spaces.")),
    }
}
