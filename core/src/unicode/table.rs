//! Characters and what stands under them, read from the bytes that `build.rs` writes.

/// The most values of an entry.
const LONGEST: usize = 18;

/// Entries in ascending order of their characters.
#[derive(Default)]
pub(super) struct Table {
    /// Each character, and where its values begin.
    entries: Vec<(char, usize)>,
    values: Vec<char>,
}

impl Table {
    /// The values under a character.
    pub(super) fn of(&self, character: char) -> Option<&[char]> {
        let place = self.entries.binary_search_by_key(&character, |entry| entry.0).ok()?;
        self.values_at(place)
    }

    /// The value of the range that a character is in.
    pub(super) fn of_range(&self, character: char) -> char {
        let after = self.entries.partition_point(|entry| entry.0 <= character);
        after.checked_sub(1).and_then(|place| self.values_at(place)?.first().copied()).unwrap_or_default()
    }

    /// All values of the entries under a character, each of which has two.
    pub(super) fn pairs_of(&self, character: char) -> impl Iterator<Item = (char, char)> {
        let start = self.entries.partition_point(|entry| entry.0 < character);
        let entries = self.entries.get(start..).unwrap_or_default();
        entries.iter().take_while(move |entry| entry.0 == character).filter_map(|entry| {
            match self.values.get(entry.1..)? {
                [one, other, ..] => Some((*one, *other)),
                _ => None,
            }
        })
    }

    fn values_at(&self, place: usize) -> Option<&[char]> {
        let start = self.entries.get(place)?.1;
        let end = self.entries.get(place + 1).map_or(self.values.len(), |next| next.1);
        self.values.get(start..end)
    }
}

/// Reads tables one after the other.
pub(super) struct Reader<'a> {
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.iter() }
    }

    pub(super) fn table(&mut self) -> Table {
        let count = self.number();
        let mut table = Table::default();
        let mut character = 0;
        for _ in 0..count {
            character += self.number();
            table.entries.push((to_character(character), 0));
        }
        let mut end = 0;
        for entry in &mut table.entries {
            entry.1 = end;
            end += usize::try_from(self.number()).unwrap_or_default();
        }
        let mut before = [0_u32; LONGEST];
        let ends = table.entries.iter().skip(1).map(|entry| entry.1).chain([end]);
        for end in ends {
            let length = end.saturating_sub(table.values.len());
            for value in before.iter_mut().take(length) {
                let way = self.number();
                *value = if way.is_multiple_of(2) { *value + way / 2 } else { *value - way.div_ceil(2) };
                table.values.push(to_character(*value));
            }
        }
        table
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    fn number(&mut self) -> u32 {
        let mut number = 0;
        for place in 0.. {
            let byte = self.rest.next().copied().unwrap_or_default();
            number |= u32::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                break;
            }
        }
        number
    }
}

fn to_character(number: u32) -> char {
    char::from_u32(number).unwrap_or_default()
}
