//! The operator's commands, and the store's answers to them (rules of group O).

mod answer;
mod command;
mod log;
mod refusal;

pub use answer::{ImportOutcome, OperatorAnswer, SettlementEntry};
pub use command::{AccountChange, OperatorCommand};
pub use log::{LogEntry, LogRecord};
pub use refusal::Refusal;
