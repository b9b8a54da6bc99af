//! What one caller's clients have to be, from what it sent and was answered.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// A request that changes clients.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// In the order in which the caller sent them.
    pub number: u64,
    pub kind: Kind,
    pub idempotency_key: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A batch of clients, each by its `external_id`, with the version that it shall have.
    Post(Vec<(String, u64)>),
    /// A settled case.
    Settle { external_id: String, settled_on: String },
}

/// One client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownClient {
    /// Known once an answer named it.
    pub id: Option<String>,
    pub version: u64,
    /// The operation that changed it last.
    pub changed_by: u64,
    /// Its settlements' dates, in order.
    pub settlements: Vec<String>,
}

/// The clients of one caller, by `external_id`.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub clients: BTreeMap<String, KnownClient>,
}

impl Operation {
    /// The path beneath `/api/v1`, and the body.
    pub(super) fn request(&self) -> (&'static str, Value) {
        match &self.kind {
            Kind::Post(posts) => {
                let clients: Vec<Value> = posts.iter().map(|(id, version)| client(id, *version)).collect();
                ("/clients", json!({ "clients": clients }))
            }
            Kind::Settle { external_id, settled_on } => {
                ("/cases/settled", json!({"external_id": external_id, "settled_on": settled_on}))
            }
        }
    }

    /// Every client that it names.
    pub(super) fn names(&self) -> Vec<&str> {
        match &self.kind {
            Kind::Post(posts) => posts.iter().map(|(id, _)| id.as_str()).collect(),
            Kind::Settle { external_id, .. } => vec![external_id],
        }
    }
}

/// Name and address are unique to the client, so it never matches another one.
fn client(external_id: &str, version: u64) -> Value {
    json!({
        "external_id": external_id,
        "first_name": "Ada",
        "last_name": format!("Ray {external_id}"),
        "address_line1": "12 Elm St",
        "zip": "62704",
        "case_type": version_text(version),
    })
}

/// How a client's record holds a version.
pub(super) fn version_text(version: u64) -> String {
    format!("version {version}")
}

impl History {
    /// What the answer to an operation has to say of each client.
    pub(super) fn statuses(&self, operation: &Operation) -> Vec<&'static str> {
        let is_known = |id: &str| self.clients.contains_key(id);
        operation.names().into_iter().map(|id| if is_known(id) { "updated" } else { "created" }).collect()
    }

    /// Takes in an operation that happened.
    pub(super) fn apply(&mut self, operation: &Operation) {
        match &operation.kind {
            Kind::Post(posts) => {
                for (external_id, version) in posts {
                    let kept = self.clients.entry(external_id.clone()).or_default();
                    if kept.version != *version {
                        kept.version = *version;
                        kept.changed_by = operation.number;
                    }
                }
            }
            Kind::Settle { external_id, settled_on } => {
                let kept = self.clients.entry(external_id.clone()).or_default();
                if !kept.settlements.contains(settled_on) {
                    kept.settlements.push(settled_on.clone());
                    kept.changed_by = operation.number;
                }
            }
        }
    }

    /// Whether an operation would change anything.
    pub(super) fn is_changed_by(&self, operation: &Operation) -> bool {
        let mut after = self.clone();
        after.apply(operation);
        after.clients != self.clients
    }
}
