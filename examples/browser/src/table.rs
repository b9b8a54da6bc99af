//! Parses a pasted text into columns and rows.

/// The maximum number of rows that the page shows.
pub(crate) const ROWS_MAX: usize = 5_000;

/// The column names and the rows, each with as many cells as there are columns.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// Parses a text. The separator is the most frequent of tab, comma and semicolon in the first line;
    /// spreadsheets copy cells with tabs.
    ///
    /// # Errors
    /// A sentence for the user.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first_line = text.lines().next().unwrap_or_default();
        let count = |delimiter: &u8| first_line.bytes().filter(|byte| byte == delimiter).count();
        // On a tie `max_by_key` takes the last.
        let delimiter = [b';', b',', b'\t'].into_iter().max_by_key(count).unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
        let columns = reader.headers().map_err(|error| error.to_string())?;
        let columns: Vec<String> = columns.iter().map(|name| name.trim().to_owned()).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            let mut row: Vec<String> = record.iter().map(str::to_owned).collect();
            row.resize(columns.len(), String::new());
            if rows.len() == ROWS_MAX {
                return Err(format!("These are more than {ROWS_MAX} rows. Paste them in parts."));
            }
            rows.push(row);
        }
        if rows.is_empty() {
            return Err("Paste the line with the names of the columns, and at least one row under it.".to_owned());
        }
        Ok(Self { columns, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_apart_by_tabs_commas_or_semicolons() {
        for text in ["a\tb\n1\t2\n", "a,b\n1,2", "\u{feff}a;b\r\n1;2\r\n", "a,b\n1"] {
            let table = Table::read(text).unwrap();
            assert_eq!(table.columns, ["a", "b"], "{text:?}");
            assert_eq!(table.rows[0][0], "1", "{text:?}");
            assert_eq!(table.rows[0].len(), 2, "{text:?}");
        }
        let quoted = Table::read("a,b\n\"1,\n2\",3\n").unwrap();
        assert_eq!(quoted.rows, [["1,\n2", "3"]]);
    }

    #[test]
    fn a_text_without_rows_or_with_too_many_is_refused_in_words() {
        for text in ["", "a\tb", "a\n"] {
            assert!(Table::read(text).unwrap_err().starts_with("Paste the line with the names"), "{text:?}");
        }
        let long = format!("a\n{}", "1\n".repeat(ROWS_MAX + 1));
        assert!(Table::read(&long).unwrap_err().contains("in parts"));
    }
}
