//! Writes a workbook (XLSX) of one sheet whose cells are all texts, so that no spreadsheet computes or changes one.
//!
//! It holds one row at a time besides what is written, compressed. It is small enough for a web page, where a library
//! for workbooks is not (decision 0107).
//!
//! ```
//! use matterbook_workbook::TextWorkbook;
//! let mut workbook = TextWorkbook::new("Clients", 20);
//! workbook.row(["Name", "ZIP"].into_iter());
//! workbook.row(["Ana", "00501"].into_iter());
//! assert!(workbook.finish().starts_with(b"PK"));
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod checksum;

use std::{borrow::Cow, io::Write as _};

use checksum::Checksum;
use flate2::{Compression, write::DeflateEncoder};

/// A workbook on its way.
pub struct TextWorkbook {
    package: Package,
    sheet: PartWriter,
}

/// What every workbook has besides its sheet. The one style is that of texts.
const PARTS: [(&str, &str); 4] = [
    (
        "[Content_Types].xml",
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#,
    ),
    (
        "xl/styles.xml",
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/></cellXfs></styleSheet>"#,
    ),
];

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;
const SHEET: &str = "xl/worksheets/sheet1.xml";

impl TextWorkbook {
    /// An empty workbook, whose sheet has this name of at most 31 characters. Its first row stays in sight, and its
    /// first column is so many characters wide.
    #[must_use]
    pub fn new(sheet_name: &str, first_width: u32) -> Self {
        let book = format!(
            r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="{}" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
            escaped(sheet_name)
        );
        let mut package = Package::default();
        for (name, text) in PARTS.into_iter().chain([("xl/workbook.xml", book.as_str())]) {
            let mut part = PartWriter::new();
            part.write(DECLARATION);
            part.write(text);
            package.add(name, part);
        }
        let mut sheet = PartWriter::new();
        sheet.write(DECLARATION);
        sheet.write(&format!(
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="1" width="{first_width}" customWidth="1"/></cols><sheetData>"#
        ));
        Self { package, sheet }
    }

    /// Adds a row of texts. Empty ones have no cell.
    pub fn row<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        let mut row = "<row>".to_owned();
        for text in texts {
            if text.is_empty() {
                row.push_str("<c/>");
            } else {
                row.push_str(r#"<c s="1" t="inlineStr"><is><t xml:space="preserve">"#);
                row.push_str(&escaped(text));
                row.push_str("</t></is></c>");
            }
        }
        row.push_str("</row>");
        self.sheet.write(&row);
    }

    /// The bytes of the workbook.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.sheet.write("</sheetData></worksheet>");
        self.package.add(SHEET, self.sheet);
        self.package.finish()
    }
}

/// The text in XML. A character that XML does not have is written as workbooks write it: `_x000C_`.
fn escaped(text: &str) -> Cow<'_, str> {
    let is_plain = |character: char| {
        !matches!(character, '&' | '<' | '>' | '"' | '_' | '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
    };
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Text that looks like such an escape is none.
            '_' if rest.starts_with("_x") => escaped.push_str("_x005F_"),
            '\t' | '\n' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                escaped.push_str(&format!("_x{:04X}_", u32::from(character)));
            }
            _ => escaped.push(character),
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
    }
    Cow::Owned(escaped)
}

/// A part while it is compressed.
struct PartWriter {
    deflated: DeflateEncoder<Vec<u8>>,
    checksum: Checksum,
    length: usize,
}

impl PartWriter {
    fn new() -> Self {
        Self { deflated: DeflateEncoder::new(Vec::new(), Compression::fast()), checksum: Checksum::new(), length: 0 }
    }

    fn write(&mut self, text: &str) {
        self.checksum.update(text.as_bytes());
        self.length += text.len();
        // Writing into memory does not fail.
        let _ = self.deflated.write_all(text.as_bytes());
    }
}

/// A ZIP archive (APPNOTE 6.3.9) of deflated parts: the parts, and the directory of them.
#[derive(Default)]
struct Package {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    parts: u16,
}

impl Package {
    fn add(&mut self, name: &str, part: PartWriter) {
        let PartWriter { deflated, checksum, length: plain_length } = part;
        let content = deflated.finish().unwrap_or_default();
        let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        let start = length(self.bytes.len());
        // What both headers have: version, names in UTF-8, deflate, 1 January 1980, checksum and lengths.
        let common = [
            20_u16.to_le_bytes().as_slice(),
            &0x0800_u16.to_le_bytes(),
            &8_u16.to_le_bytes(),
            &0_u16.to_le_bytes(),
            &0x0021_u16.to_le_bytes(),
            &checksum.sum().to_le_bytes(),
            &length(content.len()),
            &length(plain_length),
            &u16::try_from(name.len()).unwrap_or(0).to_le_bytes(),
            &0_u16.to_le_bytes(),
        ]
        .concat();
        for piece in [b"PK\x03\x04".as_slice(), &common, name.as_bytes(), &content] {
            self.bytes.extend_from_slice(piece);
        }
        // No comment, the first disk, and no attributes.
        for piece in [b"PK\x01\x02\x14\0".as_slice(), &common, &[0; 10], &start, name.as_bytes()] {
            self.directory.extend_from_slice(piece);
        }
        self.parts += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        let (start, size) = (length(self.bytes.len()), length(self.directory.len()));
        let parts = self.parts.to_le_bytes();
        self.bytes.append(&mut self.directory);
        for piece in [b"PK\x05\x06\0\0\0\0".as_slice(), &parts, &parts, &size, &start, &[0; 2]] {
            self.bytes.extend_from_slice(piece);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use matterbook_import::records::{self, Content, Options, Original};

    use super::*;

    #[test]
    fn every_text_is_read_back_as_it_was() {
        let texts = ["=1+1", "00501", " a<b>&\"c\" ", "_x0041_", "a\u{c}b\rc", "José 😀", "", "last\nline"];
        let mut workbook = TextWorkbook::new("Rows", 20);
        workbook.row(["Last Name", "Zip", "B", "C", "D", "E", "F", "G"].into_iter());
        for _ in 0..3 {
            workbook.row(texts.into_iter());
        }
        let content = Content::of_bytes(workbook.finish());
        let rows = records::read("refused.xlsx".as_ref(), content, &Options::default()).unwrap();
        let rows: Vec<_> = rows.map(|row| row.unwrap().original).collect();
        let expected = Original::Cells(texts.map(str::to_owned).to_vec());
        assert_eq!(rows, [expected.clone(), expected.clone(), expected]);
    }
}
