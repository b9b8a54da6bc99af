//! A request that was made: what it asks, and what has become of it so far.

use http::request::Parts;
use matterbook_core::{sign_in::SessionDigest, store::Position, time::Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ledger::Outcome,
    step::Caller,
    undo::Undone,
    universe::{Draft, account_id, external_id, key_id, key_text},
    waiting::Decision,
};

/// The operator's token of the simulated service.
pub(super) const OPERATOR_TOKEN: &str = "operator-token-of-the-simulation";

/// What a request does, all that it refers to being known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Doing {
    /// Both POSTs.
    Write {
        caller: Caller,
        once: Option<usize>,
        drafts: Vec<Draft>,
        is_settling: bool,
        plan: Option<Plan>,
        /// It is a batch of an import, by a session in place of the key.
        batch: Option<Batch>,
    },
    /// A dry run of `POST /clients`.
    Preview(Caller, Vec<Draft>),
    /// `GET /clients`.
    Read(Read),
    History(History),
    Me(Caller),
    Undo(Undoing),
    /// A decision about an item of an account.
    Decide(usize, Uuid, Decision),
    Suspend(usize, bool),
    Revoke(Caller),
    Erase(usize, Uuid),
    MailOn(usize, Uuid),
    Show(usize, Uuid),
}

/// A page that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read {
    pub(super) caller: Caller,
    /// The walk that goes on with it.
    pub(super) walk: Option<usize>,
    pub(super) cursor: Option<Given>,
    /// The cursor is one of another account.
    pub(super) is_foreign: bool,
    pub(super) external_id: Option<u8>,
    pub(super) updated_since: Option<Timestamp>,
    pub(super) limit: u32,
}

/// A cursor that was given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub(super) text: String,
    /// After the last row that was shown before it was given.
    pub(super) after: Option<Position>,
    /// The moments that the pages before it may have shown; no page after it shows an earlier one.
    pub(super) floors: Vec<i64>,
}

/// A plan that a dry run gave.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) text: String,
    /// By the clock of the machine that gave it, in microseconds.
    pub(super) made_at: i64,
    /// The results that it was given for.
    pub(super) results: Vec<Value>,
    /// It was given to another account.
    pub(super) is_foreign: bool,
}

/// A page of the history of a client.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct History {
    pub(super) caller: Caller,
    pub(super) client: Uuid,
    pub(super) limit: u32,
    /// After the page with that cursor and the time of its last change.
    pub(super) after: Option<(String, i64)>,
}

/// Where a batch belongs, and by whose right it comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Batch {
    pub(super) import: Uuid,
    pub(super) session: SessionDigest,
    /// The rows before it, and its own.
    pub(super) from: u32,
    pub(super) rows: u32,
}

/// The undo of what a request did.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Undoing {
    pub(super) account: usize,
    /// The label of that request, and its id.
    pub(super) of: u32,
    pub(super) request_id: String,
    pub(super) dry_run: bool,
    /// The import of that request and the batch after which to go on, where its last batch is undone.
    pub(super) import: Option<(Uuid, Option<String>)>,
}

/// A request, and what has become of it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) doing: Doing,
    /// The clock of its machine when it began, in microseconds.
    pub(super) now: i64,
    /// The version at which it began.
    pub(super) begun: usize,
    /// The versions at which its calls ran.
    pub(super) seen: Vec<usize>,
    /// Calls of it that a fault befell.
    pub(super) faults: u32,
    /// One of its commits was refused as stale.
    pub(super) was_refused: bool,
    /// What it came to when it changed something.
    pub(super) applied: Option<Vec<Outcome>>,
    /// What the undo that it is has done.
    pub(super) undone: Option<Undone>,
    /// The batch of an import after which its undo goes on, as it was answered.
    pub(super) next_batch: Option<String>,
    /// Its id, once it called the store or ended.
    pub(super) request_id: Option<String>,
    /// The plan that it was answered, if it is a dry run.
    pub(super) plan: Option<Plan>,
    /// Where the history goes on that it was answered.
    pub(super) older: Option<(String, i64)>,
    /// The version that came with it.
    pub(super) applied_at: Option<usize>,
    /// What it was answered that it came to, by itself and not as a saved answer.
    pub(super) answered: Option<Vec<Outcome>>,
    /// Its answer said that nothing was saved.
    pub(super) promised_nothing: bool,
    /// The version at which it ended.
    pub(super) ended: Option<usize>,
}

impl Asked {
    pub(super) fn new(doing: Doing, now: i64, begun: usize) -> Self {
        Self {
            doing,
            now,
            begun,
            seen: Vec::new(),
            faults: 0,
            was_refused: false,
            applied: None,
            undone: None,
            next_batch: None,
            request_id: None,
            plan: None,
            older: None,
            applied_at: None,
            answered: None,
            promised_nothing: false,
            ended: None,
        }
    }

    /// The account that it is about.
    pub(super) fn account(&self) -> usize {
        match &self.doing {
            Doing::Write { caller, .. } | Doing::Read(Read { caller, .. }) => caller.0,
            Doing::Preview(caller, _) | Doing::History(History { caller, .. }) => caller.0,
            Doing::Me(caller) | Doing::Revoke(caller) => caller.0,
            Doing::Undo(undoing) => undoing.account,
            Doing::Suspend(account, _)
            | Doing::Decide(account, ..)
            | Doing::Erase(account, _)
            | Doing::MailOn(account, _)
            | Doing::Show(account, _) => *account,
        }
    }

    /// The import that it is a batch of.
    pub(super) const fn import(&self) -> Option<&Batch> {
        match &self.doing {
            Doing::Write { batch, .. } => batch.as_ref(),
            _ => None,
        }
    }

    /// Whose key it shows; `None` for the operator.
    pub(super) fn caller(&self) -> Option<Caller> {
        match &self.doing {
            Doing::Write { caller, .. }
            | Doing::Preview(caller, _)
            | Doing::Read(Read { caller, .. })
            | Doing::History(History { caller, .. })
            | Doing::Me(caller) => Some(*caller),
            _ => None,
        }
    }

    /// As it goes to the service.
    pub(super) fn http(&self) -> Option<(Parts, Vec<u8>)> {
        let (method, target, body) = self.line();
        let mut head = http::Request::builder().method(method).uri(target);
        let token = self.caller().map_or(OPERATOR_TOKEN.to_owned(), |Caller(account, key)| key_text(account, key));
        head = head.header("authorization", format!("Bearer {token}"));
        if let Doing::Write { once: Some(key), .. } = &self.doing {
            head = head.header("idempotency-key", format!("key-{key}"));
        }
        Some((head.body(()).ok()?.into_parts().0, body.map_or_else(Vec::new, |body| body.to_string().into_bytes())))
    }

    fn line(&self) -> (&'static str, String, Option<Value>) {
        let of_account = |account: usize, rest: String| format!("/operator/v1/accounts/{}{rest}", account_id(account));
        match &self.doing {
            Doing::Write { drafts, batch: Some(Batch { import, from, rows, .. }), .. } => {
                ("POST", format!("/app/imports/{import}/batch?from={from}&rows={rows}"), Some(batch(drafts)))
            }
            Doing::Write { drafts, is_settling: false, plan, .. } => {
                let plan = plan.as_ref().map_or_else(String::new, |plan| format!("?plan={}", plan.text));
                ("POST", format!("/api/v1/clients{plan}"), Some(batch(drafts)))
            }
            Doing::Preview(_, drafts) => ("POST", "/api/v1/clients?dry_run=true".to_owned(), Some(batch(drafts))),
            Doing::Write { drafts, .. } => {
                ("POST", "/api/v1/cases/settled".to_owned(), drafts.first().map(Draft::json))
            }
            Doing::Read(read) => {
                let mut target = format!("/api/v1/clients?limit={}", read.limit);
                if let Some(given) = &read.cursor {
                    target += &format!("&cursor={}", given.text);
                }
                if let Some(id) = read.external_id.and_then(external_id) {
                    target += &format!("&external_id={id}");
                }
                if let Some(since) = read.updated_since {
                    target += &format!("&updated_since={since}");
                }
                ("GET", target, None)
            }
            Doing::History(history) => {
                let cursor = history.after.as_ref().map_or_else(String::new, |(cursor, _)| format!("&cursor={cursor}"));
                let History { client, limit, .. } = history;
                ("GET", format!("/api/v1/clients/{client}/history?limit={limit}{cursor}"), None)
            }
            Doing::Undo(Undoing { account, request_id, dry_run, import, .. }) => {
                let after = import.as_ref().and_then(|(_, after)| after.as_ref());
                let cursor = after.map_or_else(String::new, |after| format!("&cursor={after}"));
                let change = import.as_ref().map_or_else(|| request_id.clone(), |(import, _)| import.to_string());
                ("POST", of_account(*account, format!("/changes/{change}/undo?dry_run={dry_run}{cursor}")), None)
            }
            Doing::Decide(account, item, decision) => {
                let body = match decision {
                    Decision::Same(client) => json!({"decision": "same", "client": client.to_string()}),
                    Decision::Another => json!({"decision": "another"}),
                    Decision::Leave => json!({"decision": "leave"}),
                };
                ("POST", of_account(*account, format!("/review/{item}")), Some(body))
            }
            Doing::Me(_) => ("GET", "/api/v1/me".to_owned(), None),
            Doing::Suspend(account, on) => {
                ("PATCH", of_account(*account, String::new()), Some(json!({"suspended": on})))
            }
            Doing::Revoke(Caller(account, key)) => {
                ("DELETE", format!("/operator/v1/keys/{}", key_id(*account, *key)), None)
            }
            Doing::Show(account, client) => ("GET", of_account(*account, format!("/clients/{client}")), None),
            Doing::Erase(account, client) => ("DELETE", of_account(*account, format!("/clients/{client}")), None),
            Doing::MailOn(account, client) => {
                ("POST", of_account(*account, format!("/clients/{client}/mail-on")), None)
            }
        }
    }
}

fn batch(drafts: &[Draft]) -> Value {
    json!({"clients": drafts.iter().map(Draft::json).collect::<Vec<_>>()})
}
