//! What the console does to what a service remembers.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use matterbook_core::{
    account::AccountFlags,
    api::{Api, SeenKeys},
    http,
    key::{AccountNumber, KeyLimits},
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
    sign_in::{LinkDigest, SessionDigest},
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleRequest, ConsoleStore as _, LogEntry, NewSession, OperatorCommand,
        OperatorStore as _, Retention, SignIn, SignInCommand,
    },
    time::Timestamp,
    uuid::Uuid,
};

const NOW: Timestamp = Timestamp::from_micros(1_767_225_600_000_000);

/// The outcome of a future that waits for nothing: a store in memory never does.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a store in memory waits"),
    }
}

fn entry(id: u128) -> LogEntry {
    LogEntry {
        id: Uuid::from_u128(id),
        at: NOW,
        actor: "operator".to_owned(),
        action: "prepare",
        subject: String::new(),
        request_id: Uuid::from_u128(id),
        retention: Retention::default(),
    }
}

#[test]
fn a_key_revoked_in_the_console_is_401_and_not_429_from_the_next_request_on() {
    let [account, login, key_id] = [1, 2, 3].map(Uuid::from_u128);
    let number = AccountNumber::from_bytes([0, 0, 0, 0, 0, 7]);
    let key = test_key_secrets().new_key("mtb_", number, [7; 20]);
    let link = LinkDigest::of("link");
    let store = MemoryStore::default();
    let flags = AccountFlags { api_enabled: true, ..AccountFlags::default() };
    let email = "owner@firm.example".to_owned();
    for (number, command) in [
        (10, OperatorCommand::CreateAccount { id: account, number, login_id: login, email, flags }),
        (
            11,
            OperatorCommand::CreateKey {
                id: key_id,
                account,
                login: None,
                label: None,
                limits: KeyLimits::default(),
                key: test_key_secrets().stored(&key),
            },
        ),
        (12, OperatorCommand::MakeLink { login, link, expires_at: NOW.plus_seconds(60) }),
    ] {
        now(store.operate(command, entry(number))).unwrap();
    }
    let session = NewSession { id: Uuid::from_u128(4), digest: SessionDigest::of("session") };
    let (entry_id, request_id, retention) = (Uuid::from_u128(13), Uuid::from_u128(14), Retention::default());
    let command = SignInCommand::UseLink { link, session };
    now(store.sign_in(SignIn { now: NOW, entry_id, request_id, retention, command })).unwrap();

    let settings = Settings { rate_limit_per_minute: 1, ..Settings::default() };
    let platform = ManualPlatform::new(NOW);
    let api = Api::new(store, MemoryRateLimiter::default(), platform, settings, test_key_secrets())
        .with_seen_keys(Arc::<SeenKeys>::default());
    let me = || {
        let request = http::Request::get("/api/v1/me").header("authorization", format!("Bearer {key}"));
        let (head, ()) = request.body(()).unwrap().into_parts();
        now(api.handle(head, Vec::new())).response.status().as_u16()
    };
    assert_eq!([me(), me()], [200, 429]);
    let command = ConsoleCommand::RevokeKey { key: key_id };
    let session = session.digest;
    let revoke = ConsoleRequest { session, now: NOW, entry_id, request_id, retention, command };
    let response = now(api.console(revoke)).unwrap().unwrap();
    assert!(matches!(response.answer, ConsoleAnswer::Key(_)), "{:?}", response.answer);
    assert_eq!(me(), 401);
}
