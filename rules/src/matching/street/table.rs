//! Tables of words, indexed by their keys.

use super::word::Key;

/// Words of up to 12 letters `a` to `z`, each with a value.
pub(super) struct Table<V, const N: usize> {
    keys: [Key; N],
    /// The start of the words of each first letter, where `a` is 1, and the end of the last.
    starts: [u16; Key::LETTERS + 2],
    words: [(&'static str, V); N],
}

impl<V: Copy, const N: usize> Table<V, N> {
    /// A table of words in alphabetical order. Another order does not compile.
    #[expect(clippy::indexing_slicing, reason = "evaluated when compiling: an index out of bounds does not compile")]
    pub(super) const fn new(words: [(&'static str, V); N]) -> Self {
        let mut keys = [Key::NONE; N];
        let mut starts = [0; Key::LETTERS + 2];
        let mut index = 0;
        while index < N {
            keys[index] = Key::of(words[index].0.as_bytes());
            assert!(keys[index].is_after(if index == 0 { Key::NONE } else { keys[index - 1] }), "words must be sorted");
            // The later letters begin after this word, unless more words of its letter follow.
            let mut letter = keys[index].first_letter() + 1;
            index += 1;
            while letter < starts.len() {
                starts[letter] = index as u16;
                letter += 1;
            }
        }
        Self { keys, starts, words }
    }

    /// Every word with its value.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = (&'static str, V)> {
        self.words.iter().copied()
    }

    /// The value of the word with this key.
    pub(super) fn find(&self, key: Key) -> Option<V> {
        let letter = key.first_letter();
        let (start, end) = (*self.starts.get(letter)?, *self.starts.get(letter + 1)?);
        let index = self.keys.get(usize::from(start)..usize::from(end))?.binary_search(&key).ok()?;
        self.words.get(usize::from(start) + index).map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_all_its_letters() {
        let table = Table::new([("a", 1), ("ab", 2), ("abcdefghijkl", 3), ("b", 4), ("zzzzzzzzzzzz", 5)]);
        for (word, expected) in [("a", 1), ("ab", 2), ("abcdefghijkl", 3), ("b", 4), ("zzzzzzzzzzzz", 5)] {
            assert_eq!(table.find(Key::of(word.as_bytes())), Some(expected), "{word}");
        }
        for word in ["", "abc", "abcdefghijk", "abcdefghijklm", "A", "a1", "é", "a ", "`"] {
            assert_eq!(table.find(Key::of(word.as_bytes())), None, "{word}");
        }
    }
}
