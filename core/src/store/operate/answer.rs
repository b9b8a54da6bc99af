//! The store's answers to the operator's commands (rules of group O).

use chrono::NaiveDate;
use serde::Serialize;
use smol_str::SmolStr;
use uuid::Uuid;

use super::{
    super::{
        AccountImportState, ClientHistory, ComparisonStart, ExportPage, Position, ReviewItem, SimilarPage, SimilarPair,
    },
    log::LogRecord,
    refusal::Refusal,
};
use crate::{
    account::{Account, Grant, KeyRecord, Login},
    client::Client,
    key::KeySecretCheck,
    time::Timestamp,
    undo::UndoReport,
};

/// The store's answer to a command.
///
/// Its `Debug` form shows people: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorAnswer {
    /// An account with its logins and counties.
    Account(Account),
    /// Accounts, and the position of the next page.
    Accounts(Vec<Account>, Option<Position>),
    /// A login.
    Login(Login),
    /// A key's record.
    Key(KeyRecord),
    /// The check values of key secrets.
    KeySecrets(Vec<KeySecretCheck>),
    /// Keys of an account.
    Keys(Vec<KeyRecord>),
    /// The grant as given, or as it was before its revocation.
    County(Grant),
    /// One outcome for each prospect, in order.
    Imported(Vec<ImportOutcome>),
    /// A client as it is now.
    Client(Box<Client>),
    /// Clients as they are now, and the position of the next page.
    Clients(Vec<Client>, Option<Position>),
    /// It was erased.
    Erased,
    /// Settlements, and the position of the next page.
    Settlements(Vec<SettlementEntry>, Option<Position>),
    /// What waits for review, and the position of the next page.
    Review(Vec<ReviewItem>, Option<Position>),
    /// The client that the item was, or has become; `None` if it was left.
    Resolved(Option<Box<Client>>),
    /// Pairs of clients.
    Similar(SimilarPage),
    /// A pair.
    SimilarPair(Box<SimilarPair>),
    /// What a comparison begins with.
    ComparisonStart(ComparisonStart),
    /// How many undecided pairs the account has after a comparison.
    Compared(usize),
    /// Accounts that are due for a comparison.
    Due(Vec<Uuid>),
    /// Changes of a client.
    History(ClientHistory),
    /// A change, and what its undo did or would do.
    Undone(Box<UndoReport>),
    /// A page of an account.
    Exported(ExportPage),
    /// How far an import of an account has come.
    AccountImport(AccountImportState),
    /// Log entries, and the position of the next page.
    Log(Vec<LogRecord>, Option<Position>),
    /// Nothing was done.
    Refused(Refusal),
}

/// The outcome of one imported prospect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It was added with this id.
    Created(Uuid),
    /// It was known under this id, and was updated.
    Updated(Uuid),
    /// It was erased earlier and is not imported again.
    Erased,
}

/// One row of the settlements feed: a settlement, with its client as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettlementEntry {
    /// The settlement's id. One letter is sent for each.
    pub id: Uuid,
    /// The client's id.
    pub client_id: Uuid,
    /// The client's id in the caller's system.
    pub external_id: Option<SmolStr>,
    /// As it is now.
    pub first_name: Option<SmolStr>,
    /// As it is now.
    pub last_name: Option<SmolStr>,
    /// As it is now.
    pub address_line1: Option<SmolStr>,
    /// As it is now.
    pub address_line2: Option<SmolStr>,
    /// As it is now.
    pub city: Option<SmolStr>,
    /// As it is now.
    pub state: Option<SmolStr>,
    /// As it is now.
    pub zip: Option<SmolStr>,
    /// As it is now.
    pub case_type: Option<SmolStr>,
    /// The settlement's date.
    pub settled_on: NaiveDate,
    /// The time of the commit that began it.
    pub begun_at: Timestamp,
    /// The time of the last commit that changed it.
    pub changed_at: Timestamp,
    /// As it is now.
    pub do_not_mail: bool,
    /// Whether another client that may be the same person has `do_not_mail` (S38).
    pub similar_do_not_mail: bool,
}
