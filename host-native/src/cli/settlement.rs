//! `matterbook settlement …`

use clap::Subcommand;
use serde_json::Value;

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};

/// The columns of the list, the most important first.
pub(super) const LISTED: [&str; 7] =
    ["id", "client_id", "external_id", "last_name", "settled_on", "changed_at", "do_not_mail"];

/// Read the settlements that letters are sent for.
#[derive(Debug, Subcommand)]
pub(super) enum SettlementCommand {
    /// List an account's settlements, oldest change first; a corrected one appears again with the same id
    List {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        /// Print only the page at this cursor, the next_cursor of an earlier page
        #[arg(long)]
        cursor: Option<String>,
        /// Print only one page of at most this many, 1 to 100 [default: all pages]
        #[arg(long)]
        limit: Option<String>,
    },
}

impl SettlementCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        let Self::List { account, cursor, limit } = self;
        let call = Call::get(&["accounts", &account, "settlements"]);
        Ok(shown(operator.list(call, "settlements", cursor, limit)?))
    }
}

fn shown(answer: Value) -> Shown {
    let text = table::table(answer["settlements"].as_array().map_or(&[], Vec::as_slice), &LISTED);
    let hint = answer["next_cursor"].as_str().map(|cursor| format!("More follows: --cursor {cursor}"));
    Shown { hint, ..Shown::new(answer, text) }
}
