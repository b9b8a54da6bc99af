//! `matterbook client similar` and `client similar-decide`: possible duplicates among the saved clients of an account
//! (group Y), as the service keeps them.

use clap::Args;
use matterbook_core::similar::SimilarReason;
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
};

/// Which pairs are shown.
#[derive(Debug, Args)]
pub(super) struct Similar {
    /// The account's id
    #[arg(long, value_name = "ID")]
    account: String,
    /// Only pairs of which one client gets letters and the other does not
    #[arg(long)]
    letters: bool,
    /// Those with a decision; otherwise those without one
    #[arg(long)]
    decided: bool,
    /// Compare the clients first; the service does it by itself within an hour or two of a change
    #[arg(long)]
    find: bool,
}

/// A decision about a pair.
#[derive(Debug, Args)]
pub(super) struct Decide {
    /// The id of one client, as client similar shows it
    client: String,
    /// The id of the other
    other: String,
    /// The account's id
    #[arg(long, value_name = "ID")]
    account: String,
    #[command(flatten)]
    decision: Decision,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Decision {
    /// They are one person, who gets letters only if both records do
    #[arg(long)]
    same: bool,
    /// They are two people, and are not shown again
    #[arg(long)]
    different: bool,
    /// Take a decision back
    #[arg(long)]
    open: bool,
}

impl Similar {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        let account = self.account.as_str();
        if self.find {
            operator.send(Call::post(&["accounts", account, "similar", "find"], json!({})))?;
        }
        let flags = [("letters", self.letters), ("decided", self.decided)];
        let call = Call::get(&["accounts", account, "similar"]);
        let call = flags.iter().filter(|(_, is_set)| *is_set).fold(call, |call, (name, _)| call.with(name, "true"));
        let compared_at = operator.send(call.clone().with("limit", "1"))?["compared_at"].clone();
        let pairs = operator.send_all(&call, "similar")?;
        let mut text: String = pairs.iter().map(pair_text).collect();
        if pairs.is_empty() {
            text.push_str("No possible duplicates.\n");
        }
        let hint = compared_at.is_null().then(|| "The clients were not compared yet: --find".to_owned());
        let answer = json!({"similar": pairs, "compared_at": compared_at, "next_cursor": null});
        Ok(Shown { hint, ..Shown::new(answer, text) })
    }
}

impl Decide {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        let Self { client, other, account, decision } = self;
        let name = match decision {
            Decision { same: true, .. } => "same",
            Decision { different: true, .. } => "different",
            _ => "open",
        };
        let call = Call::post(&["accounts", &account, "similar", &client, &other], json!({"decision": name}));
        let answer = operator.send(call)?;
        let text = match name {
            "same" => "They are one person, who gets letters only if both do.",
            "different" => "They are two people.",
            _ => "Nothing is decided about them.",
        };
        Ok(Shown::new(answer, text.to_owned()))
    }
}

/// The reasons of a pair, what was decided, and a line for each client.
fn pair_text(pair: &Value) -> String {
    let reasons = pair["reasons"].as_array().map(Vec::as_slice).unwrap_or_default();
    let words = reasons.iter().filter_map(|name| Some(SimilarReason::of_name(name.as_str()?)?.words()));
    let words = words.collect::<Vec<_>>().join(", ");
    let by = pair["decided_by"].as_str().unwrap_or_default();
    let decided = pair["decision"].as_str().map(|decision| format!("; {decision}, says {by}")).unwrap_or_default();
    format!("{words}{decided}\n  {}\n  {}\n", line(&pair["clients"][0]), line(&pair["clients"][1]))
}

/// A client on one line: its id, its number, name, address, contact, and whether it gets letters.
fn line(client: &Value) -> String {
    let text = |name: &&str| client[*name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let joined = |names: &[&str], between: &str| names.iter().filter_map(text).collect::<Vec<_>>().join(between);
    let address = joined(&["address_line1", "address_line2", "city", "zip"], ", ");
    let no_letters = client["do_not_mail"].as_bool().unwrap_or_default().then(|| "no letters".to_owned());
    let name = joined(&["first_name", "last_name"], " ");
    let parts = [Some(name), text(&"external_id"), Some(address), text(&"email"), text(&"phone"), no_letters];
    let parts: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    format!("{}  {}", client["id"].as_str().unwrap_or_default(), parts.join("; "))
}
