//! Accounts, logins, keys and counties.

use matterbook_core::{account::Role, jurisdiction::Jurisdiction, key::KeyScope, normalize::Field};

use super::{Named, answer, flag, formatted, id, line, one_of, or_blank, or_null, schema_or_null, text, time};
use crate::node::{Node, object};

/// The schemas of `GET /me`.
pub fn me() -> Vec<Named> {
    vec![
        (
            "AccountIdentity",
            answer(
                "AccountIdentity",
                "The account that a key belongs to.",
                vec![("id", id("The account. It never changes.")), ("email", text("The account's contact address."))],
            ),
        ),
        ("Me", answer("Me", "Whose key it is.", vec![("account", Node::schema("AccountIdentity"))])),
    ]
}

const FLAGS: [(&str, &str); 4] = [
    ("api_enabled", "The API is turned on; off is 403 `not_enabled`."),
    ("suspended", "Access is suspended: every key of the account is 403 `forbidden`."),
    ("digital_bundle", "The account may read prospects; off is 403 `bundle_required`."),
    ("contact_enrichment", "Prospects carry `email` and `phone`."),
];

fn flags() -> impl Iterator<Item = Named> {
    FLAGS.into_iter().map(|(name, meaning)| (name, flag(meaning)))
}

fn email_input() -> Node {
    formatted("email", "One email address.").with("maxLength", Field::EMAIL_MAX_LENGTH)
}

fn role() -> Node {
    let description = "`owner` creates keys; a key of a `view_only` login is refused.";
    one_of(Role::ALL.map(Role::name), description).with("title", "Role")
}

fn scope(description: &str) -> Node {
    schema_or_null("KeyScope", description)
}

fn jurisdiction(description: &str) -> Node {
    schema_or_null("Jurisdiction", description)
}

fn fips(description: &str) -> Node {
    text(description).with("pattern", "^[0-9]{5}$")
}

/// The schemas of accounts in the operator API.
pub fn operator() -> Vec<Named> {
    let optional_flags = |default: bool| {
        FLAGS.into_iter().map(move |(name, meaning)| {
            let schema = or_null(flag(meaning));
            (name, if default { schema.with("default", false) } else { schema })
        })
    };
    let input = |title: &str, description: &str, required: &[&str], members: Vec<Named>| {
        let schema = object! { "title": title, "description": description, "type": "object" };
        let schema =
            if required.is_empty() { schema } else { schema.with("required", Node::array(required.iter().copied())) };
        schema.with("properties", Node::object(members))
    };
    let list = |item: &str| object! { "type": "array", "items": Node::schema(item) };
    let key = vec![
        ("id", id("By which it is revoked.")),
        ("account_id", id("The account that it opens.")),
        ("login_id", id("The login that created it.")),
        ("label", or_null(text("What its owner called it."))),
        ("last_four", text("Its last four characters.")),
        ("scope", scope("What it is limited to; `null` for everything that the account may do.")),
        ("ends_at", or_null(time("From when on it is refused; `null` for a key without an end."))),
        ("created_at", time("When it was created.")),
        ("last_used_at", or_null(time("When it was last used, recorded about once a day."))),
        ("revoked_at", or_null(time("When it was revoked; `null` while it is not."))),
    ];
    let new_key = key.iter().cloned().chain([("key", text("The key itself. No other answer shows it."))]).collect();
    vec![
        ("Role", role()),
        (
            "KeyScope",
            one_of(KeyScope::ALL.map(KeyScope::name), "A key outside its scope is 403 `forbidden`.")
                .with("title", "KeyScope"),
        ),
        (
            "Jurisdiction",
            one_of(Jurisdiction::ALL.map(Jurisdiction::name), "`eu` is the European Union, `us` the United States.")
                .with("title", "Jurisdiction"),
        ),
        (
            "AccountInput",
            input("AccountInput", "A new account. Its owner's login is made with it.", &["email"], {
                let place = jurisdiction("Where its clients have to stay; absent or `null`: anywhere.");
                let start = [("email", email_input())].into_iter();
                start.chain(optional_flags(true)).chain([("jurisdiction", place)]).collect()
            }),
        ),
        (
            "AccountChange",
            input(
                "AccountChange",
                "What is to change; what is not sent stays.",
                &[],
                [("email", or_blank(email_input()))].into_iter().chain(optional_flags(false)).collect(),
            ),
        ),
        (
            "Account",
            answer("Account", "An account as the operator sees it.", {
                let start = [("id", id("The account.")), ("email", text("Contact address, shown by `GET /me`."))];
                let end = [
                    ("jurisdiction", jurisdiction("Where its clients have to stay; `null` for anywhere.")),
                    ("created_at", time("When it was created.")),
                    ("last_commit_at", or_null(time("The last change of its clients; `null` before the first."))),
                    ("logins", list("Login")),
                    ("counties", list("County")),
                ];
                start.into_iter().chain(flags()).chain(end).collect()
            }),
        ),
        ("AccountBody", answer("AccountBody", "One account.", vec![("account", Node::schema("Account"))])),
        ("AccountPage", super::page::page("AccountPage", "accounts", "Account", "Accounts, oldest first.")),
        (
            "LoginInput",
            input(
                "LoginInput",
                "A person's login.",
                &["email", "role"],
                vec![("email", email_input()), ("role", Node::schema("Role"))],
            ),
        ),
        ("RoleChange", input("RoleChange", "Another role.", &["role"], vec![("role", Node::schema("Role"))])),
        (
            "Login",
            answer(
                "Login",
                "A person's login to an account.",
                vec![
                    ("id", id("The login.")),
                    ("account_id", id("Its account.")),
                    ("email", text("The person's address.")),
                    ("role", Node::schema("Role")),
                    ("created_at", time("When it was added.")),
                ],
            ),
        ),
        ("LoginList", answer("LoginList", "Logins, oldest first.", vec![("logins", list("Login"))])),
        ("CountyList", answer("CountyList", "Counties, by code.", vec![("counties", list("County"))])),
        ("LoginBody", answer("LoginBody", "One login.", vec![("login", Node::schema("Login"))])),
        (
            "Link",
            answer(
                "Link",
                "A sign-in link.",
                vec![
                    ("url", formatted("uri", "The address to open. Whoever opens it is signed in as this person.")),
                    ("expires_at", time("From when on it does not work.")),
                ],
            ),
        ),
        ("LinkBody", answer("LinkBody", "The new link.", vec![("link", Node::schema("Link"))])),
        (
            "KeyInput",
            input(
                "KeyInput",
                "A new key.",
                &[],
                vec![
                    ("login_id", or_blank(formatted("uuid", "An owner's login; absent: the account's oldest owner."))),
                    ("label", or_null(line("What the key is for.").with("maxLength", Field::TEXT_MAX_LENGTH))),
                    (
                        "scope",
                        scope("What the key is limited to; absent or `null`: everything that the account may do."),
                    ),
                    (
                        "ends_at",
                        or_blank(formatted(
                            "date-time",
                            "From when on the key is refused; absent: never. It lies in the future.",
                        )),
                    ),
                ],
            ),
        ),
        (
            "AccountRestoreInput",
            input(
                "AccountRestoreInput",
                "The time to set an account's clients back to.",
                &["at"],
                vec![("at", formatted("date-time", "It lies in the past."))],
            ),
        ),
        ("Key", answer("Key", "A key, never shown itself.", key)),
        ("NewKey", answer("NewKey", "A key that was just created, shown this once.", new_key)),
        ("KeyBody", answer("KeyBody", "One key.", vec![("key", Node::schema("Key"))])),
        ("NewKeyBody", answer("NewKeyBody", "The new key.", vec![("key", Node::schema("NewKey"))])),
        ("KeyList", answer("KeyList", "Keys, oldest first, revoked ones too.", vec![("keys", list("Key"))])),
        (
            "CountyInput",
            input(
                "CountyInput",
                "From when on.",
                &["from_date"],
                vec![(
                    "from_date",
                    formatted("calendar-date", "The first crash date that the account sees, in any accepted form."),
                )],
            ),
        ),
        (
            "County",
            answer(
                "County",
                "An account's access to one county.",
                vec![
                    ("fips", fips("The county's FIPS code.")),
                    ("county_name", text("The county's name, such as `Los Angeles County`.")),
                    ("state", Node::schema("StateCode")),
                    ("from_date", formatted("date", "The first crash date that the account sees.")),
                ],
            ),
        ),
        ("CountyBody", answer("CountyBody", "One grant.", vec![("county", Node::schema("County"))])),
    ]
}
