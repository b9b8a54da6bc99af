//! How a command is run, and what it leaves.

use std::{
    path::Path,
    process::{Command, Output},
};

use crate::support::{Place, Serving, account, matterbook};

/// A service with an account, and a directory for files.
pub struct Firm {
    pub place: Place,
    pub account: String,
    pub key: String,
    pub serving: Serving,
}

impl Firm {
    pub fn new() -> Self {
        let place = Place::new();
        let (account, key) = account(&place.database());
        let serving = Serving::start(&place.database());
        Self { place, account, key, serving }
    }

    /// Writes a file next to the database and returns its name.
    pub fn write(&self, name: &str, text: &str) -> String {
        write(&self.place, name, text)
    }
}

/// Writes a file; hands back its name.
pub fn write(place: &Place, name: &str, text: &str) -> String {
    let path = place.file(name);
    std::fs::write(&path, text).expect("written");
    path.to_str().expect("a plain name").to_owned()
}

/// The command with the key where it belongs.
pub fn command(arguments: &[&str], origin: &str, key: &str) -> Command {
    let mut command = matterbook(arguments);
    command.args(["--url", origin]).env("MATTERBOOK_KEY", key);
    command
}

/// Runs the command to its end.
pub fn run(arguments: &[&str], origin: &str, key: &str) -> Ran {
    Ran::of(&command(arguments, origin, key).output().expect("the program starts"))
}

/// What a command that ended said.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub shown: String,
    pub said: String,
}

impl Ran {
    pub fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Self { status: output.status.code(), shown: text(&output.stdout), said: text(&output.stderr) }
    }

    /// The last line on stderr.
    pub fn sentence(&self) -> &str {
        self.said.lines().last().unwrap_or_default()
    }

    /// What `--json` printed.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.shown).unwrap_or_else(|_| panic!("JSON: {self:?}"))
    }
}

/// What a file holds.
pub fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).expect("a file of text")
}

/// The names of the files in a directory that begin so.
pub fn files(place: &Place, prefix: &str) -> Vec<String> {
    let directory = place.file("").read_dir().expect("a directory");
    let mut names: Vec<String> =
        directory.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.starts_with(prefix));
    names.sort();
    names
}

/// A table of so many clients; every tenth has a ZIP that cannot be read.
pub fn clients(rows: usize) -> String {
    let row = |number: usize| {
        let zip = if number % 10 == 9 { "123" } else { "62704" };
        format!("M-{number},Ana,Specimenez,{number} Sample St,{zip}\n")
    };
    "Matter ID,First Name,Last Name,Street,Zip Code\n".to_owned() + &(0..rows).map(row).collect::<String>()
}
