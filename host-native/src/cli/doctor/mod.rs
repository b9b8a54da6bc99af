//! `matterbook doctor`: finds problems of a service or its file and says how to fix them (docs/operating.md,
//! "Doctor"). It changes nothing and prints no secret.

mod disk;
mod file;
mod finding;
mod inside;
mod remote;
mod running;
pub(super) mod settings;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{
    flags::Flags,
    outcome::{Failure, Shown},
};
use finding::{Finding, Verdict, count};

/// The flags of the examination.
#[derive(Args, Clone, Debug)]
pub(super) struct Doctor {
    /// Skip the comparison of indexes with tables, the slowest check of a large database
    #[arg(long, conflicts_with = "url")]
    quick: bool,
}

impl Doctor {
    /// Examines this machine's file and settings, or with `--url` a service from outside.
    pub(super) fn run(&self, flags: &Flags) -> Result<Shown, Failure> {
        let findings = match &flags.url {
            Some(base) => remote::examine(base, flags)?,
            None => self.examine_here(flags),
        };
        Ok(shown(&findings))
    }

    fn examine_here(&self, flags: &Flags) -> Vec<Finding> {
        let mut findings = settings::examine(flags);
        // An invalid setting was reported already; the others have a value in any case.
        let database: PathBuf = flags.value("MATTERBOOK_DB").unwrap_or_else(|| "matterbook.db".to_owned()).into();
        if file::examine(&database, &mut findings) {
            disk::examine(&database, &mut findings);
            let given = flags.settings().ok().and_then(|settings| settings.key_secrets);
            inside::examine(&database, self.quick, given.as_ref(), &mut findings);
        }
        findings.push(running::open_files());
        findings.extend(running::service(flags));
        findings
    }
}

fn shown(findings: &[Finding]) -> Shown {
    let worst = findings.iter().map(|finding| finding.verdict).max().unwrap_or(Verdict::Ok);
    let [wrong, warned] = [Verdict::Wrong, Verdict::Warn]
        .map(|verdict| findings.iter().filter(|finding| finding.verdict == verdict).count());
    let width = findings.iter().map(|finding| finding.check.len()).max().unwrap_or(0);
    let terminal = crate::cli::terminal::width(std::io::stdout());
    let mut text = findings.iter().map(|finding| finding.lines(width, terminal)).collect::<String>();
    text.push_str(&format!(
        "\n{}: {} wrong, {} to look at.\n",
        count(findings.len(), "check", "checks"),
        wrong,
        count(warned, "thing", "things")
    ));
    let rows: Vec<_> = findings.iter().map(Finding::json).collect();
    let json = json!({"doctor": {"verdict": worst.name(), "findings": rows}});
    let refusal = (worst == Verdict::Wrong).then(|| match wrong {
        1 => "Something is wrong: see above.".to_owned(),
        _ => format!("{wrong} things are wrong: see above."),
    });
    Shown { refusal, ..Shown::new(json, text) }
}
