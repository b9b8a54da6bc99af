//! The tests of a package are modules of few programs, so each file has to be named by one of them: a file
//! that none names would never run.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The packages whose test programs are listed in their `Cargo.toml`.
const PACKAGES: [&str; 4] = ["conformance", "host-native", "host-worker", "store-sql"];

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The modules in a directory whose parent does not declare them, and those of its own modules.
fn undeclared(directory: &Path, parent: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let root = path.join("mod.rs");
        let is_module = root.exists() || path.extension().is_some_and(|extension| extension == "rs");
        if !is_module || ["main", "mod"].contains(&stem.as_str()) {
            continue;
        }
        let is_declared = parent.lines().any(|line| {
            let line = line.trim_start_matches("pub ");
            line == format!("mod {stem};") || line == format!("path = \"tests/{stem}.rs\"")
        });
        if !is_declared {
            found.push(path.clone());
        }
        if root.exists() {
            undeclared(&path, &read(&root), found);
        }
    }
}

#[test]
fn every_file_of_tests_is_part_of_a_test_program() {
    for package in PACKAGES {
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package);
        let roots = read(&package.join("Cargo.toml")) + &read(&package.join("tests/main.rs"));
        let mut found = Vec::new();
        undeclared(&package.join("tests"), &roots, &mut found);
        assert_eq!(found, Vec::<PathBuf>::new(), "declare them in the module above");
    }
}
