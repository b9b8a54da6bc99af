//! `conformance`: runs every case of the suite against a running service and says what holds.
//!
//! Exit status 0 when everything holds, 1 when something does not, 2 when it cannot be told.

use std::process::ExitCode;

use clap::Parser;
use matterbook_conformance::wire::{Case, OverHttp, Service as _, UnusableUrl, Verdict, cases, run_all};
use serde_json::json;

/// Holds a running service to everything that a Matterbook answers.
///
/// The suite makes accounts of its own through the operator API and leaves them there. Each case
/// waits out the service's delays, so run the service with short ones.
#[derive(Parser)]
#[command(name = "conformance", version)]
struct Options {
    /// Where the service is, with or without /api/v1.
    #[arg(long, value_name = "URL")]
    url: String,
    /// Opens the service's operator API.
    #[arg(long, value_name = "TOKEN", env = "MATTERBOOK_OPERATOR_TOKEN", hide_env_values = true)]
    operator_token: String,
    /// Only the cases whose name contains this.
    #[arg(long, value_name = "SUBSTRING")]
    only: Option<String>,
    /// How many cases run at once.
    #[arg(long, value_name = "COUNT", default_value_t = 16)]
    at_once: usize,
    /// The verdicts as one JSON object.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match judge(&options) {
        Ok(verdicts) => {
            if options.json {
                print_json(&verdicts);
            } else {
                print_table(&verdicts);
            }
            if verdicts.iter().all(|verdict| verdict.failure.is_none()) { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(UnusableUrl(sentence)) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}

fn judge(options: &Options) -> Result<Vec<Verdict>, UnusableUrl> {
    let service = OverHttp::connect(&options.url, &options.operator_token)?;
    service.facts().suitable_on_a_real_clock().map_err(UnusableUrl)?;
    let wanted = |case: &&'static Case| options.only.as_deref().is_none_or(|part| case.name.contains(part));
    let chosen: Vec<&'static Case> = cases::all().filter(wanted).collect();
    if chosen.is_empty() {
        return Err(UnusableUrl("No case has a name like that.".to_owned()));
    }
    Ok(run_all(&chosen, &service, options.at_once))
}

fn print_table(verdicts: &[Verdict]) {
    let width = verdicts.iter().map(|verdict| verdict.case.name.len()).max().unwrap_or_default();
    let rules_width = verdicts.iter().map(|verdict| verdict.case.rules.len()).max().unwrap_or_default();
    for Verdict { case, failure, took } in verdicts {
        let word = if failure.is_none() { "pass" } else { "FAIL" };
        println!("{:<width$}  {:<rules_width$}  {word}  {:>6} ms", case.name, case.rules, took.as_millis());
    }
    let failed: Vec<String> = verdicts.iter().filter_map(|verdict| verdict.held().err()).collect();
    for failure in &failed {
        println!("\n{failure}");
    }
    println!("\n{} cases, {} passed, {} failed", verdicts.len(), verdicts.len() - failed.len(), failed.len());
}

fn print_json(verdicts: &[Verdict]) {
    let cases: Vec<_> = verdicts
        .iter()
        .map(|Verdict { case, failure, took }| {
            let failure = failure
                .as_ref()
                .map(|failure| json!({"sent": failure.sent, "expected": failure.expected, "came": failure.came}));
            json!({
                "name": case.name,
                "rules": case.rules,
                "passed": failure.is_none(),
                "took_ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
                "failure": failure,
            })
        })
        .collect();
    let failed = verdicts.iter().filter(|verdict| verdict.failure.is_some()).count();
    println!("{}", json!({"cases": cases, "passed": verdicts.len() - failed, "failed": failed}));
}
