//! A program that reaches five rules of values and nothing else. `.ci/rules` builds it for wasm32 and checks
//! its size.

use std::{hint::black_box, process::ExitCode};

use matterbook_rules::normalize::{FieldValue, date, email, phone, state, zip};

fn main() -> ExitCode {
    let value = FieldValue::from(black_box("2134"));
    let are_read = [zip, state, phone, email].iter().all(|rule| rule(&value).is_ok()) && date(&value).is_ok();
    ExitCode::from(u8::from(are_read))
}
