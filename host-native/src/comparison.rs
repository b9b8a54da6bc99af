//! Compares the clients of the accounts that changed (rule Y7).

use std::{sync::Weak, time::Duration};

use matterbook_core::{
    platform::Platform,
    similar::{Comparison, Nicknames, compare_due},
    store::StoreError,
};

use crate::{NativeApi, database::Database, platform::SystemPlatform};

/// How often the service looks for accounts that are due.
const INTERVAL: Duration = Duration::from_secs(600);

/// Compares the accounts that are due, again and again, until the service has stopped.
pub(crate) async fn compare_while_serving(api: Weak<NativeApi>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        let Some(api) = api.upgrade() else { return };
        if let Err(error) = compare_all_due(api.store(), &SystemPlatform::default()).await {
            tracing::warn!(cause = %error, "the clients of an account could not be compared");
        }
    }
}

/// Compares every account that is due at the platform's time, one after another. Only the pairs need the writer.
async fn compare_all_due(database: &Database, platform: &impl Platform) -> Result<usize, StoreError> {
    let names = platform.nicknames();
    let clients_max = platform.compared_clients_max();
    let comparison = Comparison { nicknames: Nicknames::parse(&names), clients_max };
    let mut accounts = 0;
    loop {
        match compare_due(database, &comparison, platform.now()).await? {
            0 => return Ok(accounts),
            compared => accounts += compared,
        }
    }
}

#[cfg(test)]
mod tests {
    use http::{Method, Request};
    use matterbook_core::{
        api::Api,
        memory::{ManualPlatform, test_key_secrets},
        settings::Settings,
        time::Timestamp,
    };
    use serde_json::{Value, json};

    use super::*;
    use crate::{database::QueueLimits, rate_limiter::MemoryRateLimiter, request_body::AnyBody};

    const TOKEN: &str = "a-token-of-the-operator-long-enough";

    type TestApi = Api<Database, MemoryRateLimiter, ManualPlatform>;

    async fn call(api: &TestApi, method: Method, path: &str, token: &str, body: Value) -> Value {
        let request = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {token}"));
        let request = request.header("content-type", "application/json").body(()).unwrap();
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let response = api.handle(request.into_parts().0, AnyBody::Memory(body)).await.response;
        assert_eq!(response.status(), 200, "{}", String::from_utf8_lossy(response.body()));
        serde_json::from_slice(response.body()).unwrap()
    }

    #[tokio::test]
    async fn a_changed_account_is_compared_once_an_hour_at_most() {
        let directory = tempfile::tempdir().unwrap();
        let database = Database::open(&directory.path().join("matterbook.db"), QueueLimits::default()).unwrap();
        let clock = ManualPlatform::new(Timestamp::from_micros(1_767_268_800_000_000));
        let rules = Settings { operator_token: Some(TOKEN.to_owned()), ..Settings::default() };
        let api = Api::new(database, MemoryRateLimiter::default(), clock.clone(), rules, test_key_secrets());
        let operator =
            async |method, path: &str, body| call(&api, method, &format!("/operator/v1{path}"), TOKEN, body).await;
        let account = operator(Method::POST, "/accounts", json!({"email": "a@example.com", "api_enabled": true})).await;
        let account = format!("/accounts/{}", account["account"]["id"].as_str().unwrap());
        let key = operator(Method::POST, &format!("{account}/keys"), json!({})).await;
        let key = key["key"]["key"].as_str().unwrap().to_owned();
        let post = async |external_id: &str, name: &str| {
            let client = json!({"external_id": external_id, "first_name": name, "last_name": "Specimenez",
                                "address_line1": "1 Oak St", "zip": "02134"});
            call(&api, Method::POST, "/api/v1/clients", &key, json!({"clients": [client]})).await
        };
        let pairs = async || {
            let page = operator(Method::GET, &format!("{account}/similar"), Value::Null).await;
            page["similar"].as_array().unwrap().len()
        };
        let compare = async || compare_all_due(api.store(), &clock).await.unwrap();

        assert_eq!(compare().await, 0, "an account without a client is not due");
        post("1", "Robert").await;
        post("2", "Bob").await;
        assert_eq!((compare().await, pairs().await), (1, 1));
        post("3", "Bobby").await;
        clock.advance(Duration::from_secs(3_599));
        assert_eq!((compare().await, pairs().await), (0, 1), "less than an hour has passed");
        clock.advance(Duration::from_secs(1));
        assert_eq!((compare().await, pairs().await), (1, 3), "each of the three may be each other");
        clock.advance(Duration::from_secs(7_200));
        assert_eq!(compare().await, 0, "nothing has changed");
    }
}
