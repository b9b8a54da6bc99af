//! The program's own accounts and keys.

use matterbook_core::{
    account::{Account, AccountFlags, KeyRecord, Login, Role},
    key::{AccountNumber, KeyLimits, StoredKey},
    time::Timestamp,
    uuid::Uuid,
};

use super::{Data, Firm, ListStore};

/// A new account with its owner's login.
pub struct NewAccount {
    /// The account's id.
    pub id: Uuid,
    /// The number in its keys.
    pub number: AccountNumber,
    /// The id of the owner's login.
    pub login_id: Uuid,
    /// The email of both.
    pub email: String,
    /// What the account may do.
    pub flags: AccountFlags,
}

impl ListStore {
    /// Adds an account and a key to it. Ids are the caller's.
    pub fn add_account_with_key(&self, account: NewAccount, key_id: Uuid, key: StoredKey, at: Timestamp) {
        let added: Result<(), std::convert::Infallible> = self.write(|data| {
            let account = data.add_account(account, at);
            if let Some(owner) = account.logins.first() {
                data.add_key(key_id, owner, None, KeyLimits::default(), key, at);
            }
            Ok(())
        });
        added.unwrap_or_else(|never| match never {});
    }
}

impl Data {
    pub(super) fn add_account(&mut self, account: NewAccount, at: Timestamp) -> Account {
        let NewAccount { id, number, login_id, email, flags } = account;
        let owner = Login { id: login_id, account_id: id, email: email.clone(), role: Role::Owner, created_at: at };
        let (logins, counties, last_commit_at) = (vec![owner], Vec::new(), None);
        let account = Account { id, number, email, flags, created_at: at, last_commit_at, logins, counties };
        self.firms.push(Firm::new(account.clone()));
        account
    }

    pub(super) fn add_key(
        &mut self,
        id: Uuid,
        owner: &Login,
        label: Option<String>,
        limits: KeyLimits,
        key: StoredKey,
        at: Timestamp,
    ) -> KeyRecord {
        let record = KeyRecord {
            id,
            account_id: owner.account_id,
            login_id: owner.id,
            label,
            last_four: key.last_four,
            scope: limits.scope,
            ends_at: limits.ends_at,
            created_at: at,
            last_used_at: None,
            revoked_at: None,
        };
        self.keys.push((key.digest, record.clone()));
        record
    }
}
