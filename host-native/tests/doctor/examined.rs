//! An examination, and what is expected of it.

use std::{collections::BTreeMap, os::unix::fs::PermissionsExt as _, path::Path};

use serde_json::Value;

use crate::support::{Place, Serving, account, batch, matterbook};

/// An address where nothing answers.
pub const NOWHERE: &str = "127.0.0.1:1";

/// What `doctor` printed.
pub struct Examined {
    pub status: Option<i32>,
    pub text: String,
    findings: Vec<Value>,
}

impl Examined {
    /// Of a database by a service that does not run.
    pub fn of(database: &Path) -> Self {
        Self::with(database, &[], &[])
    }

    /// With these flags and variables, which win.
    pub fn with(database: &Path, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = matterbook(&["doctor", "--json", "--db"]);
        command.arg(database).args(flags).env("MATTERBOOK_LISTEN", NOWHERE).envs(variables.iter().copied());
        Self::run(command)
    }

    /// What this command prints.
    pub fn run(mut command: std::process::Command) -> Self {
        let output = command.output().expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("text");
        let json: Value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
        let findings = json["doctor"]["findings"].as_array().expect("findings").clone();
        Self { status: output.status.code(), text, findings }
    }

    /// Holds that a thing was found so, in these words; that what is not ok says what fixes it; and that the
    /// exit status is that of the worst.
    #[track_caller]
    pub fn check(&self, check: &str, verdict: &str, words: &str) -> &Self {
        let of_check = self.findings.iter().filter(|finding| finding["check"] == check);
        let found: Vec<_> = of_check.collect();
        let is_so = |finding: &&Value| {
            let message = finding["message"].as_str().expect("a sentence");
            finding["verdict"] == verdict && message.contains(words) && message.ends_with('.')
        };
        assert!(found.iter().any(is_so), "{check} {verdict} {words}: {:#?}", self.findings);
        for finding in &self.findings {
            assert_eq!(finding["fix"].is_string(), finding["verdict"] != "ok", "{finding}");
        }
        let is_wrong = self.findings.iter().any(|finding| finding["verdict"] == "wrong");
        assert_eq!(self.status, Some(i32::from(is_wrong)), "{:#?}", self.findings);
        self
    }

    /// The checks that are not ok.
    pub fn complaints(&self) -> Vec<&str> {
        let complaints = self.findings.iter().filter(|finding| finding["verdict"] != "ok");
        complaints.map(|finding| finding["check"].as_str().expect("a name")).collect()
    }
}

/// A database with an account and some clients. No process has it open; only its owner may enter its
/// directory.
pub fn database(place: &Place) -> String {
    close(place.database().parent().expect("a directory"), 0o700);
    let (_, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch((0..50).map(|id| id.to_string()))).0, 200);
    serving.signal("TERM");
    assert!(serving.process.wait().expect("an end").success());
    key
}

/// Sets what may be done with a file.
pub fn close(file: &Path, mode: u32) {
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).expect("its owner");
}

/// Every file of a directory, with its bytes.
pub fn bytes(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let directory = place.database();
    let entries = std::fs::read_dir(directory.parent().expect("a directory")).expect("entries");
    entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            (path.display().to_string(), std::fs::read(&path).expect("bytes"))
        })
        .collect()
}
