//! Stores that open the wrong door (S1, S2).

use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use matterbook_core::{
    account::{KeyOwner, KeyRecord},
    client::Client,
    key::{KeyDigest, KeyLimits},
    memory::MemoryStore,
    store::{
        ChangeRequest, ClientPage, ClientPageQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, Refusal,
        StoreError,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::broken::{Fault, deciding, seeing};

/// Answers that a key is revoked, and lets it go on working.
#[derive(Default)]
pub(super) struct RevokedKeyWorks {
    keys: RefCell<BTreeMap<Uuid, KeyRecord>>,
}

impl Fault for RevokedKeyWorks {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        if let OperatorCommand::RevokeKey { key } = &command
            && let Some(record) = self.keys.borrow().get(key).cloned()
        {
            return Ok(OperatorAnswer::Key(KeyRecord { revoked_at: Some(entry.at), ..record }));
        }
        let answer = sound.operate(command, entry).await?;
        if let OperatorAnswer::Key(record) = &answer {
            self.keys.borrow_mut().insert(record.id, record.clone());
        }
        Ok(answer)
    }
}

/// Lets a key go on working past its end.
#[derive(Default)]
pub(super) struct EndedKeyWorks;

impl Fault for EndedKeyWorks {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        match command {
            OperatorCommand::CreateKey { id, account, login, label, limits, key } => {
                let limits = KeyLimits { ends_at: None, ..limits };
                OperatorCommand::CreateKey { id, account, login, label, limits, key }
            }
            other => other,
        }
    }
}

/// Remembers who held a key when it was first seen.
#[derive(Default)]
pub(super) struct KeyOwnerIsRemembered {
    key_owners: RefCell<BTreeMap<KeyDigest, KeyOwner>>,
}

impl Fault for KeyOwnerIsRemembered {
    fn key_owner(&self, key: &KeyDigest, key_owner: Option<KeyOwner>) -> Option<KeyOwner> {
        let key_owner = key_owner?;
        Some(self.key_owners.borrow_mut().entry(*key).or_insert(key_owner).clone())
    }
}

/// Reads a page with the owner of the page before: not in one unit.
#[derive(Default)]
pub(super) struct PageKeyOwnerIsRemembered {
    key_owners: RefCell<BTreeMap<Uuid, KeyOwner>>,
}

impl Fault for PageKeyOwnerIsRemembered {
    fn key_owner(&self, _key: &KeyDigest, key_owner: Option<KeyOwner>) -> Option<KeyOwner> {
        if let Some(key_owner) = &key_owner {
            self.key_owners.borrow_mut().entry(key_owner.account).or_insert_with(|| key_owner.clone());
        }
        key_owner
    }

    fn client_page(&self, _query: &ClientPageQuery, page: ClientPage) -> ClientPage {
        let remembered = self.key_owners.borrow().get(&page.key_owner.account).cloned();
        ClientPage { key_owner: remembered.unwrap_or_else(|| page.key_owner.clone()), ..page }
    }
}

/// Looks an `external_id` up among the clients of every account.
#[derive(Default)]
pub(super) struct LookUpForgetsAccount {
    clients: Arc<Mutex<Vec<Client>>>,
}

impl Fault for LookUpForgetsAccount {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        let wanted: Vec<_> =
            request.lookup_keys.iter().filter_map(|lookup_key| lookup_key.external_id.clone()).collect();
        let (everybody, now) = (Arc::clone(&self.clients), request.now);
        let request = seeing(request, move |snapshot| {
            for client in everybody.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                let is_wanted = client.fields.external_id.as_ref().is_some_and(|id| wanted.contains(id));
                if is_wanted && !snapshot.clients.iter().any(|seen| seen.id == client.id) {
                    snapshot.clients.push(client.clone());
                }
            }
        });
        let everybody = Arc::clone(&self.clients);
        deciding(request, move |_, decided| {
            let created = decided.change_set.created.iter();
            everybody.lock().unwrap_or_else(PoisonError::into_inner).extend(created.map(|new| Client {
                id: new.id,
                fields: new.fields.clone(),
                created_at: now,
                updated_at: now,
            }));
        })
    }
}

/// Finds a client by its id alone where the operator names account and client.
#[derive(Default)]
pub(super) struct OperatorForgetsAccount {
    accounts: RefCell<Vec<Uuid>>,
}

impl Fault for OperatorForgetsAccount {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        if let OperatorCommand::CreateAccount { id, .. } = &command {
            self.accounts.borrow_mut().push(*id);
        }
        let answer = sound.operate(command.clone(), entry.clone()).await?;
        let OperatorCommand::ShowClient { client, .. } = command else { return Ok(answer) };
        let accounts = self.accounts.borrow().clone();
        for account in accounts {
            if answer != OperatorAnswer::Refused(Refusal::NoClient) {
                break;
            }
            let elsewhere = sound.operate(OperatorCommand::ShowClient { account, client }, entry.clone()).await?;
            if let OperatorAnswer::Client(_) = elsewhere {
                return Ok(elsewhere);
            }
        }
        Ok(answer)
    }
}

/// Keeps the use of a key that was recorded last, even if it is an earlier one.
#[derive(Default)]
pub(super) struct LastRecordedUseWins {
    uses: RefCell<BTreeMap<KeyDigest, Timestamp>>,
}

impl Fault for LastRecordedUseWins {
    fn key_owner(&self, key: &KeyDigest, key_owner: Option<KeyOwner>) -> Option<KeyOwner> {
        let last_used_at = self.uses.borrow().get(key).copied();
        key_owner.map(|key_owner| KeyOwner { last_used_at, ..key_owner })
    }

    async fn record_use(&self, _: &MemoryStore, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.uses.borrow_mut().insert(*key, now);
        Ok(())
    }
}
