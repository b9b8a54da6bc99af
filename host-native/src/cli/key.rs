//! `matterbook key …`

use clap::Subcommand;
use matterbook_core::{
    key::KeyScope,
    time::{Timestamp, iso_date, parse_iso_date},
};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};

pub(super) const MEMBERS: [&str; 9] =
    ["id", "last_four", "label", "scope", "ends_at", "revoked_at", "last_used_at", "created_at", "login_id"];

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
        /// Limit the key to clients or to prospects [default: both]
        #[arg(long, value_parser = KeyScope::ALL.map(KeyScope::name))]
        scope: Option<String>,
        /// The last day on which the key works, in UTC, such as 2027-01-31; or a time, such as 2027-01-31T17:00:00-05:00
        #[arg(long, value_name = "DATE", value_parser = end)]
        ends: Option<Timestamp>,
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

/// The end of a key: a time, or the start of the day after its last day.
fn end(text: &str) -> Result<Timestamp, String> {
    let text = text.trim();
    let day = |text| parse_iso_date(text).and_then(|day| day.succ_opt());
    let end = day(text).map_or_else(|| text.to_owned(), |day| format!("{}T00:00:00Z", iso_date(day)));
    Timestamp::parse_rfc3339(&end)
        .ok_or_else(|| "must be a date such as 2027-01-31, or a time with an offset".to_owned())
}

impl KeyCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::Create { account, login, label, scope, ends } => {
                let ends_at = ends.map(|end| end.to_string());
                let given = [("login_id", login), ("label", label), ("scope", scope), ("ends_at", ends_at)];
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

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn a_key_works_through_the_day_that_is_given() {
        let end = |text: &str| end(text).map(|end| end.to_string());
        assert_eq!(end("2027-12-31"), Ok("2028-01-01T00:00:00.000000Z".to_owned()));
        assert_eq!(end("2027-01-31T17:00:00-05:00"), Ok("2027-01-31T22:00:00.000000Z".to_owned()));
        for text in ["", "2027-02-30", "01/31/2027", "2027-01-31T17:00:00", "tomorrow"] {
            assert!(end(text).is_err(), "{text}");
        }
    }
}
