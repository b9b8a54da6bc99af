//! One request: the core's API over this request's bindings, and one log line.

use std::{
    rc::Rc,
    sync::{Arc, OnceLock},
};

use js_sys::Reflect;
use matterbook_core::{
    api::{Api, Handled, HostRefusal, SeenKeys},
    key::{KEY_SECRET, KeySecrets},
    platform::Platform as _,
    settings::{SettingError, Settings},
    similar::{self, Comparison, Nicknames},
};
use matterbook_store_sql::{LookupHints, SqlStore};
use matterbook_viewer::VIEWER;
use wasm_bindgen::JsValue;
use worker::{Env, ObjectNamespace, Var, worker_sys::web_sys};

use crate::{
    account_object::AccountDatabase,
    database::{D1Cost, WorkerDriver},
    files,
    log::Line,
    platform::WorkerPlatform,
    rate_limiter::{DurableRateLimiter, Repeated},
    request::{self, WorkerBody},
    response,
};

/// The settings. Variables and secrets are the same for every request of an isolate.
static SETTINGS: OnceLock<Result<(Settings, KeySecrets), SettingError>> = OnceLock::new();

/// The keys that this isolate has seen live.
static SEEN_KEYS: OnceLock<Arc<SeenKeys>> = OnceLock::new();

/// The accounts of which this isolate knows that they have erased a client.
static LOOKUP_HINTS: OnceLock<Arc<LookupHints>> = OnceLock::new();

/// Handles a request and writes its log line. `account` is the database of the account's object, within it.
pub(crate) async fn handle(
    request: web_sys::Request,
    env: &Env,
    account: Option<AccountDatabase>,
) -> worker::Result<web_sys::Response> {
    let line = Line::begin(&request.method());
    let cost = Rc::<D1Cost>::default();
    let mut handled = run(request, env, account, &cost).await;
    if let Some(file) = handled.file {
        match files::read(env, file).await {
            Ok(bytes) => *handled.response.body_mut() = bytes,
            Err(error) => {
                let cause = error.to_string();
                handled = HostRefusal::Misconfigured { cause }.answer(&WorkerPlatform::default());
            }
        }
    }
    line.end(&handled, &cost);
    response::to_runtime(handled.response)
}

async fn run(request: web_sys::Request, env: &Env, account: Option<AccountDatabase>, cost: &Rc<D1Cost>) -> Handled {
    let Some(head) = request::head(&request) else {
        return HostRefusal::MalformedHead.answer(&WorkerPlatform::default());
    };
    let platform = WorkerPlatform::of(&head.headers, env);
    let (settings, key_secrets, database, namespace) = match deployment(env) {
        Ok(deployment) => deployment,
        Err(cause) => return HostRefusal::Misconfigured { cause }.answer(&platform),
    };
    let is_in_object = account.is_some();
    let driver = WorkerDriver::new(database, account.clone(), Rc::clone(cost));
    let rate_limiter = DurableRateLimiter::new(namespace, account);
    #[cfg(feature = "test-hooks")]
    let (driver, rate_limiter) = crate::hooks::with_fault(driver, rate_limiter, &head.headers).await;
    let rate_limiter = Repeated(rate_limiter);
    let store = SqlStore::new(driver).sharing(Arc::clone(LOOKUP_HINTS.get_or_init(Arc::default)));
    let body = WorkerBody::new(&head.headers, request);
    let api = Api::new(store, rate_limiter, platform, settings, key_secrets).with_viewer(&VIEWER);
    // An object looks its keys up without a round trip.
    let api = if is_in_object { api } else { api.with_seen_keys(Arc::clone(SEEN_KEYS.get_or_init(Arc::default))) };
    #[cfg(feature = "console")]
    let api = if api.settings().console { api.with_console() } else { api };
    #[cfg(feature = "console")]
    return matterbook_console::handle(
        &api,
        &crate::passkeys::ModuleVerifier,
        matterbook_core::api::Areas::All,
        head,
        body,
    )
    .await;
    #[cfg(not(feature = "console"))]
    api.handle(head, body).await
}

/// Compares the clients of the accounts that are due (rule Y7): those of the database, or the one whose object it is.
/// Returns how many.
pub(crate) async fn compare_due(env: &Env, account: Option<AccountDatabase>) -> Result<usize, String> {
    let (_, _, database, _) = deployment(env)?;
    let platform = WorkerPlatform::default();
    let store = SqlStore::new(WorkerDriver::new(database, account, Rc::default()));
    let names = platform.nicknames();
    let clients_max = platform.compared_clients_max();
    let comparison = Comparison { nicknames: Nicknames::parse(&names), clients_max };
    similar::compare_due(&store, &comparison, platform.now()).await.map_err(|error| error.to_string())
}

/// The settings and the bindings, or a sentence for the log about what the deployment lacks.
pub(crate) fn deployment(env: &Env) -> Result<(Settings, KeySecrets, JsValue, ObjectNamespace), String> {
    let settings = SETTINGS.get_or_init(|| read_settings(|name| env.var(name).ok().as_ref().map(Var::to_string)));
    let (settings, key_secrets) = settings.clone().map_err(|error| error.to_string())?;
    let database = Reflect::get(env, &"DB".into()).unwrap_or_default();
    if database.is_undefined() {
        return Err("the binding DB is missing".to_owned());
    }
    let namespace =
        env.durable_object("RATE_LIMIT").map_err(|error| format!("the binding RATE_LIMIT is missing: {error}"))?;
    Ok((settings, key_secrets, database, namespace))
}

/// The settings, and the key secrets, without which no key is recognized.
fn read_settings(lookup: impl Fn(&str) -> Option<String>) -> Result<(Settings, KeySecrets), SettingError> {
    let settings = Settings::read(&lookup)?;
    let Some(text) = lookup(KEY_SECRET).filter(|text| !text.is_empty()) else {
        let sentence = format!(
            "{KEY_SECRET} is missing: set it by `wrangler secret put {KEY_SECRET}`, to what `matterbook secret` prints."
        );
        return Err(SettingError(sentence));
    };
    Ok((settings, KeySecrets::parse(&text)?))
}
