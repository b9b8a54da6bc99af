//! Files that people of an account send (S37).

use uuid::Uuid;

use super::{listing::page, state::State};
use crate::{
    store::{
        ConsoleAnswer, ConsoleRefusal, IMPORTS_KEPT, ImportCounts, ImportProgress, ImportRecord, ImportState,
        NewImport, Position, SessionOwner,
    },
    time::Timestamp,
};

/// The imports of an account, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Imports(Vec<(Uuid, ImportRecord)>);

impl Imports {
    /// How far an import is.
    pub(super) fn state(&self, id: Uuid) -> Option<ImportState> {
        let import = self.find(id)?;
        Some(ImportState { rows: import.rows, sent_rows: import.sent_rows, has_ended: import.ended_at.is_some() })
    }

    fn find(&self, id: Uuid) -> Option<&ImportRecord> {
        self.0.iter().map(|(_, import)| import).find(|import| import.id == id)
    }

    /// The name of an import's file.
    pub(super) fn file_name(&self, id: Uuid) -> Option<String> {
        self.find(id).map(|import| import.file_name.clone())
    }

    /// Adds what a batch did.
    pub(super) fn add(&mut self, id: Uuid, ImportProgress { rows, counts }: ImportProgress) {
        let Some((_, import)) = self.0.iter_mut().find(|(_, import)| import.id == id) else { return };
        import.sent_rows += rows;
        import.counts.created += counts.created;
        import.counts.updated += counts.updated;
        import.counts.unchanged += counts.unchanged;
        import.counts.refused += counts.refused;
    }
}

impl State {
    pub(super) fn begin_import(
        &mut self,
        owner: &SessionOwner,
        new: NewImport,
        now: Timestamp,
    ) -> Result<ConsoleAnswer, ConsoleRefusal> {
        let imports = &mut self.content_mut(owner.account).map_err(|_| ConsoleRefusal::NoImport)?.imports.0;
        let of_same_file =
            |(_, import): &&(Uuid, ImportRecord)| import.digest == new.digest && import.ended_at.is_none();
        let open = imports.iter().find(of_same_file).map(|(_, import)| import.id);
        let (id, is_new) = match open {
            Some(id) => (id, false),
            None => {
                let NewImport { id, file_name, digest, rows, mapping } = new;
                let (sent_rows, counts, email) = (0, ImportCounts::default(), None);
                let (started_at, ended_at) = (now, None);
                let import = ImportRecord {
                    id,
                    email,
                    file_name,
                    digest,
                    rows,
                    mapping,
                    sent_rows,
                    counts,
                    started_at,
                    ended_at,
                };
                imports.push((owner.login, import));
                imports.sort_by_key(|(_, import)| (import.started_at, import.id));
                let kept = usize::try_from(IMPORTS_KEPT).unwrap_or(usize::MAX);
                imports.drain(..imports.len().saturating_sub(kept));
                (id, true)
            }
        };
        self.show_import(owner.account, id, is_new)
    }

    pub(super) fn end_import(
        &mut self,
        account: Uuid,
        id: Uuid,
        now: Timestamp,
    ) -> Result<ConsoleAnswer, ConsoleRefusal> {
        let content = self.content_mut(account).map_err(|_| ConsoleRefusal::NoImport)?;
        let found = content.imports.0.iter_mut().find(|(_, import)| import.id == id);
        let (_, import) = found.ok_or(ConsoleRefusal::NoImport)?;
        import.ended_at.get_or_insert(now);
        self.show_import(account, id, false)
    }

    pub(super) fn show_import(&self, account: Uuid, id: Uuid, is_new: bool) -> Result<ConsoleAnswer, ConsoleRefusal> {
        let found =
            self.accounts.get(&account).and_then(|content| content.imports.0.iter().find(|(_, one)| one.id == id));
        found
            .map(|found| ConsoleAnswer::Import(Box::new(self.with_email(found)), is_new))
            .ok_or(ConsoleRefusal::NoImport)
    }

    pub(super) fn list_imports(&self, account: Uuid, before: Option<Position>, limit: u32) -> ConsoleAnswer {
        let imports = self.accounts.get(&account).map_or(&[][..], |content| &content.imports.0);
        let place = |import: &ImportRecord| Position { at: import.started_at, id: import.id };
        let places = imports.iter().rev().map(|(_, import)| place(import));
        let places = places.filter(|place| before.is_none_or(|before| *place < before));
        let find = |wanted: Position| imports.iter().find(|(_, import)| place(import) == wanted);
        let (imports, next) = page(places, limit, |place| find(place).map(|found| self.with_email(found)));
        ConsoleAnswer::Imports(imports, next)
    }

    fn with_email(&self, (login, import): &(Uuid, ImportRecord)) -> ImportRecord {
        ImportRecord { email: self.login(*login).map(|login| login.email.clone()), ..import.clone() }
    }
}
