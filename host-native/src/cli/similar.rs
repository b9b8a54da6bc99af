//! `matterbook client similar`: possible duplicates among the saved clients of an account (group Y).
//!
//! The clients are read page by page through the operator API, and compared here: the service keeps nothing of it, and
//! a search costs what reading the clients once costs.

use matterbook_core::{client::parse_client, similar::SimilarFinder};
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
};

/// What is shown of each client.
const SHOWN: [&str; 11] = [
    "id",
    "external_id",
    "first_name",
    "last_name",
    "address_line1",
    "address_line2",
    "city",
    "zip",
    "email",
    "phone",
    "do_not_mail",
];

pub(super) fn run(operator: &Operator, account: &str, letters: bool) -> Result<Shown, Failure> {
    let call = Call::get(&["accounts", account, "clients"]);
    let clients = operator.send_all(&call, "clients")?;
    let (mut finder, mut pairs) = (SimilarFinder::default(), Vec::new());
    for (number, row) in clients.iter().enumerate() {
        // A stored client is valid input.
        let fields = parse_client(&row.to_string()).map(|client| client.fields).unwrap_or_default();
        let found = finder.add(u64::try_from(number).unwrap_or(u64::MAX), &fields);
        let earlier = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        pairs.extend(found.into_iter().map(|(place, reasons)| (earlier(place), number, reasons)));
    }
    let part = |place: usize| {
        let client = clients.get(place).unwrap_or(&Value::Null);
        Value::Object(SHOWN.iter().map(|name| ((*name).to_owned(), client[*name].clone())).collect())
    };
    let mut shown = Vec::new();
    let mut text = String::new();
    for (one, other, reasons) in pairs {
        let [one, other] = [part(one), part(other)];
        if letters && one["do_not_mail"] == other["do_not_mail"] {
            continue;
        }
        let words: Vec<_> = reasons.iter().map(|reason| reason.words()).collect();
        text.push_str(&format!("{}\n  {}\n  {}\n", words.join(", "), line(&one), line(&other)));
        let reasons: Vec<_> = reasons.iter().map(|reason| reason.name()).collect();
        shown.push(json!({"clients": [one, other], "reasons": reasons}));
    }
    if shown.is_empty() {
        text.push_str("No possible duplicates.\n");
    }
    Ok(Shown::new(json!({"similar": shown}), text))
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
