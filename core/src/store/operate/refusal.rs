//! Why an operator's command is refused.

/// Why a command is refused. Nothing changes then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such account.
    NoAccount,
    /// There is no such login, or not in that account.
    NoLogin,
    /// There is no such key.
    NoKey,
    /// The account has no such client.
    NoClient,
    /// The account has no record of such a change.
    NoChange,
    /// The states before the change were not kept.
    NoHistory,
    /// Nothing with this id waits for review in the account.
    NoItem,
    /// The account keeps no such pair of clients.
    NoPair,
    /// What was sent cannot be read, so the item can only be left.
    Unreadable,
    /// It has no name, so no client is created.
    Nameless,
    /// Another client has the `external_id` that was sent.
    ExternalIdTaken,
    /// There is no such prospect.
    NoProspect,
    /// The account has no grant for that county.
    NoCounty,
    /// Only an owner's login creates keys.
    NotOwner,
    /// The login is the account's only owner.
    LastOwner,
    /// The account has no owner's login to create the key with.
    NoOwner,
    /// This store neither exports nor imports accounts.
    NoTransfer,
    /// The place is not one of the account's export.
    NoPlace,
    /// The account is being imported and stays suspended until that has ended.
    Importing,
    /// The account has no import.
    NoAccountImport,
    /// The import has ended.
    ImportEnded,
    /// The account exists, and is no import of this file.
    AccountExists,
    /// The columns of the export are not those of this store.
    OtherColumns,
    /// A row is not one of its table, or there are more rows than were announced.
    MalformedRow,
    /// A row has an id or a key that another account has.
    RowTaken,
    /// Another account has the account's number.
    NumberTaken,
    /// The rows are not those that were announced.
    OtherDigest,
    /// The import is being discarded.
    Discarding,
    /// The account cannot be set back to the time.
    NoPointInTime,
    /// The account has to be suspended first.
    NotSuspended,
}
