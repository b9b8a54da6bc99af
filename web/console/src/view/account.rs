//! The firm's account. Owners only.

use matterbook_core::{account::AccountFlags, time::Timestamp};
use maud::{Markup, html};

use super::{
    layout::{Frame, table},
    passkeys::{WaysIn, own},
    prospects::County,
};
use crate::text::{date, time};

/// The page.
#[must_use]
pub fn account(
    frame: &Frame<'_>,
    flags: AccountFlags,
    counties: &[County],
    created_at: Timestamp,
    ways: &WaysIn,
) -> Markup {
    let content = html! {
        dl.facts {
            dt { "Address" } dd { (frame.account_email) }
            dt { "Since" } dd { (time(created_at)) }
            dt { "Client list" } dd { (on(flags.api_enabled)) }
            dt { "Prospects" } dd { (on(flags.digital_bundle)) }
            dt { "Phone and e-mail of prospects" } dd { (on(flags.contact_enrichment)) }
        }
        p.quiet { "To change any of this, ask the people who run " (frame.service_name) " for you." }
        h2 { "Counties" }
        @if counties.is_empty() {
            div.empty { p { "Your account has no counties, so it has no prospects." } }
        } @else { (list(counties)) }
        (own(ways))
    };
    frame.page("Account", "account", &content)
}

const fn on(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

fn list(counties: &[County]) -> Markup {
    let head = html! { th { "County" } th { "Crashes from" } };
    let rows = html! {
        @for county in counties {
            tr { th scope="row" { (county.name) } td { (date(county.grant.from_date)) } }
        }
    };
    table("Counties", &head, &rows)
}
