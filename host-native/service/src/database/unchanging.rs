//! Whose posts change nothing, as most of a nightly sync's: these are looked at by a reader first, and need
//! not wait for the writer.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

/// The most accounts that are remembered; past them all are forgotten, which costs each one post through the
/// writer.
const ACCOUNTS_MAX: usize = 10_000;

/// The accounts for whose last change nothing had to be written. A guess about the next one: where it is
/// wrong, the change is looked at twice.
#[derive(Default)]
pub(super) struct Unchanging(Mutex<HashSet<Uuid>>);

impl Unchanging {
    /// Whether the account's next change is expected to write nothing.
    pub(super) fn expects(&self, account: Uuid) -> bool {
        self.accounts().contains(&account)
    }

    /// Takes in what an account's change came to.
    pub(super) fn learn(&self, account: Uuid, has_written: bool) {
        let mut accounts = self.accounts();
        if has_written {
            accounts.remove(&account);
            return;
        }
        if accounts.len() >= ACCOUNTS_MAX {
            accounts.clear();
        }
        accounts.insert(account);
    }

    fn accounts(&self) -> MutexGuard<'_, HashSet<Uuid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
