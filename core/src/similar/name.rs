//! Names of two records that may be one person's, though they differ.

use smol_str::{SmolStr, SmolStrBuilder};

use super::{Nicknames, SimilarReason};
use crate::{client::ClientFields, matching::fold_name};

/// The parts of a folded name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    /// The first word of the first name.
    pub(super) first: SmolStr,
    /// The other words of the first name, without spaces.
    middle: SmolStr,
    /// The last name without its suffix.
    pub(super) last: SmolStr,
    /// `jr`, `sr`, `ii`, `iii` or `iv`.
    suffix: Option<&'static str>,
}

/// How two names agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// They are equal, but for a suffix that one of them lacks.
    Equal,
    /// They differ in what this reason says.
    But(SimilarReason),
    /// They differ otherwise.
    None,
}

impl Name {
    pub(super) fn of(fields: &ClientFields) -> Self {
        let [first, last] =
            [&fields.first_name, &fields.last_name].map(|name| name.as_deref().map(fold_name).unwrap_or_default());
        let (last, of_last) = without_suffix(&last);
        let (first, of_first) = without_suffix(&first);
        let (first, middle) = first.split_once(' ').unwrap_or((first, ""));
        let mut joined = SmolStrBuilder::new();
        middle.split(' ').for_each(|word| joined.push_str(word));
        Self { first: first.into(), middle: joined.finish(), last: last.into(), suffix: of_last.or(of_first) }
    }

    /// Whether both have a first and a last name.
    fn is_complete(&self) -> bool {
        !self.first.is_empty() && !self.last.is_empty()
    }

    /// Whether something says that two names are those of two people: two suffixes, or two middle initials.
    pub(super) fn speaks_against(&self, other: &Self) -> bool {
        let initials = [&self.middle, &other.middle].map(|middle| middle.chars().next());
        let differ = |one: Option<char>, other: Option<char>| one.is_some() && other.is_some() && one != other;
        let suffixes_differ = self.suffix.is_some() && other.suffix.is_some() && self.suffix != other.suffix;
        let [one, two] = initials;
        suffixes_differ || differ(one, two)
    }

    /// Whether one has a suffix and the other none.
    pub(super) const fn lacks_suffix(&self, other: &Self) -> bool {
        self.suffix.is_some() != other.suffix.is_some()
    }

    pub(super) fn agreement(&self, other: &Self, nicknames: &Nicknames<'_>) -> Agreement {
        if !self.is_complete() || !other.is_complete() {
            return Agreement::None;
        }
        if self.first == other.last && self.last == other.first && self.first != self.last {
            return Agreement::But(SimilarReason::NamesSwapped);
        }
        match (self.first == other.first, self.last == other.last) {
            (true, true) if self.middle == other.middle => Agreement::Equal,
            (true, true) if is_shorter(&self.middle, &other.middle) => Agreement::But(SimilarReason::Initial),
            (false, true) if is_initial(&self.first, &other.first) => Agreement::But(SimilarReason::Initial),
            (false, true) if nicknames.are_of_one_name(&self.first, &other.first) => {
                Agreement::But(SimilarReason::Nickname)
            }
            (false, true) if differ_in_one_letter(&self.first, &other.first) => {
                Agreement::But(SimilarReason::OneLetter)
            }
            (true, false) if differ_in_one_letter(&self.last, &other.last) => Agreement::But(SimilarReason::OneLetter),
            _ => Agreement::None,
        }
    }
}

/// The words before a suffix, and the suffix. A name that is nothing else has none.
fn without_suffix(folded: &str) -> (&str, Option<&'static str>) {
    let Some((words, last)) = folded.rsplit_once(' ') else { return (folded, None) };
    let suffix = match last {
        "jr" | "junior" => "jr",
        "sr" | "senior" => "sr",
        "ii" | "2nd" => "ii",
        "iii" | "3rd" => "iii",
        "iv" | "4th" => "iv",
        _ => return (folded, None),
    };
    (words, Some(suffix))
}

/// Whether one of two names is missing, or is the initial of the other.
fn is_shorter(one: &str, other: &str) -> bool {
    one.is_empty() || other.is_empty() || is_initial(one, other)
}

fn is_initial(one: &str, other: &str) -> bool {
    let is = |short: &str, long: &str| short.chars().count() == 1 && long.starts_with(short);
    is(one, other) || is(other, one)
}

/// The fewest letters of the longer word: shorter names that differ in one letter are mostly two names.
const LETTERS_MIN: usize = 4;

/// Whether two words differ in one letter: one more, another one, or two neighbours that changed places. Words with
/// digits are numbers.
pub(super) fn differ_in_one_letter(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|word| word.chars().collect::<Vec<char>>());
    let is_letters = |word: &[char]| !word.iter().any(char::is_ascii_digit);
    if one == other || !is_letters(&one) || !is_letters(&other) || one.len().max(other.len()) < LETTERS_MIN {
        return false;
    }
    let start = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let tail = |word: &[char], skipped: usize| word.get(start + skipped..).map(<[char]>::to_vec).unwrap_or_default();
    let is_swapped = || {
        let pair = |word: &[char]| (word.get(start).copied(), word.get(start + 1).copied());
        let ((a, b), (c, d)) = (pair(&one), pair(&other));
        a.is_some() && (a, b) == (d, c) && tail(&one, 2) == tail(&other, 2)
    };
    match one.len().abs_diff(other.len()) {
        0 => tail(&one, 1) == tail(&other, 1) || is_swapped(),
        1 if one.len() > other.len() => tail(&one, 1) == tail(&other, 0),
        1 => tail(&one, 0) == tail(&other, 1),
        _ => false,
    }
}
