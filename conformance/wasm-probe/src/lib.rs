//! A module with one export that reaches all the rules and the whole SQL store, so that a look at
//! its imports shows whether either needs anything of a host beside the traits. It is built for
//! wasm32 by the gate, and is no service: its database knows nobody.

use std::{
    future::Future,
    hint::black_box,
    pin::pin,
    task::{Context, Poll, Waker},
};

use matterbook_core::{
    api::Api,
    gate::{Admission, Gate, GateError},
    key::KeyDigest,
    platform::Platform,
    settings::Settings,
    time::Timestamp,
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
};

/// A database that answers nothing.
struct NoDatabase;

impl Driver for NoDatabase {
    fn isolation(&self) -> Isolation {
        black_box(Isolation::Batch)
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        Ok(black_box(vec![Rows::new(); batch.len()]))
    }

    async fn back_off(&self, _attempt: u32) -> bool {
        false
    }
}

struct Open;

impl Gate for Open {
    async fn admit(&self, _key: &KeyDigest, limit: u32, _now: Timestamp) -> Result<Admission, GateError> {
        Ok(black_box(Admission { admitted: true, remaining: limit, reset_seconds: 60, retry_after_seconds: 0 }))
    }
}

struct Standing;

impl Platform for Standing {
    fn now(&self) -> Timestamp {
        black_box(Timestamp::from_micros(1_767_225_600_000_000))
    }

    fn random(&self) -> [u8; 32] {
        black_box([7; 32])
    }
}

/// Answers one request and hands back its status, 0 if it could not be asked.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "an export needs a name of its own")]
pub extern "C" fn answer() -> u32 {
    let api = Api::new(SqlStore::new(NoDatabase), Open, Standing, black_box(Settings::default()));
    let request = http::Request::builder().method(black_box("POST")).uri(black_box("/api/v1/clients"));
    let Ok(request) = request.header("authorization", black_box("Bearer nobody")).body(()) else { return 0 };
    let (head, ()) = request.into_parts();
    let body = black_box(br#"{"clients":[{"last_name":"Example"}]}"#.to_vec());
    let handling = pin!(api.handle(head, body));
    match handling.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(handled) => u32::from(handled.response.status().as_u16()),
        Poll::Pending => 0,
    }
}
