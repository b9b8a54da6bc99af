//! A record's facts with their hashes, made once.

use std::ops::Deref;

use crate::{
    client::ClientFields,
    matching::{Facts, PersonHash},
};

/// The folded facts of a record, and their hashes.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded {
    pub(super) facts: Facts,
    pub(super) hash: PersonHash,
}

impl Folded {
    pub(super) fn of(fields: &ClientFields) -> Self {
        Self::of_in(&mut String::new(), fields)
    }

    /// Folded in a `room` that many records may use one after the other.
    pub(super) fn of_in(room: &mut String, fields: &ClientFields) -> Self {
        let facts = Facts::of_in(room, fields);
        Self { hash: facts.hash(), facts }
    }
}

/// The folded facts of a person: those of an item that gives the same name and address, which are
/// there already, or the person's own.
pub(super) enum FoldedPerson<'k> {
    OfItem(&'k Folded),
    Own(Box<Folded>),
}

impl Deref for FoldedPerson<'_> {
    type Target = Folded;

    fn deref(&self) -> &Folded {
        match self {
            Self::OfItem(folded) => folded,
            Self::Own(folded) => folded,
        }
    }
}
