//! The viewer's files and the description of the API: they are uploaded beside the module, as assets, and read
//! only when asked for.

use matterbook_core::api::ViewerFile;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{
    Env,
    js_sys::{Object, Reflect, futures::JsFuture},
    worker_sys::{Fetcher, web_sys},
};

/// What the file holds, whole, so that the answer says how long it is. An error is a sentence for the log.
pub(crate) async fn body(env: &Env, file: &ViewerFile) -> worker::Result<Object> {
    // `Env::assets` would be a copy of its own of what looks a binding up, as large as all of this. Where the
    // binding is missing, asking it fails.
    let assets: Fetcher = Reflect::get(env, &JsValue::from_str("ASSETS"))?.unchecked_into();
    // The binding looks at the path alone.
    let asked = assets.fetch_with_str(&["http://assets/", file.name].concat())?;
    let answer: web_sys::Response = JsFuture::from(asked).await?.unchecked_into();
    if !answer.ok() {
        return Err("the file is not among the assets".into());
    }
    Ok(JsFuture::from(answer.array_buffer()?).await?.unchecked_into())
}
