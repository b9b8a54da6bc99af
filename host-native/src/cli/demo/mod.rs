//! `serve --demo`: a database for a first try, and the commands to try.

mod introduction;
mod people;

use matterbook_core::{platform::Platform as _, settings::Settings};
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::Failure,
};
use crate::{platform::SystemPlatform, settings::NativeSettings};

const HOUR_SECONDS: i64 = 3_600;
const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;

/// When each batch of prospects is added, oldest first: all within the thirty days of `order=newest`, and all
/// older than the hour for which a new prospect is hidden.
const ADDED_BEFORE_NOW_SECONDS: [i64; 6] =
    [25 * DAY_SECONDS, 18 * DAY_SECONDS, 11 * DAY_SECONDS, 4 * DAY_SECONDS, 26 * HOUR_SECONDS, 3 * HOUR_SECONDS];
const PROSPECTS_PER_BATCH: usize = 50;
/// Grants reach further back than the crash dates, which go back about a month.
const GRANTED_BEFORE_NOW_SECONDS: i64 = 365 * DAY_SECONDS;

/// The state of the demo's database.
pub(super) enum Demo {
    /// Just created, with this key.
    Fresh {
        /// The key of the one account.
        key: String,
        /// The path of a sign-in link for its owner, such as `/app/link/…`; empty where the console is off.
        link: String,
    },
    /// It had accounts before; they stay unchanged.
    Existing,
}

/// Creates the demo's account, key, counties and prospects, unless the database has accounts.
pub(super) fn prepare(settings: &NativeSettings) -> Result<Demo, Failure> {
    let at = |clock_offset_seconds| {
        let (rules, key_secrets) = (settings.rules.clone(), settings.key_secrets.as_ref());
        Operator::over(&settings.database, rules, key_secrets, SystemPlatform { clock_offset_seconds })
    };
    let accounts = at(0)?.send(Call::get(&["accounts"]))?;
    if accounts["accounts"].as_array().is_some_and(|accounts| !accounts.is_empty()) {
        return Ok(Demo::Existing);
    }
    let today = SystemPlatform::default().now();
    // Commit times only grow (rule U14), so the earliest batches come first and the account last.
    for (batch, before_seconds) in ADDED_BEFORE_NOW_SECONDS.into_iter().enumerate() {
        let first = batch * PROSPECTS_PER_BATCH;
        let added = today.plus_seconds(-before_seconds);
        let prospects: Vec<Value> =
            (first..first + PROSPECTS_PER_BATCH).map(|number| people::prospect(number, added)).collect();
        let answer = at(-before_seconds)?.send(Call::post(&["prospects"], json!({"prospects": prospects})))?;
        require(answer["results"].as_array().into_iter().flatten().all(|result| result["status"] == "created"))?;
    }
    let operator = at(0)?;
    let flags =
        json!({"email": "owner@example.com", "api_enabled": true, "digital_bundle": true, "contact_enrichment": true});
    let account = operator.send(Call::post(&["accounts"], flags))?;
    let login = account["account"]["logins"][0]["id"].as_str().unwrap_or_default().to_owned();
    let account = account["account"]["id"].as_str().unwrap_or_default();
    let from_date = people::date(today.plus_seconds(-GRANTED_BEFORE_NOW_SECONDS));
    for county in people::COUNTIES {
        operator.send(Call::put(&["accounts", account, "counties", county.fips], json!({"from_date": from_date})))?;
    }
    let key = operator.send(Call::post(&["accounts", account, "keys"], json!({"label": "demo"})))?;
    let key = key["key"]["key"].as_str().unwrap_or_default().to_owned();
    require(!key.is_empty())?;
    let link = if settings.rules.console { sign_in_path(settings, &login)? } else { String::new() };
    Ok(Demo::Fresh { key, link })
}

/// The path of a new sign-in link. The service does not listen yet, so its address is not known.
fn sign_in_path(settings: &NativeSettings, login: &str) -> Result<String, Failure> {
    let rules = Settings { public_url: Some("http://localhost".to_owned()), ..settings.rules.clone() };
    let operator = Operator::over(&settings.database, rules, settings.key_secrets.as_ref(), SystemPlatform::default())?;
    let answer = operator.send(Call::post(&["logins", login, "link"], json!({})))?;
    let path = answer["link"]["url"].as_str().and_then(|url| url.strip_prefix("http://localhost"));
    path.map(str::to_owned).ok_or_else(|| Failure::refused("The demo's sign-in link could not be made."))
}

fn require(is_done: bool) -> Result<(), Failure> {
    if is_done { Ok(()) } else { Err(Failure::refused("The demo's database could not be filled.")) }
}
