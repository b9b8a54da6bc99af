//! Every page and form × role × state of the account × state of the session.

use matterbook_console::{Audience, endpoints};
use serde_json::json;

use super::browser::{Browser, link, member, open};
use crate::wire::{CaseResult, Failure, Firm, Service, failure::holds};

/// A page or form, what is sent with it, and what it needs besides a session and a role.
struct Row {
    method: &'static str,
    template: &'static str,
    form: &'static str,
    needs: Needs,
    /// The status for somebody who may.
    status: u16,
}

/// What the account needs for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    Api,
    Bundle,
}

impl Row {
    /// The template without the query string.
    fn path(&self) -> &'static str {
        self.template.split('?').next().unwrap_or_default()
    }

    /// The status without an open session: a page leads to the page for signing in, and a request of a script says so.
    fn signed_out(&self) -> u16 {
        if self.template.starts_with("/app/imports/") { 401 } else { 303 }
    }
}

const fn row(method: &'static str, template: &'static str, form: &'static str, needs: Needs, status: u16) -> Row {
    Row { method, template, form, needs, status }
}

use Needs::{Api, Bundle, Nothing};

/// Forms name things that are not there, so that no cell changes what the next one meets.
const ROWS: [Row; 45] = [
    row("GET", "/app", "", Api, 200),
    row("GET", "/app/sign-in", "", Nothing, 200),
    row("POST", "/app/sign-out", "", Nothing, 303),
    row("GET", "/app/link/{token}", "", Nothing, 403),
    row("POST", "/app/link/{token}", "", Nothing, 403),
    row("GET", "/app/clients", "", Api, 200),
    row("POST", "/app/clients.csv", "", Api, 200),
    row("POST", "/app/clients.xlsx", "", Api, 200),
    row("GET", "/app/clients/{client}", "", Api, 404),
    row("POST", "/app/clients/{client}/letters-on", "reason=x", Api, 404),
    row("GET", "/app/changes/{change}", "", Api, 404),
    row("POST", "/app/changes/{change}/undo", "", Api, 404),
    row("GET", "/app/imports", "", Api, 200),
    row("POST", "/app/imports/new", "{}", Api, 400),
    row("GET", "/app/imports/mappings", "", Api, 200),
    row("POST", "/app/imports/preview", "{\"clients\":[]}", Api, 200),
    row("GET", "/app/imports/{import}", "", Api, 404),
    row("POST", "/app/imports/{import}/batch?from=0&rows=1", "{\"clients\":[]}", Api, 404),
    row("POST", "/app/imports/{import}/end", "", Api, 404),
    row("GET", "/app/review", "", Api, 200),
    row("GET", "/app/review/similar", "", Api, 200),
    row("POST", "/app/review/similar", "pair=x&decision=same", Api, 404),
    row("POST", "/app/review/{item}", "decision=leave", Api, 404),
    row("GET", "/app/prospects", "", Bundle, 200),
    row("POST", "/app/prospects.csv", "", Bundle, 200),
    row("POST", "/app/prospects.xlsx", "", Bundle, 200),
    row("GET", "/app/settings/keys", "", Nothing, 200),
    row("POST", "/app/settings/keys", "label=x", Api, 200),
    row("POST", "/app/settings/keys/{key}/revoke", "", Nothing, 404),
    row("GET", "/app/settings/people", "", Nothing, 200),
    row("POST", "/app/settings/people", "email=new@example.com&role=teammate", Nothing, 303),
    row("POST", "/app/settings/people/{login}/role", "role=teammate", Nothing, 404),
    row("POST", "/app/settings/people/{login}/link", "", Nothing, 404),
    row("POST", "/app/settings/people/{login}/remove", "", Nothing, 404),
    row("POST", "/app/settings/people/{login}/sign-out", "", Nothing, 404),
    row("GET", "/app/settings/people/{login}/passkeys", "", Nothing, 404),
    row("POST", "/app/settings/people/{login}/passkeys", "passkey=0196f1b0-0000-7000-8000-000000000000", Nothing, 404),
    row("GET", "/app/settings/account", "", Nothing, 200),
    row("GET", "/app/settings/passkeys", "", Nothing, 200),
    row("GET", "/app/activity", "", Nothing, 200),
    row("GET", "/app/help", "", Nothing, 200),
    row("POST", "/app/sign-in", "", Nothing, 303),
    row("POST", "/app/settings/passkeys", "name=x", Nothing, 303),
    row("POST", "/app/settings/passkeys/{passkey}/rename", "name=x", Nothing, 404),
    row("POST", "/app/settings/passkeys/{passkey}/remove", "", Nothing, 404),
];

/// What the account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Account {
    Whole,
    WithoutBundle,
    WithoutApi,
    Suspended,
}

impl Account {
    const ALL: [Self; 4] = [Self::Whole, Self::WithoutBundle, Self::WithoutApi, Self::Suspended];

    fn set(self, firm: &Firm<'_>) -> CaseResult {
        let flags = json!({
            "api_enabled": self != Self::WithoutApi,
            "digital_bundle": self != Self::WithoutBundle,
            "suspended": self == Self::Suspended,
        });
        firm.set(&flags).map(drop)
    }

    const fn has(self, needs: Needs) -> bool {
        !matches!((self, needs), (Self::WithoutApi, Api | Bundle) | (Self::WithoutBundle, Bundle))
    }
}

/// The status of a cell, from its row and its states alone.
fn expected(row: &Row, audience: Audience, role: matterbook_core::account::Role, account: Account) -> u16 {
    if audience == Audience::Everybody {
        return row.status;
    }
    if account == Account::Suspended {
        // A person who reads why may still sign out.
        return if row.template == "/app/sign-out" { row.status } else { 403 };
    }
    if !audience.admits(role) {
        return if audience == Audience::Owners { 404 } else { 403 };
    }
    if account.has(row.needs) { row.status } else { 403 }
}

fn audience(row: &Row) -> Audience {
    let found = endpoints().find(|(method, template, _)| *method == row.method && *template == row.path());
    found.map_or(Audience::Owners, |(_, _, audience)| audience)
}

fn path(row: &Row) -> String {
    // No id and no token is this.
    let id = "0196f1b0-0000-7000-8000-000000000000";
    let token = "A".repeat(43);
    row.template
        .replace("{token}", &token)
        .replace("{client}", id)
        .replace("{change}", id)
        .replace("{import}", id)
        .replace("{item}", id)
        .replace("{key}", id)
        .replace("{login}", id)
        .replace("{passkey}", id)
}

fn send(browser: &Browser<'_>, row: &Row) -> Result<u16, Failure> {
    let answer = if row.method == "GET" { browser.get(&path(row))? } else { browser.post(&path(row), row.form)? };
    Ok(answer.status)
}

/// Walks all cells.
pub(super) fn check(service: &dyn Service) -> CaseResult {
    use matterbook_core::account::Role;

    let firm = open(service)?;
    let logins = [
        (Role::Owner, firm.owner.clone()),
        (Role::Teammate, member(service, &firm, "teammate")?.0),
        (Role::ViewOnly, member(service, &firm, "view_only")?.0),
    ];
    for account in Account::ALL {
        for (role, login) in &logins {
            // Sign-in is refused while the account is suspended, and a session that was open then says why.
            Account::Whole.set(&firm)?;
            let browser = Browser::signed_in(service, &link(&firm, login)?)?;
            account.set(&firm)?;
            // The row that ends the session comes last.
            let is_end = |row: &&Row| row.template == "/app/sign-out";
            for row in ROWS.iter().filter(|row| !is_end(row)).chain(ROWS.iter().filter(is_end)) {
                let (came, wanted) = (send(&browser, row)?, expected(row, audience(row), *role, account));
                let cell = format!("{} {} as {role:?}, {account:?}", row.method, row.template);
                holds(came == wanted, &cell, &wanted.to_string(), || came.to_string())?;
            }
        }
    }
    Account::Whole.set(&firm)?;
    let ended = Browser::signed_in(service, &link(&firm, &firm.owner)?)?;
    ended.post("/app/sign-out", "")?.expect_status(303)?;
    let without = [
        ("no session", Browser::new(service)),
        ("an unknown session", Browser::with_session(service, &"A".repeat(43))),
        ("an empty session", Browser::with_session(service, "")),
        ("an ended session", ended),
    ];
    for (name, browser) in &without {
        for row in &ROWS {
            let wanted = if audience(row) == Audience::Everybody { row.status } else { row.signed_out() };
            let came = send(browser, row)?;
            holds(
                came == wanted,
                &format!("{} {} with {name}", row.method, row.template),
                &wanted.to_string(),
                || came.to_string(),
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Pages and forms that the matrix leaves out: one ends every session, and files need none.
    const OTHERS: [(&str, &str); 2] = [("POST", "/app/settings/sign-out-everywhere"), ("GET", "/app/files/{file}")];

    #[test]
    fn every_page_and_form_of_the_console_is_in_the_matrix() {
        let listed: BTreeSet<_> = ROWS.iter().map(|row| (row.method, row.path())).chain(OTHERS).collect();
        let routed: BTreeSet<_> = endpoints().map(|(method, template, _)| (method.as_str(), template)).collect();
        assert_eq!(routed, listed);
    }
}
