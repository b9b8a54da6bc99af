//! Directionals (USPS Publication 28, section 233 and Appendix B).

use super::{table::Table, word::Word};

/// The abbreviation of a directional. `no` and `so` are not among them: `no` also means number.
pub(super) fn standard(word: Word<'_>) -> Option<&'static str> {
    DIRECTIONALS.find(word.key)
}

/// Sorted spellings, each with its abbreviation.
static DIRECTIONALS: Table<&str, 16> = Table::new([
    ("e", "e"),
    ("east", "e"),
    ("n", "n"),
    ("ne", "ne"),
    ("north", "n"),
    ("northeast", "ne"),
    ("northwest", "nw"),
    ("nw", "nw"),
    ("s", "s"),
    ("se", "se"),
    ("south", "s"),
    ("southeast", "se"),
    ("southwest", "sw"),
    ("sw", "sw"),
    ("w", "w"),
    ("west", "w"),
]);

/// The abbreviation of a directional in two words, such as `north west` or `N. W.`
pub(super) fn of_two_words(first: Word<'_>, second: Word<'_>) -> Option<&'static str> {
    Some(match (standard(first)?, standard(second)?) {
        ("n", "e") => "ne",
        ("n", "w") => "nw",
        ("s", "e") => "se",
        ("s", "w") => "sw",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_published_one() {
        let published: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/data/usps/directionals.json")).unwrap();
        for (word, expected) in published["map"].as_object().unwrap() {
            let found = standard(Word::of(word.to_lowercase().as_bytes()));
            assert_eq!(found, expected.as_str().map(str::to_lowercase).as_deref(), "{word}");
        }
        assert_eq!(published["map"].as_object().unwrap().len(), DIRECTIONALS.words().count());
        for (words, expected) in published["unlisted_but_seen"].as_object().unwrap() {
            let words = words.to_lowercase();
            let found = words
                .split_once(' ')
                .and_then(|(first, second)| of_two_words(Word::of(first.as_bytes()), Word::of(second.as_bytes())));
            let expected = expected.as_str().map(str::to_lowercase);
            assert_eq!(found, expected.as_deref().filter(|_| !matches!(words.as_str(), "no" | "so")), "{words}");
        }
    }
}
