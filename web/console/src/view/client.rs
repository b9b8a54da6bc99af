//! One client: the record, its letters and its settlements.

use matterbook_core::{
    client::{Client, Settlement},
    normalize::Field,
    store::{
        AuthorKind, CHANGES_SHOWN, ChangeAuthor, ClientChange, ClientHistory, ClientOrigin, ClientRecord, FieldChange,
        LettersOn, MAIL_ON_REASON_MAX, OriginKind,
    },
    time::parse_iso_date,
};
use maud::{Markup, html};

use super::{
    clients::letters,
    layout::{Frame, table},
};
use crate::text::{date, name, phone, time};

/// The page. `fault` says what is wrong with the reason that was given.
#[must_use]
pub fn client(frame: &Frame<'_>, view: &ClientRecord, fault: Option<&str>) -> Markup {
    let fields = &view.client.fields;
    let title = name(fields.first_name.as_deref(), fields.last_name.as_deref());
    let content = html! {
        p { a href="/app/clients" { "All clients" } }
        div.columns {
            section { h2 { "Record" } (record(&view.client, view.created_by.as_ref())) }
            section { h2 { "Letters" } (letters_section(frame, view, fault)) }
        }
        h2 { "Settlements" }
        (settlements(&view.settlements))
        h2 { "History" }
        (history(&view.history, frame.may_edit()))
        p.quiet { "Your case system is the source of this record, so it is changed there. The next change that it sends shows here." }
    };
    frame.page(title.as_deref().unwrap_or("(no name)"), "a-client", &content)
}

fn record(client: &Client, origin: Option<&ClientOrigin>) -> Markup {
    let fields = &client.fields;
    let state_zip =
        [fields.state.as_deref(), fields.zip.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let city = [fields.city.as_deref(), Some(state_zip.as_str()).filter(|text| !text.is_empty())];
    let city = city.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let address = [fields.address_line1.as_deref(), fields.address_line2.as_deref(), Some(city.as_str())];
    html! {
        dl.facts {
            dt { "Your system’s number" } dd { (known(fields.external_id.as_deref())) }
            dt { "Address" }
            dd { @for line in address.into_iter().flatten().filter(|line| !line.is_empty()) { (line) br; } }
            dt { "Phone" } dd { (known(fields.phone.as_deref().map(phone).as_deref())) }
            dt { "E-mail" } dd { (known(fields.email.as_deref())) }
            dt { "Case type" } dd { (known(fields.case_type.as_deref())) }
            dt { "Opened" } dd { (known(fields.opened_on.map(date).as_deref())) }
            dt { "Settled" } dd { (known(fields.settled_on.map(date).as_deref())) }
            dt { "First came in" } dd { (time(client.created_at)) @if let Some(origin) = origin { ", " (from(origin)) } }
            dt { "Last changed" } dd { (time(client.updated_at)) }
        }
    }
}

/// By what a client first came in.
fn from(origin: &ClientOrigin) -> String {
    let name = origin.name.as_deref();
    match origin.kind {
        OriginKind::Key => format!("with the key {}", name.unwrap_or("that has no name")),
        OriginKind::Person => format!("by {}", name.unwrap_or("someone who left")),
        OriginKind::Operator => "by the people who run the service".to_owned(),
    }
}

fn known(value: Option<&str>) -> Markup {
    html! { @match value { Some(value) => { (value) } None => { span.quiet { "not known" } } } }
}

fn letters_section(frame: &Frame<'_>, view: &ClientRecord, fault: Option<&str>) -> Markup {
    let is_off = view.client.fields.do_not_mail;
    html! {
        p { "Letters are " (letters(is_off)) "." }
        @if is_off {
            p { "Programs can turn letters off. Only a person turns them on again." }
            @if frame.may_edit() {
                form.stack method="post" action={ "/app/clients/" (view.client.id) "/letters-on" } {
                    div {
                        label for="reason" { "Why may letters be sent again?" }
                        input id="reason" name="reason" required maxlength=(MAIL_ON_REASON_MAX) aria-describedby="reason-hint"
                            aria-invalid=[fault.map(|_| "true")];
                        p.hint id="reason-hint" { "For example: asked for it by phone on 01/31/2026. Your name, the time "
                            "and this reason stay on the record." }
                        @if let Some(fault) = fault { p.fault { (fault) } }
                    }
                    button.main { "Turn letters on" }
                }
            } @else {
                p { "Your login only looks at things. The owner or a teammate can turn letters on." }
            }
        }
        @if !view.letters_on.is_empty() {
            p { "Turned on by a person:" }
            ul { @for one in view.letters_on.iter().rev() { li { (turned_on(one)) } } }
        }
    }
}

fn turned_on(one: &LettersOn) -> Markup {
    html! { (time(one.at)) " by " (one.actor) @if let Some(reason) = &one.reason { ": " (reason) } }
}

fn settlements(settlements: &[Settlement]) -> Markup {
    if settlements.is_empty() {
        return html! { div.empty { p { "No settlement is known. When your system sends a settled date, it shows here." } } };
    }
    let head = html! { th { "Settled on" } th { "Came in" } th { "Corrected from" } };
    let rows = html! {
        @for settlement in settlements.iter().rev() {
            tr {
                th scope="row" { (date(settlement.settled_on)) }
                td { (time(settlement.begun_at)) }
                td { (settlement.former_dates.iter().map(|day| date(*day)).collect::<Vec<_>>().join(", ")) }
            }
        }
    };
    table("Settlements", &head, &rows)
}

/// The changes, each with the values before and after.
fn history(history: &ClientHistory, may_edit: bool) -> Markup {
    if history.changes.is_empty() {
        return html! { div.empty { p { "No change of this client is on record any more." } } };
    }
    let head = html! { th { "When" } th { "By" } th { "What changed" } @if may_edit { th { "Undo" } } };
    let rows = html! {
        @for change in &history.changes {
            tr {
                th scope="row" { (time(change.at)) }
                td { (author_name(change.by.as_ref())) }
                td { (changed(change)) }
                @if may_edit { td.nowrap { (undo_link(change)) } }
            }
        }
    };
    html! {
        (table("History", &head, &rows))
        @if history.next.is_some() { p.quiet { "Only the newest " (CHANGES_SHOWN) " changes are shown." } }
    }
}

/// To the page that takes a change back, while its record is kept.
fn undo_link(change: &ClientChange) -> Markup {
    html! { @if let (Some(request), Some(_)) = (change.request_id, &change.by) {
        a href={ "/app/changes/" (request) } { "Undo…" }
    } }
}

/// Who made a change.
pub(super) fn author_name(by: Option<&ChangeAuthor>) -> String {
    match by {
        None => "not known any more".to_owned(),
        Some(ChangeAuthor { kind: AuthorKind::Key, label }) => {
            format!("the key {}", label.as_deref().unwrap_or("that has no name"))
        }
        Some(ChangeAuthor { kind: AuthorKind::Login, label }) => label.clone().unwrap_or("someone who left".to_owned()),
        Some(ChangeAuthor { kind: AuthorKind::Operator, .. }) => "the people who run the service".to_owned(),
    }
}

fn changed(change: &ClientChange) -> Markup {
    html! {
        @if change.before.is_none() { p { "First came in." } }
        (field_values(&change.fields()))
    }
}

/// Fields, each with the values before and after.
pub(super) fn field_values(fields: &[FieldChange]) -> Markup {
    html! {
        ul {
            @for FieldChange { field, from, to } in fields {
                li {
                    (field_name(*field)) ": "
                    @match (from, to) {
                        (None, Some(to)) => { (field_value(*field, to)) }
                        (Some(from), Some(to)) => { (field_value(*field, from)) " → " (field_value(*field, to)) }
                        (Some(from), None) => { (field_value(*field, from)) " → nothing" }
                        (None, None) => {}
                    }
                }
            }
        }
    }
}

/// The value of a field as people read it.
pub(super) fn field_value(field: Field, value: &str) -> String {
    match field {
        Field::Phone => phone(value),
        Field::OpenedOn | Field::SettledOn => parse_iso_date(value).map_or_else(|| value.to_owned(), date),
        Field::DoNotMail if value == "true" => "yes".to_owned(),
        Field::DoNotMail if value == "false" => "no".to_owned(),
        _ => value.to_owned(),
    }
}

/// What the page calls a field.
pub(super) fn field_name(field: Field) -> &'static str {
    match field {
        Field::ExternalId => "Your system’s number",
        Field::FirstName => "First name",
        Field::LastName => "Last name",
        Field::AddressLine1 => "Address",
        Field::AddressLine2 => "Address, line 2",
        Field::City => "City",
        Field::State => "State",
        Field::Zip => "ZIP",
        Field::Email => "E-mail",
        Field::Phone => "Phone",
        Field::CaseType => "Case type",
        Field::OpenedOn => "Opened",
        Field::SettledOn => "Settled",
        Field::DoNotMail => "No letters",
    }
}
