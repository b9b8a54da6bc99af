//! A service from outside, as its callers reach it: through its proxy, if it has one.

use std::time::Duration;

use matterbook_core::{platform::Platform as _, time::Timestamp};
use serde_json::Value;
use ureq::{Agent, Body};

use super::{
    finding::{Finding, size},
    running::with_problem,
};
use crate::{
    api_client::{ApiError, NoAnswer, Way, no_answer, origin_of, tls_config, way_to},
    cli::{flags::Flags, outcome::Failure},
    platform::SystemPlatform,
};

const TIMEOUT: Duration = Duration::from_secs(15);
/// The allowed difference between its clock and ours, including the time of the response.
const CLOCK_SECONDS_MAX: i64 = 10;

/// The largest database of Cloudflare D1.
const D1_BYTES_MAX: u64 = 10_000_000_000;

/// The examined parts of a response.
struct Seen {
    status: u16,
    date: Option<Timestamp>,
    has_request_id: bool,
    challenge: Option<String>,
    json: Value,
}

pub(super) fn examine(base: &str, flags: &Flags) -> Result<Vec<Finding>, Failure> {
    let origin = origin_of(base).map_err(Failure::Usage)?;
    let tls = tls_config(flags.authorities().as_deref()).map_err(Failure::Usage)?;
    let agent = Agent::config_builder().http_status_as_error(false).timeout_global(Some(TIMEOUT));
    let agent = agent.tls_config(tls).build().into();
    let mut findings = vec![encryption(&origin)];
    let health = match get(&agent, &format!("{origin}/healthz"), None) {
        Ok(health) => health,
        Err(error) => return Ok(vec![unreached(&origin, &error)]),
    };
    findings.push(match (health.status, health.json["status"].as_str()) {
        (200, Some("ok")) => Finding::ok("service", "It answers, and reaches its database."),
        (200, Some("warning")) => {
            with_problem("It answers.", health.json["problem"].as_str().unwrap_or("It has a problem."))
        }
        (200, Some("standby")) => Finding::warn(
            "service",
            "It answers, and is a standby: it only reads.",
            "If the main service is lost, let this one take over: matterbook takeover.",
        ),
        (500, _) => Finding::wrong(
            "service",
            "It answers, and does not reach its database.",
            "Its log says why: look for the lines with a cause.",
        ),
        (404, _) => Finding::warn(
            "service",
            "/healthz is not passed on (404).",
            "Let the proxy pass /healthz on, for the monitoring of the service.",
        ),
        (status, _) => Finding::wrong(
            "service",
            format!("Its /healthz is not that of Matterbook ({status})."),
            "See that the name and the port are those of the service.",
        ),
    });
    findings.push(api(&agent, &origin));
    if let Some(token) = flags.value("MATTERBOOK_OPERATOR_TOKEN") {
        let settings = get(&agent, &format!("{origin}/operator/v1/settings"), Some(&token));
        let bytes = settings.as_ref().ok().and_then(|answer| answer.json["settings"]["database_bytes"].as_u64());
        findings.push(operator(settings));
        findings.extend(bytes.map(database));
    }
    findings.extend(health.date.map(|date| clock(date, SystemPlatform::default().now())));
    Ok(findings)
}

fn unreached(origin: &str, error: &ureq::Error) -> Finding {
    let no_answer = no_answer(error);
    let (check, fix) = match no_answer {
        NoAnswer::Insecure(_) => (
            "encryption",
            "Let the proxy have a certificate for this name that a public authority gave and that has not expired; \
             this machine's own authorities are not asked. --ca-file names an authority of your own.",
        ),
        NoAnswer::NotEncrypted => ("encryption", "Name it by http://, or by the port where its proxy has TLS."),
        NoAnswer::Unreachable(_) | NoAnswer::BadAddress(_) => (
            "service",
            "See that the service runs, that its name and port are right, and that nothing between refuses it.",
        ),
    };
    Finding::wrong(check, ApiError::of_no_answer(origin, no_answer).to_string(), fix)
}

fn encryption(origin: &str) -> Finding {
    match way_to(origin) {
        Way::Encrypted => Finding::ok("encryption", "It is reached by TLS."),
        Way::OnThisMachine => Finding::ok("encryption", "It is reached on this machine."),
        Way::Open => Finding::warn(
            "encryption",
            "It is reached without TLS: callers' keys and clients' data can be read on the way.",
            "Put a reverse proxy with TLS in front of it, and name it by https://.",
        ),
    }
}

/// Without a key the API must answer with its own error; a proxy may drop parts of it.
fn api(agent: &Agent, origin: &str) -> Finding {
    let fix = "See that the proxy passes /api/ on to Matterbook with its path, and leaves the answers as they are.";
    let me = match get(agent, &format!("{origin}/api/v1/me"), None) {
        Ok(me) => me,
        Err(error) => return Finding::wrong("api", format!("It cannot be reached: {error}."), fix),
    };
    if me.status != 401 || me.json["error"]["code"] != "unauthorized" {
        return Finding::wrong(
            "api",
            format!("/api/v1/me without a key is not refused as Matterbook does ({}).", me.status),
            fix,
        );
    }
    if !me.has_request_id || me.challenge.is_none() {
        return Finding::warn("api", "Answers lose header fields on their way: X-Request-Id or WWW-Authenticate.", fix);
    }
    Finding::ok("api", "It is there, and asks for a key.")
}

/// The size of the database of a Worker.
fn database(bytes: u64) -> Finding {
    let message = format!("It has {} of the 10 GB that a D1 database may have.", size(bytes));
    if bytes < D1_BYTES_MAX / 10 * 8 {
        return Finding::ok("database", message);
    }
    let fix = "Serve the next firms by a Worker with a database of its own: see Limits in docs/deploy-worker.md.";
    Finding::warn("database", message, fix)
}

fn operator(settings: Result<Seen, ureq::Error>) -> Finding {
    let key_secret = settings.as_ref().ok().and_then(|answer| answer.json["settings"]["key_secret"].as_str());
    if key_secret == Some("unknown") {
        return Finding::wrong(
            "key secret",
            "The service's key secret is not the one that its keys were made with: it refuses every key.",
            "Start it with the former secret: MATTERBOOK_KEY_SECRET.",
        );
    }
    match settings.map(|answer| answer.status) {
        Ok(200) => Finding::ok("operator api", "It takes the operator token."),
        Ok(401) => Finding::wrong(
            "operator api",
            "It refuses the operator token.",
            "Give the token that the service was started with: MATTERBOOK_OPERATOR_TOKEN.",
        ),
        Ok(404) => Finding::warn(
            "operator api",
            "It is not there: the service has no token, or the proxy does not pass it on.",
            "Where it is to be used, set MATTERBOOK_OPERATOR_TOKEN for the service.",
        ),
        Ok(status) => Finding::wrong("operator api", format!("It answers {status}."), "The service's log says why."),
        Err(error) => {
            Finding::wrong("operator api", format!("It cannot be reached: {error}."), "See that the service runs.")
        }
    }
}

fn clock(theirs: Timestamp, ours: Timestamp) -> Finding {
    let seconds = (theirs.micros() - ours.micros()) / 1_000_000;
    if seconds.abs() > CLOCK_SECONDS_MAX {
        let message = format!("Its clock differs from this machine's by {} seconds.", seconds.abs());
        return Finding::warn("clock", message, "Set both clocks by NTP (timedatectl set-ntp true).");
    }
    Finding::ok("clock", "Its clock agrees with this machine's.")
}

fn get(agent: &Agent, url: &str, token: Option<&str>) -> Result<Seen, ureq::Error> {
    let mut request = agent.get(url);
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let mut answer: http::Response<Body> = request.call()?;
    let text = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let date = text("date").and_then(|date| httpdate::parse_http_date(&date).ok());
    let (has_request_id, challenge) = (text("x-request-id").is_some(), text("www-authenticate"));
    let since_epoch = date.and_then(|date| date.duration_since(std::time::UNIX_EPOCH).ok());
    let date = since_epoch.and_then(|date| i64::try_from(date.as_micros()).ok()).map(Timestamp::from_micros);
    let status = answer.status().as_u16();
    // A body that is not JSON does not come from Matterbook; its status is enough then.
    let json = answer.body_mut().read_to_string().ok().and_then(|body| serde_json::from_str(&body).ok());
    Ok(Seen { status, date, has_request_id, challenge, json: json.unwrap_or_default() })
}
