//! The contract of storage: a few verbs and numbered rules, without SQL.
//!
//! # Rules
//!
//! Every implementation keeps these rules. The crate `matterbook-store-suite` tests each.
//!
//! - **S1 Key.** Each data verb takes a key's digest and the time of the request, and resolves the key in the
//!   same atomic unit that reads or writes. An unknown or revoked key, and one whose end is not after that
//!   time, is `Ok(None)` and has no effect. The returned [`KeyOwner`] is as of that unit. A key belongs to one
//!   account for ever, a revoked key stays revoked, and a key's scope and end never change. So a caller may
//!   remember the account of a key, but each request has to prove it live.
//! - **S2 Account.** Nothing of another account is ever read or changed.
//! - **S3 One snapshot.** [`Decide`] sees one consistent [`Snapshot`] that holds every client that
//!   a [`LookupKey`] matches. Of those that it matches by name it holds at most
//!   [`ChangeRequest::namesakes_max`] without an `external_id` and as many with one. They are the first
//!   in the order of ZIP, street hash, `created_at` and id, a missing ZIP or street before all others.
//!   What tells a client apart from the key is compared before the cut.
//! - **S4 Whole or not at all.** A [`ChangeSet`] and its saved answer are applied together or not
//!   at all. One that cannot be applied, such as with a new client's id that is taken, is an error.
//! - **S5 Never on stale data.** A change set is applied only if nothing that its snapshot held, or
//!   would hold now, has changed meanwhile. Otherwise the decision runs again. Changes to other
//!   clients do not count.
//! - **S6 Growing time.** Each commit of an account has a time later than the one before it:
//!   the request's `now`, or one microsecond after the last commit where the clock is behind.
//!   Created and updated clients and settlements carry it. A commit is a change set that is not empty, a saved
//!   answer alone included, a `MailOn` that changes the client, and an `EraseClient`. The latest is the account's
//!   [`last_commit_at`](crate::account::Account::last_commit_at). Nothing else moves it.
//! - **S7 Nothing changed, nothing written.** An empty change set without a saved answer writes
//!   nothing and moves no time.
//! - **S8 Delayed view.** A page of clients shows each client as it stood at
//!   [`ClientPageQuery::horizon`], in the order of (`updated_at`, `id`) of that state, after the given position.
//!   `updated_since` and the filter are compared with that state, and `updated_since` includes its own moment. The
//!   page says with [`ClientPageQuery::seen_until`] which moment it shows.
//! - **S9 Grants.** A page of prospects shows those, and only those, whose county is granted from
//!   a date not after the crash, added at or before the horizon, and hands back the grants of the
//!   same atomic unit, by FIPS code. The horizon is [`View::horizon`] of the last change of prospects (S16).
//! - **S10 Bounded.** A page looks at a bounded number of rows. It may be short, even empty, with
//!   a position that goes on. The position is later than the one before, not before a row that is shown and not after
//!   one that is still to be shown.
//! - **S11 Replay.** A saved answer is found for 24 hours by account and idempotency key,
//!   counted from the `now` of the request that saved it. After that its key is free for another. It is deleted a little
//!   later ([`answers_kept_since`](crate::api::answers_kept_since)), because a clock may be set back.
//! - **S12 Erased.** An erased client is in no view at once, nor are its earlier states and
//!   settlements; digests of its identities stay, with its `do_not_mail`. Of two erased clients with one identity
//!   either `do_not_mail` counts. Saved answers of the account go that hold one of
//!   [`IdempotencyRecord::texts_naming`] the client, or [`IdempotencyRecord::TELLS_VALUES`]. An erased prospect is in
//!   no view, and its `source_id` is never imported again.
//! - **S13 Log.** Every operator command that is not refused and does not only read, except a comparison's (S39), leaves one log entry in the same
//!   atomic unit, also where it finds nothing to change. It then deletes the two oldest entries, where they are
//!   past their [`Retention`]. A refused command leaves none.
//! - **S14 Last commit of a lost answer.** When the outcome of a commit is unknown, the store
//!   finds out by the request id; it never applies one request twice. Where it cannot find out, it
//!   says [`StoreError::Unknown`].
//! - **S15 Use of a key.** [`Store::record_use`] keeps the latest time of use of a live key, in whatever order uses
//!   are recorded. The key's owner and the list of keys show it. It is no commit.
//! - **S16 Time of prospects.** Each change of prospects has a time later than the one before it, of whatever account
//!   and whatever the clocks say: the `at` of its log entry, or one microsecond after the last change. New prospects
//!   carry it, and keep it when they are imported again. An erasure is a change. An import that leaves every prospect
//!   as it was is none, also where a later row takes back what an earlier row changes.
//! - **S17 New ids.** A command whose new id, account number or key digest is taken is an error. Nothing is made,
//!   overwritten or logged.
//! - **S18 History.** A page of a client's history has its changes before a time, the newest first, as of the horizon of
//!   S8; the operator and the console see them as of now. A change has the fields before and after it, its commit's time
//!   and request, who made it, and how the request found the client. A state that was superseded is kept for
//!   [`Retention::history_days`]. The oldest state that is kept is a change only if the client began with it.
//! - **S19 Undo.** An undo reads and writes in one snapshot what a commit touched, and does what
//!   [`Undo::of`](crate::undo::Undo::of) says, as a commit of its own that keeps earlier states. A client that it removes
//!   leaves every view at once; a tombstone keeps its `do_not_mail` where it is on. It is kept apart, so that the undo of
//!   the undo brings it back with its id and `created_at`, until it is erased or the history ends. It is not brought
//!   back while there is a client that changed since and that it matches
//!   ([`is_sent_again`](crate::undo::is_sent_again)). An import is undone batch by batch; ids of requests begin with their
//!   time, in milliseconds, by which its batches are found.
//! - **S20 Review.** A change set's [`ReviewChange`] is applied with it. Alone it is no commit: it moves no time and
//!   keeps no earlier state. An item replaces the account's item with its id. With the same content it keeps the time at
//!   which it came first, and is written again only if its message or its candidates differ or it was last seen
//!   [`REVIEW_SEEN_EVERY_SECONDS`] ago. The snapshot names the items that wait for the clients that the request looks up.
//!   The list has the latest seen first, and nothing that was last seen before [`Retention::review_since`]. Of an item's
//!   candidates it names those that are clients now. Erasing a client, also one that an undo removed, removes the items
//!   of its identities and of its name, and those that it is a candidate of. An account keeps [`REVIEW_ITEMS_MAX`]
//!   items, the latest seen.
//! - **S21 Decisions and aliases.** A decision about an item reads and writes in one snapshot, and saves what
//!   [`Resolution::of`](crate::plan::Resolution::of) says as a commit of its own. The item then no longer waits, also where
//!   it comes again, until other content comes or the commit is undone. An undo that does nothing but that is a
//!   commit as well. An alias is an `external_id` that finds a client besides its own; no two clients have one, as their
//!   own or as an alias. Where a decision under way looked for an alias
//!   that was given or taken since, it runs again (S5). The history shows an alias with the commit that gave or took it,
//!   and the undo of that commit takes or gives it back. Erasing a client removes its aliases, and their digests stay.
//! - **S25 Transfer.** The pages of an export together are the whole account, except what opens it in a browser, if the
//!   version of all is the same. An import saves them under the same ids and times; only then the account is what the
//!   head says, and until then it stays suspended. Rows are saved with the count of what was received: those that do
//!   not begin at that count save nothing. Its begin, its discard and its end leave a log entry each, its rows none.
//!   A store may refuse all of it with [`Refusal::NoTransfer`].
//!
//! Rules of the firm's console (feature `console`, `ConsoleStore`):
//!
//! - **S30 Links.** A sign-in link begins one session and is then used up. Only the newest link of a login
//!   works, until it expires, while the login exists and its account is not suspended. Showing a link
//!   uses nothing up.
//! - **S31 Passkeys.** A credential id belongs to one passkey in the whole store. A passkey begins a session
//!   only if its state is the one that the assertion was verified with, and keeps the new state then.
//! - **S32 Session.** Each request of the console resolves its session in the atomic unit that reads or
//!   writes. A session that is unknown, was ended, was not used for 12 hours, or began 30 days ago is
//!   `Ok(None)` and has no effect. The returned owner is as of that unit.
//! - **S33 Ends.** A session ends at sign-out, with all of its login's, when the login is removed and when its
//!   role changes. When the account is suspended it opens nothing from then on, also after the
//!   suspension; until then it is answered that the account is suspended.
//! - **S34 Role.** What `ConsoleCommand::check` refuses is refused in that unit and has no effect. Nothing of
//!   another account is read or changed: its logins, keys, passkeys and clients are unknown.
//! - **S35 Views.** The console shows clients, settlements and the log of the account as they are now, and
//!   prospects as S9 does. Its pages are bounded (S10).
//! - **S36 Log.** A change by the console leaves one entry with the login's email as actor, in the same atomic
//!   unit; a refused one leaves none. Beginning a session deletes up to eight that have ended. A change of clients
//!   with [`Authority::Session`] leaves a commit and no entry; its import's begin and end leave one each.
//! - **S37 Imports.** [`Store::change`] takes a session as well as a key ([`Authority`]), and resolves it and the
//!   import in the same way. A decision is never applied to an import that has come further since, or has ended.
//!   The import's progress is applied with the change set; a change set with progress alone is a commit. The commit
//!   keeps the import's id. A file (by its digest) has at most one import of an account that has not ended: beginning
//!   another gives that one. An account keeps its newest [`IMPORTS_KEPT`] imports.
//!
//! Rules of possible duplicates:
//!
//! - **S38 Pairs.** An account keeps pairs of its clients that may be one person. A pair has both clients as they are now,
//!   and goes with either of them in the same atomic unit: when it is erased, and when an undo removes it. Pairs are
//!   listed by their ids. A decision about a pair is logged and is no commit. It stays until another decision or until it
//!   is taken back, whatever comparisons find. A settlement's `similar_do_not_mail` is whether its client has a pair that
//!   is not decided to be [`Different`](SimilarDecision::Different) whose other client has `do_not_mail`.
//! - **S39 Comparison.** A comparison's pairs replace the undecided pairs of the account in one atomic unit. A pair that is
//!   found again keeps `found_at`. One with a decision stays as it is, and one of a client that is gone is not kept. The
//!   same unit keeps the time of the comparison, and the commit that it saw. It is no commit, and is not logged. An account
//!   is due if it has a commit that no comparison saw and was not compared since a time.
//! - **S40 Possible duplicates of a request.** Where a request [names](ChangeRequest::names_similar) them, its snapshot
//!   has the pairs of its clients that are not decided to be two people, by the ids of both. They may be those of another
//!   moment than the rest, and there are none where they cannot be read. S5 does not count them, and no change of
//!   clients may depend on them. An answer may name them: one that is saved names no client that was erased before (S12).
//! - **S41 Former addresses.** A comparison begins with the pairs of clients with one name of which one lives where the
//!   other lived before and does not live now: those without a decision, the first [`SIMILAR_PAIRS_MAX`] by their ids. Name
//!   and address (street, unit and the first five digits of the ZIP) are compared by their
//!   [hashes](crate::matching::PersonHash). A missing unit tells nothing apart, and in which line the unit is does not
//!   count. Of the clients at one former address, the oldest [`COMPARED_MAX`](crate::similar::COMPARED_MAX) without an
//!   `external_id` and as many with one are compared. A former address is kept as long as the earlier state that had it,
//!   and goes with its client.

mod authority;
mod boxed_store;
mod change;
mod client_filter;
#[cfg(feature = "console")]
mod console;
mod error;
mod history;
mod operate;
mod operator_store;
mod page;
mod retention;
mod review;
mod send_store;
mod similar;
mod transfer;

#[cfg(feature = "console")]
pub use authority::SessionAuthority;
pub use authority::{Authority, ChangeOwner};
pub use boxed_store::BoxedStore;
pub use change::{
    Alias, ChangeRequest, ChangeSet, ClientUpdate, Decide, Decided, IdempotencyRecord, IdentityDigest, LookupKey,
    NAMESAKES_SHOWN, NewClient, SettlementChange, Snapshot, StoredResponse, Tombstone,
};
pub use client_filter::ClientFilter;
#[cfg(feature = "console")]
pub use console::{
    CANDIDATES_COMPARED, CHANGES_SHOWN, ClientOrigin, ClientRecord, ClientSearch, ConsoleAnswer, ConsoleCommand,
    ConsoleRefusal, ConsoleRequest, ConsoleResponse, ConsoleStore, DayCounts, DaySource, Download, IMPORTS_KEPT,
    ImportCounts, ImportProgress, ImportRecord, ImportState, LettersOn, LinkOwner, MAIL_ON_REASON_MAX, NewImport,
    NewPasskey, NewSession, OriginKind, Overview, OverviewQuery, Passkey, PasskeyRecord, ProspectSearch, SearchText,
    SessionOwner, SessionRecord, SignIn, SignInAnswer, SignInCommand, SignInRefusal, SourceCounts, SourceKind,
};
pub use error::StoreError;
pub use history::{
    AliasChange, AuthorKind, ChangeAuthor, ClientChange, ClientHistory, ClientState, FieldChange, HistoryPage,
    HistoryQuery,
};
pub use operate::{
    AccountChange, ImportOutcome, LogEntry, LogRecord, OperatorAnswer, OperatorCommand, Refusal, SettlementEntry,
};
pub use operator_store::{NoOperatorStore, OperatorStore};
pub use page::{
    ClientPage, ClientPageEnd, ClientPageQuery, Position, ProspectOrder, ProspectPage, ProspectPageQuery, ShowClient,
    View,
};
pub use retention::Retention;
pub(crate) use review::digest as review_digest;
pub use review::{
    NewReviewItem, REVIEW_ITEMS_MAX, REVIEW_SEEN_EVERY_SECONDS, ReviewChange, ReviewDecision, ReviewItem, ReviewStatus,
    review_ids,
};
pub use send_store::{SendOperatorStore, SendStore};
pub use similar::{
    COMPARED_PAGE_MAX, ClientPair, ComparisonStart, DecidedPair, FoundPair, SIMILAR_PAIRS_MAX, SIMILAR_SHOWN_MAX,
    SimilarClient, SimilarDecision, SimilarFilter, SimilarPage, SimilarPair,
};
pub use transfer::{AccountImport, AccountImportState, ExportHead, ExportPage, TransferDigest};

use crate::{account::KeyOwner, key::KeyDigest, time::Timestamp};

/// Storage of clients, and of the keys and prospects that their accounts read. The module's documentation has the
/// rules of every implementation.
///
/// The functions are plain `async fn`, whose futures are `Send` where those of the concrete type are. A host that is
/// generic over its store and needs `Send` futures takes a [`SendStore`]. [`BoxedStore`] is one whose type is chosen at
/// run time.
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait Store {
    /// The operator's half: mostly `Self`, or [`NoOperatorStore`].
    type Operator: OperatorStore;

    /// The owner of a key at a time; `None` if it is unknown, revoked or ended (S1).
    ///
    /// # Errors
    /// When storage does not answer.
    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError>;

    /// Records that a key was used (S15). Called at most about once a day per key.
    ///
    /// # Errors
    /// When storage does not answer. The caller continues without it.
    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError>;

    /// Changes clients: the only write of client data (S1–S7, S11, S14). Returns the answer of the decision
    /// that was applied, and `None` for a key that is not live or a session that is not open.
    ///
    /// # Errors
    /// When storage does not answer, is full, or contention outlasts its retries. Nothing of the
    /// request is saved then, except perhaps with [`StoreError::Unknown`].
    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError>;

    /// A page of the account's clients (S1, S2, S8, S10). It passes each client to `show` and returns the
    /// end of the page. [`ClientPage::read`] collects them.
    ///
    /// # Errors
    /// When storage does not answer. Clients that were shown before are invalid.
    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError>;

    /// A page of the prospects that the account sees (S1, S9, S10).
    ///
    /// # Errors
    /// When storage does not answer.
    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError>;

    /// A page of the history of a client (S1, S2, S18).
    ///
    /// # Errors
    /// When storage does not answer.
    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError>;

    /// The operator's half. Without it every path of the operator API is 404 (rule O1).
    ///
    /// A store with an [`OperatorStore`] of its own returns `Some(self)`.
    fn operator(&self) -> Option<&Self::Operator> {
        None
    }

    /// What an operator has to fix although the store answers: a sentence for `GET /healthz`, which everybody may
    /// read (rule H26).
    fn problem(&self) -> Option<&'static str> {
        None
    }

    /// The time of the newest change, where the store is a copy that takes no changes (rule W23). Its writing verbs are
    /// then [`StoreError::ReadOnly`].
    fn copied_until(&self) -> Option<Timestamp> {
        None
    }
}
