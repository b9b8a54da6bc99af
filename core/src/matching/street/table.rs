//! Tables of words, looked up by the words' letters as one number: comparing numbers is several
//! times faster than comparing texts, and most words of an address are looked up more than once.

/// Words of the letters `a` to `z`, at most 12 long, each with what it stands for.
pub(super) struct Table<V, const N: usize> {
    keys: [u64; N],
    /// Where the words of each first letter begin, `a` being the letter 1, and where those of the last end.
    starts: [u16; LETTERS + 2],
    words: [(&'static str, V); N],
}

impl<V: Copy, const N: usize> Table<V, N> {
    /// A table of words in alphabetical order; any other order does not compile.
    #[expect(clippy::indexing_slicing, reason = "evaluated when compiling: an index out of bounds does not compile")]
    pub(super) const fn new(words: [(&'static str, V); N]) -> Self {
        let mut keys = [0; N];
        let mut starts = [0; LETTERS + 2];
        let mut index = 0;
        while index < N {
            keys[index] = match key(words[index].0) {
                Some(key) => key,
                None => 0,
            };
            assert!(keys[index] > if index == 0 { 0 } else { keys[index - 1] }, "words must be sorted");
            // The letters after this one begin behind it, unless more words of it follow.
            let mut letter = first_letter(keys[index]) + 1;
            index += 1;
            while letter < starts.len() {
                starts[letter] = index as u16;
                letter += 1;
            }
        }
        Self { keys, starts, words }
    }

    /// Every word, with what it stands for.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = (&'static str, V)> {
        self.words.iter().copied()
    }

    /// What the word stands for, if it is in the table.
    pub(super) fn find(&self, word: &str) -> Option<V> {
        let key = key(word)?;
        let letter = first_letter(key);
        let (start, end) = (*self.starts.get(letter)?, *self.starts.get(letter + 1)?);
        let index = self.keys.get(usize::from(start)..usize::from(end))?.binary_search(&key).ok()?;
        self.words.get(usize::from(start) + index).map(|(_, value)| *value)
    }
}

/// Letters of the alphabet.
const LETTERS: usize = 26;

/// The first letter of a key, `a` being 1.
const fn first_letter(key: u64) -> usize {
    (key >> 59) as usize
}

/// Five bits a letter, from the left, so that numbers sort as their words do.
#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
const fn key(word: &str) -> Option<u64> {
    let letters = word.as_bytes();
    if letters.is_empty() || letters.len() > 12 {
        return None;
    }
    let mut key = 0;
    let mut index = 0;
    while index < letters.len() {
        let letter = letters[index];
        if !letter.is_ascii_lowercase() {
            return None;
        }
        key |= ((letter - b'a' + 1) as u64) << (59 - 5 * index);
        index += 1;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_all_its_letters() {
        let table = Table::new([("a", 1), ("ab", 2), ("abcdefghijkl", 3), ("b", 4), ("zzzzzzzzzzzz", 5)]);
        for (word, expected) in [("a", 1), ("ab", 2), ("abcdefghijkl", 3), ("b", 4), ("zzzzzzzzzzzz", 5)] {
            assert_eq!(table.find(word), Some(expected), "{word}");
        }
        for word in ["", "abc", "abcdefghijk", "abcdefghijklm", "A", "a1", "é", "a ", "`"] {
            assert_eq!(table.find(word), None, "{word}");
        }
    }
}
