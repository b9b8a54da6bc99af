//! Operations on accounts.

use super::{READ, WRITE};
use crate::{node::object, operation::Operation, public::next_page};

const IMPORTING: (u16, &str, &str) = (409, "ErrorBody", "`conflict`: the account is being imported.");

pub(super) const OPERATIONS: [Operation; 9] = [
    Operation {
        id: "createAccount",
        method: "post",
        path: "/operator/v1/accounts",
        tag: "Accounts",
        summary: "Create an account",
        description: "Its owner's login is made with it.",
        body: Some("AccountInput"),
        answer: ("AccountBody", "The new account."),
        own_errors: &[(409, "ErrorBody", "`conflict`: the service cannot keep an account within a jurisdiction.")],
        ..WRITE
    },
    Operation {
        id: "listAccounts",
        path: "/operator/v1/accounts",
        tag: "Accounts",
        summary: "List accounts",
        description: "Oldest first.",
        parameters: &["Actor", "Limit", "Cursor"],
        answer: ("AccountPage", "A page of accounts."),
        links: || next_page("listAccounts", object! {}),
        ..READ
    },
    Operation {
        id: "showAccount",
        path: "/operator/v1/accounts/{account}",
        tag: "Accounts",
        summary: "Show an account",
        description: "With its logins and counties.",
        parameters: &["Actor", "Account"],
        answer: ("AccountBody", "The account."),
        ..READ
    },
    Operation {
        id: "changeAccount",
        method: "patch",
        path: "/operator/v1/accounts/{account}",
        tag: "Accounts",
        summary: "Change an account",
        description: "What is not sent stays.",
        parameters: &["Actor", "Account"],
        body: Some("AccountChange"),
        answer: ("AccountBody", "The account, changed."),
        own_errors: &[IMPORTING],
        ..WRITE
    },
    Operation {
        id: "exportAccount",
        path: "/operator/v1/accounts/{account}/export",
        tag: "Accounts",
        summary: "Read all of an account",
        description: "With its logins, passkeys, digests of keys, counties, clients, history, settlements, saved answers and log, but without sign-in links and sessions. The pages fit together if all have one `version`.",
        parameters: &["Actor", "Account", "Cursor"],
        answer: ("ExportPage", "A page of rows."),
        own_errors: &[IMPORTING],
        links: || next_page("exportAccount", object! { "account": "$request.path.account" }),
        ..READ
    },
    Operation {
        id: "beginAccountImport",
        method: "put",
        path: "/operator/v1/accounts/{account}/import",
        tag: "Accounts",
        summary: "Begin the import of an account",
        description: "Makes the account, suspended. The same import again tells how far it has come. Its keys need the key secret that they were made with.",
        parameters: &["Actor", "Account"],
        body: Some("AccountImportInput"),
        answer: ("AccountImportBody", "The import."),
        own_errors: &[(
            409,
            "ErrorBody",
            "`conflict`: the account exists and is no such import, or the key secret is another.",
        )],
        ..WRITE
    },
    Operation {
        id: "importAccountRows",
        method: "post",
        path: "/operator/v1/accounts/{account}/import",
        tag: "Accounts",
        summary: "Import rows of an account",
        description: "Rows that do not begin at `received_rows` save nothing, and a request may save only the first of its rows: the answer tells where to go on. With the last row the digest is compared, and the account becomes what it was.",
        parameters: &["Actor", "Account"],
        body: Some("AccountRowsInput"),
        answer: ("AccountImportBody", "The import."),
        own_errors: &[(
            409,
            "ErrorBody",
            "`conflict`: the import is being discarded, or another account has an id or a key of a row.",
        )],
        ..WRITE
    },
    Operation {
        id: "discardAccountImport",
        method: "delete",
        path: "/operator/v1/accounts/{account}/import",
        tag: "Accounts",
        summary: "Discard an import",
        description: "Deletes up to 500 rows of an import that has not ended. Repeat it until `received_rows` is 0; then another import of the account may begin.",
        parameters: &["Actor", "Account"],
        answer: ("AccountImportBody", "What is left of it."),
        own_errors: &[(409, "ErrorBody", "`conflict`: the import has ended.")],
        ..READ
    },
    Operation {
        id: "restoreAccount",
        method: "post",
        path: "/operator/v1/accounts/{account}/restore",
        tag: "Accounts",
        summary: "Set an account's clients back",
        description: "Sets the clients of a suspended account, with their history, back to what they were at a time, at most 30 days ago. Only an account in an object of its own on Cloudflare can be set back. Logins, keys, counties, settings and the log stay.",
        parameters: &["Actor", "Account"],
        body: Some("AccountRestoreInput"),
        answer: ("AccountBody", "The account. It has the clients of that time in about a second."),
        own_errors: &[(
            409,
            "ErrorBody",
            "`conflict`: the account is not suspended, or cannot be set back to that time.",
        )],
        ..WRITE
    },
];
