//! Stores that lose decisions about possible duplicates, or show pairs that they must not show (S38 to S41).

use std::{collections::BTreeSet, sync::Mutex};

use matterbook_core::{
    memory::MemoryStore,
    store::{
        ChangeRequest, ClientPair, ComparisonStart, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore as _,
        SimilarFilter, SimilarPair, StoreError,
    },
    uuid::Uuid,
};

use super::broken::{Fault, seeing};

/// A comparison forgets what was decided.
#[derive(Default)]
pub(super) struct ForgetsDecisions;

impl Fault for ForgetsDecisions {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        if let OperatorCommand::KeepSimilar { account, .. } = command {
            let start = sound.operate(OperatorCommand::StartComparison { account }, entry.clone()).await?;
            if let OperatorAnswer::ComparisonStart(start) = start {
                for pair in start.decided {
                    let open = OperatorCommand::DecideSimilar { account, pair, decision: None };
                    sound.operate(open, LogEntry { id: Uuid::nil(), ..entry.clone() }).await?;
                }
            }
        }
        sound.operate(command, entry).await
    }
}

/// Shows the undecided pairs of an erased client.
#[derive(Default)]
pub(super) struct KeepsErased {
    pairs: Mutex<Vec<SimilarPair>>,
}

impl Fault for KeepsErased {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        if let OperatorCommand::EraseClient { account, client } = command {
            let list =
                OperatorCommand::ListSimilar { account, filter: SimilarFilter::default(), after: None, limit: 100 };
            if let OperatorAnswer::Similar(page) = sound.operate(list, entry.clone()).await? {
                let is_of = |pair: &SimilarPair| pair.clients.iter().any(|known| known.id == client);
                self.pairs.lock().unwrap().extend(page.pairs.into_iter().filter(is_of));
            }
        }
        Ok(match sound.operate(command, entry).await? {
            OperatorAnswer::Similar(mut page) => {
                page.pairs.extend(self.pairs.lock().unwrap().iter().cloned());
                OperatorAnswer::Similar(page)
            }
            other => other,
        })
    }
}

/// Shows every account the pairs of the one that was compared first.
#[derive(Default)]
pub(super) struct ShowsOtherAccounts {
    first: Mutex<Option<Uuid>>,
}

impl Fault for ShowsOtherAccounts {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        let mut first = self.first.lock().unwrap();
        match command {
            OperatorCommand::KeepSimilar { account, .. } => {
                first.get_or_insert(account);
                command
            }
            OperatorCommand::ListSimilar { account, filter, after, limit } => {
                OperatorCommand::ListSimilar { account: first.unwrap_or(account), filter, after, limit }
            }
            other => other,
        }
    }
}

/// A comparison begins without the pairs by former addresses.
#[derive(Default)]
pub(super) struct ForgetsMoves;

impl Fault for ForgetsMoves {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::ComparisonStart(start) => {
                OperatorAnswer::ComparisonStart(ComparisonStart { moved: Vec::new(), ..start })
            }
            other => other,
        }
    }
}

/// A former address stays one after the client moved back or was erased.
#[derive(Default)]
pub(super) struct NeverForgetsMoves {
    moved: Mutex<BTreeSet<ClientPair>>,
}

impl Fault for NeverForgetsMoves {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::ComparisonStart(start) => {
                let mut moved = self.moved.lock().unwrap();
                moved.extend(start.moved);
                OperatorAnswer::ComparisonStart(ComparisonStart { moved: moved.iter().copied().collect(), ..start })
            }
            other => other,
        }
    }
}

/// The settlements feed tells of no pair.
#[derive(Default)]
pub(super) struct FeedIgnoresPairs;

impl Fault for FeedIgnoresPairs {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Settlements(mut entries, next) => {
                entries.iter_mut().for_each(|entry| entry.similar_do_not_mail = false);
                OperatorAnswer::Settlements(entries, next)
            }
            other => other,
        }
    }
}

/// The list of pairs ends with its first page.
#[derive(Default)]
pub(super) struct PairsEndWithFirstPage;

impl Fault for PairsEndWithFirstPage {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Similar(mut page) => {
                page.next = None;
                OperatorAnswer::Similar(page)
            }
            other => other,
        }
    }
}

/// A request sees possible duplicates that it does not name.
#[derive(Default)]
pub(super) struct AlwaysNamesPairs;

impl Fault for AlwaysNamesPairs {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        ChangeRequest { names_similar: true, ..request }
    }
}

/// A request sees only the pairs whose first client it matches.
#[derive(Default)]
pub(super) struct MissesSecondOfPair;

impl Fault for MissesSecondOfPair {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        seeing(request, |snapshot| {
            snapshot.similar.retain(|similar| similar.client < similar.other);
        })
    }
}
