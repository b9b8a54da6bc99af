//! The street and the unit of an address, apart (rules M37 to M39).

use alloc::vec::Vec;

use smol_str::SmolStr;

use super::{
    designator, joined, standardize, unit,
    word::{Key, Word},
    words,
};

/// The two parts of a street address, each as it is compared.
#[doc(alias = "parse address")]
#[doc(alias = "unit")]
#[doc(alias = "apartment")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreetParts {
    /// The address without the units at its end, in its USPS Publication 28 form. It is empty when nothing
    /// remains.
    pub street: SmolStr,
    /// The identifier of the units at the end: `4` for `Apt 4`, `# 4`, `Unit 4` and `Ste 4`, which say only
    /// that it is a unit of the building. Other designators tell units apart and stay: `fl 4`, `bldg 4`.
    pub unit: Option<SmolStr>,
}

impl StreetParts {
    /// The parts of the first line of an address.
    ///
    /// ```
    /// use matterbook_rules::matching::StreetParts;
    /// let parts = StreetParts::of("600 Canal Street, Apartment #4");
    /// assert_eq!((parts.street.as_str(), parts.unit.as_deref()), ("600 canal st", Some("4")));
    /// assert_eq!(StreetParts::of("600 Canal St Floor 4").unit.as_deref(), Some("fl 4"));
    /// assert_eq!(StreetParts::of("PO Box 4").unit, None);
    /// ```
    #[must_use]
    pub fn of(address_line1: &str) -> Self {
        let mut plain = Vec::with_capacity(address_line1.len() + 4);
        words::add_plain(address_line1, true, &mut plain);
        let mut words = words::split(&plain);
        let unit_start = standardize(&mut words);
        let (street, unit) = words.split_at_checked(unit_start).unwrap_or((&words, &[]));
        Self { street: joined(street.iter()), unit: (!unit.is_empty()).then(|| identifier(unit)) }
    }
}

/// The identifier of the unit that the second line of an address names, if it names nothing else: that of
/// [`StreetParts::unit`]. A number alone, such as `4B`, is one too.
///
/// ```
/// use matterbook_rules::matching::unit_of_line2;
/// assert_eq!(unit_of_line2("Apt. 4").as_deref(), Some("4"));
/// assert_eq!(unit_of_line2("4").as_deref(), Some("4"));
/// assert_eq!(unit_of_line2("c/o Ruiz"), None);
/// ```
#[must_use]
pub fn unit_of_line2(address_line2: &str) -> Option<SmolStr> {
    let mut plain = Vec::with_capacity(address_line2.len() + 4);
    words::add_plain(address_line2, false, &mut plain);
    let mut words = words::split(&plain);
    unit::is_whole(&mut words).then(|| identifier(&words))
}

/// The unit that the second line of an address names, if it names nothing else, with its standard designator:
/// `apt 4`, and `# 4` for a number alone.
pub(crate) fn standard_unit(address_line2: &str) -> Option<SmolStr> {
    let mut plain = Vec::with_capacity(address_line2.len() + 4);
    words::add_plain(address_line2, false, &mut plain);
    let mut words = words::split(&plain);
    if !unit::is_whole(&mut words) {
        return None;
    }
    let has_designator = words.iter().any(|word| word.text == b"#" || designator::find(*word).is_some());
    let is_box = words.first().is_some_and(|word| word.text == b"po");
    if !has_designator && !is_box {
        words.insert(0, Word::of(b"#"));
    }
    Some(joined(words.iter()))
}

/// The words of standardized units without the designators that only say that it is a unit.
fn identifier(units: &[Word<'_>]) -> SmolStr {
    const PLAIN: [Key; 3] = Key::of_all(["apt", "unit", "ste"]);
    let is_plain = |word: &&Word<'_>| PLAIN.contains(&word.key) || word.text == b"#";
    let identifier = joined(units.iter().filter(|word| !is_plain(word)));
    if identifier.is_empty() { joined(units.iter()) } else { identifier }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(address: &str) -> Option<SmolStr> {
        StreetParts::of(address).unit
    }

    #[test]
    fn units_of_a_building_have_one_identifier() {
        for address in ["9 Oak St Apt 4", "9 Oak St #4", "9 Oak St, Unit 4", "9 Oak St Suite No. 4", "9 Oak St # Apt 4"]
        {
            assert_eq!(StreetParts::of(address), StreetParts { street: "9 oak st".into(), unit: Some("4".into()) });
        }
        assert_eq!(unit("9 Oak St Apartment Rear").as_deref(), Some("rear"));
        assert_eq!(unit("9 Oak St Bldg 5, Floor 2, Ste # D").as_deref(), Some("bldg 5 fl 2 d"));
        assert_eq!(unit("9 Oak St PO Box 22").as_deref(), Some("po box 22"));
    }

    #[test]
    fn other_designators_tell_units_apart() {
        let addresses = ["Apt 4", "Fl 4", "Bldg 4", "Lot 4", "Rm 4", "PMB 4", "4th Floor", "Trlr 4", "PO Box 4"];
        let mut units: Vec<_> = addresses.map(|tail| unit(&format!("9 Oak St {tail}")).unwrap()).to_vec();
        units.sort();
        units.dedup();
        assert_eq!(units.len(), addresses.len());
    }

    #[test]
    fn an_address_without_a_unit_at_its_end_has_none() {
        for address in
            ["9 Oak St", "9 Oak St 4", "PO Box 4", "RR 2 Box 4", "Unit 4 Box 4", "9 Oak St Apt 4, Chicago", "Apt 4", ""]
        {
            assert_eq!(unit(address), None, "{address}");
        }
        assert_eq!(StreetParts::of("9 Oak St Apt 4, Chicago").street, "9 oak st apt 4 chicago");
    }

    #[test]
    fn a_second_line_is_a_unit_where_it_names_nothing_else() {
        for (line2, expected) in [
            ("Apt 4", Some("4")),
            ("#4", Some("4")),
            ("No. 4", Some("4")),
            ("4", Some("4")),
            ("4-B", Some("4 b")),
            ("B", Some("b")),
            ("Unit 2 East", Some("2 e")),
            ("2nd Floor", Some("2nd fl")),
            ("Rear", Some("rear")),
            ("Building 5, Apt 3", Some("bldg 5 3")),
            ("P.O. Box 22", Some("po box 22")),
            ("c/o Ruiz", None),
            ("c/o Ruiz, Apt 4", None),
            ("Apt 4, Chicago", None),
            ("NW", None),
            ("Chicago", None),
            ("Apt", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(unit_of_line2(line2).as_deref(), expected, "{line2}");
        }
    }
}
