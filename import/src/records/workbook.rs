//! The rows of a sheet of an Excel workbook.
//!
//! A thread reads the sheet a few hundred rows ahead. The table of shared texts stays in memory while the
//! sheet is read; it grows with the number of different texts. The rows are not kept.

use std::{
    io::{BufReader, Seek as _},
    sync::mpsc::{self, Receiver},
};

use calamine::{
    Data, DataRef, ExcelDateTime, ExcelDateTimeType, Reader as _, SheetType, SheetVisible, Xlsx, XlsxError,
};

use super::{
    ReadError,
    content::SeekableFile,
    row::{Cell, CellKind, TableRow},
    shared_texts,
    text::Meter,
};

/// The number of rows passed at once.
const PACK_ROWS: usize = 128;
/// The number of packs in the queue.
#[cfg(not(target_family = "wasm"))]
const PACKS: usize = 4;
/// The maximum number of columns of the format.
const COLUMNS: usize = 16_384;

/// The rows of a sheet without blank ones.
pub(super) struct WorkbookRows {
    name: String,
    sheet: Sheet,
    receiver: Receiver<Message>,
    pack: std::vec::IntoIter<TableRow>,
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

/// A message of the thread. The first one is the sheet; a missing end means that the thread failed.
enum Message {
    Opened(Sheet),
    Rows(Vec<TableRow>),
    Refused(ReadError),
    End,
}

impl WorkbookRows {
    /// Opens the sheet with that name, or the first that is not hidden. The meter counts rows.
    ///
    /// # Errors
    /// When the workbook has a password, is damaged, or has no such sheet.
    pub(super) fn open(name: &str, file: SeekableFile, sheet: Option<&str>, meter: Meter) -> Result<Self, ReadError> {
        let (file_name, sheet) = (name.to_owned(), sheet.map(str::to_owned));
        let receiver = messages(move |send| {
            let last = match send_rows(&file_name, file, sheet.as_deref(), &meter, send) {
                Ok(()) => Message::End,
                Err(refused) => Message::Refused(refused),
            };
            send(last);
        })
        .map_err(|error| ReadError::io(name, &error))?;
        match receiver.recv() {
            Ok(Message::Opened(sheet)) => {
                Ok(Self { name: name.to_owned(), sheet, receiver, pack: Vec::new().into_iter(), is_over: false })
            }
            Ok(Message::Refused(refused)) => Err(refused),
            Ok(Message::Rows(_) | Message::End) | Err(_) => Err(damaged(name)),
        }
    }

    pub(super) const fn sheet(&self) -> &Sheet {
        &self.sheet
    }
}

impl Iterator for WorkbookRows {
    type Item = Result<TableRow, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            if let Some(row) = self.pack.next() {
                return Some(Ok(row));
            }
            match self.receiver.recv() {
                Ok(Message::Rows(rows)) => self.pack = rows.into_iter(),
                Ok(Message::Opened(_)) => {}
                Ok(Message::End) => self.is_over = true,
                Ok(Message::Refused(refused)) => {
                    self.is_over = true;
                    return Some(Err(refused));
                }
                Err(_) => {
                    self.is_over = true;
                    return Some(Err(damaged(&self.name)));
                }
            }
        }
        None
    }
}

/// Sends a message; `false` if the receiver is gone.
type Send<'a> = &'a mut dyn FnMut(Message) -> bool;

/// The messages of `work`, which runs on its own thread.
#[cfg(not(target_family = "wasm"))]
fn messages(work: impl FnOnce(Send<'_>) + std::marker::Send + 'static) -> std::io::Result<Receiver<Message>> {
    let (sender, receiver) = mpsc::sync_channel(PACKS);
    let work = move || work(&mut |message| sender.send(message).is_ok());
    std::thread::Builder::new().name("workbook".to_owned()).spawn(work)?;
    Ok(receiver)
}

/// The messages of `work`, all at once: wasm has no threads.
#[cfg(target_family = "wasm")]
fn messages(work: impl FnOnce(Send<'_>)) -> std::io::Result<Receiver<Message>> {
    let (sender, receiver) = mpsc::channel();
    work(&mut |message| sender.send(message).is_ok());
    Ok(receiver)
}

fn damaged(name: &str) -> ReadError {
    ReadError::Refused(format!(
        "{name} is damaged, or not an Excel workbook: open it in a spreadsheet and save it again."
    ))
}

fn send_rows(
    name: &str,
    mut file: SeekableFile,
    sheet: Option<&str>,
    meter: &Meter,
    send: Send<'_>,
) -> Result<(), ReadError> {
    let refused = |error: XlsxError| match error {
        XlsxError::Password => {
            ReadError::Refused(format!("{name} is locked by a password: open it and save it without one."))
        }
        XlsxError::Io(error) => ReadError::io(name, &error),
        _ => damaged(name),
    };
    if !shared_texts::is_bounded(&mut file) {
        return Err(damaged(name));
    }
    file.rewind().map_err(|error| ReadError::io(name, &error))?;
    let mut workbook = Xlsx::new(BufReader::new(file)).map_err(refused)?;
    let mut sheet = chosen(name, &workbook, sheet)?;
    let is_1904 = workbook.has_1904_epoch();
    let mut cells = workbook.worksheet_cells_reader(&sheet.name).map_err(refused)?;
    sheet.last_row = u64::from(cells.dimensions().end.0) + 1;
    let mut pack = Vec::new();
    let mut row = TableRow::default();
    let mut is_heard = send(Message::Opened(sheet));
    while let (true, Some(cell)) = (is_heard, cells.next_cell().map_err(refused)?) {
        let (row_index, column) = cell.get_position();
        let number = u64::from(row_index) + 1;
        if row.number != number {
            let done = std::mem::replace(&mut row, TableRow { number, ..TableRow::default() });
            if !done.is_blank() {
                meter.set(done.number);
                pack.push(done);
            }
        }
        if pack.len() == PACK_ROWS {
            is_heard = send(Message::Rows(std::mem::take(&mut pack)));
        }
        let column = usize::try_from(column).unwrap_or(COLUMNS);
        if let Some(cell) = read_cell(cell.get_value(), is_1904).filter(|_| column < COLUMNS) {
            row.cells.resize_with(row.cells.len().max(column + 1), Cell::default);
            if let Some(place) = row.cells.get_mut(column) {
                *place = cell;
            }
        }
    }
    if !row.is_blank() {
        pack.push(row);
    }
    send(Message::Rows(pack));
    Ok(())
}

/// The sheet with that name, or the first that is not hidden.
fn chosen(name: &str, workbook: &Xlsx<BufReader<SeekableFile>>, wanted: Option<&str>) -> Result<Sheet, ReadError> {
    let sheets: Vec<_> = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet).collect();
    let names = || sheets.iter().map(|sheet| sheet.name.clone());
    let chosen = match wanted {
        Some(wanted) => sheets.iter().find(|sheet| sheet.name == wanted).ok_or_else(|| {
            let names = names().collect::<Vec<_>>().join(", ");
            ReadError::Usage(format!("{name} has no sheet \"{wanted}\"; its sheets are {names}."))
        })?,
        None => sheets
            .iter()
            .find(|sheet| sheet.visible == SheetVisible::Visible)
            .or_else(|| sheets.first())
            .ok_or_else(|| ReadError::Refused(format!("{name} has no sheet of cells.")))?,
    };
    let others = names().filter(|name| *name != chosen.name).collect();
    Ok(Sheet { name: chosen.name.clone(), others, last_row: 0 })
}

/// A cell as a person reads it: numbers in plain digits, days as `YYYY-MM-DD`.
fn read_cell(value: &DataRef<'_>, is_1904: bool) -> Option<Cell> {
    let cell = match value {
        DataRef::Empty => return None,
        DataRef::String(text) => Cell::text(text.clone()),
        DataRef::SharedString(text) => Cell::text((*text).to_owned()),
        DataRef::Bool(value) => Cell::text(value.to_string()),
        DataRef::Error(error) => Cell { text: error.to_string(), kind: CellKind::Error },
        DataRef::DateTimeIso(text) => Cell { text: text.clone(), kind: CellKind::Day },
        DataRef::DurationIso(text) => Cell::text(text.clone()),
        DataRef::Int(number) => Cell { text: number.to_string(), kind: CellKind::Number { day: None } },
        DataRef::Float(number) => {
            let day = day_of(&ExcelDateTime::new(*number, ExcelDateTimeType::DateTime, is_1904));
            // A whole number is written without fraction and exponent.
            Cell { text: number.to_string(), kind: CellKind::Number { day } }
        }
        DataRef::DateTime(moment) => match day_of(moment) {
            Some(text) if moment.is_datetime() => Cell { text, kind: CellKind::Day },
            _ => Cell { text: Data::DateTime(*moment).to_string(), kind: CellKind::Number { day: None } },
        },
    };
    Some(cell)
}

/// The day that a number means in this workbook, if its year is one that the API accepts.
fn day_of(moment: &ExcelDateTime) -> Option<String> {
    let (year, month, day, ..) = moment.to_ymd_hms_milli();
    // Numbers below 61 are no days, or the 29th of February 1900, which did not exist.
    (moment.as_f64() >= 61.0 && (1900..=2100).contains(&year)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}
