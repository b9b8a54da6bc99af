//! The settlements feed, from which letters are sent (rule O20).

use serde::Serialize;

use super::{listing, request::OperatorRequest, unexpected};
use crate::{
    api::{error::ApiError, response::Response},
    cursor::Listing,
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, OperatorStore, SettlementEntry},
};

#[derive(Serialize)]
struct SettlementsBody {
    settlements: Vec<SettlementEntry>,
    next_cursor: Option<String>,
}

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let (after, limit) = listing::place(request.context, Listing::Settlements, account)?;
    let after = after.map(|cursor| cursor.position);
    let command = OperatorCommand::ListSettlements { account, after, limit };
    match request.run(command, "settlement.list", account.to_string()).await? {
        OperatorAnswer::Settlements(settlements, next) => {
            let next_cursor = listing::next_cursor(next, Listing::Settlements, account);
            Response::ok(&SettlementsBody { settlements, next_cursor })
        }
        _ => unexpected(),
    }
}
