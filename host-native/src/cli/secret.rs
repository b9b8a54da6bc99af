//! `matterbook secret`

use matterbook_core::{key::new_secret, platform::Platform as _};
use serde_json::json;

use super::outcome::Shown;
use crate::platform::SystemPlatform;

/// Makes a key secret. Nothing is stored.
pub(super) fn run() -> Shown {
    let secret = new_secret(SystemPlatform::default().random());
    let text = format!("{secret}\n");
    let hint = "Keep it secret, and keep it: without it every API key that was made with it is refused. Give it to \
                the service as MATTERBOOK_KEY_SECRET."
        .to_owned();
    Shown { hint: Some(hint), ..Shown::new(json!({"secret": {"secret": secret}}), text) }
}
