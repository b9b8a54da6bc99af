//! The operator API, beside the public one: `/operator/v1/…` (design section 9, docs/operator-api.md).
//!
//! It has a token of its own and no rate limit. What it changes is logged in the same atomic unit.

mod accounts;
mod clients;
mod counties;
mod input;
mod keys;
mod listing;
mod log;
mod logins;
mod prospects;
mod refusal;
mod settings;
mod settlements;

use http::HeaderMap;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{
    Api, RequestBody, bearer,
    error::{ApiError, ErrorCode},
    exchange::Exchange,
    json_body,
    limits::ACTOR_MAX_LENGTH,
    media_type,
    query::Query,
    reply::Reply,
    route::{self, OperatorEndpoint},
};
use crate::{
    gate::Gate,
    platform::Platform,
    store::{LogEntry, OperatorAnswer, OperatorCommand, Store, StoreError},
};

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    /// Answers a request under `/operator/v1`.
    pub(super) async fn operator<B: RequestBody>(
        &self,
        exchange: &mut Exchange<'_>,
        body: B,
    ) -> Result<Reply, ApiError> {
        exchange.route = route::operator_template(exchange.head.uri.path());
        let Some(token) = &self.settings.operator_token else {
            return Err(ApiError::not_found("There is nothing at this path."));
        };
        check_token(&exchange.head.headers, token)?;
        actor(&exchange.head.headers)?;
        let (endpoint, [first, second]) = route::operator_endpoint(exchange.head.uri.path(), exchange.method())?;
        // Nothing here can be tried out: what a dry run asks to leave undone is not to be done.
        Query::parse(exchange.head.uri.query(), &[])?;
        match endpoint {
            OperatorEndpoint::ShowSettings => self.show_settings(),
            OperatorEndpoint::ListAccounts => self.list_accounts(exchange).await,
            OperatorEndpoint::CreateAccount => self.create_account(exchange, body).await,
            OperatorEndpoint::ShowAccount => self.show_account(exchange, first).await,
            OperatorEndpoint::SetAccount => self.set_account(exchange, first, body).await,
            OperatorEndpoint::AddLogin => self.add_login(exchange, first, body).await,
            OperatorEndpoint::SetRole => self.set_role(exchange, first, body).await,
            OperatorEndpoint::ListKeys => self.list_keys(exchange, first).await,
            OperatorEndpoint::CreateKey => self.create_key(exchange, first, body).await,
            OperatorEndpoint::RevokeKey => self.revoke_key(exchange, first).await,
            OperatorEndpoint::GrantCounty => self.grant_county(exchange, first, second, body).await,
            OperatorEndpoint::RevokeCounty => self.revoke_county(exchange, first, second).await,
            OperatorEndpoint::ImportProspects => self.import_prospects(exchange, body).await,
            OperatorEndpoint::EraseProspect => self.erase_prospect(exchange, first).await,
            OperatorEndpoint::ShowClient => self.show_client(exchange, first, second).await,
            OperatorEndpoint::EraseClient => self.erase_client(exchange, first, second).await,
            OperatorEndpoint::MailOn => self.mail_on(exchange, first, second).await,
            OperatorEndpoint::ListSettlements => self.list_settlements(exchange, first).await,
            OperatorEndpoint::ListLog => self.list_log(exchange).await,
        }
    }

    /// Gives a command to the store, with what its log entry says.
    async fn command(
        &self,
        exchange: &Exchange<'_>,
        command: OperatorCommand,
        action: &'static str,
        subject: String,
    ) -> Result<OperatorAnswer, ApiError> {
        let entry = LogEntry {
            id: exchange.entry_id,
            at: exchange.now,
            actor: actor(&exchange.head.headers)?,
            action,
            subject,
            request_id: exchange.request_id,
        };
        match self.store.operate(command, entry).await {
            Ok(OperatorAnswer::Refused(refusal)) => Err(refusal::answer(refusal)),
            Ok(answer) => Ok(answer),
            // Some commands make something new each time, such as an account or a key.
            Err(error @ StoreError::Unknown { .. }) => {
                Err(ApiError::unknown("Look at what is there before you send it again.", error.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The text of a body of a readable type, within the limit.
    async fn operator_body<B: RequestBody>(&self, exchange: &Exchange<'_>, body: B) -> Result<String, ApiError> {
        media_type::check(&exchange.head.headers)?;
        json_body::read_text(body, self.settings.body_limit_bytes).await
    }
}

/// The store answered with something that the command cannot have.
fn unexpected<T>() -> Result<T, ApiError> {
    Err(ApiError::internal("the store answered an operator's command with another command's answer"))
}

/// Compares digests, so that the time it takes says nothing of how much of a token was right.
fn check_token(headers: &HeaderMap, token: &str) -> Result<(), ApiError> {
    let presented = bearer::bearer_token(headers).ok().flatten();
    if presented.is_some_and(|presented| Sha256::digest(presented) == Sha256::digest(token)) {
        return Ok(());
    }
    Err(ApiError::new(ErrorCode::Unauthorized, "The operator token is missing or wrong.")
        .with_header(http::header::WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer realm=\"operator\"")))
}

/// Who acts, in the operator's own words.
fn actor(headers: &HeaderMap) -> Result<String, ApiError> {
    let Some(value) = headers.get("matterbook-actor") else { return Ok("operator".to_owned()) };
    // A header's text may hold tabs; the log's words may not.
    let text = value.to_str().ok().map(str::trim).filter(|text| text.len() <= ACTOR_MAX_LENGTH && !text.contains('\t'));
    match text {
        Some("") => Ok("operator".to_owned()),
        Some(text) => Ok(text.to_owned()),
        None => Err(ApiError::invalid("Matterbook-Actor must be at most 100 visible ASCII characters and spaces.")),
    }
}

/// An id in a path. What is no id is as unknown as an id that nobody has.
fn path_id(text: &str, unknown: crate::store::Refusal) -> Result<Uuid, ApiError> {
    Uuid::try_parse(text).map_err(|_| refusal::answer(unknown))
}
