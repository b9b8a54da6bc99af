//! Full case folding (Unicode, section 3.13.3).

/// The full case folding of a character: the mappings C and F of `CaseFolding.txt`.
///
/// The standard library has no folding. That of a character is the lower case of its upper case, apart from
/// the exceptions here. `CaseFolding.txt` is stable: no later version changes the folding of a character.
pub(crate) fn case_fold(character: char) -> Folded {
    let unchanged = [Some(character), None, None];
    Folded(match character {
        _ if character.is_ascii() => [Some(character.to_ascii_lowercase()), None, None],
        // Accents, and scripts without case: a short cut.
        '\u{300}'..='\u{344}' | '\u{346}'..='\u{362}' | '\u{3000}'..='\u{a63f}' | '\u{ac00}'..='\u{d7a3}' => unchanged,
        // Its upper case is that of i.
        'ı' => unchanged,
        // Cherokee folds to capitals, which came first.
        '\u{13a0}'..='\u{13f5}' => unchanged,
        '\u{13f8}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => [character.to_uppercase().next(), None, None],
        _ => {
            let upper = character.to_lowercase().flat_map(char::to_uppercase);
            let mut folded = upper.flat_map(char::to_lowercase);
            [folded.next(), folded.next(), folded.next()]
        }
    })
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
    use caseless::Caseless as _;
    use unicode_general_category::{GeneralCategory, get_general_category};

    use super::*;

    #[test]
    fn every_character_folds_as_the_published_table_says() {
        let differ = ('\0'..=char::MAX).filter(|character| {
            let published = std::iter::once(*character).default_case_fold();
            // The table is that of Unicode 16, which has no letters of later versions.
            get_general_category(*character) != GeneralCategory::Unassigned
                && !case_fold(*character).into_iter().eq(published)
        });
        assert_eq!(differ.collect::<String>(), "");
    }
}
