//! The undo of one change: what it gives back and what it leaves, decided over what the change touched (rules Q1 to Q5).

mod report;
mod touched;

use smol_str::SmolStr;
use uuid::Uuid;

pub use report::{Left, LeftReason, UndoReport};
pub use touched::{Change, Removed, Touched, TouchedAlias, TouchedState, TurnedItem, is_sent_again};

use crate::{
    client::{Client, ClientFields},
    matching::MatchKey,
    normalize::Field,
    plan::differences,
    store::{AliasChange, ClientUpdate},
    time::Timestamp,
};

/// What an undo does.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undo {
    /// Clients that get earlier values.
    pub updated: Vec<ClientUpdate>,
    /// Clients that the change created.
    pub removed: Vec<Client>,
    /// Clients that the change removed. They keep id and `created_at`.
    pub restored: Vec<Client>,
    /// Aliases that clients with earlier values get or lose.
    pub aliases: Vec<(Uuid, AliasChange)>,
    /// The item about which the change decided, while it is kept as the change left it.
    pub item: Option<TurnedItem>,
    /// What it leaves.
    pub left: Vec<Left>,
    /// The clients that it leaves as they are, at least in part, and does not change otherwise.
    pub left_clients: Vec<Client>,
}

impl Undo {
    /// Whether it changes nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.updated.is_empty() && self.removed.is_empty() && self.restored.is_empty() && self.item.is_none()
    }

    /// The undo of the change that was committed at a time. Fields go back one by one, where no later change wrote
    /// them.
    ///
    /// Batches of one import are one change. A client goes back over all of them with the latest that touched it, and
    /// the earlier ones pass over it.
    #[must_use]
    pub fn of(at: Timestamp, touched: Vec<Touched>, removed: Vec<Removed>) -> Self {
        let mut undo = Self::default();
        for client in touched {
            undo.touch(at, client);
        }
        for Removed { client, holder, is_sent_again } in removed {
            match holder.filter(|holder| *holder != client.id) {
                Some(_) => undo.leave_whole(client, LeftReason::ExternalIdTaken),
                None if is_sent_again => undo.leave_whole(client, LeftReason::SentAgain),
                None => undo.restored.push(client),
            }
        }
        undo
    }

    /// This undo, with the aliases that the change gave or took.
    #[must_use]
    pub fn with_aliases(mut self, aliases: Vec<TouchedAlias>) -> Self {
        for TouchedAlias { now, change, is_as_left, holder } in aliases {
            let id = now.id;
            if !is_as_left || !change.is_given && holder == Some(id) {
                self.leave(id, Some(Field::ExternalId), LeftReason::ChangedSince);
                continue;
            }
            if !change.is_given && holder.is_some() {
                self.leave(id, Some(Field::ExternalId), LeftReason::ExternalIdTaken);
                continue;
            }
            self.aliases.push((id, AliasChange { is_given: !change.is_given, ..change }));
            if !self.updated.iter().any(|update| update.id == id) {
                let after = now.fields.clone();
                self.updated.push(ClientUpdate { id, before: now, after, new_hash: None, matched_by: None });
            }
        }
        self
    }

    /// This undo, with the item about which the change decided.
    #[must_use]
    pub fn with_item(self, item: Option<TurnedItem>) -> Self {
        Self { item, ..self }
    }

    fn leave(&mut self, client: Uuid, field: Option<Field>, reason: LeftReason) {
        self.left.push(Left { client, field, reason });
    }

    fn leave_whole(&mut self, client: Client, reason: LeftReason) {
        self.leave(client.id, None, reason);
        self.left_clients.push(client);
    }

    fn touch(&mut self, at: Timestamp, Touched { now, states }: Touched) {
        let is_own = |state: &TouchedState| state.at == at || state.is_of_import;
        // A later batch of the import takes care of a client that it touched.
        let Some(place) = states.iter().position(is_own) else { return };
        // The newest state is the first.
        let (later, own_on) = states.split_at(place);
        if own_on.first().is_none_or(|state| state.at != at) {
            return;
        }
        if own_on.iter().any(|state| state.is_first && is_own(state)) {
            let is_untouched = later.is_empty() && own_on.iter().all(is_own);
            match now.fields.settled_on {
                _ if !is_untouched => self.leave(now.id, None, LeftReason::ChangedSince),
                Some(_) => self.leave(now.id, None, LeftReason::Settlement),
                None => return self.removed.push(now),
            }
            // Fields that others wrote between two batches may still go back.
            if is_untouched || own_on.first().is_some_and(|state| state.is_first) {
                return self.left_clients.push(now);
            }
        } else if own_on.last().is_some_and(is_own) {
            return self.leave_whole(now, LeftReason::NotKept);
        }
        let mut fields = now.fields.clone();
        for (field, write) in own_writes(&states, is_own) {
            let is_back = differences(&now.fields, &write.before.fields).iter().all(|other| *other != field);
            let is_taken = field == Field::ExternalId && write.before.holder.is_some_and(|holder| holder != now.id);
            let reason = match field {
                _ if is_back => continue,
                _ if write.is_overwritten => LeftReason::ChangedSince,
                Field::SettledOn => LeftReason::Settlement,
                Field::DoNotMail if now.fields.do_not_mail => LeftReason::DoNotMail,
                _ if is_taken => LeftReason::ExternalIdTaken,
                _ => {
                    put(&mut fields, &write.before.fields, field);
                    continue;
                }
            };
            self.leave(now.id, Some(field), reason);
        }
        if fields == now.fields {
            if self.left.last().is_some_and(|left| left.client == now.id) {
                self.left_clients.push(now);
            }
            return;
        }
        let hash = MatchKey::of(&fields).hash();
        let is_found_alike = fields.external_id == now.fields.external_id && hash == MatchKey::of(&now.fields).hash();
        let new_hash = (!is_found_alike).then_some(hash);
        self.updated.push(ClientUpdate { id: now.id, before: now, after: fields, new_hash, matched_by: None });
    }
}

/// The last write of a field by the change.
struct OwnWrite<'s> {
    /// The state before it, and before the change's earlier writes of the field, if no other change wrote it in between.
    before: &'s TouchedState,
    /// A later change wrote the field.
    is_overwritten: bool,
}

/// The fields that the change wrote, in the order of [`Field::ALL`].
fn own_writes(states: &[TouchedState], is_own: impl Fn(&TouchedState) -> bool) -> Vec<(Field, OwnWrite<'_>)> {
    let steps: Vec<_> = states
        .iter()
        .zip(states.iter().skip(1))
        .map(|(one, older)| (is_own(one), differences(&one.fields, &older.fields), older))
        .collect();
    let write = |field: Field| {
        let mut writes = steps.iter().filter(|(_, fields, _)| fields.contains(&field)).peekable();
        let mut is_overwritten = false;
        while writes.next_if(|(is_own, ..)| !is_own).is_some() {
            is_overwritten = true;
        }
        let (_, _, before) = writes.take_while(|(is_own, ..)| *is_own).last()?;
        Some((field, OwnWrite { before, is_overwritten }))
    };
    Field::ALL.into_iter().filter_map(write).collect()
}

/// Copies one field.
fn put(to: &mut ClientFields, from: &ClientFields, field: Field) {
    if field == Field::DoNotMail {
        to.do_not_mail = from.do_not_mail;
    }
    let texts: [Option<SmolStr>; 11] = from.texts().map(|(_, text)| text.clone());
    for ((known, text), value) in to.texts_mut().into_iter().zip(texts) {
        if known == field {
            *text = value;
        }
    }
    for ((known, date), (_, value)) in to.dates_mut().into_iter().zip(from.dates()) {
        if known == field {
            *date = value;
        }
    }
}

#[cfg(test)]
mod tests;
