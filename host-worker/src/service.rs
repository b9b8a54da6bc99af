//! One request: the rules over this request's bindings, and one line of the log.

use std::{
    rc::Rc,
    sync::{Arc, OnceLock},
};

use matterbook_core::{
    api::{Api, Handled, HostRefusal, SeenKeys},
    settings::{SettingError, Settings},
};
use matterbook_store_sql::{SeenErasures, SqlStore};
use matterbook_viewer::VIEWER;
use worker::{D1Database, Env, ObjectNamespace, Var, worker_sys::web_sys};

use crate::{
    database::{D1Driver, Usage},
    files,
    gate::DurableGate,
    log::Line,
    platform::WorkerPlatform,
    request::{self, WorkerBody},
    response,
};

/// The settings of this deployment: vars and secrets are the same for every request of an isolate.
static SETTINGS: OnceLock<Result<Settings, SettingError>> = OnceLock::new();

/// The keys that this isolate saw live.
static SEEN_KEYS: OnceLock<Arc<SeenKeys>> = OnceLock::new();

/// The accounts that this isolate saw to have erased a client.
static SEEN_ERASURES: OnceLock<Arc<SeenErasures>> = OnceLock::new();

/// Answers a request and writes its line.
pub(crate) async fn answer(request: web_sys::Request, env: &Env) -> worker::Result<web_sys::Response> {
    let line = Line::begin(&request.method());
    let usage = Rc::<Usage>::default();
    let mut handled = handle(request, env, &usage).await;
    let mut body = None;
    if let Some(file) = handled.file {
        match files::body(env, file).await {
            Ok(found) => body = Some(found),
            Err(error) => {
                let cause = error.to_string();
                handled = HostRefusal::Misconfigured { cause }.answer(&WorkerPlatform::default());
            }
        }
    }
    line.end(&handled, &usage);
    response::of(handled.response, body)
}

async fn handle(request: web_sys::Request, env: &Env, usage: &Rc<Usage>) -> Handled {
    let Some(head) = request::head(&request) else {
        return HostRefusal::MalformedHead.answer(&WorkerPlatform::default());
    };
    let platform = WorkerPlatform::of(&head.headers);
    let (settings, database, namespace) = match deployment(env) {
        Ok(deployment) => deployment,
        Err(cause) => return HostRefusal::Misconfigured { cause }.answer(&platform),
    };
    let driver = D1Driver::new(database, Rc::clone(usage));
    let gate = DurableGate::new(namespace);
    #[cfg(feature = "test-hooks")]
    let (driver, gate) = crate::hooks::broken(driver, gate, &head.headers).await;
    let store = SqlStore::new(driver).sharing(Arc::clone(SEEN_ERASURES.get_or_init(Arc::default)));
    let body = WorkerBody::new(&head.headers, request);
    Api::new(store, gate, platform, settings)
        .remembering(Arc::clone(SEEN_KEYS.get_or_init(Arc::default)))
        .showing(&VIEWER)
        .handle(head, body)
        .await
}

/// The settings and the bindings; a sentence for the log where the deployment lacks something.
fn deployment(env: &Env) -> Result<(Settings, D1Database, ObjectNamespace), String> {
    let settings = SETTINGS.get_or_init(|| Settings::read(|name| env.var(name).ok().as_ref().map(Var::to_string)));
    let settings = settings.clone().map_err(|error| error.to_string())?;
    let database = env.d1("DB").map_err(|error| format!("the binding DB is missing: {error}"))?;
    let namespace =
        env.durable_object("RATE_LIMIT").map_err(|error| format!("the binding RATE_LIMIT is missing: {error}"))?;
    Ok((settings, database, namespace))
}
