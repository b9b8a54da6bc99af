//! `matterbook check`: files as spreadsheets and case systems export them, and what is said of them.

mod bombs;
mod documentation;
mod duplicates;
mod encodings;
mod file;
mod json_lines;
mod kept_mapping;
mod layouts;
mod memory;
mod output;
mod package;
mod refusals;
mod splits;
mod unreadable;
mod values;
mod workbooks;
