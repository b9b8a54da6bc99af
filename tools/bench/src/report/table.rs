//! The tables in Markdown.

use super::{
    goal::Goal,
    row::{Machine, Report, Row, Unit},
};
use crate::figures::{Spread, thousands};

/// Where a page has its tables.
const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->\n"];

/// The whole report as text: the machine and three tables.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let Machine { cores, sync_millis: Spread { median, low, high }, sqlite } = &report.machine;
    let quick = if report.is_quick { ", with fewer clients than the goals apply to" } else { "" };
    let rounds = report.rounds;
    let mut text = format!(
        "{cores} cores; 4 KiB are synced to the disk in {median:.2} ms ({low:.2}–{high:.2}); SQLite {sqlite}. Medians of \
         {rounds} rounds{quick}.\n"
    );
    let sections =
        [("", goals(report)), ("Further floors:\n\n", more_floors(report)), (TIMES, processor_times(report))];
    for (title, table) in sections.into_iter().filter(|(_, table)| !table.is_empty()) {
        text.push_str(&format!("\n{title}{table}"));
    }
    text
}

const TIMES: &str = "Processor time of a request, and the sender's share of a processor:\n\n";

/// A page with new figures between its marks; `None` when it has no marks.
#[must_use]
pub fn with_figures(page: &str, figures: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some(format!("{before}{}\n{figures}\n{}{after}", MARKS[0], MARKS[1]))
}

/// The table of all rows.
fn goals(report: &Report) -> String {
    let has_against = report.rows.iter().any(|row| row.against.is_some());
    let mut head = vec!["work", "service", "floor", "ratio (low–high)", "must", "reached"];
    head.extend(AGAINST_HEAD.into_iter().filter(|_| has_against));
    let line = |row: &Row| cells(row).into_iter().chain(against_cells(row).into_iter().filter(|_| has_against));
    table(&head, report.rows.iter().map(|row| line(row).collect()))
}

/// The columns of the other program, in a run with `--against`.
const AGAINST_HEAD: [&str; 2] = ["old program", "new/old (low–high)"];

fn against_cells(row: &Row) -> [String; 2] {
    let against = row.against.as_ref();
    [
        against.map_or_else(none, |against| figure(row.unit, against.figure.median)),
        against.map_or_else(none, |against| ratio(&against.ratio)),
    ]
}

/// The table of the further floors; empty without any.
fn more_floors(report: &Report) -> String {
    let lines = report.rows.iter().flat_map(|row| {
        row.more_floors.iter().map(|floor| {
            let (service, other) = (figure(row.unit, row.service.median), figure(row.unit, floor.figure.median));
            vec![row.work.clone(), service, floor.name.to_owned(), other, ratio(&floor.ratio)]
        })
    });
    table(&["work", "service", "against", "takes", "ratio (low–high)"], lines)
}

/// The table of processor times; empty when the system reports none.
fn processor_times(report: &Report) -> String {
    let has_against = report.rows.iter().any(|row| row.against.is_some());
    let lines = report.rows.iter().filter_map(|row| {
        let times = row.processor?;
        let floor = times.floor_micros;
        let mut cells = vec![
            row.work.clone(),
            micros(times.service_micros),
            floor.map_or_else(none, micros),
            micros(times.sender_micros),
            format!("{:.0} %", 100.0 * times.sender_share),
        ];
        cells.extend(has_against.then(|| times.against_micros.map_or_else(none, micros)));
        Some(cells)
    });
    let mut head = vec!["work", "service", "floor", "sender", "sender's share"];
    head.extend(has_against.then_some(AGAINST_HEAD[0]));
    table(&head, lines)
}

fn cells(row: &Row) -> [String; 6] {
    let is_alone = row.floor.is_none();
    let must = |goal: Goal| {
        let (sign, must) = match goal {
            Goal::AtLeast(must) => ("≥", must),
            Goal::AtMost(must) => ("≤", must),
        };
        let must = if is_alone { figure(row.unit, must) } else { format!("{must} ×") };
        format!("{sign} {must}")
    };
    let reached = |goal: Goal| if goal.is_reached(row.judged()) { "yes" } else { "no" };
    let spread = if is_alone { spread(row.unit, &row.service) } else { figure(row.unit, row.service.median) };
    [
        row.work.clone(),
        spread,
        row.floor.as_ref().map_or_else(none, |floor| figure(row.unit, floor.figure.median)),
        row.floor.as_ref().map_or_else(none, |floor| ratio(&floor.ratio)),
        row.goal.map_or_else(none, must),
        row.goal.map_or_else(none, |goal| reached(goal).to_owned()),
    ]
}

fn none() -> String {
    "–".to_owned()
}

fn spread(unit: Unit, Spread { median, low, high }: &Spread) -> String {
    if low == high {
        return figure(unit, *median);
    }
    format!("{} ({}–{})", figure(unit, *median), digits(*low), digits(*high))
}

fn ratio(Spread { median, low, high }: &Spread) -> String {
    format!("{median:.2} ({low:.2}–{high:.2})")
}

fn figure(unit: Unit, figure: f64) -> String {
    let unit = match unit {
        Unit::ClientsPerSecond | Unit::RequestsPerSecond | Unit::PagesPerSecond | Unit::BatchesPerSecond => "/s",
        Unit::Milliseconds => " ms",
        Unit::Megabytes => " MB",
    };
    format!("{}{unit}", digits(figure))
}

fn micros(micros: f64) -> String {
    format!("{} µs", digits(micros))
}

/// Three significant digits, with separators between thousands.
fn digits(figure: f64) -> String {
    if !figure.is_finite() {
        return none();
    }
    match figure {
        ..10.0 => format!("{figure:.2}"),
        ..100.0 => format!("{figure:.1}"),
        _ => {
            let step = if figure < 1_000.0 { 1.0 } else { 10_f64.powi(figure.log10().floor() as i32 - 2) };
            thousands(((figure / step).round() * step) as usize)
        }
    }
}

/// A table of these lines; empty without any.
fn table(head: &[&str], lines: impl Iterator<Item = Vec<String>>) -> String {
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.iter().map(ToString::to_string).collect());
    text.push_str(&format!("|---|{}\n", "---:|".repeat(head.len() - 1)));
    lines.into_iter().map(line).for_each(|line| text.push_str(&line));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Against, Floor, Goal};

    fn spread(median: f64) -> Spread {
        Spread { median, low: median / 2.0, high: median * 2.0 }
    }

    fn row(floor: Option<f64>, goal: Goal) -> Row {
        let floor = floor.map(|ratio| Floor { name: "a loop", figure: spread(100_000.0), ratio: spread(ratio) });
        let unit = if floor.is_some() { Unit::ClientsPerSecond } else { Unit::Milliseconds };
        Row { floor, goal: Some(goal), ..Row::alone("group", "work", unit, spread(3.456)) }
    }

    fn check(row: &Row, expected: &str) {
        assert_eq!(cells(row).join(" | "), expected);
    }

    #[test]
    fn a_row_says_its_figures_its_goal_and_its_verdict() {
        let at_least = Goal::AtLeast(1.1);
        check(&row(Some(1.2), at_least), "work | 3.46/s | 100,000/s | 1.20 (0.60–2.40) | ≥ 1.1 × | yes");
        check(&row(Some(1.0), at_least), "work | 3.46/s | 100,000/s | 1.00 (0.50–2.00) | ≥ 1.1 × | no");
        check(&row(None, Goal::AtMost(5.0)), "work | 3.46 ms (1.73–6.91) | – | – | ≤ 5.00 ms | yes");
        check(&row(None, Goal::AtMost(3.0)), "work | 3.46 ms (1.73–6.91) | – | – | ≤ 3.00 ms | no");
        let without = Row { goal: None, ..row(Some(1.0), at_least) };
        check(&without, "work | 3.46/s | 100,000/s | 1.00 (0.50–2.00) | – | –");
    }

    #[test]
    fn the_other_program_has_columns_where_one_was_measured() {
        let machine = Machine { cores: 2, sync_millis: spread(1.0), sqlite: "3" };
        let without = row(None, Goal::AtMost(5.0));
        let with = Row { against: Against::of(&[6.0], &[4.0]), ..without.clone() };
        let report = |rows: &[&Row]| Report {
            machine: machine.clone(),
            rounds: 3,
            is_quick: false,
            rows: rows.iter().map(|row| (*row).clone()).collect(),
        };
        let both = goals(&report(&[&with, &without]));
        assert!(both.contains("| old program | new/old (low–high) |\n"), "{both}");
        assert!(both.contains(" | 4.00 ms | 1.50 (1.50–1.50) |\n") && both.contains(" | – | – |\n"), "{both}");
        assert!(!goals(&report(&[&without])).contains("old program"));
    }

    #[test]
    fn figures_are_cut_to_what_they_can_tell() {
        for (figure, text) in [
            (0.123, "0.12"),
            (45.67, "45.7"),
            (456.7, "457"),
            (1_234.0, "1,230"),
            (172_345.0, "172,000"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(digits(figure), text);
        }
        assert_eq!(digits(1_234_567.0), "1,230,000");
    }

    #[test]
    fn a_page_keeps_what_is_around_its_figures() {
        let page = format!("before\n{}old\n{}after\n", MARKS[0], MARKS[1]);
        let expected = format!("before\n{}\nnew\n\n{}after\n", MARKS[0], MARKS[1]);
        assert_eq!(with_figures(&page, "new\n").as_ref(), Some(&expected));
        assert_eq!(with_figures(&expected, "new\n"), Some(expected));
        assert_eq!(with_figures("no marks", "new\n"), None);
        assert!(with_figures(include_str!("../../../../docs/performance.md"), "new\n").is_some());
    }

    #[test]
    fn a_table_without_lines_is_nothing() {
        assert_eq!(table(&["a", "b"], std::iter::empty()), "");
        let lines = [vec!["1".to_owned(), "2".to_owned()]];
        assert_eq!(table(&["a", "b"], lines.into_iter()), "| a | b |\n|---|---:|\n| 1 | 2 |\n");
    }
}
