//! Files made for one test, and what `check` says of them.

use std::{
    path::PathBuf,
    process::{Output, Stdio},
};

use serde_json::{Value, json};

use crate::support::{Place, matterbook};

/// A file in a directory of its own.
pub struct TestFile {
    place: Place,
    path: PathBuf,
}

impl TestFile {
    pub fn new(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let file = Self::absent(name);
        std::fs::write(&file.path, bytes).expect("written");
        file
    }

    /// Only the name of a file.
    pub fn absent(name: &str) -> Self {
        let place = Place::new();
        let path = place.file(name);
        Self { place, path }
    }

    pub fn path(&self) -> &str {
        self.path.to_str().expect("a plain name")
    }

    /// The path of another file in its directory.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.place.file(name)
    }

    /// Runs `check` in the file's directory, so that sentences name the file alone.
    pub fn check(&self, arguments: &[&str]) -> Output {
        let name = self.path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        let mut command = matterbook(&["check", name]);
        command.args(arguments).current_dir(self.path.parent().expect("a directory")).stdin(Stdio::null());
        command.output().expect("the program starts")
    }

    /// The report for programs.
    pub fn report(&self, arguments: &[&str]) -> Report {
        let output = self.check(&[&["--json"], arguments].concat());
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        Report { json: json["check"].clone(), status: output.status.code(), sentence: sentence(&output) }
    }

    /// The status and the sentence of a file that cannot be read. Nothing is printed.
    pub fn refused(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.check(arguments);
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        (output.status.code(), sentence(&output))
    }
}

fn sentence(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8").trim_end().to_owned()
}

/// What `check --json` printed, and how it ended.
pub struct Report {
    pub json: Value,
    pub status: Option<i32>,
    pub sentence: String,
}

impl Report {
    /// The findings of a row, each as a line: a repair as `zip: 2134 → 02134`, an error as its sentence, a
    /// pair with the other row.
    pub fn findings(&self, row: u64) -> Vec<String> {
        let findings = self.json["findings"].as_array().expect("findings").iter();
        findings.filter(|finding| finding["row"] == json!(row)).map(line).collect()
    }

    /// Every finding with its row.
    pub fn all_findings(&self) -> Vec<(u64, String)> {
        let findings = self.json["findings"].as_array().expect("findings").iter();
        findings.map(|finding| (finding["row"].as_u64().expect("a row"), line(finding))).collect()
    }

    /// `header → field` of each column that is used.
    pub fn used_columns(&self) -> Vec<String> {
        let columns = self.json["columns"].as_array().expect("columns").iter();
        columns
            .filter_map(|column| Some(format!("{} → {}", column["header"].as_str()?, column["field"].as_str()?)))
            .collect()
    }

    pub fn count(&self, name: &str) -> u64 {
        self.json["summary"][name].as_u64().expect("a count")
    }
}

fn line(finding: &Value) -> String {
    let text = |name: &str| match &finding[name] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text("status").as_str() {
        "repaired" => format!("{}: {} → {}", text("field"), text("from"), text("to")),
        "duplicate" => format!("duplicate of {} by {}", text("with_row"), text("matched_by")),
        "conflict" => format!("conflict with {}: {}", text("with_row"), text("message")),
        "error" => text("message"),
        "incomplete" => format!("incomplete: {}", text("message")),
        other => other.to_owned(),
    }
}
