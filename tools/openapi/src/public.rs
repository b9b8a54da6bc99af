//! The document of the public API.

use matterbook_core::{
    api::limits::{IDEMPOTENCY_KEY_MAX_LENGTH, NEWEST_DAYS, NEWEST_LIMIT, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX},
    settings::Settings,
};

use crate::{
    examples::Examples,
    headers,
    node::{Node, object},
    operation::{Operation, object_of, paths},
    responses,
    schemas::{account, answer, client, error, history, page::page, prospect, result},
};

const DESCRIPTION: &str = "Matterbook keeps a law firm's client list current and hands the firm crash prospects as cold \
leads.

- Every request under `/api/v1` carries `Authorization: Bearer <API key>`. The account's owner gets the key from the \
operator of the service.
- Bodies are JSON objects in UTF-8. Every answer is JSON. Success is status 200 on every endpoint; of a batch, look at \
each result.
- An error is `{\"error\": {\"code\", \"message\"}}`. Branch on `code`: it never changes.
- Unknown query parameters and body fields are ignored. A query parameter given empty counts as absent; one given twice \
is a 400. So is `dry_run`, `explain` or `plan` anywhere but in the query of the two POSTs.
- Fields are lenient about what people write (`\"1/5/2026\"`, `\"(617) 555-0142\"`, `\"Massachusetts\"`). The formats \
`calendar-date`, `us-state`, `us-zip`, `phone` and `yes-or-no` name those rules; they are no standard ones, and what they \
accept is said where they stand.
- `HEAD` is answered like `GET`, without a body.
- Limits and delays that are named here are the defaults; an operator may have changed them.";

const OF_KEYS: [&str; 5] = ["BadRequest", "Unauthorized", "MethodNotAllowed", "TooManyRequests", "InternalError"];
const READING: &[&str] = &[OF_KEYS[0], OF_KEYS[1], "Forbidden", OF_KEYS[2], OF_KEYS[3], OF_KEYS[4]];
const READING_PROSPECTS: &[&str] = &[OF_KEYS[0], OF_KEYS[1], "BundleRequired", OF_KEYS[2], OF_KEYS[3], OF_KEYS[4]];
const WRITING: &[&str] = &[
    OF_KEYS[0],
    OF_KEYS[1],
    "Forbidden",
    OF_KEYS[2],
    OF_KEYS[3],
    OF_KEYS[4],
    "RequestTimeout",
    "ContentTooLarge",
    "UnsupportedMediaType",
    "KeyReused",
];
const WITHOUT_KEY: &[&str] = &["BadRequest", "MethodNotAllowed", "InternalError"];

const OPERATIONS: [Operation; 9] = [
    Operation {
        id: "checkKey",
        path: "/api/v1/me",
        tag: "Account",
        summary: "Check a key",
        description: "Answers the account that the key belongs to. Use it to test a connection.",
        answer: ("Me", "The key works."),
        errors: READING,
        security: Some("apiKey"),
        ..Operation::EMPTY
    },
    Operation {
        id: "upsertClients",
        method: "post",
        path: "/api/v1/clients",
        tag: "Clients",
        summary: "Add or update clients",
        description: "Takes up to 500 clients. Each is found by `external_id`, otherwise by name, street and ZIP, or is \
                      created; each gets one result, in the order sent. A problem with one client is reported in its \
                      result and does not hold up the others. If the service fails part-way, nothing of the request is \
                      saved.",
        parameters: &["DryRun", "Explain", "Plan", "IdempotencyKey"],
        body: Some("ClientBatch"),
        answer: ("UpsertResults", "One result for each client, whatever the results say."),
        headers: &["Idempotent-Replayed"],
        errors: WRITING,
        own_errors: &[(
            409,
            "PlanConflict",
            "`conflict`: the results are no longer those of `plan`, or it is over 15 minutes old. Nothing is saved.",
        )],
        security: Some("apiKey"),
        ..Operation::EMPTY
    },
    Operation {
        id: "listClients",
        path: "/api/v1/clients",
        tag: "Clients",
        summary: "List clients",
        description: "The account's clients, page by page, the least recently changed first, as they stood a minute ago. \
                      Pass `next_cursor` back as `cursor` until it is `null`: such a walk meets every client that \
                      existed when it began, and a client twice only if it changed in between.",
        parameters: &["Limit", "Cursor", "UpdatedSince", "ExternalId", "Email", "Phone", "Name"],
        answer: ("ClientPage", "A page of clients."),
        errors: READING,
        links: || next_page("listClients", object! {}),
        security: Some("apiKey"),
        ..Operation::EMPTY
    },
    Operation {
        id: "getClient",
        path: "/api/v1/clients/{client}",
        tag: "Clients",
        summary: "Show a client",
        description: "One client, as it was a minute ago. A client that is newer is not found yet.",
        parameters: &["Client"],
        answer: ("ClientBody", "The client."),
        errors: READING,
        own_errors: &[(404, "ErrorBody", "`not_found`: the account has no client with this id, or it is too new.")],
        security: Some("apiKey"),
        ..Operation::EMPTY
    },
    Operation {
        id: "getClientHistory",
        path: "/api/v1/clients/{client}/history",
        tag: "Clients",
        summary: "Show a client's history",
        description: "The changes of one client, each with its author and its time, the newest first, as of a minute ago.",
        parameters: &["Client", "Limit", "Cursor"],
        answer: ("HistoryPage", "A page of changes."),
        errors: READING,
        own_errors: &[(404, "ErrorBody", "`not_found`: the account has no client with this id, or it is too new.")],
        links: || next_page("getClientHistory", object! { "client": "$request.path.client" }),
        security: Some("apiKey"),
        ..Operation::EMPTY
    },
    Operation {
        id: "settleCase",
        method: "post",
        path: "/api/v1/cases/settled",
        tag: "Clients",
        summary: "Mark a case settled",
        description: "Sets the settled date of one client. Adds the client if it is new, otherwise updates it with every \
                      field sent.",
        parameters: &["DryRun", "Explain", "Plan", "IdempotencyKey"],
        body: Some("SettledCase"),
        answer: ("UpsertedCase", "The client was added or updated."),
        headers: &["Idempotent-Replayed"],
        errors: WRITING,
        own_errors: &[
            (404, "ErrorBody", "`not_found`: no client has that `external_id` yet, and no name was sent."),
            (
                409,
                "ConflictBody",
                "`conflict`: it is ambiguous which client is meant, or the result is no longer that of `plan`. Nothing \
                 is changed.",
            ),
        ],
        security: Some("apiKey"),
        ..Operation::EMPTY
    },
    Operation {
        id: "listProspects",
        path: "/api/v1/prospects",
        tag: "Prospects",
        summary: "List prospects as cold leads",
        description: "People in crashes in the account's counties. A cold lead has not contacted the firm: keep these \
                      apart from people who did. Needs the digital bundle. A prospect appears an hour after it was \
                      added. A page may be short, even empty, and still have a `next_cursor`. Sync again from the \
                      start about weekly, and match on `id`.",
        parameters: &["Order", "ProspectLimit", "Cursor"],
        answer: ("ProspectPage", "A page of prospects."),
        errors: READING_PROSPECTS,
        own_errors: &[(
            409,
            "ErrorBody",
            "`cursor_stale`: the account's county access changed since the cursor was given. Start again without one.",
        )],
        links: || next_page("listProspects", object! { "order": "oldest" }),
        security: Some("apiKey"),
        ..Operation::EMPTY
    },
    Operation {
        id: "checkHealth",
        path: "/healthz",
        tag: "Service",
        summary: "Check the service",
        description: "Whether the service reaches its storage. Needs no key.",
        answer: ("Health", "It does."),
        errors: WITHOUT_KEY,
        ..Operation::EMPTY
    },
    Operation {
        id: "getOpenApi",
        path: "/openapi.json",
        tag: "Service",
        summary: "This document",
        description: "The description of this API in OpenAPI 3.1. Needs no key.",
        answer: ("OpenApi", "This document."),
        errors: WITHOUT_KEY,
        ..Operation::EMPTY
    },
];

/// The document.
pub fn document(examples: &Examples) -> Node {
    let names = [READING, WRITING, &["BundleRequired"]].concat();
    object! {
        "openapi": "3.1.0",
        "info": object! {
            "title": "Matterbook API",
            "version": "1",
            "summary": "Client records and prospect leads of a law firm.",
            "description": DESCRIPTION,
            "license": object! { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [object! { "url": "/", "description": "The service that gives this document." }],
        "tags": [
            tag("Account", "Whose key it is."),
            tag("Clients", "The firm's clients, and their settled cases."),
            tag("Prospects", "Crash prospects as cold leads."),
            tag("Service", "The service itself."),
        ],
        "paths": paths(OPERATIONS, examples),
        "components": object! {
            "securitySchemes": object! { "apiKey": api_key() },
            "parameters": parameters(),
            "headers": Node::object(headers::public()),
            "responses": responses::components(&names, "public", examples),
            "schemas": schemas(),
        },
    }
}

/// A tag with its description.
pub fn tag(name: &str, description: &str) -> Node {
    object! { "name": name, "description": description }
}

/// The link from a page to the next one, with these further parameters.
pub fn next_page(operation: &str, others: Node) -> Node {
    object_of(
        "nextPage",
        object! {
            "operationId": operation,
            "description": "`next_cursor`, unless it is `null`, is the `cursor` of the page after this one.",
            "parameters": others.with("cursor", "$response.body#/next_cursor"),
        },
    )
}

fn api_key() -> Node {
    let prefix = Settings::default().key_prefix;
    object! {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": format!("{prefix} and 43 letters, digits, - and _"),
        "description": "An API key of the account. Treat it as a password: it opens all of the account's client data.",
    }
}

/// A query parameter.
pub fn query(name: &str, description: &str, schema: Node) -> Node {
    object! { "name": name, "in": "query", "description": description, "schema": schema }
}

/// An id in the path.
pub fn path_id(name: &str, description: &str) -> Node {
    object! {
        "name": name,
        "in": "path",
        "required": true,
        "description": description,
        "schema": object! { "type": "string", "format": "uuid" },
    }
}

/// The maximum number of elements on a page.
pub fn limit(description: &str, default: Option<u32>) -> Node {
    let schema = object! { "type": "integer", "minimum": 1_u32, "maximum": PAGE_LIMIT_MAX };
    query(
        "limit",
        description,
        match default {
            Some(default) => schema.with("default", default),
            None => schema,
        },
    )
}

/// The cursor parameter.
pub fn cursor() -> Node {
    let description = "`next_cursor` of an earlier page of this listing: the page after it. The cursor contains the \
                       filters; omit them, or send them unchanged.";
    query("cursor", description, object! { "type": "string", "format": "cursor" })
}

fn parameters() -> Node {
    let of_prospects = format!(
        "Most prospects in the answer. {PAGE_LIMIT_DEFAULT} when absent; with `order=newest`, {NEWEST_LIMIT} when absent."
    );
    let order = format!(
        "`oldest` has pages, in the order in which prospects were added. `newest` gives those of the last {NEWEST_DAYS} \
         days at once, the latest first, without a cursor."
    );
    let idempotency = "Chosen by you, new for each request: for 24 hours the same key with the same request gets the saved \
                       answer again, and nothing is done twice. Such as `sync-2026-03-02-17`.";
    let dry_run = "`true`: answers as the request would be answered, and saves nothing. `id` is there for clients who \
                   exist already. An `Idempotency-Key` has no effect.";
    let explain = "`true`: each result also says by what the client was found, what changed, what was repaired, and \
                   which clients conflict.";
    let plan = "The `plan` of a dry run of the same request: it is saved only if every result is as in that dry run, but for `similar`; \
                otherwise the answer is 409 `conflict` with the results of now. Not together with `dry_run`.";
    let flag = || object! { "type": "boolean", "default": false };
    object! {
        "Limit": limit("Most clients on a page.", Some(PAGE_LIMIT_DEFAULT)),
        "ProspectLimit": limit(&of_prospects, None),
        "Cursor": cursor(),
        "UpdatedSince": query(
            "updated_since",
            "Only clients changed at or after this time.",
            object! { "type": "string", "format": "date-time" },
        ),
        "ExternalId": query(
            "external_id",
            "Only the client with exactly this `external_id`, as its own or as an alias.",
            object! { "type": "string", "maxLength": matterbook_core::normalize::Field::EXTERNAL_ID_MAX_LENGTH },
        ),
        "Email": query(
            "email",
            "Only clients with this e-mail address.",
            object! { "type": "string", "maxLength": matterbook_core::normalize::Field::EMAIL_MAX_LENGTH },
        ),
        "Phone": query("phone", "Only clients with this phone number, in any format.", object! { "type": "string" }),
        "Name": query(
            "name",
            "Only clients with this first and last name. Letter case, accents and punctuation do not matter.",
            object! { "type": "string", "maxLength": 401_u32 },
        ),
        "Client": path_id("client", "The client's `id`."),
        "Order": query("order", &order, object! { "type": "string", "enum": ["oldest", "newest"], "default": "oldest" }),
        // The viewer presets the example, so that nobody saves by trying.
        "DryRun": query("dry_run", dry_run, flag()).with("example", true),
        "Explain": query("explain", explain, flag()),
        "Plan": query("plan", plan, object! { "type": "string" }),
        "IdempotencyKey": object! {
            "name": "Idempotency-Key",
            "in": "header",
            "description": idempotency,
            "schema": object! {
                "type": "string",
                "maxLength": IDEMPOTENCY_KEY_MAX_LENGTH,
                "pattern": "^[!-~]*$",
            },
        },
    }
}

fn schemas() -> Node {
    let pages = [
        ("ClientPage", page("ClientPage", "clients", "Client", "Clients, the least recently changed first.")),
        ("ClientBody", answer("ClientBody", "One client.", vec![("client", Node::schema("Client"))])),
        ("HistoryPage", history::history_page()),
        ("ProspectPage", page("ProspectPage", "prospects", "Prospect", "Prospects.")),
    ];
    let service = [
        (
            "Health",
            object! {
                "title": "Health",
                "description": "The service and its storage answer.",
                "type": "object",
                "required": ["status"],
                "properties": object! {
                    "status": object! {
                        "type": "string",
                        "enum": ["ok", "warning", "standby"],
                        "description": "`warning`: requests are answered, and an operator has to act. `standby`: a copy is served, for reading.",
                    },
                    "problem": object! { "type": "string", "description": "What an operator has to fix: a sentence." },
                    "copied_until": object! { "type": "string", "format": "date-time", "description": "Of a standby: the time of the newest change in its copy." },
                },
            },
        ),
        (
            "OpenApi",
            object! { "title": "OpenApi", "description": "An OpenAPI document.", "type": "object", "required": ["openapi"], "additionalProperties": true },
        ),
    ];
    let all = [
        account::me(),
        client::schemas(),
        result::upsert(),
        history::schemas(),
        vec![prospect::prospect(), prospect::vehicle()],
        prospect::names(),
        pages.to_vec(),
        error::schemas(),
        vec![error::conflict()],
        service.to_vec(),
    ];
    Node::object(all.into_iter().flatten())
}
