//! `matterbook login …`

use clap::Subcommand;
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};

/// The columns of the list, the most important first.
pub(super) const LISTED: [&str; 4] = ["id", "email", "role", "created_at"];

const ROLES: [&str; 3] = ["owner", "teammate", "view_only"];

/// List, add and remove logins, change what they may do, and let them sign in.
#[derive(Debug, Subcommand)]
pub(super) enum LoginCommand {
    /// List an account's logins, oldest first
    List {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
    },
    /// Remove a login; its keys are revoked
    Remove {
        /// The login's id
        login: String,
    },
    /// Add a person to an account
    Add {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        /// The person's email address
        #[arg(long)]
        email: String,
        /// An owner creates keys; a key whose login becomes view_only is refused
        #[arg(long, value_parser = ROLES)]
        role: String,
    },
    /// Make a link by which a person signs in to the console; it works once, for 24 hours
    Link {
        /// The login's id
        login: String,
    },
    /// Change a login's role
    SetRole {
        /// The login's id
        login: String,
        /// The new role
        #[arg(value_parser = ROLES)]
        role: String,
    },
}

impl LoginCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::List { account } => {
                let answer = operator.send(Call::get(&["accounts", &account, "logins"]))?;
                let rows = answer["logins"].as_array().map_or(&[][..], Vec::as_slice);
                let text = table::table(rows, &LISTED);
                Ok(Shown::new(answer, text))
            }
            Self::Remove { login } => shown(operator.send(Call::delete(&["logins", &login]))?),
            Self::Add { account, email, role } => shown(
                operator.send(Call::post(&["accounts", &account, "logins"], json!({"email": email, "role": role})))?,
            ),
            Self::Link { login } => {
                let answer = operator.send(Call::post(&["logins", &login, "link"], json!({})))?;
                let url = answer["link"]["url"].as_str().unwrap_or_default().to_owned();
                let expires_at = answer["link"]["expires_at"].as_str().unwrap_or_default().to_owned();
                let hint = format!(
                    "The link works once, until {expires_at}. A newer link of this login replaces it. Give it to \
                     nobody else: whoever opens it is signed in as this person."
                );
                Ok(Shown { hint: Some(hint), ..Shown::new(answer, format!("{url}\n")) })
            }
            Self::SetRole { login, role } => {
                shown(operator.send(Call::patch(&["logins", &login], json!({"role": role})))?)
            }
        }
    }
}

fn shown(answer: Value) -> Result<Shown, Failure> {
    let text = table::record(&answer["login"], &["id", "account_id", "email", "role", "created_at"]);
    Ok(Shown::new(answer, text))
}
