//! The report for people: the use of each column, the findings, and how many rows are ready.

use std::{
    collections::BTreeMap,
    io::{BufWriter, Write},
    path::Path,
};

use anstream::{AutoStream, stream::RawStream};
use anstyle::{AnsiColor, Style};
use indicatif::HumanCount;
use matterbook_core::client::Repair;
use matterbook_import::{
    check::{Check, Finding, FindingKind, Kinds, OfField, Problems, Status, change, count},
    mapping::{Column, Mapping, Target, Use},
    records::{FileKind, Record, Records, is_standard_input},
};

use super::Report;
use crate::cli::{reading::namelessness, terminal};

/// How many findings of each status are shown without `--all`; for repairs, how many of each kind.
const SHOWN: usize = 10;
const SEVERAL_DATES: &str = "push gives each of them one settlement, with the date of its last row. If each row is a \
                             matter, push --settlements separate makes each date a settlement of its own.";
/// A longer header does not widen the column.
const HEADER_WIDTH: usize = 32;
/// The width of the largest row number.
const ROW_WIDTH: usize = 7;
const STATUS_WIDTH: usize = 11;
/// The width of the text before a finding's message.
const LEAD: usize = ROW_WIDTH + STATUS_WIDTH + 4;

/// Prints for people. Without `--all` it prints the first findings of each status at the end, the worst
/// first, and the first repairs of each kind. With `--all` it prints every finding at once.
pub(in crate::cli) struct TextReport<W: Write> {
    output: W,
    file: String,
    /// The terminal's width in characters; `None` if the output is not a terminal.
    width: Option<usize>,
    all: bool,
    /// The first findings of each status except repairs and problems, and their number.
    kept: BTreeMap<Status, (Vec<Finding>, u64)>,
    repairs: Kinds,
    problems: Problems,
    columns_shown: usize,
}

impl TextReport<BufWriter<AutoStream<std::io::StdoutLock<'static>>>> {
    pub(in crate::cli) fn new(file: &Path, all: bool) -> Self {
        let output = BufWriter::new(styled(std::io::stdout().lock()));
        Self::to(output, file, all, terminal::width(std::io::stdout()))
    }
}

/// Colour if the terminal supports it and `NO_COLOR` is not set.
fn styled<S: RawStream + anstream::stream::AsLockedWrite>(stream: S) -> AutoStream<S> {
    AutoStream::auto(stream)
}

impl<W: Write> TextReport<W> {
    pub(in crate::cli) fn to(output: W, file: &Path, all: bool, width: Option<usize>) -> Self {
        let file = if is_standard_input(file) { "Standard input".to_owned() } else { file.display().to_string() };
        Self {
            output,
            file,
            width,
            all,
            kept: BTreeMap::new(),
            repairs: Kinds::default(),
            problems: Problems::default(),
            columns_shown: 0,
        }
    }

    /// Write errors are ignored: the reader may have closed the pipe. The exit status still tells the result.
    pub(super) fn line(&mut self, line: &str) {
        let _ = writeln!(self.output, "{line}");
    }

    fn columns(&mut self, columns: &[Column]) {
        let shown = |text: &str| visible(text, Some(HEADER_WIDTH));
        let header_width = columns.iter().map(|column| shown(&column.header).chars().count()).max().unwrap_or(0).max(6);
        let names: Vec<_> = columns.iter().map(|column| use_of(&column.used_as)).collect();
        let name_width = names.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(7);
        for (column, (name, note)) in columns.iter().zip(names) {
            let style = match column.used_as {
                Use::Target(_) | Use::Fallback(..) | Use::Joined(..) => {
                    Style::new().fg_color(Some(AnsiColor::Green.into()))
                }
                Use::Known(_) => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
                Use::Beaten(..) | Use::LeftOut | Use::Unknown => Style::new().dimmed(),
            };
            let header = shown(&column.header);
            let lead = header_width + name_width + 6;
            let note = self.wrapped(&note, lead);
            // Without a note there is no trailing space.
            let gap = if note.is_empty() { 0 } else { name_width + 2 - name.chars().count() };
            self.line(&format!("  {header:header_width$}  {style}{name}{style:#}{:gap$}{note}", ""));
        }
        if columns.iter().any(|column| matches!(column.used_as, Use::Known(_) | Use::Unknown | Use::Beaten(..))) {
            self.line("--map \"Header=field\" maps a column differently.");
        }
    }

    fn show(&mut self, finding: &Finding) {
        match &finding.what {
            FindingKind::Repair(repair) => self.repair(finding.row, repair, 0),
            other => {
                let text = self.wrapped(&visible(&other.sentence(), None), LEAD);
                self.found(finding.row, other.status(), name_of(other), &text);
            }
        }
    }

    /// Prints a repair and the number of similar ones.
    fn repair(&mut self, row: u64, repair: &Repair, more: u64) {
        let like = if more > 0 { format!(", and {} more like it", HumanCount(more)) } else { String::new() };
        let text = self.wrapped(&format!("{}  {}{like}", repair.field.name(), change(repair)), LEAD);
        self.found(row, Status::Repaired, Status::Repaired.name(), &text);
    }

    fn found(&mut self, row: u64, status: Status, name: &str, text: &str) {
        let style = style_of(status);
        let name = name.replace('_', " ");
        self.line(&format!("{row:>ROW_WIDTH$}  {style}{name:STATUS_WIDTH$}{style:#}  {text}"));
    }

    /// Prints each kind of problem with an example, errors first.
    pub(super) fn problems(&mut self) {
        let problems = std::mem::take(&mut self.problems);
        for status in [Status::Error, Status::Conflict, Status::Incomplete] {
            let mut is_shown = false;
            for kind in problems.kinds().iter().filter(|kind| kind.status == status) {
                let text = self.wrapped(&visible(&kind.text(), None), LEAD);
                self.found(kind.row, status, status.name(), &text);
                is_shown = true;
            }
            if is_shown {
                self.line("");
            }
        }
        if problems.others > 0 {
            self.more(&format!("{} more, of other kinds; --all shows each", HumanCount(problems.others)));
            self.line("");
        }
    }

    fn repairs(&mut self) {
        let total = self.repairs.repairs;
        let mut shown = 0;
        for (field, OfField { kinds, others }) in self.repairs.take() {
            for kind in &kinds {
                self.repair(kind.row, &kind.first, kind.more);
                shown += 1;
            }
            if others > 0 {
                self.more(&format!("{} more of {}", HumanCount(others), field.name()));
            }
        }
        if total > shown {
            self.more(&format!("{}; --all shows each", count(total, "repair", "repairs in all")));
        }
        if total > 0 {
            self.line("");
        }
    }

    /// Prints how many findings are not shown.
    fn more(&mut self, text: &str) {
        self.line(&format!("{:1$}… {text}", "", ROW_WIDTH + 2));
    }

    /// Wraps a text at the terminal's width and indents its further lines to the first.
    pub(super) fn wrapped(&self, text: &str, lead: usize) -> String {
        terminal::wrapped(text, lead, self.width)
    }
}

impl<W: Write> Report for TextReport<W> {
    fn begin(&mut self, records: &Records) {
        let kind = match records.kind() {
            FileKind::Delimited => "text with separators".to_owned(),
            FileKind::JsonLines => "JSON objects, one a line".to_owned(),
            FileKind::Workbook => {
                let sheet = records.sheet().map(|sheet| sheet.name.clone()).unwrap_or_default();
                format!("a workbook, sheet \"{}\"", visible(&sheet, None))
            }
        };
        let bold = Style::new().bold();
        let file = visible(&self.file, None);
        // Styles have no width, so the text is wrapped first.
        let line = self.wrapped(&format!("{file}: {kind}"), 0);
        let line = match line.strip_prefix(&file) {
            Some(rest) => format!("{bold}{file}{bold:#}{rest}"),
            None => line,
        };
        self.line(&line);
        if let Some(sheet) = records.sheet().filter(|sheet| !sheet.others.is_empty()) {
            let others = sheet.others.join(", ");
            let line = format!("Sheets that are not read: {}. --sheet reads another.", visible(&others, None));
            let line = self.wrapped(&line, 0);
            self.line(&line);
        }
        if let (Some(first), Some(last)) = (records.titles().first(), records.titles().last()) {
            let rows = if first == last { format!("Row {first} is") } else { format!("Rows {first} to {last} are") };
            self.line(&format!("{rows} above the header, and left out."));
        }
        self.line("");
        self.columns(records.mapping().columns());
        self.columns_shown = records.mapping().columns().len();
        if let Some(sentence) = namelessness(records) {
            let sentence = self.wrapped(sentence, 0);
            self.line(&sentence);
        }
        if let Some(advice) = records.mapping().advice().filter(|_| records.kind() != FileKind::JsonLines) {
            let advice = self.wrapped(&visible(&advice, None), 0);
            self.line(&advice);
        }
        self.line("");
    }

    fn finding(&mut self, finding: &Finding, record: &Record, mapping: &Mapping) {
        if self.all {
            self.show(finding);
            return;
        }
        if let FindingKind::Repair(repair) = &finding.what {
            self.repairs.add(finding.row, repair);
            return;
        }
        if let FindingKind::Error(message) | FindingKind::LeftOut(message) | FindingKind::Conflict { message, .. } =
            &finding.what
        {
            self.problems.add(finding.what.status(), record, message, mapping);
            return;
        }
        let (kept, number) = self.kept.entry(finding.what.status()).or_default();
        *number += 1;
        if kept.len() < SHOWN {
            kept.push(finding.clone());
        }
    }

    fn end(&mut self, records: &Records, check: &Check, broken_off: Option<&str>) {
        let summary = check.summary();
        self.problems();
        // Repairs come last: they are the least severe.
        for (findings, number) in std::mem::take(&mut self.kept).into_values().rev() {
            findings.iter().for_each(|finding| self.show(finding));
            let more = number - u64::try_from(findings.len()).unwrap_or(number);
            if more > 0 {
                let name = findings.first().map_or("", |finding| name_of(&finding.what)).replace('_', " ");
                self.more(&format!("and {} more of \"{name}\"; --all shows them", HumanCount(more)));
            }
            self.line("");
        }
        self.repairs();
        self.late_columns(records);
        let shown = if self.all { usize::MAX } else { SHOWN };
        let several = check.settled_dates().lines(shown);
        for line in &several {
            let line = self.wrapped(line, 0);
            self.line(&line);
        }
        if !several.is_empty() {
            let sentence = self.wrapped(SEVERAL_DATES, 0);
            self.line(&format!("{sentence}\n"));
        }
        if let Some(hint) = check.several_numbers(records.mapping()) {
            let hint = self.wrapped(&visible(&hint, None), 0);
            self.line(&format!("{hint}\n"));
        }
        self.notes(summary.short_rows, summary.windows_1252_rows);
        for sentence in records.left_out().sentences() {
            let sentence = self.wrapped(&sentence, 0);
            self.line(&sentence);
        }
        let so_far = if broken_off.is_some() { " until the file breaks off" } else { "" };
        self.line(&format!("{}{so_far}", count(summary.rows, "row", "rows")));
        for (status, text) in summary.lines() {
            let style = style_of(status);
            self.line(&format!("  {style}{text}{style:#}"));
        }
        self.flush();
    }
}

impl<W: Write> TextReport<W> {
    /// Shows the columns that no earlier line had.
    pub(super) fn late_columns(&mut self, records: &Records) {
        let columns = records.mapping().columns();
        if let Some(late) = columns.get(self.columns_shown..).filter(|late| !late.is_empty()) {
            self.line("Columns that come in later lines only:");
            self.columns(late);
            self.line("");
        }
    }

    pub(super) fn flush(&mut self) {
        let _ = self.output.flush();
    }

    pub(super) fn notes(&mut self, short_rows: u64, windows_1252_rows: u64) {
        if windows_1252_rows > 0 {
            let (rows, were) =
                (count(windows_1252_rows, "row", "rows"), if windows_1252_rows == 1 { "was" } else { "were" });
            let line = format!("{rows} {were} not UTF-8, and read as Windows-1252: look whether accents are right.");
            let line = self.wrapped(&line, 0);
            self.line(&line);
        }
        if short_rows > 0 {
            let (rows, have) = (count(short_rows, "row", "rows"), if short_rows == 1 { "has" } else { "have" });
            let line = format!("{rows} {have} fewer cells than the header: look whether a line was broken in two.");
            let line = self.wrapped(&line, 0);
            self.line(&line);
        }
    }
}

/// What a finding is called: a possible duplicate changes no status.
const fn name_of(what: &FindingKind) -> &'static str {
    match what {
        FindingKind::Similar { .. } => "similar",
        other => other.status().name(),
    }
}

/// What a column is used as, and a note on it.
fn use_of(used_as: &Use) -> (&'static str, String) {
    (used_as.target().map_or("-", Target::name), used_as.note(|header| visible(header, Some(HEADER_WIDTH))))
}

pub(super) const fn style_of(status: Status) -> Style {
    let color = match status {
        Status::Ready => AnsiColor::Green,
        Status::Repaired | Status::UpdateOnly => AnsiColor::Cyan,
        Status::Duplicate | Status::Incomplete => AnsiColor::Yellow,
        Status::Conflict | Status::Error => AnsiColor::Red,
    };
    Style::new().fg_color(Some(anstyle::Color::Ansi(color)))
}

/// A text on one line, without control characters, and clipped.
fn visible(text: &str, width: Option<usize>) -> String {
    let text: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    clipped(&text, width)
}

fn clipped(text: &str, width: Option<usize>) -> String {
    match width {
        Some(width) if text.chars().count() > width => {
            text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
