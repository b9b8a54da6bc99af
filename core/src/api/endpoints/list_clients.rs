//! `GET /clients`: pages of the account's clients, as they were a delay ago (rules V1 to V11).

use super::client_filter;
use crate::{
    api::{
        Api, access, caller::Caller, error::ApiError, limits::PAGE_LIMIT_DEFAULT, query::Query,
        request_context::RequestContext, response::Response,
    },
    client::{CLIENT_BYTES, ClientRef, push_client},
    cursor::{Cursor, Listing},
    json::push_optional_text,
    key::KeyScope,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ClientPageQuery, Store, View},
};

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn list_clients(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
    ) -> Result<Response, ApiError> {
        let known = ["limit", "cursor", "updated_since", "external_id", "email", "phone", "name"];
        let query = Query::parse(context.head.uri.query(), &known)?;
        let query = self.client_page_query(&query, context, caller)?;
        let mut body = Body::with_room_for(query.limit);
        let end = self.store.clients(&caller.key, &query, &mut |client| body.push(&client)).await?;
        let end = self.live(caller, end)?;
        caller.note_last_use(&end.key_owner);
        access::check_access(&end.key_owner)?;
        access::check_scope(&end.key_owner, KeyScope::Clients)?;
        let next_cursor = end.next.map(|position| {
            Cursor {
                seen_until: Some(end.seen_until),
                updated_since: query.updated_since,
                filter: query.filter.clone(),
                ..Cursor::new(Listing::Clients, caller.account, position)
            }
            .to_text()
        });
        Ok(Response::ok_json(body.end(next_cursor.as_deref())))
    }

    /// An absent filter is taken from the cursor. A given filter must equal that of the cursor (rule C4).
    fn client_page_query(
        &self,
        query: &Query,
        context: &RequestContext<'_>,
        caller: &Caller,
    ) -> Result<ClientPageQuery, ApiError> {
        let limit = query.limit(PAGE_LIMIT_DEFAULT)?;
        let mut updated_since = query.time("updated_since")?;
        let mut filter = client_filter::read(query)?;
        let (mut after, mut seen_until) = (None, None);
        if let Some(text) = query.text("cursor") {
            let cursor = Cursor::parse(text, Listing::Clients, caller.account)
                .map_err(|error| ApiError::invalid(format!("{error}.")))?;
            client_filter::check(&filter, &cursor.filter)?;
            let agrees = updated_since.is_none() || updated_since == cursor.updated_since;
            client_filter::check_each([("updated_since", agrees)])?;
            (after, seen_until) = (Some(cursor.position), cursor.seen_until);
            updated_since = cursor.updated_since;
            filter = cursor.filter;
        }
        let view = View { now: context.now, delay_seconds: self.settings.client_delay_seconds };
        Ok(ClientPageQuery { view, after, seen_until, updated_since, filter, limit })
    }
}

/// The JSON of a page, written client by client.
pub(in crate::api) struct Body {
    json: String,
}

impl Body {
    pub(in crate::api) fn with_room_for(limit: u32) -> Self {
        let clients = usize::try_from(limit).unwrap_or_default();
        let mut json = String::with_capacity((clients + 1) * CLIENT_BYTES);
        json.push_str("{\"clients\":[");
        Self { json }
    }

    pub(in crate::api) fn push(&mut self, client: &ClientRef<'_>) {
        if self.json.ends_with('}') {
            self.json.push(',');
        }
        push_client(&mut self.json, client);
    }

    pub(in crate::api) fn end(self, next_cursor: Option<&str>) -> String {
        let mut json = self.json;
        json.push_str("],\"next_cursor\":");
        push_optional_text(&mut json, next_cursor);
        json.push('}');
        json
    }
}
