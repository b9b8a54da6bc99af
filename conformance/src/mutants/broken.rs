//! A sound store with one fault: the wrapper that every mutant is made of.

use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    memory::MemoryStore,
    sign_in::SessionDigest,
    store::{
        ChangeRequest, ClientPage, ClientPageEnd, ClientPageQuery, ConsoleRequest, ConsoleResponse, ConsoleStore,
        Decided, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, ProspectPage,
        ProspectPageQuery, ShowClient, SignIn, SignInAnswer, Snapshot, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};

/// The differences between a mutant and the sound store. Each method delegates by default. The first
/// methods edit arguments and results; the last ones replace a whole verb.
pub(super) trait Fault: Default {
    fn key_owner(&self, _key: &KeyDigest, key_owner: Option<KeyOwner>) -> Option<KeyOwner> {
        key_owner
    }

    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        request
    }

    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        query
    }

    fn client_page(&self, _query: &ClientPageQuery, page: ClientPage) -> ClientPage {
        page
    }

    fn prospect_query(&self, query: ProspectPageQuery) -> ProspectPageQuery {
        query
    }

    fn prospect_page(&self, _query: &ProspectPageQuery, page: ProspectPage) -> ProspectPage {
        page
    }

    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        command
    }

    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        answer
    }

    async fn record_use(&self, sound: &MemoryStore, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        sound.record_use(key, now).await
    }

    async fn change(&self, sound: &MemoryStore, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        sound.change(self.request(request)).await
    }

    async fn clients(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &ClientPageQuery,
    ) -> Result<Option<ClientPage>, StoreError> {
        let page = ClientPage::read(sound, key, &self.client_query(query.clone())).await?;
        Ok(page.map(|page| self.client_page(query, page)))
    }

    async fn history(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &HistoryQuery,
    ) -> Result<Option<HistoryPage>, StoreError> {
        sound.history(key, query).await
    }

    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let answer = sound.operate(self.command(&entry, command.clone()), entry.clone()).await?;
        Ok(self.answer(&command, &entry, answer))
    }
}

/// A sound store behind a fault.
#[derive(Default)]
pub(super) struct Broken<F> {
    sound: MemoryStore,
    fault: F,
}

impl<F: Fault> Store for Broken<F> {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        Ok(self.fault.key_owner(key, self.sound.key_owner(key, now).await?))
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.fault.record_use(&self.sound, key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        self.fault.change(&self.sound, request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        let page = self.fault.clients(&self.sound, key, query).await?;
        Ok(page.map(|page| page.show(show)))
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        let page = self.sound.prospects(key, &self.fault.prospect_query(query.clone())).await?;
        Ok(page.map(|page| self.fault.prospect_page(query, page)))
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.fault.history(&self.sound, key, query).await
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }
}

impl<F: Fault> OperatorStore for Broken<F> {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.fault.operate(&self.sound, command, entry).await
    }
}

impl<F: Fault> ConsoleStore for Broken<F> {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        self.sound.sign_in(sign_in).await
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        self.sound.console(request).await
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        self.sound.record_session_use(session, now).await
    }
}

/// The request, its decision shown an edited snapshot.
pub(super) fn seeing(
    request: ChangeRequest,
    mut edit: impl FnMut(&mut Snapshot) + Send + Sync + 'static,
) -> ChangeRequest {
    let mut decide = request.decide;
    let edited = move |snapshot: &Snapshot| {
        let mut snapshot = snapshot.clone();
        edit(&mut snapshot);
        decide(&snapshot)
    };
    ChangeRequest { decide: Box::new(edited), ..request }
}

/// The request, what its decision came to edited.
pub(super) fn deciding(
    request: ChangeRequest,
    mut edit: impl FnMut(&Snapshot, &mut Decided) + Send + Sync + 'static,
) -> ChangeRequest {
    let mut decide = request.decide;
    let edited = move |snapshot: &Snapshot| {
        let mut decided = decide(snapshot);
        edit(snapshot, &mut decided);
        decided
    };
    ChangeRequest { decide: Box::new(edited), ..request }
}
