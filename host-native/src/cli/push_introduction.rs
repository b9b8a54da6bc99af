//! What `push` shows before it sends: which column is sent as which field.

use indicatif::HumanCount;
use matterbook_import::{mapping::Use, records::Records};

use super::terminal;
use crate::visible::visible;

/// The indentation of the lists of columns.
const INDENT: usize = 12;
/// A longer header is shown in part.
const HEADER_WIDTH: usize = 32;

/// What is sent: which column as which field, and which columns are left out.
pub(super) fn introduction(name: &str, total: u64, rows: &Records, width: Option<usize>) -> String {
    let mut used = Vec::new();
    let mut left_out = Vec::new();
    for column in rows.mapping().columns() {
        let header = clipped(&column.header);
        match &column.used_as {
            Use::Target(target) if column.header == target.name() => used.push(header),
            Use::Target(target) | Use::Fallback(target, _) | Use::Joined(target, _) => {
                used.push(format!("{header} → {}", target.name()))
            }
            _ => left_out.push(header),
        }
    }
    let sheet = rows.sheet().map(|sheet| format!(", sheet \"{}\"", visible(&sheet.name))).unwrap_or_default();
    let parts = [("sent", used), ("left out", left_out)];
    let parts = parts.into_iter().filter(|(_, columns)| !columns.is_empty());
    let parts: String = parts.map(|(name, columns)| format!("\n  {name:<8}  {}", wrapped(&columns, width))).collect();
    let first = format!("{}{sheet}: {} rows", visible(name), HumanCount(total));
    terminal::wrapped(&first, 0, width) + &parts
}

/// Columns separated by commas, wrapped at the terminal's width.
fn wrapped(columns: &[String], width: Option<usize>) -> String {
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(INDENT));
    let mut text = String::new();
    let mut length = 0;
    for (place, column) in columns.iter().enumerate() {
        let column = visible(column);
        let column_length = column.chars().count();
        let is_last = place + 1 == columns.len();
        match place {
            0 => {}
            // The comma after it must fit too.
            _ if length + 2 + column_length + usize::from(!is_last) > room => {
                text.push_str(&format!(",\n{:INDENT$}", ""));
                length = 0;
            }
            _ => {
                text.push_str(", ");
                length += 2;
            }
        }
        text.push_str(&column);
        length += column_length;
    }
    text
}

/// The beginning of a long header, so that the terminal does not break it.
fn clipped(header: &str) -> String {
    let is_long = header.chars().count() > HEADER_WIDTH;
    header.chars().take(if is_long { HEADER_WIDTH - 1 } else { HEADER_WIDTH }).chain(is_long.then_some('…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_of_columns_are_wrapped_between_columns() {
        let columns = ["First", "Last", "Zip", "tab\there"].map(str::to_owned);
        let lines = |width: usize| wrapped(&columns, Some(INDENT + width));
        assert_eq!(lines(12), "First, Last,\n            Zip,\n            tab\\there");
        assert_eq!(lines(14), "First, Last,\n            Zip, tab\\there");
        assert_eq!(lines(3), "First,\n            Last,\n            Zip,\n            tab\\there");
        assert_eq!(wrapped(&columns, None), "First, Last, Zip, tab\\there");
        assert_eq!(wrapped(&["a".to_owned()], Some(0)), "a");
    }
}
