//! Directionals (USPS Publication 28, section 233 and Appendix B).

/// The abbreviation of a directional. `no` and `so` are not among them: `no` also means number.
pub(super) fn standard(word: &str) -> Option<&'static str> {
    Some(match word {
        "n" | "north" => "n",
        "e" | "east" => "e",
        "s" | "south" => "s",
        "w" | "west" => "w",
        "ne" | "northeast" => "ne",
        "nw" | "northwest" => "nw",
        "se" | "southeast" => "se",
        "sw" | "southwest" => "sw",
        _ => return None,
    })
}

/// The abbreviation of a directional in two words, such as `north west` or `N. W.`
pub(super) fn of_two_words(first: &str, second: &str) -> Option<&'static str> {
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
            assert_eq!(standard(&word.to_lowercase()), expected.as_str().map(str::to_lowercase).as_deref(), "{word}");
        }
        for (words, expected) in published["unlisted_but_seen"].as_object().unwrap() {
            let words = words.to_lowercase();
            let found = words.split_once(' ').and_then(|(first, second)| of_two_words(first, second));
            let expected = expected.as_str().map(str::to_lowercase);
            assert_eq!(found, expected.as_deref().filter(|_| !matches!(words.as_str(), "no" | "so")), "{words}");
        }
    }
}
