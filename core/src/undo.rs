//! The undo of one change: what it gives back and what it leaves, decided over what the change touched (rules Q1 to Q5).

use smol_str::SmolStr;
use uuid::Uuid;

use crate::{
    client::{Client, ClientFields},
    matching::{MatchKey, PersonHash},
    normalize::Field,
    order,
    plan::differences,
    store::{AliasChange, ChangeAuthor, ClientUpdate, FieldChange},
    time::Timestamp,
};

/// The record of a commit that is to be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The request that made it.
    pub request_id: Uuid,
    /// The import that it is a batch of, where that is what is undone.
    pub import_id: Option<Uuid>,
    /// The time of its commit.
    pub at: Timestamp,
    /// Who made it.
    pub by: ChangeAuthor,
    /// The clients that it created.
    pub created: u32,
    /// The clients that it changed.
    pub changed: u32,
}

/// A client that the change created or changed.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The client as it is now.
    pub now: Client,
    /// Its states, the latest first: the present one, each down to the first of the change, and the one before where
    /// it is kept.
    pub states: Vec<TouchedState>,
}

/// One state of a client that a change touched.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedState {
    /// The commit that made it.
    pub at: Timestamp,
    /// Another batch of the import that is undone made it.
    pub is_of_import: bool,
    /// The client began with it, or came back with it.
    pub is_first: bool,
    /// The client that has its `external_id` now.
    pub holder: Option<Uuid>,
    /// The fields.
    pub fields: ClientFields,
}

/// A client that the change removed: it was an undo.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The client as it was.
    pub client: Client,
    /// The client that has its `external_id` now.
    pub holder: Option<Uuid>,
    /// A client that changed since is the one that a post of this one would find, or cannot be told apart from it
    /// ([`is_sent_again`]).
    pub is_sent_again: bool,
}

/// An item of review about which the change decided, and what an undo makes of it (rule J8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnedItem {
    /// The item.
    pub id: Uuid,
    /// Whether it waits again. Where the change itself was the undo of a decision, the item no longer waits.
    pub waits: bool,
}

/// Whether a post of a removed client would meet another client: find it, or not be able to tell it apart (rules M26 to
/// M29). `other` is what that client is compared by.
///
/// ```
/// use matterbook_core::{client::ClientFields, matching::MatchKey, undo::is_sent_again};
/// let named = |city: &str| ClientFields {
///     last_name: Some("Ray".into()),
///     city: Some(city.into()),
///     ..ClientFields::default()
/// };
/// assert!(is_sent_again(&named("Peoria"), &MatchKey::of(&named("Joliet")).hash(), false));
/// ```
#[must_use]
pub fn is_sent_again(removed: &ClientFields, other: &PersonHash, other_has_external_id: bool) -> bool {
    let person = MatchKey::of(removed).hash();
    let is_compared = !other_has_external_id || person.is_complete() || removed.external_id.is_none();
    is_compared && person.matches(other)
}

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

/// An alias that the change gave or took.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedAlias {
    /// The client as it is now.
    pub now: Client,
    /// What the change did.
    pub change: AliasChange,
    /// Whether it is as the change left it.
    pub is_as_left: bool,
    /// The client that has the alias now, as its `external_id` or as an alias.
    pub holder: Option<Uuid>,
}

/// A field, or a whole client, that an undo leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The client.
    pub client: Uuid,
    /// The field; `None` for the whole client.
    pub field: Option<Field>,
    /// Why.
    pub reason: LeftReason,
}

/// Why an undo leaves something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftReason {
    /// A later change wrote it.
    ChangedSince,
    /// The change turned letters off, which only a person takes back.
    DoNotMail,
    /// The settlement may have been read from the settlements feed.
    Settlement,
    /// Another client has this `external_id` now.
    ExternalIdTaken,
    /// The person was sent again since, and is another client now.
    SentAgain,
    /// The state before the change is no longer kept.
    NotKept,
}

impl LeftReason {
    /// The name in JSON.
    ///
    /// ```
    /// use matterbook_core::undo::LeftReason;
    /// assert_eq!(LeftReason::ChangedSince.name(), "changed_since");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChangedSince => "changed_since",
            Self::DoNotMail => "do_not_mail",
            Self::Settlement => "settlement",
            Self::ExternalIdTaken => "external_id_taken",
            Self::SentAgain => "sent_again",
            Self::NotKept => "not_kept",
        }
    }
}

/// A change with what an undo of it does, or did.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoReport {
    /// The change.
    pub change: Change,
    /// The undo.
    pub undo: Undo,
    /// Where an import has further batches to undo: the request of this one, after which they come.
    pub next: Option<Uuid>,
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

impl UndoReport {
    /// Each client that the undo changes, with its action and its fields: `update`, `remove` or `restore`.
    pub fn clients(&self) -> impl Iterator<Item = (Uuid, &'static str, Vec<FieldChange>)> {
        let nothing = ClientFields::default;
        let updated = self.undo.updated.iter();
        let updated = updated.map(|one| {
            let aliases = self.undo.aliases.iter().filter(|(client, _)| *client == one.id);
            let mut fields = FieldChange::between(&one.before.fields, &one.after);
            fields.extend(aliases.map(|(_, alias)| alias.field()));
            order::sort_by_key(&mut fields, |change| change.field);
            (one.id, "update", fields)
        });
        let removed = self.undo.removed.iter();
        let removed = removed.map(move |one| (one.id, "remove", FieldChange::between(&one.fields, &nothing())));
        let restored = self.undo.restored.iter();
        let restored = restored.map(move |one| (one.id, "restore", FieldChange::between(&nothing(), &one.fields)));
        updated.chain(removed).chain(restored)
    }
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
mod tests {
    use super::*;

    const CLIENT: Uuid = Uuid::from_u128(7);

    fn fields(phone: &str, city: &str) -> ClientFields {
        ClientFields {
            last_name: Some("Ray".into()),
            phone: Some(phone.into()),
            city: Some(city.into()),
            ..ClientFields::default()
        }
    }

    /// The undo of the change at 2 of a client with these states, the first one first, one each microsecond from 1 on.
    fn undo(states: &[ClientFields], is_kept_from_the_first: bool) -> Undo {
        let at = |number: usize| Timestamp::from_micros(i64::try_from(number).unwrap() + 1);
        let states = states.iter().enumerate().rev().map(|(number, fields)| TouchedState {
            at: at(number),
            is_of_import: false,
            is_first: number == 0 && is_kept_from_the_first,
            holder: None,
            fields: fields.clone(),
        });
        let states: Vec<_> = states.collect();
        let now = Client { id: CLIENT, fields: states[0].fields.clone(), created_at: at(0), updated_at: states[0].at };
        Undo::of(at(1), vec![Touched { now, states }], Vec::new())
    }

    fn left(undo: &Undo) -> Vec<(Option<Field>, LeftReason)> {
        undo.left.iter().map(|left| (left.field, left.reason)).collect()
    }

    #[test]
    fn fields_go_back_one_by_one_unless_a_later_change_wrote_them() {
        let [old, new] = [fields("1", "Peoria"), fields("2", "Joliet")];
        let whole = undo(&[old.clone(), new.clone()], true);
        assert_eq!((&whole.updated[0].after, whole.left.len()), (&old, 0));
        let later = undo(&[old.clone(), new.clone(), fields("2", "Aurora")], true);
        assert_eq!(later.updated[0].after, fields("1", "Aurora"));
        assert_eq!(left(&later), [(Some(Field::City), LeftReason::ChangedSince)]);
        // A later change that was itself taken back wrote the field all the same.
        let twice = undo(&[old, new.clone(), fields("2", "Aurora"), new], true);
        assert_eq!(twice.updated[0].after, fields("1", "Joliet"));
        assert_eq!(left(&twice), [(Some(Field::City), LeftReason::ChangedSince)]);
    }

    #[test]
    fn a_field_that_has_its_earlier_value_again_is_no_longer_left() {
        let [old, new] = [fields("1", "Peoria"), fields("2", "Joliet")];
        assert_eq!(undo(&[old.clone(), new.clone(), old], true), Undo::default());
        let other = undo(&[fields("1", "Peoria"), new, fields("3", "Peoria")], true);
        assert_eq!(left(&other), [(Some(Field::Phone), LeftReason::ChangedSince)]);
    }

    #[test]
    fn batches_of_one_import_are_undone_as_one_change() {
        let at = |number: i64| Timestamp::from_micros(number);
        // `Some(number)`: a batch of the import; `None`: somebody else.
        let undo = |at_hand: i64, states: &[(bool, ClientFields)]| {
            let states =
                states.iter().zip(1..).collect::<Vec<_>>().into_iter().rev().map(|((is_of_import, fields), number)| {
                    TouchedState {
                        at: at(number),
                        is_of_import: *is_of_import,
                        is_first: number == 1,
                        holder: None,
                        fields: fields.clone(),
                    }
                });
            let states: Vec<_> = states.collect();
            let fields = states[0].fields.clone();
            let now = Client { id: CLIENT, fields, created_at: at(1), updated_at: states[0].at };
            Undo::of(at(at_hand), vec![Touched { now, states }], Vec::new())
        };
        let [one, two, three] = [fields("1", "Peoria"), fields("2", "Joliet"), fields("3", "Joliet")];
        // Both batches go back with the later one; the earlier one has nothing left to do.
        let states = [(false, one.clone()), (true, two.clone()), (true, three.clone())];
        assert_eq!(undo(3, &states).updated[0].after, one);
        assert_eq!(undo(2, &states), Undo::default());
        // Somebody else came between: only what came after goes back.
        let states = [(false, one.clone()), (true, two.clone()), (false, three), (true, fields("4", "Joliet"))];
        let between = undo(4, &states);
        assert_eq!(between.updated[0].after, fields("3", "Peoria"));
        assert_eq!(between.left, []);
        // A client that the import created goes with the last batch that touched it.
        let states = [(true, one), (true, two)];
        assert_eq!(undo(2, &states).removed.len(), 1);
        assert_eq!(undo(1, &states), Undo::default());
    }

    #[test]
    fn letters_stay_off_and_settlements_stay() {
        let old = fields("1", "Peoria");
        let new = ClientFields { do_not_mail: true, settled_on: "2026-01-05".parse().ok(), ..old.clone() };
        let off = undo(&[old.clone(), new.clone()], true);
        assert!(off.is_empty());
        let expected =
            [(Some(Field::SettledOn), LeftReason::Settlement), (Some(Field::DoNotMail), LeftReason::DoNotMail)];
        assert_eq!(left(&off), expected);
        let on = undo(&[ClientFields { do_not_mail: true, ..old.clone() }, old], true);
        assert!(on.updated[0].after.do_not_mail, "letters that were turned on are off again");
    }

    #[test]
    fn a_new_client_is_removed_unless_something_was_done_to_it() {
        let at = Timestamp::from_micros(1);
        let client = |fields: &ClientFields, updated_at| Client {
            id: CLIENT,
            fields: fields.clone(),
            created_at: at,
            updated_at,
        };
        let state = |fields: &ClientFields, at: Timestamp, is_first| TouchedState {
            at,
            is_of_import: false,
            is_first,
            holder: None,
            fields: fields.clone(),
        };
        let old = fields("1", "Peoria");
        let touched = Touched { now: client(&old, at), states: vec![state(&old, at, true)] };
        assert_eq!(Undo::of(at, vec![touched], Vec::new()).removed, [client(&old, at)]);
        let new = fields("2", "Peoria");
        let states = vec![state(&new, at.next(), false), state(&old, at, true)];
        let changed = Undo::of(at, vec![Touched { now: client(&new, at.next()), states }], Vec::new());
        assert_eq!(left(&changed), [(None, LeftReason::ChangedSince)]);
        let settled = ClientFields { settled_on: "2026-01-05".parse().ok(), ..old };
        let touched = Touched { now: client(&settled, at), states: vec![state(&settled, at, true)] };
        assert_eq!(left(&Undo::of(at, vec![touched], Vec::new())), [(None, LeftReason::Settlement)]);
    }

    #[test]
    fn an_external_id_that_another_client_has_now_is_not_given_back() {
        let at = Timestamp::from_micros(1);
        let fields = ClientFields { external_id: Some("7".into()), ..fields("1", "Peoria") };
        let client = Client { id: CLIENT, fields, created_at: at, updated_at: at };
        let removed = |holder, is_sent_again| vec![Removed { client: client.clone(), holder, is_sent_again }];
        assert_eq!(Undo::of(at, Vec::new(), removed(None, false)).restored, std::slice::from_ref(&client));
        let taken = Undo::of(at, Vec::new(), removed(Some(Uuid::nil()), false));
        assert_eq!(left(&taken), [(None, LeftReason::ExternalIdTaken)]);
        assert_eq!(left(&Undo::of(at, Vec::new(), removed(None, true))), [(None, LeftReason::SentAgain)]);
    }

    #[test]
    fn a_state_that_is_no_longer_kept_is_not_guessed() {
        let at = Timestamp::from_micros(2);
        let fields = fields("1", "Peoria");
        let now = Client { id: CLIENT, fields: fields.clone(), created_at: Timestamp::default(), updated_at: at };
        let states = vec![TouchedState { at, is_of_import: false, is_first: false, holder: None, fields }];
        assert_eq!(left(&Undo::of(at, vec![Touched { now, states }], Vec::new())), [(None, LeftReason::NotKept)]);
    }
}
