//! A service behind a URL, reached over TCP or TLS with requests written byte for byte.

use std::{
    net::TcpStream,
    sync::Arc,
    time::{Duration, Instant},
};

use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned, pki_types::ServerName};

use super::{Answer, Body, Facts, Request, Service, http1};

/// A service at a base URL. Each request has a connection of its own.
pub struct OverHttp {
    address: Address,
    began: Instant,
    facts: Facts,
}

/// Where a service listens.
#[derive(Clone, Debug)]
struct Address {
    /// How to speak TLS, for `https`.
    tls: Option<Tls>,
    /// For connecting, `host:port`.
    socket: String,
    /// For the `Host` field.
    host: String,
    /// What comes before `/api/v1` and `/operator/v1`, without a slash at its end.
    root: String,
}

/// The expected TLS server name and the trusted authorities.
#[derive(Clone, Debug)]
struct Tls {
    name: ServerName<'static>,
    config: Arc<ClientConfig>,
}

/// Why a URL cannot be tested: a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnusableUrl(pub String);

impl OverHttp {
    /// Reaches the service at `base_url`, given with or without `/api/v1`.
    ///
    /// # Errors
    /// When the URL is not one, nothing answers there, or it has no operator API for this token.
    pub fn connect(base_url: &str, operator_token: &str) -> Result<Self, UnusableUrl> {
        let address = Address::parse(base_url)
            .ok_or_else(|| UnusableUrl(format!("{base_url} is not a URL such as http://127.0.0.1:8080.")))?;
        let facts = Facts::ask(operator_token, |request| address.exchange(request)).map_err(UnusableUrl)?;
        Ok(Self { address, began: Instant::now(), facts })
    }
}

impl Service for OverHttp {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        self.address.exchange(request)
    }

    fn elapse(&self, duration: Duration) {
        std::thread::sleep(duration);
    }

    fn clock(&self) -> Duration {
        self.began.elapsed()
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }
}

impl Address {
    fn parse(base_url: &str) -> Option<Self> {
        let (is_tls, rest) = match base_url.strip_prefix("https://") {
            Some(rest) => (true, rest),
            None => (false, base_url.strip_prefix("http://")?),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let path = path.trim_end_matches('/');
        let root = path.strip_suffix("/api/v1").unwrap_or(path).to_owned();
        if authority.is_empty() || rest.contains(['@', '?', '#']) {
            return None;
        }
        let port = authority.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
        let default_port = if is_tls { 443 } else { 80 };
        let socket = if port.is_some() { authority.to_owned() } else { format!("{authority}:{default_port}") };
        let tls = if is_tls { Some(Tls::to(port.map_or(authority, |(host, _)| host))?) } else { None };
        Some(Self { tls, socket, host: authority.to_owned(), root })
    }

    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        // A host may take half a minute before it gives up on a body that does not come.
        let patience = match request.body {
            Body::Stalled { .. } | Body::Chunked(_) => Duration::from_secs(90),
            Body::Withheld { .. } => Duration::from_secs(5),
            _ => Duration::from_secs(30),
        };
        let stream = TcpStream::connect(&self.socket).map_err(|error| format!("no connection: {error}"))?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        stream.set_read_timeout(Some(patience)).map_err(|error| error.to_string())?;
        stream.set_write_timeout(Some(patience)).map_err(|error| error.to_string())?;
        let bytes = http1::write(request, &self.host, &self.root);
        let to_head = request.method == "HEAD";
        let (status, headers, body) = match &self.tls {
            None => http1::exchange(&stream, &bytes, to_head)?,
            Some(Tls { name, config }) => {
                let connection = ClientConnection::new(Arc::clone(config), name.clone());
                let connection = connection.map_err(|error| format!("no TLS: {error}"))?;
                http1::exchange_in_turn(StreamOwned::new(connection, stream), &bytes, to_head)?
            }
        };
        Ok(Answer::new(request.to_string(), status, headers, body))
    }
}

impl Tls {
    /// TLS to that host, which has to show a certificate that the public authorities vouch for.
    fn to(host: &str) -> Option<Self> {
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).ok()?;
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .ok()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Some(Self { name, config: Arc::new(config) })
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_base_url_is_taken_with_or_without_the_api_path() {
        let check = |url: &str, expected: Option<(&str, &str, &str)>| {
            let came = Address::parse(url);
            assert_eq!(came.as_ref().is_some_and(|address| address.tls.is_some()), url.starts_with("https"), "{url}");
            let came = came.as_ref().map(|a| (a.socket.as_str(), a.host.as_str(), a.root.as_str()));
            assert_eq!(came, expected, "{url}");
        };
        check("http://127.0.0.1:8080", Some(("127.0.0.1:8080", "127.0.0.1:8080", "")));
        check("http://127.0.0.1:8080/", Some(("127.0.0.1:8080", "127.0.0.1:8080", "")));
        check("http://example.com/api/v1", Some(("example.com:80", "example.com", "")));
        check("http://example.com/book/api/v1/", Some(("example.com:80", "example.com", "/book")));
        check("https://example.com/api/v1", Some(("example.com:443", "example.com", "")));
        check("https://example.com:8443", Some(("example.com:8443", "example.com:8443", "")));
        check("http://[::1]:80", Some(("[::1]:80", "[::1]:80", "")));
        check("example.com", None);
        check("http://", None);
        check("http://example.com?x=1", None);
    }
}
