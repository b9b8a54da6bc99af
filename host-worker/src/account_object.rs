//! Accounts in Durable Objects of their own (decision 0131): where the account of a request is, and what an object asks
//! of its database. `account.mjs` has the object.

use std::rc::Rc;

use js_sys::{Array, Float64Array, Promise};
use matterbook_core::{api::account_reference, key::KeyDigest, rate_limiter::RateDecision, time::Timestamp};
use matterbook_store_sql::SqlStore;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use worker::{Env, worker_sys::web_sys};

#[cfg(feature = "console")]
use crate::request::WorkerBody;
use crate::{
    database::{D1Cost, WorkerDriver},
    rate_limit_object::{log_of, times_of},
    request, service,
};
#[cfg(feature = "console")]
use matterbook_core::api::{BodyError, RequestBody as _};

#[wasm_bindgen]
extern "C" {
    /// The database of an account's object, for one request.
    #[derive(Clone)]
    pub type AccountDatabase;

    /// Runs statements as one transaction: each is a list of its query's name, its text and its parameters.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn run(this: &AccountDatabase, statements: &Array) -> Result<Array, JsValue>;

    /// Reads what all accounts have in common, as statements like those of `run`, each with the names of its parameters,
    /// parted by commas: promises a result of D1 for each. Prospects are those of the counties that the account has here.
    #[wasm_bindgen(method, js_name = readCommon)]
    pub(crate) fn read_common(this: &AccountDatabase, statements: &Array, names: &Array) -> Promise;

    /// Prepares to set the database back to a time in milliseconds, once the request has been answered with success.
    /// Promises `false` where it cannot be.
    #[wasm_bindgen(method, js_name = prepareRestore)]
    pub(crate) fn prepare_restore(this: &AccountDatabase, at_ms: f64) -> Promise;

    /// The times of a key's requests.
    #[wasm_bindgen(method, catch)]
    fn times(this: &AccountDatabase, key: &str) -> Result<Option<Float64Array>, JsValue>;

    #[wasm_bindgen(method, catch, js_name = keepTimes)]
    fn keep_times(this: &AccountDatabase, key: &str, times: &Float64Array) -> Result<(), JsValue>;
}

impl AccountDatabase {
    /// May a request pass under this limit? Nothing is awaited, so the limit is exact.
    pub(crate) fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, JsValue> {
        #[cfg(feature = "test-hooks")]
        crate::hooks::trap_on_limit(limit);
        let key = key.to_text();
        let mut log = log_of(self.times(&key)?);
        let decision = log.check(limit, now);
        if decision.allowed {
            self.keep_times(&key, &times_of(&log))?;
        }
        Ok(decision)
    }
}

/// Answers a request within the object of its account. Without a database, the account is not there, and what is in
/// common answers that.
#[wasm_bindgen(js_name = accountFetch)]
pub async fn account_fetch(
    request: web_sys::Request,
    env: Env,
    database: Option<AccountDatabase>,
) -> Result<JsValue, JsValue> {
    Ok(service::handle(request, &env, database).await?.into())
}

/// Compares the clients of the accounts that are due: of the database, or within an account's object its own.
#[wasm_bindgen(js_name = compareDue)]
pub async fn compare_due(env: Env, database: Option<AccountDatabase>) -> Result<JsValue, JsValue> {
    service::compare_due(&env, database).await.map(|_| JsValue::UNDEFINED).map_err(|error| JsValue::from_str(&error))
}

/// The name of the object that answers a request, or nothing where no account is concerned.
#[wasm_bindgen(js_name = accountOf)]
pub async fn account_of(request: web_sys::Request, env: Env) -> Result<JsValue, JsValue> {
    let Some(head) = request::head(&request) else { return Ok(JsValue::UNDEFINED) };
    // The Worker itself answers that the deployment lacks something.
    let Ok((settings, key_secrets, database, _)) = service::deployment(&env) else { return Ok(JsValue::UNDEFINED) };
    #[cfg(feature = "console")]
    let reference = {
        let form = if matterbook_console::names_account_in_form(&head) {
            match WorkerBody::new(&head.headers, request.clone()?).read(matterbook_console::FORM_BYTES_MAX).await {
                Ok(form) => form,
                // The Worker answers that.
                Err(BodyError::TooLarge) => Vec::new(),
                Err(_) => return Err(JsValue::from_str("the form of a passkey was not read")),
            }
        } else {
            Vec::new()
        };
        let reference = settings.console.then(|| matterbook_console::account_reference(&head, &form)).flatten();
        reference.or_else(|| account_reference(&head, &settings, &key_secrets))
    };
    #[cfg(not(feature = "console"))]
    let reference = account_reference(&head, &settings, &key_secrets);
    let Some(reference) = reference else { return Ok(JsValue::UNDEFINED) };
    let store = SqlStore::new(WorkerDriver::new(database, None, Rc::<D1Cost>::default()));
    let number = store.account_number(&reference).await.map_err(|error| JsValue::from_str(&error.to_string()))?;
    Ok(number.map_or(JsValue::UNDEFINED, |number| JsValue::from_str(&number.value().to_string())))
}
