//! Why a client is not saved though it is valid: it conflicts with other clients. The sentence says how many
//! there are, names some by their external ids, and says what would resolve it (rule M33).

use std::{error::Error, fmt};

use smol_str::SmolStr;
use uuid::Uuid;

use super::{CANDIDATES_MAX, Item, people::Person};
use crate::{client::DO_NOT_MAIL_NOT_SAVED, store::NAMESAKES_SHOWN};

/// The most clients that a sentence names by their external ids.
const NAMED_MAX: usize = 3;

/// A client that is not saved, because it may be one of several, or another person. It displays as the sentence
/// for the caller, which names some clients by their external ids.
///
/// Its `Debug` form shows the kind and the number of clients only.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// What makes it one.
    pub kind: ConflictKind,
    /// The ids of the conflicting clients, oldest first, at most [`CANDIDATES_MAX`]. Some may be created by the
    /// same batch.
    pub candidates: Vec<Uuid>,
    /// The external ids of the oldest ones that have one.
    named: Vec<SmolStr>,
    with_id: usize,
    without_id: usize,
    /// Whether the client has no external id, so that sending one may help.
    can_send_id: bool,
    /// It asked for `do_not_mail`, which was not turned on.
    asked_do_not_mail: bool,
}

/// What makes a client a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// Each client with the same name, street and ZIP has another external id (rule M28).
    OtherExternalId,
    /// Several clients have the same name, street and ZIP, and no external id says which is meant (rule M30).
    Several,
    /// It lacks a street or a ZIP, and clients of the same name cannot be told apart from it (rule M29).
    NotToldApart {
        /// It has no street.
        lacks_street: bool,
        /// It has no ZIP.
        lacks_zip: bool,
    },
}

impl ConflictKind {
    /// The stable code: `other_external_id`, `several` or `not_told_apart`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OtherExternalId => "other_external_id",
            Self::Several => "several",
            Self::NotToldApart { .. } => "not_told_apart",
        }
    }
}

impl Conflict {
    /// The conflict of an item with these people, oldest first. There may be any number over [`NAMESAKES_SHOWN`]
    /// of more.
    pub(super) fn of<'p, 'k: 'p>(item: &Item, people: impl Iterator<Item = &'p Person<'k>>) -> Self {
        let fields = &item.input.fields;
        let key = &item.match_key;
        let kind = match (item.hash.is_complete(), &fields.external_id) {
            (true, Some(_)) => ConflictKind::OtherExternalId,
            (true, None) => ConflictKind::Several,
            (false, _) => {
                ConflictKind::NotToldApart { lacks_street: key.street.is_none(), lacks_zip: key.zip5.is_none() }
            }
        };
        let mut conflict = Self {
            kind,
            candidates: Vec::new(),
            named: Vec::new(),
            with_id: 0,
            without_id: 0,
            can_send_id: fields.external_id.is_none(),
            asked_do_not_mail: fields.do_not_mail,
        };
        for person in people {
            conflict.add(person.id, person.fields.external_id.as_ref());
        }
        conflict
    }

    fn add(&mut self, id: Uuid, external_id: Option<&SmolStr>) {
        if self.candidates.len() < CANDIDATES_MAX {
            self.candidates.push(id);
        }
        let Some(external_id) = external_id else {
            self.without_id += 1;
            return;
        };
        if self.with_id < NAMED_MAX {
            self.named.push(external_id.clone());
        }
        self.with_id += 1;
    }

    /// A conflict with one client, which has this external id.
    #[cfg(test)]
    pub(crate) fn with_one(id: Uuid, external_id: &str) -> Self {
        let mut conflict = Self {
            kind: ConflictKind::OtherExternalId,
            candidates: Vec::new(),
            named: Vec::new(),
            with_id: 0,
            without_id: 0,
            can_send_id: false,
            asked_do_not_mail: false,
        };
        conflict.add(id, Some(&external_id.into()));
        conflict
    }

    pub(super) const fn count(&self) -> usize {
        self.with_id + self.without_id
    }

    /// Clients with the same name, street and ZIP, each with another external id than the item.
    fn other_external_ids(&self) -> String {
        if self.count() == 1 {
            return format!(
                "The client with this name, street and ZIP has {}, not the one sent; two people are never merged. Send \
                 that external_id if it is the same person, or check the name and address if it is another.",
                self.list(),
            );
        }
        format!(
            "{} clients have this name, street and ZIP: {}, not the one sent; two people are never merged. Send the \
             external_id of the one that is meant, or check the name and address if it is another person.",
            number(self.count(), "More"),
            self.list(),
        )
    }

    /// Several clients with the same name, street and ZIP as an item without an external id.
    fn several(&self) -> String {
        // A new external id goes to the oldest client without one (rule M27).
        let way = match (self.with_id, self.without_id) {
            (0, _) => "Send an external_id: the oldest of them takes it",
            (_, 0) => "Send the external_id of the one that is meant",
            _ => "Send the external_id of the one that is meant; the oldest one without an external_id takes a new one",
        };
        format!("{} clients have this name, street and ZIP: {}. {way}.", number(self.count(), "More"), self.list())
    }

    /// Clients with the name of an item that lacks a street or a ZIP.
    fn not_told_apart(&self, lacks_street: bool, lacks_zip: bool) -> String {
        let missing = match (lacks_street, lacks_zip) {
            (true, true) => "address_line1 and zip",
            (true, false) => "address_line1",
            (false, _) => "zip",
        };
        let can_send_id = self.with_id > 0 && self.can_send_id;
        if self.count() == 1 {
            let other_way = if can_send_id { ", or that external_id if it is the same person" } else { "" };
            return format!(
                "A client of the same name, with {}, cannot be told apart from this one. Send {missing}{other_way}.",
                self.list(),
            );
        }
        let other_way = match can_send_id {
            true if missing == "address_line1 and zip" => ", or the external_id of the one that is meant",
            true => " or the external_id of the one that is meant",
            false => "",
        };
        format!(
            "{} clients of the same name cannot be told apart from this one: {}. Send {missing}{other_way}.",
            number(self.count(), "More"),
            self.list(),
        )
    }

    /// How a message names the clients to their own account.
    fn list(&self) -> String {
        let Some((first, others)) = self.named.split_first() else {
            return if self.without_id == 1 { "no external_id" } else { "none has an external_id" }.to_owned();
        };
        let mut list = format!("external_id \"{first}\"");
        let more = self.with_id - self.named.len();
        for (place, external_id) in others.iter().enumerate() {
            let is_last = place + 1 == others.len() && more == 0;
            list.push_str(if is_last { " and " } else { ", " });
            list.push_str(&format!("\"{external_id}\""));
        }
        if more > 0 {
            list.push_str(&if self.with_id > NAMESAKES_SHOWN {
                " and more".into()
            } else {
                format!(" and {more} more")
            });
        }
        if self.without_id > 0 {
            list.push_str(&format!(", and {} with no external_id", number(self.without_id, "more")));
        }
        list
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = match self.kind {
            ConflictKind::OtherExternalId => self.other_external_ids(),
            ConflictKind::Several => self.several(),
            ConflictKind::NotToldApart { lacks_street, lacks_zip } => self.not_told_apart(lacks_street, lacks_zip),
        };
        formatter.write_str(&sentence)?;
        formatter.write_str(if self.asked_do_not_mail { DO_NOT_MAIL_NOT_SAVED } else { "" })
    }
}

impl fmt::Debug for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clients = self.count();
        formatter.debug_struct("Conflict").field("kind", &self.kind).field("clients", &clients).finish_non_exhaustive()
    }
}

impl Error for Conflict {}

/// A number up to [`NAMESAKES_SHOWN`], or that there are more.
fn number(count: usize, more: &str) -> String {
    if count > NAMESAKES_SHOWN { format!("{more} than {NAMESAKES_SHOWN}") } else { count.to_string() }
}
