//! The files of the console's import page, at `/app/files/`: its script in three parts, the module worker that the script starts, and
//! `matterbook-import-page` as wasm with the functions that call it.
//!
//! `build.rs` makes them: it compiles the wasm with cargo, once for all profiles of a workspace (decision 0106). Each
//! file is compressed with brotli and named after its content. With the feature `bytes` the program contains them.
//! Without it, the host stores them elsewhere.
//!
//! ```
//! use matterbook_import_files::{FILES, WORKER, file};
//!
//! assert_eq!(FILES.len(), 6);
//! assert!(file(WORKER.name).is_some_and(|file| file.media_type.starts_with("text/javascript")));
//! ```

use matterbook_core::api::ViewerFile;

/// A script's media type.
const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";
/// A wasm module's media type.
const WASM_TYPE: &str = "application/wasm";

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The `Content-Encoding` of every file. Browsers take it where they sign in: over HTTPS and on the machine itself.
pub const ENCODING: &str = "br";

/// All files.
pub static FILES: [&ViewerFile; 6] = [&SCRIPT, &COLUMNS, &PROBLEMS, &WORKER, &FUNCTIONS, &WASM];

/// The file with a name.
#[must_use]
pub fn file(name: &str) -> Option<&'static ViewerFile> {
    FILES.into_iter().find(|file| file.name == name)
}

/// The content of a file, by its name.
#[cfg(feature = "bytes")]
#[must_use]
pub fn content(name: &str) -> Option<&'static [u8]> {
    CONTENTS.iter().find(|(file, _)| *file == name).map(|(_, content)| *content)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script, the worker, its functions and the wasm, in the form in which they travel.
    #[test]
    fn the_page_loads_400_kilobytes_at_most() {
        let bytes: usize = FILES.iter().map(|file| file.length_bytes).sum();
        assert!(bytes <= 385_000, "{bytes} bytes, besides 15,000 for the page and its style");
    }
}
