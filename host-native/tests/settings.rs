//! Settings: each a flag and an environment variable, the flag wins, and a bad one stops the start
//! (rules L9 and W10).

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::support::{Place, Serving, matterbook};

/// `serve` with these flags and variables ends with status 2 and exactly this sentence.
fn check(flags: &[&str], variables: &[(&str, &str)], sentence: &str) {
    let place = Place::new();
    let mut command = matterbook(&["serve", "--db", place.database().to_str().expect("a plain name")]);
    let output = command.args(flags).envs(variables.iter().copied()).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2), "{flags:?} {variables:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("{sentence}\n"));
    assert!(!place.database().exists(), "nothing was begun");
}

#[test]
fn a_bad_setting_stops_the_start_with_a_sentence() {
    let number = "must be a whole number from 0 to 10000.";
    check(&[], &[("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "x")], &format!("MATTERBOOK_RATE_LIMIT_PER_MINUTE {number}"));
    check(&["--rate-limit-per-minute", "10001"], &[], &format!("--rate-limit-per-minute {number}"));
    let delay = "must be a whole number from 0 to 86400.";
    check(&["--client-delay-seconds=-1"], &[], &format!("--client-delay-seconds {delay}"));
    let prefix = "must be three letters or digits and an underscore, such as mtb_.";
    check(&["--key-prefix", "key"], &[("MATTERBOOK_KEY_PREFIX", "abc_")], &format!("--key-prefix {prefix}"));
    check(&[], &[("MATTERBOOK_LOG", "xml")], "MATTERBOOK_LOG must be json or text.");
    check(&["--behind-proxy=maybe"], &[], "--behind-proxy must be true or false.");
    let token = "must have at least 32 characters, because it opens every account. This command makes one: openssl rand \
                 -hex 32.";
    check(&[], &[("MATTERBOOK_OPERATOR_TOKEN", &"x".repeat(31))], &format!("MATTERBOOK_OPERATOR_TOKEN {token}"));
    let listen = "must be an address and a port, such as 127.0.0.1:8080.";
    check(&["--listen", "8080"], &[], &format!("--listen {listen}"));
}

#[test]
fn an_empty_variable_is_none_and_a_flag_wins() {
    let place = Place::new();
    let mut command = matterbook(&["serve", "--key-prefix", "abc_", "--listen", "nonsense"]);
    command.env("MATTERBOOK_KEY_PREFIX", "key").env("MATTERBOOK_LOG", "").env("MATTERBOOK_DB", place.database());
    let output = command.output().expect("the program starts");
    // The bad variable is not looked at, the bad flag is.
    let sentence = "--listen must be an address and a port, such as 127.0.0.1:8080.\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), sentence);
}

#[test]
fn a_port_that_is_taken_stops_the_start_with_a_sentence() {
    let place = Place::new();
    let serving = Serving::start(&place.database());
    let address = serving.origin.trim_start_matches("http://");
    let other = place.file("other.db");
    let mut command = matterbook(&["serve", "--listen", address, "--db", other.to_str().expect("a plain name")]);
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(sentence.starts_with(&format!("{address} cannot be listened on: ")), "{sentence}");
}

#[test]
fn a_refused_command_or_start_leaves_no_new_file() {
    let place = Place::new();
    let database = place.file("new.db");
    let name = database.to_str().expect("a plain name");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    for arguments in [
        vec!["account", "create", "--email", "no address", "--db", name],
        vec!["prospect", "import", "no-such-file.csv", "--db", name],
        vec!["serve", "--listen", &address, "--db", name],
        vec!["serve", "--listen", "127.0.0.1:0", "--operator-listen", &address, "--db", name],
    ] {
        let output = matterbook(&arguments).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let files: Vec<_> = std::fs::read_dir(database.parent().expect("a directory")).expect("files").collect();
        assert!(files.is_empty(), "{arguments:?}: {files:?}");
    }
}

#[test]
fn a_start_warns_of_an_unknown_variable_and_of_an_address_that_others_reach() {
    let warned = |flags: &[&str], variables: &[(&str, &str)]| {
        let place = Place::new();
        let mut command = matterbook(&["serve"]);
        command.args(flags).env("MATTERBOOK_DB", place.database()).env("MATTERBOOK_LISTEN", "127.0.0.1:0");
        let command = command.envs(variables.iter().copied()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let log = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let lines = log.map(|line| line.expect("a line")).take_while(|line| !line.contains(" listening "));
        let warnings: Vec<String> = lines.filter(|line| line.contains(" WARN ")).collect();
        process.kill().and_then(|()| process.wait()).expect("an end");
        warnings
    };
    assert_eq!(warned(&[], &[("MATTERBOOK_KEY", "k")]), Vec::<String>::new());
    let warnings = warned(&[], &[("MATTERBOOK_RATE_LIMIT", "5")]);
    assert!(warnings.len() == 1 && warnings[0].contains("MATTERBOOK_RATE_LIMIT"), "{warnings:?}");
    let warnings = warned(&["--listen", "0.0.0.0:0"], &[]);
    assert!(warnings.len() == 1 && warnings[0].contains("--behind-proxy"), "{warnings:?}");
    assert_eq!(warned(&["--listen", "0.0.0.0:0", "--behind-proxy"], &[]), Vec::<String>::new());
}
