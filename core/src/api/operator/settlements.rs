//! The settlements feed: what letters are sent by (design section 6).

use serde::Serialize;

use super::{listing, path_id, unexpected};
use crate::{
    api::{Api, error::ApiError, exchange::Exchange, reply::Reply},
    cursor::Listing,
    gate::Gate,
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, Refusal, SettlementEntry, Store},
};

#[derive(Serialize)]
struct SettlementsBody {
    settlements: Vec<SettlementEntry>,
    next_cursor: Option<String>,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn list_settlements(&self, exchange: &Exchange<'_>, account: &str) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let (after, limit) = listing::place(exchange, Listing::Settlements, account)?;
        let command = OperatorCommand::ListSettlements { account, after, limit };
        match self.command(exchange, command, "settlement.list", account.to_string()).await? {
            OperatorAnswer::Settlements(settlements, next) => {
                let next_cursor = listing::next_cursor(next, Listing::Settlements, account);
                Reply::ok(&SettlementsBody { settlements, next_cursor })
            }
            _ => unexpected(),
        }
    }
}
