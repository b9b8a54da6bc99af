//! People: the logins of the firm. Owners only.

use matterbook_core::{
    account::{Login, Role},
    store::PasskeyRecord,
    time::Timestamp,
    uuid::Uuid,
};
use maud::{Markup, html};

use super::layout::{Frame, question, table};
use crate::{
    form::Field,
    text::{self, time},
};

/// What the form for a new person holds.
#[derive(Clone, Debug, Default)]
pub struct PersonForm {
    /// The person's address.
    pub email: Field,
    /// The role, as its name in the database.
    pub role: String,
}

/// The page. `me` is the login that is signed in.
#[must_use]
pub fn people(frame: &Frame<'_>, people: &[Login], me: Uuid, form: &PersonForm) -> Markup {
    let content = html! {
        p { "Everybody who works with your client list has a login of their own. Add the person, then make a sign-in link "
            "and pass it on." }
        (new_form(form))
        h2 { "Your people" }
        (list(people, me))
        @if people.len() == 1 {
            div.empty { p { "You are alone here. Add a second owner, so that someone can let you in if you lose your passkey." } }
        }
    };
    frame.page("People", "people", &content)
}

/// What a role may do, in a few words.
const fn explained(role: Role) -> &'static str {
    match role {
        Role::Owner => "Owner: everything, also keys and people",
        Role::Teammate => "Teammate: clients and prospects",
        Role::ViewOnly => "View only: looks, changes nothing",
    }
}

fn roles(chosen: Role) -> Markup {
    html! { @for role in Role::ALL { option value=(role.name()) selected[role == chosen] { (explained(role)) } } }
}

fn new_form(form: &PersonForm) -> Markup {
    html! {
        h2 { "Add a person" }
        form.filters method="post" action="/app/settings/people" {
            div.long {
                label for="email" { "E-mail" }
                input id="email" name="email" type="email" required maxlength="320" value=(form.email.value)
                    autocomplete="off" aria-invalid=[form.email.fault.map(|_| "true")];
                (form.email.fault())
            }
            div.long {
                label for="role" { "May do" }
                select id="role" name="role" { (roles(Role::from_name(&form.role).unwrap_or(Role::Teammate))) }
            }
            div.buttons { button.main { "Add" } }
        }
    }
}

fn list(people: &[Login], me: Uuid) -> Markup {
    let head = html! {
        th { "E-mail" } th { "May do" } th.wide { "Added" } th { "Actions" }
    };
    let rows = html! {
        @for login in people {
            @let path = format!("/app/settings/people/{}", login.id);
            tr {
                th scope="row" { (login.email) @if login.id == me { " " span.tag { "you" } } }
                td { (text::role(login.role)) }
                td.wide { (time(login.created_at)) }
                td {
                    @if login.id != me {
                        p { a href={ (path) "/passkeys" } { "Passkeys" } }
                    }
                    form method="post" action={ (path) "/link" } { button { "Make a sign-in link" } }
                    (change_role(login, &path))
                    (question("Sign out everywhere…", &format!("{path}/sign-out"),
                        "Every browser in which this person is signed in has to sign in again.", "Sign out everywhere"))
                    @if login.id != me {
                        (question("Remove…", &format!("{path}/remove"),
                            "This person cannot sign in any more, and the keys that this person made stop working at once.",
                            "Remove"))
                    }
                }
            }
        }
    };
    table("Your people", &head, &rows)
}

fn change_role(login: &Login, path: &str) -> Markup {
    let id = format!("role-{}", login.id);
    html! {
        details.ask {
            summary { "Change what this person may do…" }
            form method="post" action={ (path) "/role" } {
                label for=(id) { "May do" }
                p { select id=(id) name="role" { (roles(login.role)) } }
                p { "The person has to sign in again." }
                button { "Change" }
            }
        }
    }
}

/// The page of a person's passkeys, for an owner.
#[must_use]
pub fn passkeys(frame: &Frame<'_>, person: &Login, known: &[PasskeyRecord]) -> Markup {
    let action = format!("/app/settings/people/{}/passkeys", person.id);
    let head = html! { th { "Name" } th.wide { "Added" } th { "Last used" } th { "Actions" } };
    let rows = html! {
        @for passkey in known {
            tr {
                th scope="row" { (passkey.name) }
                td.wide { (time(passkey.created_at)) }
                td { @match passkey.last_used_at { Some(at) => { (time(at)) } None => { "never" } } }
                td {
                    details.ask {
                        summary { "Remove…" }
                        form method="post" action=(action) {
                            p { "It does not sign in any more. Without another passkey this person needs a sign-in link." }
                            button.bad name="passkey" value=(passkey.id) { "Remove" }
                        }
                    }
                }
            }
        }
    };
    let content = html! {
        p { "The devices by which " b { (person.email) } " signs in. Remove one that is lost, and sign the person out "
            "everywhere." }
        @if known.is_empty() {
            div.empty { p { "This person has no passkey, and signs in by a link." } }
        } @else {
            (table("Passkeys of this person", &head, &rows))
        }
        p { a href="/app/settings/people" { "Back to people" } }
    };
    frame.page("Passkeys of a person", "people", &content)
}

/// The page that shows a new sign-in link.
#[must_use]
pub fn new_link(frame: &Frame<'_>, email: &str, url: &str, ends_at: Timestamp) -> Markup {
    let content = html! {
        p { "This link signs in " b { (email) } " once, until " (time(ends_at)) ". Pass it on to this person alone, "
            "for example in your office’s chat." }
        div.secret {
            code id="new-link" { (url) }
            button type="button" data-copies="new-link" hidden { "Copy" }
        }
        p { "It is shown only this once. If it is lost, make another; the earlier one then stops working." }
        p { a href="/app/settings/people" { "Back to people" } }
    };
    frame.page("A sign-in link", "people", &content)
}
