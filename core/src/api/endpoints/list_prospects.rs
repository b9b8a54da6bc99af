//! `GET /prospects`: crash prospects in the account's counties, as cold leads (rules P1 to P9).

use serde::Serialize;

use crate::{
    api::{
        Api, access,
        caller::Caller,
        error::{ApiError, ErrorCode},
        limits::{NEWEST_DAYS, NEWEST_LIMIT, PAGE_LIMIT_DEFAULT},
        query::Query,
        request_context::RequestContext,
        response::Response,
    },
    cursor::{Cursor, Listing, grants_fingerprint},
    key::KeyScope,
    platform::Platform,
    prospect::ProspectBody,
    rate_limiter::RateLimiter,
    store::{ProspectOrder, ProspectPageQuery, Store, View},
};

#[derive(Serialize)]
struct ProspectsBody<'a> {
    prospects: Vec<ProspectBody<'a>>,
    next_cursor: Option<String>,
}

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn list_prospects(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
    ) -> Result<Response, ApiError> {
        let query = Query::parse(context.head.uri.query(), &["order", "cursor", "limit"])?;
        let (query, fingerprint) = self.prospect_page_query(&query, context, caller)?;
        let page = self.store.prospects(&caller.key, &query).await?;
        let page = self.live(caller, page)?;
        caller.note_last_use(&page.key_owner);
        access::check_access(&page.key_owner)?;
        access::check_scope(&page.key_owner, KeyScope::Prospects)?;
        access::check_bundle(&page.key_owner)?;
        let grants = grants_fingerprint(&page.grants);
        if fingerprint.is_some_and(|fingerprint| fingerprint != grants) {
            return Err(ApiError::new(
                ErrorCode::CursorStale,
                "The account's county access changed since this cursor was given; start again without a cursor.",
            ));
        }
        let next_cursor = page.next.map(|position| {
            Cursor { grants: Some(grants), ..Cursor::new(Listing::Prospects, caller.account, position) }.to_text()
        });
        let with_contact = page.key_owner.flags.contact_enrichment;
        let prospects = page
            .prospects
            .iter()
            .map(|prospect| ProspectBody::new(prospect, &self.platform, &self.settings.service_name, with_contact))
            .collect();
        Response::ok(&ProspectsBody { prospects, next_cursor })
    }

    /// The query for the store, and the cursor's fingerprint of the grants.
    fn prospect_page_query(
        &self,
        query: &Query,
        context: &RequestContext<'_>,
        caller: &Caller,
    ) -> Result<(ProspectPageQuery, Option<String>), ApiError> {
        let cursor = query.text("cursor");
        let view = View { now: context.now, delay_seconds: self.settings.prospect_delay_seconds };
        match query.text("order") {
            None | Some("oldest") => {
                let limit = query.limit(PAGE_LIMIT_DEFAULT)?;
                let cursor = cursor
                    .map(|text| Cursor::parse(text, Listing::Prospects, caller.account))
                    .transpose()
                    .map_err(|error| ApiError::invalid(format!("{error}.")))?;
                let after = cursor.as_ref().map(|cursor| cursor.position);
                let fingerprint = cursor.and_then(|cursor| cursor.grants);
                Ok((ProspectPageQuery { view, order: ProspectOrder::Oldest { after }, limit }, fingerprint))
            }
            Some("newest") => {
                let limit = query.limit(NEWEST_LIMIT)?;
                if cursor.is_some() {
                    return Err(ApiError::invalid("cursor cannot be used with order=newest, which has no pages."));
                }
                let added_since = context.now.plus_seconds(-86_400 * i64::from(NEWEST_DAYS));
                Ok((ProspectPageQuery { view, order: ProspectOrder::Newest { added_since }, limit }, None))
            }
            Some(_) => Err(ApiError::invalid("order must be oldest or newest.")),
        }
    }
}
