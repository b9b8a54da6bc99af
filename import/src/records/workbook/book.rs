//! The list of a workbook's sheets, and where its parts are.

use foldhash::{HashMap, HashMapExt as _};

use super::{
    Damage,
    package::Package,
    xml::{Piece, Xml},
};

const BOOK: &str = "xl/workbook.xml";
const RELATIONS: &str = "xl/_rels/workbook.xml.rels";
/// More than a list of sheets with all that a workbook defines.
const PART_BYTES: u64 = 16 * 1_024 * 1_024;
/// A name of a sheet has at most 31 characters.
const NAME_CHARACTERS: usize = 255;

/// The sheets of cells and the parts that they share.
#[derive(Default)]
pub(super) struct Book {
    pub(super) sheets: Vec<BookSheet>,
    pub(super) is_1904: bool,
    pub(super) shared_texts: Option<String>,
    pub(super) styles: Option<String>,
}

pub(super) struct BookSheet {
    pub(super) name: String,
    pub(super) is_hidden: bool,
    /// The name of its part.
    pub(super) part: String,
}

impl Book {
    pub(super) fn read(package: &mut Package) -> Result<Self, Damage> {
        let mut book = Self::default();
        let mut sheets: HashMap<String, String> = HashMap::new();
        let mut xml = Xml::new(package.part(RELATIONS, PART_BYTES)?);
        loop {
            match xml.next()? {
                Piece::Start { tag, .. } if tag.name() == "Relationship" => {
                    let (Some(id), Some(target)) = (tag.attribute("Id"), tag.attribute("Target")) else { continue };
                    let part = part_name(&target);
                    // Strict workbooks have other addresses before the same last word.
                    match tag.attribute("Type").unwrap_or_default().rsplit('/').next() {
                        Some("worksheet") => drop(sheets.insert(id, part)),
                        Some("sharedStrings") => book.shared_texts = Some(part),
                        Some("styles") => book.styles = Some(part),
                        _ => {}
                    }
                }
                Piece::EndOfPart => break,
                _ => {}
            }
        }
        drop(xml);
        let mut xml = Xml::new(package.part(BOOK, PART_BYTES)?);
        loop {
            match xml.next()? {
                Piece::Start { tag, .. } => match tag.name() {
                    "workbookPr" => book.is_1904 = tag.is_true("date1904"),
                    "sheet" => {
                        let part = tag.attribute("id").and_then(|id| sheets.get(&id).cloned());
                        let (Some(part), Some(name)) = (part, tag.attribute("name")) else { continue };
                        let name = name.chars().take(NAME_CHARACTERS).collect();
                        let is_hidden = tag.attribute("state").is_some_and(|state| state != "visible");
                        book.sheets.push(BookSheet { name, is_hidden, part });
                    }
                    _ => {}
                },
                Piece::EndOfPart => return Ok(book),
                _ => {}
            }
        }
    }
}

/// The name of the part that the list of parts names: below `xl`, unless it begins with `/`.
fn part_name(target: &str) -> String {
    target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), str::to_owned)
}
