//! `matterbook change …`

use clap::Subcommand;
use serde_json::{Value, json};

use super::{
    client::changed_lines,
    operator::{Call, Operator},
    outcome::{Failure, Shown},
};

/// Show what a request or an import changed, or take it back.
#[derive(Debug, Subcommand)]
pub(super) enum ChangeCommand {
    /// Show what a request changed, and what an undo of it would do
    Show {
        /// The X-Request-Id of the request, as client history shows it, or the id of an import
        request: String,
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
    },
    /// Give clients the values that they had before a request, where no later change wrote them
    Undo {
        /// The X-Request-Id of the request, as client history shows it, or the id of an import
        request: String,
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        /// Only tell what the undo would do
        #[arg(long)]
        dry_run: bool,
    },
}

impl ChangeCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        let answer = match self {
            Self::Show { request, account } => {
                whole(operator, &Call::get(&["accounts", &account, "changes", &request]))?
            }
            Self::Undo { request, account, dry_run } => {
                let call = Call::post(&["accounts", &account, "changes", &request, "undo"], json!({}));
                whole(operator, &if dry_run { call.with("dry_run", "true") } else { call })?
            }
        };
        let text = text(&answer);
        Ok(Shown::new(answer, text))
    }
}

/// The answer to a call, and for an import that of all its batches as one.
fn whole(operator: &Operator, call: &Call) -> Result<Value, Failure> {
    let mut whole = operator.send(call.clone())?;
    while let Some(cursor) = whole["next_cursor"].as_str() {
        let batch = operator.send(call.clone().with("cursor", cursor))?;
        whole = together(whole, &batch);
    }
    Ok(whole)
}

/// What two batches are together, under the request and the time of the later one.
fn together(mut whole: Value, batch: &Value) -> Value {
    for count in ["created", "changed"] {
        let number = |answer: &Value| answer["change"][count].as_u64().unwrap_or_default();
        whole["change"][count] = json!(number(&whole).saturating_add(number(batch)));
    }
    for list in ["clients", "left"] {
        let further = batch["undo"][list].as_array().cloned().unwrap_or_default();
        if let Some(all) = whole["undo"][list].as_array_mut() {
            all.extend(further);
        }
    }
    whole["next_cursor"] = batch["next_cursor"].clone();
    whole
}

/// The change, the clients of its undo, and what is left.
fn text(answer: &Value) -> String {
    let (change, undo) = (&answer["change"], &answer["undo"]);
    let plain = |value: &Value| value.as_str().unwrap_or("unknown").to_owned();
    let heading = if undo["dry_run"] == true { "An undo now would do this:" } else { "The undo did this:" };
    let mut lines = vec![
        format!(
            "{} {} of {}: {} created, {} changed.",
            if change["import_id"].is_string() { "Import" } else { "Request" },
            plain(if change["import_id"].is_string() { &change["import_id"] } else { &change["request_id"] }),
            plain(&change["at"]),
            change["created"],
            change["changed"],
        ),
        heading.to_owned(),
    ];
    let rows = |list: &Value| list.as_array().cloned().unwrap_or_default();
    for client in rows(&undo["clients"]) {
        lines.push(format!("{} client {}", plain(&client["action"]), plain(&client["id"])));
        lines.extend(changed_lines(&client["changed"]));
    }
    for left in rows(&undo["left"]) {
        let what = left["field"].as_str().map_or("the whole client".to_owned(), str::to_owned);
        let why = match left["reason"].as_str() {
            Some("changed_since") => "a later change wrote it",
            Some("do_not_mail") => "letters that were turned off stay off",
            Some("settlement") => "a letter may have gone out for the settlement",
            Some("sent_again") => "the person was sent again and is another client now",
            Some("external_id_taken") => "another client has the external_id now",
            _ => "the state before is no longer kept",
        };
        lines.push(format!("left of client {}: {what}, because {why}", plain(&left["id"])));
    }
    let review = &undo["review"];
    if let Some(item) = review["id"].as_str() {
        let again = if review["waits"] == true { "waits for review again" } else { "no longer waits for review" };
        lines.push(format!("item {item} {again}"));
    }
    lines.join("\n")
}
