//! Stores whose pages of clients skip, repeat, or show too early or too late (S8, S10, S12).

use std::cell::RefCell;

use matterbook_core::{
    client::Client,
    key::KeyDigest,
    memory::MemoryStore,
    store::{
        ClientFilter, ClientPage, ClientPageQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, Position,
        ProspectPage, ProspectPageQuery, Retention, StoreError, View,
    },
};
use uuid::Uuid;

use super::broken::Fault;

/// Shows a change as soon as it is committed.
#[derive(Default)]
pub(super) struct ShowsChangesAtOnce;

impl Fault for ShowsChangesAtOnce {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        ClientPageQuery { view: View { delay_seconds: 0, ..query.view }, ..query }
    }
}

/// Shows a change a second after its time.
#[derive(Default)]
pub(super) struct ShowsChangesLate;

impl Fault for ShowsChangesLate {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        let delay_seconds = query.view.delay_seconds + 1;
        ClientPageQuery { view: View { delay_seconds, ..query.view }, ..query }
    }
}

/// Shows an earlier moment than the page before, where the clock that it is read by is behind.
#[derive(Default)]
pub(super) struct ForgetsWhatWasSeen;

impl Fault for ForgetsWhatWasSeen {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        ClientPageQuery { seen_until: None, ..query }
    }
}

/// Keeps no earlier states: a client that changed within the delay is passed over.
#[derive(Default)]
pub(super) struct DropsEarlierStates;

impl Fault for DropsEarlierStates {
    async fn clients(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &ClientPageQuery,
    ) -> Result<Option<ClientPage>, StoreError> {
        let Some(mut page) = ClientPage::read(sound, key, query).await? else { return Ok(None) };
        let mut unchanged = Vec::new();
        for client in page.clients {
            if latest(sound, &page.key_owner.account, &client).await? == Some(client.clone()) {
                unchanged.push(client);
            }
        }
        page.clients = unchanged;
        Ok(Some(page))
    }
}

/// Shows the latest state in the place of the one of a minute ago.
#[derive(Default)]
pub(super) struct ShowsLatestInEarlierPlace;

impl Fault for ShowsLatestInEarlierPlace {
    async fn clients(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &ClientPageQuery,
    ) -> Result<Option<ClientPage>, StoreError> {
        let Some(mut page) = ClientPage::read(sound, key, query).await? else { return Ok(None) };
        for client in &mut page.clients {
            if let Some(latest) = latest(sound, &page.key_owner.account, client).await? {
                *client = latest;
            }
        }
        Ok(Some(page))
    }
}

async fn latest(sound: &MemoryStore, account: &Uuid, client: &Client) -> Result<Option<Client>, StoreError> {
    let command = OperatorCommand::ShowClient { account: *account, client: client.id };
    let entry = LogEntry {
        id: Uuid::nil(),
        at: client.updated_at,
        actor: String::new(),
        action: "client.show",
        subject: String::new(),
        request_id: Uuid::nil(),
        retention: Retention::default(),
    };
    Ok(match sound.operate(command, entry).await? {
        OperatorAnswer::Client(client) => Some(*client),
        _ => None,
    })
}

/// Begins a page with the row that the one before ended with.
#[derive(Default)]
pub(super) struct RepeatsLastRow;

impl Fault for RepeatsLastRow {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        let after = query.after.map(|after| Position { id: before(after.id), ..after });
        ClientPageQuery { after, ..query }
    }
}

/// Goes on by time alone, so the other rows of one commit are skipped.
#[derive(Default)]
pub(super) struct SkipsRestOfCommit;

impl Fault for SkipsRestOfCommit {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        let after = query.after.map(|after| Position { id: Uuid::max(), ..after });
        ClientPageQuery { after, ..query }
    }
}

fn before(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128().saturating_sub(1))
}

/// Leaves out what changed at the very time of `updated_since`.
#[derive(Default)]
pub(super) struct UpdatedSinceIsExclusive;

impl Fault for UpdatedSinceIsExclusive {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        ClientPageQuery { updated_since: query.updated_since.map(|since| since.next()), ..query }
    }
}

/// Shows every client whatever `external_id` is asked for.
#[derive(Default)]
pub(super) struct IgnoresExternalId;

impl Fault for IgnoresExternalId {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        let filter = ClientFilter { external_id: None, ..query.filter };
        ClientPageQuery { filter, ..query }
    }
}

/// Shows every client whatever e-mail is asked for.
#[derive(Default)]
pub(super) struct IgnoresEmail;

impl Fault for IgnoresEmail {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        let filter = ClientFilter { email: None, ..query.filter };
        ClientPageQuery { filter, ..query }
    }
}

/// Shows every client whatever name is asked for.
#[derive(Default)]
pub(super) struct IgnoresName;

impl Fault for IgnoresName {
    fn client_query(&self, query: ClientPageQuery) -> ClientPageQuery {
        let filter = ClientFilter { name: None, ..query.filter };
        ClientPageQuery { filter, ..query }
    }
}

/// Hides what a clock far ahead committed, and all after it, until the clock is reached.
#[derive(Default)]
pub(super) struct WaitsForClockFarAhead;

impl Fault for WaitsForClockFarAhead {
    fn client_page(&self, query: &ClientPageQuery, mut page: ClientPage) -> ClientPage {
        let horizon = query.view.now.plus_seconds(-i64::from(query.view.delay_seconds));
        if page.clients.iter().any(|client| client.updated_at > horizon) && query.view.delay_seconds > 0 {
            page.clients.retain(|client| client.updated_at <= horizon);
            page.next = None;
        }
        page
    }

    fn prospect_page(&self, query: &ProspectPageQuery, mut page: ProspectPage) -> ProspectPage {
        let horizon = query.view.now.plus_seconds(-i64::from(query.view.delay_seconds));
        page.prospects.retain(|prospect| prospect.added_at <= horizon);
        page
    }
}

/// Takes a page that is not full for the last.
#[derive(Default)]
pub(super) struct ShortPageEndsWalk;

impl Fault for ShortPageEndsWalk {
    fn client_page(&self, query: &ClientPageQuery, page: ClientPage) -> ClientPage {
        let is_full = page.clients.len() == query.limit as usize;
        ClientPage { next: page.next.filter(|_| is_full), ..page }
    }

    fn prospect_page(&self, query: &ProspectPageQuery, page: ProspectPage) -> ProspectPage {
        let is_full = page.prospects.len() == query.limit as usize;
        ProspectPage { next: page.next.filter(|_| is_full), ..page }
    }
}

/// Goes on showing an erased client as it stood, until the erasure is as old as the delay.
#[derive(Default)]
pub(super) struct ErasureIsDelayed {
    erased: RefCell<Vec<Client>>,
}

impl Fault for ErasureIsDelayed {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        if let OperatorCommand::EraseClient { account, client } = command {
            let show = OperatorCommand::ShowClient { account, client };
            if let OperatorAnswer::Client(client) = sound.operate(show, entry.clone()).await? {
                self.erased.borrow_mut().push(Client { updated_at: entry.at, ..*client });
            }
        }
        sound.operate(command, entry).await
    }

    fn client_page(&self, query: &ClientPageQuery, mut page: ClientPage) -> ClientPage {
        let horizon = query.view.now.plus_seconds(-i64::from(query.view.delay_seconds));
        page.clients.extend(self.erased.borrow().iter().filter(|client| client.updated_at > horizon).cloned());
        page
    }
}
