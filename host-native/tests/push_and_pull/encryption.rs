//! Services by TLS, and without it.

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::Arc,
    thread,
};

use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, KeyPair};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::ring,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};

use super::run::{Ran, command, run, write};
use crate::support::{Place, Serving, matterbook};

/// A private certificate authority that no system trusts.
struct Authority {
    certificate: Certificate,
    key: KeyPair,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Self { certificate: params.self_signed(&key).expect("an authority"), key }
    }

    /// Serves an account without clients by a certificate for 127.0.0.1; hands back the address.
    fn serve(&self) -> String {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("an address");
        let certificate = params.signed_by(&key, &self.certificate, &self.key).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a certificate and its key");
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                answer(&config, stream);
            }
        });
        format!("https://{address}")
    }
}

/// Answers one request without a body. A connection that ends before the end of the head is ignored.
fn answer(config: &Arc<ServerConfig>, stream: TcpStream) {
    let connection = ServerConnection::new(Arc::clone(config)).expect("a connection");
    let mut stream = StreamOwned::new(connection, stream);
    let mut head = Vec::new();
    let mut piece = [0; 4_096];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut piece) {
            Ok(length) if length > 0 => head.extend_from_slice(&piece[..length]),
            _ => return,
        }
    }
    let path = String::from_utf8(head).expect("text").split(' ').nth(1).expect("a path").to_owned();
    let body = match path.as_str() {
        "/api/v1/me" => r#"{"account":{"id":"a","email":"owner@example.com"}}"#,
        "/healthz" => r#"{"status":"ok"}"#,
        path if path.starts_with("/operator/v1/accounts") => r#"{"accounts":[],"next_cursor":null}"#,
        _ => r#"{"clients":[],"next_cursor":null}"#,
    };
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    let _ = stream.write_all((head + body).as_bytes());
    stream.conn.send_close_notify();
    let _ = stream.flush();
}

#[test]
fn an_authority_of_ones_own_is_trusted_where_its_file_is_named() {
    let place = Place::new();
    let authority = Authority::new();
    let origin = authority.serve();
    let file = write(&place, "authority.pem", &authority.certificate.pem());
    let other = write(&place, "other.pem", &Authority::new().certificate.pem());

    let unknown = run(&["pull"], &origin, "k");
    assert_eq!(unknown.status, Some(1));
    assert!(
        unknown.sentence().starts_with(&format!("No secure connection to {origin}/api/v1 can be made: ")),
        "{unknown:?}"
    );
    assert!(unknown.sentence().ends_with("--ca-file names an authority of your own."), "{unknown:?}");

    let by_flag = run(&["pull", "--ca-file", &file], &origin, "k");
    assert_eq!((by_flag.status, by_flag.sentence()), (Some(0), "0 clients to stdout."), "{by_flag:?}");
    let by_variable =
        Ran::of(&command(&["pull"], &origin, "k").env("MATTERBOOK_CA_FILE", &file).output().expect("a run"));
    assert_eq!(by_variable.status, Some(0), "{by_variable:?}");
    let of_another = run(&["pull", "--ca-file", &other], &origin, "k");
    assert_eq!(of_another.status, Some(1), "{of_another:?}");

    let operator = ["account", "list", "--url", &origin, "--operator-token", "t", "--ca-file"];
    let accounts = Ran::of(&matterbook(&operator).arg(&file).output().expect("a run"));
    assert_eq!((accounts.status, accounts.shown.as_str()), (Some(0), "none\n"), "{accounts:?}");
    let doctor = Ran::of(&matterbook(&["doctor", "--url", &origin, "--ca-file", &file]).output().expect("a run"));
    assert!(doctor.shown.contains("It answers, and reaches its database."), "{doctor:?}");
    let doctor = Ran::of(&matterbook(&["doctor", "--url", &origin]).output().expect("a run"));
    assert!(doctor.shown.contains("wrong  encryption") && doctor.shown.contains("No secure connection"), "{doctor:?}");
}

#[test]
fn a_file_without_authorities_is_told_of_before_anything_is_sent() {
    let place = Place::new();
    for (name, text, cause) in [
        ("missing.pem", None, "No such file"),
        ("empty.pem", Some(""), "there is none in it that begins with -----BEGIN CERTIFICATE-----"),
        ("broken.pem", Some("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"), "a part of it is not PEM"),
    ] {
        let path = place.file(name).to_str().expect("a plain name").to_owned();
        if let Some(text) = text {
            write(&place, name, text);
        }
        let ran = run(&["pull", "--ca-file", &path], "https://127.0.0.1:1", "k");
        assert_eq!(ran.status, Some(2), "{ran:?}");
        let sentence = format!("The certificates of {path} cannot be used: {cause}");
        assert!(ran.sentence().starts_with(&sentence), "{ran:?}");
    }
}

#[test]
fn a_service_without_tls_is_told_from_one_with_a_bad_certificate() {
    let place = Place::new();
    let serving = Serving::start(&place.database());
    let origin = serving.origin.replace("http://", "https://");
    let sentence = "answers in plain HTTP. Name it by http://, or by the port where it has TLS.";
    let pulled = run(&["pull"], &origin, "k");
    assert_eq!((pulled.status, pulled.sentence()), (Some(1), format!("{origin}/api/v1 {sentence}").as_str()));
    let listed = ["account", "list", "--url", &origin, "--operator-token", "t"];
    let listed = Ran::of(&matterbook(&listed).output().expect("a run"));
    assert_eq!((listed.status, listed.sentence()), (Some(1), format!("{origin} {sentence}").as_str()));
}

/// No machine has a name that ends in `.invalid`.
#[test]
fn an_unencrypted_connection_gets_a_warning() {
    let place = Place::new();
    let warning = |what: &str| {
        format!(
            "Warning: http://matterbook.invalid{what} can be read by others on the way. Use an https:// address \
             if it has one.\n"
        )
    };
    let pulled = run(&["pull"], "http://matterbook.invalid", "k");
    assert!(pulled.said.starts_with(&warning("/api/v1 is reached without TLS, so the key and the rows")), "{pulled:?}");
    let listed = ["account", "list", "--url", "http://matterbook.invalid", "--operator-token", "t"];
    let listed = Ran::of(&matterbook(&listed).output().expect("a run"));
    assert!(
        listed.said.starts_with(&warning(" is reached without TLS, so the operator token and what is sent")),
        "{listed:?}"
    );

    let serving = Serving::start(&place.database());
    for origin in [serving.origin.as_str(), "https://matterbook.invalid"] {
        let ran = run(&["pull"], origin, "k");
        assert!(ran.status == Some(1) && !ran.said.contains("Warning"), "{ran:?}");
    }
}
