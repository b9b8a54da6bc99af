//! `conformance`: runs every case of the suite against a running service and says what holds.
//!
//! Exit status 0 when everything holds, 1 when something does not, 2 when it cannot be told, 3 when everything that ran
//! holds and some cases were skipped.

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use matterbook_conformance::wire::{
    Case, Facts, OptionalPart, OverHttp, Service as _, UnusableUrl, Verdict, cases, run_all,
};
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
    /// Skip the cases whose name contains this. May be repeated. The result is no full pass: exit status 3.
    #[arg(long, value_name = "SUBSTRING")]
    skip: Vec<String>,
    /// The service is meant to have no such part. Its cases do not run.
    #[arg(long, value_name = "PART", value_enum)]
    without: Vec<Part>,
    /// How many cases run at once.
    #[arg(long, value_name = "COUNT", default_value_t = 16)]
    at_once: usize,
    /// The verdicts as one JSON object.
    #[arg(long)]
    json: bool,
}

/// A part that a service may do without.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The description of the API at /openapi.json, and its viewer at /docs.
    Viewer,
}

/// What came of the run.
struct Outcome {
    verdicts: Vec<Verdict>,
    skipped: Vec<&'static str>,
    without: Vec<&'static str>,
}

impl Outcome {
    fn failed(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.failure.is_some()).count()
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    match judge(&options) {
        Ok(outcome) => {
            if options.json {
                print_json(&outcome);
            } else {
                print_table(&outcome);
            }
            match (outcome.failed(), outcome.skipped.len()) {
                (0, 0) => ExitCode::SUCCESS,
                (0, _) => ExitCode::from(3),
                _ => ExitCode::from(1),
            }
        }
        Err(UnusableUrl(sentence)) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}

fn judge(options: &Options) -> Result<Outcome, UnusableUrl> {
    let service = OverHttp::connect(&options.url, &options.operator_token)?;
    service.facts().suitable_on_a_real_clock().map_err(UnusableUrl)?;
    is_without(options, service.facts()).map_err(UnusableUrl)?;
    let is_wanted = |case: &&'static Case| options.only.as_deref().is_none_or(|part| case.name.contains(part));
    for part in &options.skip {
        if !cases::all().filter(is_wanted).any(|case| case.name.contains(part.as_str())) {
            return Err(UnusableUrl(format!("No case to skip has {part:?} in its name.")));
        }
    }
    let (mut chosen, mut skipped, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases::all().filter(is_wanted) {
        let is_absent = match case.optional_part() {
            Some(OptionalPart::Viewer) => options.without.contains(&Part::Viewer),
            None => false,
        };
        if is_absent {
            without.push(case.name);
        } else if options.skip.iter().any(|part| case.name.contains(part.as_str())) {
            skipped.push(case.name);
        } else {
            chosen.push(case);
        }
    }
    if chosen.is_empty() {
        return Err(UnusableUrl("No case has a name like that.".to_owned()));
    }
    Ok(Outcome { verdicts: run_all(&chosen, &service, options.at_once), skipped, without })
}

/// Whether the service lacks the parts that it is meant to lack.
fn is_without(options: &Options, facts: &Facts) -> Result<(), String> {
    for Part::Viewer in &options.without {
        if facts.has_viewer {
            return Err("The service answers /openapi.json: run without \"--without viewer\".".to_owned());
        }
    }
    Ok(())
}

fn print_table(outcome: &Outcome) {
    let Outcome { verdicts, skipped, without } = outcome;
    let names = verdicts.iter().map(|verdict| verdict.case.name).chain(skipped.iter().chain(without).copied());
    let width = names.map(str::len).max().unwrap_or_default();
    let rules_width = verdicts.iter().map(|verdict| verdict.case.rules.len()).max().unwrap_or_default();
    for Verdict { case, failure, took } in verdicts {
        let word = if failure.is_none() { "pass" } else { "FAIL" };
        println!("{:<width$}  {:<rules_width$}  {word}  {:>6} ms", case.name, case.rules, took.as_millis());
    }
    for name in without {
        println!("{name:<width$}  {:<rules_width$}  not served", "");
    }
    for name in skipped {
        println!("{name:<width$}  {:<rules_width$}  SKIPPED", "");
    }
    for failure in verdicts.iter().filter_map(|verdict| verdict.held().err()) {
        println!("\n{failure}");
    }
    let failed = outcome.failed();
    let mut summary = format!("{} cases, {} passed, {failed} failed", verdicts.len(), verdicts.len() - failed);
    if !without.is_empty() {
        summary += &format!(", {} of parts that are not served", without.len());
    }
    if !skipped.is_empty() {
        summary += &format!(", {} skipped: not a full pass", skipped.len());
    }
    println!("\n{summary}");
}

fn print_json(outcome: &Outcome) {
    let cases: Vec<_> = outcome
        .verdicts
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
    let failed = outcome.failed();
    let Outcome { verdicts, skipped, without } = outcome;
    println!(
        "{}",
        json!({
            "cases": cases,
            "passed": verdicts.len() - failed,
            "failed": failed,
            "skipped": skipped,
            "not_served": without,
        })
    );
}
