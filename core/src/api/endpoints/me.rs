//! `GET /me`: the account of the key (rule H25).

use serde::Serialize;
use uuid::Uuid;

use crate::{
    api::{Api, access, caller::Caller, error::ApiError, exchange::Exchange, query::Query, reply::Reply},
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
    pub(in crate::api) async fn me(&self, exchange: &Exchange<'_>, caller: &mut Caller) -> Result<Reply, ApiError> {
        Query::parse(exchange.head.uri.query(), &[])?;
        let key_owner = self.key_owner(caller).await?;
        access::check_access(key_owner)?;
        Reply::ok(&MeBody { account: AccountMember { id: key_owner.account, email: &key_owner.email } })
    }
}
