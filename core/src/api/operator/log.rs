//! The operator's log, read back.

use serde::Serialize;
use uuid::Uuid;

use super::{listing, unexpected};
use crate::{
    api::{Api, error::ApiError, exchange::Exchange, reply::Reply},
    cursor::Listing,
    gate::Gate,
    platform::Platform,
    store::{LogRecord, OperatorAnswer, OperatorCommand, Store},
};

#[derive(Serialize)]
struct LogBody {
    log: Vec<LogRecord>,
    next_cursor: Option<String>,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn list_log(&self, exchange: &Exchange<'_>) -> Result<Reply, ApiError> {
        let (after, limit) = listing::place(exchange, Listing::Log, Uuid::nil())?;
        let command = OperatorCommand::ListLog { after, limit };
        match self.command(exchange, command, "log.list", String::new()).await? {
            OperatorAnswer::Log(log, next) => {
                let next_cursor = listing::next_cursor(next, Listing::Log, Uuid::nil());
                Reply::ok(&LogBody { log, next_cursor })
            }
            _ => unexpected(),
        }
    }
}
