//! The answers to the requests of the console, and why one is refused (S32 to S36).

use uuid::Uuid;

use super::{ImportRecord, Overview, PasskeyRecord, SessionRecord};
use crate::{
    account::{Account, Grant, KeyRecord, Login},
    client::{Client, Settlement},
    key::KeySecretCheck,
    prospect::Prospect,
    store::{ClientHistory, LogRecord, Position, Refusal, ReviewItem, SimilarPage, SimilarPair},
    time::Timestamp,
    undo::UndoReport,
};

/// The answer to a request of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsoleAnswer {
    /// It was done, and there is nothing more to say.
    Done,
    /// The account.
    Account(Account),
    /// Sessions of a login.
    Sessions(Vec<SessionRecord>),
    /// Passkeys of a login.
    Passkeys(Vec<PasskeyRecord>),
    /// The counts of the first page.
    Overview(Box<Overview>),
    /// Clients, and the position of the next page.
    Clients(Vec<Client>, Option<Position>),
    /// A client with what belongs to it.
    Client(Box<ClientRecord>),
    /// The account's grants by FIPS code, prospects, and the position of the next page.
    Prospects(Vec<Grant>, Vec<Prospect>, Option<Position>),
    /// A change, and what its undo did or would do.
    Undone(Box<UndoReport>),
    /// What waits for review, each with the first clients in the way, and the position of the next page.
    Review(Vec<(ReviewItem, Vec<Client>)>, Option<Position>),
    /// The client that an item was, or has become; `None` if it was left.
    Resolved(Option<Uuid>),
    /// Pairs of clients.
    Similar(SimilarPage),
    /// A pair.
    SimilarPair(Box<SimilarPair>),
    /// Log entries, and the position of the next page.
    Log(Vec<LogRecord>, Option<Position>),
    /// Keys of the account.
    Keys(Vec<KeyRecord>),
    /// The check values of key secrets.
    KeySecrets(Vec<KeySecretCheck>),
    /// A key's record.
    Key(KeyRecord),
    /// A login.
    Login(Login),
    /// An import, and whether this request began it.
    Import(Box<ImportRecord>, bool),
    /// Imports, and the position of the next page.
    Imports(Vec<ImportRecord>, Option<Position>),
    /// Nothing was done.
    Refused(ConsoleRefusal),
}

/// Why a request of the console is refused. Nothing changes then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsoleRefusal {
    /// The account is suspended, or was when the session was open.
    Suspended,
    /// The API and the list of clients are not turned on for the account.
    NotEnabled,
    /// The account does not have the digital bundle.
    NoBundle,
    /// The role does not allow it.
    Role,
    /// The account has no such key.
    NoKey,
    /// The account has no such login.
    NoLogin,
    /// The account has no such client.
    NoClient,
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
    /// The account has no such import.
    NoImport,
    /// The login has no such passkey.
    NoPasskey,
    /// The account has no record of such a change, or its earlier states were not kept.
    NoChange,
    /// A passkey with this credential id is known already.
    KnownPasskey,
    /// The login is the account's only owner.
    LastOwner,
    /// The passkey is the only one of the login that asks.
    LastWayIn,
}

impl From<Refusal> for ConsoleRefusal {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NoKey => Self::NoKey,
            Refusal::NoClient => Self::NoClient,
            Refusal::LastOwner => Self::LastOwner,
            Refusal::NotOwner | Refusal::NoOwner => Self::Role,
            Refusal::NoItem => Self::NoItem,
            Refusal::NoPair => Self::NoPair,
            Refusal::Unreadable => Self::Unreadable,
            Refusal::Nameless => Self::Nameless,
            Refusal::ExternalIdTaken => Self::ExternalIdTaken,
            Refusal::NoAccount
            | Refusal::NoLogin
            | Refusal::NoProspect
            | Refusal::NoCounty
            | Refusal::NoTransfer
            | Refusal::NoPlace
            | Refusal::Importing
            | Refusal::NoAccountImport
            | Refusal::ImportEnded
            | Refusal::AccountExists
            | Refusal::OtherColumns
            | Refusal::MalformedRow
            | Refusal::RowTaken
            | Refusal::NumberTaken
            | Refusal::OtherDigest
            | Refusal::Discarding
            | Refusal::NoPointInTime
            | Refusal::NotSuspended => Self::NoLogin,
            Refusal::NoChange | Refusal::NoHistory => Self::NoChange,
        }
    }
}

/// The most clients that are shown with an item that waits for review.
pub const CANDIDATES_COMPARED: usize = 3;

/// The most changes that are shown with a client.
pub const CHANGES_SHOWN: u32 = 50;

/// A client with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientRecord {
    /// The client as it is now.
    pub client: Client,
    /// Its settlements, in the order in which they began.
    pub settlements: Vec<Settlement>,
    /// Who created it, as long as the record of that commit is kept (rule U16).
    pub created_by: Option<ClientOrigin>,
    /// Who turned its letters on again, oldest first.
    pub letters_on: Vec<LettersOn>,
    /// Its newest changes, at most [`CHANGES_SHOWN`].
    pub history: ClientHistory,
}

/// Who made a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOrigin {
    /// By what.
    pub kind: OriginKind,
    /// The key's label, or the email of the person who has a login still.
    pub name: Option<String>,
}

/// By what a commit was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginKind {
    /// An API key.
    Key,
    /// A person in the console.
    Person,
    /// The operator.
    Operator,
}

/// That letters of a client were turned on again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LettersOn {
    /// When.
    pub at: Timestamp,
    /// Who: the login's email, or the operator's actor.
    pub actor: String,
    /// Why; the operator gives no reason.
    pub reason: Option<String>,
}
