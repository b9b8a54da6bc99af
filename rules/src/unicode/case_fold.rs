//! Full case folding (Unicode, section 3.13.3).

/// The full case folding of a character that has no decomposition: the mappings C and F of `CaseFolding.txt`.
///
/// The standard library has no folding. That of a character is its lower case, apart from the exceptions here. What has a
/// decomposition is decomposed by the caller, before or after it. `CaseFolding.txt` is stable: no later version changes
/// the folding of a character.
pub(crate) fn case_fold(character: char) -> Folded {
    let one = |folded| Folded([Some(folded), None, None]);
    let moved = |by: i32| char::from_u32((character as u32).wrapping_add_signed(by)).map_or(character, |moved| moved);
    match character {
        _ if character.is_ascii() => one(character.to_ascii_lowercase()),
        // Scripts without case: a short cut.
        '\u{3000}'..='\u{a63f}' | '\u{ac00}'..='\u{d7a3}' => one(character),
        'ß' | 'ẞ' => Folded([Some('s'), Some('s'), None]),
        'ς' => one('σ'),
        // The mark below a letter is a letter after it.
        '\u{345}' => one('ι'),
        // Cherokee folds to capitals, which came first.
        '\u{13a0}'..='\u{13f5}' => one(character),
        '\u{13f8}'..='\u{13fd}' => one(moved(-8)),
        '\u{ab70}'..='\u{abbf}' => one(moved(0x13a0 - 0xab70)),
        // Rounded Cyrillic letters.
        '\u{1c80}'..='\u{1c88}' => {
            let letters = ['в', 'д', 'о', 'с', 'т', 'т', 'ъ', 'ѣ', 'ꙋ'];
            one(letters.get(character as usize - 0x1c80).copied().unwrap_or(character))
        }
        _ => {
            let mut folded = character.to_lowercase();
            Folded([folded.next(), folded.next(), folded.next()])
        }
    }
}

/// Up to three characters.
pub(crate) struct Folded([Option<char>; 3]);

impl IntoIterator for Folded {
    type Item = char;
    type IntoIter = core::iter::Flatten<core::array::IntoIter<Option<char>, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use core::iter::once;

    use caseless::Caseless as _;
    use unicode_general_category::{GeneralCategory, get_general_category};
    use unicode_normalization::UnicodeNormalization as _;

    use super::*;

    #[test]
    fn every_character_without_a_decomposition_folds_as_the_published_table_says() {
        let differ = ('\0'..=char::MAX).filter(|character| {
            let published = once(*character).default_case_fold();
            // The table is that of Unicode 16, which has no letters of later versions.
            get_general_category(*character) != GeneralCategory::Unassigned
                && once(*character).nfkd().eq(once(*character))
                && !case_fold(*character).into_iter().eq(published)
        });
        assert_eq!(differ.collect::<String>(), "");
    }
}
