//! The pages of somebody who is not signed in yet.

use matterbook_core::store::LinkOwner;
use maud::{Markup, html};

use super::layout::{Notice, outside};
use crate::text::time;

/// The page of a sign-in link. Only its button uses the link up, because programs that check mail open links.
#[must_use]
pub fn link(service_name: &str, owner: &LinkOwner) -> Markup {
    let content = html! {
        p { "This link signs in " b { (owner.email) } " once, until " (time(owner.expires_at)) ". It belongs to this person "
            "alone: do not pass it on." }
        form method="post" { button.main { "Sign in" } }
    };
    outside(service_name, "Sign in", &content)
}

/// The page of a link that does not work.
#[must_use]
pub fn link_is_over(service_name: &str) -> Markup {
    let content = html! {
        p { "This link does not work. A link works once, for 24 hours." }
        p { "Ask the owner of your firm's account for a new link. If you are the owner, ask the people who run "
            (service_name) " for you." }
    };
    outside(service_name, "This link does not work", &content)
}

/// The page for signing in without a link.
#[must_use]
pub fn sign_in(service_name: &str, notice: Option<&Notice>, passkey: Option<&Markup>) -> Markup {
    let content = html! {
        @if let Some(notice) = notice { (notice.markup()) }
        @if let Some(passkey) = passkey { (passkey) }
        p { @if passkey.is_some() { "Without a passkey, you" } @else { "You" } " sign in with a link. The owner of your firm's account makes one for you under People. "
            "If you are the owner, ask the people who run " (service_name) " for you." }
    };
    outside(service_name, "Sign in", &content)
}

/// The page for an address without encryption, where sign-in is refused.
#[must_use]
pub fn plain_http(service_name: &str, secure_address: Option<&str>) -> Markup {
    let content = html! {
        p { "This address is not encrypted: it begins with " code { "http" } ", without an " code { "s" }
            ". Others on the network could read the clients of your firm, so nobody can sign in here." }
        @match secure_address {
            Some(address) => { p { "Open this address instead: " a href=(address) { (address) } } }
            None => { p { "Open the same address with " code { "https://" } " at its beginning. If that does not work, ask "
                "the people who run " (service_name) " for you: they have to set up encryption." } }
        }
    };
    outside(service_name, "This address is not encrypted", &content)
}

#[cfg(test)]
mod tests {
    use matterbook_core::{account::Role, time::Timestamp, uuid::Uuid};

    use super::*;

    #[test]
    fn opening_a_link_shows_one_button_that_posts_to_the_same_address() {
        let owner = LinkOwner {
            login: Uuid::nil(),
            email: "ana@example.com".to_owned(),
            role: Role::Owner,
            expires_at: Timestamp::from_micros(0),
        };
        let page = link("Matterbook", &owner).into_string();
        assert!(page.contains("<form method=\"post\"><button class=\"main\">Sign in</button></form>"), "{page}");
    }

    #[test]
    fn an_address_without_encryption_names_the_one_to_use() {
        let page = plain_http("Matterbook", Some("https://firm.example/app")).into_string();
        assert!(page.contains("href=\"https://firm.example/app\""), "{page}");
        assert!(!plain_http("Matterbook", None).into_string().contains("Open this address"));
    }
}
