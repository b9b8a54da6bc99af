//! The sentences of conflicts: how many clients are in the way, some of their external ids, and what would
//! resolve it (rule M33).

use smol_str::SmolStr;

use super::Item;
use crate::store::NAMESAKES_SHOWN;

/// The most clients that a sentence names by their external ids.
const NAMED_MAX: usize = 3;

/// The clients that conflict with one item, in few words.
#[derive(Clone, Debug, Default)]
pub(super) struct Conflicting<'p> {
    /// The external ids of the oldest ones that have one.
    named: Vec<&'p str>,
    with_id: usize,
    without_id: usize,
}

impl<'p> Conflicting<'p> {
    /// Counts clients by their external ids, oldest first. It may be given any number over [`NAMESAKES_SHOWN`] of
    /// more.
    pub(super) fn of(external_ids: impl Iterator<Item = Option<&'p SmolStr>>) -> Self {
        let mut conflicting = Self::default();
        for external_id in external_ids {
            let Some(external_id) = external_id else {
                conflicting.without_id += 1;
                continue;
            };
            if conflicting.with_id < NAMED_MAX {
                conflicting.named.push(external_id);
            }
            conflicting.with_id += 1;
        }
        conflicting
    }

    pub(super) const fn count(&self) -> usize {
        self.with_id + self.without_id
    }

    /// Clients with the same name, street and ZIP, each with another external id than the item.
    pub(super) fn other_external_ids(&self) -> String {
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
    pub(super) fn several(&self) -> String {
        // A new external id goes to the oldest client without one (rule M27).
        let way = match (self.with_id, self.without_id) {
            (0, _) => "Send an external_id: the oldest of them takes it",
            (_, 0) => "Send the external_id of the one that is meant",
            _ => "Send the external_id of the one that is meant; the oldest one without an external_id takes a new one",
        };
        format!("{} clients have this name, street and ZIP: {}. {way}.", number(self.count(), "More"), self.list())
    }

    /// Clients with the name of an item that lacks a street or a ZIP.
    pub(super) fn not_told_apart(&self, item: &Item) -> String {
        let missing = match (&item.match_key.street, &item.match_key.zip5) {
            (None, None) => "address_line1 and zip",
            (None, Some(_)) => "address_line1",
            (Some(_), _) => "zip",
        };
        let can_send_id = self.with_id > 0 && item.input.fields.external_id.is_none();
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

/// A number up to [`NAMESAKES_SHOWN`], or that there are more.
fn number(count: usize, more: &str) -> String {
    if count > NAMESAKES_SHOWN { format!("{more} than {NAMESAKES_SHOWN}") } else { count.to_string() }
}
