//! What an undo leaves, and what it reports.

use uuid::Uuid;

use super::{Change, Undo};
use crate::{client::ClientFields, normalize::Field, order, store::FieldChange};

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
