//! Clients: search, download, one client, and letters.

use http::StatusCode;
use matterbook_core::{
    client::Client,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{
        ClientRecord, ClientSearch, ConsoleAnswer, ConsoleCommand, ConsoleStore, Download, MAIL_ON_REASON_MAX,
        Position, SearchText, SessionOwner, Store,
    },
    time::{Timestamp, iso_date},
    uuid::Uuid,
};

use super::context::{Answered, Context};
use crate::{
    download::FileKind,
    form::{Form, position, position_text},
    response::Answer,
    view::{
        Notice, Section, client as client_page,
        clients::{self, ClientsForm, ClientsPage},
    },
};

/// Clients on one page.
const ON_A_PAGE: usize = 50;
/// Pages of storage that one page of the console looks at.
const LOOKS: usize = 4;
/// The most rows of a downloaded list, and the most pages of storage that it looks at.
const IN_A_FILE: usize = 20_000;
const LOOKS_FOR_A_FILE: usize = 400;
/// The most clients that storage gives at once.
const AT_ONCE: u32 = 100;

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn clients(&self, form: &Form<'_>) -> Answered {
        let (form, search) = (clients_form(form), form);
        let before = position(search.text("before"));
        if !form.is_valid() {
            let (owner, _) = self.ask(ConsoleCommand::Session).await?;
            let page = clients::clients(&self.frame(&owner, Some(Section::Clients), None), &form, None);
            return Err(Answer::page(StatusCode::BAD_REQUEST, page));
        }
        let (owner, found, next) = self.find_clients(&client_search(&form), before, ON_A_PAGE, LOOKS).await?;
        let page = ClientsPage {
            is_cut: next.is_some() && found.len() < ON_A_PAGE,
            clients: found,
            next: next.map(position_text),
            is_further: before.is_some(),
        };
        Ok(Answer::ok(clients::clients(&self.frame(&owner, Some(Section::Clients), None), &form, Some(&page))))
    }

    pub(super) async fn clients_file(&self, kind: FileKind, form: &Form<'_>) -> Answered {
        let form = clients_form(form);
        if !form.is_valid() {
            return Err(Answer::see("/app/clients"));
        }
        let (_, found, _) = self.find_clients(&client_search(&form), None, IN_A_FILE, LOOKS_FOR_A_FILE).await?;
        let rows = u32::try_from(found.len()).unwrap_or(u32::MAX);
        self.ask(ConsoleCommand::RecordDownload { download: Download::Clients, rows }).await?;
        let content =
            kind.content("Clients", clients::COLUMNS, found.iter().map(|client| clients::row(client).to_vec()));
        Ok(Answer::download("clients", kind, content))
    }

    /// Clients up to a number, by several looks at storage, since one look may be short.
    async fn find_clients(
        &self,
        search: &ClientSearch,
        mut before: Option<Position>,
        most: usize,
        looks: usize,
    ) -> Result<(SessionOwner, Vec<Client>, Option<Position>), Answer> {
        let mut found = Vec::new();
        for look in 1.. {
            let limit = u32::try_from(most - found.len()).map_or(AT_ONCE, |rest| rest.min(AT_ONCE));
            let command = ConsoleCommand::SearchClients { search: search.clone(), before, limit };
            let (owner, ConsoleAnswer::Clients(clients, next)) = self.ask(command).await? else { break };
            found.extend(clients);
            if next.is_none() || found.len() >= most || look >= looks {
                return Ok((owner, found, next));
            }
            before = next;
        }
        Err(self.unexpected())
    }

    pub(super) async fn client(&self, id: &str, form: &Form<'_>) -> Answered {
        let (owner, record) = self.record(self.id(id).await?).await?;
        let notice = (form.text("said") == "letters-on")
            .then(|| Notice::Done("Letters are sent to this client again.".to_owned()));
        let frame = self.frame(&owner, Some(Section::Clients), notice);
        Ok(Answer::ok(client_page::client(&frame, &record, None)))
    }

    pub(super) async fn letters_on(&self, id: &str, form: &Form<'_>) -> Answered {
        let client = self.id(id).await?;
        let reason = form.field("reason", MAIL_ON_REASON_MAX);
        let fault = if reason.value.is_empty() { Some("Say why, in a few words.") } else { reason.fault };
        if let Some(fault) = fault {
            let (owner, record) = self.record(client).await?;
            let frame = self.frame(&owner, Some(Section::Clients), None);
            if !frame.may_edit() {
                return Err(self.view_only(&owner));
            }
            let page = client_page::client(&frame, &record, Some(fault));
            return Err(Answer::page(StatusCode::BAD_REQUEST, page));
        }
        let client_delay_seconds = self.api.settings().client_delay_seconds;
        self.ask(ConsoleCommand::MailOn { client, reason: reason.value, client_delay_seconds }).await?;
        Ok(Answer::see(&format!("/app/clients/{client}?said=letters-on")))
    }

    async fn record(&self, client: Uuid) -> Result<(SessionOwner, Box<ClientRecord>), Answer> {
        match self.ask(ConsoleCommand::ShowClient { client }).await? {
            (owner, ConsoleAnswer::Client(record)) => Ok((owner, record)),
            _ => Err(self.unexpected()),
        }
    }
}

fn clients_form(form: &Form<'_>) -> ClientsForm {
    ClientsForm {
        text: form.field("q", 200),
        settled_from: form.date("settled_from").0,
        settled_to: form.date("settled_to").0,
        case_type: form.field("case_type", 200),
        changed_since: form.date("changed_since").0,
        letters_off: form.text("letters") == "off",
    }
}

/// The search of a form without faults, whose dates are in the form of a field.
fn client_search(form: &ClientsForm) -> ClientSearch {
    ClientSearch {
        text: SearchText::new(&form.text.value),
        settled_from: form.settled_from.as_date(),
        settled_to: form.settled_to.as_date(),
        letters_off: form.letters_off,
        case_type: Some(form.case_type.value.as_str()).filter(|text| !text.is_empty()).map(Into::into),
        changed_since: form.changed_since.as_date().and_then(midnight),
    }
}

/// The first moment of a day, in UTC.
pub(super) fn midnight(day: matterbook_core::chrono::NaiveDate) -> Option<Timestamp> {
    Timestamp::parse_rfc3339(&format!("{}T00:00:00Z", iso_date(day)))
}
