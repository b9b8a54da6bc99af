//! The viewer's files: they are uploaded beside the module, as assets, and read only when asked for.

use matterbook_core::api::ViewerFile;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{
    Env,
    js_sys::futures::JsFuture,
    worker_sys::{Fetcher, web_sys},
};

/// What the file holds. An error is a sentence for the log.
pub(crate) async fn body(env: &Env, file: &ViewerFile) -> Result<web_sys::ReadableStream, String> {
    let missing = |cause: &str| format!("the viewer's file {} is not among the assets: {cause}", file.name);
    let assets = env.assets("ASSETS").map_err(|_| missing("the binding ASSETS is missing"))?;
    let said = |error: JsValue| missing(&format!("{error:?}"));
    // The binding looks at the path alone.
    let asked = assets.into_rpc::<Fetcher>().fetch_with_str(&format!("http://assets/{}", file.name)).map_err(said)?;
    let answer: web_sys::Response = JsFuture::from(asked).await.map_err(said)?.unchecked_into();
    answer.body().filter(|_| answer.ok()).ok_or_else(|| missing(&answer.status().to_string()))
}
