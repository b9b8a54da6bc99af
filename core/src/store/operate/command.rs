//! The operator's commands (rules of group O).

use uuid::Uuid;

use super::super::{
    AccountImport, ClientFilter, ClientPair, FoundPair, Position, ReviewDecision, SimilarDecision, SimilarFilter,
};
use crate::{
    account::{AccountFlags, Grant, Role},
    id::IdMint,
    key::{AccountNumber, KeyLimits, StoredKey},
    prospect::ProspectFields,
    sign_in::LinkDigest,
    time::Timestamp,
};

/// One command of the operator, with the kind of its [`OperatorAnswer`](super::OperatorAnswer). The caller mints new
/// ids, once for each request.
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
        /// At most so many, 1 to [`COMPARED_PAGE_MAX`](crate::store::COMPARED_PAGE_MAX).
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
        /// The pairs, by their ids, at most [`SIMILAR_PAIRS_MAX`](crate::store::SIMILAR_PAIRS_MAX).
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
        /// Of an import: the batch after which to go on, as [`UndoReport::next`](crate::undo::UndoReport::next) names
        /// it.
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
    /// Sets an account's clients back to what they were, where the store has points in time. → `Account`
    RestoreAccount {
        /// The account.
        account: Uuid,
        /// The time.
        at: Timestamp,
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
            | Self::RestoreAccount { .. }
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
