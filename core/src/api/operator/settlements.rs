//! The settlements feed: what letters are sent by (design section 6).

use serde::Serialize;

use super::{
    call::{Call, Step},
    listing, unexpected,
};
use crate::{
    api::{error::ApiError, reply::Reply},
    cursor::Listing,
    store::{OperatorAnswer, OperatorCommand, SettlementEntry},
};

#[derive(Serialize)]
struct SettlementsBody {
    settlements: Vec<SettlementEntry>,
    next_cursor: Option<String>,
}

pub(super) fn list(call: &Call<'_>) -> Result<Step, ApiError> {
    let account = call.named.account;
    let (after, limit) = listing::place(call.exchange, Listing::Settlements, account)?;
    let command = OperatorCommand::ListSettlements { account, after, limit };
    Ok(call.ask(command, "settlement.list", account.to_string(), move |answer| match answer {
        OperatorAnswer::Settlements(settlements, next) => {
            let next_cursor = listing::next_cursor(next, Listing::Settlements, account);
            Reply::ok(&SettlementsBody { settlements, next_cursor })
        }
        _ => unexpected(),
    }))
}
