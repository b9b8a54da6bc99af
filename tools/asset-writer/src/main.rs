//! Writes the files of the viewer and of the console's import page into a directory, for a host that stores them outside
//! its program: `matterbook-asset-writer DIRECTORY`

use std::{env, error::Error, fs, path::PathBuf};

use matterbook_import_files::FILES;
use matterbook_viewer::VIEWER;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(env::args_os().nth(1).ok_or("name the directory to write into")?);
    // Files of another version must not remain.
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    fs::create_dir_all(&directory)?;
    let viewer = VIEWER.files.iter().chain([&VIEWER.description, &VIEWER.page]);
    let viewer = viewer.map(|file| (file.name, matterbook_viewer::content(file.name)));
    let import_page = FILES.iter().map(|file| (file.name, matterbook_import_files::content(file.name)));
    for (name, content) in viewer.chain(import_page) {
        fs::write(directory.join(name), content.ok_or("the file has no content")?)?;
    }
    Ok(())
}
