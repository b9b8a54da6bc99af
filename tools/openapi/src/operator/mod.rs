//! The document of the operator API.

mod operations;

use matterbook_core::api::limits::{ACTOR_MAX_LENGTH, PAGE_LIMIT_DEFAULT};

use crate::{
    examples::Examples,
    headers,
    node::{Node, object},
    operation::paths,
    public::{cursor, limit, path_id, query, tag},
    responses,
    schemas::{account, client, error, history, operate, prospect, result, review, similar, transfer},
};

use operations::{WRITING, operations};

const DESCRIPTION: &str = "For the operator of the service: accounts, logins, keys, counties, prospects, erasure, the \
settlements feed. Every host has it next to the public API. It exists only if an operator token is configured: \
without one every path is 404.

Every request carries `Authorization: Bearer <operator token>`. Answers and errors have the shapes of the public API. \
After a 500 nothing was done, unless its message says that this is not known: then look before you send the request \
again.";

/// The document.
pub fn document(examples: &Examples) -> Node {
    object! {
        "openapi": "3.1.0",
        "info": object! {
            "title": "Matterbook operator API",
            "version": "1",
            "summary": "Accounts, keys, counties, prospects and erasure.",
            "description": DESCRIPTION,
            "license": object! { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [object! { "url": "/", "description": "The service." }],
        "tags": [
            tag("Accounts", "Accounts and what they may do."),
            tag("Logins and keys", "Who may use the API."),
            tag("Counties", "Which crashes an account sees."),
            tag("Prospects", "Prospects of all accounts."),
            tag("Clients", "An account's clients and their settlements."),
            tag("Service", "Settings and log."),
        ],
        "paths": paths(operations(), examples),
        "components": object! {
            "securitySchemes": object! {
                "operatorToken": object! {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The service's `MATTERBOOK_OPERATOR_TOKEN`.",
                },
            },
            "parameters": parameters(),
            "headers": Node::object(headers::operator()),
            "responses": responses::components(WRITING, "operator", examples),
            "schemas": schemas(),
        },
    }
}

fn parameters() -> Node {
    object! {
        "Actor": object! {
            "name": "Matterbook-Actor",
            "in": "header",
            "description": "Who acts, for the log; `operator` when absent.",
            "schema": object! { "type": "string", "maxLength": ACTOR_MAX_LENGTH, "pattern": "^[ -~]*$" },
            "example": "Kim, support desk",
        },
        "Account": path_id("account", "The account."),
        "Login": path_id("login", "The login."),
        "Key": path_id("key", "The key's id, never the key itself."),
        "Prospect": path_id("prospect", "The prospect."),
        "Client": path_id("client", "The client, one of the account's."),
        "Other": path_id("other", "The second client of the pair."),
        "Letters": query(
            "letters",
            "Only pairs of which one client gets letters and the other does not, and that are not decided to be different.",
            object! { "type": "boolean", "default": false },
        ),
        "Decided": query(
            "decided",
            "Pairs with a decision; otherwise those without one.",
            object! { "type": "boolean", "default": false },
        ),
        "Item": path_id("item", "What waits for review."),
        "Request": path_id("request", "The `X-Request-Id` of the request that made the change, or the id of an import of the console."),
        "UndoDryRun": query(
            "dry_run",
            "Tell what the undo would do, and do nothing.",
            object! { "type": "boolean", "default": false },
        ),
        "UndoCursor": query(
            "cursor",
            "Of an import: the `next_cursor` of the request before.",
            object! { "type": "string", "format": "cursor" },
        ),
        "Fips": object! {
            "name": "fips",
            "in": "path",
            "required": true,
            "description": "The county's FIPS code of five digits; four get their zero back.",
            "schema": object! { "type": "string", "pattern": "^[0-9]{4,5}$" },
        },
        "ExternalId": query("external_id", "Only the client with exactly this `external_id`, as its own or as an alias.", object! { "type": "string" }),
        "Email": query("email", "Only clients with this e-mail address.", object! { "type": "string" }),
        "Phone": query("phone", "Only clients with this phone number, in any format.", object! { "type": "string" }),
        "Name": query("name", "Only clients with this first and last name.", object! { "type": "string" }),
        "Limit": limit("Most elements on a page.", Some(PAGE_LIMIT_DEFAULT)),
        "Cursor": cursor(),
    }
}

fn schemas() -> Node {
    let client = client::schemas().into_iter().filter(|(name, _)| ["StateCode", "Client"].contains(name));
    let names = result::upsert().into_iter().filter(|(name, _)| ["MatchedBy", "FieldName"].contains(name));
    let history_page = vec![("HistoryPage", history::history_page())];
    let all = [
        account::operator(),
        client.collect(),
        names.collect(),
        history_page,
        history::schemas(),
        history::undo(),
        review::schemas(),
        similar::schemas(),
        operate::schemas(),
        prospect::input(),
        result::import(),
        transfer::schemas(),
        error::schemas(),
    ];
    Node::object(all.into_iter().flatten())
}
