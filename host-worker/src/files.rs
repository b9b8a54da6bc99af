//! The files of the viewer and of the console's import page, which are uploaded with the module as assets.

use matterbook_core::api::ViewerFile;
use worker::{Env, Method, Request};

/// Reads a file. An error is a sentence for the log.
pub(crate) async fn read(env: &Env, file: &ViewerFile) -> worker::Result<Vec<u8>> {
    // The binding ignores the host of the URL.
    let request = Request::new(&format!("http://assets/{}", file.name), Method::Get)?;
    // With options in place of a request, the code of all options would be part of the module.
    let mut response = env.assets("ASSETS")?.fetch_request(request).await?;
    if response.status_code() != 200 {
        return Err("the file is not among the assets".into());
    }
    response.bytes().await
}
