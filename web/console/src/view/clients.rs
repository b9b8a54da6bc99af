//! The list of clients: search, filters, and the page of the result.

use matterbook_core::{client::Client, time::iso_date};
use maud::{Markup, html};

use super::layout::{Frame, table};
use crate::{
    form::Field,
    text::{count, date, name, phone, time},
};

/// What the person searches for, as typed.
#[derive(Clone, Debug, Default)]
pub struct ClientsForm {
    /// Part of a name, number, e-mail, phone or ZIP.
    pub text: Field,
    /// Settled on this day or later.
    pub settled_from: Field,
    /// Settled on this day or earlier.
    pub settled_to: Field,
    /// The case type.
    pub case_type: Field,
    /// Changed on this day or later.
    pub changed_since: Field,
    /// Only clients who get no letters.
    pub letters_off: bool,
}

impl ClientsForm {
    fn fields(&self) -> [(&'static str, &Field); 5] {
        [
            ("q", &self.text),
            ("settled_from", &self.settled_from),
            ("settled_to", &self.settled_to),
            ("case_type", &self.case_type),
            ("changed_since", &self.changed_since),
        ]
    }

    /// Whether all clients are asked for.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.pairs().is_empty()
    }

    /// Whether each field can be read.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.fields().into_iter().all(|(_, field)| field.fault.is_none())
    }

    /// The names and values that a request sends.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        let letters = if self.letters_off { "off" } else { "" };
        let fields = self.fields().map(|(name, field)| (name, field.value.as_str()));
        fields.into_iter().chain([("letters", letters)]).filter(|(_, value)| !value.is_empty()).collect()
    }

    /// The search as a query string, with the position of another page.
    #[must_use]
    pub fn query(&self, before: Option<&str>) -> String {
        let before = before.map(|before| ("before", before));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs().into_iter().chain(before)).finish()
    }
}

/// A page of the result.
#[derive(Clone, Debug, Default)]
pub struct ClientsPage {
    /// The clients, the one that changed last first.
    pub clients: Vec<Client>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// This is not the first page.
    pub is_further: bool,
    /// The search stopped before it had looked at all clients; `next` goes on.
    pub is_cut: bool,
}

/// The page. `result` is `None` where the search cannot be read.
#[must_use]
pub fn clients(frame: &Frame<'_>, form: &ClientsForm, result: Option<&ClientsPage>) -> Markup {
    let content = html! {
        (filters(form))
        @if let Some(result) = result { (found(form, result)) }
    };
    frame.page("Clients", "clients", &content)
}

fn filters(form: &ClientsForm) -> Markup {
    html! {
        form.filters action="/app/clients" role="search" aria-label="Clients" {
            div.long {
                label for="q" { "Search" }
                input id="q" name="q" type="search" value=(form.text.value) maxlength="200" aria-describedby="q-hint";
                p.hint id="q-hint" { "Part of a name, your system’s number, e-mail, phone or ZIP" }
                (form.text.fault())
            }
            (form.settled_from.date_input("settled_from", "Settled from"))
            (form.settled_to.date_input("settled_to", "Settled to"))
            (form.changed_since.date_input("changed_since", "Changed since"))
            div {
                label for="case_type" { "Case type" }
                input id="case_type" name="case_type" value=(form.case_type.value) maxlength="200";
                (form.case_type.fault())
            }
            div.check {
                label.check {
                    input type="checkbox" name="letters" value="off" checked[form.letters_off];
                    "Letters off"
                }
            }
            div.buttons {
                button.main { "Search" }
                @if !form.is_open() { " " a.button href="/app/clients" { "Show all" } }
            }
        }
    }
}

fn found(form: &ClientsForm, result: &ClientsPage) -> Markup {
    html! {
        @if result.clients.is_empty() {
            div.empty { (nothing(form, result)) }
        } @else {
            (rows(&result.clients))
        }
        div.pager {
            @if result.is_further { a href={ "/app/clients?" (form.query(None)) } { "First page" } }
            @if let Some(next) = &result.next {
                a href={ "/app/clients?" (form.query(Some(next))) } {
                    @if result.is_cut { "Go on searching" } @else { "Next page" }
                }
            }
            @if !result.clients.is_empty() {
                span.quiet { (count(result.clients.len() as u64)) " on this page, the one that changed last first" }
                form method="post" action="/app/clients.csv" {
                    @for (name, value) in form.pairs() { input type="hidden" name=(name) value=(value); }
                    button.link { "Download all that match as CSV" }
                    button.link formaction="/app/clients.xlsx" { "Download for Excel (XLSX)" }
                }
            }
        }
    }
}

fn nothing(form: &ClientsForm, result: &ClientsPage) -> Markup {
    html! {
        @if result.is_cut {
            p { "None so far. There are more clients to look through." }
        } @else if form.is_open() && !result.is_further {
            p { b { "There are no clients yet." } }
            p { "Clients come in from your case system or from a program such as Zapier, with a key. "
                "The owner of the account makes one under Keys." }
        } @else if result.is_further {
            p { "There are no further clients." }
        } @else {
            p { "No client matches. Try a shorter part of the name or number, or fewer filters." }
        }
    }
}

fn rows(clients: &[Client]) -> Markup {
    let head = html! {
        th { "Name" } th { "Your system’s number" } th.wide { "Address" } th { "Phone" } th.wide { "E-mail" }
        th.wide { "Case type" } th { "Settled" } th { "Letters" } th.wide { "Changed" }
    };
    let rows = html! {
        @for client in clients {
            @let fields = &client.fields;
            tr {
                th scope="row" { a href={ "/app/clients/" (client.id) } {
                    (name(fields.first_name.as_deref(), fields.last_name.as_deref()).as_deref().unwrap_or("(no name)"))
                } }
                td { (fields.external_id.as_deref().unwrap_or_default()) }
                td.wide { (place(client)) }
                td.nowrap { (fields.phone.as_deref().map(phone).unwrap_or_default()) }
                td.wide { (fields.email.as_deref().unwrap_or_default()) }
                td.wide { (fields.case_type.as_deref().unwrap_or_default()) }
                td.nowrap { (fields.settled_on.map(date).unwrap_or_default()) }
                td { (letters(fields.do_not_mail)) }
                td.wide.nowrap { (time(client.updated_at)) }
            }
        }
    };
    table("Clients", &head, &rows)
}

/// Street, city, state and ZIP on one line.
fn place(client: &Client) -> String {
    let fields = &client.fields;
    let state_zip =
        [fields.state.as_deref(), fields.zip.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts = [fields.address_line1.as_deref(), fields.city.as_deref(), Some(state_zip.as_str())];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Whether letters are sent to a client.
#[must_use]
pub fn letters(do_not_mail: bool) -> Markup {
    html! { @if do_not_mail { span.tag.warn { "off" } } @else { "on" } }
}

/// The first row of a downloaded list.
pub const COLUMNS: [&str; 16] = [
    "Your system's number",
    "First name",
    "Last name",
    "Address",
    "Address, line 2",
    "City",
    "State",
    "ZIP",
    "E-mail",
    "Phone",
    "Case type",
    "Opened on",
    "Settled on",
    "Letters",
    "First came in (UTC)",
    "Changed (UTC)",
];

/// A client's row of a downloaded list, in the order of [`COLUMNS`].
#[must_use]
pub fn row(client: &Client) -> [String; 16] {
    let fields = &client.fields;
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    [
        text(fields.external_id.as_deref()),
        text(fields.first_name.as_deref()),
        text(fields.last_name.as_deref()),
        text(fields.address_line1.as_deref()),
        text(fields.address_line2.as_deref()),
        text(fields.city.as_deref()),
        text(fields.state.as_deref()),
        text(fields.zip.as_deref()),
        text(fields.email.as_deref()),
        text(fields.phone.as_deref()),
        text(fields.case_type.as_deref()),
        fields.opened_on.map(|day| iso_date(day).to_string()).unwrap_or_default(),
        fields.settled_on.map(|day| iso_date(day).to_string()).unwrap_or_default(),
        if fields.do_not_mail { "off" } else { "on" }.to_owned(),
        client.created_at.to_string(),
        client.updated_at.to_string(),
    ]
}
