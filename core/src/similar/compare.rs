//! Finds the possible duplicates of a whole account (rule Y5).

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use uuid::Uuid;

use super::{COMPARED_MAX, Nicknames, SimilarReason, Similarity};
use crate::{
    client::Client,
    order,
    store::{
        COMPARED_PAGE_MAX, ClientPair, ComparisonStart, FoundPair, LogEntry, OperatorAnswer, OperatorCommand,
        OperatorStore, Refusal, Retention, SIMILAR_PAIRS_MAX, StoreError,
    },
    time::Timestamp,
};

/// The keys of a client ([`Similarity::keys`]).
const KEYS: usize = 5;

/// A client without one of the keys has this one instead.
const NO_KEY: u64 = 0;

/// Found pairs are sorted and cut at so many: the same pair is found once for each key that both have.
const FOUND_MAX: usize = 5 * SIMILAR_PAIRS_MAX;

/// An account is compared again after so many seconds at the earliest.
const COMPARED_EVERY_SECONDS: i64 = 60 * 60;

/// The most accounts that are compared in one run.
pub const DUE_MAX: u32 = 20;

/// After so many clients a run begins with no further account: an invocation of a Worker may send 1,000 queries to D1.
const CLIENTS_OF_RUN: usize = 20_000;

/// How an account is compared.
#[derive(Clone, Debug)]
pub struct Comparison<'t> {
    /// Which names are nicknames.
    pub nicknames: Nicknames<'t>,
    /// At most so many clients are compared, those with the smallest ids. Each takes about 60 bytes of memory.
    pub clients_max: usize,
}

/// What a comparison did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The clients that were compared.
    pub clients: usize,
    /// Whether these are all clients of the account.
    pub is_complete: bool,
    /// The undecided pairs that the account has now.
    pub pairs: usize,
    /// When it was.
    pub at: Timestamp,
}

/// Why an account was not compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// There is no such account.
    #[error("there is no such account")]
    Refused(Refusal),
    /// Storage failed. What the account kept is unchanged.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

/// Compares the clients of an account and keeps the pairs that may be one person (S39).
///
/// The clients are read twice, in pages: for their keys, which are kept, and those that share a key again, to be
/// compared. It lets other tasks run between two pages.
///
/// # Errors
/// When there is no such account, or storage fails.
pub async fn compare<S: OperatorStore>(
    store: &S,
    account: Uuid,
    comparison: &Comparison<'_>,
    now: Timestamp,
) -> Result<Compared, CompareError> {
    let asking = Asking { store, entry: &entry_at(now) };
    let start = match asking.run(OperatorCommand::StartComparison { account }).await? {
        OperatorAnswer::ComparisonStart(start) => start,
        _ => return unexpected(),
    };
    let mut clients = Keys::default();
    let is_complete = loop {
        let after = clients.ids.last().copied().unwrap_or_default();
        let limit = u32::try_from(COMPARED_PAGE_MAX).unwrap_or(u32::MAX);
        let page = asking.clients(OperatorCommand::ListClientsById { account, after, limit }).await?;
        let room = comparison.clients_max.saturating_sub(clients.ids.len());
        for client in page.iter().take(room) {
            clients.add(client.id, &Similarity::of(&client.fields));
        }
        if page.len() > room || page.len() < COMPARED_PAGE_MAX {
            break page.len() <= room;
        }
        LetOthersRun::default().await;
    };
    let pairs = asking.pairs(account, &clients, &start, &comparison.nicknames).await?;
    let compared = clients.ids.len();
    drop(clients);
    let last_commit_at = start.last_commit_at;
    match asking.run(OperatorCommand::KeepSimilar { account, pairs, last_commit_at }).await? {
        OperatorAnswer::Compared(pairs) => Ok(Compared { clients: compared, is_complete, pairs, at: now }),
        _ => unexpected(),
    }
}

/// Compares the accounts that are due: those with a commit that no comparison saw, that were not compared for an hour
/// (rule Y7). One after another, at most [`DUE_MAX`], and none after 20,000 clients. Returns how many.
///
/// # Errors
/// The first failure of storage. The accounts after it stay due.
pub async fn compare_due<S: OperatorStore>(
    store: &S,
    comparison: &Comparison<'_>,
    now: Timestamp,
) -> Result<usize, StoreError> {
    let compared_before = now.plus_seconds(-COMPARED_EVERY_SECONDS);
    let list = OperatorCommand::ListDue { compared_before, limit: DUE_MAX };
    let due = match store.operate(list, entry_at(now)).await? {
        OperatorAnswer::Due(due) => due,
        _ => return Ok(0),
    };
    let (mut accounts, mut clients) = (0, 0);
    for account in due {
        if clients >= CLIENTS_OF_RUN {
            break;
        }
        match compare(store, account, comparison, now).await {
            Ok(compared) => clients += compared.clients,
            // It is gone since.
            Err(CompareError::Refused(_)) => {}
            Err(CompareError::Failed(error)) => return Err(error),
        }
        accounts += 1;
    }
    Ok(accounts)
}

/// An entry that is not written: a comparison is not logged.
fn entry_at(now: Timestamp) -> LogEntry {
    let (id, actor, action, subject) = (Uuid::nil(), String::new(), "similar.find", String::new());
    LogEntry { id, at: now, actor, action, subject, request_id: id, retention: Retention::default() }
}

/// The store, and the request in whose name it is asked.
struct Asking<'a, S> {
    store: &'a S,
    entry: &'a LogEntry,
}

impl<S: OperatorStore> Asking<'_, S> {
    async fn run(&self, command: OperatorCommand) -> Result<OperatorAnswer, CompareError> {
        match self.store.operate(command, self.entry.clone()).await? {
            OperatorAnswer::Refused(refusal) => Err(CompareError::Refused(refusal)),
            answer => Ok(answer),
        }
    }

    async fn clients(&self, command: OperatorCommand) -> Result<Vec<Client>, CompareError> {
        match self.run(command).await? {
            OperatorAnswer::Clients(clients, _) => Ok(clients),
            _ => unexpected(),
        }
    }

    /// The pairs that may be one person, except those that were decided: by what they have in common now, and by former
    /// addresses.
    async fn pairs(
        &self,
        account: Uuid,
        clients: &Keys,
        start: &ComparisonStart,
        nicknames: &Nicknames<'_>,
    ) -> Result<Vec<FoundPair>, CompareError> {
        let places = clients.places();
        let mut groups = clients.groups(&places).peekable();
        let mut found = Found { decided: &start.decided, pairs: Vec::new() };
        while groups.peek().is_some() {
            let (mut together, mut room) = (Vec::new(), COMPARED_PAGE_MAX);
            while let Some(group) = groups.next_if(|group| group.len() <= room) {
                room -= group.len();
                together.push(group);
            }
            let ids = order::distinct(together.iter().flat_map(|group| clients.ids_of(group)));
            let read = self.clients(OperatorCommand::ReadClients { account, ids }).await?;
            let mut read: Vec<_> = read.iter().map(|client| (client.id, Similarity::of(&client.fields))).collect();
            order::sort_by_key(&mut read, |(id, _)| *id);
            for group in together {
                let members = clients.ids_of(group).filter_map(|id| {
                    let place = read.binary_search_by_key(&id, |(id, _)| *id).ok()?;
                    read.get(place)
                });
                found.add(&members.collect::<Vec<_>>(), nicknames);
            }
            if groups.peek().is_some() {
                LetOthersRun::default().await;
            }
        }
        for pair in &start.moved {
            found.put(*pair, vec![SimilarReason::FormerAddress]);
        }
        Ok(found.take_distinct())
    }
}

fn unexpected<T>() -> Result<T, CompareError> {
    let cause = "the store answered a command with another command's answer".to_owned();
    Err(StoreError::Failed { cause }.into())
}

/// The clients that were read, by what they may have in common. A place is that of a hash.
#[derive(Default)]
struct Keys {
    ids: Vec<Uuid>,
    /// [`KEYS`] for each client.
    hashes: Vec<u64>,
}

impl Keys {
    fn add(&mut self, id: Uuid, client: &Similarity) {
        self.ids.push(id);
        self.hashes.extend(client.keys().take(KEYS));
        self.hashes.resize(self.ids.len() * KEYS, NO_KEY);
    }

    fn hash(&self, place: usize) -> u64 {
        self.hashes.get(place).copied().unwrap_or_default()
    }

    /// The places in the order of hashes.
    fn places(&self) -> Vec<usize> {
        order::sorted_places(self.hashes.len(), &|one, other| self.hash(one).cmp(&self.hash(other)))
    }

    /// Clients that have a key in common: for each key the first ones.
    fn groups<'k>(&'k self, places: &'k [usize]) -> impl Iterator<Item = &'k [usize]> {
        let groups = places.chunk_by(|one, other| self.hash(*one) == self.hash(*other));
        let has_key = |group: &&[usize]| group.first().is_some_and(|place| self.hash(*place) != NO_KEY);
        let first = |group: &'k [usize]| group.get(..COMPARED_MAX).unwrap_or(group);
        groups.filter(move |group| group.len() > 1 && has_key(group)).map(first)
    }

    fn ids_of<'k>(&'k self, group: &'k [usize]) -> impl Iterator<Item = Uuid> + 'k {
        group.iter().filter_map(|place| self.ids.get(place / KEYS).copied())
    }
}

/// The pairs that were found so far.
struct Found<'s> {
    decided: &'s [ClientPair],
    pairs: Vec<FoundPair>,
}

impl Found<'_> {
    /// Compares each of these clients with each other.
    fn add(&mut self, members: &[&(Uuid, Similarity)], nicknames: &Nicknames<'_>) {
        for (place, (id, client)) in members.iter().enumerate() {
            for (other_id, other) in members.iter().skip(place + 1) {
                let pair = ClientPair::of(*id, *other_id);
                self.put(pair, client.reasons(other, nicknames));
            }
        }
        if self.pairs.len() > FOUND_MAX {
            self.pairs = self.take_distinct();
        }
    }

    fn put(&mut self, pair: ClientPair, reasons: Vec<SimilarReason>) {
        if !reasons.is_empty() && self.decided.binary_search(&pair).is_err() {
            self.pairs.push(FoundPair { pair, reasons });
        }
    }

    /// Takes the first pairs by their ids, each with all its reasons.
    fn take_distinct(&mut self) -> Vec<FoundPair> {
        let mut pairs = order::distinct(std::mem::take(&mut self.pairs));
        pairs.dedup_by(|next, kept| {
            let is_same = next.pair == kept.pair;
            if is_same {
                kept.reasons = order::distinct(kept.reasons.drain(..).chain(next.reasons.drain(..)));
            }
            is_same
        });
        pairs.truncate(SIMILAR_PAIRS_MAX);
        pairs
    }
}

/// Lets other tasks run once.
#[derive(Default)]
struct LetOthersRun {
    have_run: bool,
}

impl Future for LetOthersRun {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.have_run, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
