//! The files, their directory and their disk.

use std::{fs, path::Path};

use rusqlite::Connection;

use super::examined::{Examined, bytes, close, database};
use crate::support::Place;

#[test]
fn a_sound_database_that_nobody_serves_is_all_ok_but_for_the_service_and_stays_as_it_is() {
    let place = Place::new();
    database(&place);
    let before = bytes(&place);
    let examined = Examined::of(&place.database());
    examined
        .check("file", "ok", "matterbook.db, ")
        .check("journal", "ok", "a write-ahead log")
        .check("file mode", "ok", "Only the owner")
        .check("directory", "ok", "Only its owner")
        .check("schema", "ok", "It is schema ")
        .check("integrity", "ok", "Every page, row and index is whole.")
        .check("references", "ok", "")
        .check("clock", "ok", "the last commit was at ")
        .check("disk space", "ok", "are free")
        .check("open files", "ok", "Here a process may have ")
        .check("service", "warn", "Nothing answers at 127.0.0.1:1.");
    assert!(examined.complaints().iter().all(|check| ["service", "file system"].contains(check)), "{}", examined.text);
    assert_eq!(bytes(&place), before, "nothing is changed, and nothing is left behind");
}

#[test]
fn doctor_reports_a_file_that_is_not_a_database() {
    let place = Place::new();
    close(place.database().parent().expect("a directory"), 0o700);
    Examined::of(&place.database()).check("file", "wrong", "There is no database ");
    assert!(!place.database().exists(), "none is made");
    fs::write(place.database(), "first_name,last_name\n").expect("written");
    close(&place.database(), 0o600);
    Examined::of(&place.database()).check("file", "wrong", "is no SQLite database.");
    fs::write(place.database(), "").expect("written");
    Examined::of(&place.database()).check("file", "warn", "is empty");
    Examined::of(place.database().parent().expect("a directory")).check("file", "wrong", "is not a file.");
}

#[test]
fn files_and_directories_that_are_open_to_others_are_wrong() {
    let place = Place::new();
    database(&place);
    let directory = place.database().parent().expect("a directory").to_owned();
    close(&place.database(), 0o644);
    Examined::of(&place.database()).check("file mode", "wrong", "(mode 644)");
    close(&place.database(), 0o600);
    fs::write(place.file("matterbook.db-wal"), "").expect("written");
    close(&place.file("matterbook.db-wal"), 0o640);
    Examined::of(&place.database()).check("file mode", "wrong", "matterbook.db-wal can be opened by others");
    close(&place.file("matterbook.db-wal"), 0o600);

    close(&directory, 0o770);
    Examined::of(&place.database()).check("directory", "wrong", "and so replace the database (mode 770)");
    close(&directory, 0o755);
    Examined::of(&place.database()).check("directory", "warn", "may enter the directory");
    close(&directory, 0o500);
    Examined::of(&place.database()).check("directory", "wrong", "SQLite cannot create its log there");
    close(&directory, 0o700);
    assert!(!Examined::of(&place.database()).complaints().contains(&"directory"));
}

#[test]
fn a_database_without_a_write_ahead_log_is_told() {
    let place = Place::new();
    database(&place);
    let connection = Connection::open(place.database()).expect("a connection");
    connection.pragma_update(None, "journal_mode", "delete").expect("changed");
    drop(connection);
    let examined = Examined::of(&place.database());
    examined.check("journal", "warn", "It has no write-ahead log").check("integrity", "ok", "whole");
    assert!(examined.text.contains("Of a backup this is as it should be"), "{}", examined.text);
}

#[test]
fn doctor_reports_a_log_without_checkpoints() {
    let place = Place::new();
    database(&place);
    let log = fs::File::create(place.file("matterbook.db-wal")).expect("made");
    log.set_len(65 << 20).expect("room");
    fs::write(place.file("matterbook.db-shm"), "").expect("written");
    for name in ["matterbook.db-wal", "matterbook.db-shm"] {
        close(&place.file(name), 0o600);
    }
    Examined::of(&place.database()).check("log", "warn", "65.0 MiB").check("integrity", "ok", "whole");
}

#[test]
fn a_database_in_memory_is_told() {
    let memory = Path::new("/dev/shm");
    assert!(memory.is_dir(), "this test needs Linux's /dev/shm");
    let place = Place::within(memory);
    database(&place);
    Examined::of(&place.database()).check("file system", "warn", "The file system is tmpfs.");
}
