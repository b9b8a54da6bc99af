//! Which libraries the program brings into memory.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod support;

use std::fs;

use support::{Place, Serving};

/// A library of mathematics that is loaded for one function takes half a megabyte of an idle service.
#[test]
fn the_service_has_no_library_in_memory_but_the_c_librarys_and_the_compilers() {
    let place = Place::new();
    let serving = Serving::start(&place.database());
    let maps = fs::read_to_string(format!("/proc/{}/maps", serving.process.id())).expect("the system's list");
    let files = maps.lines().filter_map(|line| line.split_whitespace().nth(5)).filter(|file| file.contains(".so"));
    let expected = ["libc.so", "libgcc_s.so", "ld-linux"];
    let others: Vec<_> = files.filter(|file| !expected.iter().any(|expected| file.contains(expected))).collect();
    assert!(maps.contains("libc.so") && others.is_empty(), "{others:?}");
}
