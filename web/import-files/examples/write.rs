//! Writes the import page's files into a directory, for a host that stores them outside its program.
//!
//! ```sh
//! cargo run -p matterbook-import-files --features bytes --example write -- DIRECTORY
//! ```

use std::{env, error::Error, fs, path::PathBuf};

use matterbook_import_files::{FILES, content};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(env::args_os().nth(1).ok_or("name the directory to write into")?);
    fs::create_dir_all(&directory)?;
    for file in FILES {
        fs::write(directory.join(file.name), content(file.name).ok_or("the file has no content")?)?;
    }
    Ok(())
}
