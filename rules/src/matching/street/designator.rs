//! Secondary unit designators (USPS Publication 28, section 213 and Appendix C2).

use super::{table::Table, word::Word};

/// A designator: its standard abbreviation, and whether it needs no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Designator {
    pub(super) standard: &'static str,
    pub(super) stands_alone: bool,
}

/// The designator of a word, in any listed spelling.
pub(super) fn find(word: Word<'_>) -> Option<Designator> {
    DESIGNATORS.find(word.key).map(|(standard, stands_alone)| Designator { standard, stands_alone })
}

/// Sorted spellings, each with its standard abbreviation and whether it needs no number.
#[rustfmt::skip]
static DESIGNATORS: Table<(&str, bool), 45> = Table::new([
    ("apartment", ("apt", false)), ("apt", ("apt", false)), ("aptmt", ("apt", false)), ("basement", ("bsmt", true)),
    ("bldg", ("bldg", false)), ("bsmt", ("bsmt", true)), ("building", ("bldg", false)),
    ("department", ("dept", false)), ("dept", ("dept", false)), ("fl", ("fl", false)), ("floor", ("fl", false)),
    ("flr", ("fl", false)), ("frnt", ("frnt", true)), ("front", ("frnt", true)), ("hangar", ("hngr", false)),
    ("hanger", ("hngr", false)), ("hngr", ("hngr", false)), ("key", ("key", false)), ("lbby", ("lbby", true)),
    ("lobby", ("lbby", true)), ("lot", ("lot", false)), ("lower", ("lowr", true)), ("lowr", ("lowr", true)),
    ("ofc", ("ofc", true)), ("office", ("ofc", true)), ("penthouse", ("ph", true)), ("ph", ("ph", true)),
    ("pier", ("pier", false)), ("pmb", ("pmb", false)), ("rear", ("rear", true)), ("rm", ("rm", false)), ("room", ("rm", false)),
    ("side", ("side", true)), ("slip", ("slip", false)), ("space", ("spc", false)), ("spc", ("spc", false)),
    ("ste", ("ste", false)), ("stop", ("stop", false)), ("suit", ("ste", false)), ("suite", ("ste", false)),
    ("trailer", ("trlr", false)), ("trlr", ("trlr", false)), ("unit", ("unit", false)), ("upper", ("uppr", true)),
    ("uppr", ("uppr", true)),
]);

#[cfg(test)]
mod tests {
    use super::{super::fold_street, *};

    #[test]
    fn the_table_is_the_published_one() {
        let published: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/data/usps/unit_designators.json")).unwrap();
        let units = published["units"].as_array().unwrap();
        let variants = published["variants"].as_object().unwrap();
        let unlisted = ["FLR", "APTMT"].map(|word| (word.to_owned(), published["unlisted_but_seen"][word].clone()));
        // `PMB` is a private mailbox (section 285), which the appendix does not list.
        assert_eq!(variants.len() + unlisted.len() + 1, DESIGNATORS.words().count());
        for (variant, standard) in variants.clone().into_iter().chain(unlisted) {
            let standard = standard.as_str().unwrap();
            let unit = units.iter().find(|unit| unit["standard"] == standard).unwrap();
            let found = find(Word::of(variant.to_lowercase().as_bytes())).unwrap();
            assert_eq!(found.standard, standard.to_lowercase(), "{variant}");
            assert_eq!(found.stands_alone, !unit["requires_number"].as_bool().unwrap(), "{variant}");
        }
    }

    #[test]
    fn every_spelling_behind_a_street_becomes_its_standard() {
        for (spelling, (standard, stands_alone)) in DESIGNATORS.words() {
            let address = format!("12 Sycamore Street, {spelling} 7b");
            assert_eq!(fold_street(&address), format!("12 sycamore st {standard} 7b"), "{address}");
            let address = format!("12 Sycamore Street {}", spelling.to_uppercase());
            if stands_alone {
                assert_eq!(fold_street(&address), format!("12 sycamore st {standard}"), "{address}");
            }
        }
    }
}
