//! Operations on the clients of an account.

use super::{READ, WRITE};
use crate::{node::object, operation::Operation, public::next_page};

pub(super) const OPERATIONS: [Operation; 13] = [
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
        description: "The changes of one client, each with its author and its time, the newest first, without the delay of `GET /clients`.",
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
];
