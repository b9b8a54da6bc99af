//! The documents' examples: requests to a service in this process, and its responses.

use std::time::Duration;

use matterbook_core::{api::HostRefusal, settings::Settings};

use crate::{
    node::{Node, object},
    scene::{Body, FAILURES_MAX, OPERATOR_TOKEN, Scene, read, text},
};

/// One example, with its operation or shared response.
pub struct Example {
    pub of: String,
    /// The status; `None` for a request.
    pub status: Option<u16>,
    pub name: String,
    pub summary: String,
    pub value: Node,
}

/// All examples.
pub struct Examples(Vec<Example>);

impl Examples {
    /// The request examples of an operation.
    pub fn requests(&self, operation: &str) -> Node {
        self.named(|example| example.of == operation && example.status.is_none())
    }

    /// The response examples with this status, of an operation or a shared response.
    pub fn answers(&self, of: &str, status: u16) -> Node {
        self.named(|example| example.of == of && example.status == Some(status))
    }

    fn named(&self, is_wanted: impl Fn(&Example) -> bool) -> Node {
        let wanted = self.0.iter().filter(|example| is_wanted(example));
        Node::object(wanted.map(|example| {
            let value = example.value.clone();
            (example.name.clone(), object! { "summary": example.summary.as_str(), "value": value })
        }))
    }

    /// Records one example of each from the service.
    pub fn of_the_service() -> Self {
        let mut scene = Scene::new();
        let (account, login) = scene.operate_accounts();
        scene.operate_prospects(&account);
        scene.call_clients(&account);
        scene.call_prospects(&account);
        scene.fail(&account, &login);
        scene.close(&account);
        scene.transfer(&account);
        Self(scene.examples)
    }
}

impl Scene {
    fn operate_accounts(&mut self) -> (String, String) {
        let email = "office@stone.example";
        let body = format!(r#"{{"email": "{email}", "api_enabled": true, "digital_bundle": true}}"#);
        let created = self.operate("createAccount", "An account", "POST", "accounts", &body);
        let account = text(&created, &["account", "id"]);
        let at = |rest: &str| format!("accounts/{account}{rest}");
        self.operate("listAccounts", "The only page", "GET", "accounts", "");
        self.operate("showAccount", "The account", "GET", &at(""), "");
        let body = r#"{"email": "sam@stone.example", "role": "owner"}"#;
        let added = self.operate("addLogin", "An owner", "POST", &at("/logins"), body);
        let login = text(&added, &["login", "id"]);
        let body = format!(r#"{{"login_id": "{login}", "label": "Zapier"}}"#);
        let created = self.operate("createKey", "A key", "POST", &at("/keys"), &body);
        self.key = text(&created, &["key", "key"]);
        self.hide_key("createKey");
        self.operate("listKeys", "One key", "GET", &at("/keys"), "");
        self.operate("grantCounty", "A county", "PUT", &at("/counties/06037"), r#"{"from_date": "2025-01-01"}"#);
        self.operate("listLogins", "Two owners", "GET", &at("/logins"), "");
        self.operate("listCounties", "One county", "GET", &at("/counties"), "");
        self.operate("makeSignInLink", "A link", "POST", &format!("logins/{login}/link"), "");
        let body = r#"{"email": "left@stone.example", "role": "teammate"}"#;
        let added = self.operator("POST", &at("/logins"), body);
        let left = text(&read(&added), &["login", "id"]);
        self.operate("removeLogin", "A person who left", "DELETE", &format!("logins/{left}"), "");
        (account, login)
    }

    fn operate_prospects(&mut self, account: &str) {
        let body = r#"{"prospects": [
            {"source_id": "CR-1", "first_name": "Dana", "last_name": "Cole", "address_line1": "731 W 4th St",
             "city": "Los Angeles", "state": "CA", "zip": "90013", "phone": "213-555-0108", "person_type": "driver",
             "injury_severity": "suspected_minor", "transported": true, "crash_date": "02/21/2026",
             "crash_time": "17:40", "crash_city": "Los Angeles", "crash_state": "CA", "crash_county": "Los Angeles",
             "crash_county_fips": "06037", "crash_report_number": "26-0221-1187",
             "manner_of_collision": "Front to rear", "vehicle_year": 2019, "vehicle_make": "Toyota",
             "vehicle_model": "Corolla", "vehicle_towed": true, "hit_and_run": false},
            {"source_id": "CR-2", "crash_date": "2026-02-22", "crash_county_fips": 6037, "person_type": "pedestrian"},
            {"source_id": "CR-3", "crash_date": "2026-02-24", "crash_county_fips": "Harris"}
        ]}"#;
        let imported = self.operate("importProspects", "Two of three", "POST", "prospects", body);
        let prospect = text(&imported, &["results", "1", "id"]);
        self.operate("eraseProspect", "The second", "DELETE", &format!("prospects/{prospect}"), "");
        self.operate("showSettings", "The defaults", "GET", "settings", "");
        self.operate("listLog", "The first two", "GET", "log?limit=2", "");
        let another =
            r#"{"prospects": [{"source_id": "CR-4", "crash_date": "2026-02-25", "crash_county_fips": "06037"}]}"#;
        self.operator("POST", "prospects", another);
        self.operator("GET", &format!("accounts/{account}"), "");
        self.clock.advance(Duration::from_secs(3 * 3_600));
    }

    fn call_clients(&mut self, account: &str) {
        self.call("checkKey", "The key works", "GET", "me", "");
        let body = r#"{"clients": [
            {"external_id": "M-2001", "first_name": "Rosa", "last_name": "Diaz", "address_line1": "48 Pine Avenue, Apt 3",
             "city": "Tampa", "state": "Fla.", "zip": "33602", "email": "rosa@EXAMPLE.com", "phone": "(813) 555-0142",
             "case_type": "Auto", "opened_on": "1/5/2026"},
            {"external_id": "M-2002", "first_name": "Rosa", "last_name": "Diaz", "address_line1": "48 Pine Ave Apt 3",
             "zip": "33602"},
            {"external_id": 2003, "first_name": "Omar", "zip": "021"}
        ]}"#;
        let posted = self.call("upsertClients", "One created, one in conflict, one refused", "POST", "clients", body);
        let client = text(&posted, &["results", "0", "id"]);
        let tried = "clients?dry_run=true&explain=true";
        self.answer_of("upsertClients", 200, "The same once more, tried and explained", "POST", tried, body);
        let by_id = r#"{"external_id": "M-2001", "settled_on": "Feb 27, 2026"}"#;
        self.call("settleCase", "A client sent before", "POST", "cases/settled", by_id);
        let new = r#"{"first_name": "Wei", "last_name": "Chen", "address_line1": "PO Box 88", "zip": "02139", "settled_on": "2026-02-27"}"#;
        self.call("settleCase", "A new client", "POST", "cases/settled", new);
        let correction = r#"{"external_id": "M-2001", "settled_on": "2026-02-26", "new_settlement": false}"#;
        self.call("settleCase", "A correction", "POST", "cases/settled", correction);
        let unknown = r#"{"external_id": "M-9999", "settled_on": "2026-02-27"}"#;
        self.answer_of("settleCase", 404, "Unknown external id", "POST", "cases/settled", unknown);
        let other = r#"{"external_id": "M-2002", "first_name": "Rosa", "last_name": "Diaz", "address_line1": "48 Pine Ave. Apartment 3", "zip": "33602", "settled_on": "2026-02-27"}"#;
        self.answer_of("settleCase", 409, "Ambiguous client", "POST", "cases/settled", other);
        self.clock.advance(Duration::from_secs(60));
        self.call("listClients", "The first page", "GET", "clients?limit=1", "");
        self.call("getClient", "The client", "GET", &format!("clients/{client}"), "");
        let history = format!("clients/{client}/history");
        self.call("getClientHistory", "The first page", "GET", &format!("{history}?limit=1"), "");
        let unknown = "clients/00000000-0000-7000-8000-000000000000";
        self.answer_of("getClient", 404, "No such client", "GET", unknown, "");
        let no_history = format!("{unknown}/history");
        self.answer_of("getClientHistory", 404, "No such client", "GET", &no_history, "");
        self.operate("showClient", "As it is now", "GET", &format!("accounts/{account}/clients/{client}"), "");
        let history = format!("accounts/{account}/{history}");
        let shown = self.operate("showClientHistory", "All changes", "GET", &history, "");
        let request = text(&shown, &["changes", "0", "request_id"]);
        let change = format!("accounts/{account}/changes/{request}");
        self.operate("showChange", "What an undo would do", "GET", &change, "");
        self.operate("undoChange", "A dry run", "POST", &format!("{change}/undo?dry_run=true"), "");
        let by_phone = format!("accounts/{account}/clients?phone=813-555-0142");
        self.operate("findClients", "By phone", "GET", &by_phone, "");
        let review = format!("accounts/{account}/review");
        let page = self.operate("listReview", "The first page", "GET", &format!("{review}?limit=1"), "");
        let item = format!("{review}/{}", text(&page, &["review", "0", "id"]));
        self.operate("decideReview", "Leave it", "POST", &item, r#"{"decision": "leave"}"#);
        let namesake = r#"{"clients": [{"first_name": "Rose", "last_name": "Dias", "email": "rosa@example.com"}]}"#;
        let key = self.key.clone();
        self.send("POST", "/api/v1/clients", Some(&key), &[], Body::Text(namesake.to_owned()));
        let similar = format!("accounts/{account}/similar");
        self.operate("findSimilar", "Two clients with one e-mail address", "POST", &format!("{similar}/find"), "");
        let page = self.operate("listSimilar", "The first page", "GET", &format!("{similar}?limit=1"), "");
        let [one, other] = ["0", "1"].map(|place| text(&page, &["similar", "0", "clients", place, "id"]));
        let decision = r#"{"decision": "same"}"#;
        self.operate("decideSimilar", "One person", "POST", &format!("{similar}/{one}/{other}"), decision);
        self.operate(
            "listSettlements",
            "The first page",
            "GET",
            &format!("accounts/{account}/settlements?limit=1"),
            "",
        );
        let mail_on = format!("accounts/{account}/clients/{client}/mail-on");
        self.operate("turnMailOn", "The client", "POST", &mail_on, "");
        self.operate("eraseClient", "The client", "DELETE", &format!("accounts/{account}/clients/{client}"), "");
    }

    fn call_prospects(&mut self, account: &str) {
        let page = self.call("listProspects", "The first page", "GET", "prospects?limit=1", "");
        let cursor = text(&page, &["next_cursor"]);
        self.operate(
            "changeAccount",
            "Contact enrichment",
            "PATCH",
            &format!("accounts/{account}"),
            r#"{"contact_enrichment": true}"#,
        );
        self.call("listProspects", "With contact enrichment", "GET", "prospects?limit=1", "");
        self.operator("PUT", &format!("accounts/{account}/counties/06059"), r#"{"from_date": "2025-01-01"}"#);
        self.answer_of("listProspects", 409, "Another county", "GET", &format!("prospects?cursor={cursor}"), "");
    }

    /// The export of an account, its import and its restore, which the store in memory does not have.
    fn transfer(&mut self, account: &str) {
        let digest = "5c29a5ffd4e6d2ac17ab7d5bd3d7fc0a1d5a6f3c1c6f1c0cf8b8f7f5b5a1c2d3";
        let head = format!(
            r#"{{"matterbook_account": 1, "account": "{account}", "key_secrets": ["Jw1TzTYzBtLk"], "is_suspended": false,
                "tables": {{"accounts": ["number", "email"], "county_grants": ["county_fips", "from_date"]}},
                "row": ["accounts", 73, "office@stone.example"]}}"#
        );
        let rows = r#"[["county_grants", "06037", "2025-01-01"]]"#;
        let state = |received: u32, is_done: bool| {
            format!(
                r#"{{"import": {{"account": "{account}", "digest": "{digest}", "row_count": 1,
                    "received_rows": {received}, "is_done": {is_done}}}}}"#
            )
        };
        let page = format!(
            r#"{{"export": {{"version": "1772452800000000-1772452800000000", "head": {head}, "rows": {rows}}}, "next_cursor": null}}"#
        );
        let begin = format!(r#"{{"head": {head}, "row_count": 1, "digest": "{digest}"}}"#);
        let restored = format!(
            r#"{{"account": {{"id": "{account}", "email": "office@example.com", "api_enabled": true, "suspended": true,
                "digital_bundle": false, "contact_enrichment": false, "jurisdiction": null,
                "created_at": "2026-03-02T12:00:00.000000Z",
                "last_commit_at": "2026-03-02T15:00:04.000000Z", "counties": [], "logins": [{{"id": "019caf10-3ce8-7f01-b3c4-7d0000000001", "account_id": "{account}",
                "email": "office@example.com", "role": "owner", "created_at": "2026-03-02T12:00:00.000000Z"}}]}}}}"#
        );
        let conflict = |message: &str| format!(r#"{{"error": {{"code": "conflict", "message": "{message}"}}}}"#);
        let importing = conflict("The account is being imported and stays suspended until that has ended.");
        for (of, status, summary, json) in [
            ("exportAccount", Some(200), "The only page", page),
            ("exportAccount", Some(409), "Before the import has ended", importing.clone()),
            ("changeAccount", Some(409), "Before the import has ended", importing),
            ("beginAccountImport", None, "An account", begin),
            ("beginAccountImport", Some(200), "An account", state(0, false)),
            (
                "beginAccountImport",
                Some(409),
                "It exists",
                conflict("The account exists here, and is no import of this file; nothing is imported over it."),
            ),
            ("importAccountRows", None, "All rows", format!(r#"{{"from": 0, "rows": {rows}}}"#)),
            ("importAccountRows", Some(200), "All rows", state(1, true)),
            (
                "importAccountRows",
                Some(409),
                "While it is discarded",
                conflict("The import is being discarded; discard the rest before you begin it again."),
            ),
            ("discardAccountImport", Some(200), "Nothing is left", state(0, false)),
            (
                "discardAccountImport",
                Some(409),
                "It has ended",
                conflict("The import has ended, so the account can no longer be discarded."),
            ),
            ("restoreAccount", None, "An afternoon", r#"{"at": "2026-03-02T14:00:00Z"}"#.to_owned()),
            ("restoreAccount", Some(200), "An afternoon", restored),
            (
                "restoreAccount",
                Some(409),
                "It goes on saving",
                conflict("Suspend the account first: what it saves meanwhile would be lost."),
            ),
        ] {
            self.add_json(of, status, summary, &json);
        }
    }

    /// The errors that operations share.
    fn fail(&mut self, account: &str, login: &str) {
        for (name, method, path, body) in [
            ("A parameter", "GET", "clients?limit=500", ""),
            ("Not JSON", "POST", "clients", r#"{"clients": [{"first_name": "Ana",}]}"#),
            ("No clients", "POST", "clients", r#"{"client": {"first_name": "Ana"}}"#),
            (
                "Too little",
                "POST",
                "cases/settled",
                r#"{"first_name": "Wei", "last_name": "Chen", "address_line1": "PO Box 88"}"#,
            ),
        ] {
            self.answer_of("public BadRequest", 400, name, method, path, body);
        }
        self.answer_of("public MethodNotAllowed", 405, "Another method", "DELETE", "clients", "");
        let (short, unknown) = ("mtb_too-short".to_owned(), format!("mtb_{}", "A".repeat(43)));
        for (name, token) in [("No key", None), ("Badly formed", Some(&short)), ("Unknown or revoked", Some(&unknown))]
        {
            let answer = self.send("GET", "/api/v1/me", token.map(String::as_str), &[], Body::Text(String::new()));
            self.record("public Unauthorized", name, &answer);
        }
        let key = self.key.clone();
        for (of, name, header, body) in [
            ("public RequestTimeout", "Too slow", ("content-type", "application/json"), Body::TooSlow),
            ("public ContentTooLarge", "Too large", ("content-type", "application/json"), Body::TooLarge),
            (
                "public UnsupportedMediaType",
                "Not JSON",
                ("content-type", "multipart/form-data"),
                Body::Text(String::new()),
            ),
        ] {
            let answer = self.send("POST", "/api/v1/clients", Some(&key), &[header], body);
            self.record(of, name, &answer);
        }
        for clients in ["[]", "[{}]"] {
            let body = Body::Text(format!(r#"{{"clients": {clients}}}"#));
            let answer = self.send("POST", "/api/v1/clients", Some(&key), &[("idempotency-key", "sync-17")], body);
            if clients != "[]" {
                self.record("public KeyReused", "Another body", &answer);
            }
        }
        for (name, change) in [
            ("Suspended", r#"{"suspended": true}"#),
            ("Not turned on", r#"{"suspended": false, "api_enabled": false}"#),
            ("No digital bundle", r#"{"api_enabled": true, "digital_bundle": false}"#),
        ] {
            self.operator("PATCH", &format!("accounts/{account}"), change);
            let answer = self.send("GET", "/api/v1/prospects", Some(&key), &[], Body::Text(String::new()));
            self.record("public BundleRequired", name, &answer);
            if name != "No digital bundle" {
                self.record("public Forbidden", name, &answer);
            }
        }
        let view_only = r#"{"role": "view_only"}"#;
        self.operate("changeRole", "View only", "PATCH", &format!("logins/{login}"), view_only);
        let answer = self.send("GET", "/api/v1/me", Some(&key), &[], Body::Text(String::new()));
        self.record("public Forbidden", "A view-only login", &answer);
        self.operator("PATCH", &format!("logins/{login}"), r#"{"role": "owner"}"#);
        let within = r#"{"email": "office@field.example", "jurisdiction": "eu"}"#;
        let refused = self.operator("POST", "accounts", within);
        self.record("createAccount", "On one machine", &refused);
        let unknown = self.operator("GET", &format!("accounts/{login}"), "");
        self.record("operator NotFound", "No such account", &unknown);
        for (of, name, refusal) in [
            ("public InternalError", "A failure", HostRefusal::Misconfigured { cause: String::new() }),
            ("public InternalError", "Too much to do", HostRefusal::TooManyConnections),
        ] {
            let answer = refusal.answer(&self.clock).response;
            self.record(of, name, &answer);
            self.record(&of.replace("public", "operator"), name, &answer);
        }
        self.fail_operator(account);
    }

    /// The errors that operator operations share.
    fn fail_operator(&mut self, account: &str) {
        for (of, name, method, path, body) in [
            ("BadRequest", "A field", "POST", "accounts", r#"{"api_enabled": "yes"}"#),
            ("BadRequest", "A parameter", "GET", "log?limit=500", ""),
            ("MethodNotAllowed", "Another method", "DELETE", "accounts", ""),
        ] {
            let answer = self.operator(method, path, body);
            self.record(&format!("operator {of}"), name, &answer);
        }
        let answer = self.send("GET", "/operator/v1/accounts", Some("wrong"), &[], Body::Text(String::new()));
        self.record("operator Unauthorized", "No token, or a wrong one", &answer);
        for (of, name, header, body) in [
            ("RequestTimeout", "Too slow", "application/json", Body::TooSlow),
            ("ContentTooLarge", "Too large", "application/json", Body::TooLarge),
            ("UnsupportedMediaType", "Not JSON", "multipart/form-data", Body::Text(String::new())),
        ] {
            let path = format!("/operator/v1/accounts/{account}");
            let answer = self.send("PATCH", &path, Some(OPERATOR_TOKEN), &[("content-type", header)], body);
            self.record(&format!("operator {of}"), name, &answer);
        }
    }

    /// The requests that end the access of the account. They come last.
    fn close(&mut self, account: &str) {
        self.operate("revokeCounty", "As it was", "DELETE", &format!("accounts/{account}/counties/06037"), "");
        let limit = Settings::default().rate_limit_per_minute;
        let key = self.key.clone();
        for request in 0..=limit {
            let answer = self.send("GET", "/healthz", None, &[], Body::Text(String::new()));
            if request == 0 {
                self.record("checkHealth", "All is well", &answer);
            }
            let answer = self.send("GET", "/api/v1/me", Some(&key), &[], Body::Text(String::new()));
            if answer.status() == 429 {
                self.record("public TooManyRequests", "Over the limit", &answer);
                break;
            }
        }
        let keys = self.operator("GET", &format!("accounts/{account}/keys"), "");
        let id = text(&read(&keys), &["keys", "0", "id"]);
        self.operate("revokeKey", "Revoked", "DELETE", &format!("keys/{id}"), "");
        for _ in 0..=FAILURES_MAX {
            let answer = self.send("GET", "/operator/v1/accounts", Some("wrong"), &[], Body::Text(String::new()));
            if answer.status() == 429 {
                self.record("operator TooManyRequests", "Too many failures", &answer);
                break;
            }
        }
    }
}
