//! The operator's other schemas: settings, settlements, the log, erasures.

use super::{Named, answer, client::shared_kept, flag, formatted, id, one_of, or_null, page::page, text, time, value};
use crate::node::{Node, object};

/// The schemas of the operator's other responses.
pub fn schemas() -> Vec<Named> {
    let number = |description: &str| value("integer", description).with("minimum", 0_u32);
    let shared = |name: &'static str| (name, shared_kept(name).unwrap_or(Node::Null));
    let of_client = [
        "external_id",
        "first_name",
        "last_name",
        "address_line1",
        "address_line2",
        "city",
        "state",
        "zip",
        "case_type",
    ];
    let erased = |title: &str, member: &'static str| {
        answer(title, "There is no way back.", vec![(member, Node::schema("Erased"))])
    };
    vec![
        ("ClientBody", answer("ClientBody", "One client, as it is now.", vec![("client", Node::schema("Client"))])),
        ("ClientPage", page("ClientPage", "clients", "Client", "Clients as they are now.")),
        (
            "Erased",
            answer(
                "Erased",
                "What was erased.",
                vec![("id", id("What it was.")), ("erased", object! { "type": "boolean", "const": true })],
            ),
        ),
        ("ErasedClient", erased("ErasedClient", "client")),
        ("ErasedProspect", erased("ErasedProspect", "prospect")),
        (
            "Settlement",
            answer("Settlement", "A settlement, with its client as it is now.", {
                let ids =
                    [("id", id("The settlement: a letter goes out once for each.")), ("client_id", id("The client."))];
                let rest = [
                    ("settled_on", formatted("date", "The settlement's date.")),
                    ("begun_at", time("When it was begun.")),
                    ("changed_at", time("When it last changed; a correction moves it.")),
                    ("do_not_mail", flag("Whether letters to the client are stopped, as it is now.")),
                    (
                        "similar_do_not_mail",
                        flag("Whether letters to another client are stopped that may be the same person."),
                    ),
                ];
                ids.into_iter().chain(of_client.map(shared)).chain(rest).collect()
            }),
        ),
        (
            "SettlementPage",
            page(
                "SettlementPage",
                "settlements",
                "Settlement",
                "Settlements by last change. The last cursor that was not `null` may be used again later.",
            ),
        ),
        (
            "Settings",
            answer(
                "Settings",
                "What the service runs with, without its secrets.",
                vec![
                    ("service_name", text("The prospects' `source` and the realm of keys.")),
                    ("key_prefix", text("How every key begins.").with("pattern", "^[A-Za-z0-9]{3}_$")),
                    ("client_delay_seconds", number("How long ago the clients of `GET /clients` stood as shown.")),
                    ("prospect_delay_seconds", number("How long ago a prospect was added before it is shown.")),
                    ("rate_limit_per_minute", number("Requests of a key in any 60 seconds; 0: no limit.")),
                    ("body_limit_bytes", number("The largest body.")),
                    (
                        "key_secret",
                        one_of(
                            ["known", "unknown", "unused"],
                            "Whether keys were made with the service's key secret; `unknown`: with others only, so every key is refused. `unused`: there are no keys yet.",
                        ),
                    ),
                    (
                        "database_bytes",
                        or_null(number("The size of the database on Cloudflare; `null` on a machine of your own.")),
                    ),
                ],
            ),
        ),
        ("SettingsBody", answer("SettingsBody", "The settings.", vec![("settings", Node::schema("Settings"))])),
        (
            "LogEntry",
            answer(
                "LogEntry",
                "An operator's action. It holds ids, never names.",
                vec![
                    ("id", id("The entry.")),
                    ("at", time("When.")),
                    ("actor", text("Who: `Matterbook-Actor`.")),
                    ("action", text("What, such as `account.create`.")),
                    ("subject", text("The object of the action, or a number of objects.")),
                    ("request_id", id("The `X-Request-Id` of the request.")),
                ],
            ),
        ),
        ("LogPage", page("LogPage", "log", "LogEntry", "The operator's log, newest first.")),
    ]
}
