//! Writes the viewer's files into a directory, for a host that stores them outside its program.
//!
//! ```sh
//! cargo run -p matterbook-viewer --features bytes --example write -- DIRECTORY
//! ```

use std::{env, error::Error, fs, path::PathBuf};

use matterbook_viewer::{VIEWER, content};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(env::args_os().nth(1).ok_or("name the directory to write into")?);
    // Files of another version must not remain.
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    fs::create_dir_all(&directory)?;
    for file in VIEWER.files.iter().chain([&VIEWER.description, &VIEWER.page]) {
        fs::write(directory.join(file.name), content(file.name).ok_or("the file has no content")?)?;
    }
    Ok(())
}
