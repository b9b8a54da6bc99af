//! `matterbook push` and `matterbook pull`, as a person runs them: against the service, against one that
//! answers badly, and killed at any moment.

mod bad_answers;
mod between;
mod encryption;
mod error_workbook;
mod hostile_text;
mod interruptions;
mod matters;
mod preview;
mod prospects;
mod pull;
mod push;
mod round_trip;
mod run;
