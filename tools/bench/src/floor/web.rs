//! A bare warp: a constant answer, and a batch that is parsed and dropped.

use std::{borrow::Cow, net::SocketAddr, path::Path, process::Command};

use serde::{Deserialize, Serialize};
use warp::Filter as _;

use crate::{Outcome, place::Process, service::address_of};

/// The cheapest full parse of a body: strings are borrowed.
#[derive(Deserialize, Serialize)]
struct Body<'a> {
    #[serde(borrow)]
    clients: Vec<Client<'a>>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Scalar<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Number(u64),
    Flag(bool),
}

#[derive(Deserialize, Serialize)]
struct Client<'a> {
    #[serde(borrow)]
    external_id: Option<Scalar<'a>>,
    #[serde(borrow)]
    first_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    last_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address_line1: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address_line2: Option<Cow<'a, str>>,
    #[serde(borrow)]
    city: Option<Cow<'a, str>>,
    #[serde(borrow)]
    state: Option<Cow<'a, str>>,
    #[serde(borrow)]
    zip: Option<Scalar<'a>>,
    #[serde(borrow)]
    email: Option<Cow<'a, str>>,
    #[serde(borrow)]
    phone: Option<Scalar<'a>>,
    #[serde(borrow)]
    case_type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    opened_on: Option<Cow<'a, str>>,
    #[serde(borrow)]
    settled_on: Option<Cow<'a, str>>,
    #[serde(borrow)]
    do_not_mail: Option<Scalar<'a>>,
}

/// A handle to the process.
pub struct BareWeb {
    /// Its process.
    pub process: Process,
    /// Its address.
    pub address: SocketAddr,
}

impl BareWeb {
    /// The path of the constant.
    pub const CONSTANT: &str = "/api/v1/me";
    /// The path that parses a batch.
    pub const PARSE: &str = "/api/v1/clients";

    /// Starts it; the file `constant` holds its answer.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(constant: &Path) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare-web").arg(constant);
        let mut process = Process::start(&mut command)?;
        let address = address_of(&process.line()?)?;
        Ok(Self { process, address })
    }
}

/// The process itself: serves until it is killed.
///
/// # Errors
/// When it cannot listen.
pub fn serve_web(constant: &Path) -> Outcome<()> {
    let constant = std::fs::read(constant)?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}/", listener.local_addr()?);
        let json = |body: Vec<u8>| warp::reply::with_header(body, "content-type", "application/json");
        let answer = constant.clone();
        let get = warp::path!("api" / "v1" / "me").and(warp::get()).map(move || json(answer.clone()));
        let parse = warp::path!("api" / "v1" / "clients").and(warp::post()).and(warp::body::bytes());
        let parse = parse.map(move |body: warp::hyper::body::Bytes| json(parsed(&body)));
        warp::serve(get.or(parse)).incoming(listener).run().await;
        Ok(())
    })
}

/// `{"clients":N}`
fn parsed(body: &[u8]) -> Vec<u8> {
    let count = serde_json::from_slice::<Body<'_>>(body).map(|body| std::hint::black_box(body).clients.len());
    format!("{{\"clients\":{}}}", count.unwrap_or_default()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::{Work, body};

    #[test]
    fn every_client_of_a_body_is_parsed() {
        for number in 0..20 {
            assert_eq!(parsed(&body(number, Work::Changed)), b"{\"clients\":500}");
        }
        assert_eq!(parsed(b"{"), b"{\"clients\":0}");
    }
}
