//! `GET /me`: whose key this is (reference section 4.3).

use serde::Serialize;
use uuid::Uuid;

use crate::{
    api::{Api, access::Caller, error::ApiError, exchange::Exchange, query::Query, reply::Reply},
    gate::Gate,
    platform::Platform,
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

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(in crate::api) fn me(&self, exchange: &Exchange<'_>, caller: &Caller) -> Result<Reply, ApiError> {
        Query::parse(exchange.head.uri.query(), &[])?;
        Reply::ok(&MeBody { account: AccountMember { id: caller.holder.account, email: &caller.holder.email } })
    }
}
