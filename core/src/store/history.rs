//! The history of one client: its changes, the newest first.

use smol_str::SmolStr;
use uuid::Uuid;

use super::View;
use crate::{
    account::KeyOwner,
    client::ClientFields,
    normalize::Field,
    order,
    plan::{MatchedBy, differences},
    time::{Timestamp, iso_date},
};

/// The query of a page of a client's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryQuery {
    /// The client.
    pub client: Uuid,
    /// The view: changes are hidden for a delay, as in a page of clients.
    pub view: View,
    /// Only changes before this time.
    pub before: Option<Timestamp>,
    /// At most so many changes, 1 to 100.
    pub limit: u32,
}

/// A page of a client's history, as an API key is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryPage {
    /// The owner of the key in this unit.
    pub key_owner: KeyOwner,
    /// The history; `None` if the account has no such client, or none in the state that is shown.
    pub history: Option<ClientHistory>,
}

/// Changes of a client, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientHistory {
    /// The changes.
    pub changes: Vec<ClientChange>,
    /// The time of the last of them, if earlier ones follow.
    pub next: Option<Timestamp>,
}

/// One change of a client.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientChange {
    /// The time of its commit.
    pub at: Timestamp,
    /// Who made it; `None` if the record of the commit is no longer kept.
    pub by: Option<ChangeAuthor>,
    /// The request that made it.
    pub request_id: Option<Uuid>,
    /// The import of the console that the request belongs to.
    pub import_id: Option<Uuid>,
    /// How the request found the client; `None` of a client that it created, and of a command on this client.
    pub matched_by: Option<MatchedBy>,
    /// The fields before; `None` of a client that it created.
    pub before: Option<ClientFields>,
    /// The fields after.
    pub after: ClientFields,
    /// The alias that it gave or took.
    pub alias: Option<AliasChange>,
}

/// An alias that a change gave or took (S21).
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasChange {
    /// The alias.
    pub external_id: SmolStr,
    /// Whether the client has it from then on.
    pub is_given: bool,
}

impl AliasChange {
    /// As a change of the `external_id`.
    #[must_use]
    pub fn field(&self) -> FieldChange {
        let alias = Some(self.external_id.clone());
        let (from, to) = if self.is_given { (None, alias) } else { (alias, None) };
        FieldChange { field: Field::ExternalId, from, to }
    }
}

/// A field with its values before and after a change; `None` where there is none.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field.
    pub field: Field,
    /// The value before: a text, a date as `YYYY-MM-DD`, or `yes` or `no` of `do_not_mail`.
    pub from: Option<SmolStr>,
    /// The value after.
    pub to: Option<SmolStr>,
}

impl FieldChange {
    /// The fields that differ, in the order of [`Field::ALL`].
    #[must_use]
    pub fn between(before: &ClientFields, after: &ClientFields) -> Vec<Self> {
        let changed = |field| Self { field, from: value(before, field), to: value(after, field) };
        differences(before, after).into_iter().map(changed).collect()
    }
}

fn value(fields: &ClientFields, field: Field) -> Option<SmolStr> {
    if field == Field::DoNotMail {
        return Some(if fields.do_not_mail { "yes" } else { "no" }.into());
    }
    let text = fields.texts().into_iter().find(|(known, _)| *known == field).and_then(|(_, text)| text.clone());
    let date = || fields.dates().into_iter().find(|(known, _)| *known == field).and_then(|(_, date)| date);
    text.or_else(|| date().map(iso_date))
}

impl ClientChange {
    /// The fields that it changed: of a client that it created, each with a value.
    #[must_use]
    pub fn fields(&self) -> Vec<FieldChange> {
        let mut fields = FieldChange::between(self.before.as_ref().unwrap_or(&ClientFields::default()), &self.after);
        fields.extend(self.alias.as_ref().map(AliasChange::field));
        order::sort_by_key(&mut fields, |change| change.field);
        fields
    }
}

/// Who made a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeAuthor {
    /// By what.
    pub kind: AuthorKind,
    /// A key's label, or else its last four characters; a login's email while it exists; `operator`.
    pub label: Option<String>,
}

/// By what a change is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthorKind {
    /// An API key.
    Key,
    /// A person in the console.
    Login,
    /// The operator.
    Operator,
}

impl AuthorKind {
    /// The name in JSON.
    ///
    /// ```
    /// use matterbook_core::store::AuthorKind;
    /// assert_eq!(AuthorKind::Login.name(), "login");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Login => "login",
            Self::Operator => "operator",
        }
    }
}

/// One state of a client, as a history is made of them.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug)]
pub struct ClientState {
    /// The commit that made it.
    pub at: Timestamp,
    /// Who made that commit.
    pub by: Option<ChangeAuthor>,
    /// Its request.
    pub request_id: Option<Uuid>,
    /// Its import.
    pub import_id: Option<Uuid>,
    /// How the request found the client.
    pub matched_by: Option<MatchedBy>,
    /// It is the first state of the client.
    pub is_first: bool,
    /// The fields.
    pub fields: ClientFields,
    /// The alias that its commit gave or took.
    pub alias: Option<AliasChange>,
}

impl ClientHistory {
    /// How many states a page of so many changes is made of: that before the last change, and one more that tells
    /// whether there is another change.
    #[must_use]
    pub const fn states(limit: u32) -> u32 {
        limit.saturating_add(2)
    }

    /// The changes between states, the newest first, at most `limit`. The state before a change is needed to tell what
    /// it changed, so the oldest state that is kept is no change unless the client began with it.
    #[must_use]
    pub fn of(states: Vec<ClientState>, limit: u32) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut history = Self::default();
        let mut states = states.into_iter().peekable();
        while let Some(state) = states.next() {
            let before = match states.peek() {
                _ if state.is_first => None,
                Some(before) => Some(before.fields.clone()),
                None => break,
            };
            if history.changes.len() == limit {
                history.next = history.changes.last().map(|change| change.at);
                break;
            }
            let ClientState { at, by, request_id, import_id, matched_by, is_first: _, fields: after, alias } = state;
            history.changes.push(ClientChange { at, by, request_id, import_id, matched_by, before, after, alias });
        }
        history
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(at: i64, is_first: bool) -> ClientState {
        let fields = ClientFields { phone: Some(at.to_string().into()), ..ClientFields::default() };
        let at = Timestamp::from_micros(at);
        ClientState { at, by: None, request_id: None, import_id: None, matched_by: None, is_first, fields, alias: None }
    }

    #[test]
    fn a_page_has_each_change_with_the_state_before_it() {
        let check = |states: &[ClientState], limit, times: &[i64], next: Option<i64>| {
            let history = ClientHistory::of(states.to_vec(), limit);
            let found: Vec<_> = history.changes.iter().map(|change| change.at.micros()).collect();
            assert_eq!((found.as_slice(), history.next.map(Timestamp::micros)), (times, next), "{limit}");
        };
        let whole = [state(3, false), state(2, false), state(1, true)];
        check(&whole, 3, &[3, 2, 1], None);
        check(&whole, 2, &[3, 2], Some(2));
        check(&whole[..2], 2, &[3], None);
        check(&whole[2..], 1, &[1], None);
        check(&[], 1, &[], None);
        let pruned = [state(3, false), state(2, false)];
        check(&pruned, 1, &[3], None);
        let history = ClientHistory::of(whole.to_vec(), 3);
        let before: Vec<_> = history.changes.iter().map(|change| change.before.clone()).collect();
        assert_eq!(before, [Some(whole[1].fields.clone()), Some(whole[2].fields.clone()), None]);
    }
}
