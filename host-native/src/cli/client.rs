//! `matterbook client …`

use clap::Subcommand;
use matterbook_core::client::MEMBERS;
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};

/// Show a client, allow letters to it again, or erase it.
#[derive(Debug, Subcommand)]
pub(super) enum ClientCommand {
    /// Show a client as it is now, without the API's delay
    Show {
        /// The client's id
        id: String,
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
    },
    /// Turn do_not_mail off, so that letters may go out again; the API cannot do this
    MailOn {
        /// The client's id
        id: String,
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
    },
    /// Erase a client with its history and settlements; this cannot be undone
    Erase {
        /// The client's id
        id: String,
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        /// Confirm the erasure
        #[arg(long, required = true)]
        yes: bool,
    },
}

impl ClientCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::Show { id, account } => shown(operator.send(Call::get(&["accounts", &account, "clients", &id]))?),
            Self::MailOn { id, account } => {
                shown(operator.send(Call::post(&["accounts", &account, "clients", &id, "mail-on"], json!({})))?)
            }
            Self::Erase { id, account, .. } => {
                let answer = operator.send(Call::delete(&["accounts", &account, "clients", &id]))?;
                let text = table::record(&answer["client"], &["id", "erased"]);
                Ok(Shown::new(answer, text))
            }
        }
    }
}

fn shown(answer: Value) -> Result<Shown, Failure> {
    let text = table::record(&answer["client"], &MEMBERS);
    Ok(Shown::new(answer, text))
}
