//! Requests over HTTP.

use std::{io::ErrorKind, path::Path, time::Duration};

use http::header::{AUTHORIZATION, CONTENT_TYPE};

use super::{
    address::origin_of,
    authorities::tls_config,
    transport::{Answer, NoAnswer, Request, Transport},
};

/// The timeout of connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout of one request with its response. A batch takes a while on a slow line.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The largest accepted response: more than the largest page of the largest records.
const ANSWER_BYTES: u64 = 64 * 1_024 * 1_024;
const USER_AGENT: &str = concat!("matterbook/", env!("CARGO_PKG_VERSION"));

/// A service at an address, and its key. It has no `Debug` form, because it contains the key.
pub(crate) struct HttpTransport {
    agent: ureq::Agent,
    base: String,
    key: String,
}

impl HttpTransport {
    /// The service at `base`, with or without `/api/v1`; `authorities` is as for [`tls_config`].
    ///
    /// # Errors
    /// A sentence, when `base` is not an `http` or `https` address, the key cannot be sent, or the
    /// authorities cannot be read.
    pub(crate) fn new(base: &str, key: &str, authorities: Option<&Path>) -> Result<Self, String> {
        let base = origin_of(base)? + "/api/v1";
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("The key must be visible ASCII characters, as the operator gave it.".to_owned());
        }
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            // A redirect would turn a POST into a GET. The error names the new address instead.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_global(Some(TIMEOUT))
            .user_agent(USER_AGENT)
            .tls_config(tls_config(authorities)?)
            .build();
        Ok(Self { agent: agent.into(), base, key: key.to_owned() })
    }

    /// The base address, which ends in `/api/v1`.
    #[must_use]
    pub(crate) fn base(&self) -> &str {
        &self.base
    }
}

impl Transport for HttpTransport {
    fn exchange(&self, request: &Request<'_>) -> Result<Answer, NoAnswer> {
        let mut head = http::Request::builder()
            .method(request.method)
            .uri(format!("{}{}", self.base, request.path))
            .header(AUTHORIZATION, format!("Bearer {}", self.key));
        if let Some(key) = request.idempotency_key {
            head = head.header("idempotency-key", key);
        }
        let bad_address = |error: http::Error| NoAnswer::BadAddress(error.to_string());
        let answer = match request.body {
            Some(body) => {
                self.agent.run(head.header(CONTENT_TYPE, "application/json").body(body).map_err(bad_address)?)
            }
            None => self.agent.run(head.body(()).map_err(bad_address)?),
        };
        let mut answer = answer.map_err(|error| no_answer(&error))?;
        let body = answer.body_mut().with_config().limit(ANSWER_BYTES).read_to_vec();
        let body = body.map_err(|error| no_answer(&error))?;
        Ok(Answer { status: answer.status().as_u16(), headers: answer.headers().clone(), body })
    }
}

/// For TLS errors the library's text is kept; other errors get our own.
pub(crate) fn no_answer(error: &ureq::Error) -> NoAnswer {
    use ureq::Error;
    match error {
        _ if speaks_plain_http(error) => NoAnswer::NotEncrypted,
        Error::Io(cause) if cause.kind() == ErrorKind::InvalidData => NoAnswer::Insecure(cause.to_string()),
        Error::Rustls(cause) => NoAnswer::Insecure(cause.to_string()),
        Error::Tls(cause) => NoAnswer::Insecure((*cause).to_owned()),
        Error::BadUri(cause) => NoAnswer::BadAddress(cause.clone()),
        Error::HostNotFound => NoAnswer::Unreachable("no such host is known".to_owned()),
        Error::Timeout(_) => NoAnswer::Unreachable("it took too long".to_owned()),
        Error::Io(cause) => NoAnswer::Unreachable(match cause.kind() {
            ErrorKind::ConnectionRefused => "the connection was refused".to_owned(),
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
                "the connection broke".to_owned()
            }
            ErrorKind::UnexpectedEof => "the connection was closed before the answer was whole".to_owned(),
            ErrorKind::TimedOut => "it took too long".to_owned(),
            _ => cause.to_string(),
        }),
        Error::Protocol(_) => NoAnswer::Unreachable("the answer is not whole HTTP".to_owned()),
        other => NoAnswer::Unreachable(other.to_string()),
    }
}

/// Whether the peer answered a TLS handshake in plain text: no TLS record begins with these bytes.
fn speaks_plain_http(error: &ureq::Error) -> bool {
    let cause = match error {
        ureq::Error::Rustls(cause) => Some(cause),
        ureq::Error::Io(cause) => cause.get_ref().and_then(|cause| cause.downcast_ref()),
        _ => None,
    };
    matches!(cause, Some(rustls::Error::InvalidMessage(rustls::InvalidMessage::InvalidContentType)))
}
