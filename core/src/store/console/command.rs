//! The requests of the console, and who may make them (S32 to S36).

use uuid::Uuid;

use super::{ClientSearch, NewImport, NewPasskey, OverviewQuery, ProspectSearch, SessionOwner};
use crate::{
    account::Role,
    id::IdMint,
    key::{KeyLimits, StoredKey},
    sign_in::LinkDigest,
    store::{ClientPair, Position, ReviewDecision, SimilarDecision, SimilarFilter},
    time::Timestamp,
};

/// The most characters of a reason for turning letters on again.
pub const MAIL_ON_REASON_MAX: usize = 500;

/// One request of the console, with the kind of its [`ConsoleAnswer`](super::ConsoleAnswer). The caller mints new ids,
/// once for each request.
#[derive(Clone, Debug)]
pub enum ConsoleCommand {
    /// Who asks. → `Done`
    Session,
    /// The account with its logins and counties. → `Account`
    ShowAccount,
    /// Ends this session. → `Done`
    SignOut,
    /// The sessions of the login that asks, the newest first, at most 100. → `Sessions`
    ListSessions,
    /// Ends all sessions of a login: of oneself, or an owner of anyone in the account. → `Done`
    EndSessions {
        /// The login.
        login: Uuid,
    },
    /// Passkeys of a login: of oneself, or an owner of anyone in the account; oldest first. → `Passkeys`
    ListPasskeys {
        /// The login.
        login: Uuid,
    },
    /// Adds a passkey to the login that asks. → `Done`
    AddPasskey {
        /// The passkey.
        passkey: NewPasskey,
    },
    /// Renames a passkey of the login that asks. → `Done`
    RenamePasskey {
        /// The passkey.
        id: Uuid,
        /// Its new name.
        name: String,
    },
    /// Removes a passkey: of oneself, except the only one, or an owner of anyone else in the account. → `Done`
    RemovePasskey {
        /// The passkey.
        id: Uuid,
    },
    /// What the first page counts. → `Overview`
    Overview {
        /// What is counted.
        query: OverviewQuery,
    },
    /// Clients as they are now, without delay, the newest change first. A page looks at a bounded number of clients,
    /// so it may be short and go on. → `Clients`
    SearchClients {
        /// Which ones.
        search: ClientSearch,
        /// Only what is earlier than this position.
        before: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// A client as it is now, without delay. → `Client`
    ShowClient {
        /// The client.
        client: Uuid,
    },
    /// Turns `do_not_mail` off, as a change of the client like any other. The reason stays with the client.
    /// → `Client`
    MailOn {
        /// The client.
        client: Uuid,
        /// Why, up to [`MAIL_ON_REASON_MAX`] characters.
        reason: String,
        /// How long `GET /clients` hides the change.
        client_delay_seconds: u32,
    },
    /// Takes back what a request or a batch of an import did, or with `dry_run` tells what that would do, as
    /// [`OperatorCommand::UndoChange`](crate::store::OperatorCommand::UndoChange) does. → `Undone`
    UndoChange {
        /// The request, or the import.
        change: Uuid,
        /// Of an import: the batch after which to go on.
        after: Option<Uuid>,
        /// How long `GET /clients` hides the undo.
        client_delay_seconds: u32,
        /// Whether nothing is done.
        dry_run: bool,
    },
    /// What waits for review, the latest seen first, each with the first clients in the way as they are now. → `Review`
    ListReview {
        /// Only what was seen since this time.
        seen_since: Timestamp,
        /// Only what is before this position.
        before: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Decides about an item, as a change like any other (S21). → `Resolved`
    ResolveReview {
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
        /// Which ones.
        filter: SimilarFilter,
        /// Only what follows this pair.
        after: Option<ClientPair>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Decides about a pair, or takes a decision back (S38). → `SimilarPair`
    DecideSimilar {
        /// The pair.
        pair: ClientPair,
        /// The decision; `None` for none.
        decision: Option<SimilarDecision>,
    },
    /// Prospects that the account sees. A page looks at a bounded number, so it may be short and go on.
    /// → `Prospects`
    ListProspects {
        /// Which ones.
        search: ProspectSearch,
    },
    /// Begins an import. If one of the same file has not ended, that one goes on and nothing is written. → `Import`
    BeginImport {
        /// The import.
        import: NewImport,
    },
    /// An import of the account. → `Import`
    ShowImport {
        /// The import.
        import: Uuid,
    },
    /// Imports of the account, the newest first. → `Imports`
    ListImports {
        /// Only what began earlier than this position.
        before: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Ends an import. Its batches are refused from then on. A second end changes nothing. → `Import`
    EndImport {
        /// The import.
        import: Uuid,
    },
    /// Notes that somebody took data along. → `Done`
    RecordDownload {
        /// What was downloaded.
        download: Download,
        /// How many rows it has.
        rows: u32,
    },
    /// The log of the account, the newest entry first. → `Log`
    ListActivity {
        /// Only what is earlier than this position.
        before: Option<Position>,
        /// At most so many, 1 to 100.
        limit: u32,
    },
    /// Keys of the account, oldest first, revoked ones included. → `Keys`
    ListKeys,
    /// The check values of the key secrets that keys of the deployment were made with (rule K11). → `KeySecrets`
    ListKeySecrets,
    /// Creates a key for the login that asks. → `Key`
    CreateKey {
        /// The key's id.
        id: Uuid,
        /// Its label.
        label: Option<String>,
        /// What it is limited to, and when it ends.
        limits: KeyLimits,
        /// What is stored of the key.
        key: StoredKey,
    },
    /// Revokes a key of the account. A second revocation changes nothing. → `Key`
    RevokeKey {
        /// The key.
        key: Uuid,
    },
    /// Adds a login to the account. → `Login`
    AddLogin {
        /// The login's id.
        id: Uuid,
        /// The person's email.
        email: String,
        /// The role.
        role: Role,
    },
    /// Changes the role of a login, except of the account's only owner. Its sessions end. → `Login`
    SetRole {
        /// The login.
        login: Uuid,
        /// Its new role.
        role: Role,
    },
    /// Removes a login, except the account's only owner, and revokes its keys. → `Login`, as it was
    RemoveLogin {
        /// The login.
        login: Uuid,
    },
    /// Makes a sign-in link for a login of the account, in place of its earlier one. → `Login`
    MakeLink {
        /// The login.
        login: Uuid,
        /// The link.
        link: LinkDigest,
        /// From when on it does not work.
        expires_at: Timestamp,
    },
}

/// What was downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Download {
    /// A list of clients.
    Clients,
    /// A list of prospects.
    Prospects,
}

impl ConsoleCommand {
    /// The action of its log entry; `None` for a command that only reads.
    #[must_use]
    pub const fn action(&self) -> Option<&'static str> {
        Some(match self {
            Self::Session
            | Self::ShowAccount
            | Self::ListSessions
            | Self::ListPasskeys { .. }
            | Self::Overview { .. }
            | Self::SearchClients { .. }
            | Self::ShowClient { .. }
            | Self::ListReview { .. }
            | Self::ListSimilar { .. }
            | Self::ListProspects { .. }
            | Self::ShowImport { .. }
            | Self::ListImports { .. }
            | Self::ListActivity { .. }
            | Self::ListKeys
            | Self::ListKeySecrets
            | Self::UndoChange { dry_run: true, .. } => return None,
            Self::SignOut => "session.end",
            Self::EndSessions { .. } => "session.end_all",
            Self::AddPasskey { .. } => "passkey.add",
            Self::RenamePasskey { .. } => "passkey.rename",
            Self::RemovePasskey { .. } => "passkey.remove",
            Self::MailOn { .. } => "client.mail_on",
            Self::ResolveReview { .. } => "review.decide",
            Self::DecideSimilar { .. } => "similar.decide",
            Self::UndoChange { .. } => "change.undo",
            Self::RecordDownload { download: Download::Clients, .. } => "client.download",
            Self::RecordDownload { download: Download::Prospects, .. } => "prospect.download",
            Self::BeginImport { .. } => "import.begin",
            Self::EndImport { .. } => "import.end",
            Self::CreateKey { .. } => "key.create",
            Self::RevokeKey { .. } => "key.revoke",
            Self::AddLogin { .. } => "login.add",
            Self::SetRole { .. } => "login.set_role",
            Self::RemoveLogin { .. } => "login.remove",
            Self::MakeLink { .. } => "login.link",
        })
    }

    /// The subject of its log entry: an id, or a count.
    #[must_use]
    pub fn subject(&self, owner: &SessionOwner) -> String {
        match self {
            Self::EndSessions { login }
            | Self::SetRole { login, .. }
            | Self::RemoveLogin { login }
            | Self::MakeLink { login, .. } => login.to_string(),
            Self::AddLogin { id, .. }
            | Self::CreateKey { id, .. }
            | Self::RenamePasskey { id, .. }
            | Self::RemovePasskey { id }
            | Self::AddPasskey { passkey: NewPasskey { id, .. } } => id.to_string(),
            Self::RevokeKey { key } => key.to_string(),
            Self::MailOn { client, .. } => client.to_string(),
            Self::ResolveReview { item, .. } => item.to_string(),
            Self::DecideSimilar { pair, .. } => pair.to_string(),
            Self::UndoChange { change, .. } => change.to_string(),
            Self::RecordDownload { rows, .. } => rows.to_string(),
            Self::BeginImport { import } => import.file_name.clone(),
            _ => owner.login.to_string(),
        }
    }
}
