//! The operator's commands, and the store's answers to them (rules of group O).

use chrono::NaiveDate;
use serde::Serialize;
use smol_str::SmolStr;
use uuid::Uuid;

use super::{
    AccountImport, AccountImportState, ClientFilter, ClientHistory, ClientPair, ComparisonStart, ExportPage, FoundPair,
    Position, Retention, ReviewDecision, ReviewItem, SimilarDecision, SimilarFilter, SimilarPage, SimilarPair,
};
use crate::{
    account::{Account, AccountFlags, Grant, KeyRecord, Login, Role},
    client::Client,
    id::IdMint,
    key::{AccountNumber, KeyLimits, KeySecretCheck, StoredKey},
    prospect::ProspectFields,
    sign_in::LinkDigest,
    time::Timestamp,
    undo::UndoReport,
};

/// One command of the operator, with the kind of its [`OperatorAnswer`]. The caller mints new ids, once for
/// each request.
///
/// Its `Debug` form shows people: never log it.
#[derive(Clone, Debug)]
pub enum OperatorCommand {
    /// Creates an account and its owner's login, with the account's email. → `Account`
    CreateAccount {
        /// The account's id.
        id: Uuid,
        /// Its number, which no other account has (rule K8).
        number: AccountNumber,
        /// The id of the owner's login.
        login_id: Uuid,
        /// The email of the account and of the login.
        email: String,
        /// Its flags.
        flags: AccountFlags,
    },
    /// → `Account`
    ShowAccount {
        /// The account.
        account: Uuid,
    },
    /// Accounts, oldest first by (`created_at`, `id`). → `Accounts`
    ListAccounts {
        /// Only what follows this position.
        after: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// → `Account`
    SetAccount {
        /// The account.
        account: Uuid,
        /// The new values.
        change: AccountChange,
    },
    /// → `Login`
    AddLogin {
        /// The login's id.
        id: Uuid,
        /// Its account.
        account: Uuid,
        /// The user's email.
        email: String,
        /// The role.
        role: Role,
    },
    /// → `Login`
    SetRole {
        /// The login.
        login: Uuid,
        /// Its new role.
        role: Role,
    },
    /// Makes a sign-in link for a login, in place of its earlier one (rule G2). → `Login`
    MakeLink {
        /// The login.
        login: Uuid,
        /// What is stored of the link.
        link: LinkDigest,
        /// From when on it does not work.
        expires_at: Timestamp,
    },
    /// Removes a login and revokes its keys. An account's last owner is not removed (rule O23). → `Login`, as it
    /// was
    RemoveLogin {
        /// The login.
        login: Uuid,
    },
    /// Creates a key. Only an owner's login may. Without a login, the account's oldest owner creates it (rule
    /// K5). → `Key`
    CreateKey {
        /// The key's id.
        id: Uuid,
        /// Its account.
        account: Uuid,
        /// The login that creates it. It has to belong to the account.
        login: Option<Uuid>,
        /// Its label.
        label: Option<String>,
        /// What it is limited to, and when it ends.
        limits: KeyLimits,
        /// What is stored of the key (rule K4). Its secret is recorded with it.
        key: StoredKey,
    },
    /// The check values of the key secrets that keys were made with, in any order. → `KeySecrets`
    ListKeySecrets,
    /// Keys of an account, oldest first, revoked ones included. → `Keys`
    ListKeys {
        /// The account.
        account: Uuid,
    },
    /// Revokes a key. A second revocation changes nothing and keeps the first time (rule K6). → `Key`
    RevokeKey {
        /// The key.
        key: Uuid,
    },
    /// Grants a county, or changes the date of a grant. → `County`
    GrantCounty {
        /// The account.
        account: Uuid,
        /// The county and the first crash date.
        grant: Grant,
    },
    /// Revokes a grant. Refused when it does not exist. → `County`
    RevokeCounty {
        /// The account.
        account: Uuid,
        /// The FIPS code of the county.
        fips: String,
    },
    /// Adds prospects, and updates those whose `source_id` is known; their `added_at` stays. The order
    /// counts: a `source_id` that appears twice is added, then updated. → `Imported`
    ImportProspects {
        /// Each with its id in case it is new.
        prospects: Vec<(Uuid, ProspectFields)>,
    },
    /// Erases a prospect. Its `source_id` stays as a tombstone. → `Erased`
    EraseProspect {
        /// The prospect.
        prospect: Uuid,
    },
    /// A client as it is now, without delay. → `Client`
    ShowClient {
        /// The account.
        account: Uuid,
        /// The client.
        client: Uuid,
    },
    /// Clients as they are now, by (`updated_at`, `id`): those that the filter admits. A page looks at a bounded
    /// number of clients, so it may be short and go on. → `Clients`
    FindClients {
        /// The account.
        account: Uuid,
        /// Which ones.
        filter: ClientFilter,
        /// Only what follows this position.
        after: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Turns `do_not_mail` off, as a change of the client like any other. → `Client`
    MailOn {
        /// The account.
        account: Uuid,
        /// The client.
        client: Uuid,
        /// How long `GET /clients` hides the change.
        client_delay_seconds: u32,
    },
    /// Erases a client (S12). → `Erased`
    EraseClient {
        /// The account.
        account: Uuid,
        /// The client.
        client: Uuid,
    },
    /// Settlements of an account by (`changed_at`, `id`), without delay. → `Settlements`
    ListSettlements {
        /// The account.
        account: Uuid,
        /// Only what follows this position.
        after: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// What waits for review, the latest seen first (S20). → `Review`
    ListReview {
        /// The account.
        account: Uuid,
        /// Only what was seen since this time.
        seen_since: Timestamp,
        /// Only what is before this position.
        before: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Decides about an item, as a change like any other (S21). → `Resolved`
    ResolveReview {
        /// The account.
        account: Uuid,
        /// The item.
        item: Uuid,
        /// The decision.
        decision: ReviewDecision,
        /// The ids of the client and the settlement that it may make.
        mint: IdMint,
        /// How long `GET /clients` hides the change.
        client_delay_seconds: u32,
    },
    /// Pairs of clients that may be one person, by their ids (S38). → `Similar`
    ListSimilar {
        /// The account.
        account: Uuid,
        /// Which ones.
        filter: SimilarFilter,
        /// Only what follows this pair.
        after: Option<ClientPair>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Decides about a pair, or takes a decision back (S38). → `SimilarPair`
    DecideSimilar {
        /// The account.
        account: Uuid,
        /// The pair.
        pair: ClientPair,
        /// The decision; `None` for none.
        decision: Option<SimilarDecision>,
    },
    /// What a comparison of the account's clients begins with (S39). → `ComparisonStart`
    StartComparison {
        /// The account.
        account: Uuid,
    },
    /// Clients as they are now, by id. → `Clients`, without a position
    ListClientsById {
        /// The account.
        account: Uuid,
        /// Only what follows this id.
        after: Uuid,
        /// At most so many, 1 to [`COMPARED_PAGE_MAX`](super::COMPARED_PAGE_MAX).
        limit: u32,
    },
    /// The clients with these ids as they are now, in any order. → `Clients`, without a position
    ReadClients {
        /// The account.
        account: Uuid,
        /// Distinct ids. Those of other accounts are left out.
        ids: Vec<Uuid>,
    },
    /// Keeps what a comparison found (S39). → `Compared`
    KeepSimilar {
        /// The account.
        account: Uuid,
        /// The pairs, by their ids, at most [`SIMILAR_PAIRS_MAX`](super::SIMILAR_PAIRS_MAX).
        pairs: Vec<FoundPair>,
        /// The account's last commit when it began.
        last_commit_at: Timestamp,
    },
    /// The accounts that are due for a comparison (S39). → `Due`
    ListDue {
        /// Those that were not compared since this time.
        compared_before: Timestamp,
        /// At most so many.
        limit: u32,
    },
    /// The changes of a client, as of now, the newest first. → `History`
    ListHistory {
        /// The account.
        account: Uuid,
        /// The client.
        client: Uuid,
        /// Only changes before this time.
        before: Option<Timestamp>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Takes back what a request did, as a change like any other, or with `dry_run` tells what that would do. Of an
    /// import, it takes one batch back. → `Undone`
    UndoChange {
        /// The account.
        account: Uuid,
        /// The request, or the import.
        change: Uuid,
        /// Of an import: the batch after which to go on, as [`UndoReport::next`] names it.
        after: Option<Uuid>,
        /// How long `GET /clients` hides the undo.
        client_delay_seconds: u32,
        /// Whether nothing is done.
        dry_run: bool,
    },
    /// A page of all rows of an account, but for its sign-in links and sessions. → `Exported`
    ExportAccount {
        /// The account.
        account: Uuid,
        /// The place after which the page begins, as the page before it said.
        after: Option<String>,
    },
    /// Begins the import of an account that does not exist, or tells how far the same import has come. → `AccountImport`
    BeginAccountImport {
        /// The account.
        account: Uuid,
        /// What is imported.
        import: Box<AccountImport>,
    },
    /// Saves rows of an import. The last ones end it. → `AccountImport`
    ImportAccountRows {
        /// The account.
        account: Uuid,
        /// How many rows come before these.
        from: i64,
        /// The rows as an export has them, at least one.
        rows: Vec<String>,
    },
    /// Deletes a bounded number of the rows of an import that has not ended, but for its log. At 0 received rows
    /// another import of the account may begin. → `AccountImport`
    DiscardAccountImport {
        /// The account.
        account: Uuid,
    },
    /// The operator's log by (`at`, `id`), the newest first. → `Log`
    ListLog {
        /// Only what is earlier than this position.
        before: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
}

impl OperatorCommand {
    /// Whether the command only reads. It then needs no writer and no log entry.
    #[must_use]
    pub const fn is_read(&self) -> bool {
        match self {
            Self::ShowAccount { .. }
            | Self::ListAccounts { .. }
            | Self::ListKeySecrets
            | Self::ListKeys { .. }
            | Self::ShowClient { .. }
            | Self::FindClients { .. }
            | Self::ListSettlements { .. }
            | Self::ListReview { .. }
            | Self::ListSimilar { .. }
            | Self::StartComparison { .. }
            | Self::ListClientsById { .. }
            | Self::ReadClients { .. }
            | Self::ListDue { .. }
            | Self::ListHistory { .. }
            | Self::UndoChange { dry_run: true, .. }
            | Self::ExportAccount { .. }
            | Self::ListLog { .. } => true,
            Self::CreateAccount { .. }
            | Self::SetAccount { .. }
            | Self::AddLogin { .. }
            | Self::SetRole { .. }
            | Self::MakeLink { .. }
            | Self::RemoveLogin { .. }
            | Self::CreateKey { .. }
            | Self::RevokeKey { .. }
            | Self::GrantCounty { .. }
            | Self::RevokeCounty { .. }
            | Self::ImportProspects { .. }
            | Self::EraseProspect { .. }
            | Self::MailOn { .. }
            | Self::ResolveReview { .. }
            | Self::DecideSimilar { .. }
            | Self::KeepSimilar { .. }
            | Self::UndoChange { .. }
            | Self::BeginAccountImport { .. }
            | Self::ImportAccountRows { .. }
            | Self::DiscardAccountImport { .. }
            | Self::EraseClient { .. } => false,
        }
    }
}

/// The new values of an account. `None` keeps the present one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountChange {
    /// New email.
    pub email: Option<String>,
    /// Turn the API on or off.
    pub api_enabled: Option<bool>,
    /// Suspend the account or end its suspension.
    pub suspended: Option<bool>,
    /// Turn the digital bundle on or off.
    pub digital_bundle: Option<bool>,
    /// Turn contact enrichment on or off.
    pub contact_enrichment: Option<bool>,
}

/// An entry of the append-only operator log (S13). What the command creates or changes has the same time,
/// moved past the last commit where S6 asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The entry's id.
    pub id: Uuid,
    /// The time of the request.
    pub at: Timestamp,
    /// Who acts (rule O3).
    pub actor: String,
    /// The action, such as `account.create`.
    pub action: &'static str,
    /// The subject: the id of the account, login, key, client or prospect, or a count.
    pub subject: String,
    /// The id of the request.
    pub request_id: Uuid,
    /// How long such entries are kept.
    pub retention: Retention,
}

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

/// A log entry read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogRecord {
    /// The entry's id.
    pub id: Uuid,
    /// The time of the request.
    pub at: Timestamp,
    /// Who acted.
    pub actor: String,
    /// The action.
    pub action: String,
    /// The subject.
    pub subject: String,
    /// The id of the request.
    pub request_id: Uuid,
}
