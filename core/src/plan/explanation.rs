//! Why an outcome is what it is, for who asks: by what the client was found, which fields changed, and who
//! is in the way.

use uuid::Uuid;

use super::{Item, find::in_the_way, people::People};
use crate::{client::ClientFields, normalize::Field};

/// The most clients in the way that an explanation names.
pub const CANDIDATES_MAX: usize = 20;

/// Why one client of a batch has its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// By what the client was found; `None` where it was not.
    pub matched_by: Option<MatchedBy>,
    /// What is kept otherwise than before this client of the batch, in the order of
    /// [`Field::ALL`]: of one who is created, each field that it has.
    pub changed: Vec<Field>,
    /// Of a conflict, the ids of those in the way, oldest first, at most [`CANDIDATES_MAX`]; some may be
    /// created by the same batch.
    pub candidates: Vec<Uuid>,
}

/// By what a client was found (design section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// Both have the same `external_id`.
    ExternalId,
    /// Name, street address and ZIP are equal in the form in which they are compared.
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
}

/// Explanations that are being made, one after the other, while a batch is decided. Apart from the decision:
/// a batch that nobody asks about does not pay for them.
pub(super) struct Explaining {
    pub(super) done: Vec<Explanation>,
    /// Of the client that is being decided.
    current: Explanation,
    /// Who was found, as it stood before.
    found: Option<(usize, ClientFields)>,
    /// How many people there were before.
    people: usize,
}

impl Explaining {
    /// None yet.
    pub(super) const fn beside(people: &People<'_>) -> Self {
        let current = Explanation { matched_by: None, changed: Vec::new(), candidates: Vec::new() };
        Self { done: Vec::new(), current, found: None, people: people.list.len() }
    }

    /// The client is this person, who is yet to be changed.
    #[cold]
    #[inline(never)]
    pub(super) fn found(&mut self, place: usize, item: &Item, people: &People<'_>) {
        let Some(person) = people.list.get(place) else { return };
        let external_id = item.input.fields.external_id.as_deref();
        // Whoever has the id was looked for by it first.
        let has_the_id = external_id.is_some() && person.fields.external_id.as_deref() == external_id;
        self.current.matched_by = Some(if has_the_id { MatchedBy::ExternalId } else { MatchedBy::NameAddressZip });
        self.found = Some((place, person.fields.clone()));
    }

    /// Somebody is in the way.
    #[cold]
    #[inline(never)]
    pub(super) fn in_the_way(&mut self, item: &Item, people: &People<'_>) {
        self.current.candidates = in_the_way(item, people).take(CANDIDATES_MAX).map(|person| person.id).collect();
    }

    /// The client is decided.
    #[cold]
    #[inline(never)]
    pub(super) fn finish(&mut self, people: &People<'_>) {
        let mut explanation = std::mem::take(&mut self.current);
        // Whom the client created stands last.
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

/// The fields with different values, in the order of an input.
fn differences(before: &ClientFields, after: &ClientFields) -> Vec<Field> {
    let texts = before.texts().into_iter().zip(after.texts()).filter(|((_, before), (_, after))| before != after);
    let dates = before.dates().into_iter().zip(after.dates()).filter(|((_, before), (_, after))| before != after);
    let flag = (before.do_not_mail != after.do_not_mail).then_some(Field::DoNotMail);
    let texts = texts.map(|((field, _), _)| field);
    let mut fields: Vec<_> = texts.chain(dates.map(|((field, _), _)| field)).chain(flag).collect();
    fields.sort();
    fields
}
