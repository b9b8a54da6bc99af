//! `GET /clients/{id}`: one client, as it was a delay ago (rule V13).

use uuid::Uuid;

use crate::{
    api::{
        Api, access, caller::Caller, error::ApiError, query::Query, request_context::RequestContext, response::Response,
    },
    client::{CLIENT_BYTES, push_client},
    key::KeyScope,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ClientFilter, ClientPageQuery, Store, View},
};

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn show_client(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        id: &str,
    ) -> Result<Response, ApiError> {
        Query::parse(context.head.uri.query(), &[])?;
        // A text that is no id is the id of no client. The key is checked all the same.
        let filter = ClientFilter { id: Some(Uuid::try_parse(id).unwrap_or_default()), ..ClientFilter::default() };
        let view = View { now: context.now, delay_seconds: self.settings.client_delay_seconds };
        let query = ClientPageQuery { view, after: None, seen_until: None, updated_since: None, filter, limit: 1 };
        let mut body = String::with_capacity(CLIENT_BYTES);
        let end = self
            .store
            .clients(&caller.key, &query, &mut |client| {
                body.push_str("{\"client\":");
                push_client(&mut body, &client);
                body.push('}');
            })
            .await?;
        let end = self.live(caller, end)?;
        caller.note_last_use(&end.key_owner);
        access::check_access(&end.key_owner)?;
        access::check_scope(&end.key_owner, KeyScope::Clients)?;
        if body.is_empty() {
            return Err(ApiError::no_shown_client());
        }
        Ok(Response::ok_json(body))
    }
}
