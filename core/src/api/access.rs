//! Who may go on: the checks under `/api/v1` in their order, all before the body (design section
//! 3, "Order of checks"): key → rate → suspended or view-only → not enabled → path, method, media
//! type → bundle → parameters → body.

use http::{HeaderValue, Method, header};

use super::{
    Api, RequestBody, bearer,
    error::{ApiError, ErrorCode},
    exchange::Exchange,
    media_type,
    reply::Reply,
    route::{self, Endpoint},
};
use crate::{
    account::{Holder, Role},
    gate::Gate,
    key::{self, KeyDigest},
    platform::Platform,
    settings::Settings,
    store::Store,
    time::Timestamp,
};

/// A key's last use is recorded about this often.
const USE_RECORDED_EVERY_SECONDS: i64 = 86_400;

/// A caller whose key is live, and who may call.
pub(crate) struct Caller {
    pub(crate) key: KeyDigest,
    pub(crate) holder: Holder,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    /// Answers a request under `/api/v1`.
    pub(super) async fn public<B: RequestBody>(
        &self,
        exchange: &mut Exchange<'_>,
        path: &str,
        body: B,
    ) -> Result<Reply, ApiError> {
        exchange.route = route::public_template(path);
        let key = presented_key(&self.settings, exchange.head)?;
        let holder = self.store.holder(&key).await?.ok_or_else(|| key_refused(&self.settings))?;
        exchange.account = Some(holder.account);
        self.count(exchange, &key).await?;
        check_access(&holder)?;
        let endpoint = route::public_endpoint(path, exchange.method())?;
        if *exchange.method() == Method::POST {
            media_type::check(&exchange.head.headers)?;
        }
        let use_is_old = is_use_old(holder.last_used_at, exchange.now);
        let caller = Caller { key, holder };
        let reply = match endpoint {
            Endpoint::Me => self.me(exchange, &caller),
            Endpoint::PostClients => self.post_clients(exchange, &caller, body).await,
            Endpoint::ListClients => self.list_clients(exchange, &caller).await,
            Endpoint::CasesSettled => self.cases_settled(exchange, &caller, body).await,
            Endpoint::Prospects => self.list_prospects(exchange, &caller).await,
        };
        if use_is_old {
            // A use that could not be recorded is recorded with the next request.
            let _ = self.store.record_use(&caller.key, exchange.now).await;
        }
        reply
    }

    /// Counts the request toward the key's limit; every later answer shows what is left.
    async fn count(&self, exchange: &mut Exchange<'_>, key: &KeyDigest) -> Result<(), ApiError> {
        let limit = self.settings.rate_limit_per_minute;
        if limit == 0 {
            return Ok(());
        }
        let admission =
            self.gate.admit(key, limit, exchange.now).await.map_err(|error| ApiError::internal(error.to_string()))?;
        exchange.rate = Some((limit, admission));
        if admission.admitted {
            return Ok(());
        }
        let message = format!("More than {limit} requests in a minute; wait for the seconds in Retry-After.");
        Err(ApiError::new(ErrorCode::RateLimited, message)
            .with_header(header::RETRY_AFTER, HeaderValue::from(admission.retry_after_seconds)))
    }
}

/// The key that the request carries, if it has the form of one.
fn presented_key(settings: &Settings, head: &http::request::Parts) -> Result<KeyDigest, ApiError> {
    let malformed = || {
        bearer::refused(
            &settings.service_name,
            "The Authorization header holds no well-formed API key; send \"Authorization: Bearer <API key>\".",
        )
    };
    let token = bearer::bearer_token(&head.headers).map_err(|_| malformed())?.ok_or_else(|| {
        bearer::missing(&settings.service_name, "There is no API key; send it as \"Authorization: Bearer <API key>\".")
    })?;
    if key::is_well_formed(&settings.key_prefix, token) { Ok(KeyDigest::of(token)) } else { Err(malformed()) }
}

/// 401 for a key that nobody holds any more, or ever did.
pub(super) fn key_refused(settings: &Settings) -> ApiError {
    bearer::refused(&settings.service_name, "This API key is not valid, or it was revoked.")
}

/// The checks of the account and the login. They are made again on the state that the data was
/// read or changed in.
pub(super) fn check_access(holder: &Holder) -> Result<(), ApiError> {
    if holder.flags.suspended {
        return Err(ApiError::new(ErrorCode::Forbidden, "The account's access is suspended."));
    }
    if holder.role == Role::ViewOnly {
        return Err(ApiError::new(ErrorCode::Forbidden, "This API key belongs to a view-only login."));
    }
    if !holder.flags.api_enabled {
        return Err(ApiError::new(ErrorCode::NotEnabled, "The API is not turned on for this account."));
    }
    Ok(())
}

/// The check of `GET /prospects`.
pub(super) fn check_bundle(holder: &Holder) -> Result<(), ApiError> {
    if holder.flags.digital_bundle {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::BundleRequired,
        "Prospects need the digital bundle, which this account does not have.",
    ))
}

fn is_use_old(last_used_at: Option<Timestamp>, now: Timestamp) -> bool {
    last_used_at.is_none_or(|time| time.plus_seconds(USE_RECORDED_EVERY_SECONDS) <= now)
}
