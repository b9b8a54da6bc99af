//! People by name, street and ZIP. Only those of a ZIP that somebody is looked for in are folded, since to fold
//! a record takes longer than all else that is done with one who is known.

use super::{people::Person, places::Places};
use crate::{client::ClientFields, matching::PersonHash};

/// Places of people under their hashes.
pub(super) struct Persons {
    folded: Places<PersonHash>,
    /// Of a ZIP's first five digits, those who are not folded yet.
    unfolded: Places<[u8; 5]>,
}

impl Persons {
    /// All of a list.
    pub(super) fn of(list: &[Person<'_>]) -> Self {
        let mut persons =
            Self { folded: Places::with_capacity(list.len()), unfolded: Places::with_capacity(list.len()) };
        for (place, person) in list.iter().enumerate() {
            match (person.made_hash(), zip5(&person.fields)) {
                (Some(hash), _) => persons.add(hash, place),
                (None, Some(zip5)) => persons.unfolded.add(zip5, place),
                // Without a ZIP nobody is found by name and place.
                (None, None) => {}
            }
        }
        persons
    }

    /// Adds a person, or one who has other hashes now.
    pub(super) fn add(&mut self, hash: PersonHash, place: usize) {
        if hash.has_match_key() {
            self.folded.add(hash, place);
        }
    }

    /// The places of those with these hashes, which are of these fields, in ascending order; some may have others
    /// by now.
    pub(super) fn like(&mut self, fields: &ClientFields, hash: PersonHash, list: &[Person<'_>]) -> Vec<usize> {
        for place in zip5(fields).map(|zip5| self.unfolded.take(&zip5)).unwrap_or_default() {
            if let Some(person) = list.get(place) {
                self.add(person.hash(), place);
            }
        }
        self.folded.of(&hash)
    }
}

fn zip5(fields: &ClientFields) -> Option<[u8; 5]> {
    fields.zip.as_deref()?.as_bytes().first_chunk().copied()
}
