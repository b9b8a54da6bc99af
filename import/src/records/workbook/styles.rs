//! The number formats of the cells' styles.

use foldhash::{HashMap, HashMapExt as _};

use super::{
    Damage,
    number_format::NumberFormat,
    package::Package,
    xml::{Piece, Xml},
};

/// More than the styles of any spreadsheet.
const PART_BYTES: u64 = 64 * 1_024 * 1_024;
/// A spreadsheet has at most 65,490 styles, and fewer formats.
const STYLES: usize = 100_000;

/// The number format of each style.
#[derive(Default)]
pub(super) struct Styles(Vec<NumberFormat>);

impl Styles {
    /// Reads the part with this name.
    pub(super) fn read(package: &mut Package, name: &str) -> Result<Self, Damage> {
        let mut xml = Xml::new(package.part(name, PART_BYTES)?);
        let mut formats: HashMap<u32, NumberFormat> = HashMap::new();
        let mut styles = Vec::new();
        let mut is_of_cells = false;
        loop {
            match xml.next()? {
                Piece::Start { tag, is_empty } => match tag.name() {
                    "numFmt" => {
                        if let (Some(id), Some(code)) = (tag.number("numFmtId"), tag.attribute("formatCode")) {
                            formats.insert(id, NumberFormat::of_code(&code));
                        }
                    }
                    "cellXfs" => is_of_cells = !is_empty,
                    "xf" if is_of_cells => {
                        let id = tag.number("numFmtId").unwrap_or(0);
                        styles.push(formats.get(&id).cloned().unwrap_or_else(|| NumberFormat::built_in(id)));
                    }
                    _ => {}
                },
                Piece::End(tag) if tag.name() == "cellXfs" => is_of_cells = false,
                Piece::EndOfPart => return Ok(Self(styles)),
                _ => {}
            }
            if formats.len() > STYLES || styles.len() > STYLES {
                return Err(Damage::Damaged);
            }
        }
    }

    /// The number format of a style.
    pub(super) fn format(&self, style: u32) -> &NumberFormat {
        const GENERAL: &NumberFormat = &NumberFormat::General;
        usize::try_from(style).ok().and_then(|style| self.0.get(style)).unwrap_or(GENERAL)
    }
}
