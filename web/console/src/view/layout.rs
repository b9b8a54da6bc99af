//! What every page has: its head, the navigation and the foot.

use matterbook_core::account::Role;
use maud::{DOCTYPE, Markup, html};

use crate::{files, text};

/// The parts of the console that the navigation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What came in.
    Overview,
    /// The firm's clients.
    Clients,
    /// Files of clients.
    Imports,
    /// What was not saved.
    Review,
    /// People in crashes.
    Prospects,
    /// Who did what.
    Activity,
    /// The keys of other programs.
    Keys,
    /// The logins of the firm.
    People,
    /// The firm's account.
    Account,
    /// The ways in of the person who is signed in.
    Passkeys,
}

/// The navigation: each section with its path, its name, and whether only owners have it.
const NAVIGATION: [(Section, &str, &str, bool); 10] = [
    (Section::Overview, "/app", "Overview", false),
    (Section::Clients, "/app/clients", "Clients", false),
    (Section::Imports, "/app/imports", "Import", false),
    (Section::Review, "/app/review", "Review", false),
    (Section::Prospects, "/app/prospects", "Prospects", false),
    (Section::Activity, "/app/activity", "Activity", false),
    (Section::Keys, "/app/settings/keys", "Keys", true),
    (Section::People, "/app/settings/people", "People", true),
    (Section::Account, "/app/settings/account", "Account", true),
    (Section::Passkeys, "/app/settings/passkeys", "Signing in", false),
];

/// Who sees a page, and where in the console it is.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// The name of the service.
    pub service_name: &'a str,
    /// The firm's address.
    pub account_email: &'a str,
    /// The address of the person who is signed in.
    pub login_email: &'a str,
    /// What this person may do.
    pub role: Role,
    /// The section of the page.
    pub section: Option<Section>,
    /// What was just done, or why it was not.
    pub notice: Option<Notice>,
}

/// A sentence above a page's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something was done.
    Done(String),
    /// Something was not done.
    Refused(String),
}

impl Notice {
    pub(super) fn markup(&self) -> Markup {
        let (class, role, sentence) = match self {
            Self::Done(sentence) => ("note good", "status", sentence),
            Self::Refused(sentence) => ("note warn", "alert", sentence),
        };
        html! { div class=(class) role=(role) { p { (sentence) } } }
    }
}

impl Frame<'_> {
    /// Whether the person may change clients.
    #[must_use]
    pub const fn may_edit(&self) -> bool {
        matches!(self.role, Role::Owner | Role::Teammate)
    }

    /// A whole page. `help` is the anchor of the help page that the foot links to.
    #[must_use]
    pub fn page(&self, title: &str, help: &str, content: &Markup) -> Markup {
        let is_owner = self.role == Role::Owner;
        let body = html! {
            header.top { div {
                div.who {
                    b { (self.service_name) }
                    @if self.account_email != self.login_email { span { (self.account_email) } }
                    span { "Signed in as " span data-login { (self.login_email) } " (" (text::role(self.role)) ")" }
                    form method="post" action="/app/sign-out" { button.link { "Sign out" } }
                }
                nav aria-label="Main" { ul {
                    @for (section, path, name, for_owners) in NAVIGATION {
                        @if is_owner || !for_owners {
                            li { a href=(path) aria-current=[(self.section == Some(section)).then_some("page")] { (name) } }
                        }
                    }
                } }
            } }
            main id="content" {
                h1 { (title) }
                @if let Some(notice) = &self.notice { (notice.markup()) }
                (content)
            }
            footer { a href={ "/app/help#" (help) } { "Help for this page" } }
        };
        document(self.service_name, title, &body)
    }
}

/// A page for somebody who is not signed in.
#[must_use]
pub fn outside(service_name: &str, title: &str, content: &Markup) -> Markup {
    let body = html! {
        header.top { div { div.who { b { (service_name) } } p {} } }
        main.small id="content" { h1 { (title) } (content) }
        footer { a href="/app/help#signing-in" { "Help for this page" } }
    };
    document(service_name, title, &body)
}

fn document(service_name: &str, title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) " · " (service_name) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(files::STYLE.path);
                script type="module" src=(files::SCRIPT.path) {}
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                (body)
            }
        }
    }
}

/// A table that scrolls by itself where the window is narrow. Its name is read to people who do not see it.
#[must_use]
pub fn table(name: &str, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(name) tabindex="0" {
            table { thead { tr { (head) } } tbody { (rows) } }
        }
    }
}

/// A question before something that cannot be undone: the form opens where the person asks for it.
#[must_use]
pub fn question(ask: &str, action: &str, sentence: &str, answer: &str) -> Markup {
    html! {
        details.ask {
            summary { (ask) }
            form method="post" action=(action) {
                p { (sentence) }
                button.bad { (answer) }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn frame(role: Role) -> Frame<'static> {
        Frame {
            service_name: "Matterbook",
            account_email: "office@example.com",
            login_email: "ana@example.com",
            role,
            section: Some(Section::Clients),
            notice: None,
        }
    }

    #[test]
    fn only_an_owner_has_links_to_keys_people_and_account() {
        for role in Role::ALL {
            let page = frame(role).page("Clients", "clients", &html! {}).into_string();
            for path in ["/app/settings/keys", "/app/settings/people", "/app/settings/account"] {
                assert_eq!(page.contains(path), role == Role::Owner, "{role:?} {path}");
            }
            assert!(page.contains("href=\"/app/clients\" aria-current=\"page\""), "{page}");
        }
    }

    #[test]
    fn a_page_has_no_inline_script_style_or_handler_and_text_is_text() {
        let mut frame = frame(Role::Owner);
        frame.account_email = "<script>alert(1)</script>";
        frame.notice = Some(Notice::Refused("a \"quoted\" <b>".to_owned()));
        let page = frame.page("<i>", "clients", &html! {}).into_string();
        assert!(!page.contains("<script>") && !page.contains("style=") && !page.contains("<i>"), "{page}");
        assert!(!page.contains(" on") || !page.contains("onclick"), "{page}");
        assert!(page.contains("role=\"alert\""), "{page}");
    }
}
