//! S25: an account that is exported from one store and imported into another is the same account there. The cases are
//! for pairs of stores, since a store refuses the import of an account that it has.

use std::{future::Future, pin::Pin};

use matterbook_core::{
    account::Account,
    memory::test_key_secrets,
    store::{
        AccountChange, AccountImport, AccountImportState, ExportHead, ExportPage, HistoryPage, HistoryQuery,
        OperatorAnswer, OperatorCommand, Refusal, Store, TransferDigest, View,
    },
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, Failure, StoreUnderTest, ensure, ensure_eq,
    log::whole_log,
    scene::{Firm, Scene, unexpected},
    values::{at, by_external_id, clients_at, person},
};

/// One case of an export from a store and an import into another.
pub struct TransferCase {
    /// Its name, which says the rule and what the user would see.
    pub name: &'static str,
    run: for<'store> fn(AnyStore<'store>, AnyStore<'store>) -> Running<'store>,
}

type Running<'store> = Pin<Box<dyn Future<Output = CaseResult> + 'store>>;

impl TransferCase {
    /// Runs the case over two fresh stores, which may be of different kinds.
    ///
    /// # Errors
    /// When the stores do not hold the rule.
    pub async fn run(&self, from: &impl StoreUnderTest, to: &impl StoreUnderTest) -> CaseResult {
        (self.run)(AnyStore::new(from.fresh().await), AnyStore::new(to.fresh().await)).await
    }
}

macro_rules! cases {
    ($($function:ident),+ $(,)?) => {
        vec![$(TransferCase {
            name: stringify!($function),
            run: |from, to| Box::pin($function(from, to)),
        }),+]
    };
}

/// Every case of a transfer (S25). A store that answers [`Refusal::NoTransfer`] to all of it does not run them.
#[must_use]
pub fn transfer_cases() -> Vec<TransferCase> {
    cases![
        s25_imported_account_is_the_same,
        s25_suspended_account_stays_suspended,
        s25_account_is_suspended_until_its_import_ends,
        s25_rows_that_do_not_begin_at_the_count_save_nothing,
        s25_import_goes_on_where_it_was_interrupted,
        s25_rows_of_another_digest_do_not_end_the_import,
        s25_discarded_import_makes_room_for_another,
        s25_begin_and_end_of_an_import_are_logged_its_rows_not,
        s25_change_during_an_export_shows_in_its_version,
        s25_account_that_exists_is_not_imported,
    ]
}

/// A whole export.
struct Export {
    head: ExportHead,
    rows: Vec<String>,
}

impl Export {
    fn digest(&self) -> TransferDigest {
        self.rows.iter().fold(self.head_digest(), |digest, row| digest.and_row(row))
    }

    fn head_digest(&self) -> TransferDigest {
        TransferDigest::of_head(&self.head.row)
    }

    fn row_count(&self) -> i64 {
        i64::try_from(self.rows.len()).unwrap_or(i64::MAX)
    }
}

/// The store with the account and the one that it goes to.
struct Transfer<'store> {
    from: Scene<'store>,
    to: Scene<'store>,
    firm: Firm,
}

impl<'store> Transfer<'store> {
    /// A firm with a county and three clients, one of them changed since. The other store has another firm.
    async fn between(from: AnyStore<'store>, to: AnyStore<'store>) -> CaseResult<Self> {
        let (from, to) = (Scene::on(from), Scene::with_other_ids(to));
        let other = to.firm().await?;
        to.create(&other, at(3), &[person("1")]).await?;
        let firm = from.firm().await?;
        from.grant(&firm, "17031", "2024-01-01").await?;
        from.create(&firm, at(5), &[person("1"), person("2"), person("3")]).await?;
        from.update(&firm, at(9), "2", |fields| fields.city = Some("Springfield".into())).await?;
        Ok(Self { from, to, firm })
    }

    async fn page(&self, after: Option<String>) -> CaseResult<ExportPage> {
        let command = OperatorCommand::ExportAccount { account: self.firm.account, after };
        match self.from.operate(at(50), "account.export", command).await? {
            OperatorAnswer::Exported(page) => Ok(page),
            other => Err(unexpected("a page of an export", &other)),
        }
    }

    async fn export(&self) -> CaseResult<Export> {
        let first = self.page(None).await?;
        let (mut rows, mut after) = (first.rows, first.next);
        while after.is_some() {
            let page = self.page(after).await?;
            ensure_eq!(page.version, first.version, "the version of a later page, where nothing has changed");
            ensure_eq!(page.head, None, "the head of a later page");
            rows.extend(page.rows);
            after = page.next;
        }
        let head = first.head.ok_or_else(|| Failure("the first page of an export has no head".to_owned()))?;
        Ok(Export { head, rows })
    }

    async fn ask(&self, command: OperatorCommand) -> CaseResult<OperatorAnswer> {
        self.to.operate(at(60), "account.import", command).await
    }

    async fn state(&self, command: OperatorCommand) -> CaseResult<AccountImportState> {
        match self.ask(command).await? {
            OperatorAnswer::AccountImport(state) => Ok(state),
            other => Err(unexpected("how far an import has come", &other)),
        }
    }

    async fn is_refused(&self, command: OperatorCommand, refusal: Refusal) -> CaseResult {
        let shown = format!("{command:?}");
        ensure_eq!(self.ask(command).await?, OperatorAnswer::Refused(refusal), "the answer to {shown}");
        Ok(())
    }

    fn begin(&self, export: &Export, digest: TransferDigest) -> OperatorCommand {
        let import = AccountImport {
            head: export.head.clone(),
            head_digest: export.head_digest(),
            digest,
            row_count: export.row_count(),
            key_secrets: vec![test_key_secrets().stored("mtb_transfer").secret],
            revokes_keys: false,
        };
        OperatorCommand::BeginAccountImport { account: self.firm.account, import: Box::new(import) }
    }

    fn rows_command(&self, export: &Export, from: i64, count: usize) -> OperatorCommand {
        let before = usize::try_from(from).unwrap_or(usize::MAX);
        let rows = export.rows.iter().skip(before).take(count).cloned().collect();
        OperatorCommand::ImportAccountRows { account: self.firm.account, from, rows }
    }

    /// Sends rows, some with each request, until so many have arrived.
    async fn send(&self, export: &Export, mut from: i64, until: i64) -> CaseResult {
        while from < until {
            let count = usize::try_from(until - from).map_or(3, |left| left.min(3));
            let state = self.state(self.rows_command(export, from, count)).await?;
            ensure!(state.received_rows > from, "rows are taken, and none is saved: {state:?}");
            from = state.received_rows;
        }
        Ok(())
    }

    async fn import(&self, export: &Export) -> CaseResult {
        let begun = self.state(self.begin(export, export.digest())).await?;
        ensure_eq!((begun.received_rows, begun.is_done), (0, false), "an import that has just begun");
        self.send(export, 0, export.row_count()).await?;
        let again = self.state(self.begin(export, export.digest())).await?;
        ensure_eq!((again.received_rows, again.is_done), (export.row_count(), true), "an import that has ended");
        Ok(())
    }
}

async fn account(scene: &Scene<'_>, account: Uuid) -> CaseResult<Account> {
    match scene.operate(at(70), "account.show", OperatorCommand::ShowAccount { account }).await? {
        OperatorAnswer::Account(account) => Ok(account),
        other => Err(unexpected("an account", &other)),
    }
}

async fn suspend(scene: &Scene<'_>, account: Uuid, suspended: bool) -> CaseResult<OperatorAnswer> {
    let change = AccountChange { suspended: Some(suspended), ..AccountChange::default() };
    scene.operate(at(40), "account.set", OperatorCommand::SetAccount { account, change }).await
}

/// What the firm sees: its key, its clients with ids and times, how one came to be, and what a post would find.
async fn seen(scene: &Scene<'_>, firm: &Firm) -> CaseResult<impl PartialEq + std::fmt::Debug> {
    let owner = scene.store.key_owner(&firm.key, at(70)).await?;
    let clients = scene.walk_clients(firm, clients_at(at(500))).await?;
    let second = clients.iter().find(|client| client.fields.external_id.as_deref() == Some("2"));
    let client = second.ok_or_else(|| Failure("the client 2 is not listed".to_owned()))?.id;
    let query = HistoryQuery { client, before: None, limit: 10, view: View { now: at(500), delay_seconds: 0 } };
    let history: Option<HistoryPage> = scene.store.history(&firm.key, &query).await?;
    let found = scene.snapshot(firm, at(70), vec![by_external_id("3")]).await?.clients;
    Ok((owner, clients, history, found, account(scene, firm.account).await?))
}

/// The firm notices nothing: same key, same clients with ids and times, same history, and a post finds them.
async fn s25_imported_account_is_the_same(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let before = seen(&transfer.from, &transfer.firm).await?;
    transfer.import(&transfer.export().await?).await?;
    ensure_eq!(seen(&transfer.to, &transfer.firm).await?, before, "what the firm sees after its import");
    transfer.to.update(&transfer.firm, at(80), "2", |fields| fields.city = None).await
}

/// An account that was suspended is suspended after its import, too, until the operator ends it.
async fn s25_suspended_account_stays_suspended(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let firm = transfer.firm.account;
    suspend(&transfer.from, firm, true).await?;
    let export = transfer.export().await?;
    ensure!(export.head.is_suspended, "the head of a suspended account does not say so");
    transfer.import(&export).await?;
    ensure!(account(&transfer.to, firm).await?.flags.suspended, "a suspended account is not after its import");
    suspend(&transfer.to, firm, false).await?;
    ensure!(!account(&transfer.to, firm).await?.flags.suspended, "the suspension does not end");
    Ok(())
}

/// Until its import ends, an account is suspended and cannot be exported.
async fn s25_account_is_suspended_until_its_import_ends(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let (export, firm) = (transfer.export().await?, transfer.firm.account);
    transfer.state(transfer.begin(&export, export.digest())).await?;
    transfer.send(&export, 0, export.row_count() - 1).await?;
    ensure!(account(&transfer.to, firm).await?.flags.suspended, "an account is not suspended during its import");
    let importing = OperatorAnswer::Refused(Refusal::Importing);
    ensure_eq!(suspend(&transfer.to, firm, false).await?, importing, "the end of its suspension");
    transfer.is_refused(OperatorCommand::ExportAccount { account: firm, after: None }, Refusal::Importing).await?;
    transfer.send(&export, export.row_count() - 1, export.row_count()).await?;
    ensure!(!account(&transfer.to, firm).await?.flags.suspended, "an account stays suspended after its import");
    Ok(())
}

/// The count shows rows that were lost on the way or sent twice.
async fn s25_rows_that_do_not_begin_at_the_count_save_nothing(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let export = transfer.export().await?;
    transfer.state(transfer.begin(&export, export.digest())).await?;
    let ahead = transfer.state(transfer.rows_command(&export, 1, 3)).await?;
    ensure_eq!(ahead.received_rows, 0, "the count after rows that begin too far");
    transfer.send(&export, 0, 3).await?;
    let again = transfer.state(transfer.rows_command(&export, 0, 3)).await?;
    ensure_eq!(again.received_rows, 3, "the count after rows that were sent twice");
    transfer.send(&export, 3, export.row_count()).await?;
    seen(&transfer.to, &transfer.firm).await.map(|_| ())
}

/// Beginning the same import again tells where to go on.
async fn s25_import_goes_on_where_it_was_interrupted(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let export = transfer.export().await?;
    let begin = || transfer.begin(&export, export.digest());
    transfer.state(begin()).await?;
    transfer.send(&export, 0, 2).await?;
    let state = transfer.state(begin()).await?;
    let expected = AccountImportState {
        account: transfer.firm.account,
        digest: export.digest(),
        row_count: export.row_count(),
        received_rows: 2,
        is_done: false,
    };
    ensure_eq!(state, expected, "an import that is begun again");
    transfer.send(&export, 2, export.row_count()).await
}

/// A damaged file never becomes an account that serves.
async fn s25_rows_of_another_digest_do_not_end_the_import(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let (export, firm) = (transfer.export().await?, transfer.firm.account);
    let announced = export.digest().and_row("another row");
    transfer.state(transfer.begin(&export, announced)).await?;
    let last = export.row_count() - 1;
    transfer.send(&export, 0, last).await?;
    transfer.is_refused(transfer.rows_command(&export, last, 1), Refusal::OtherDigest).await?;
    let state = transfer.state(transfer.begin(&export, announced)).await?;
    ensure_eq!((state.received_rows, state.is_done), (last, false), "an import whose last row was refused");
    ensure!(account(&transfer.to, firm).await?.flags.suspended, "an account with a damaged row is not suspended");
    transfer.is_refused(transfer.begin(&export, export.digest()), Refusal::AccountExists).await
}

/// What was sent of an import is deleted part by part, and then another import of the account begins.
async fn s25_discarded_import_makes_room_for_another(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let (export, account) = (transfer.export().await?, transfer.firm.account);
    transfer.state(transfer.begin(&export, export.digest().and_row("another row"))).await?;
    transfer.send(&export, 0, export.row_count() - 1).await?;
    let mut left = i64::MAX;
    while left > 0 {
        let state = transfer.state(OperatorCommand::DiscardAccountImport { account }).await?;
        ensure!(state.received_rows < left, "a discard does not get on: {state:?}");
        left = state.received_rows;
    }
    transfer.import(&export).await?;
    transfer.is_refused(OperatorCommand::DiscardAccountImport { account }, Refusal::ImportEnded).await?;
    seen(&transfer.to, &transfer.firm).await.map(|_| ())
}

/// The log says who began an import and when it had ended, once each.
async fn s25_begin_and_end_of_an_import_are_logged_its_rows_not(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let export = transfer.export().await?;
    // The log of the account comes along.
    let own = whole_log(&transfer.from, 100).await?;
    let before = whole_log(&transfer.to, 100).await?;
    transfer.import(&export).await?;
    let mut added = whole_log(&transfer.to, 100).await?;
    added.retain(|entry| !own.contains(entry) && !before.contains(entry));
    ensure_eq!(added.len(), 2, "entries of an import: {added:?}");
    Ok(())
}

/// Pages of different versions do not fit together.
async fn s25_change_during_an_export_shows_in_its_version(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let first = transfer.page(None).await?.version;
    ensure_eq!(transfer.page(None).await?.version, first, "the version, where nothing has changed");
    transfer.from.create(&transfer.firm, at(30), &[person("4")]).await?;
    let second = transfer.page(None).await?.version;
    ensure!(second != first, "a new client leaves the version of an export as it was");
    // By a clock that is behind: the county is granted at the start of the case.
    transfer.from.grant(&transfer.firm, "06037", "2024-01-01").await?;
    ensure!(transfer.page(None).await?.version != second, "a county leaves the version of an export as it was");
    Ok(())
}

/// An account that serves is never written over.
async fn s25_account_that_exists_is_not_imported(from: AnyStore<'_>, to: AnyStore<'_>) -> CaseResult {
    let transfer = Transfer::between(from, to).await?;
    let (export, account) = (transfer.export().await?, transfer.firm.account);
    let before = seen(&transfer.from, &transfer.firm).await?;
    let begin = transfer.begin(&export, export.digest());
    let rows = transfer.rows_command(&export, 0, 3);
    for (command, refusal) in [
        (begin, Refusal::AccountExists),
        (rows, Refusal::NoAccountImport),
        (OperatorCommand::DiscardAccountImport { account }, Refusal::NoAccountImport),
    ] {
        transfer.from.refuses(command, refusal).await?;
    }
    ensure_eq!(seen(&transfer.from, &transfer.firm).await?, before, "what the firm sees after imports over it");
    Ok(())
}
