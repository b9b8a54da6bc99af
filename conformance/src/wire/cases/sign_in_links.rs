//! Sign-in links through the operator API.

use matterbook_core::time::Timestamp;
use serde_json::json;

use crate::wire::{
    CaseResult, Firm, Service, a_moment_later,
    failure::{equal, holds},
};

cases! { "sign_in_links":
    "G2, G3, O25" => a_link_is_shown_once_and_lasts_a_day,
    "O5, O25" => an_unknown_login_has_no_link,
}

const DAY_SECONDS: i64 = 24 * 60 * 60;

fn a_link_is_shown_once_and_lasts_a_day(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = firm.operator();
    let path = format!("/logins/{}/link", firm.owner);
    let first = operator.call("POST", &path)?.ok()?;
    a_moment_later(service);
    let made = [first, operator.call_with("POST", &path, &json!({}))?.ok()?];
    let mut tokens = Vec::new();
    for answer in &made {
        let url = answer.text("/link/url")?;
        let (origin, token) = url.split_once("/app/link/").ok_or_else(|| answer.failure("a link of the console"))?;
        holds(origin.starts_with("http") && !origin.ends_with('/'), &answer.sent, "an origin", || origin.to_owned())?;
        let is_token =
            token.len() == 43 && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        holds(is_token, &answer.sent, "a token of 43 characters", || format!("{} characters", token.len()))?;
        tokens.push(token.to_owned());
    }
    holds(tokens.first() != tokens.last(), "two links", "two tokens", || "one token".to_owned())?;

    // Others act at the same time.
    let log = operator.walk("/log", "log")?;
    let mut entries = log.iter().filter(|entry| entry["action"] == "login.link" && entry["subject"] == firm.owner);
    let made_at = entries.next().and_then(|entry| Timestamp::parse_rfc3339(entry["at"].as_str()?));
    let expires_at = Timestamp::parse_rfc3339(&made[1].text("/link/expires_at")?);
    equal("when the newest link expires", &expires_at, &made_at.map(|at| at.plus_seconds(DAY_SECONDS)))?;
    equal("how many more entries there are", &entries.count(), &1)?;
    let account = operator.call("GET", &firm.path(""))?.ok()?;
    for text in [json!(log).to_string(), String::from_utf8_lossy(&account.body).into_owned()] {
        let is_shown = tokens.iter().any(|token| text.contains(token.as_str()));
        holds(!is_shown, "the log and the account", "no token in it", || "a token".to_owned())?;
    }
    Ok(())
}

fn an_unknown_login_has_no_link(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for login in ["00000000-0000-7000-8000-000000000404", "nobody"] {
        firm.operator().call("POST", &format!("/logins/{login}/link"))?.expect_error(404, "not_found")?;
    }
    Ok(())
}
