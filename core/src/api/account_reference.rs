//! By what a request names its account, for a host that keeps each account apart (decision 0131).

use http::request::Parts;
use uuid::Uuid;

use super::{bearer, operator, route};
use crate::{
    key::{AccountNumber, KeySecrets},
    settings::Settings,
    sign_in::{LinkDigest, SessionDigest},
};

/// What names an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountReference {
    /// The account's number, in an API key that one of the key secrets made.
    Number(AccountNumber),
    /// The account's id, in a path of the operator API.
    Account(Uuid),
    /// A login, in a path of the operator API.
    Login(Uuid),
    /// An API key, in a path of the operator API.
    Key(Uuid),
    /// A sign-in link of the console.
    Link(LinkDigest),
    /// A session of the console.
    Session(SessionDigest),
    /// The credential id of a passkey that signs in.
    Passkey(Vec<u8>),
}

/// What names the account of a request to the API or the operator API; `None` where it concerns no account alone, and
/// where it is refused whatever the account is.
///
/// ```
/// use http::Request;
/// use matterbook_core::{
///     api::{AccountReference, account_reference},
///     http,
///     key::{AccountNumber, KeySecrets, new_secret},
///     settings::Settings,
/// };
/// let (secrets, settings) = (KeySecrets::parse(&new_secret([1; 32]))?, Settings::default());
/// let number = AccountNumber::from_bytes([7; 6]);
/// let named = |key: &str| {
///     let request = Request::get("/api/v1/me").header("authorization", format!("Bearer {key}"));
///     account_reference(&request.body(()).ok()?.into_parts().0, &settings, &secrets)
/// };
/// assert_eq!(named(&secrets.new_key("mtb_", number, [9; 20])), Some(AccountReference::Number(number)));
/// assert_eq!(named("mtb_forged"), None);
/// # Ok::<(), matterbook_core::settings::SettingError>(())
/// ```
#[must_use]
pub fn account_reference(head: &Parts, settings: &Settings, key_secrets: &KeySecrets) -> Option<AccountReference> {
    match route::area(head.uri.path()) {
        route::Area::Public => {
            let key = bearer::bearer_token(&head.headers).ok().flatten()?;
            key_secrets.account_number(&settings.key_prefix, key).map(AccountReference::Number)
        }
        route::Area::Operator => {
            operator::check_token(&head.headers, settings.operator_token.as_deref()?).ok()?;
            let path = head.uri.path();
            let (_, [first, ..]) = route::operator_endpoint(path, &head.method).ok()?;
            let id = Uuid::try_parse(first).ok()?;
            match route::operator_template(path).split('/').find(|segment| segment.starts_with('{'))? {
                "{account}" => Some(AccountReference::Account(id)),
                "{login}" => Some(AccountReference::Login(id)),
                "{key}" => Some(AccountReference::Key(id)),
                _ => None,
            }
        }
        route::Area::Open | route::Area::Nowhere => None,
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::key::new_secret;

    fn named(method: &str, path: &str, token: &str) -> Option<AccountReference> {
        let settings = Settings { operator_token: Some("right".to_owned()), ..Settings::default() };
        let secrets = KeySecrets::parse(&new_secret([1; 32])).unwrap();
        let head = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {token}"));
        account_reference(&head.body(()).unwrap().into_parts().0, &settings, &secrets)
    }

    #[test]
    fn a_path_of_the_operator_names_an_account_a_login_or_a_key() {
        let id = Uuid::from_u128(7);
        for (method, path, expected) in [
            ("GET", format!("/operator/v1/accounts/{id}"), Some(AccountReference::Account(id))),
            ("PUT", format!("/operator/v1/accounts/{id}/import"), Some(AccountReference::Account(id))),
            ("DELETE", format!("/operator/v1/accounts/{id}/clients/{id}"), Some(AccountReference::Account(id))),
            ("POST", format!("/operator/v1/logins/{id}/link"), Some(AccountReference::Login(id))),
            ("DELETE", format!("/operator/v1/keys/{id}"), Some(AccountReference::Key(id))),
            ("DELETE", format!("/operator/v1/prospects/{id}"), None),
            ("GET", "/operator/v1/accounts".to_owned(), None),
            ("GET", "/operator/v1/accounts/x".to_owned(), None),
            ("POST", format!("/operator/v1/accounts/{id}"), None),
            ("GET", "/operator/v1/log".to_owned(), None),
            ("GET", "/healthz".to_owned(), None),
        ] {
            assert_eq!(named(method, &path, "right"), expected, "{method} {path}");
        }
    }

    #[test]
    fn a_wrong_operator_token_names_no_account() {
        assert_eq!(named("GET", &format!("/operator/v1/accounts/{}", Uuid::from_u128(7)), "wrong"), None);
    }

    #[test]
    fn a_key_of_another_secret_names_no_account() {
        let other = KeySecrets::parse(&new_secret([2; 32])).unwrap();
        let key = other.new_key("mtb_", AccountNumber::from_bytes([7; 6]), [9; 20]);
        assert_eq!(named("GET", "/api/v1/me", &key), None);
    }
}
