//! The exact help text of every command, the completions and the manual pages.
//!
//! The expected texts are in `help/`, one file for each command: first `-h`, then `--help`. Rewrite them with
//!
//! ```sh
//! MATTERBOOK_RENEW_HELP=1 cargo test -p matterbook --test native help::
//! ```

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::{Place, run};

const RENEW: &str = "MATTERBOOK_RENEW_HELP";

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help")
}

fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The subcommands that a help text lists.
fn subcommands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    names.filter(|name| *name != "help").collect()
}

/// The help of a command and of all below it, by file name.
fn collect(command: &[&str], texts: &mut BTreeMap<String, String>) {
    let [short, long] = ["-h", "--help"].map(|flag| text(&[command, &[flag]].concat()));
    for name in subcommands(&short) {
        collect(&[command, &[name]].concat(), texts);
    }
    let name = [&["matterbook"], command].concat().join("-") + ".txt";
    texts.insert(name, format!("{short}\n--------\n\n{long}"));
}

fn texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    collect(&[], &mut texts);
    texts
}

#[test]
fn the_help_of_every_command_is_what_is_checked_in() {
    let texts = texts();
    assert!(texts.len() > 25, "{} commands", texts.len());
    if std::env::var_os(RENEW).is_some() {
        let _ = std::fs::remove_dir_all(directory());
        std::fs::create_dir(directory()).expect("a directory");
        for (name, text) in &texts {
            std::fs::write(directory().join(name), text).expect("written");
        }
    }
    let files = std::fs::read_dir(directory()).expect("the help texts").map(|entry| entry.expect("an entry").path());
    let kept: BTreeMap<String, String> = files
        .map(|file| {
            let name = file.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            (name, std::fs::read_to_string(&file).expect("text"))
        })
        .collect();
    let how = format!("Where this is as it should be: {RENEW}=1 cargo test -p matterbook --test native help::");
    let names = |texts: &BTreeMap<String, String>| texts.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&kept), names(&texts), "{how}");
    for (name, text) in &texts {
        assert!(kept[name] == *text, "{name} differs:\n{text}\n{how}");
    }
}

#[test]
fn each_shell_gets_a_script_with_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&["completions", shell]);
        for word in ["settlement", "mail-on", "metrics-listen", "doctor"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    let unknown = run(&["completions", "cmd"]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn bash_completes_commands_and_flags_by_the_script() {
    let place = Place::new();
    let script = place.file("matterbook.bash");
    std::fs::write(&script, text(&["completions", "bash"])).expect("written");
    let complete = |words: &str| {
        let ask = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _matterbook matterbook \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let output = Command::new("bash").args(["--norc", "-c", &ask]).output().expect("bash");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    assert_eq!(complete("matterbook doc"), "doctor");
    assert_eq!(complete("matterbook key rev"), "revoke");
    assert_eq!(complete("matterbook serve --metrics-l"), "--metrics-listen");
    assert_eq!(complete("matterbook serve --log ''"), "json text");
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let directory = place.file("man1");
    let refused = run(&["man", "--out", directory.to_str().expect("a plain name")]);
    assert_eq!(refused.status.code(), Some(1), "it does not make directories");
    std::fs::create_dir(&directory).expect("a directory");
    text(&["man", "--out", directory.to_str().expect("a plain name")]);
    for name in texts().keys() {
        let page = directory.join(name.replace(".txt", ".1"));
        let page = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
        let has_settings = matches!(name.as_str(), "matterbook.txt" | "matterbook-serve.txt" | "matterbook-doctor.txt");
        assert_eq!(page.contains("[env: MATTERBOOK_LISTEN]"), has_settings, "{name}: settings with their text");
    }
}

/// One set of flags can be given to every command, as from a script.
#[test]
fn a_flag_that_does_nothing_for_a_command_is_taken_and_not_in_its_help() {
    let place = Place::new();
    let (file, database) = (place.file("a.csv"), place.database());
    std::fs::write(&file, "Last Name\nLi\n").expect("written");
    let (file, database) = (file.to_str().expect("a plain name"), database.to_str().expect("a plain name"));
    let flags = [
        "--db",
        database,
        "--listen",
        "127.0.0.1:1",
        "--key-prefix",
        "abc_",
        "--operator-token",
        "t-of-thirty-two-characters-or-more",
    ];
    assert!(text(&[&["check", file], flags.as_slice()].concat()).contains("1 row taken as it is"));
    assert!(text(&[flags.as_slice(), &["check", file]].concat()).contains("1 row taken as it is"));
    let account = text(&[&["account", "create", "--email", "a@example.com", "--json"], flags.as_slice()].concat());
    let account: serde_json::Value = serde_json::from_str(&account).expect("JSON");
    let account = account["account"]["id"].as_str().expect("an id");
    let key = text(&[flags.as_slice(), &["key", "create", "--account", account]].concat());
    assert!(key.contains("abc_"), "what it uses is used: {key}");

    let help = |command: &[&str]| text(&[command, &["--help"]].concat());
    for (command, used, unused) in [
        (&["push"][..], &["--url", "--ca-file"][..], &["--db", "--operator-token", "--listen", "--key-prefix"][..]),
        (&["check"], &["--json"], &["--url", "--db", "--log"]),
        (&["key", "create"], &["--db", "--url", "--key-prefix"], &["--listen", "--log"]),
        (&["key", "list"], &["--db", "--url"], &["--key-prefix"]),
        (&["serve"], &["--db", "--listen", "--key-prefix"], &["--url", "--ca-file", "--json"]),
    ] {
        let help = help(command);
        let has = |flag: &&str| help.contains(&format!("  {flag} ")) || help.contains(&format!("  {flag}\n"));
        assert!(used.iter().all(has) && !unused.iter().any(has), "{command:?}: {help}");
    }
}
