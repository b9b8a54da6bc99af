//! By what a request to the console names its account, for a host that keeps each account apart (decision 0131).

use http::request::Parts;
use matterbook_core::{
    api::AccountReference,
    sign_in::{LinkDigest, SessionDigest},
};

use crate::{
    cookie,
    form::Form,
    handle::passkeys::credential_id,
    route::{self, Endpoint},
};

/// Whether the form of a request names the account: with it somebody signs in by a passkey.
#[must_use]
pub fn names_account_in_form(head: &Parts) -> bool {
    let found = route::find(head.uri.path()).and_then(|(route, _)| route.endpoint(&head.method));
    matches!(found, Some((Endpoint::SignInWithPasskey, _)))
}

/// What names the account of a request below `/app`: the passkey of the form, the link in the path, or the session.
/// `form` is the body where [`names_account_in_form`] says so.
///
/// ```
/// use http::Request;
/// use matterbook_console::account_reference;
/// use matterbook_core::{api::AccountReference, http, sign_in::LinkDigest};
/// let (head, ()) = Request::get("/app/link/TOKEN").body(())?.into_parts();
/// assert_eq!(account_reference(&head, b""), Some(AccountReference::Link(LinkDigest::of("TOKEN"))));
/// # Ok::<(), http::Error>(())
/// ```
#[must_use]
pub fn account_reference(head: &Parts, form: &[u8]) -> Option<AccountReference> {
    if !route::is_below(head.uri.path()) {
        return None;
    }
    let (route, argument) = route::find(head.uri.path())?;
    match route.endpoint(&head.method)?.0 {
        Endpoint::File | Endpoint::Help => None,
        Endpoint::SignInWithPasskey => credential_id(&Form::parse(form)).map(AccountReference::Passkey),
        Endpoint::LinkPage | Endpoint::UseLink => Some(AccountReference::Link(LinkDigest::of(argument))),
        _ => {
            let token = cookie::token(&head.headers).filter(|token| !token.is_empty())?;
            Some(AccountReference::Session(SessionDigest::of(token)))
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn named(method: &str, path: &str, form: &str) -> Option<AccountReference> {
        let request = Request::builder().method(method).uri(path).header("cookie", "__Host-matterbook=abc");
        account_reference(&request.body(()).unwrap().into_parts().0, form.as_bytes())
    }

    #[test]
    fn a_page_belongs_to_its_session_a_link_and_a_passkey_to_their_login() {
        let session = Some(AccountReference::Session(SessionDigest::of("abc")));
        assert_eq!(named("GET", "/app", ""), session);
        assert_eq!(named("GET", "/app/sign-in", ""), session);
        assert_eq!(named("POST", "/app/imports/7/batch", ""), session);
        assert_eq!(named("POST", "/app/link/T", ""), Some(AccountReference::Link(LinkDigest::of("T"))));
        let passkey = Some(AccountReference::Passkey(vec![1, 2]));
        assert_eq!(named("POST", "/app/sign-in", "credential_id=AQI"), passkey);
    }

    #[test]
    fn what_everybody_may_see_names_no_account() {
        for (method, path) in [("GET", "/app/help"), ("GET", "/app/files/console.css"), ("POST", "/app/sign-in")] {
            assert_eq!(named(method, path, ""), None, "{method} {path}");
        }
        assert_eq!(named("GET", "/api/v1/me", ""), None);
    }
}
