//! The ways in of the person who is signed in: passkeys and browsers.

use matterbook_core::{store::SessionRecord, uuid::Uuid};
use maud::{Markup, html};

use super::layout::{Frame, question, table};
use crate::text::time;

/// The page.
#[must_use]
pub fn passkeys(frame: &Frame<'_>, sessions: &[SessionRecord], this: Uuid) -> Markup {
    frame.page("Signing in", "signing-in", &own(sessions, this))
}

/// The ways in, for this page and for that of the account.
#[must_use]
pub fn own(sessions: &[SessionRecord], this: Uuid) -> Markup {
    html! {
        h2 { "Where you are signed in" }
        (browsers(sessions, this))
        p.quiet { "You are signed out after 12 hours without use, and after 30 days at the latest." }
        (question("Sign out everywhere…", "/app/settings/sign-out-everywhere",
            "Every browser in which you are signed in has to sign in again, this one too.", "Sign out everywhere"))
    }
}

fn browsers(sessions: &[SessionRecord], this: Uuid) -> Markup {
    let head = html! { th { "Browser" } th { "Signed in" } th { "Last used" } };
    let rows = html! {
        @for session in sessions {
            tr {
                th scope="row" { @if session.id == this { "This browser" } @else { "Another browser" } }
                td { (time(session.started_at)) }
                td { (time(session.used_at)) }
            }
        }
    };
    table("Where you are signed in", &head, &rows)
}
