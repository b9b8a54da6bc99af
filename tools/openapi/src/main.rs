//! Writes the OpenAPI documents anew, in the directory of the project.

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for document in matterbook_openapi::documents() {
        fs::write(project.join(document.path), document.text)?;
        println!("{}", document.path);
    }
    Ok(())
}
