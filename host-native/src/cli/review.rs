//! `matterbook review …`

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
};

/// Read what waits for review, and decide about it.
#[derive(Debug, Subcommand)]
pub(super) enum ReviewCommand {
    /// List the clients that were sent and not saved, the latest first: why, and what is in the way
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
    /// Decide about one: whether it is the same person as a client, another person, or left
    Decide {
        /// The id of what waits, as review list shows it
        item: String,
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        #[command(flatten)]
        decision: Decision,
    },
}

/// The decision.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Decision {
    /// It is the same person as this client, which gets what was sent
    #[arg(long, value_name = "CLIENT")]
    same: Option<String>,
    /// It is another person, who is created
    #[arg(long)]
    another: bool,
    /// It is left until other content comes
    #[arg(long)]
    leave: bool,
}

impl Decision {
    fn body(&self) -> Value {
        match &self.same {
            Some(client) => json!({"decision": "same", "client": client}),
            None if self.another => json!({"decision": "another"}),
            None => json!({"decision": "leave"}),
        }
    }
}

impl ReviewCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        let (account, cursor, limit) = match self {
            Self::List { account, cursor, limit } => (account, cursor, limit),
            Self::Decide { item, account, decision } => {
                let answer = operator.send(Call::post(&["accounts", &account, "review", &item], decision.body()))?;
                let text = match answer["review"]["client"]["id"].as_str() {
                    Some(client) => format!("It is client {client} now."),
                    None => "It is left until other content comes.".to_owned(),
                };
                let request = answer["review"]["request_id"].as_str().unwrap_or("unknown");
                let text = format!("{text}\nTo take this back: matterbook change undo {request} --account {account}");
                return Ok(Shown::new(answer, text));
            }
        };
        let call = Call::get(&["accounts", &account, "review"]);
        let answer = operator.list(call, "review", cursor, limit)?;
        let text = text(&answer["review"]);
        let hint = answer["next_cursor"].as_str().map(|cursor| format!("More follows: --cursor {cursor}"));
        Ok(Shown { hint, ..Shown::new(answer, text) })
    }
}

/// A paragraph for each item.
fn text(items: &Value) -> String {
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        return "Nothing waits for review.".to_owned();
    }
    let plain = |value: &Value| value.as_str().unwrap_or("unknown").to_owned();
    let paragraph = |item: &Value| {
        let by = &item["by"];
        let mut lines = vec![
            format!(
                "{} {}, last sent {} by {} {}",
                plain(&item["status"]),
                plain(&item["id"]),
                plain(&item["last_seen_at"]),
                plain(&by["kind"]),
                plain(&by["label"])
            ),
            format!("  {}", plain(&item["message"])),
            format!("  sent: {}", item["sent"]),
        ];
        let candidates = item["candidates"].as_array().map(Vec::as_slice).unwrap_or_default();
        lines.extend(candidates.iter().map(|id| format!("  in the way: client {}", plain(id))));
        lines.join("\n")
    };
    items.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}
