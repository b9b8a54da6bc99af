//! Possible duplicates in a list, without comparing it with itself.

use foldhash::HashMap;

use super::{COMPARED_MAX, Nicknames, SimilarReason, Similarity};
use crate::client::ClientFields;

/// The clients of a list so far, by what possible duplicates have in common (rule Y1). Each takes about 750 bytes.
///
/// ```
/// use matterbook_core::{client::ClientFields, similar::{SimilarFinder, SimilarReason}};
/// let mut clients = SimilarFinder::default();
/// let mut add = |number, first_name: &str| clients.add(number, &ClientFields {
///     first_name: Some(first_name.into()),
///     last_name: Some("Specimenez".into()),
///     address_line1: Some("12 Oak St".into()),
///     zip: Some("02134".into()),
///     ..ClientFields::default()
/// });
/// assert_eq!(add(1, "Robert"), []);
/// assert_eq!(add(2, "Ana"), []);
/// assert_eq!(add(3, "Bob"), [(1, vec![SimilarReason::Nickname])]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SimilarFinder {
    clients: Vec<(u64, Similarity)>,
    by_key: HashMap<u64, Vec<u32>>,
    nicknames: Nicknames<'static>,
}

impl SimilarFinder {
    /// How many clients there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.clients.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// The clients that may be the same person as this one, by number, each with the reasons. Of those with the same
    /// key, the first [`COMPARED_MAX`] are compared.
    #[must_use]
    pub fn similar_to(&self, fields: &ClientFields) -> Vec<(u64, Vec<SimilarReason>)> {
        self.find(&Similarity::of(fields))
    }

    /// Adds the next client with a number, such as that of its row, greater than those before it. Returns the earlier
    /// clients that may be the same person.
    pub fn add(&mut self, number: u64, fields: &ClientFields) -> Vec<(u64, Vec<SimilarReason>)> {
        let client = Similarity::of(fields);
        let found = self.find(&client);
        if let Ok(place) = u32::try_from(self.clients.len()) {
            for key in client.keys() {
                let places = self.by_key.entry(key).or_default();
                places.extend(Some(place).filter(|_| places.len() < COMPARED_MAX));
            }
            self.clients.push((number, client));
        }
        found
    }

    fn find(&self, client: &Similarity) -> Vec<(u64, Vec<SimilarReason>)> {
        let places = client.keys().filter_map(|key| self.by_key.get(&key)).flatten();
        let mut places: Vec<u32> = places.copied().collect();
        places.sort_unstable();
        places.dedup();
        let compared = places.into_iter().filter_map(|place| self.clients.get(usize::try_from(place).ok()?));
        let found = compared.map(|(number, other)| (*number, client.reasons(other, &self.nicknames)));
        found.filter(|(_, reasons)| !reasons.is_empty()).collect()
    }
}
