//! `matterbook key …`

use clap::Subcommand;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};

pub(super) const MEMBERS: [&str; 7] =
    ["id", "last_four", "label", "login_id", "created_at", "last_used_at", "revoked_at"];

/// Create, list and revoke API keys.
#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Create a key; it is shown only once
    Create {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        /// The owner's login that creates the key [default: the account's oldest owner]
        #[arg(long, value_name = "ID", value_parser = login_id)]
        login: Option<String>,
        /// A name for the key
        #[arg(long)]
        label: Option<String>,
    },
    /// List an account's keys, oldest first, revoked ones too
    List {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
    },
    /// Revoke a key; the next request with it is refused
    Revoke {
        /// The key's id, as key create and key list print it
        key_id: String,
    },
}

/// The id of a login. The command names its own flag where the text is none.
fn login_id(text: &str) -> Result<String, String> {
    let is_id = Uuid::try_parse(text.trim()).is_ok();
    if is_id { Ok(text.to_owned()) } else { Err("must be the id of a login, as login add prints it".to_owned()) }
}

impl KeyCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::Create { account, login, label } => {
                let given = [("login_id", login), ("label", label)];
                let body = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into())));
                let body = Value::Object(body.collect::<Map<_, _>>());
                let answer = operator.send(Call::post(&["accounts", &account, "keys"], body))?;
                let text = table::record(&answer["key"], &["id", "key"]);
                let hint = "Keep the key now: only its digest is stored, so it is shown this once.".to_owned();
                Ok(Shown { hint: Some(hint), ..Shown::new(answer, text) })
            }
            Self::List { account } => {
                let answer = operator.send(Call::get(&["accounts", &account, "keys"]))?;
                let text = table::table(answer["keys"].as_array().map_or(&[], Vec::as_slice), &MEMBERS);
                let hint =
                    "The last use is recorded about once a day: a key may have been used up to a day later.".to_owned();
                Ok(Shown { hint: Some(hint), ..Shown::new(answer, text) })
            }
            Self::Revoke { key_id } => {
                let answer = operator.send(Call::delete(&["keys", &key_id]))?;
                let text = table::record(&answer["key"], &MEMBERS);
                Ok(Shown::new(answer, text))
            }
        }
    }
}
