//! `matterbook account …`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use matterbook_core::jurisdiction::Jurisdiction;
use serde_json::{Map, Value, json};

use super::{
    county, login,
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table, transfer,
};

/// The columns of the list, the most important first.
pub(super) const LISTED: [&str; 7] =
    ["id", "email", "api_enabled", "suspended", "digital_bundle", "contact_enrichment", "created_at"];

/// Create, show, list, change, export, import and restore accounts.
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Create an account and its owner's login; prints the account's id
    Create {
        /// The account's contact address, and its owner's login
        #[arg(long)]
        email: String,
        /// Keep the clients within the European Union or the United States, for good; only on Cloudflare, with an object
        /// for each account
        #[arg(long, value_parser = Jurisdiction::ALL.map(Jurisdiction::name))]
        jurisdiction: Option<String>,
        #[command(flatten)]
        flags: CreateFlags,
    },
    /// List all accounts, oldest first
    List,
    /// Show one account with its logins and counties
    Show {
        /// The account's id
        id: String,
    },
    /// Change an account
    Set {
        /// The account's id
        id: String,
        #[command(flatten)]
        change: Change,
    },
    /// Write an account with all that belongs to it to a file, as a backup of one firm, for staging, or to move it
    Export {
        /// The account's id
        id: String,
        /// The new file; it must not exist yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Suspend the account first, so that nothing follows what is written
        #[arg(long = "move")]
        moves: bool,
    },
    /// Make the account of such a file here, with the same ids, keys and history; goes on after an interruption
    Import {
        /// The file that account export wrote
        file: PathBuf,
        /// Revoke its keys here, as a copy for staging needs it
        #[arg(long)]
        revoke_keys: bool,
    },
    /// Set a suspended account's clients back to what they were; only of an account in an object of its own on Cloudflare
    Restore {
        /// The account's id
        id: String,
        /// The time, such as 2027-01-31T14:00:00Z, at most 30 days back
        #[arg(long, value_name = "TIME")]
        at: String,
    },
}

/// What a new account may do. Each flag is given alone or as `=true` or `=false`.
#[derive(Args, Debug)]
pub(super) struct CreateFlags {
    /// Turn the API on; without it the API refuses every request (403 not_enabled)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    api_enabled: Option<bool>,
    /// Create the account suspended
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    suspended: Option<bool>,
    /// Let the account read prospects
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    digital_bundle: Option<bool>,
    /// Show the account the prospects' email and phone
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    contact_enrichment: Option<bool>,
}

/// The settings to change.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(super) struct Change {
    /// The account's contact address
    #[arg(long)]
    email: Option<String>,
    /// Whether the API is on
    #[arg(long, value_name = "true|false")]
    api_enabled: Option<bool>,
    /// Whether the account is suspended: every key is refused
    #[arg(long, value_name = "true|false")]
    suspended: Option<bool>,
    /// Whether the account may read prospects
    #[arg(long, value_name = "true|false")]
    digital_bundle: Option<bool>,
    /// Whether the account sees the prospects' email and phone
    #[arg(long, value_name = "true|false")]
    contact_enrichment: Option<bool>,
}

impl AccountCommand {
    /// Whether the command creates a missing database.
    pub(super) const fn creates(&self) -> bool {
        matches!(self, Self::Create { .. } | Self::Import { .. })
    }

    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::Create { email, jurisdiction, flags } => {
                let mut body = object(
                    Some(email),
                    [
                        ("api_enabled", flags.api_enabled),
                        ("suspended", flags.suspended),
                        ("digital_bundle", flags.digital_bundle),
                        ("contact_enrichment", flags.contact_enrichment),
                    ],
                );
                if let Some(jurisdiction) = jurisdiction {
                    body["jurisdiction"] = jurisdiction.into();
                }
                let answer = operator.send(Call::post(&["accounts"], body))?;
                let id = answer["account"]["id"].as_str().unwrap_or_default().to_owned();
                let hint = format!("Next, make a key: matterbook key create --account {id}");
                Ok(Shown { hint: Some(hint), ..Shown::new(answer, format!("{id}\n")) })
            }
            Self::List => {
                let accounts = operator.send_all(&Call::get(&["accounts"]), "accounts")?;
                let text = table::table(&accounts, &LISTED);
                Ok(Shown::new(json!({"accounts": accounts, "next_cursor": null}), text))
            }
            Self::Show { id } => shown(operator.send(Call::get(&["accounts", &id]))?),
            Self::Export { id, out, moves } => transfer::export(operator, &id, &out, moves),
            Self::Import { file, revoke_keys } => transfer::import(operator, &file, revoke_keys),
            Self::Restore { id, at } => {
                let body = json!({"at": at});
                let answer = operator.send(Call::post(&["accounts", &id, "restore"], body))?;
                let hint = format!(
                    "In a few seconds the account has its clients of {at}. Look at them, then go on: matterbook account \
                     set {id} --suspended false"
                );
                Ok(Shown { hint: Some(hint), ..shown(answer)? })
            }
            Self::Set { id, change } => {
                let body = object(
                    change.email,
                    [
                        ("api_enabled", change.api_enabled),
                        ("suspended", change.suspended),
                        ("digital_bundle", change.digital_bundle),
                        ("contact_enrichment", change.contact_enrichment),
                    ],
                );
                shown(operator.send(Call::patch(&["accounts", &id], body))?)
            }
        }
    }
}

/// An object of the given values only, so that the others stay unchanged.
fn object(email: Option<String>, flags: [(&str, Option<bool>); 4]) -> Value {
    let email = email.map(|email| ("email".to_owned(), Value::from(email)));
    let flags = flags.into_iter().filter_map(|(name, flag)| Some((name.to_owned(), Value::from(flag?))));
    Value::Object(email.into_iter().chain(flags).collect::<Map<_, _>>())
}

fn shown(answer: Value) -> Result<Shown, Failure> {
    let account = &answer["account"];
    let rows = |member: &str| account[member].as_array().cloned().unwrap_or_default();
    let members: Vec<&str> = LISTED.into_iter().chain(["jurisdiction", "last_commit_at"]).collect();
    let text = table::record(account, &members)
        .with("\nLogins\n".to_owned())
        .with(table::table(&rows("logins"), &login::LISTED))
        .with("\nCounties\n".to_owned())
        .with(table::table(&rows("counties"), &county::GRANT));
    Ok(Shown::new(answer, text))
}
