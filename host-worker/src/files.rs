//! The viewer's files: they are uploaded beside the module, as assets, and read only when asked for.

use matterbook_core::api::ViewerFile;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{
    Env,
    js_sys::{Reflect, futures::JsFuture},
    worker_sys::{Fetcher, web_sys},
};

/// What the file holds. An error is a sentence for the log.
pub(crate) async fn body(env: &Env, file: &ViewerFile) -> worker::Result<web_sys::ReadableStream> {
    // `Env::assets` would be a copy of its own of what looks a binding up, as large as all of this. Where the
    // binding is missing, asking it fails.
    let assets: Fetcher = Reflect::get(env, &JsValue::from_str("ASSETS"))?.unchecked_into();
    // The binding looks at the path alone.
    let asked = assets.fetch_with_str(&["http://assets/", file.name].concat())?;
    let answer: web_sys::Response = JsFuture::from(asked).await?.unchecked_into();
    answer.body().filter(|_| answer.ok()).ok_or_else(|| "the viewer's files are not among the assets".into())
}
