//! The account that a sequence of operations is about, and the requests that they come to.

use matterbook_conformance::wire::{Answer, Operator, Request};
use proptest::{prop_assert_eq, sample::Index, test_runner::TestCaseError};
use serde_json::{Value, json};

use super::{operation::Operation, side_by_side::Services};

/// What the answers so far have named: the same in each service, since the answers are.
pub struct World {
    /// Tells the accounts and the prospects of several sequences apart.
    sequence: usize,
    account: String,
    key: String,
    key_ids: Vec<String>,
    clients: Vec<String>,
    /// Requests that may have changed clients.
    requests: Vec<String>,
    prospects: Vec<String>,
    /// Paths of listings, each with the cursor of each service: a page may end at any place after the
    /// last shown row.
    cursors: Vec<(String, Vec<String>)>,
}

impl World {
    /// The world of a sequence that has an account and no key yet.
    pub fn new(sequence: usize, services: &Services) -> Result<Self, TestCaseError> {
        let email = format!("firm-{sequence}@example.com");
        let account = json!({"email": email, "api_enabled": true, "digital_bundle": true});
        let create = services.operator().request("POST", "/accounts").json(&account);
        let created = services.same_answers(&vec![create; services.count()])?;
        Ok(Self {
            sequence,
            account: created[0].text("/account/id").map_err(|failure| TestCaseError::fail(failure.to_string()))?,
            key: String::new(),
            key_ids: Vec::new(),
            clients: Vec::new(),
            requests: Vec::new(),
            prospects: Vec::new(),
            cursors: Vec::new(),
        })
    }

    /// Does it at every service, whose answers are one.
    pub fn act(&mut self, operation: &Operation, services: &Services) -> Result<(), TestCaseError> {
        if let Operation::Elapse(seconds) = operation {
            services.elapse(*seconds);
            return Ok(());
        }
        if let Operation::Rehearse(batch) = operation {
            return self.rehearse(batch, services);
        }
        let operator = services.operator();
        let requests: Option<Vec<Request>> =
            (0..services.count()).map(|place| self.request(operation, &operator, place)).collect();
        if let Some(requests) = requests {
            let answers = services.same_answers(&requests)?;
            self.learn(&requests[0], &answers);
        }
        Ok(())
    }

    /// A dry run gets the answer of the same real request, which its plan lets pass, except for the ids of created
    /// clients. Afterwards the plan may be kept or not, but everywhere alike.
    fn rehearse(&mut self, batch: &[Value], services: &Services) -> Result<(), TestCaseError> {
        let mut post = |options: &str| {
            let target = format!("/api/v1/clients?explain=true{options}");
            let request = Request::new("POST", target).bearer(&self.key).json(&json!({ "clients": batch }));
            let answers = services.same_answers(&vec![request.clone(); services.count()])?;
            self.learn(&request, &answers);
            Ok::<_, TestCaseError>((answers[0].status, answers[0].json.clone()))
        };
        let (tried_status, mut tried) = post("&dry_run=true")?;
        let plan = match tried.as_object_mut().and_then(|answer| answer.remove("plan")) {
            Some(Value::String(plan)) => format!("&plan={plan}"),
            _ => String::new(),
        };
        let (status, mut done) = post(&plan)?;
        let created: Vec<Value> = results(&mut done)
            .filter(|result| result["status"] == "created")
            .filter_map(|result| result.get("id").cloned())
            .collect();
        for result in results(&mut done).filter_map(Value::as_object_mut) {
            if result.get("id").is_some_and(|id| created.contains(id)) {
                result.remove("id");
            }
            if let Some(Value::Array(candidates)) = result.get_mut("candidates") {
                candidates.retain(|id| !created.contains(id));
            }
        }
        prop_assert_eq!((tried_status, tried), (status, done), "a dry run, and the same for real: {:?}", batch);
        post(&plan)?;
        Ok(())
    }

    /// The request that an operation comes to at that service; `None` where there is nothing to refer
    /// to yet.
    fn request(&self, operation: &Operation, operator: &Operator<'_>, place: usize) -> Option<Request> {
        let public = |method: &str, path: String| Request::new(method, format!("/api/v1{path}")).bearer(&self.key);
        let account = |rest: String| format!("/accounts/{}{rest}", self.account);
        let keyed = |request: Request, key: &Option<&'static str>| match key {
            Some(key) => request.header("Idempotency-Key", *key),
            None => request,
        };
        Some(match operation {
            Operation::Post(batch, key, options) => {
                keyed(public("POST", format!("/clients{options}")), key).json(&json!({"clients": batch}))
            }
            Operation::Settle(client, key, options) => {
                keyed(public("POST", format!("/cases/settled{options}")), key).json(client)
            }
            Operation::ListClients(query) => public("GET", format!("/clients?{query}")),
            Operation::ListProspects(query) => public("GET", format!("/prospects?{query}")),
            Operation::GoOn(cursor, limit) => {
                let (path, cursors) = pick(cursor, &self.cursors)?;
                let cursor = cursors.get(place)?;
                let path = format!("{path}?cursor={cursor}&{limit}");
                if path.starts_with("/accounts") || path.starts_with("/log") {
                    operator.request("GET", &path)
                } else {
                    public("GET", path)
                }
            }
            Operation::Import(prospects) => {
                let prospects: Vec<Value> = prospects.iter().map(|prospect| self.own(prospect)).collect();
                operator.request("POST", "/prospects").json(&json!({"prospects": prospects}))
            }
            Operation::EraseProspect(index) => {
                operator.request("DELETE", &format!("/prospects/{}", pick(index, &self.prospects)?))
            }
            Operation::Grant(fips, from_date) => {
                operator.request("PUT", &account(format!("/counties/{fips}"))).json(&json!({"from_date": from_date}))
            }
            Operation::RevokeCounty(fips) => operator.request("DELETE", &account(format!("/counties/{fips}"))),
            Operation::SetAccount(flag, on) => {
                let on = if *flag == "suspended" { !on } else { *on };
                operator.request("PATCH", &account(String::new())).json(&json!({*flag: on}))
            }
            Operation::ShowClient(index) => {
                operator.request("GET", &account(format!("/clients/{}", pick(index, &self.clients)?)))
            }
            Operation::MailOn(index) => {
                operator.request("POST", &account(format!("/clients/{}/mail-on", pick(index, &self.clients)?)))
            }
            Operation::EraseClient(index) => {
                operator.request("DELETE", &account(format!("/clients/{}", pick(index, &self.clients)?)))
            }
            Operation::History(index, query) => {
                let history = account(format!("/clients/{}/history?{query}", pick(index, &self.clients)?));
                operator.request("GET", &history)
            }
            Operation::Undo(index, dry_run) => {
                let undo = account(format!("/changes/{}/undo?dry_run={dry_run}", pick(index, &self.requests)?));
                operator.request("POST", &undo)
            }
            Operation::Settlements(query) => operator.request("GET", &account(format!("/settlements?{query}"))),
            Operation::Log => operator.request("GET", "/log?limit=100"),
            Operation::NewKey => operator.request("POST", &account("/keys".to_owned())).json(&json!({})),
            Operation::Keys => operator.request("GET", &account("/keys".to_owned())),
            Operation::RevokeKey(index) => {
                operator.request("DELETE", &format!("/keys/{}", pick(index, &self.key_ids)?))
            }
            Operation::Elapse(_) | Operation::Rehearse(_) => return None,
        })
    }

    /// A prospect of this sequence: one that another sequence erased would never come back.
    fn own(&self, prospect: &Value) -> Value {
        let mut own = prospect.clone();
        own["source_id"] = json!(format!("{}-{}", self.sequence, prospect["source_id"].as_str().unwrap_or_default()));
        own
    }

    /// Remembers what the answers name.
    fn learn(&mut self, request: &Request, answers: &[Answer]) {
        let answer = &answers[0];
        let rows = answer.at("/results").as_array().cloned().unwrap_or_default();
        let results = rows.iter().filter_map(|row| row["id"].as_str().map(str::to_owned));
        if request.target == "/operator/v1/prospects" {
            self.prospects.extend(results);
        } else {
            self.clients.extend(results);
            self.clients.extend(answer.at("/result/id").as_str().map(str::to_owned));
        }
        if request.method == "POST" {
            self.requests.extend(answer.header("x-request-id").map(str::to_owned));
        }
        let cursors = answers.iter().map(|answer| answer.at("/next_cursor").as_str().map(str::to_owned)).collect();
        if let Some(cursors) = cursors {
            self.cursors.push((path_of(request).to_owned(), cursors));
        }
        if let (Some(id), Some(key)) = (answer.at("/key/id").as_str(), answer.at("/key/key").as_str()) {
            self.key_ids.push(id.to_owned());
            key.clone_into(&mut self.key);
        }
    }
}

/// The results of an answer to a batch, if it has any.
fn results(json: &mut Value) -> impl Iterator<Item = &mut Value> {
    json.get_mut("results").and_then(Value::as_array_mut).into_iter().flatten()
}

/// The path of a request beneath its base.
fn path_of(request: &Request) -> &str {
    let path = request.target.split('?').next().unwrap_or_default();
    path.trim_start_matches("/api/v1").trim_start_matches("/operator/v1")
}

fn pick<'a, T>(index: &Index, from: &'a [T]) -> Option<&'a T> {
    if from.is_empty() { None } else { Some(index.get(from)) }
}
