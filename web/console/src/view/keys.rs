//! Keys: what other programs send and fetch clients with. Owners only.

use matterbook_core::{
    account::{KeyRecord, Login},
    key::KeyScope,
    time::Timestamp,
    uuid::Uuid,
};
use maud::{Markup, html};

use super::layout::{Frame, question, table};
use crate::{
    form::Field,
    text::{date, day, time},
};

/// Keys that were not used for so many days are marked.
pub const UNUSED_DAYS: i64 = 90;

/// What the form for a new key holds.
#[derive(Clone, Debug, Default)]
pub struct KeyForm {
    /// The id that the key will have, so that a form that a browser sends twice makes one key.
    pub id: Uuid,
    /// What the key is for.
    pub label: Field,
    /// The last day on which it works.
    pub ends_on: Field,
    /// What it may do: `clients`, `prospects`, or empty for both.
    pub scope: String,
}

/// A key that was just made. It is shown this once.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The key.
    pub key: String,
    /// What it is for.
    pub label: Option<String>,
    /// What it may do.
    pub scope: Option<KeyScope>,
    /// The address of the API, such as `https://firm.example/api/v1`.
    pub base: String,
}

/// The page.
#[must_use]
pub fn keys(frame: &Frame<'_>, keys: &[KeyRecord], people: &[Login], form: &KeyForm, now: Timestamp) -> Markup {
    let content = html! {
        p { "A key lets a program, such as your case system or Zapier, send clients to your list and fetch them. "
            "Give each program a key of its own, so that you can end one without the others." }
        (new_form(form))
        h2 { "Your keys" }
        @if keys.is_empty() {
            div.empty { p { "There is no key yet. Make the first one above, and paste it into the program that needs it." } }
        } @else {
            (list(keys, people, now))
        }
    };
    frame.page("Keys", "keys", &content)
}

fn new_form(form: &KeyForm) -> Markup {
    html! {
        h2 { "Make a key" }
        form.filters method="post" action="/app/settings/keys" {
            input type="hidden" name="id" value=(form.id);
            div.long {
                label for="label" { "What is it for?" }
                input id="label" name="label" required maxlength="100" value=(form.label.value)
                    aria-describedby="label-hint" aria-invalid=[form.label.fault.map(|_| "true")];
                p.hint id="label-hint" { "For example: Zapier, or the name of your case system" }
                (form.label.fault())
            }
            div.middle {
                label for="scope" { "What may it do?" }
                select id="scope" name="scope" {
                    option value="" { "Clients and prospects" }
                    option value="clients" selected[form.scope == "clients"] { "Only clients" }
                    option value="prospects" selected[form.scope == "prospects"] { "Only prospects" }
                }
            }
            div {
                label for="ends_on" { "Last day (optional)" }
                input id="ends_on" name="ends_on" type="date" value=(form.ends_on.value)
                    aria-invalid=[form.ends_on.fault.map(|_| "true")];
                (form.ends_on.fault())
            }
            div.buttons { button.main { "Make the key" } }
        }
    }
}

fn list(keys: &[KeyRecord], people: &[Login], now: Timestamp) -> Markup {
    let head = html! {
        th { "For" } th { "Last four" } th.wide { "May do" } th.wide { "Made by" } th.wide { "Made" } th { "Last used" } th.wide { "Last day" }
        th { "Action" }
    };
    let rows = html! {
        @for key in keys {
            tr {
                th scope="row" { (key.label.as_deref().unwrap_or("(no name)")) }
                td { code { "…" (key.last_four) } }
                td.wide { (scope(key.scope)) }
                td.wide { (people.iter().find(|login| login.id == key.login_id).map_or("someone who left", |login| &login.email)) }
                td.wide.nowrap { (time(key.created_at)) }
                td { (last_use(key, now)) }
                td.wide.nowrap { @match key.ends_at { Some(end) => { (last_day(end)) } None => { "none" } } }
                td.actions { (action(key, now)) }
            }
        }
    };
    table("Your keys", &head, &rows)
}

/// The last whole day on which a key works that ends at this time. The console ends keys at midnight, UTC.
fn last_day(end: Timestamp) -> String {
    day(end.plus_seconds(-1)).map(date).unwrap_or_default()
}

fn last_use(key: &KeyRecord, now: Timestamp) -> Markup {
    let is_unused = key.last_used_at.unwrap_or(key.created_at).plus_seconds(UNUSED_DAYS * 86_400) <= now;
    html! {
        @match key.last_used_at { Some(at) => { (time(at)) } None => { "never" } }
        @if is_unused && key.revoked_at.is_none() { " " span.tag.warn { "unused for " (UNUSED_DAYS) " days" } }
    }
}

fn action(key: &KeyRecord, now: Timestamp) -> Markup {
    if let Some(at) = key.revoked_at {
        return html! { span.tag { "ended" } " " (time(at)) };
    }
    if key.ends_at.is_some_and(|end| end <= now) {
        return html! { span.tag { "over" } };
    }
    question(
        "End this key…",
        &format!("/app/settings/keys/{}/revoke", key.id),
        "The program that uses this key stops working at once. A key that was ended cannot be used again.",
        "End the key",
    )
}

/// What a key may do.
fn scope(scope: Option<KeyScope>) -> &'static str {
    match scope {
        None => "clients and prospects",
        Some(KeyScope::Clients) => "only clients",
        Some(KeyScope::Prospects) => "only prospects",
    }
}

/// The page that shows a new key.
#[must_use]
pub fn new_key(frame: &Frame<'_>, new: &NewKey) -> Markup {
    let path = match new.scope {
        Some(KeyScope::Prospects) => "prospects?limit=1",
        _ => "me",
    };
    let content = html! {
        div class="note good" role="status" {
            p { b { "Copy this key now." } " It is shown only this once. If it is lost, end it and make another." }
        }
        div.secret {
            code id="new-key" { (new.key) }
            button type="button" data-copies="new-key" hidden { "Copy" }
        }
        p { "It is for " b { (new.label.as_deref().unwrap_or("(no name)")) } " and may use " (scope(new.scope)) ". "
            "Whoever has it can do the same, so do not send it by e-mail." }
        h2 { "In Zapier, Make or n8n" }
        p { "Choose “API key” or “bearer token”, paste the key there, and use the address " code { (new.base) } "." }
        h2 { "To try it on a command line" }
        pre id="curl" { "curl -H \"Authorization: Bearer " (new.key) "\" " (new.base) "/" (path) }
        p { button type="button" data-copies="curl" hidden { "Copy" } }
        p { a href="/app/settings/keys" { "I have copied the key: back to all keys" } }
    };
    frame.page("Your new key", "keys", &content)
}
