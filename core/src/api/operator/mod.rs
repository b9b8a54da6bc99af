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

use http::{HeaderMap, Method};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{
    Api, RequestBody, bearer,
    error::{ApiError, ErrorCode},
    exchange::Exchange,
    json_body,
    limits::ACTOR_MAX_LENGTH,
    media_type,
    reply::Reply,
    route::method_not_allowed,
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
        path: &str,
        body: B,
    ) -> Result<Reply, ApiError> {
        exchange.route = "/operator/v1/…";
        let Some(token) = &self.settings.operator_token else {
            return Err(ApiError::not_found("There is nothing at this path."));
        };
        check_token(&exchange.head.headers, token)?;
        actor(&exchange.head.headers)?;
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let method = exchange.method().clone();
        match (segments.as_slice(), &method) {
            (["settings"], &Method::GET | &Method::HEAD) => self.show_settings(),
            (["settings"], _) => Err(method_not_allowed("GET, HEAD")),

            (["accounts"], &Method::GET | &Method::HEAD) => self.list_accounts(exchange).await,
            (["accounts"], &Method::POST) => self.create_account(exchange, body).await,
            (["accounts"], _) => Err(method_not_allowed("GET, HEAD, POST")),
            (["accounts", account], &Method::GET | &Method::HEAD) => self.show_account(exchange, account).await,
            (["accounts", account], &Method::PATCH) => self.set_account(exchange, account, body).await,
            (["accounts", _], _) => Err(method_not_allowed("GET, HEAD, PATCH")),

            (["accounts", account, "logins"], &Method::POST) => self.add_login(exchange, account, body).await,
            (["accounts", _, "logins"], _) => Err(method_not_allowed("POST")),
            (["logins", login], &Method::PATCH) => self.set_role(exchange, login, body).await,
            (["logins", _], _) => Err(method_not_allowed("PATCH")),

            (["accounts", account, "keys"], &Method::GET | &Method::HEAD) => self.list_keys(exchange, account).await,
            (["accounts", account, "keys"], &Method::POST) => self.create_key(exchange, account, body).await,
            (["accounts", _, "keys"], _) => Err(method_not_allowed("GET, HEAD, POST")),
            (["keys", key], &Method::DELETE) => self.revoke_key(exchange, key).await,
            (["keys", _], _) => Err(method_not_allowed("DELETE")),

            (["accounts", account, "counties", fips], &Method::PUT) => {
                self.grant_county(exchange, account, fips, body).await
            }
            (["accounts", account, "counties", fips], &Method::DELETE) => {
                self.revoke_county(exchange, account, fips).await
            }
            (["accounts", _, "counties", _], _) => Err(method_not_allowed("PUT, DELETE")),

            (["prospects"], &Method::POST) => self.import_prospects(exchange, body).await,
            (["prospects"], _) => Err(method_not_allowed("POST")),
            (["prospects", prospect], &Method::DELETE) => self.erase_prospect(exchange, prospect).await,
            (["prospects", _], _) => Err(method_not_allowed("DELETE")),

            (["accounts", account, "clients", client], &Method::GET | &Method::HEAD) => {
                self.show_client(exchange, account, client).await
            }
            (["accounts", account, "clients", client], &Method::DELETE) => {
                self.erase_client(exchange, account, client).await
            }
            (["accounts", _, "clients", _], _) => Err(method_not_allowed("GET, HEAD, DELETE")),
            (["accounts", account, "clients", client, "mail-on"], &Method::POST) => {
                self.mail_on(exchange, account, client).await
            }
            (["accounts", _, "clients", _, "mail-on"], _) => Err(method_not_allowed("POST")),

            (["accounts", account, "settlements"], &Method::GET | &Method::HEAD) => {
                self.list_settlements(exchange, account).await
            }
            (["accounts", _, "settlements"], _) => Err(method_not_allowed("GET, HEAD")),

            (["log"], &Method::GET | &Method::HEAD) => self.list_log(exchange).await,
            (["log"], _) => Err(method_not_allowed("GET, HEAD")),
            _ => Err(ApiError::not_found("There is nothing at this path; see the operator API's documentation.")),
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
