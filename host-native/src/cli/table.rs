//! Responses as aligned text, for people.

use serde_json::Value;

use super::terminal;
use crate::visible::{visible, visible_lines};

/// The space between two columns.
const GAP: usize = 2;

/// What a command prints for people. It is laid out for the terminal's width when it is printed.
#[derive(Debug, Default)]
pub(super) struct Text(Vec<Part>);

#[derive(Debug)]
enum Part {
    /// Whole lines.
    Lines(String),
    /// A sentence, which is wrapped.
    Sentence(String),
    /// A name and its value on each line.
    Record(Vec<(String, String)>),
    /// Columns under their names.
    Table(Vec<Vec<String>>),
}

impl From<String> for Text {
    fn from(lines: String) -> Self {
        Self(vec![Part::Lines(lines)])
    }
}

impl Text {
    /// A sentence, which is wrapped.
    pub(super) fn sentence(sentence: String) -> Self {
        Self(vec![Part::Sentence(sentence)])
    }

    /// With another text after it.
    pub(super) fn with(mut self, after: impl Into<Self>) -> Self {
        self.0.extend(after.into().0);
        self
    }

    /// The lines for a terminal of this width; `None` for any width. The last one ends, too.
    pub(super) fn laid_out(&self, width: Option<usize>) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Lines(lines) => visible_lines(lines),
            Part::Sentence(sentence) => terminal::wrapped(&visible_lines(sentence), 0, width) + "\n",
            Part::Record(lines) => record_lines(lines, width),
            Part::Table(lines) => table_lines(lines, width),
        });
        let mut text: String = parts.collect();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}

/// One line per member: its name, then its value.
pub(super) fn record(object: &Value, members: &[&str]) -> Text {
    let lines = members.iter().map(|member| ((*member).to_owned(), text(&object[*member])));
    Text(vec![Part::Record(lines.collect())])
}

/// One line per row below a header line; `none` without rows. The first members are the most important: on a
/// narrow terminal others are left out.
pub(super) fn table(rows: &[Value], members: &[&str]) -> Text {
    if rows.is_empty() {
        return Text::from("none\n".to_owned());
    }
    let names = members.iter().map(|member| (*member).to_owned()).collect();
    let values = rows.iter().map(|row| members.iter().map(|member| text(&row[*member])).collect());
    Text(vec![Part::Table(std::iter::once(names).chain(values).collect())])
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        // A line break would break the columns.
        Value::String(text) => visible(text),
        other => other.to_string(),
    }
}

fn record_lines(lines: &[(String, String)], width: Option<usize>) -> String {
    let names = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let line = |(name, value): &(String, String)| {
        let line = format!("{name:names$}  {}", terminal::wrapped(value, names + GAP, width));
        line.trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}

/// The columns that fit, the first ones first, and the names of those that do not.
fn table_lines(lines: &[Vec<String>], width: Option<usize>) -> String {
    let Some(names) = lines.first() else { return String::new() };
    let of_column = |column: usize| lines.iter().filter_map(move |line| line.get(column));
    let widths: Vec<usize> =
        (0..names.len()).map(|column| of_column(column).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    let mut room = width.unwrap_or(usize::MAX);
    let mut fits = |(place, width): (usize, &usize)| {
        let is_shown = place == 0 || *width <= room;
        if is_shown {
            room = room.saturating_sub(width + GAP);
        }
        is_shown
    };
    let shown: Vec<bool> = widths.iter().enumerate().map(&mut fits).collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).zip(&shown).filter(|(_, is_shown)| **is_shown);
        let cells = cells.map(|((cell, width), _)| format!("{cell:width$}  "));
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    let hidden: Vec<&str> =
        names.iter().zip(&shown).filter(|(_, is_shown)| !**is_shown).map(|(name, _)| name.as_str()).collect();
    let note = match hidden.as_slice() {
        [] => String::new(),
        hidden => {
            let note = format!("Not shown: {}. --wide shows all columns.", hidden.join(", "));
            terminal::wrapped(&note, 0, width) + "\n"
        }
    };
    lines.iter().map(line).collect::<String>() + &note
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [json!({"id": "1", "email": "josé@example.com"}), json!({"id": "22", "email": null})];
        let table = |rows, members| table(rows, members).laid_out(None);
        assert_eq!(table(&rows, &["email", "id"]), "email             id\njosé@example.com  1\n-                 22\n");
        let record = record(&json!({"id": 7, "is_on": true}), &["id", "is_on"]);
        assert_eq!(record.laid_out(None), "id     7\nis_on  yes\n");
        assert_eq!(table(&[], &["id"]), "none\n");
    }

    #[test]
    fn the_last_line_ends_so_that_the_prompt_begins_a_new_one() {
        assert_eq!(Text::from("one\ntwo".to_owned()).laid_out(None), "one\ntwo\n");
        assert_eq!(Text::from(String::new()).laid_out(Some(80)), "");
    }

    #[test]
    fn every_list_fits_80_columns_with_long_values_and_no_broken_word() {
        use crate::cli::{account, client, county, key, login, operator_log, settlement};
        let lists: [&[&str]; 7] = [
            &account::LISTED,
            &client::FOUND,
            &county::GRANT,
            &key::MEMBERS,
            &login::LISTED,
            &operator_log::ENTRY,
            &settlement::LISTED,
        ];
        for members in lists {
            let value = |member: &str| match member {
                "id" | "client_id" | "login_id" => "018f4d3a-7c1e-7000-8000-0123456789ab".to_owned(),
                "at" => "2026-01-05T00:00:00Z".to_owned(),
                "fips" => "06037".to_owned(),
                other => format!("{other}-").repeat(6),
            };
            let row: serde_json::Map<String, Value> =
                members.iter().map(|member| ((*member).to_owned(), value(member).into())).collect();
            let table = table(&[Value::from(row)], members);
            let (all, shown) = (table.laid_out(None), table.laid_out(Some(80)));
            assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
            let values = shown.lines().nth(1).unwrap_or_default();
            assert!(values.split_whitespace().all(|word| all.split_whitespace().any(|whole| whole == word)), "{shown}");
            assert!(shown.contains("--wide"), "{shown}");
        }
    }

    #[test]
    fn a_table_that_is_too_wide_has_fewer_columns_and_no_broken_word() {
        let id = "018f4d3a-7c1e-7000-8000-0123456789ab";
        let long = "a.very.long.address.of.somebody.who.does.not.exist@a.very.long.domain.example.com";
        let rows =
            [json!({"id": id, "email": long, "role": "owner", "name": "Specimenez", "at": "2026-01-05T00:00:00Z"})];
        let table = table(&rows, &["id", "email", "role", "name", "at"]);
        let all = table.laid_out(None);
        assert!(all.contains(long), "{all}");
        for width in [80, 60, 50] {
            let shown = table.laid_out(Some(width));
            assert!(shown.lines().all(|line| line.chars().count() <= width), "{width}\n{shown}");
            assert!(shown.contains(id) && !shown.contains("a.very"), "{shown}");
        }
        assert_eq!(
            table.laid_out(Some(80)),
            format!(
                "id                                    role   name        at\n\
                 {id}  owner  Specimenez  2026-01-05T00:00:00Z\n\
                 Not shown: email. --wide shows all columns.\n"
            )
        );
        let record = record(&json!({"name": "one two ".repeat(20)}), &["name"]).laid_out(Some(40));
        assert!(record.lines().all(|line| line.chars().count() <= 40 && line.ends_with(['e', 'o'])), "{record}");
    }
}
