//! The operator's log, read back.

use serde::Serialize;
use uuid::Uuid;

use super::{
    call::{Call, Step},
    listing, unexpected,
};
use crate::{
    api::{error::ApiError, reply::Reply},
    cursor::Listing,
    store::{LogRecord, OperatorAnswer, OperatorCommand},
};

#[derive(Serialize)]
struct LogBody {
    log: Vec<LogRecord>,
    next_cursor: Option<String>,
}

pub(super) fn list(call: &Call<'_>) -> Result<Step, ApiError> {
    let (after, limit) = listing::place(call.exchange, Listing::Log, Uuid::nil())?;
    let command = OperatorCommand::ListLog { after, limit };
    Ok(call.ask(command, "log.list", String::new(), |answer| match answer {
        OperatorAnswer::Log(log, next) => {
            let next_cursor = listing::next_cursor(next, Listing::Log, Uuid::nil());
            Reply::ok(&LogBody { log, next_cursor })
        }
        _ => unexpected(),
    }))
}
