//! The sync time of the disk, and a slower disk.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use crate::{Outcome, figures::Spread};

/// Milliseconds to append 4 KiB to a file and sync it.
///
/// # Errors
/// When the directory cannot be written to.
pub fn sync_time(directory: &Path) -> Outcome<Spread> {
    let path = directory.join("sync");
    let mut file = File::create(&path)?;
    let mut millis = Vec::new();
    for _ in 0..200 {
        file.write_all(&[7; 4_096])?;
        let began = Instant::now();
        file.sync_data()?;
        millis.push(began.elapsed().as_secs_f64() * 1e3);
    }
    std::fs::remove_file(path)?;
    Ok(Spread::of(millis))
}

/// Builds a library for `LD_PRELOAD` that makes each sync of a process take 2 ms; returns its file.
///
/// # Errors
/// When there is no C compiler.
pub fn slow_disk(directory: &Path) -> Outcome<PathBuf> {
    let (source, library) = (directory.join("slow_sync.c"), directory.join("slow_sync.so"));
    std::fs::write(&source, include_str!("slow_sync.c"))?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    match command.status() {
        Ok(status) if status.success() => Ok(library),
        Ok(status) => Err(format!("the C compiler ended with {status}").into()),
        Err(error) => Err(format!("the C compiler cannot be started: {error}").into()),
    }
}
