//! A word of an address, with its letters as a number. Comparing numbers is several times faster than
//! comparing texts, and most words are looked up more than once.

/// A word of an address: in lower case, without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a [u8],
    pub(super) key: Key,
}

impl<'a> Word<'a> {
    #[inline]
    pub(super) const fn of(text: &'a [u8]) -> Self {
        Self { text, key: Key::of(text) }
    }

    pub(super) fn has_digit(&self) -> bool {
        // A word with a key has only letters.
        self.key == Key::NONE && self.text.iter().any(u8::is_ascii_digit)
    }

    /// Whether the word only announces a number.
    pub(super) fn is_number_sign(&self) -> bool {
        self.text == b"#" || self.stands_for_number()
    }

    /// Whether the word is "number", in any spelling of letters.
    pub(super) fn stands_for_number(&self) -> bool {
        const SPELLINGS: [Key; 3] = Key::of_all(["no", "num", "number"]);
        SPELLINGS.contains(&self.key)
    }

    pub(super) fn is_of_digits(&self) -> bool {
        self.text.iter().all(u8::is_ascii_digit)
    }
}

/// The letters of a word as a number: five bits for each letter, from the left, so that numbers sort like
/// words. A word with other characters than `a` to `z`, or more than 12 letters, has [`Key::NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

impl Key {
    pub(super) const NONE: Self = Self(0);

    /// Letters of the alphabet.
    pub(super) const LETTERS: usize = 26;

    #[inline]
    pub(super) const fn of(word: &[u8]) -> Self {
        let (key, letters) = Self::of_letters(word);
        if letters == word.len() { key } else { Self::NONE }
    }

    /// The key of a text's leading letters, and their number.
    #[inline]
    pub(super) const fn of_letters(text: &[u8]) -> (Self, usize) {
        const LONGEST: usize = 12;
        let (mut rest, mut key) = (text, 0);
        while let [letter, others @ ..] = rest {
            if !letter.is_ascii_lowercase() {
                break;
            }
            key = key << 5 | (*letter - b'a' + 1) as u64;
            rest = others;
        }
        let letters = text.len() - rest.len();
        if letters > LONGEST {
            return (Self::NONE, letters);
        }
        (Self(key << (64 - 5 * LONGEST) << (5 * (LONGEST - letters))), letters)
    }

    /// The keys of several words.
    #[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get_mut` is not const")]
    pub(super) const fn of_all<const N: usize>(words: [&str; N]) -> [Self; N] {
        let mut keys = [Self::NONE; N];
        let mut index = 0;
        while index < N {
            keys[index] = Self::of(words[index].as_bytes());
            index += 1;
        }
        keys
    }

    /// The number of the first letter, where `a` is 1.
    pub(super) const fn first_letter(self) -> usize {
        (self.0 >> 59) as usize
    }

    /// Whether it sorts after another key; for constant evaluation.
    pub(super) const fn is_after(self, other: Self) -> bool {
        self.0 > other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_as_their_words_do_and_no_two_words_share_one() {
        let words = ["a", "ab", "abcdefghijkl", "b", "ba", "zzzzzzzzzzzz"];
        assert!(words.is_sorted_by_key(|word| Key::of(word.as_bytes())));
        for pair in words.windows(2) {
            assert_ne!(Key::of(pair[0].as_bytes()), Key::of(pair[1].as_bytes()));
        }
    }

    #[test]
    fn what_is_not_of_letters_has_no_key() {
        for word in ["", "abcdefghijklm", "A", "a1", "1a", "é", "a ", "`", "{"] {
            assert_eq!(Key::of(word.as_bytes()), Key::NONE, "{word}");
        }
        assert!(Word::of(b"a1").has_digit() && !Word::of(b"ab").has_digit() && !Word::of(b"a-b").has_digit());
    }
}
