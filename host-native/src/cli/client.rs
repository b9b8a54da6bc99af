//! `matterbook client …`

use clap::{Args, Subcommand};
use matterbook_core::client::MEMBERS;
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    similar, table,
};

/// The members that a list shows; client show has the others.
pub(super) const FOUND: [&str; 6] = ["id", "external_id", "first_name", "last_name", "address_line1", "zip"];

/// Find clients and possible duplicates, show one, allow letters to it again, or erase it.
#[derive(Debug, Subcommand)]
pub(super) enum ClientCommand {
    /// Find clients by what is known of them, as they are now
    Find {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        #[command(flatten)]
        wanted: Wanted,
    },
    /// Find clients that may be one person though they do not match, each pair with its reasons
    Similar(similar::Similar),
    /// Decide about two such clients: whether they are one person or two
    SimilarDecide(similar::Decide),
    /// Show a client as it is now, without the API's delay
    Show {
        /// The client's id
        id: String,
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
    },
    /// Show what changed of a client, by whom and when, the newest change first
    History {
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

/// What is known of the clients; at least one value. Clients have all of those given.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(super) struct Wanted {
    /// The id in the firm's case system, exactly
    #[arg(long)]
    external_id: Option<String>,
    /// The e-mail address
    #[arg(long)]
    email: Option<String>,
    /// The phone number, in any format
    #[arg(long)]
    phone: Option<String>,
    /// First and last name; letter case, accents and punctuation do not matter
    #[arg(long)]
    name: Option<String>,
}

impl ClientCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::Find { account, wanted: Wanted { external_id, email, phone, name } } => {
                let given = [("external_id", external_id), ("email", email), ("phone", phone), ("name", name)];
                let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
                let call = Call::get(&["accounts", &account, "clients"]);
                let call = given.fold(call, |call, (name, value)| call.with(name, &value));
                let rows = operator.send_all(&call, "clients")?;
                let text = table::table(&rows, &FOUND);
                Ok(Shown::new(json!({"clients": rows, "next_cursor": null}), text))
            }
            Self::Similar(similar) => similar.run(operator),
            Self::SimilarDecide(decide) => decide.run(operator),
            Self::Show { id, account } => shown(operator.send(Call::get(&["accounts", &account, "clients", &id]))?),
            Self::History { id, account } => {
                let call = Call::get(&["accounts", &account, "clients", &id, "history"]);
                let changes = operator.send_all(&call, "changes")?;
                let text = changes.iter().map(change_text).collect::<Vec<_>>().join("\n\n");
                Ok(Shown::new(json!({"changes": changes, "next_cursor": null}), text))
            }
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

/// A change as a heading and a line for each field.
fn change_text(change: &Value) -> String {
    let plain = |value: &Value| value.as_str().unwrap_or("unknown").to_owned();
    let by = format!("{} {}", plain(&change["by"]["kind"]), plain(&change["by"]["label"]));
    let by = if change["by"]["kind"] == "operator" { "operator".to_owned() } else { by };
    let mut lines = vec![format!("{} by {by}, request {}", plain(&change["at"]), plain(&change["request_id"]))];
    lines.extend(changed_lines(&change["changed"]));
    lines.join("\n")
}

/// A line for each field with its value before and after.
pub(super) fn changed_lines(changed: &Value) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => format!("{text:?}"),
        other => other.to_string(),
    };
    let fields = changed.as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |one: &Value| {
        let field = one["field"].as_str().unwrap_or_default();
        format!("  {field}: {} -> {}", text(&one["from"]), text(&one["to"]))
    };
    fields.iter().map(line).collect()
}

fn shown(answer: Value) -> Result<Shown, Failure> {
    let text = table::record(&answer["client"], &MEMBERS);
    Ok(Shown::new(answer, text))
}
