//! Which clients a search of the console shows (rule G14).

use chrono::NaiveDate;
use smol_str::SmolStr;

use crate::{client::ClientRef, matching::fold_name, time::Timestamp};

/// Which clients a search shows: those that everything given admits. Absent members restrict nothing.
///
/// ```
/// use matterbook_core::{
///     client::{Client, ClientFields}, store::{ClientSearch, SearchText}, time::Timestamp, uuid::Uuid,
/// };
/// let fields = ClientFields {
///     first_name: Some("José".into()), last_name: Some("Specimenez".into()), phone: Some("+12175550134".into()),
///     ..ClientFields::default()
/// };
/// let at = Timestamp::from_micros(5);
/// let client = Client { id: Uuid::nil(), fields, created_at: at, updated_at: at };
/// let finds = |text| {
///     ClientSearch { text: SearchText::new(text), ..ClientSearch::default() }.admits(&client.borrowed(), &["M-7".into()])
/// };
/// assert!(finds("speci") && finds("é spec") && finds("(217) 555-01") && finds("jose specimenez"));
/// assert!(finds("m-7"));
/// assert!(!finds("jose spec") && !finds("+1218"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientSearch {
    /// A part of a name, number (its own or an alias, M40), e-mail address, phone number or ZIP.
    pub text: Option<SearchText>,
    /// Only clients settled on or after this day.
    pub settled_from: Option<NaiveDate>,
    /// Only clients settled on or before this day.
    pub settled_to: Option<NaiveDate>,
    /// Only clients that get no letters.
    pub letters_off: bool,
    /// Only clients whose case type has these words, without regard to the case of ASCII letters.
    pub case_type: Option<SmolStr>,
    /// Only clients that changed at or after this time.
    pub changed_since: Option<Timestamp>,
}

/// What is looked for, in the forms that it is compared in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchText {
    /// The text with ASCII letters in lower case, white space at the ends removed and inner runs made one space.
    lower: SmolStr,
    /// The text folded as a whole name is.
    folded: SmolStr,
    /// The digits of a text that has no letters, three or more.
    digits: Option<SmolStr>,
}

impl SearchText {
    /// The most characters of a text; what follows them is not compared.
    const CHARACTERS_MAX: usize = 100;
    /// The fewest digits that are looked for in a phone number.
    const DIGITS_MIN: usize = 3;

    /// What is looked for; `None` for a blank text.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let lower: SmolStr =
            words.chars().take(Self::CHARACTERS_MAX).map(|letter| letter.to_ascii_lowercase()).collect();
        if lower.is_empty() {
            return None;
        }
        let digits: SmolStr = lower.chars().filter(char::is_ascii_digit).collect();
        let is_number = !lower.chars().any(char::is_alphabetic) && digits.len() >= Self::DIGITS_MIN;
        Some(Self { folded: fold_name(&lower), digits: is_number.then_some(digits), lower })
    }

    /// The text in lower case.
    #[must_use]
    pub fn lower(&self) -> &str {
        &self.lower
    }

    /// The text folded as a whole name is.
    #[must_use]
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// The digits of a text without letters, three or more.
    #[must_use]
    pub fn digits(&self) -> Option<&str> {
        self.digits.as_deref()
    }

    fn admits(&self, client: &ClientRef<'_>, aliases: &[SmolStr]) -> bool {
        let fields = &client.fields;
        let names = || [fields.first_name, fields.last_name].into_iter().flatten();
        let has = |text: &str| text.to_ascii_lowercase().contains(self.lower.as_str());
        let has_digits =
            |text: Option<&str>| self.digits().is_some_and(|digits| text.is_some_and(|text| text.contains(digits)));
        has(&names().collect::<Vec<_>>().join(" "))
            || fields.external_id.is_some_and(has)
            || aliases.iter().any(|alias| has(alias))
            || fields.email.is_some_and(has)
            || has_digits(fields.phone)
            || fields.zip.is_some_and(|zip| zip.starts_with(self.lower.as_str()))
            || is_whole_name(names().map(fold_name), &self.folded)
    }
}

/// Whether the folded names, joined by a space, are the text.
fn is_whole_name(names: impl Iterator<Item = SmolStr>, folded: &str) -> bool {
    let names: Vec<_> = names.filter(|name| !name.is_empty()).collect();
    !names.is_empty() && names.join(" ") == folded
}

impl ClientSearch {
    /// Whether the search shows a client in this state, with these external ids besides its own.
    #[must_use]
    pub fn admits(&self, client: &ClientRef<'_>, aliases: &[SmolStr]) -> bool {
        let fields = &client.fields;
        let has_case_type = |wanted: &SmolStr| {
            let wanted = wanted.to_ascii_lowercase();
            fields.case_type.is_some_and(|case_type| case_type.to_ascii_lowercase().contains(&wanted))
        };
        self.text.as_ref().is_none_or(|text| text.admits(client, aliases))
            && self.settled_from.is_none_or(|from| fields.settled_on.is_some_and(|on| from <= on))
            && self.settled_to.is_none_or(|to| fields.settled_on.is_some_and(|on| on <= to))
            && (!self.letters_off || fields.do_not_mail)
            && self.case_type.as_ref().is_none_or(has_case_type)
            && self.changed_since.is_none_or(|since| since <= client.updated_at)
    }
}
