//! Activity: who did what, the people who run the service included.

use matterbook_core::store::LogRecord;
use maud::{Markup, html};

use super::layout::{Frame, table};
use crate::text::{time, words};

/// A page of the activity.
#[derive(Clone, Debug, Default)]
pub struct ActivityPage {
    /// What was done, the newest first.
    pub entries: Vec<LogRecord>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// This is not the first page.
    pub is_further: bool,
}

/// The page.
#[must_use]
pub fn activity(frame: &Frame<'_>, page: &ActivityPage) -> Markup {
    let content = html! {
        p { "What people did here, and what the people who run " (frame.service_name) " did for your firm. "
            "Changes that programs send show on the overview and at each client." }
        @if page.entries.is_empty() {
            div.empty { p { "Nothing was done yet. Keys, people, letters and downloads show here." } }
        } @else {
            (list(&page.entries))
        }
        div.pager {
            @if page.is_further { a href="/app/activity" { "Newest" } }
            @if let Some(next) = &page.next { a href={ "/app/activity?before=" (next) } { "Earlier" } }
        }
    };
    frame.page("Activity", "activity", &content)
}

fn list(entries: &[LogRecord]) -> Markup {
    let head = html! { th { "When" } th { "Who" } th { "What" } };
    let rows = html! {
        @for entry in entries {
            tr {
                td.nowrap { (time(entry.at)) }
                td { (entry.actor) }
                td { (sentence(&entry.action)) (client_link(entry)) (file_name(entry)) }
            }
        }
    };
    table("Activity", &head, &rows)
}

fn client_link(entry: &LogRecord) -> Markup {
    let is_client = entry.action == "client.mail_on";
    html! { @if is_client && entry.subject.len() == 36 {
        ": " a href={ "/app/clients/" (entry.subject) } { "the client" }
    } }
}

fn file_name(entry: &LogRecord) -> Markup {
    html! { @if entry.action == "import.begin" { ": " (entry.subject) } }
}

/// An action of the log in words.
#[must_use]
pub fn sentence(action: &str) -> String {
    let known = match action {
        "account.create" => "Opened the account",
        "account.set" => "Changed what is switched on for the account",
        "client.erase" => "Erased a client",
        "client.mail_on" => "Turned letters on",
        "change.undo" => "Took a change back",
        "review.decide" => "Decided about somebody who waited for review",
        "import.begin" => "Began to import a file",
        "import.end" => "Finished importing a file",
        "county.grant" => "Added a county",
        "county.revoke" => "Removed a county",
        "key.create" => "Made a key",
        "key.revoke" => "Ended a key",
        "login.add" => "Added a person",
        "login.link" => "Made a sign-in link",
        "login.remove" => "Removed a person",
        "login.set_role" => "Changed what a person may do",
        "session.end" => "Signed out",
        "session.end_all" => "Signed out everywhere",
        "passkey.add" => "Added a passkey",
        "passkey.remove" => "Removed a passkey",
        "passkey.rename" => "Renamed a passkey",
        "client.download" => "Downloaded clients",
        "prospect.download" => "Downloaded prospects",
        "session.begin" => "Signed in",
        other => return words(&other.replace('.', " ")),
    };
    known.to_owned()
}
