//! The operations of the operator API.

use crate::{node::object, operation::Operation, public::next_page};

const COMMON: [&str; 6] =
    ["BadRequest", "Unauthorized", "NotFound", "MethodNotAllowed", "TooManyRequests", "InternalError"];
const READING: &[&str] = &COMMON;
pub(super) const WRITING: &[&str] = &[
    COMMON[0],
    COMMON[1],
    COMMON[2],
    COMMON[3],
    COMMON[4],
    COMMON[5],
    "RequestTimeout",
    "ContentTooLarge",
    "UnsupportedMediaType",
];

const IMPORTING: (u16, &str, &str) = (409, "ErrorBody", "`conflict`: the account is being imported.");

/// The defaults of the operator's operations.
const READ: Operation =
    Operation { parameters: &["Actor"], errors: READING, security: Some("operatorToken"), ..Operation::EMPTY };
const WRITE: Operation = Operation { errors: WRITING, ..READ };

pub(super) const OPERATIONS: [Operation; 37] = [
    Operation {
        id: "createAccount",
        method: "post",
        path: "/operator/v1/accounts",
        tag: "Accounts",
        summary: "Create an account",
        description: "Its owner's login is made with it.",
        body: Some("AccountInput"),
        answer: ("AccountBody", "The new account."),
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
        description: "Rows that do not begin at `received_rows` save nothing: the answer tells where to go on. With the last row the digest is compared, and the account becomes what it was.",
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
    Operation {
        id: "addLogin",
        method: "post",
        path: "/operator/v1/accounts/{account}/logins",
        tag: "Logins and keys",
        summary: "Add a login",
        description: "A person of the account.",
        parameters: &["Actor", "Account"],
        body: Some("LoginInput"),
        answer: ("LoginBody", "The new login."),
        ..WRITE
    },
    Operation {
        id: "listLogins",
        path: "/operator/v1/accounts/{account}/logins",
        tag: "Logins and keys",
        summary: "List logins",
        description: "Oldest first.",
        parameters: &["Actor", "Account"],
        answer: ("LoginList", "The account's logins."),
        ..READ
    },
    Operation {
        id: "removeLogin",
        method: "delete",
        path: "/operator/v1/logins/{login}",
        tag: "Logins and keys",
        summary: "Remove a login",
        description: "Its keys are revoked. An account's only owner is not removed: make another login an owner first.",
        parameters: &["Actor", "Login"],
        answer: ("LoginBody", "The login, as it was."),
        ..READ
    },
    Operation {
        id: "changeRole",
        method: "patch",
        path: "/operator/v1/logins/{login}",
        tag: "Logins and keys",
        summary: "Change a login's role",
        description: "Keys of a login that becomes `view_only` are refused; those of one that becomes `teammate` go on working.",
        parameters: &["Actor", "Login"],
        body: Some("RoleChange"),
        answer: ("LoginBody", "The login, changed."),
        ..WRITE
    },
    Operation {
        id: "makeSignInLink",
        method: "post",
        path: "/operator/v1/logins/{login}/link",
        tag: "Logins and keys",
        summary: "Make a sign-in link",
        description: "The person opens it in a browser and is signed in to the console. It works once, within 24 hours, and only until a newer link of the login is made. The answer is the only one that shows it.",
        parameters: &["Actor", "Login"],
        answer: ("LinkBody", "The new link."),
        ..READ
    },
    Operation {
        id: "createKey",
        method: "post",
        path: "/operator/v1/accounts/{account}/keys",
        tag: "Logins and keys",
        summary: "Create a key",
        description: "Only an owner's login creates keys. The answer is the only one that shows the key.",
        parameters: &["Actor", "Account"],
        body: Some("KeyInput"),
        body_is_optional: true,
        answer: ("NewKeyBody", "The new key."),
        ..WRITE
    },
    Operation {
        id: "listKeys",
        path: "/operator/v1/accounts/{account}/keys",
        tag: "Logins and keys",
        summary: "List keys",
        description: "Oldest first, revoked ones too.",
        parameters: &["Actor", "Account"],
        answer: ("KeyList", "The account's keys."),
        ..READ
    },
    Operation {
        id: "revokeKey",
        method: "delete",
        path: "/operator/v1/keys/{key}",
        tag: "Logins and keys",
        summary: "Revoke a key",
        description: "The next request with it is 401. Revoking it again changes nothing.",
        parameters: &["Actor", "Key"],
        answer: ("KeyBody", "The key, revoked."),
        ..READ
    },
    Operation {
        id: "listCounties",
        path: "/operator/v1/accounts/{account}/counties",
        tag: "Counties",
        summary: "List counties",
        description: "By FIPS code.",
        parameters: &["Actor", "Account"],
        answer: ("CountyList", "The account's counties."),
        ..READ
    },
    Operation {
        id: "grantCounty",
        method: "put",
        path: "/operator/v1/accounts/{account}/counties/{fips}",
        tag: "Counties",
        summary: "Grant a county",
        description: "The account sees the county's crashes from a date on. Sending another date moves it. Either makes the account's prospect cursors stale.",
        parameters: &["Actor", "Account", "Fips"],
        body: Some("CountyInput"),
        answer: ("CountyBody", "The grant."),
        ..WRITE
    },
    Operation {
        id: "revokeCounty",
        method: "delete",
        path: "/operator/v1/accounts/{account}/counties/{fips}",
        tag: "Counties",
        summary: "Revoke a county",
        description: "Makes the account's prospect cursors stale.",
        parameters: &["Actor", "Account", "Fips"],
        answer: ("CountyBody", "The grant, as it was."),
        ..READ
    },
    Operation {
        id: "importProspects",
        method: "post",
        path: "/operator/v1/prospects",
        tag: "Prospects",
        summary: "Import prospects",
        description: "Up to 500 at once, in order. Each gets a result, and an invalid one does not affect the others. Importing a known `source_id` updates it in place; an erased one is not brought back.",
        body: Some("ProspectBatch"),
        answer: ("ImportResults", "One result for each prospect."),
        ..WRITE
    },
    Operation {
        id: "eraseProspect",
        method: "delete",
        path: "/operator/v1/prospects/{prospect}",
        tag: "Prospects",
        summary: "Erase a prospect",
        description: "Its `source_id` is remembered, so that no import brings it back.",
        parameters: &["Actor", "Prospect"],
        answer: ("ErasedProspect", "It is erased."),
        ..READ
    },
    Operation {
        id: "showClient",
        path: "/operator/v1/accounts/{account}/clients/{client}",
        tag: "Clients",
        summary: "Show a client",
        description: "As it is now, without the delay of `GET /clients`.",
        parameters: &["Actor", "Account", "Client"],
        answer: ("ClientBody", "The client."),
        ..READ
    },
    Operation {
        id: "showClientHistory",
        path: "/operator/v1/accounts/{account}/clients/{client}/history",
        tag: "Clients",
        summary: "Show a client's history",
        description: "What changed of one client, by whom and when, the newest change first, without the delay of `GET /clients`.",
        parameters: &["Actor", "Account", "Client", "Limit", "Cursor"],
        answer: ("HistoryPage", "A page of changes."),
        links: || {
            next_page(
                "showClientHistory",
                object! { "account": "$request.path.account", "client": "$request.path.client" },
            )
        },
        ..READ
    },
    Operation {
        id: "turnMailOn",
        method: "post",
        path: "/operator/v1/accounts/{account}/clients/{client}/mail-on",
        tag: "Clients",
        summary: "Turn a client's letters on again",
        description: "Turns `do_not_mail` off, which no request of the public API can.",
        parameters: &["Actor", "Account", "Client"],
        answer: ("ClientBody", "The client, changed."),
        ..READ
    },
    Operation {
        id: "eraseClient",
        method: "delete",
        path: "/operator/v1/accounts/{account}/clients/{client}",
        tag: "Clients",
        summary: "Erase a client",
        description: "With its earlier states and settlements. It disappears from every view at once. This cannot be undone. Digests of its identity stay: a later sync that makes it again keeps its `do_not_mail`.",
        parameters: &["Actor", "Account", "Client"],
        answer: ("ErasedClient", "It is erased."),
        ..READ
    },
    Operation {
        id: "findClients",
        path: "/operator/v1/accounts/{account}/clients",
        tag: "Clients",
        summary: "Find clients",
        description: "The clients with every given value, as they are now, the least recently changed first. A page may be short, or empty, and go on.",
        parameters: &["Actor", "Account", "ExternalId", "Email", "Phone", "Name", "Limit", "Cursor"],
        answer: ("ClientPage", "A page of clients."),
        links: || next_page("findClients", object! {}),
        ..READ
    },
    Operation {
        id: "showChange",
        path: "/operator/v1/accounts/{account}/changes/{request}",
        tag: "Clients",
        summary: "Show a change",
        description: "The change that a request or a batch of an import made, and what an undo of it would do now. Nothing is done.",
        parameters: &["Actor", "Account", "Request", "UndoCursor"],
        answer: ("UndoBody", "The change and its undo."),
        ..READ
    },
    Operation {
        id: "undoChange",
        method: "post",
        path: "/operator/v1/accounts/{account}/changes/{request}/undo",
        tag: "Clients",
        summary: "Undo a change",
        description: "Gives each field that the request changed its earlier value and removes the clients that it created. What a later change wrote stays, letters that were turned off stay off, and settlements stay; all that is left is listed. An undo is a change like any other and can be undone by its own request id. An import is undone batch by batch, the latest first, in one request each: send `next_cursor` as `cursor` until it is `null`.",
        parameters: &["Actor", "Account", "Request", "UndoDryRun", "UndoCursor"],
        answer: ("UndoBody", "The change and its undo."),
        ..READ
    },
    Operation {
        id: "listReview",
        path: "/operator/v1/accounts/{account}/review",
        tag: "Clients",
        summary: "Read what waits for review",
        description: "Clients that were sent and not saved, because of a conflict or an error, the latest seen first: once for each client, with what was sent and the clients in the way. One goes by itself when the same client is saved.",
        parameters: &["Actor", "Account", "Limit", "Cursor"],
        answer: ("ReviewPage", "A page of what waits."),
        links: || next_page("listReview", object! {}),
        ..READ
    },
    Operation {
        id: "decideReview",
        method: "post",
        path: "/operator/v1/accounts/{account}/review/{item}",
        tag: "Clients",
        summary: "Decide about what waits for review",
        description: "`same`: it is the same person as `client`, which gets what was sent; its `external_id` if it has none, otherwise as an alias by which it is found too. `another`: it is another person, who is created. `leave`: nothing is done. It then stays away until other content comes. It is a change like any other and can be undone by its request id.",
        parameters: &["Actor", "Account", "Item"],
        body: Some("ReviewDecision"),
        answer: ("ReviewDecisionBody", "The client, if there is one."),
        ..WRITE
    },
    Operation {
        id: "listSimilar",
        path: "/operator/v1/accounts/{account}/similar",
        tag: "Clients",
        summary: "Read possible duplicates",
        description: "Pairs of clients that do not match and may be one person all the same, as the last comparison found them, each with its reasons.",
        parameters: &["Actor", "Account", "Letters", "Decided", "Limit", "Cursor"],
        answer: ("SimilarPage", "A page of pairs."),
        links: || next_page("listSimilar", object! {}),
        ..READ
    },
    Operation {
        id: "findSimilar",
        method: "post",
        path: "/operator/v1/accounts/{account}/similar/find",
        tag: "Clients",
        summary: "Compare the clients of an account",
        description: "Compares the clients now. What is found replaces the undecided pairs; what was decided stays. The service does it by itself within an hour or two of a change.",
        parameters: &["Actor", "Account"],
        answer: ("Comparison", "What was compared, and how many pairs are undecided."),
        ..READ
    },
    Operation {
        id: "decideSimilar",
        method: "post",
        path: "/operator/v1/accounts/{account}/similar/{client}/{other}",
        tag: "Clients",
        summary: "Decide about a possible duplicate",
        description: "`same`: they are one person, who gets letters only if both do; the clients are not joined. `different`: they are two people, and are not offered again. `open` takes a decision back.",
        parameters: &["Actor", "Account", "Client", "Other"],
        body: Some("NewSimilarDecision"),
        answer: ("SimilarBody", "The pair."),
        ..WRITE
    },
    Operation {
        id: "listSettlements",
        path: "/operator/v1/accounts/{account}/settlements",
        tag: "Clients",
        summary: "Read the settlements feed",
        description: "What letters are sent by, ordered by last change. Send a letter for each `id` that is new and whose `do_not_mail` is false. `similar_do_not_mail` says that another client declined letters who may be the same person. A correction appears again, with the same `id`.",
        parameters: &["Actor", "Account", "Limit", "Cursor"],
        answer: ("SettlementPage", "A page of settlements."),
        links: || next_page("listSettlements", object! {}),
        ..READ
    },
    Operation {
        id: "showSettings",
        path: "/operator/v1/settings",
        tag: "Service",
        summary: "Show the settings",
        description: "Without the service's secrets.",
        answer: ("SettingsBody", "The settings."),
        ..READ
    },
    Operation {
        id: "listLog",
        path: "/operator/v1/log",
        tag: "Service",
        summary: "Read the operator's log",
        description: "Every action that changed something, newest first.",
        parameters: &["Actor", "Limit", "Cursor"],
        answer: ("LogPage", "A page of the log."),
        links: || next_page("listLog", object! {}),
        ..READ
    },
];
