//! `matterbook push FILE`

use std::{
    cell::Cell,
    fmt::Write as _,
    io::{BufRead, IsTerminal as _, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use matterbook_import::{
    check::count,
    mapping::Mapping,
    push::{BATCH_ROWS, Counts, Settlements, Subject, Survey, mapping_text},
    records::{FileKind, ReadError, is_standard_input},
};
use serde_json::json;

use super::{
    caller::CallerFlags,
    flags::Flags,
    interrupt::say_on_interrupt,
    outcome::{Failure, Shown},
    progress::Progress,
    push_introduction::introduction,
    reading::{self, ReadingArguments, namelessness},
    terminal,
};
use crate::{
    api_client::{ApiClient, SystemClock},
    private_file::with_suffix,
    push::{Mode, Push, PushError, Report, Source, push},
    visible::visible,
};

/// Send a file of clients to a service.
#[derive(Args, Debug)]
pub(super) struct PushCommand {
    /// The clients: CSV, TSV, XLSX or NDJSON, as for check
    file: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
    /// What several settled dates of one client mean
    #[arg(long, value_enum, default_value_t = SettlementsName::One)]
    settlements: SettlementsName,
    /// Begin the settlements of the file's settled dates without asking
    #[arg(long)]
    yes: bool,
    /// Show what would happen to each row, and save nothing
    #[arg(long)]
    dry_run: bool,
    /// Show what would happen to each row, save nothing, and write the preview to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "confirm"])]
    plan: Option<PathBuf>,
    /// Save only what the preview in this file shows; it is good for 15 minutes
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    confirm: Option<PathBuf>,
    /// The file for rows that are not saved, each with its reason: .xlsx, .csv or .ndjson [default:
    /// FILE.errors.xlsx for a workbook, FILE.errors.csv for text, if there are any]
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Put an apostrophe before cells of a CSV of errors that a spreadsheet would read as formulas
    #[arg(long)]
    safe_cells: bool,
    /// The file that stores how far the push is, until it is done [default: FILE.push-state]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Send the whole file instead of resuming an interrupted push
    #[arg(long)]
    restart: bool,
    /// The maximum number of rows in one request, 1 to 500
    #[arg(long, value_name = "ROWS", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=500))]
    batch_rows: u16,
    #[command(flatten)]
    caller: CallerFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SettlementsName {
    /// One settlement, which gets the date of the client's last row
    One,
    /// A settlement for each date, the oldest first
    Separate,
}

/// How many clients with several settled dates are shown before a push.
const SHOWN_CLIENTS: usize = 5;
/// The width of the text before a problem.
const PROBLEM_INDENT: usize = 22;

/// The last paragraph of `--help`.
pub(super) const HELP: &str = "\
After an interruption, run the same command again: it resumes with the first row
that has no answer. Exit status: 0 when every row was saved, 1 when some were
not, 2 on a usage error, 130 after Ctrl-C. More is in docs/push-and-pull.md.";

impl PushCommand {
    pub(super) fn run(self, flags: &Flags) -> Result<Shown, Failure> {
        let transport = self.caller.transport(flags)?;
        let file = self.file.as_path();
        if is_standard_input(file) {
            return Err(Failure::usage(
                "push needs a file, not standard input: it may have to read it again to go on.",
            ));
        }
        say_on_interrupt("Stopped. All answered rows are saved. Run the same command again to continue.");
        let source = Source::open(file).map_err(Failure::refused)?;
        let (options, mapping_file) = self.reading.options(file)?;
        // Reads the whole file first, so that an unreadable file is not sent in part.
        let mut surveyed = reading::open(file, &options)?;
        let survey = Survey::of(&mut surveyed)?;
        let total = survey.check().summary().rows;
        let mut rows = reading::open(file, &options)?;
        let settlements = match self.settlements {
            SettlementsName::One => Settlements::One,
            SettlementsName::Separate => Settlements::Separate,
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        eprintln!("{}", introduction(&name, total, &rows, terminal::width(std::io::stderr())));
        mapping_file.iter().for_each(|mapping_file| mapping_file.keep(&rows));
        namelessness(&rows).into_iter().for_each(terminal::print_wrapped);
        surveyed.left_out().sentences().iter().for_each(|sentence| terminal::print_wrapped(sentence));
        several_dates(&survey, settlements);
        survey.check().several_numbers(rows.mapping()).iter().for_each(|hint| terminal::print_wrapped(hint));

        let mode = self.mode();
        let state = self.state.clone().unwrap_or_else(|| with_suffix(file, ".push-state"));
        // A push that goes on was asked about when it began.
        let goes_on = !self.restart && state.exists();
        if let Some(sentence) = settlements_sentence(&survey).filter(|_| !mode.is_dry_run() && !goes_on) {
            terminal::print_wrapped(&sentence);
            let asks = !self.yes && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
            if asks && !is_confirmed(&mut std::io::stdin().lock(), &mut std::io::stderr()) {
                return Err(Failure::refused("Nothing was sent."));
            }
        }

        let done = Cell::new(Counts::default());
        let progress = Progress::new(name.clone(), Some(total), false);
        let watcher = |wait: &_| progress.wait(wait);
        let base = transport.base();
        let mut api = ApiClient::new(base, &transport, &SystemClock, &watcher, self.caller.patience());
        let account = api.account().map_err(Failure::refused)?.id;
        let mapping = mapping_text(&rows);
        let (file_sha256, service) = (source.sha256().to_owned(), base.to_owned());
        let subject = Subject { file_sha256, mapping, settlements, service, account };
        // Later lines of a file of objects may add columns, which then have no example.
        let columns_of_file = rows.mapping().clone();
        let columns = (rows.kind() != FileKind::JsonLines).then(|| headers(rows.mapping()));
        let job = Push {
            file,
            columns: columns.as_deref(),
            mapping: &columns_of_file,
            kind: rows.kind(),
            has_safe_cells: self.safe_cells,
            subject: &subject,
            state: self.state.as_deref(),
            errors: self.errors.as_deref(),
            mode,
            restarts: self.restart,
            batch_rows: usize::from(self.batch_rows).min(BATCH_ROWS),
        };
        let again =
            || -> Result<Box<dyn Iterator<Item = _>>, ReadError> { Ok(Box::new(reading::open(file, &options)?)) };
        let mut arranged = survey.into_arrangement().arranged(&mut rows, again, settlements);
        let outcome = push(&job, &source, &mut arranged, &mut api, &|counts, is_found| {
            done.set(*counts);
            if is_found {
                progress.go_on_from(counts.rows());
            }
            progress.rows(counts.rows(), &in_words(counts));
        });
        progress.finish();
        match outcome {
            Ok(report) => Ok(shown(&name, &report, mode, terminal::width(std::io::stdout()))),
            Err(error) => Err(Failure::refused(sentence(&error, done.get().rows(), total, mode.is_dry_run()))),
        }
    }
}

impl PushCommand {
    fn mode(&self) -> Mode<'_> {
        match (&self.plan, &self.confirm) {
            (Some(path), _) => Mode::Plan(path),
            (None, Some(path)) => Mode::Confirm(path),
            (None, None) if self.dry_run => Mode::DryRun,
            (None, None) => Mode::Save,
        }
    }
}

/// The settlements that a push may begin: how many, and over which years.
fn settlements_sentence(survey: &Survey) -> Option<String> {
    let (clients, first, last) = survey.check().settled_dates().extent()?;
    let (clients, has) = (count(clients, "client", "clients"), if clients == 1 { "has" } else { "have" });
    let years = if first == last { format!("in {first}") } else { format!("from {first} to {last}") };
    Some(format!(
        "{clients} {has} a settled date, {years}. Each date that is new for a client may begin a settlement, and a letter \
         is sent for each settlement."
    ))
}

/// Asks on the terminal; only a yes is a yes.
fn is_confirmed(input: &mut dyn BufRead, output: &mut dyn Write) -> bool {
    let _ = write!(output, "Go on? [y/N] ");
    let _ = output.flush();
    let mut answer = String::new();
    let _ = input.read_line(&mut answer);
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

/// Shows the clients with several settled dates, and what becomes of the dates.
fn several_dates(survey: &Survey, settlements: Settlements) {
    let lines = survey.check().settled_dates().lines(SHOWN_CLIENTS);
    if lines.is_empty() {
        return;
    }
    lines.iter().for_each(|line| terminal::print_wrapped(line));
    terminal::print_wrapped(match settlements {
        Settlements::One => {
            "Each of them gets one settlement, with the date of its last row. If each row is a matter, --settlements \
             separate makes each date a settlement of its own."
        }
        Settlements::Separate => "Each date is sent as a settlement of its own, the oldest first.",
    });
}

fn headers(mapping: &Mapping) -> Vec<String> {
    mapping.columns().iter().map(|column| column.header.clone()).collect()
}

/// The results by their names.
fn numbers(counts: &Counts) -> [(&'static str, u64); 5] {
    [
        ("created", counts.created),
        ("updated", counts.updated),
        ("unchanged", counts.unchanged),
        ("conflict", counts.conflict),
        ("error", counts.error),
    ]
}

fn in_words(counts: &Counts) -> String {
    numbers(counts).map(|(name, number)| format!("{name} {}", HumanCount(number))).join(", ")
}

fn sentence(error: &PushError, done: u64, total: u64, is_dry_run: bool) -> String {
    if is_dry_run || done == 0 {
        return error.to_string();
    }
    let (done, total) = (HumanCount(done), HumanCount(total));
    match error {
        PushError::Api(_) => {
            format!("{error} {done} of {total} rows are done. Run the same command again to continue.")
        }
        _ => format!("{error} {done} of {total} rows are done."),
    }
}

fn shown(name: &str, report: &Report, mode: Mode<'_>, width: Option<usize>) -> Shown {
    let is_dry_run = mode.is_dry_run();
    let Report { counts, rows_done_before, errors, problems } = report;
    let Counts { created, updated, unchanged, conflict, error, incomplete } = *counts;
    let mut text = match is_dry_run {
        true => format!("{name}: {} rows were tried out, nothing is saved\n", HumanCount(counts.rows())),
        false => format!("{name}: {} rows are done\n", HumanCount(counts.rows())),
    };
    if *rows_done_before > 0 {
        text.push_str(&format!("  {:>11} of them by an earlier run\n", HumanCount(*rows_done_before).to_string()));
    }
    for (name, number) in numbers(counts) {
        text.push_str(&format!("  {:>11} {name}\n", HumanCount(number).to_string()));
    }
    if incomplete > 0 {
        let number = HumanCount(incomplete).to_string();
        let _ = writeln!(text, "  {number:>11} saved without a value that cannot be read");
    }
    for kind in problems.kinds() {
        let problem = terminal::wrapped(&visible(&kind.text()), PROBLEM_INDENT, width);
        let _ = writeln!(text, "{:>7}  {:<11}  {problem}", kind.row, kind.status.name());
    }
    if problems.others > 0 {
        let _ = writeln!(text, "{:>7}  {} more, of other kinds", "", HumanCount(problems.others));
    }
    if let Mode::Plan(path) = mode {
        let path = path.display();
        let sentence = format!(
            "{path} has this preview. For 15 minutes the same command with --confirm {path} in place of --plan saves it, if \
             nothing has changed."
        );
        let _ = writeln!(text, "{}", terminal::wrapped(&visible(&sentence), 0, width));
    }
    let refusal = errors.as_ref().map(|errors| {
        let path = errors.display();
        match is_dry_run {
            // A dry run saves no row, so the whole file must be pushed.
            true => format!("{path} has the rows that would not be saved, each with its reason. Fix them in {name}."),
            false => format!(
                "{path} has the rows that were not saved, each with its reason. Fix them there and push that file."
            ),
        }
    });
    let json = json!({"push": {
        "rows": counts.rows(),
        "created": created,
        "updated": updated,
        "unchanged": unchanged,
        "conflict": conflict,
        "error": error,
        "incomplete": incomplete,
        "rows_done_before": rows_done_before,
        "is_dry_run": is_dry_run,
        "errors_file": errors.as_ref().map(|errors| errors.display().to_string()),
    }});
    Shown { refusal, ..Shown::new(json, text) }
}

#[cfg(test)]
mod tests {
    use matterbook_import::{
        check::{Problems, Status},
        records::{Original, Record},
    };

    use super::*;

    #[test]
    fn only_a_yes_begins_settlements() {
        for (answer, is_yes) in
            [("y\n", true), (" YES \n", true), ("\n", false), ("", false), ("n\n", false), ("yo\n", false)]
        {
            let mut asked = Vec::new();
            assert_eq!(is_confirmed(&mut answer.as_bytes(), &mut asked), is_yes, "{answer:?}");
            assert_eq!(asked, b"Go on? [y/N] ");
        }
    }

    #[test]
    fn the_result_of_a_push_fits_80_columns_without_breaking_a_word() {
        let mapping = Mapping::new(
            ["Phone_Number_With_Area_Code"].into_iter(),
            &["Phone_Number_With_Area_Code=phone".parse().unwrap()],
        );
        let mapping = mapping.unwrap();
        let row = Record {
            number: 1_048_576,
            original: Original::Cells(vec!["1".repeat(60)]),
            client: None,
            problems: Vec::new(),
            left_out: Vec::new(),
            is_short: false,
            is_windows_1252: false,
        };
        let mut problems = Problems::default();
        let sentence = "phone must have 10 to 15 digits, but has 60; zip must have 5 or 9 digits, but has 3; leading zeros \
                        may have been lost: send it as text.";
        problems.add(Status::Error, &row, sentence, &mapping);
        let report = Report { counts: Counts::default(), rows_done_before: 0, errors: None, problems };
        let at = |width| shown("clients.csv", &report, Mode::Save, width).text.laid_out(width);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&at(Some(80))), words(&at(None)));
        assert!(at(Some(80)).lines().all(|line| line.chars().count() <= 80), "{}", at(Some(80)));
    }
}
