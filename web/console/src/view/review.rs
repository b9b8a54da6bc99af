//! Review: what was not saved, next to the clients that it may be.

use matterbook_core::{
    client::Client,
    normalize::Field,
    store::{ReviewItem, ReviewStatus},
    time::iso_date,
    uuid::Uuid,
};
use maud::{Markup, html};

use super::{
    client::{author_name, field_name, field_value},
    layout::{Frame, table},
};
use crate::text::{name, time};

/// What the page shows.
#[derive(Debug)]
pub struct ReviewPage {
    /// The items, each with the first clients that it may be.
    pub items: Vec<(ReviewItem, Vec<Client>)>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// It is not the first page.
    pub is_further: bool,
    /// The request of the decision that was just made.
    pub decided_by: Option<Uuid>,
}

/// The page.
#[must_use]
pub fn review(frame: &Frame<'_>, page: &ReviewPage) -> Markup {
    let content = html! {
        (tabs(false))
        p { "These people were sent and not saved, because it is not sure who they are, or because a value cannot be read. "
            "They wait here. Everything else went on." }
        @if let Some(decided_by) = page.decided_by {
            p { a href={ "/app/changes/" (decided_by) } { "Take this decision back" } }
        }
        @if page.is_further { p { a href="/app/review" { "Back to the newest" } } }
        @if page.items.is_empty() {
            div.empty { p { b { "Nothing waits for review." } } p { "When somebody is sent who cannot be saved, it shows here." } }
        }
        @for (item, clients) in &page.items { (one(frame, item, clients)) }
        @if let Some(next) = &page.next { p { a href={ "/app/review?before=" (next) } { "Earlier ones" } } }
    };
    frame.page("Review", "review", &content)
}

fn one(frame: &Frame<'_>, review: &ReviewItem, clients: &[Client]) -> Markup {
    let values = review.item.values();
    let value = |field: Field| values.iter().find(|(name, _)| *name == field.name()).map(|(_, text)| text.as_str());
    let title = name(value(Field::FirstName), value(Field::LastName)).unwrap_or_else(|| "(no name)".to_owned());
    let is_error = review.item.status == ReviewStatus::Error;
    let action = format!("/app/review/{}", review.item.id);
    html! {
        section.review aria-label=(title) {
            h2 { (title) }
            p { (reason(review, clients)) }
            p.quiet { "Sent by " (author_name(Some(&review.by))) ", last on " (time(review.last_seen_at)) "." }
            (comparison(&format!("{title}: what was sent, and the clients"), Some(&value), clients))
            @if frame.may_edit() {
                div.actions {
                    @for client in clients {
                        form method="post" action=(action) {
                            input type="hidden" name="decision" value="same";
                            input type="hidden" name="client" value=(client.id);
                            button { "The same person as " (shown_name(client)) }
                        }
                    }
                    @if !is_error {
                        form method="post" action=(action) {
                            input type="hidden" name="decision" value="another";
                            button { "Another person: add as a client" }
                        }
                    }
                    form method="post" action=(action) {
                        input type="hidden" name="decision" value="leave";
                        button { "Leave it" }
                    }
                }
            } @else {
                p { "Your login only looks at things. The owner or a teammate can decide." }
            }
        }
    }
}

/// Why it waits, in the words of the page.
fn reason(review: &ReviewItem, clients: &[Client]) -> String {
    if review.item.status == ReviewStatus::Error {
        return format!("It was not saved: {}", review.item.message.replace("external_id", "number"));
    }
    match clients.len() {
        0 => "It was not sure who this is. The clients that it may have been are gone.".to_owned(),
        1 => "A client with this name is here already. Is it the same person?".to_owned(),
        _ => "Several clients with this name are here already. Is it one of them?".to_owned(),
    }
}

/// The two pages of the section.
pub(super) fn tabs(is_similar: bool) -> Markup {
    html! {
        nav aria-label="Review" { ul {
            @for (is_here, path, name) in [
                (!is_similar, "/app/review", "Not saved"),
                (is_similar, "/app/review/similar", "Possible duplicates"),
            ] {
                li { a href=(path) aria-current=[is_here.then_some("page")] { (name) } }
            }
        } }
    }
}

/// A client's name, and its number where it has one.
pub(super) fn shown_name(client: &Client) -> String {
    let fields = &client.fields;
    let shown = name(fields.first_name.as_deref(), fields.last_name.as_deref());
    let shown = shown.unwrap_or_else(|| "(no name)".to_owned());
    fields.external_id.as_ref().map_or_else(|| shown.clone(), |number| format!("{shown}, number {number}"))
}

/// What was sent, if anything was, next to the clients, for each field that has a value in one of them.
pub(super) fn comparison<'v>(
    caption: &str,
    sent: Option<&dyn Fn(Field) -> Option<&'v str>>,
    clients: &[Client],
) -> Markup {
    let head = html! {
        th { "Field" }
        @if sent.is_some() { th { "Sent" } }
        @for client in clients { th { a href={ "/app/clients/" (client.id) } { "Client " (shown_name(client)) } } }
    };
    let rows = html! {
        @for field in Field::ALL {
            @let shown = |value: &str| field_value(field, value);
            @let known: Vec<_> = clients.iter().map(|client| stored(client, field)).collect();
            @let value = sent.and_then(|sent| sent(field));
            @if value.is_some() || known.iter().any(Option::is_some) {
                tr {
                    th scope="row" { (field_name(field)) }
                    @if sent.is_some() { td { (value.map(shown).unwrap_or_default()) } }
                    @for value in &known { td { (value.as_deref().map(shown).unwrap_or_default()) } }
                }
            }
        }
    };
    table(caption, &head, &rows)
}

fn stored(client: &Client, field: Field) -> Option<String> {
    let fields = &client.fields;
    if field == Field::DoNotMail {
        return fields.do_not_mail.then(|| "yes".to_owned());
    }
    let text = fields.texts().into_iter().find(|(known, _)| *known == field).and_then(|(_, text)| text.clone());
    let date = || fields.dates().into_iter().find(|(known, _)| *known == field).and_then(|(_, date)| date);
    text.map(|text| text.to_string()).or_else(|| date().map(|date| iso_date(date).to_string()))
}
