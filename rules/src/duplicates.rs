//! Finds duplicates in a list of clients that is too long to be kept in memory. It keeps hashes only.

mod group;
mod index;
mod person;

use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::client::ClientFields;
use group::Group;
use index::{Index, ascending};
use person::{Person, hash};

/// The clients of a list so far, each as a number and a few hashes of 64 bits. It finds duplicates in a list
/// that is too long to be kept in memory.
///
/// Its results are those of the service for a list that is sent in order to an empty account. It compares hashes
/// instead of texts. The chance that two of a million different external ids have the same hash is one in 37 million,
/// and name, street and ZIP have to agree in three hashes. Stored clients are compared by their texts.
///
/// ```
/// use matterbook_rules::{client::ClientFields, duplicates::{DuplicateFinder, ListRow}};
///
/// let mut duplicates = DuplicateFinder::default();
/// let mut add = |number: u64, external_id: Option<&str>, first_name: &str, street: &str| {
///     duplicates.add(number, &ClientFields {
///         external_id: external_id.map(Into::into),
///         first_name: Some(first_name.into()),
///         address_line1: Some(street.into()),
///         zip: Some("02134".into()),
///         ..ClientFields::default()
///     })
/// };
/// assert_eq!(add(2, Some("7"), "Ana", "1 Oak Street"), ListRow::New);
/// let same = ListRow::SamePerson { number: 2, line2_differs: false };
/// assert_eq!(add(3, None, "ANA", "1 Oak St."), same);
/// assert_eq!(add(4, Some("8"), "Ana", "1 Oak St"), ListRow::OtherExternalId { number: 2 });
/// ```
#[doc(alias = "dedupe")]
#[doc(alias = "deduplicate")]
#[doc(alias = "record linkage")]
#[derive(Debug, Default)]
pub struct DuplicateFinder {
    people: Vec<Person>,
    by_external_id: Index,
    /// Known clients by their further external ids.
    by_alias: HashMap<u64, usize>,
    by_key: Index,
    /// Clients by [`Group`], made for the first client without a street or a ZIP. An entry may be out of date.
    by_group: Option<Index>,
}

/// A client that a [`DuplicateFinder`] was told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownClient(usize);

/// The result for one client of a list. `number` is that of the earlier client with which the person was
/// added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRow {
    /// A new person.
    New,
    /// An earlier client has the same external id: both are one person.
    SameExternalId {
        /// The number of the earlier client.
        number: u64,
    },
    /// An earlier client has the same name, street and ZIP: both are one person.
    SamePerson {
        /// The number of the earlier client.
        number: u64,
        /// Their second lines of the address differ, which are not compared.
        line2_differs: bool,
    },
    /// An earlier client has the same name, street and ZIP, but another external id: a conflict.
    OtherExternalId {
        /// The number of the first such client.
        number: u64,
    },
    /// Several earlier clients have the same name, street and ZIP: a conflict.
    Several {
        /// The number of the first.
        number: u64,
    },
    /// It lacks a street or a ZIP, and an earlier client of the same name has no other id, street or ZIP: a
    /// conflict.
    NotToldApart {
        /// The number of the first such client.
        number: u64,
    },
    /// It has no name and matches no earlier client: an error.
    Nameless {
        /// It has an external id.
        has_external_id: bool,
    },
}

impl DuplicateFinder {
    /// Adds the next client of the list with a number, such as that of its row, and returns its result. A
    /// client with a conflict or an error is not added, because it would not be saved.
    pub fn add(&mut self, number: u64, fields: &ClientFields) -> ListRow {
        let person = Person::of(number, fields);
        let is_same =
            |place: &usize| self.people.get(*place).is_some_and(|other| other.external_id == person.external_id);
        let with_external_id = self.by_external_id.of(person.external_id).find(is_same);
        let with_external_id = with_external_id.or_else(|| self.by_alias.get(&person.external_id).copied());
        if let Some(place) = with_external_id {
            return self.merge(place, person, fields, |number| ListRow::SameExternalId { number });
        }
        let obstacle = if person.has_key() {
            match self.by_key(person) {
                Ok(Some(place)) => {
                    let line2_differs = self.people.get(place).is_some_and(|other| other.line2_differs(person));
                    return self.merge(place, person, fields, |number| ListRow::SamePerson { number, line2_differs });
                }
                Ok(None) => None,
                Err(obstacle) => Some(obstacle),
            }
        } else if person.has_name() {
            self.ambiguous(person)
        } else if fields.first_name.is_none() && fields.last_name.is_none() {
            Some(ListRow::Nameless { has_external_id: fields.external_id.is_some() })
        } else {
            None
        };
        obstacle.unwrap_or_else(|| {
            self.push(person);
            ListRow::New
        })
    }

    /// Adds a client of a person that is known already, as it is: it is compared with no other. Its number is that of
    /// results that mean it. So the results are those of the service for an account that has these clients, if each is
    /// added before the first client of the list that it matches by external id or name.
    ///
    /// ```
    /// use matterbook_rules::{client::ClientFields, duplicates::{DuplicateFinder, ListRow}};
    ///
    /// let fields = ClientFields { external_id: Some("7".into()), ..ClientFields::default() };
    /// let mut duplicates = DuplicateFinder::default();
    /// let known = duplicates.add_known(0, &fields);
    /// duplicates.add_alias(known, "8");
    /// for id in ["7", "8"] {
    ///     let only_the_id = ClientFields {
    ///         external_id: Some(id.into()),
    ///         ..ClientFields::default()
    ///     };
    ///     assert_eq!(duplicates.add(2, &only_the_id), ListRow::SameExternalId { number: 0 });
    /// }
    /// ```
    pub fn add_known(&mut self, number: u64, fields: &ClientFields) -> KnownClient {
        self.push(Person::of(number, fields));
        KnownClient(self.people.len() - 1)
    }

    /// Adds a further external id by which a known client is found. The client keeps its own.
    pub fn add_alias(&mut self, client: KnownClient, external_id: &str) {
        if !external_id.is_empty() {
            self.by_alias.insert(hash(external_id), client.0);
        }
    }

    fn push(&mut self, person: Person) {
        self.people.push(person);
        self.index(self.people.len() - 1, person);
    }

    /// The client with the same name, street and ZIP, if it is certain.
    fn by_key(&self, person: Person) -> Result<Option<usize>, ListRow> {
        let [one, other] = person.same_units().map(|units| units.map_or(0, |units| person.key(units)));
        let mut matches = ascending(self.by_key.of(one), self.by_key.of(other)).filter_map(|place| {
            let found = self.people.get(place).filter(|other| other.same_person(person))?;
            Some((place, *found))
        });
        if person.external_id != 0 {
            let mut first = None;
            for (place, found) in matches {
                if found.external_id == 0 {
                    return Ok(Some(place));
                }
                first = first.or(Some(found.number));
            }
            return first.map_or(Ok(None), |number| Err(ListRow::OtherExternalId { number }));
        }
        match (matches.next(), matches.next()) {
            (None, _) => Ok(None),
            (Some((place, _)), None) => Ok(Some(place)),
            (Some((_, first)), Some(_)) => Err(ListRow::Several { number: first.number }),
        }
    }

    /// The first client of the same name with no other id, street or ZIP.
    fn ambiguous(&mut self, person: Person) -> Option<ListRow> {
        let by_group = self.by_group.get_or_insert_with(|| {
            let mut index = Index::default();
            for (place, person) in self.people.iter().enumerate() {
                person.groups().for_each(|group| index.add(group.key(), place));
            }
            index
        });
        let people = &self.people;
        let find = |group: Group| {
            by_group.of(group.key()).find(|place| {
                people.get(*place).is_some_and(|other| {
                    (other.external_id != 0) == group.has_external_id
                        && other.same_name(person)
                        && !other.lives_elsewhere(person)
                })
            })
        };
        let place = person.conflicting_groups().filter_map(find).min()?;
        people.get(place).map(|other| ListRow::NotToldApart { number: other.number })
    }

    /// Merges a client into a person: given values replace, blank values never erase.
    fn merge(
        &mut self,
        place: usize,
        given: Person,
        fields: &ClientFields,
        list_row: impl FnOnce(u64) -> ListRow,
    ) -> ListRow {
        let Some(person) = self.people.get_mut(place) else { return ListRow::New };
        let before = *person;
        // An alias is another one than its own, which stays.
        if person.external_id == 0 {
            person.external_id = given.external_id;
        }
        if fields.first_name.is_some() {
            person.first_name = given.first_name;
        }
        if fields.last_name.is_some() {
            person.last_name = given.last_name;
        }
        if fields.address_line1.is_some() {
            (person.street, person.unit) = (given.street, given.unit);
        }
        if fields.address_line2.is_some() {
            (person.line2_unit, person.line2) = (given.line2_unit, given.line2);
        }
        if fields.zip.is_some() {
            person.zip5 = given.zip5;
        }
        let after = *person;
        if after != before {
            self.index(place, after);
        }
        list_row(after.number)
    }

    /// Indexes a person. Earlier entries stay; lookups compare the person itself.
    fn index(&mut self, place: usize, person: Person) {
        if person.external_id != 0 {
            self.by_external_id.add(person.external_id, place);
        }
        if person.has_key() {
            for units in person.units().into_iter().flatten() {
                self.by_key.add(person.key(units), place);
            }
        }
        if let Some(by_group) = &mut self.by_group {
            person.groups().for_each(|group| by_group.add(group.key(), place));
        }
    }
}
