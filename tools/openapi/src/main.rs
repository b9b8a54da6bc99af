//! Writes the OpenAPI documents into the project's directory.

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for document in matterbook_openapi::documents() {
        fs::write(project.join(document.path), document.text)?;
        println!("{}", document.path);
    }
    Ok(())
}
