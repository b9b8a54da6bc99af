//! The files of the viewer and of the console's import page, which are uploaded with the module as assets.

use matterbook_core::api::ViewerFile;
use worker::Env;

/// Reads a file. An error is a sentence for the log.
pub(crate) async fn read(env: &Env, file: &ViewerFile) -> worker::Result<Vec<u8>> {
    // The binding ignores the host of the URL.
    let mut response = env.assets("ASSETS")?.fetch(format!("http://assets/{}", file.name), None).await?;
    if response.status_code() != 200 {
        return Err("the file is not among the assets".into());
    }
    response.bytes().await
}
