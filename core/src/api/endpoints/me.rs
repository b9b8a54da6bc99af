//! `GET /me`: the account of the key (rule H25).

use serde::Serialize;
use uuid::Uuid;

use crate::{
    api::{
        Api, access, caller::Caller, error::ApiError, query::Query, request_context::RequestContext, response::Response,
    },
    platform::Platform,
    rate_limiter::RateLimiter,
    store::Store,
};

#[derive(Serialize)]
struct MeBody<'a> {
    account: AccountMember<'a>,
}

#[derive(Serialize)]
struct AccountMember<'a> {
    id: Uuid,
    email: &'a str,
}

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn me(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
    ) -> Result<Response, ApiError> {
        Query::parse(context.head.uri.query(), &[])?;
        let key_owner = self.key_owner(context, caller).await?;
        access::check_access(key_owner)?;
        Response::ok(&MeBody { account: AccountMember { id: key_owner.account, email: &key_owner.email } })
    }
}
