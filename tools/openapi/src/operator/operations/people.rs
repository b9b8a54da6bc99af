//! Operations on logins and keys.

use super::{READ, WRITE};
use crate::operation::Operation;

pub(super) const OPERATIONS: [Operation; 8] = [
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
];
