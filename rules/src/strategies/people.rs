//! Records of people: two of one person, and two of different people.

use proptest::prelude::*;

use super::written::any_case;
use crate::client::ClientFields;

const FIRST_NAMES: [&str; 8] = ["Ana", "Bob", "Carl", "Dolores", "José", "Mary-Ann", "Zoë", "Wei"];
const LAST_NAMES: [&str; 8] =
    ["Specimenez", "Sampleton", "Demowitz", "O'Sample", "D’Example", "Müstermann", "De la Demo", "Li"];
const SUFFIXES: [&str; 5] = ["", " Jr", " Sr", " II", " III"];
const STREETS: [&str; 8] = ["Main", "Oak", "Demo", "Sample", "Elm", "Maple", "Second", "Lake"];
/// Words of a street that have a standard form (rules M22 and M24), in that form first.
const WORDS: [[&str; 2]; 6] =
    [["St", "Street"], ["Ave", "Avenue"], ["Blvd", "Boulevard"], ["Dr", "Drive"], ["Ln", "Lane"], ["Ct", "Court"]];
const DIRECTIONS: [[&str; 2]; 5] = [["", ""], ["N", "North"], ["S.", "South"], ["NW", "Northwest"], ["E", "East"]];
/// Designators of a unit (rule M19).
const UNITS: [[&str; 2]; 3] = [["Apt", "Apartment"], ["Ste", "Suite"], ["Unit", "Unit"]];

/// What makes a person: what two records of one share.
#[derive(Clone, Debug)]
struct Person {
    first_name: &'static str,
    last_name: &'static str,
    suffix: &'static str,
    house: u32,
    direction: [&'static str; 2],
    street: &'static str,
    word: [&'static str; 2],
    unit: Option<([&'static str; 2], u32)>,
    zip: u32,
}

/// How one record of a person is written.
#[derive(Clone, Debug)]
struct Writing {
    long_words: bool,
    unit_in_line2: bool,
    last_four: Option<u32>,
    dots: bool,
}

fn people() -> impl Strategy<Value = Person> {
    let name = (
        prop::sample::select(&FIRST_NAMES[..]),
        prop::sample::select(&LAST_NAMES[..]),
        prop::sample::select(&SUFFIXES[..]),
    );
    let street = (
        1_u32..10_000,
        prop::sample::select(&DIRECTIONS[..]),
        prop::sample::select(&STREETS[..]),
        prop::sample::select(&WORDS[..]),
        proptest::option::of((prop::sample::select(&UNITS[..]), 1_u32..1_000)),
    );
    (name, street, 501_u32..99_951).prop_map(|((first_name, last_name, suffix), street, zip)| {
        let (house, direction, street, word, unit) = street;
        Person { first_name, last_name, suffix, house, direction, street, word, unit, zip }
    })
}

fn writings() -> impl Strategy<Value = Writing> {
    (any::<bool>(), any::<bool>(), proptest::option::of(0_u32..10_000), any::<bool>())
        .prop_map(|(long_words, unit_in_line2, last_four, dots)| Writing { long_words, unit_in_line2, last_four, dots })
}

impl Person {
    /// The record that a writing makes of the person, in any letter case.
    fn record(&self, writing: &Writing) -> impl Strategy<Value = ClientFields> + use<> {
        let form = usize::from(writing.long_words);
        let word = |forms: [&'static str; 2]| forms.get(form).copied().unwrap_or_default();
        let dot = if writing.dots && !writing.long_words { "." } else { "" };
        let mut line1 = format!("{} {} {} {}{dot}", self.house, word(self.direction), self.street, word(self.word));
        let mut line2 = None;
        if let Some((designator, number)) = self.unit {
            let unit = format!("{} {number}", word(designator));
            if writing.unit_in_line2 {
                line2 = Some(unit);
            } else {
                line1 = format!("{line1}, {unit}");
            }
        }
        let zip = match writing.last_four {
            Some(four) => format!("{:05}-{four:04}", self.zip),
            None => format!("{:05}", self.zip),
        };
        let apostrophe = if writing.dots { "’" } else { "'" };
        let last_name = format!("{}{}", self.last_name.replace(['\'', '’'], apostrophe), self.suffix);
        (any_case(self.first_name.to_owned()), any_case(last_name), any_case(line1)).prop_map(
            move |(first_name, last_name, line1)| ClientFields {
                first_name: Some(first_name.into()),
                last_name: Some(last_name.into()),
                address_line1: Some(line1.into()),
                address_line2: line2.as_deref().map(Into::into),
                zip: Some(zip.as_str().into()),
                ..ClientFields::default()
            },
        )
    }
}

/// A person with a name, a street and a ZIP.
///
/// ```
/// use matterbook_rules::{matching::MatchKey, strategies::person};
/// use proptest::prelude::*;
/// proptest!(|(fields in person())| prop_assert!(MatchKey::of(&fields).is_complete()));
/// ```
pub fn person() -> impl Strategy<Value = ClientFields> {
    (people(), writings()).prop_flat_map(|(person, writing)| person.record(&writing))
}

/// Two records of one person, written in different ways: words of the street in short and in full, the unit in
/// either line, the ZIP with and without its last four digits, letter case, dots and apostrophes.
///
/// ```
/// use matterbook_rules::{matching::{self, MatchKey}, strategies::same_person};
/// use proptest::prelude::*;
/// proptest!(|((one, other) in same_person())| {
///     prop_assert!(matching::same_person(&MatchKey::of(&one), &MatchKey::of(&other)));
/// });
/// ```
pub fn same_person() -> impl Strategy<Value = (ClientFields, ClientFields)> {
    (people(), writings(), writings()).prop_flat_map(|(person, mut one, mut other)| {
        // Two second lines without a unit in the first are not compared, so they would hide a wrong match.
        if one.unit_in_line2 && other.unit_in_line2 {
            (one.unit_in_line2, other.unit_in_line2) = (false, true);
        }
        (person.record(&one), person.record(&other))
    })
}

/// Two records that differ in one fact of a person: first name, last name, generation, house number, direction,
/// street, its suffix, unit or ZIP.
///
/// ```
/// use matterbook_rules::{matching::{self, MatchKey}, strategies::different_people};
/// use proptest::prelude::*;
/// proptest!(|((one, other) in different_people())| {
///     prop_assert!(!matching::same_person(&MatchKey::of(&one), &MatchKey::of(&other)));
/// });
/// ```
pub fn different_people() -> impl Strategy<Value = (ClientFields, ClientFields)> {
    (people(), people(), 0_u8..9, writings(), writings()).prop_flat_map(
        |(person, stranger, fact, mut one, mut other)| {
            let mut second = person.clone();
            match fact {
                0 => second.first_name = different(&FIRST_NAMES, person.first_name, stranger.first_name),
                1 => second.last_name = different(&LAST_NAMES, person.last_name, stranger.last_name),
                2 => second.suffix = different(&SUFFIXES, person.suffix, stranger.suffix),
                3 => second.house += 1,
                4 => second.direction = different(&DIRECTIONS, person.direction, stranger.direction),
                5 => second.street = different(&STREETS, person.street, stranger.street),
                6 => second.word = different(&WORDS, person.word, stranger.word),
                7 => {
                    let (designator, number) = person.unit.unwrap_or((["Apt", "Apartment"], 1));
                    second.unit = Some((designator, number + 1));
                    // Units in line 2 of both records are not compared (rule M38).
                    (one.unit_in_line2, other.unit_in_line2) = (false, false);
                }
                _ => second.zip += 1,
            }
            (person.record(&one), second.record(&other))
        },
    )
}

/// The second of two, or the next of the list if they are equal.
fn different<T: Copy + PartialEq>(list: &[T], one: T, other: T) -> T {
    if one != other {
        return other;
    }
    let next = list.iter().cycle().skip_while(|listed| **listed != one).nth(1);
    next.copied().unwrap_or(other)
}
