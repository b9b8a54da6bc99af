//! What the operator can ask of storage (design section 9).

use chrono::NaiveDate;
use serde::Serialize;
use smol_str::SmolStr;
use uuid::Uuid;

use super::Position;
use crate::{
    account::{Account, AccountFlags, Grant, KeyRecord, Login, Role},
    client::Client,
    key::KeyDigest,
    prospect::ProspectFields,
    time::Timestamp,
};

/// One command of the operator. New ids are minted by the caller, once per request.
#[derive(Clone, Debug)]
pub enum OperatorCommand {
    /// Creates an account and its owner's login, with the account's email. → `Account`
    CreateAccount {
        /// The account's id.
        id: Uuid,
        /// The owner's login's id.
        login_id: Uuid,
        /// The account's and the login's email.
        email: String,
        /// What it may do.
        flags: AccountFlags,
    },
    /// → `Account`
    ShowAccount {
        /// Which.
        account: Uuid,
    },
    /// Accounts, oldest first by (`created_at`, `id`). → `Accounts`
    ListAccounts {
        /// After this place only.
        after: Option<Position>,
        /// 1 to 100.
        limit: u32,
    },
    /// → `Account`
    SetAccount {
        /// Which.
        account: Uuid,
        /// What to change.
        change: AccountChange,
    },
    /// → `Login`
    AddLogin {
        /// The login's id.
        id: Uuid,
        /// Its account.
        account: Uuid,
        /// The person's address.
        email: String,
        /// What it may do.
        role: Role,
    },
    /// → `Login`
    SetRole {
        /// Which login.
        login: Uuid,
        /// What it may do from now on.
        role: Role,
    },
    /// Only an owner's login may; without a login, the account's oldest owner. → `Key`
    CreateKey {
        /// The key's id.
        id: Uuid,
        /// The account it opens.
        account: Uuid,
        /// The login that creates it; it must belong to the account.
        login: Option<Uuid>,
        /// What it is called.
        label: Option<String>,
        /// All that is kept of the key.
        digest: KeyDigest,
    },
    /// Keys of an account, oldest first, revoked ones included. → `Keys`
    ListKeys {
        /// Which account.
        account: Uuid,
    },
    /// Revoking a revoked key changes nothing and keeps the first time. → `Key`
    RevokeKey {
        /// Which key.
        key: Uuid,
    },
    /// Grants a county, or moves the date of a grant. → `County`
    GrantCounty {
        /// Which account.
        account: Uuid,
        /// County and first crash date.
        grant: Grant,
    },
    /// Refused when there is no such grant. → `County`
    RevokeCounty {
        /// Which account.
        account: Uuid,
        /// FIPS code.
        fips: String,
    },
    /// Adds prospects, updating in place those whose `source_id` is known; `added_at` stays.
    /// Order matters: a `source_id` twice in one batch is added, then updated. → `Imported`
    ImportProspects {
        /// Each with the id that it gets if it is new.
        prospects: Vec<(Uuid, ProspectFields)>,
    },
    /// Erases a prospect; its `source_id` stays as a tombstone. → `Erased`
    EraseProspect {
        /// Which.
        prospect: Uuid,
    },
    /// A client as it is now, without delay. → `Client`
    ShowClient {
        /// Which account.
        account: Uuid,
        /// Which client.
        client: Uuid,
    },
    /// Turns `do_not_mail` off; a change of the client like any other. → `Client`
    MailOn {
        /// Which account.
        account: Uuid,
        /// Which client.
        client: Uuid,
        /// How long `GET /clients` hides the change.
        client_delay_seconds: u32,
    },
    /// Erases a client (S12). → `Erased`
    EraseClient {
        /// Which account.
        account: Uuid,
        /// Which client.
        client: Uuid,
    },
    /// Settlements of an account by (`changed_at`, `id`), without delay. → `Settlements`
    ListSettlements {
        /// Which account.
        account: Uuid,
        /// After this place only.
        after: Option<Position>,
        /// 1 to 100.
        limit: u32,
    },
    /// The operator's log by (`at`, `id`). → `Log`
    ListLog {
        /// After this place only.
        after: Option<Position>,
        /// 1 to 100.
        limit: u32,
    },
}

impl OperatorCommand {
    /// Whether the command leaves everything as it is: it needs no writer and no log entry.
    #[must_use]
    pub const fn is_read(&self) -> bool {
        match self {
            Self::ShowAccount { .. }
            | Self::ListAccounts { .. }
            | Self::ListKeys { .. }
            | Self::ShowClient { .. }
            | Self::ListSettlements { .. }
            | Self::ListLog { .. } => true,
            Self::CreateAccount { .. }
            | Self::SetAccount { .. }
            | Self::AddLogin { .. }
            | Self::SetRole { .. }
            | Self::CreateKey { .. }
            | Self::RevokeKey { .. }
            | Self::GrantCounty { .. }
            | Self::RevokeCounty { .. }
            | Self::ImportProspects { .. }
            | Self::EraseProspect { .. }
            | Self::MailOn { .. }
            | Self::EraseClient { .. } => false,
        }
    }
}

/// What of an account to change; `None` leaves as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountChange {
    /// New email.
    pub email: Option<String>,
    /// Turn the API on or off.
    pub api_enabled: Option<bool>,
    /// Suspend or readmit.
    pub suspended: Option<bool>,
    /// Give or take the digital bundle.
    pub digital_bundle: Option<bool>,
    /// Give or take contact enrichment.
    pub contact_enrichment: Option<bool>,
}

/// Who does what to whom, kept in the append-only log (S13) with its `at` as it is. What the command
/// creates or changes has that time too, moved past the last commit where S6 asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The entry's id.
    pub id: Uuid,
    /// The time of the request.
    pub at: Timestamp,
    /// Who, in the operator's own words.
    pub actor: String,
    /// What, such as `account.create`.
    pub action: &'static str,
    /// To whom: the id of the account, login, key, client or prospect, or a count.
    pub subject: String,
    /// The id of the request.
    pub request_id: Uuid,
}

/// What storage answers to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorAnswer {
    /// An account with its logins and counties.
    Account(Account),
    /// Accounts and where to go on.
    Accounts(Vec<Account>, Option<Position>),
    /// A login.
    Login(Login),
    /// A key's record.
    Key(KeyRecord),
    /// Keys of an account.
    Keys(Vec<KeyRecord>),
    /// A grant, as given or as taken away.
    County(Grant),
    /// One outcome for each prospect, in order.
    Imported(Vec<ImportOutcome>),
    /// A client as it is now.
    Client(Box<Client>),
    /// It was erased.
    Erased,
    /// Settlements and where to go on.
    Settlements(Vec<SettlementEntry>, Option<Position>),
    /// Log entries and where to go on.
    Log(Vec<LogRecord>, Option<Position>),
    /// It was not done.
    Refused(Refusal),
}

/// Why a command was not done. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such account.
    NoAccount,
    /// There is no such login (in that account).
    NoLogin,
    /// There is no such key.
    NoKey,
    /// The account has no such client.
    NoClient,
    /// There is no such prospect.
    NoProspect,
    /// The account has no grant for that county.
    NoCounty,
    /// Only an owner's login creates keys.
    NotOwner,
    /// The account has no owner's login to create the key with.
    NoOwner,
}

/// What became of one imported prospect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It was added with this id.
    Created(Uuid),
    /// It was known under this id; what differs was changed.
    Updated(Uuid),
    /// It was erased once and is not brought back.
    Erased,
}

/// One row of the settlements feed: a settlement, with its client as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettlementEntry {
    /// The settlement's id: a letter goes out once for each.
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
    /// The commit that began it.
    pub begun_at: Timestamp,
    /// The commit that changed it last.
    pub changed_at: Timestamp,
    /// As it is now.
    pub do_not_mail: bool,
}

/// A log entry read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogRecord {
    /// The entry's id.
    pub id: Uuid,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: String,
    /// What.
    pub action: String,
    /// To whom.
    pub subject: String,
    /// The id of the request.
    pub request_id: Uuid,
}
