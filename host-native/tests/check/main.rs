//! `matterbook check`: files as spreadsheets and case systems export them, and what is said of them.

mod bombs;
mod documentation;
mod duplicates;
mod encodings;
mod file;
mod json_lines;
mod memory;
mod output;
mod package;
mod refusals;
#[path = "../support/mod.rs"]
mod support;
mod values;
mod workbooks;
