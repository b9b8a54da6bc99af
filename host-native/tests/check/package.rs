//! Workbooks written part by part, as no spreadsheet would write them.

use std::io::Write as _;

use flate2::{Compress, Compression, FlushCompress};

/// The deflated bytes of a unit repeated in one chunk are about this long before compression.
const CHUNK_BYTES: usize = 1_024 * 1_024;

/// A part of a workbook.
pub struct Part {
    name: String,
    deflated: Vec<u8>,
    crc: u32,
    bytes: u64,
}

impl Part {
    pub fn new(name: &str, text: &str) -> Self {
        let mut crc = flate2::Crc::new();
        crc.update(text.as_bytes());
        let deflated = [deflated(text.as_bytes()), end()].concat();
        Self { name: name.to_owned(), deflated, crc: crc.sum(), bytes: text.len() as u64 }
    }

    /// A part of `begin`, as many `unit` as fit in this many bytes, and `end`. A long one has no checksum: it is
    /// refused before its end.
    pub fn repeated(name: &str, begin: &str, unit: &str, bytes: usize, end_text: &str) -> Self {
        let chunk = unit.repeat(CHUNK_BYTES / unit.len());
        let count = bytes.div_ceil(chunk.len());
        let deflated_chunk = deflated(chunk.as_bytes());
        let mut whole = deflated(begin.as_bytes());
        (0..count).for_each(|_| whole.extend_from_slice(&deflated_chunk));
        whole.extend_from_slice(&deflated(end_text.as_bytes()));
        whole.extend_from_slice(&end());
        let bytes = (begin.len() + count * chunk.len() + end_text.len()) as u64;
        let mut crc = flate2::Crc::new();
        if count < 16 {
            crc.update([begin, chunk.repeat(count).as_str(), end_text].concat().as_bytes());
        }
        Self { name: name.to_owned(), deflated: whole, crc: crc.sum(), bytes }
    }
}

/// A piece of a deflate stream that refers to no earlier piece, so that pieces can be put together.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut compress = Compress::new(Compression::default(), false);
    let mut output = Vec::with_capacity(bytes.len() + 1_024);
    compress.compress_vec(bytes, &mut output, FlushCompress::Full).expect("compressed");
    assert_eq!(compress.total_in(), bytes.len() as u64);
    output
}

/// The end of a deflate stream.
fn end() -> Vec<u8> {
    let mut output = Vec::with_capacity(64);
    Compress::new(Compression::default(), false).compress_vec(b"", &mut output, FlushCompress::Finish).expect("an end");
    output
}

/// The bytes of a file with these parts.
pub fn package(parts: &[Part]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for part in parts {
        let start = u32::try_from(file.len()).expect("a small file");
        let short = |number: u64| u32::try_from(number.min(u64::from(u32::MAX))).expect("small").to_le_bytes();
        let mut fields = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        fields.extend_from_slice(&part.crc.to_le_bytes());
        fields.extend_from_slice(&short(part.deflated.len() as u64));
        fields.extend_from_slice(&short(part.bytes));
        fields.extend_from_slice(&u16::try_from(part.name.len()).expect("short").to_le_bytes());
        fields.extend_from_slice(&[0, 0]);
        file.extend_from_slice(b"PK\x03\x04");
        file.extend_from_slice(&fields);
        file.extend_from_slice(part.name.as_bytes());
        file.extend_from_slice(&part.deflated);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&fields);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&start.to_le_bytes());
        directory.extend_from_slice(part.name.as_bytes());
    }
    let at = u32::try_from(file.len()).expect("a small file");
    let count = u16::try_from(parts.len()).expect("few").to_le_bytes();
    file.extend_from_slice(&directory);
    file.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    file.extend_from_slice(&[count, count].concat());
    file.extend_from_slice(&u32::try_from(directory.len()).expect("small").to_le_bytes());
    file.extend_from_slice(&at.to_le_bytes());
    file.write_all(&[0, 0]).expect("written");
    file
}

const WORKBOOK: &str = r#"<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Clients" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
const RELATIONS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/>
<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const STYLES: &str = r#"<styleSheet><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>"#;
const TEXTS: &str = r#"<sst count="1" uniqueCount="1"><si><t>Li</t></si></sst>"#;

/// A sheet of these rows.
pub fn sheet(rows: &str) -> Part {
    Part::new("xl/worksheets/sheet1.xml", &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"))
}

/// A workbook of these parts, and what else it needs.
pub fn workbook(parts: Vec<Part>) -> Vec<u8> {
    let needed = [
        ("_rels/.rels", ROOT.to_owned()),
        ("xl/workbook.xml", WORKBOOK.to_owned()),
        ("xl/_rels/workbook.xml.rels", RELATIONS.to_owned()),
        ("xl/styles.xml", STYLES.to_owned()),
        ("xl/sharedStrings.xml", TEXTS.to_owned()),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                "<worksheet><sheetData>{HEADER}<row r=\"2\"><c r=\"A2\" t=\"s\"><v>0</v></c></row></sheetData></worksheet>"
            ),
        ),
    ];
    let mut all = parts;
    for (name, text) in needed {
        if !all.iter().any(|part| part.name == name) {
            all.push(Part::new(name, &text));
        }
    }
    package(&all)
}

/// A row of headers: Last Name, Zip, Phone.
pub const HEADER: &str = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Last Name</t></is></c><c r=\"B1\" t=\"inlineStr\"><is><t>Zip</t></is></c><c r=\"C1\" t=\"inlineStr\"><is><t>Phone</t></is></c></row>";
