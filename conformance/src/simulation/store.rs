//! Stores and drivers whose every call waits for its turn, and meets the fault that is drawn for it.

use std::{
    cell::{Cell, RefCell},
    future::{Future, poll_fn},
    pin::Pin,
    rc::Rc,
    task::Poll,
};

use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    sign_in::SessionDigest,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, ConsoleRequest, ConsoleResponse, ConsoleStore, HistoryPage,
        HistoryQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery,
        ShowClient, SignIn, SignInAnswer, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use matterbook_store_sql::driver::{Driver, DriverError, Isolation, Rows, Statement};
use uuid::Uuid;

use super::step::Fault;

/// The most attempts at a commit that a simulated driver has patience for.
const PATIENCE_ATTEMPTS: u32 = 12;

/// Something that was given up and runs later.
type Later = Pin<Box<dyn Future<Output = ()>>>;

/// The scheduling point between store calls and the simulation: each call waits here for its turn.
#[derive(Clone, Default)]
pub struct Meeting(Rc<Inner>);

#[derive(Default)]
struct Inner {
    /// The request whose turn it is.
    label: Cell<u32>,
    fault: Cell<Fault>,
    /// A call ran.
    has_run: Cell<bool>,
    /// A call ran that may have written.
    has_written: Cell<bool>,
    /// A commit of the request was refused, since what it had read was no longer so.
    was_refused: Cell<bool>,
    /// The fault was met.
    has_failed: Cell<bool>,
    /// The id of the request, once it has called.
    request: Cell<Option<Uuid>>,
    later: RefCell<Vec<(u32, Later)>>,
}

/// What became of the call whose turn it was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub(super) has_run: bool,
    pub(super) has_written: bool,
    pub(super) has_failed: bool,
    pub(super) was_refused: bool,
    /// The id of the request, if it was heard of.
    pub(super) request: Option<Uuid>,
}

impl Meeting {
    /// Gives a request its turn; that fault befalls its call.
    pub(super) fn begin_turn(&self, label: u32, fault: Fault) {
        self.0.label.set(label);
        self.0.fault.set(fault);
        self.0.has_run.set(false);
        self.0.has_written.set(false);
        self.0.has_failed.set(false);
        self.0.was_refused.set(false);
        self.0.request.set(None);
    }

    /// Takes note of the id of the request whose turn it is.
    pub(super) fn note_request(&self, request: Uuid) {
        self.0.request.set(Some(request));
    }

    pub(super) fn end_turn(&self) -> Turn {
        Turn {
            has_run: self.0.has_run.get(),
            has_written: self.0.has_written.get(),
            has_failed: self.0.has_failed.get(),
            was_refused: self.0.was_refused.get(),
            request: self.0.request.get(),
        }
    }

    /// What was given up first and has not run yet, with the request that it is of.
    pub(super) fn next_late(&self) -> Option<(u32, Later)> {
        let mut later = self.0.later.borrow_mut();
        if later.is_empty() { None } else { Some(later.remove(0)) }
    }

    /// Waits for the next turn.
    async fn wait(&self) {
        let mut has_waited = false;
        poll_fn(|_| if std::mem::replace(&mut has_waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Waits for the turn of a call, and hands back what befalls it.
    async fn turn(&self) -> Fault {
        self.wait().await;
        let fault = self.0.fault.take();
        self.0.has_failed.set(!matches!(fault, Fault::None | Fault::Held));
        fault
    }

    /// Runs a call, and takes note of each turn in which it does.
    async fn run<T>(&self, writes: bool, call: impl Future<Output = T>) -> T {
        let mut call = std::pin::pin!(call);
        poll_fn(|context| {
            self.0.has_run.set(true);
            self.0.has_written.set(writes);
            call.as_mut().poll(context)
        })
        .await
    }

    fn leave(&self, later: Later) {
        self.0.later.borrow_mut().push((self.0.label.get(), later));
    }
}

/// A store each of whose verbs is one unit: what is in memory, or in one transaction.
pub struct WholeVerbs<S> {
    pub(super) store: Rc<S>,
    /// `None` for observers: their calls run at once.
    pub(super) meeting: Option<Meeting>,
}

fn failed<T>() -> Result<T, StoreError> {
    Err(StoreError::Failed { cause: "simulated".to_owned() })
}

fn overloaded<T>() -> Result<T, StoreError> {
    Err(StoreError::Overloaded { retry_after_seconds: 1, cause: "simulated".to_owned() })
}

fn unknown<T>() -> Result<T, StoreError> {
    Err(StoreError::Unknown { cause: "simulated".to_owned() })
}

impl<S: 'static> WholeVerbs<S> {
    async fn read<T>(&self, verb: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let Some(meeting) = &self.meeting else { return verb.await };
        match meeting.turn().await {
            Fault::None => meeting.run(false, verb).await,
            Fault::Overloaded => overloaded(),
            Fault::Fails | Fault::Lost | Fault::Late => failed(),
            Fault::Held => {
                let found = meeting.run(false, verb).await;
                meeting.wait().await;
                found
            }
        }
    }

    async fn write<T: 'static>(
        &self,
        verb: impl Future<Output = Result<T, StoreError>> + 'static,
    ) -> Result<T, StoreError> {
        let Some(meeting) = &self.meeting else { return verb.await };
        match meeting.turn().await {
            Fault::None => meeting.run(true, verb).await,
            Fault::Overloaded => overloaded(),
            Fault::Fails => failed(),
            Fault::Lost => {
                let _ = meeting.run(true, verb).await;
                unknown()
            }
            Fault::Late => {
                meeting.leave(Box::pin(async move { drop(verb.await) }));
                unknown()
            }
            Fault::Held => {
                let done = meeting.run(true, verb).await;
                meeting.wait().await;
                done
            }
        }
    }
}

impl<S: Store + OperatorStore + 'static> Store for WholeVerbs<S> {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.read(self.store.key_owner(key, now)).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.read(self.store.record_use(key, now)).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        let store = Rc::clone(&self.store);
        self.write(async move { store.change(request).await }).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.read(self.store.clients(key, query, show)).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.read(self.store.prospects(key, query)).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.read(self.store.history(key, query)).await
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }
}

impl<S: OperatorStore + 'static> OperatorStore for WholeVerbs<S> {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        let store = Rc::clone(&self.store);
        self.write(async move { store.operate(command, entry).await }).await
    }
}

impl<S: ConsoleStore + 'static> ConsoleStore for WholeVerbs<S> {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        let store = Rc::clone(&self.store);
        self.write(async move { store.sign_in(sign_in).await }).await
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        let store = Rc::clone(&self.store);
        match request.command.action() {
            Some(_) => self.write(async move { store.console(request).await }).await,
            None => self.read(store.console(request)).await,
        }
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        self.read(self.store.record_session_use(session, now)).await
    }
}

/// A driver each of whose batches is a unit, with others in between: D1.
pub struct Batches<D> {
    pub(super) driver: Rc<D>,
    /// `None` for observers: their calls run at once.
    pub(super) meeting: Option<Meeting>,
}

impl<D: Driver + 'static> Driver for Batches<D> {
    fn isolation(&self) -> Isolation {
        Isolation::Batch
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        let Some(meeting) = &self.meeting else { return self.driver.run(batch).await };
        let lost = || Err(DriverError::Failed("simulated".to_owned()));
        match meeting.turn().await {
            Fault::None => self.batch(meeting, batch).await,
            Fault::Overloaded => Err(DriverError::Overloaded("simulated".to_owned())),
            Fault::Fails => lost(),
            Fault::Lost => {
                let _ = self.batch(meeting, batch).await;
                lost()
            }
            Fault::Late => {
                let (driver, batch) = (Rc::clone(&self.driver), batch.to_vec());
                meeting.leave(Box::pin(async move { drop(driver.run(&batch).await) }));
                lost()
            }
            Fault::Held => {
                let found = self.batch(meeting, batch).await;
                meeting.wait().await;
                found
            }
        }
    }

    async fn back_off(&self, attempt: u32) -> bool {
        if let Some(meeting) = &self.meeting {
            meeting.wait().await;
        }
        attempt < PATIENCE_ATTEMPTS
    }
}

impl<D: Driver> Batches<D> {
    async fn batch(&self, meeting: &Meeting, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        let found = meeting.run(batch.iter().any(may_write), self.driver.run(batch)).await;
        if matches!(found, Err(DriverError::Constraint(_))) {
            meeting.0.was_refused.set(true);
        }
        found
    }
}

/// Whether a statement may write.
fn may_write(statement: &Statement) -> bool {
    let mut lines = statement.query.row_sql.lines().map(str::trim_start);
    !lines.find(|line| !line.starts_with("--")).is_some_and(|line| line.starts_with("select"))
}
