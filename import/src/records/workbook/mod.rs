//! The rows of a sheet of an Excel workbook, read one by one.
//!
//! A small file can unpack to gigabytes, so each part, text and row is bounded while it is read. Only the table
//! of shared texts and the number formats stay in memory.

mod book;
mod number_format;
mod package;
mod shared_texts;
mod sheet;
mod styles;
mod text;
mod xml;

use std::io::{self, Read, Seek as _};

use super::{Options, ReadError, content::SeekableFile, row::TableRow, text::Meter};
use book::{Book, BookSheet};
use package::{Package, Part};
use shared_texts::SharedTexts;
use sheet::{Shared, SheetRows};
use styles::Styles;

/// More than a million rows of a hundred columns.
const SHEET_BYTES: u64 = 8 * 1_024 * 1_024 * 1_024;
/// The first bytes of Excel 97-2003 files and of workbooks with a password.
const CONTAINER: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The rows of a sheet without blank ones.
pub(super) struct WorkbookRows {
    name: String,
    sheet: Sheet,
    rows: SheetRows<Part<SeekableFile>>,
    meter: Meter,
    is_over: bool,
}

/// Which sheet is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// The names of the other sheets, which are not read.
    pub others: Vec<String>,
    /// The number of the last row, as the file states it.
    pub(super) last_row: u64,
}

impl Sheet {
    /// The error of a sheet that has no table of clients, with the names of the other sheets.
    pub(super) fn named(&self, error: ReadError, options: &Options) -> ReadError {
        match error {
            ReadError::Refused(sentence) if !self.others.is_empty() && options.sheet.is_none() => {
                let (name, others) = (&self.name, self.others.join("\", \""));
                ReadError::Refused(format!(
                    "{sentence} This is its sheet \"{name}\"; --sheet reads another of its sheets: \"{others}\"."
                ))
            }
            other => other,
        }
    }
}

/// Why a workbook cannot be read.
#[derive(Debug)]
enum Damage {
    Damaged,
    /// A cell or a name is longer than any spreadsheet writes.
    TooLong,
    /// The table of shared texts does not fit into memory.
    TooMuchText,
    /// The row with this number has too much text.
    LongRow(u64),
    Io(io::Error),
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => Self::Damaged,
            io::ErrorKind::FileTooLarge => Self::TooLong,
            _ => Self::Io(error),
        }
    }
}

impl From<quick_xml::Error> for Damage {
    fn from(error: quick_xml::Error) -> Self {
        match error {
            quick_xml::Error::Io(error) => io::Error::new(error.kind(), error).into(),
            _ => Self::Damaged,
        }
    }
}

impl From<zip::result::ZipError> for Damage {
    fn from(error: zip::result::ZipError) -> Self {
        match error {
            zip::result::ZipError::Io(error) => error.into(),
            _ => Self::Damaged,
        }
    }
}

impl Damage {
    fn sentence(self, name: &str) -> ReadError {
        ReadError::Refused(match self {
            Self::Damaged => {
                format!("{name} is damaged, or not an Excel workbook: open it in a spreadsheet and save it again.")
            }
            Self::TooLong => format!(
                "{name} has a cell or a name that is longer than any spreadsheet writes: open it in a spreadsheet and \
                 save it again."
            ),
            Self::TooMuchText => {
                format!("{name} has more text than is read of one workbook: save the sheet as CSV.")
            }
            Self::LongRow(row) => {
                format!("{name} has more than 4 MiB in row {row}, so nothing from there on was read.")
            }
            Self::Io(error) => return ReadError::io(name, &error),
        })
    }
}

impl WorkbookRows {
    /// Opens the sheet with that name, or the first that is not hidden. The meter counts rows.
    ///
    /// # Errors
    /// When the workbook has a password, is damaged, or has no such sheet.
    pub(super) fn open(
        name: &str,
        mut file: SeekableFile,
        sheet: Option<&str>,
        meter: Meter,
    ) -> Result<Self, ReadError> {
        if is_locked(&mut file).map_err(|error| ReadError::io(name, &error))? {
            return Err(ReadError::Refused(format!(
                "{name} is locked by a password: open it and save it without one."
            )));
        }
        let refused = |damage: Damage| damage.sentence(name);
        let mut package = Package::open(file).map_err(refused)?;
        let book = Book::read(&mut package).map_err(refused)?;
        let chosen = chosen(name, &book.sheets, sheet)?;
        let rows = Self::rows(package, &book, chosen).map_err(refused)?;
        let others = book.sheets.iter().filter(|other| other.name != chosen.name).map(|other| other.name.clone());
        let sheet = Sheet { name: chosen.name.clone(), others: others.collect(), last_row: rows.last_row };
        Ok(Self { name: name.to_owned(), sheet, rows, meter, is_over: false })
    }

    fn rows(mut package: Package, book: &Book, sheet: &BookSheet) -> Result<SheetRows<Part<SeekableFile>>, Damage> {
        let part = |name: &Option<String>| name.clone().filter(|name| package.has(name));
        let (texts, styles) = (part(&book.shared_texts), part(&book.styles));
        let shared = Shared {
            texts: texts.map(|name| SharedTexts::read(&mut package, &name)).transpose()?.unwrap_or_default(),
            styles: styles.map(|name| Styles::read(&mut package, &name)).transpose()?.unwrap_or_default(),
            is_1904: book.is_1904,
        };
        SheetRows::new(package.into_part(&sheet.part, SHEET_BYTES)?, shared)
    }

    pub(super) const fn sheet(&self) -> &Sheet {
        &self.sheet
    }
}

impl Iterator for WorkbookRows {
    type Item = Result<TableRow, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.rows.next_row() {
                Ok(Some(row)) => {
                    self.meter.set(row.number);
                    if !row.is_blank() {
                        return Some(Ok(row));
                    }
                }
                Ok(None) => self.is_over = true,
                Err(damage) => {
                    self.is_over = true;
                    return Some(Err(damage.sentence(&self.name)));
                }
            }
        }
        None
    }
}

/// Whether the file is the container of a workbook with a password.
fn is_locked(file: &mut SeekableFile) -> io::Result<bool> {
    file.rewind()?;
    let mut start = Vec::new();
    file.by_ref().take(u64::try_from(CONTAINER.len()).unwrap_or(0)).read_to_end(&mut start)?;
    let mut is_locked = false;
    if start == CONTAINER {
        let stream: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
        // The list of streams is on pages of 512 bytes or more, the first after the page of this start.
        let mut page = [0; 512];
        file.seek(io::SeekFrom::Start(512))?;
        while !is_locked && file.read_exact(&mut page).is_ok() {
            is_locked = page.windows(stream.len()).any(|bytes| bytes == stream);
        }
    }
    file.rewind()?;
    Ok(is_locked)
}

/// The sheet with that name, whatever its letter case, or the first that is not hidden.
fn chosen<'b>(name: &str, sheets: &'b [BookSheet], wanted: Option<&str>) -> Result<&'b BookSheet, ReadError> {
    match wanted {
        Some(wanted) => {
            let is_named = |sheet: &&BookSheet| sheet.name.trim().to_lowercase() == wanted.trim().to_lowercase();
            sheets.iter().find(is_named).ok_or_else(|| {
                let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
                ReadError::Usage(format!("{name} has no sheet \"{wanted}\"; its sheets are {}.", names.join(", ")))
            })
        }
        None => sheets
            .iter()
            .find(|sheet| !sheet.is_hidden)
            .or_else(|| sheets.first())
            .ok_or_else(|| ReadError::Refused(format!("{name} has no sheet of cells."))),
    }
}
