//! CSV and similar formats. The separator is found by parsing the first rows with each candidate.

use std::io::{Cursor, Read};

use super::{
    ReadError,
    row::{COLUMNS, Cell, TableRow},
    text::{LineFeeds, Meter, row_text},
};
use crate::mapping::{ListKind, is_recognized};

/// The maximum length of a row; a longer one means an unclosed quote.
pub(super) const ROW_BYTES: u64 = 16 * 1_024 * 1_024;
/// The candidates; on a tie the first wins.
const SEPARATORS: [u8; 4] = *b",;\t|";
/// How much of a file is read to find its separator.
const SAMPLE_BYTES: u64 = 64 * 1_024;
const SAMPLE_ROWS: usize = 20;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// A line added at the end of the file. If it is not parsed as its own row, a quote is still open.
const END: &[u8] = b"\x1d";

/// The rows of a text file without blank ones.
pub(super) struct DelimitedRows {
    reader: csv::Reader<Box<dyn Read + Send>>,
    record: csv::ByteRecord,
    meter: Meter,
    name: String,
    /// Line breaks within quotes so far: a spreadsheet shows them within one row.
    breaks: u64,
    is_over: bool,
}

impl DelimitedRows {
    /// Finds the separator of a text in UTF-8 or Windows-1252, and stops before its first row.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn open(name: &str, file: Box<dyn Read + Send>, meter: Meter) -> Result<Self, ReadError> {
        let unreadable = |error: std::io::Error| ReadError::io(name, &error);
        let mut file = LineFeeds::new(file);
        let mut sample = Vec::new();
        (&mut file).take(SAMPLE_BYTES).read_to_end(&mut sample).map_err(unreadable)?;
        if sample.starts_with(BYTE_ORDER_MARK) {
            sample.drain(..BYTE_ORDER_MARK.len());
        }
        let is_whole = u64::try_from(sample.len()).unwrap_or(0) < SAMPLE_BYTES - 3;
        let separator = match said_separator(&sample) {
            Some((separator, line_bytes)) => {
                sample.drain(..line_bytes);
                separator
            }
            None => found_separator(&sample, is_whole),
        };
        // The added line feeds end every row, so the line of its end is known.
        let end = b"\n".chain(END).chain(b"\n".as_slice());
        let text: Box<dyn Read + Send> = Box::new(Cursor::new(sample).chain(file).chain(end));
        let reader = builder(separator).from_reader(text);
        let record = csv::ByteRecord::new();
        Ok(Self { reader, record, meter, name: name.to_owned(), breaks: 0, is_over: false })
    }
}

impl Iterator for DelimitedRows {
    type Item = Result<TableRow, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            self.meter.allow(ROW_BYTES);
            let next_number = self.reader.position().line().saturating_sub(self.breaks);
            match self.reader.read_byte_record(&mut self.record) {
                Ok(false) => return None,
                Ok(true) if self.record.as_slice() == END => return None,
                Ok(true) if ends_within_quotes(&self.record) => {
                    self.is_over = true;
                    // At this point the record includes its last line feed.
                    let number = self.number() + 1;
                    return Some(Err(self.unclosed(number)));
                }
                Ok(true) => {
                    let row = self.row();
                    if !row.is_blank() {
                        return Some(Ok(row));
                    }
                }
                Err(error) => {
                    self.is_over = true;
                    let refused = match error.into_kind() {
                        csv::ErrorKind::Io(error) if error.kind() != std::io::ErrorKind::Other => {
                            ReadError::io(&self.name, &error)
                        }
                        _ => ReadError::Refused(format!(
                            "Row {next_number} of {} is longer than {ROW_BYTES} bytes, so nothing from there on was read: \
                             a quote may be opened there and never closed.",
                            self.name
                        )),
                    };
                    return Some(Err(refused));
                }
            }
        }
        None
    }
}

impl DelimitedRows {
    fn row(&mut self) -> TableRow {
        let number = self.number();
        self.breaks += line_breaks(&self.record);
        let is_utf8 = std::str::from_utf8(self.record.as_slice()).is_ok();
        let cell = |bytes| Cell::text(row_text(bytes, is_utf8));
        let cells = self.record.iter().take(COLUMNS).map(cell).collect();
        let mut further =
            self.record.iter().enumerate().skip(COLUMNS).filter(|(_, bytes)| !bytes.trim_ascii().is_empty());
        let more_cells = further.next_back().map_or(0, |(place, _)| place + 1 - COLUMNS);
        TableRow { number, cells, more_cells, is_windows_1252: !is_utf8, is_hidden: false }
    }

    /// The number of the row just read. The reader is after its line feed.
    fn number(&self) -> u64 {
        let end = self.reader.position().line() - 1;
        end.saturating_sub(line_breaks(&self.record)).saturating_sub(self.breaks)
    }

    fn unclosed(&self, number: u64) -> ReadError {
        ReadError::Refused(format!(
            "In row {number} of {} a quote is opened and never closed, so nothing from there on was read: close it, \
             or write it twice if it is part of the text.",
            self.name
        ))
    }
}

/// Whether a record ran past the end of the file, because its quote was never closed.
fn ends_within_quotes(record: &csv::ByteRecord) -> bool {
    record.as_slice().strip_suffix(b"\n").is_some_and(|text| text.ends_with(END))
}

fn line_breaks(record: &csv::ByteRecord) -> u64 {
    u64::try_from(record.as_slice().iter().filter(|byte| **byte == b'\n').count()).unwrap_or(0)
}

fn builder(separator: u8) -> csv::ReaderBuilder {
    let mut builder = csv::ReaderBuilder::new();
    builder.flexible(true).has_headers(false).delimiter(separator).terminator(csv::Terminator::Any(b'\n'));
    builder
}

/// The separator of a first line such as `sep=;`, which spreadsheets write and hide, and the line's length.
fn said_separator(sample: &[u8]) -> Option<(u8, usize)> {
    let line = sample.split(|byte| *byte == b'\n').next()?;
    let said = line.get(..4).filter(|start| start.eq_ignore_ascii_case(b"sep="));
    match (said, line.get(4..)?) {
        (Some(_), [separator]) => Some((*separator, line.len() + 1)),
        _ => None,
    }
}

/// The separator with which one row has the most recognized headers; on a tie, the one with the most rows of
/// equal length. Quotes are parsed, so a quoted comma does not separate cells.
fn found_separator(sample: &[u8], is_whole: bool) -> u8 {
    let score = |separator: u8| {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let reader = builder(separator).from_reader(sample);
        for record in reader.into_byte_records().map_while(Result::ok).take(SAMPLE_ROWS) {
            rows.push(record.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect());
        }
        // The sample may cut its last row.
        if !is_whole && rows.len() < SAMPLE_ROWS {
            rows.pop();
        }
        let kinds = [ListKind::Clients, ListKind::Prospects];
        let is_header = |cell: &&String| kinds.iter().any(|kind| is_recognized(*kind, cell));
        let recognized = rows.iter().map(|row| row.iter().filter(is_header).count()).max().unwrap_or(0);
        let lengths = || rows.iter().map(Vec::len).filter(|length| *length > 1);
        let common = lengths().map(|length| (lengths().filter(|other| *other == length).count(), length)).max();
        (recognized, common.unwrap_or_default())
    };
    // On a tie `max_by_key` takes the last.
    SEPARATORS.into_iter().rev().max_by_key(|separator| score(*separator)).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8]) -> Vec<Result<(u64, String), String>> {
        let file = Box::new(Cursor::new(bytes.to_vec()));
        let rows = DelimitedRows::open("a.csv", file, Meter::default()).unwrap();
        rows.map(|row| match row {
            Ok(row) => Ok((row.number, row.texts().collect::<Vec<_>>().join("|"))),
            Err(error) => Err(error.to_string()),
        })
        .collect()
    }

    fn check(bytes: &[u8], expected: &[(u64, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(number, text)| Ok((*number, (*text).to_owned()))).collect();
        assert_eq!(rows(bytes), expected, "{}", String::from_utf8_lossy(bytes));
    }

    #[test]
    fn rows_have_the_numbers_that_a_spreadsheet_shows() {
        let file = b"Name,City\r\nA,\"New\r\nYork\"\r\n\r\n,\r\nB,Reno\rC,Ely";
        check(file, &[(1, "Name|City"), (2, "A|New\nYork"), (5, "B|Reno"), (6, "C|Ely")]);
    }

    #[test]
    fn the_separator_is_found_whatever_stands_within_quotes() {
        check(b"Last Name;City\nA;\"Reno, Nevada, USA\"\n", &[(1, "Last Name|City"), (2, "A|Reno, Nevada, USA")]);
        check(b"Last Name\tCity\nA\tReno, NV, US\n", &[(1, "Last Name|City"), (2, "A|Reno, NV, US")]);
        check(b"Last Name|City\nA|Reno\n", &[(1, "Last Name|City"), (2, "A|Reno")]);
        check(b"\"Last;Name;x\",City\nA;B;C,Reno\n", &[(1, "Last;Name;x|City"), (2, "A;B;C|Reno")]);
        check(b"a;b\n1;2\n3;4,5\n", &[(1, "a|b"), (2, "1|2"), (3, "3|4,5")]);
        check(b"Zip\n02134\n", &[(1, "Zip"), (2, "02134")]);
    }

    #[test]
    fn a_line_that_names_the_separator_is_obeyed_and_not_counted() {
        check(b"\xEF\xBB\xBFsep=;\r\nZip;City,State\r\n1;2\r\n", &[(1, "Zip|City,State"), (2, "1|2")]);
    }

    #[test]
    fn each_row_is_utf8_or_windows_1252() {
        check("Last Name,City\nJosé,Reno\n".as_bytes(), &[(1, "Last Name|City"), (2, "José|Reno")]);
        check(b"Last Name,City\nJos\xE9,\x93Reno\x94\n", &[(1, "Last Name|City"), (2, "José|“Reno”")]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_named_with_its_row() {
        let sentence = "In row 3 of a.csv a quote is opened and never closed, so nothing from there on was read: \
                        close it, or write it twice if it is part of the text.";
        assert_eq!(rows(b"Zip,City\n1,\"R\nR\"\n2,\"Elko\n3,Ely\n").pop(), Some(Err(sentence.to_owned())));
    }

    #[test]
    fn a_row_without_an_end_is_not_read_into_memory() {
        let file = [b"Zip,City\n1,Reno\n2,\"".to_vec(), vec![b'x'; 17 * 1_024 * 1_024], b"\n3,Ely\n".to_vec()].concat();
        let meter = Meter::default();
        let metered = super::super::text::Metered::new(Cursor::new(file), meter.clone());
        let rows: Vec<_> = DelimitedRows::open("a.csv", Box::new(metered), meter).unwrap().collect();
        let sentence = "Row 3 of a.csv is longer than 16777216 bytes, so nothing from there on was read: a quote may be \
                        opened there and never closed.";
        assert_eq!(rows.last(), Some(&Err(ReadError::Refused(sentence.to_owned()))));
        assert_eq!(rows.len(), 3);
    }
}
