//! The operator API, beside the public one: `/operator/v1/…` (design section 9, docs/operator-api.md).
//!
//! It has a token of its own and no rate limit. What it changes is logged in the same atomic unit.
//!
//! An endpoint is an ordinary function from a [`Call`] to the command that it asks of the store and to what
//! makes a reply of the store's answer; the waiting, for the body and for the store, is done here. An endpoint
//! that waited by itself would be a state machine of its own, and the Worker's module would carry one for each.

mod accounts;
mod call;
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

use super::{
    Api, RequestBody, bearer,
    error::{ApiError, ErrorCode},
    exchange::Exchange,
    headers::MATTERBOOK_ACTOR,
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
    store::{OperatorAnswer, Store, StoreError},
};
use call::{Call, Named, Step};

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
        let actor = actor(&exchange.head.headers)?;
        let (endpoint, arguments) = route::operator_endpoint(exchange.head.uri.path(), exchange.method())?;
        // Nothing here can be tried out: what a dry run asks to leave undone is not to be done.
        Query::parse(exchange.head.uri.query(), &[])?;
        let named = Named::read(exchange.route, arguments)?;
        let text = if has_body(endpoint) { self.operator_body(exchange, body).await? } else { String::new() };
        let call = Call { exchange, settings: &self.settings, actor, named, text };
        match begin(endpoint, &call, &|| self.platform.random())? {
            Step::Reply(reply) => Ok(reply),
            Step::Ask { command, entry, reply } => reply(answer(self.store.operate(*command, entry).await)?),
        }
    }

    /// The text of a body of a readable type, within the limit.
    async fn operator_body<B: RequestBody>(&self, exchange: &Exchange<'_>, body: B) -> Result<String, ApiError> {
        media_type::check(&exchange.head.headers)?;
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
    )
}

/// What an endpoint makes of a call.
fn begin(endpoint: OperatorEndpoint, call: &Call<'_>, random: &dyn Fn() -> [u8; 32]) -> Result<Step, ApiError> {
    match endpoint {
        OperatorEndpoint::ShowSettings => settings::show(call),
        OperatorEndpoint::ListAccounts => accounts::list(call),
        OperatorEndpoint::CreateAccount => accounts::create(call),
        OperatorEndpoint::ShowAccount => Ok(accounts::show(call)),
        OperatorEndpoint::SetAccount => accounts::set(call),
        OperatorEndpoint::AddLogin => logins::add(call),
        OperatorEndpoint::SetRole => logins::set_role(call),
        OperatorEndpoint::ListKeys => Ok(keys::list(call)),
        OperatorEndpoint::CreateKey => keys::create(call, random()),
        OperatorEndpoint::RevokeKey => Ok(keys::revoke(call)),
        OperatorEndpoint::GrantCounty => counties::grant(call),
        OperatorEndpoint::RevokeCounty => Ok(counties::revoke(call)),
        OperatorEndpoint::ImportProspects => prospects::import(call),
        OperatorEndpoint::EraseProspect => Ok(prospects::erase(call)),
        OperatorEndpoint::ShowClient => Ok(clients::show(call)),
        OperatorEndpoint::EraseClient => Ok(clients::erase(call)),
        OperatorEndpoint::MailOn => Ok(clients::mail_on(call)),
        OperatorEndpoint::ListSettlements => settlements::list(call),
        OperatorEndpoint::ListLog => log::list(call),
    }
}

/// What the store did, if it did it.
fn answer(answer: Result<OperatorAnswer, StoreError>) -> Result<OperatorAnswer, ApiError> {
    match answer {
        Ok(OperatorAnswer::Refused(refusal)) => Err(refusal::answer(refusal)),
        Ok(answer) => Ok(answer),
        // Some commands make something new each time, such as an account or a key.
        Err(error @ StoreError::Unknown { .. }) => {
            Err(ApiError::unknown("Look at what is there before you send it again.", error.to_string()))
        }
        Err(error) => Err(error.into()),
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
    let Some(value) = headers.get(&MATTERBOOK_ACTOR) else { return Ok("operator".to_owned()) };
    // A header's text may hold tabs; the log's words may not.
    let text = value.to_str().ok().map(str::trim).filter(|text| text.len() <= ACTOR_MAX_LENGTH && !text.contains('\t'));
    match text {
        Some("") => Ok("operator".to_owned()),
        Some(text) => Ok(text.to_owned()),
        None => Err(ApiError::invalid("Matterbook-Actor must be at most 100 visible ASCII characters and spaces.")),
    }
}
