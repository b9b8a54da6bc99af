//! The checks under `/api/v1`, in the order of rule H23: key → rate → suspended or view-only → not
//! enabled → path, method, media type → scope → bundle → parameters → body.
//!
//! For a key that was live a moment ago the lookup is left to the atomic unit that does the work
//! (rule A8, decision 0010). No answer relies on a remembered key alone: an error is returned only
//! after a lookup has shown the key live.

use http::{HeaderValue, Method, header};

use super::{
    Api, RequestBody, bearer,
    caller::{Caller, KeyStatus},
    error::{ApiError, ErrorCode},
    media_type,
    request_context::RequestContext,
    response::Response,
    route::{self, Endpoint},
    seen_keys::SeenKey,
};
use crate::{
    account::{KeyOwner, Role},
    key::{self, KeyDigest, KeyScope},
    platform::Platform,
    rate_limiter::RateLimiter,
    settings::Settings,
    store::Store,
    time::Timestamp,
};

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    /// Answers a request under `/api/v1`.
    pub(super) async fn public<B: RequestBody>(
        &self,
        context: &mut RequestContext<'_>,
        body: B,
    ) -> Result<Response, ApiError> {
        context.route = route::public_template(context.head.uri.path());
        let key = self.presented_key(context.head)?;
        let mut caller = self.recognize(key, context.now).await?;
        context.account = Some(caller.account);
        let mut outcome = match self.count(context, &key).await {
            Ok(()) => self.call(context, &mut caller, body).await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome {
            outcome = Err(self.first_error(context, &mut caller, error).await);
        }
        self.conclude(context, caller).await;
        outcome
    }

    /// The key of the request, if it is well-formed and a key secret made it (rule K9).
    fn presented_key(&self, head: &http::request::Parts) -> Result<KeyDigest, ApiError> {
        let Settings { service_name, key_prefix, .. } = &self.settings;
        let malformed = || {
            bearer::refused(
                service_name,
                "The Authorization header holds no well-formed API key; send \"Authorization: Bearer <API key>\".",
            )
        };
        let token = bearer::bearer_token(&head.headers).map_err(|_| malformed())?.ok_or_else(|| {
            bearer::missing(service_name, "There is no API key; send it as \"Authorization: Bearer <API key>\".")
        })?;
        if !key::is_well_formed(key_prefix, token) {
            return Err(malformed());
        }
        match self.key_secrets.account_number(key_prefix, token) {
            Some(_) => Ok(KeyDigest::of(token)),
            None => Err(key_refused(&self.settings)),
        }
    }

    /// The caller that owns the key, which is live now or was a moment ago.
    async fn recognize(&self, key: KeyDigest, now: Timestamp) -> Result<Caller, ApiError> {
        match self.seen_keys.as_ref().and_then(|keys| keys.recall(&key, now)) {
            Some(SeenKey::Live(seen)) => return Ok(Caller::remembered(key, seen, now)),
            Some(SeenKey::Dead(_)) => return Err(key_refused(&self.settings)),
            None => {}
        }
        match self.store.key_owner(&key, now).await? {
            Some(key_owner) => Ok(Caller::looked_up(key, key_owner)),
            None => {
                self.remember(&key, SeenKey::Dead(now));
                Err(key_refused(&self.settings))
            }
        }
    }

    /// Answers a request that the rate limit allowed.
    async fn call<B: RequestBody>(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        body: B,
    ) -> Result<Response, ApiError> {
        // A future is as large as its largest part. The boxes keep the future of a small request small.
        let (endpoint, argument) = check_head(caller.key_owner.as_ref(), context.head)?;
        match endpoint {
            Endpoint::Me => self.me(context, caller).await,
            Endpoint::PostClients => Box::pin(self.post_clients(context, caller, body)).await,
            Endpoint::ListClients => Box::pin(self.list_clients(context, caller)).await,
            Endpoint::ShowClient => Box::pin(self.show_client(context, caller, argument)).await,
            Endpoint::ClientHistory => Box::pin(self.client_history(context, caller, argument)).await,
            Endpoint::CasesSettled => Box::pin(self.cases_settled(context, caller, body)).await,
            Endpoint::Prospects => Box::pin(self.list_prospects(context, caller)).await,
        }
    }

    /// The error that comes first in the order of checks. A remembered key is looked up first, except for
    /// an internal error, which tells nothing about the key, and for too many requests of a key that was live a few
    /// seconds ago (rule A14).
    async fn first_error(&self, context: &RequestContext<'_>, caller: &mut Caller, error: ApiError) -> ApiError {
        let is_limited = error.code == ErrorCode::RateLimited;
        let needs_no_look = error.code == ErrorCode::Internal || is_limited && caller.is_just_proved;
        if caller.key_status != KeyStatus::Remembered || needs_no_look {
            return error;
        }
        match self.key_owner(context, caller).await {
            Err(refused) => refused,
            Ok(_) if is_limited => error,
            Ok(key_owner) => check_head(Some(key_owner), context.head).err().unwrap_or(error),
        }
    }

    /// The owner of the caller's key, looked up once for each request.
    pub(super) async fn key_owner<'c>(
        &self,
        context: &RequestContext<'_>,
        caller: &'c mut Caller,
    ) -> Result<&'c KeyOwner, ApiError> {
        let key_owner = match caller.key_owner.take() {
            Some(key_owner) => key_owner,
            None => {
                let key_owner = self.store.key_owner(&caller.key, context.now).await?;
                let key_owner = self.live(caller, key_owner)?;
                caller.note_last_use(&key_owner);
                key_owner
            }
        };
        Ok(caller.key_owner.insert(key_owner))
    }

    /// The result of an atomic unit for the caller's key. `None` means that the key is not live.
    pub(super) fn live<T>(&self, caller: &mut Caller, found: Option<T>) -> Result<T, ApiError> {
        caller.key_status = if found.is_some() { KeyStatus::Live } else { KeyStatus::Dead };
        found.ok_or_else(|| key_refused(&self.settings))
    }

    /// Records what the request has shown about its key. A live key counts as used, whatever the answer. For
    /// a key that is not live, the log names no account.
    async fn conclude(&self, context: &mut RequestContext<'_>, mut caller: Caller) {
        match caller.key_status {
            KeyStatus::Remembered => {}
            KeyStatus::Live => {
                // If this fails, the next request records the use.
                if caller.is_use_old(context.now) && self.store.record_use(&caller.key, context.now).await.is_ok() {
                    caller.use_was_recorded(context.now);
                }
                self.remember(&caller.key, caller.seen(context.now));
            }
            KeyStatus::Dead => {
                self.remember(&caller.key, SeenKey::Dead(context.now));
                context.account = None;
                context.rate = None;
            }
        }
    }

    fn remember(&self, key: &KeyDigest, seen: SeenKey) {
        if let Some(keys) = &self.seen_keys {
            keys.remember(key, seen);
        }
    }

    /// Counts the request toward the key's limit. The answer shows what is left (rule R4).
    pub(super) async fn count(&self, context: &mut RequestContext<'_>, key: &KeyDigest) -> Result<(), ApiError> {
        let limit = self.settings.rate_limit_per_minute;
        if limit == 0 {
            return Ok(());
        }
        let decision = self
            .rate_limiter
            .check(key, limit, context.now)
            .await
            .map_err(|error| ApiError::internal(error.to_string()))?;
        context.rate = Some((limit, decision));
        if decision.allowed {
            return Ok(());
        }
        let message = format!("More than {limit} requests in a minute; wait for the seconds in Retry-After.");
        Err(ApiError::new(ErrorCode::RateLimited, message)
            .with_header(header::RETRY_AFTER, HeaderValue::from(decision.retry_after_seconds)))
    }
}

/// 401 for an unknown, revoked or ended key.
fn key_refused(settings: &Settings) -> ApiError {
    bearer::refused(&settings.service_name, "This API key is not valid, was revoked, or has ended.")
}

/// The checks of the head, up to the parameters. Those of account and login need the owner.
fn check_head<'h>(
    key_owner: Option<&KeyOwner>,
    head: &'h http::request::Parts,
) -> Result<(Endpoint, &'h str), ApiError> {
    if let Some(key_owner) = key_owner {
        check_access(key_owner)?;
    }
    let (endpoint, argument) = route::public_endpoint(head.uri.path(), &head.method)?;
    if head.method == Method::POST {
        media_type::check(&head.headers)?;
    }
    if let Some(key_owner) = key_owner {
        if let Some(scope) = endpoint.scope() {
            check_scope(key_owner, scope)?;
        }
        if endpoint == Endpoint::Prospects {
            check_bundle(key_owner)?;
        }
    }
    Ok((endpoint, argument))
}

/// The checks of the account and the login. They run again in the atomic unit of the data (rule A7).
pub(super) fn check_access(key_owner: &KeyOwner) -> Result<(), ApiError> {
    if key_owner.flags.suspended {
        return Err(ApiError::new(ErrorCode::Forbidden, "The account's access is suspended."));
    }
    if key_owner.role == Role::ViewOnly {
        return Err(ApiError::new(ErrorCode::Forbidden, "This API key belongs to a view-only login."));
    }
    if !key_owner.flags.api_enabled {
        return Err(ApiError::new(ErrorCode::NotEnabled, "The API is not turned on for this account."));
    }
    Ok(())
}

/// The check of the key's scope (rule K12).
pub(super) fn check_scope(key_owner: &KeyOwner, needed: KeyScope) -> Result<(), ApiError> {
    if key_owner.scope.is_none_or(|scope| scope == needed) {
        return Ok(());
    }
    let sentence = match needed {
        KeyScope::Clients => "This API key is limited to prospects; clients need a key without that limit.",
        KeyScope::Prospects => "This API key is limited to clients; prospects need a key without that limit.",
    };
    Err(ApiError::new(ErrorCode::Forbidden, sentence))
}

/// The check of `GET /prospects`.
pub(super) fn check_bundle(key_owner: &KeyOwner) -> Result<(), ApiError> {
    if key_owner.flags.digital_bundle {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::BundleRequired,
        "Prospects need the digital bundle, which this account does not have.",
    ))
}
