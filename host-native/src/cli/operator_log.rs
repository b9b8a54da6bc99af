//! `matterbook operator log`

use clap::Subcommand;

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};

/// The columns of the list, the most important first.
pub(super) const ENTRY: [&str; 4] = ["at", "actor", "action", "subject"];

/// Read what the operator did.
#[derive(Debug, Subcommand)]
pub(super) enum OperatorCommand {
    /// List the last actions that changed something, newest first
    Log {
        /// Go on at this cursor, the next_cursor of the page before
        #[arg(long)]
        cursor: Option<String>,
        /// Print at most this many, 1 to 100 [default: 50]
        #[arg(long)]
        limit: Option<String>,
    },
}

impl OperatorCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        let Self::Log { cursor, limit } = self;
        let given = [("cursor", cursor), ("limit", limit)].into_iter();
        let given = given.filter_map(|(name, value)| Some((name, value?)));
        let answer = operator.send(given.fold(Call::get(&["log"]), |call, (name, value)| call.with(name, &value)))?;
        let rows = answer["log"].as_array().map_or(&[][..], Vec::as_slice);
        let text = table::table(rows, &ENTRY);
        let hint = answer["next_cursor"].as_str().map(|cursor| format!("Older ones follow: --cursor {cursor}"));
        Ok(Shown { hint, ..Shown::new(answer, text) })
    }
}
