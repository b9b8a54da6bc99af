//! The ways in of the person who is signed in: passkeys and browsers.

use matterbook_core::{
    store::{PasskeyRecord, SessionRecord},
    uuid::Uuid,
};
use maud::{Markup, html};

use super::layout::{Frame, question, table};
use crate::{files, text::time};

/// The ways in of a person.
#[derive(Clone, Debug)]
pub struct WaysIn {
    /// Where the person is signed in.
    pub sessions: Vec<SessionRecord>,
    /// The session of this browser.
    pub this: Uuid,
    /// The passkeys, and what makes another; `None` where none are offered.
    pub passkeys: Option<Passkeys>,
}

/// The passkeys of a person, and what a browser needs to make another.
#[derive(Clone, Debug)]
pub struct Passkeys {
    /// The passkeys, oldest first.
    pub known: Vec<PasskeyRecord>,
    /// The name of the host that they are for.
    pub host: String,
    /// What the new passkey signs: base64url.
    pub challenge: String,
    /// The id of the login: base64url.
    pub user: String,
    /// The credential ids that the new one differs from: base64url, separated by spaces.
    pub known_ids: String,
}

/// The page.
#[must_use]
pub fn passkeys(frame: &Frame<'_>, ways: &WaysIn) -> Markup {
    frame.page("Signing in", "signing-in", &own(ways))
}

/// The ways in, for this page and for that of the account.
#[must_use]
pub fn own(ways: &WaysIn) -> Markup {
    html! {
        @if let Some(passkeys) = &ways.passkeys { h2 { "Passkeys" } (passkeys_section(passkeys)) }
        h2 { "Where you are signed in" }
        (browsers(&ways.sessions, ways.this))
        p.quiet { "You are signed out after 12 hours without use, and after 30 days at the latest." }
        (question("Sign out everywhere…", "/app/settings/sign-out-everywhere",
            "Every browser in which you are signed in has to sign in again, this one too.", "Sign out everywhere"))
    }
}

fn passkeys_section(passkeys: &Passkeys) -> Markup {
    html! {
        p { "With a passkey you sign in by the lock of your computer or phone: a fingerprint, a face or a PIN. Add one on "
            "each device that you use." }
        @if passkeys.known.is_empty() {
            div.empty { p { "You have no passkey yet. Add one under Signing in, so that you need no link next time." } }
        } @else {
            (known(&passkeys.known))
        }
        form.filters method="post" action="/app/settings/passkeys" data-passkey="create" data-challenge=(passkeys.challenge)
            data-host=(passkeys.host) data-user=(passkeys.user) data-known=(passkeys.known_ids) {
            input type="hidden" name="credential_id";
            input type="hidden" name="credential";
            div.long {
                label for="passkey-name" { "Name of the device" }
                input id="passkey-name" name="name" required maxlength="100" aria-describedby="passkey-hint";
                p.hint id="passkey-hint" { "For example: office laptop" }
            }
            div.buttons { button.main { "Add a passkey" } }
        }
        p.fault data-passkey-fault hidden role="alert" { "No passkey was made. Try again, or use another browser." }
        script type="module" src=(files::PASSKEYS.path) {}
        noscript { p { "Adding a passkey needs scripts, which are off in this browser." } }
    }
}

fn known(known: &[PasskeyRecord]) -> Markup {
    let head = html! { th { "Name" } th.wide { "Added" } th { "Last used" } th { "Actions" } };
    let rows = html! {
        @for passkey in known {
            @let path = format!("/app/settings/passkeys/{}", passkey.id);
            @let id = format!("name-{}", passkey.id);
            tr {
                th scope="row" { (passkey.name) }
                td.wide { (time(passkey.created_at)) }
                td { @match passkey.last_used_at { Some(at) => { (time(at)) } None => { "never" } } }
                td {
                    details.ask {
                        summary { "Rename…" }
                        form method="post" action={ (path) "/rename" } {
                            label for=(id) { "Name of the device" }
                            p { input id=(id) name="name" required maxlength="100" value=(passkey.name); }
                            button { "Rename" }
                        }
                    }
                    (question("Remove…", &format!("{path}/remove"), "It does not sign in any more.", "Remove"))
                }
            }
        }
    };
    table("Your passkeys", &head, &rows)
}

/// The form for signing in with a passkey. Its script shows it where the browser has passkeys.
#[must_use]
pub fn sign_in_form(host: &str, challenge: &str) -> Markup {
    html! {
        form method="post" action="/app/sign-in" data-passkey="get" data-challenge=(challenge) data-host=(host) hidden {
            input type="hidden" name="credential_id";
            input type="hidden" name="credential";
            p { button.main { "Sign in with a passkey" } }
        }
        p.fault data-passkey-fault hidden role="alert" { "The passkey was not used. Try again, or use a link." }
        script type="module" src=(files::PASSKEYS.path) {}
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
