//! One code path for every operator command: a request of the operator API (rules O1 to O22), handled in
//! process over the file or sent to a service.

use std::{net::SocketAddr, path::Path, time::Duration};

use http::{
    Method, Request,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use matterbook_core::{
    key::{KeySecrets, new_secret},
    platform::Platform as _,
    settings::Settings,
};
use serde_json::{Value, json};

use super::{
    caller::warn_if_open,
    flags::Flags,
    new_database::NewDatabase,
    outcome::{Failure, Shown},
};
use crate::{
    InProcess,
    api_client::{ApiError, no_answer, origin_of, tls_config},
    platform::SystemPlatform,
    visible::visible,
};

/// The actor in the operator's log.
const ACTOR: &str = "command line";
/// The longest answer: a page of an export.
const ANSWER_BYTES_MAX: u64 = 64_000_000;
/// The timeout of one request.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A request of the operator API.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    method: Method,
    path: String,
    body: Option<String>,
}

/// What became of a call.
pub(super) enum Sent {
    Answered(Value),
    /// The service refused it.
    Refused(Failure),
    /// The service failed or was not reached, so the call may have been carried out.
    Failed(Failure),
}

impl Call {
    pub(super) fn get(segments: &[&str]) -> Self {
        Self::new(Method::GET, segments, None)
    }

    pub(super) fn post(segments: &[&str], body: Value) -> Self {
        Self::new(Method::POST, segments, Some(body.to_string()))
    }

    pub(super) fn put(segments: &[&str], body: Value) -> Self {
        Self::new(Method::PUT, segments, Some(body.to_string()))
    }

    pub(super) fn patch(segments: &[&str], body: Value) -> Self {
        Self::new(Method::PATCH, segments, Some(body.to_string()))
    }

    /// With a body that is JSON already.
    pub(super) fn post_text(segments: &[&str], body: String) -> Self {
        Self::new(Method::POST, segments, Some(body))
    }

    /// With a body that is JSON already.
    pub(super) fn put_text(segments: &[&str], body: String) -> Self {
        Self::new(Method::PUT, segments, Some(body))
    }

    pub(super) fn delete(segments: &[&str]) -> Self {
        Self::new(Method::DELETE, segments, None)
    }

    fn new(method: Method, segments: &[&str], body: Option<String>) -> Self {
        let path = segments.iter().fold("/operator/v1".to_owned(), |path, segment| path + "/" + &encoded(segment));
        Self { method, path, body }
    }

    /// The call with one more query parameter.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        let separator = if self.path.contains('?') { '&' } else { '?' };
        self.path.push_str(&format!("{separator}{name}={}", encoded(value)));
        self
    }
}

/// Percent-encodes every character that is not unreserved in a URI.
fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Handles calls of the operator API.
pub(super) enum Operator {
    /// In this process, over the file.
    InProcess { service: InProcess, token: String, runtime: tokio::runtime::Runtime },
    /// A service at an address.
    Remote { agent: ureq::Agent, origin: String, token: String },
}

impl Operator {
    /// Opens what the flags name. A missing file is created only if `creates`: a misspelled name must not act
    /// as an empty service.
    pub(super) fn open(flags: &Flags, creates: bool) -> Result<Self, Failure> {
        match &flags.url {
            Some(base) => Self::remote(base, flags),
            None => Self::in_process(flags, creates),
        }
    }

    /// Opens what the flags name and runs a command on it. A database that was made for a command which is then
    /// refused is removed again.
    pub(super) fn run(
        flags: &Flags,
        creates: bool,
        command: impl FnOnce(&Self) -> Result<Shown, Failure>,
    ) -> Result<Shown, Failure> {
        let settings = flags.settings().ok().filter(|_| creates && flags.url.is_none());
        let new = settings.and_then(|settings| NewDatabase::at(&settings.database));
        let operator = Self::open(flags, creates)?;
        let outcome = command(&operator);
        let is_refused = outcome.as_ref().is_ok_and(|shown| shown.refusal.is_some()) || outcome.is_err();
        if let Some(new) = new.filter(|_| is_refused) {
            // A part of an import may have been saved. Each change has an entry in the log.
            let log = operator.send(Call::get(&["log"]));
            drop(operator);
            if log.is_ok_and(|log| log["log"].as_array().is_some_and(Vec::is_empty)) {
                new.remove();
            }
        }
        outcome
    }

    fn in_process(flags: &Flags, creates: bool) -> Result<Self, Failure> {
        let settings = flags.settings().map_err(|error| Failure::usage(error.to_string()))?;
        let file = settings.database;
        let mut rules = settings.rules;
        // No request names the service's address here.
        if rules.public_url.is_none() {
            rules.public_url = own_address(&settings.listen);
        }
        if !creates && !file.exists() {
            let sentence = "There is no database {}: name one with --db, or make one with serve or account create.";
            return Err(Failure::refused(sentence.replace("{}", &file.display().to_string())));
        }
        Self::over(&file, rules, settings.key_secrets.as_ref(), SystemPlatform::default())
    }

    /// The rules in this process over this file; `platform` gives the time.
    pub(super) fn over(
        file: &Path,
        mut rules: Settings,
        key_secrets: Option<&KeySecrets>,
        platform: SystemPlatform,
    ) -> Result<Self, Failure> {
        // Access to the file is enough: this token is random and lives as long as the command.
        let token = new_secret(platform.random());
        rules.operator_token = Some(token.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(Failure::refused)?;
        let service = InProcess::open(file, rules, key_secrets, platform).map_err(Failure::refused)?;
        Ok(Self::InProcess { service, token, runtime })
    }

    fn remote(base: &str, flags: &Flags) -> Result<Self, Failure> {
        let Some(token) = flags.value("MATTERBOOK_OPERATOR_TOKEN") else {
            return Err(Failure::usage(
                "--url needs the service's token: --operator-token or MATTERBOOK_OPERATOR_TOKEN.",
            ));
        };
        let origin = origin_of(base).map_err(Failure::Usage)?;
        let tls = tls_config(flags.authorities().as_deref()).map_err(Failure::Usage)?;
        warn_if_open(&origin, "the operator token and what is sent");
        let agent = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(TIMEOUT));
        let agent = agent.tls_config(tls).build();
        Ok(Self::Remote { agent: agent.into(), origin, token })
    }

    /// The response to a call, as JSON.
    ///
    /// # Errors
    /// The service's message if it refuses, or a sentence that says why it was not reached.
    pub(super) fn send(&self, call: Call) -> Result<Value, Failure> {
        match self.try_send(call) {
            Sent::Answered(answer) => Ok(answer),
            Sent::Refused(failure) | Sent::Failed(failure) => Err(failure),
        }
    }

    /// What became of a call, for a command that sends it again.
    pub(super) fn try_send(&self, call: Call) -> Sent {
        let (status, body) = match self.exchange(call) {
            Ok(exchanged) => exchanged,
            Err(failure @ Failure::Usage(_)) => return Sent::Refused(failure),
            Err(failure) => return Sent::Failed(failure),
        };
        let foreign = || Failure::refused(format!("The answer ({status}) is not one of the operator API."));
        let Ok(answer) = serde_json::from_slice::<Value>(&body) else { return Sent::Failed(foreign()) };
        match (status, answer["error"]["message"].as_str()) {
            (200, _) => Sent::Answered(answer),
            (500.., Some(sentence)) => Sent::Failed(Failure::refused(visible(sentence))),
            (_, Some(sentence)) => Sent::Refused(Failure::refused(visible(sentence))),
            (_, None) => Sent::Failed(foreign()),
        }
    }

    /// Status and body of the answer.
    fn exchange(&self, call: Call) -> Result<(u16, Vec<u8>), Failure> {
        Ok(match self {
            Self::InProcess { service, token, runtime } => {
                let response = runtime.block_on(service.answer(request(call, "", token)?));
                (response.status().as_u16(), response.into_body())
            }
            Self::Remote { agent, origin, token } => {
                let unreachable = |error: ureq::Error| {
                    Failure::refused(ApiError::of_no_answer(origin, no_answer(&error)).to_string())
                };
                let (head, body) = request(call, origin, token)?.into_parts();
                let response = if body.is_empty() {
                    agent.run(Request::from_parts(head, ()))
                } else {
                    agent.run(Request::from_parts(head, body))
                };
                let mut response = response.map_err(unreachable)?;
                (
                    response.status().as_u16(),
                    response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec().map_err(unreachable)?,
                )
            }
        })
    }

    /// The page of a list that these flags ask for; all of it without them.
    pub(super) fn list(
        &self,
        call: Call,
        member: &str,
        cursor: Option<String>,
        limit: Option<String>,
    ) -> Result<Value, Failure> {
        if cursor.is_none() && limit.is_none() {
            return Ok(json!({member: self.send_all(&call, member)?, "next_cursor": null}));
        }
        let given = [("cursor", cursor), ("limit", limit)].into_iter();
        let given = given.filter_map(|(name, value)| Some((name, value?)));
        self.send(given.fold(call, |call, (name, value)| call.with(name, &value)))
    }

    /// All rows of a listing, over all its pages.
    pub(super) fn send_all(&self, call: &Call, member: &str) -> Result<Vec<Value>, Failure> {
        let mut rows = Vec::new();
        let mut next = self.send(call.clone().with("limit", "100"))?;
        loop {
            if let Some(page) = next[member].as_array_mut() {
                rows.append(page);
            }
            match next["next_cursor"].as_str() {
                Some(cursor) => next = self.send(call.clone().with("limit", "100").with("cursor", cursor))?,
                None => return Ok(rows),
            }
        }
    }
}

/// The address of the console on this machine, where the service listens on it alone.
pub(super) fn own_address(listen: &[SocketAddr]) -> Option<String> {
    let address = listen.first().filter(|address| address.ip().is_loopback() && address.port() != 0)?;
    Some(format!("http://localhost:{}", address.port()))
}

fn request(call: Call, origin: &str, token: &str) -> Result<Request<Vec<u8>>, Failure> {
    let body = call.body.map(String::into_bytes).unwrap_or_default();
    Request::builder()
        .method(call.method)
        .uri(format!("{origin}{}", call.path))
        .header(AUTHORIZATION, format!("Bearer {token}"))
        .header("matterbook-actor", ACTOR)
        .header(CONTENT_TYPE, "application/json")
        .body(body)
        .map_err(|error| Failure::usage(format!("The request cannot be made: {error}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_types_stays_one_segment_or_one_value() {
        let call = Call::get(&["accounts", "a/b?c=d é"]).with("cursor", "x&y").with("limit", "5");
        assert_eq!(call.path, "/operator/v1/accounts/a%2Fb%3Fc%3Dd%20%C3%A9?cursor=x%26y&limit=5");
    }
}
