//! Whether two records may be one person's, though they do not match (group Y).
//!
//! A possible duplicate changes no result: a person decides. Records are compared if they share a key
//! ([`Similarity::keys`]), so a list need not be compared with itself.

mod compare;
mod finder;
mod name;
mod nicknames;

pub use compare::{CompareError, Compared, Comparison, DUE_MAX, compare, compare_due};
pub use finder::SimilarFinder;
pub use nicknames::{NICKNAMES, Nicknames};

use xxhash_rust::xxh3::xxh3_64;

use self::name::{Agreement, Name, differ_in_one_letter};
use crate::{
    SmolStr,
    client::ClientFields,
    matching::{MatchKey, StreetParts, unit_of_line2},
    order,
};

/// The most records that are compared for one key: beyond them it is the e-mail address of a firm, or a large building.
pub const COMPARED_MAX: usize = 20;

/// Why two records may be one person's (rule Y2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SimilarReason {
    /// They have the same e-mail address.
    SameEmail,
    /// They have the same phone number.
    SamePhone,
    /// One first name is a nickname of the other.
    Nickname,
    /// A name or the street differs in one letter.
    OneLetter,
    /// First and last name have changed places.
    NamesSwapped,
    /// One has an initial, or a middle name, that the other lacks or has in full.
    Initial,
    /// The unit is in another line, or one lacks it.
    Unit,
    /// One has a suffix such as Jr, the other none.
    Suffix,
    /// Two neighbouring digits of the ZIP have changed places.
    ZipDigits,
    /// One has the address that the other had before (S41). Only the comparison of saved clients finds it.
    FormerAddress,
}

impl SimilarReason {
    /// All of them, in their order.
    pub const ALL: [Self; 10] = [
        Self::SameEmail,
        Self::SamePhone,
        Self::Nickname,
        Self::OneLetter,
        Self::NamesSwapped,
        Self::Initial,
        Self::Unit,
        Self::Suffix,
        Self::ZipDigits,
        Self::FormerAddress,
    ];

    /// The reason with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SameEmail => "same_email",
            Self::SamePhone => "same_phone",
            Self::Nickname => "nickname",
            Self::OneLetter => "one_letter",
            Self::NamesSwapped => "names_swapped",
            Self::Initial => "initial",
            Self::Unit => "unit",
            Self::Suffix => "suffix",
            Self::ZipDigits => "zip_digits",
            Self::FormerAddress => "former_address",
        }
    }

    /// What is so, as part of a sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::SameEmail => "same e-mail address",
            Self::SamePhone => "same phone number",
            Self::Nickname => "a nickname",
            Self::OneLetter => "one letter differs",
            Self::NamesSwapped => "first and last name swapped",
            Self::Initial => "an initial on one side",
            Self::Unit => "the unit is missing or in the other line",
            Self::Suffix => "a suffix such as Jr is missing",
            Self::ZipDigits => "two digits of the ZIP swapped",
            Self::FormerAddress => "a former address",
        }
    }
}

/// What is compared of a record.
///
/// ```
/// use matterbook_core::{client::ClientFields, similar::{Nicknames, Similarity, SimilarReason}};
/// let record = |first_name: &str, last_name: &str| Similarity::of(&ClientFields {
///     first_name: Some(first_name.into()),
///     last_name: Some(last_name.into()),
///     address_line1: Some("12 Oak St".into()),
///     zip: Some("02134".into()),
///     ..ClientFields::default()
/// });
/// let (robert, nicknames) = (record("Robert", "Specimenez"), Nicknames::default());
/// assert_eq!(robert.reasons(&record("Bob", "Specimenez"), &nicknames), [SimilarReason::Nickname]);
/// assert_eq!(robert.reasons(&record("Robert", "Specimenes"), &nicknames), [SimilarReason::OneLetter]);
/// assert!(record("Bob", "Li Jr").reasons(&record("Bob", "Li Sr"), &nicknames).is_empty());
/// ```
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Similarity {
    name: Name,
    /// The street without its unit; empty without one.
    street: SmolStr,
    /// The unit of line 1, or else that of line 2.
    unit: Option<SmolStr>,
    /// The key by which streets match.
    key: MatchKey,
    email: Option<SmolStr>,
    phone: Option<SmolStr>,
}

impl Similarity {
    /// What is compared of a record.
    #[must_use]
    pub fn of(fields: &ClientFields) -> Self {
        let StreetParts { street, unit } = fields.address_line1.as_deref().map(StreetParts::of).unwrap_or_default();
        Self {
            name: Name::of(fields),
            street,
            unit: unit.or_else(|| fields.address_line2.as_deref().and_then(unit_of_line2)),
            key: MatchKey::of(fields),
            email: fields.email.clone(),
            phone: fields.phone.clone(),
        }
    }

    /// Hashes of what it has of the five keys: house number and ZIP, e-mail, phone, name and ZIP, name and street. Two
    /// records with a reason have one in common.
    pub fn keys(&self) -> impl Iterator<Item = u64> + use<> {
        let Name { first, last, .. } = &self.name;
        let [one, other] = if first <= last { [first, last] } else { [last, first] };
        let zip = self.key.zip5.as_deref().unwrap_or_default();
        let (email, phone) = (self.email.as_deref().unwrap_or_default(), self.phone.as_deref().unwrap_or_default());
        let parts: [[&str; 3]; 5] = [
            [self.house(), zip, "house"],
            [email, "@", "email"],
            [phone, "+", "phone"],
            [one, other, zip],
            [one, other, &self.street],
        ];
        let has_all = |parts: &[&str; 3]| parts.iter().all(|part| !part.is_empty());
        let hash = |parts: [&str; 3]| xxh3_64(parts.join("\n").as_bytes());
        let hashes = parts.map(|parts| has_all(&parts).then(|| hash(parts)));
        hashes.into_iter().flatten()
    }

    /// The first word of the street that begins with a digit, or else the street.
    fn house(&self) -> &str {
        let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
        self.street.split(' ').find(is_number).unwrap_or(&self.street)
    }

    /// Why both may be one person's, in the order of [`SimilarReason`]; empty where nothing says so, or something speaks
    /// against it (rule Y3). It is the same from both sides.
    #[must_use]
    pub fn reasons(&self, other: &Self, nicknames: &Nicknames<'_>) -> Vec<SimilarReason> {
        let is_same = |one: &Option<SmolStr>, other: &Option<SmolStr>| one.is_some() && one == other;
        let has_same_email = is_same(&self.email, &other.email);
        let has_same_street = !self.street.is_empty() && self.street == other.street;
        let units_differ = has_same_street && self.unit.is_some() && other.unit.is_some() && self.unit != other.unit;
        if self.name.speaks_against(&other.name) || units_differ && !has_same_email {
            return Vec::new();
        }
        let mut reasons = Vec::new();
        if has_same_email {
            reasons.push(SimilarReason::SameEmail);
        }
        if is_same(&self.phone, &other.phone) {
            reasons.push(SimilarReason::SamePhone);
        }
        let has_same_zip = is_same(&self.key.zip5, &other.key.zip5);
        match self.name.agreement(&other.name, nicknames) {
            Agreement::But(reason) if has_same_street && has_same_zip => reasons.push(reason),
            Agreement::Equal if has_same_street && has_same_zip => {
                if !self.key.has_same_street(&other.key) && !units_differ {
                    reasons.push(SimilarReason::Unit);
                }
                if self.name.lacks_suffix(&other.name) {
                    reasons.push(SimilarReason::Suffix);
                }
            }
            Agreement::Equal if has_same_street && self.has_swapped_zip(other) => {
                reasons.push(SimilarReason::ZipDigits);
            }
            Agreement::Equal if has_same_zip && self.has_misspelled_street(other) => {
                reasons.push(SimilarReason::OneLetter);
            }
            Agreement::But(_) | Agreement::Equal | Agreement::None => {}
        }
        order::sort_by_key(&mut reasons, |reason| *reason);
        reasons
    }

    /// Whether both streets have the same house number and differ in one letter of one word.
    fn has_misspelled_street(&self, other: &Self) -> bool {
        if self.house() != other.house() || self.street.split(' ').count() != other.street.split(' ').count() {
            return false;
        }
        let mut pairs = self.street.split(' ').zip(other.street.split(' ')).filter(|(one, other)| one != other);
        let is_misspelled = pairs.next().is_some_and(|(one, other)| differ_in_one_letter(one, other));
        is_misspelled && pairs.next().is_none()
    }

    /// Whether two neighbouring digits of one ZIP are swapped in the other.
    fn has_swapped_zip(&self, other: &Self) -> bool {
        let (Some(one), Some(other)) = (&self.key.zip5, &other.key.zip5) else { return false };
        let start = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        let rest = |zip: &str| zip.as_bytes().get(start..).map(<[u8]>::to_vec).unwrap_or_default();
        match (rest(one).as_slice(), rest(other).as_slice()) {
            ([a, b, rest @ ..], [c, d, others @ ..]) => (a, b, rest) == (d, c, others),
            _ => false,
        }
    }
}
