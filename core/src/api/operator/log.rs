//! The operator log, the newest entry first (rule O21).

use serde::Serialize;
use uuid::Uuid;

use super::{listing, request::OperatorRequest, unexpected};
use crate::{
    api::{error::ApiError, response::Response},
    cursor::Listing,
    platform::Platform,
    store::{LogRecord, OperatorAnswer, OperatorCommand, OperatorStore},
};

#[derive(Serialize)]
struct LogBody {
    log: Vec<LogRecord>,
    next_cursor: Option<String>,
}

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let (before, limit) = listing::place(request.context, Listing::Log, Uuid::nil())?;
    let before = before.map(|cursor| cursor.position);
    let command = OperatorCommand::ListLog { before, limit };
    match request.run(command, "log.list", String::new()).await? {
        OperatorAnswer::Log(log, next) => {
            let next_cursor = listing::next_cursor(next, Listing::Log, Uuid::nil());
            Response::ok(&LogBody { log, next_cursor })
        }
        _ => unexpected(),
    }
}
