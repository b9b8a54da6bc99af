//! Tables of words, looked up by the words' letters as one number: comparing numbers is several
//! times faster than comparing texts, and most words of an address are looked up more than once.

/// Words of the letters `a` to `z`, at most 12 long, each with what it stands for.
pub(super) struct Table<V, const N: usize> {
    keys: [u64; N],
    words: [(&'static str, V); N],
}

impl<V: Copy, const N: usize> Table<V, N> {
    /// A table of words in alphabetical order; any other order does not compile.
    #[expect(clippy::indexing_slicing, reason = "evaluated when compiling: an index out of bounds does not compile")]
    pub(super) const fn new(words: [(&'static str, V); N]) -> Self {
        let mut keys = [0; N];
        let mut index = 0;
        while index < N {
            keys[index] = match key(words[index].0) {
                Some(key) => key,
                None => 0,
            };
            assert!(keys[index] > if index == 0 { 0 } else { keys[index - 1] }, "words must be sorted");
            index += 1;
        }
        Self { keys, words }
    }

    /// Every word, with what it stands for.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = (&'static str, V)> {
        self.words.iter().copied()
    }

    /// What the word stands for, if it is in the table.
    pub(super) fn find(&self, word: &str) -> Option<V> {
        let index = self.keys.binary_search(&key(word)?).ok()?;
        self.words.get(index).map(|(_, value)| *value)
    }
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
