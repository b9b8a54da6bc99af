//! `host-worker/deploy`, with a wrangler that only records what it is asked and "deploys" a Worker of this
//! machine. Nothing here reaches Cloudflare.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use matterbook_conformance::wire::{Answer, Firm};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{OPERATOR_TOKEN, Served, state};

/// The ids of new databases, in the order in which they are created.
const DATABASE_IDS: [&str; 2] = ["3f1c0a52-0000-4000-8000-5c2d90f7b1e4", "a94d7e16-0000-4000-8000-e08b35c1f627"];

/// A copy of the scripts whose wrangler is a stub.
struct Copy {
    directory: TempDir,
}

impl Copy {
    /// `state` is the database of the Worker at `url`, which counts as deployed.
    fn new(url: &str, state: &Path) -> Self {
        let copy = Self { directory: tempfile::tempdir().expect("a directory") };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::create_dir_all(copy.path("node_modules/.bin")).expect("a directory");
        for file in [
            "deploy",
            "deploy.mjs",
            "test-deployment.mjs",
            "remove-test-account.sql",
            "wrangler.toml",
            "wrangler.objects.toml",
            "tools",
        ] {
            fs::copy(here.join(file), copy.path(file)).expect("a copy");
        }
        fs::copy(here.join("../rust-toolchain.toml"), copy.directory.path().join("rust-toolchain.toml"))
            .expect("a copy");
        fs::copy(here.join("package-lock.json"), copy.path("package-lock.json")).expect("a copy");
        fs::copy(here.join("package-lock.json"), copy.path("node_modules/.matterbook-lock")).expect("a copy");
        symlink(here.join("node_modules/wrangler"), copy.path("node_modules/wrangler")).expect("a link");
        let stub = format!(
            r#"#!/usr/bin/env bash
set -eu
cd '{files}'
printf '%s\n' "$*" >>commands
case "$*" in
  whoami) [ -e session ] || echo 'You are not authenticated. Please run `wrangler login`.' ;;
  "d1 list "*) echo "[$(paste -sd, databases)]" ;;
  "d1 create "*)
    ids=({ids})
    echo '{{"name":"'"$3"'","uuid":"'"${{ids[$(wc -l <databases)]}}"'"}}' >>databases ;;
  "secret list "*)
    [ -e deployed ] || {{ echo 'This Worker does not exist on your account. [code: 10007]' >&2; exit 1; }}
    cat secrets 2>/dev/null || echo '[]' ;;
  "secret put MATTERBOOK_OPERATOR_TOKEN "*)
    [ "$(cat)" = '{OPERATOR_TOKEN}' ] ;;
  "secret put MATTERBOOK_KEY_SECRET "*)
    [ "$(wc -c)" = 43 ]
    echo '[{{"name":"MATTERBOOK_OPERATOR_TOKEN"}},{{"name":"MATTERBOOK_KEY_SECRET"}}]' >secrets ;;
  "deploy "*)
    touch deployed
    echo '{{"type":"deploy","targets":["{url}"]}}' >"$WRANGLER_OUTPUT_FILE_PATH" ;;
  "d1 execute "*)
    cd '{here}'
    node_modules/.bin/wrangler d1 execute DB --local --persist-to '{state}' --command "${{@: -1}}" >/dev/null ;;
esac
"#,
            ids = DATABASE_IDS.join(" "),
            files = copy.directory.path().display(),
            here = here.display(),
            state = state.display(),
        );
        fs::write(copy.path("node_modules/.bin/wrangler"), stub).expect("a stub");
        for file in ["session", "databases"] {
            fs::write(copy.directory.path().join(file), "").expect("a file");
        }
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(copy.path("node_modules/.bin/wrangler"), executable).expect("permissions");
        copy
    }

    fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join("host-worker").join(file)
    }

    /// Takes the further database into use that the configuration with objects has as a comment.
    fn add_database(&self, placeholder: &str) {
        let file = self.path("wrangler.objects.toml");
        let mut configured = fs::read_to_string(&file).expect("a configuration");
        for start in ["[[d1_databases]]", "binding = ", "database_name = ", "database_id = ", "migrations_dir = "] {
            configured = configured.replace(&format!("\n# {start}"), &format!("\n{start}"));
        }
        let configured = configured.replace("00000000-0000-0000-0000-000000000002", placeholder);
        fs::write(file, configured).expect("a configuration");
    }

    fn deploy(&self, arguments: &[&str], token: Option<&str>) -> Output {
        self.deploy_in("d1", arguments, token)
    }

    fn deploy_in(&self, profile: &str, arguments: &[&str], token: Option<&str>) -> Output {
        let mut command = Command::new(self.path("deploy"));
        command
            .args(arguments)
            .env("MATTERBOOK_PROFILE", profile)
            .env_remove("MATTERBOOK_OPERATOR_TOKEN")
            .env_remove("MATTERBOOK_KEY_SECRET")
            .stdin(Stdio::null());
        command.envs(token.map(|token| ("MATTERBOOK_OPERATOR_TOKEN", token))).output().expect("deploy runs")
    }

    /// What wrangler was asked since the last call, without the path of the configuration.
    fn commands(&self) -> Vec<String> {
        let file = self.directory.path().join("commands");
        let commands = fs::read_to_string(&file).unwrap_or_default();
        let _ = fs::remove_file(file);
        let configuration = format!(" --config {}", self.path("wrangler.deploy.toml").display());
        commands.lines().map(|line| line.replace(&configuration, "")).collect()
    }
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("text")
}

/// The lines of a configuration that give a database its id.
fn with_id(name: &str, id: &str) -> String {
    format!("\ndatabase_name = \"{name}\"\ndatabase_id = \"{id}\"\n")
}

/// The tables whose rows belong to an account that does not exist, except the operator's log, which keeps its entries.
fn tables_with_remains(served: &Served) -> Vec<String> {
    let database = served.database();
    let mut tables = database
        .prepare("select m.name from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'account_id' and m.name <> 'operator_log'")
        .expect("a query");
    let names: Vec<String> =
        tables.query_map([], |row| row.get(0)).expect("rows").map(|name| name.expect("a name")).collect();
    assert!(names.len() >= 9, "{names:?}");
    let has_remains = |table: &String| {
        let sql = format!("select count(*) from {table} where account_id not in (select id from accounts)");
        database.query_row(&sql, [], |row| row.get::<_, i64>(0)).expect("a count") > 0
    };
    names.into_iter().filter(has_remains).collect()
}

#[test]
fn a_deployment_with_objects_leaves_a_suspended_test_account_without_a_key() {
    let state = state();
    let served = Served::start(state.path(), &[("MATTERBOOK_PROFILE", "objects")]);
    let copy = Copy::new(&served.worker.url, state.path());
    let output = copy.deploy_in("objects", &["--location", "enam"], Some(OPERATOR_TOKEN));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("the account of the test is suspended"), "{said}");
    assert!(copy.commands().iter().all(|command| !command.starts_with("d1 execute")), "no rows are deleted");
    let written = fs::read_to_string(copy.path("wrangler.deploy.toml")).expect("a configuration");
    assert!(written.contains("class_name = \"Account\"") && written.contains(DATABASE_IDS[0]), "{written}");
    assert_eq!(served.count("select count(*) from accounts where suspended = 1"), 1, "the account");
    assert_eq!(served.count("select count(*) from api_keys where revoked_at is null"), 0, "its key");
    served.stop();
}

#[test]
fn a_deployment_with_a_further_database_creates_and_migrates_both() {
    let state = state();
    let served = Served::start(state.path(), &[("MATTERBOOK_PROFILE", "objects")]);
    let copy = Copy::new(&served.worker.url, state.path());
    copy.add_database("00000000-0000-0000-0000-000000000027");
    let output = copy.deploy_in("objects", &["--location", "enam"], Some(OPERATOR_TOKEN));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let lines = "database matterbook: created\ndatabase matterbook-prospects-tx-2027: created\nmigrations: applied\n";
    assert!(said.starts_with(lines) && said.matches("migrations: applied").count() == 1, "{said}");
    let commands = copy.commands();
    let of_databases: Vec<&String> = commands.iter().filter(|command| command.starts_with("d1 ")).collect();
    let expected = [
        "d1 list --json",
        "d1 create matterbook --location enam",
        "d1 list --json",
        "d1 create matterbook-prospects-tx-2027 --location enam",
        "d1 list --json",
        "d1 migrations apply DB --remote --env=",
        "d1 migrations apply PROSPECTS_TX_2027 --remote --env=",
    ];
    assert_eq!(of_databases, expected);
    let written = fs::read_to_string(copy.path("wrangler.deploy.toml")).expect("a configuration");
    assert!(written.contains(&with_id("matterbook", DATABASE_IDS[0])), "{written}");
    assert!(written.contains(&with_id("matterbook-prospects-tx-2027", DATABASE_IDS[1])), "{written}");
    let of_staging = with_id("matterbook-staging", "00000000-0000-0000-0000-000000000001");
    assert!(written.contains(&of_staging), "it is not known yet: {written}");

    // The second deployment finds both, and migrates both again.
    let output = copy.deploy_in("objects", &[], Some(OPERATOR_TOKEN));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let lines = "database matterbook: exists\ndatabase matterbook-prospects-tx-2027: exists\nmigrations: applied\n";
    assert!(said.starts_with(lines), "{said}");
    let commands = copy.commands();
    assert!(!commands.iter().any(|command| command.starts_with("d1 create")), "{commands:#?}");
    assert_eq!(commands.iter().filter(|command| command.starts_with("d1 migrations apply")).count(), 2);
    served.stop();
}

#[test]
fn databases_that_share_a_placeholder_are_refused_before_one_is_created() {
    let further = "matterbook-prospects-tx-2027";
    for (placeholder, first, second) in [
        ("00000000-0000-0000-0000-000000000000", "matterbook", further),
        // That of the other environment would be replaced with it.
        ("00000000-0000-0000-0000-000000000001", further, "matterbook-staging"),
    ] {
        let copy = Copy::new("http://127.0.0.1:1", Path::new("."));
        copy.add_database(placeholder);
        let output = copy.deploy_in("objects", &[], Some(OPERATOR_TOKEN));
        assert_eq!(output.status.code(), Some(1));
        let sentence = format!(
            "The databases {first} and {second} share the database_id {placeholder}: change the last two digits of one.\n"
        );
        assert_eq!(text(&output.stderr), sentence);
        assert_eq!(copy.commands(), ["whoami"]);
    }
}

#[test]
fn a_first_deployment_creates_migrates_uploads_and_leaves_no_test_account() {
    let state = state();
    let served = Served::start(state.path(), &[]);
    let firm = Firm::open(&served.http).expect("a firm");
    firm.create(&json!({"last_name": "Ray"})).expect("a client");
    let settings = firm.operator().call("GET", "/settings").and_then(Answer::ok).expect("the settings");
    assert!(settings.at("/settings/database_bytes").as_u64() > Some(10_000), "an operator sees the database's size");
    let copy = Copy::new(&served.worker.url, state.path());

    let output = copy.deploy(&["--env", "staging", "--location", "enam"], Some(OPERATOR_TOKEN));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let commands = copy.commands();
    let starts = [
        "whoami",
        "d1 list --json",
        "d1 create matterbook-staging --location enam",
        "d1 list --json",
        "secret list --env=staging",
        "d1 migrations apply DB --remote --env=staging",
        "deploy --env=staging",
        "secret put MATTERBOOK_OPERATOR_TOKEN --env=staging",
        "secret put MATTERBOOK_KEY_SECRET --env=staging",
        // Before the test, in case an earlier one was interrupted, and after it.
        "d1 execute DB --remote --yes --env=staging --command delete",
        "d1 execute DB --remote --yes --env=staging --command delete",
    ];
    assert_eq!(commands.len(), starts.len(), "{commands:#?}");
    for (command, start) in commands.iter().zip(starts) {
        assert!(command.starts_with(start), "{commands:#?}");
    }
    let said = text(&output.stdout);
    assert!(!said.contains(OPERATOR_TOKEN), "a token that was given is not shown: {said}");
    assert!(said.contains("key secret: created. It is not shown again"), "{said}");
    assert!(said.contains("the account of the test is removed"), "{said}");

    let written = fs::read_to_string(copy.path("wrangler.deploy.toml")).expect("a configuration");
    assert!(written.contains(&with_id("matterbook-staging", DATABASE_IDS[0])), "{written}");
    assert!(written.contains("database_id = \"00000000-0000-0000-0000-000000000000\""), "the other is not known yet");
    assert_eq!(tables_with_remains(&served), Vec::<String>::new());
    assert_eq!(served.count("select count(*) from accounts"), 1, "the account of the test is removed");
    firm.get("/me").and_then(Answer::ok).expect("other accounts stay");

    // The second deployment creates nothing.
    let output = copy.deploy(&["--env", "staging"], Some(OPERATOR_TOKEN));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let commands = copy.commands();
    assert!(
        !commands.iter().any(|command| command.contains("create") || command.contains("secret put")),
        "{commands:#?}"
    );

    // The test needs the token that the Worker has.
    let output = copy.deploy(&["--env", "staging"], None);
    assert_eq!(output.status.code(), Some(1));
    let sentence = "The Worker has an operator token already. Set MATTERBOOK_OPERATOR_TOKEN to it: the test of the \
                    deployment needs it.\n";
    assert_eq!(text(&output.stderr), sentence);
    assert!(!copy.commands().iter().any(|command| command.starts_with("deploy")), "nothing is deployed");
}

#[test]
fn without_a_sign_in_nothing_is_created() {
    let copy = Copy::new("http://127.0.0.1:1", Path::new("."));
    fs::remove_file(copy.directory.path().join("session")).expect("a file");
    let output = copy.deploy(&[], None);
    assert_eq!(output.status.code(), Some(1));
    let sentence = "Sign in to Cloudflare first: npx wrangler login, or set CLOUDFLARE_API_TOKEN.\n";
    assert_eq!(text(&output.stderr), sentence);
    assert_eq!(copy.commands(), ["whoami"]);
}

#[test]
fn a_short_operator_token_is_refused_before_anything_is_done() {
    let copy = Copy::new("http://127.0.0.1:1", Path::new("."));
    for token in ["short", "of-thirty-one-characters-------", "of thirty-two characters --------"] {
        let output = copy.deploy(&[], Some(token));
        assert_eq!(output.status.code(), Some(1));
        let sentence = "MATTERBOOK_OPERATOR_TOKEN must have at least 32 visible ASCII characters without spaces, \
                        because it opens every account. This command makes one: openssl rand -hex 32.\n";
        assert_eq!(text(&output.stderr), sentence);
        assert!(copy.commands().is_empty(), "wrangler is not asked");
    }
}

#[test]
fn invalid_arguments_of_a_deployment_print_the_usage() {
    let copy = Copy::new("http://127.0.0.1:1", Path::new("."));
    for (arguments, sentence) in [
        (&["--env", "test"][..], "--env must be staging, or be left out."),
        (&["--location", "enam", "--jurisdiction", "eu"], "Give --location or --jurisdiction, not both."),
        (&["--nothing"], "Unknown option '--nothing'"),
    ] {
        let output = copy.deploy(arguments, None);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.starts_with(sentence) && said.contains("\nusage: host-worker/deploy "), "{said}");
        assert!(copy.commands().is_empty(), "wrangler is not asked");
    }
}
