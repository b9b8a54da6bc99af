//! `matterbook pull`

use std::{
    ffi::OsStr,
    io::{IsTerminal as _, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use matterbook_import::pull::{Format, Listing, Subject};
use serde_json::json;

use super::{
    caller::CallerFlags,
    flags::Flags,
    interrupt::say_on_interrupt,
    outcome::{Failure, Shown},
    progress::Progress,
    table::Text,
};
use crate::{
    api_client::{ApiClient, SystemClock},
    private_file::with_suffix,
    pull::{Pull, PullError, Report, pull},
    visible::VisibleWriter,
};

/// Copy an account's clients or prospects to a file or to stdout.
#[derive(Args, Debug)]
pub(super) struct PullCommand {
    /// Copy prospects instead of clients
    #[arg(long)]
    leads: bool,
    /// The output file, .csv or .ndjson; without it, stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format of the rows, unless the name of --out tells it; csv is the default
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Put an apostrophe before cells that a spreadsheet would read as formulas, for a CSV that people open
    #[arg(long)]
    safe_cells: bool,
    /// The file that stores how far the pull is [default: FILE.pull-state, next to --out; none with stdout]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Pull the whole list again and ignore the stored state
    #[arg(long)]
    restart: bool,
    #[command(flatten)]
    caller: CallerFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    /// A table with a header line
    Csv,
    /// One JSON object per line
    Ndjson,
}

/// The last paragraph of `--help`.
pub(super) const HELP: &str = "\
The next pull continues where this one ended, and adds what changed since. A
changed client appears again: of rows with the same id, the last one is current.
To get only the changes, move the file away first: the next pull then starts a
new one. More is in docs/push-and-pull.md.";

impl PullCommand {
    pub(super) fn run(self, flags: &Flags) -> Result<Shown, Failure> {
        let format = self.format()?;
        if self.safe_cells && format != Format::Csv {
            return Err(Failure::usage("--safe-cells is for CSV: other formats have no formulas."));
        }
        if flags.json && self.out.is_none() {
            return Err(Failure::usage(
                "--json says what was done, and needs --out: the rows themselves go to stdout.",
            ));
        }
        let transport = self.caller.transport(flags)?;
        let base = transport.base().to_owned();
        say_on_interrupt("Stopped. All written rows are kept. Run the same command again to continue.");
        let listing = if self.leads { Listing::Prospects } else { Listing::Clients };
        let is_among_rows = self.out.is_none() && std::io::stdout().is_terminal();
        let progress = Progress::new(listing.name().to_owned(), None, is_among_rows);
        let watcher = |wait: &_| progress.wait(wait);
        let mut api = ApiClient::new(&base, &transport, &SystemClock, &watcher, self.caller.patience());
        let account = api.account().map_err(Failure::refused)?;
        let subject =
            Subject { listing, format, has_safe_cells: self.safe_cells, service: base.clone(), account: account.id };
        let state = self.state.or_else(|| self.out.as_deref().map(|out| with_suffix(out, ".pull-state")));
        let mut terminal = VisibleWriter(std::io::stdout().lock());
        let mut stdout = std::io::stdout().lock();
        let job = Pull {
            subject,
            file: self.out.as_deref(),
            stream: if is_among_rows { &mut terminal as &mut dyn Write } else { &mut stdout },
            state: state.as_deref(),
            restarts: self.restart,
        };
        let outcome = pull(job, &mut api, &|rows| progress.rows(rows, ""));
        progress.finish();
        match outcome {
            Ok(report) => Ok(shown(listing, self.out.as_deref(), state.as_deref(), &report)),
            // The reader closed the pipe, as `head` does: not a failure.
            Err(error) if self.out.is_none() && error.is_unread() => Ok(Shown::default()),
            Err(error) => Err(Failure::refused(sentence(error))),
        }
    }

    fn format(&self) -> Result<Format, Failure> {
        let extension = self.out.as_deref().and_then(Path::extension).and_then(OsStr::to_str).unwrap_or_default();
        match (self.format, extension.to_ascii_lowercase().as_str()) {
            (Some(FormatName::Csv), _) | (None, "csv") => Ok(Format::Csv),
            (Some(FormatName::Ndjson), _) | (None, "ndjson" | "jsonl") => Ok(Format::Ndjson),
            (None, _) if self.out.is_none() => Ok(Format::Csv),
            (None, _) => Err(Failure::usage("End the name of --out in .csv or .ndjson, or say --format.")),
        }
    }
}

fn sentence(error: PullError) -> String {
    match error {
        error @ (PullError::Refused(_) | PullError::Cursor(_)) => error.to_string(),
        error => format!("{error} All written rows are kept. Run the same command again to continue."),
    }
}

fn shown(listing: Listing, out: Option<&Path>, state: Option<&Path>, report: &Report) -> Shown {
    let kind = if report.went_on { "new or changed " } else { "" };
    let rows = HumanCount(report.rows);
    let target = out.map_or_else(|| "stdout".to_owned(), |out| out.display().to_string());
    let mut sentence = format!("{rows} {kind}{} to {target}.", listing.name());
    if report.stale_cursors > 0 {
        sentence.push_str(
            " The account's counties changed, so the list was walked from its beginning: prospects that were written \
             before come again, under the same ids.",
        );
    }
    let json = json!({"pull": {
        "listing": listing.name(),
        "rows": report.rows,
        "went_on": report.went_on,
        "stale_cursors": report.stale_cursors,
        "file": out.map(|out| out.display().to_string()),
        "state_file": state.map(|state| state.display().to_string()),
    }});
    match out {
        Some(_) => Shown::new(json, Text::sentence(sentence)),
        // The rows went to stdout.
        None => Shown { hint: Some(sentence), ..Shown::default() },
    }
}
