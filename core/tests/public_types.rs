//! Guarantees to programs that embed the crate: a service can move between threads, and failures are errors.

use std::error::Error;

use matterbook_core::{
    api::{Api, BodyError, Handled, SeenKeys},
    client::{ClientInput, ParseError, UnknownField},
    cursor::CursorError,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore},
    normalize::Problem,
    plan::{Batch, Conflict, Plan},
    rate_limiter::RateLimiterError,
    settings::SettingError,
    store::{ChangeRequest, StoreError},
};

type Service = Api<MemoryStore, MemoryRateLimiter, ManualPlatform>;

#[test]
fn services_and_what_they_work_on_go_between_threads() {
    fn goes<T: Send + Sync + 'static>() {}
    goes::<Service>();
    goes::<SeenKeys>();
    goes::<Handled>();
    goes::<ChangeRequest>();
    goes::<Batch>();
    goes::<Plan>();
    goes::<ClientInput>();
}

#[test]
fn an_answer_under_way_goes_between_threads_where_its_parts_do() {
    fn goes<T: Send>(_: fn(&'static Service, http::request::Parts) -> T) {}
    goes(|service, head| service.handle(head, Vec::new()));
}

#[test]
fn failures_are_errors_that_go_anywhere() {
    fn goes<T: Error + Send + Sync + 'static>() {}
    goes::<BodyError>();
    goes::<CursorError>();
    goes::<RateLimiterError>();
    goes::<Problem>();
    goes::<ParseError>();
    goes::<UnknownField>();
    goes::<Conflict>();
    goes::<SettingError>();
    goes::<StoreError>();
}
