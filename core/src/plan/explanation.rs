//! Explanations of outcomes, on request: the match, the changed fields, and the conflicting clients (rules X5
//! to X9).

use uuid::Uuid;

use super::{Item, find_client::ambiguous, people::People};
use crate::{client::ClientFields, matching::line2_differs, normalize::Field, order, store::NAMESAKES_SHOWN};

/// The most conflicting clients that an explanation names.
pub const CANDIDATES_MAX: usize = NAMESAKES_SHOWN;

/// The explanation of one client's outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// How the client matched; `None` without a match.
    pub matched_by: Option<MatchedBy>,
    /// The fields that this client of the batch changed, in the order of [`Field::ALL`]. For a created client,
    /// every field with a value.
    pub changed: Vec<Field>,
    /// The name, street and ZIP are those of a client, and neither line 1 has a unit, but the second lines of the
    /// addresses differ: it may be another household (rule X10).
    pub line2_differs: bool,
    /// For a conflict, the ids of the conflicting clients, oldest first, at most [`CANDIDATES_MAX`]. Some may
    /// be created by the same batch. Of more that share only a name, these need not be the oldest.
    pub candidates: Vec<Uuid>,
}

/// How a client matched (rule X6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// Both have the same `external_id`.
    ExternalId,
    /// The folded name, street and ZIP are equal.
    NameAddressZip,
}

impl MatchedBy {
    /// Both, in the order in which they are tried.
    pub const ALL: [Self; 2] = [Self::ExternalId, Self::NameAddressZip];

    /// The name in JSON.
    ///
    /// ```
    /// use matterbook_core::plan::MatchedBy;
    /// assert_eq!(MatchedBy::ALL.map(MatchedBy::name), ["external_id", "name_address_zip"]);
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExternalId => "external_id",
            Self::NameAddressZip => "name_address_zip",
        }
    }

    /// The number by which a store keeps it.
    ///
    /// ```
    /// use matterbook_core::plan::MatchedBy;
    /// assert_eq!(MatchedBy::ALL.map(|matched_by| MatchedBy::of_code(matched_by.code())), MatchedBy::ALL.map(Some));
    /// ```
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::ExternalId => 1,
            Self::NameAddressZip => 2,
        }
    }

    /// What a number means.
    #[must_use]
    pub const fn of_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::ExternalId),
            2 => Some(Self::NameAddressZip),
            _ => None,
        }
    }
}

/// Builds the explanations while a batch is decided. It is separate from the decision, so a batch without
/// explanations has no cost for them.
pub(super) struct ExplanationBuilder {
    pub(super) done: Vec<Explanation>,
    /// The explanation of the present client.
    current: Explanation,
    /// The matched person, with its fields before the change.
    found: Option<(usize, ClientFields)>,
    /// The number of people before the present client.
    people: usize,
}

impl ExplanationBuilder {
    /// No explanation yet.
    pub(super) const fn new(people: &People<'_>) -> Self {
        let current =
            Explanation { matched_by: None, changed: Vec::new(), line2_differs: false, candidates: Vec::new() };
        Self { done: Vec::new(), current, found: None, people: people.list.len() }
    }

    /// Notes the matched person before its change.
    pub(super) fn found(&mut self, place: usize, item: &Item, people: &People<'_>) {
        let Some(person) = people.list.get(place) else { return };
        let matched_by = matched_by(&person.fields, &item.input.fields);
        self.current.matched_by = Some(matched_by);
        self.current.line2_differs =
            matched_by != MatchedBy::ExternalId && line2_differs(&item.input.fields, &person.fields);
        self.found = Some((place, person.fields.clone()));
    }

    /// Notes a conflict.
    pub(super) fn ambiguous(&mut self, item: &Item, people: &mut People<'_>) {
        let places = ambiguous(item, people).into_iter().take(CANDIDATES_MAX);
        let candidates: Vec<_> = places.filter_map(|place| people.list.get(place)).collect();
        self.current.line2_differs = item.hash.is_complete()
            && candidates.iter().any(|person| line2_differs(&item.input.fields, &person.fields));
        self.current.candidates = candidates.iter().map(|person| person.id).collect();
    }

    /// Completes the explanation of a decided client.
    pub(super) fn finish(&mut self, people: &People<'_>) {
        let mut explanation = std::mem::take(&mut self.current);
        // A created person is the last of the list.
        let created = || (people.list.len() > self.people).then(|| (self.people, ClientFields::default()));
        if let Some((place, before)) = self.found.take().or_else(created)
            && let Some(person) = people.list.get(place)
        {
            explanation.changed = differences(&before, &person.fields);
        }
        self.people = people.list.len();
        self.done.push(explanation);
    }
}

/// How an item found a client with these fields. The external id is tried first, and an item with another one than the
/// client's found it by an alias: by its name it finds clients without one only.
pub(super) fn matched_by(found: &ClientFields, item: &ClientFields) -> MatchedBy {
    let has_the_id = item.external_id.is_some() && found.external_id.is_some();
    if has_the_id { MatchedBy::ExternalId } else { MatchedBy::NameAddressZip }
}

/// The fields with different values, in the order of an input.
pub(crate) fn differences(before: &ClientFields, after: &ClientFields) -> Vec<Field> {
    let texts = before.texts().into_iter().zip(after.texts()).filter(|((_, before), (_, after))| before != after);
    let dates = before.dates().into_iter().zip(after.dates()).filter(|((_, before), (_, after))| before != after);
    let flag = (before.do_not_mail != after.do_not_mail).then_some(Field::DoNotMail);
    let texts = texts.map(|((field, _), _)| field);
    let mut fields: Vec<_> = texts.chain(dates.map(|((field, _), _)| field)).chain(flag).collect();
    order::sort_by_key(&mut fields, |field| *field);
    fields
}
