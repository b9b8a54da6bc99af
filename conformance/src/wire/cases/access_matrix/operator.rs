//! The operator API's part of the matrix: the token comes first, then the path and its method, then
//! what is in the path and in the body.

use serde_json::{Value, json};

use super::{Check, Fails, in_cell, public, told, wrong_method};
use crate::wire::{Body, CaseResult, Failure, Firm, Operator, Request, Service, failure::equal, send};

/// An unknown id.
const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// An endpoint, and the body of a request that succeeds.
struct Endpoint {
    method: &'static str,
    path: &'static str,
    body: Option<&'static str>,
    /// How a request without a fault may end.
    ends: &'static [u16],
}

impl Endpoint {
    const fn ending(self, ends: &'static [u16]) -> Self {
        Self { ends, ..self }
    }

    /// Whether the account of its path may be new.
    fn makes_its_account(&self) -> bool {
        self.method == "PUT" && self.path.ends_with("/import")
    }
}

const fn without_body(method: &'static str, path: &'static str) -> Endpoint {
    Endpoint { method, path, body: None, ends: &[200] }
}

const fn with_body(method: &'static str, path: &'static str, body: &'static str) -> Endpoint {
    Endpoint { method, path, body: Some(body), ends: &[200] }
}

const ENDPOINTS: [Endpoint; 37] = [
    without_body("GET", "/operator/v1/settings"),
    without_body("GET", "/operator/v1/accounts"),
    with_body("POST", "/operator/v1/accounts", r#"{"email": "matrix@example.com"}"#),
    without_body("GET", "/operator/v1/accounts/{account}"),
    with_body("PATCH", "/operator/v1/accounts/{account}", r#"{"suspended": true}"#),
    with_body("POST", "/operator/v1/accounts/{account}/logins", r#"{"email": "a@example.com", "role": "teammate"}"#),
    without_body("GET", "/operator/v1/accounts/{account}/logins"),
    with_body("PATCH", "/operator/v1/logins/{login}", r#"{"role": "view_only"}"#),
    without_body("DELETE", "/operator/v1/logins/{login}"),
    without_body("POST", "/operator/v1/logins/{login}/link"),
    without_body("GET", "/operator/v1/accounts/{account}/keys"),
    with_body("POST", "/operator/v1/accounts/{account}/keys", "{}"),
    without_body("DELETE", "/operator/v1/keys/{key}"),
    without_body("GET", "/operator/v1/accounts/{account}/counties"),
    with_body("PUT", "/operator/v1/accounts/{account}/counties/{fips}", r#"{"from_date": "2025-01-01"}"#),
    without_body("DELETE", "/operator/v1/accounts/{account}/counties/{fips}"),
    with_body("POST", "/operator/v1/prospects", r#"{"prospects": []}"#),
    without_body("DELETE", "/operator/v1/prospects/{prospect}"),
    without_body("GET", "/operator/v1/accounts/{account}/clients"),
    without_body("GET", "/operator/v1/accounts/{account}/clients/{client}"),
    without_body("GET", "/operator/v1/accounts/{account}/clients/{client}/history"),
    without_body("DELETE", "/operator/v1/accounts/{account}/clients/{client}"),
    without_body("POST", "/operator/v1/accounts/{account}/clients/{client}/mail-on"),
    without_body("GET", "/operator/v1/accounts/{account}/changes/{request}"),
    without_body("POST", "/operator/v1/accounts/{account}/changes/{request}/undo"),
    without_body("GET", "/operator/v1/accounts/{account}/review"),
    with_body("POST", "/operator/v1/accounts/{account}/review/{item}", r#"{"decision": "leave"}"#),
    without_body("GET", "/operator/v1/accounts/{account}/similar"),
    without_body("POST", "/operator/v1/accounts/{account}/similar/find"),
    with_body("POST", "/operator/v1/accounts/{account}/similar/{client}/{other}", r#"{"decision": "same"}"#),
    without_body("GET", "/operator/v1/accounts/{account}/settlements"),
    // A store may export no accounts. The firm of the scene was made here, so it is no import.
    without_body("GET", "/operator/v1/accounts/{account}/export").ending(&[200, 404]),
    with_body("PUT", "/operator/v1/accounts/{account}/import", r#"{"row_count": 0}"#).ending(&[400]),
    with_body("POST", "/operator/v1/accounts/{account}/import", r#"{"from": 0, "rows": [["logins"]]}"#).ending(&[404]),
    without_body("DELETE", "/operator/v1/accounts/{account}/import").ending(&[404]),
    // Longer ago than any store goes back.
    with_body("POST", "/operator/v1/accounts/{account}/restore", r#"{"at": "2020-01-01T00:00:00Z"}"#).ending(&[409]),
    without_body("GET", "/operator/v1/log"),
];

/// Method and path of each.
#[cfg(test)]
pub(super) fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    ENDPOINTS.iter().map(|endpoint| (endpoint.method, endpoint.path))
}

/// A firm with one of everything that a path can name.
struct Scene<'s> {
    firm: Firm<'s>,
    /// Of a second owner.
    login: String,
    client: String,
    /// A client that may be the same person.
    other: String,
    /// The request that created the client.
    request: String,
    /// What waits for review.
    item: String,
    fips: String,
    prospect: String,
}

impl<'s> Scene<'s> {
    fn new(service: &'s dyn Service) -> Result<Self, Failure> {
        let firm = public::open(service)?;
        let second = json!({"email": "second@example.com", "role": "owner"});
        let login = firm.operator().call_with("POST", &firm.path("/logins"), &second)?.ok()?.text("/login/id")?;
        let client =
            json!({"last_name": "Ray", "email": "a@example.com", "do_not_mail": true, "settled_on": "2025-01-02"});
        let created = firm.post_clients(&[client])?.ok()?;
        let client = created.text("/results/0/id")?;
        let request = created.header("x-request-id").unwrap_or_default().to_owned();
        firm.post_clients(&[json!({"last_name": "Unread", "zip": "unreadable"})])?.ok()?;
        let other = firm.create(&json!({"last_name": "Rey", "email": "a@example.com"}))?;
        firm.operator().call("POST", &firm.path("/similar/find"))?.ok()?;
        let item = firm.operator().call("GET", &firm.path("/review"))?.ok()?.text("/review/0/id")?;
        let county = firm.operator().fresh_county()?;
        firm.grant(&county.fips, "2025-03-01")?;
        let prospect = firm.operator().import(&[county.prospect(&json!({}))])?.remove(0);
        Ok(Self { firm, login, client, other, request, item, fips: county.fips, prospect })
    }

    /// The path with the ids of this scene in its braces.
    fn path(&self, template: &str) -> String {
        template
            .replace("{account}", &self.firm.account)
            .replace("{login}", &self.login)
            .replace("{key}", &self.firm.key_id)
            .replace("{fips}", &self.fips)
            .replace("{prospect}", &self.prospect)
            .replace("{client}", &self.client)
            .replace("{other}", &self.other)
            .replace("{request}", &self.request)
            .replace("{item}", &self.item)
    }

    /// All of the firm that the operator can see, and that requests may change.
    fn state(&self) -> Result<[Value; 4], Failure> {
        let operator = self.firm.operator();
        let at = |path: &str| Ok(operator.call("GET", &self.firm.path(path))?.ok()?.json);
        Ok([at("")?, at("/keys")?, at(&format!("/clients/{}", self.client))?, at("/settlements")?])
    }
}

impl Endpoint {
    /// The ways in which a request to it can be wrong, each alone.
    fn faults(&self) -> Vec<Fails> {
        let is_possible = |check: &Check| match check {
            Check::MediaType | Check::Body => self.body.is_some(),
            _ => true,
        };
        let faults = [Check::Path, Check::Method, Check::MediaType, Check::Body].into_iter().filter(is_possible);
        std::iter::once(Fails::new()).chain(faults.map(|check| Fails::from([check]))).collect()
    }

    fn request(&self, scene: &Scene<'_>, faults: &Fails) -> Request {
        let is = |check| faults.contains(&check);
        let path = scene.path(self.path) + if is(Check::Path) { "/more/more/more" } else { "" };
        let method = if is(Check::Method) { wrong_method(self.path) } else { self.method };
        let request = Request::new(method, path);
        let Some(body) = self.body else { return request };
        let media_type = if is(Check::MediaType) { "image/png" } else { "application/json" };
        let body = if is(Check::Body) { "[" } else { body };
        request.header("Content-Type", media_type).body(Body::Whole(body.as_bytes().to_vec()))
    }
}

/// What somebody who is not the operator may send.
fn wrong_tokens(scene: &Scene<'_>) -> Result<Vec<Vec<String>>, Failure> {
    let service = scene.firm.service;
    let token = &service.facts().operator_token;
    let stranger = public::open(service)?;
    let revoked = public::open(service)?;
    revoked.operator().call("DELETE", &format!("/keys/{}", revoked.key_id))?.ok()?;
    let mut all: Vec<Vec<String>> = [
        String::new(),
        "wrong".to_owned(),
        format!("{token}x"),
        token.chars().skip(1).collect(),
        token.to_uppercase(),
        scene.firm.key.clone(),
        stranger.key,
        revoked.key,
    ]
    .iter()
    .map(|token| vec![format!("Bearer {token}")])
    .collect();
    all.push(vec![]);
    all.push(vec![format!("Basic {token}")]);
    all.push(vec![token.clone()]);
    all.push(vec![format!("Bearer {token}"), format!("Bearer {token}")]);
    Ok(all)
}

pub(super) fn every_operator_endpoint_asks_for_the_token_first(service: &dyn Service) -> CaseResult {
    let scene = Scene::new(service)?;
    let tokens = wrong_tokens(&scene)?;
    let before = scene.state()?;
    let mut refusal = None;
    for endpoint in &ENDPOINTS {
        for faults in endpoint.faults() {
            for token in &tokens {
                let plain = endpoint.request(&scene, &faults);
                let request =
                    token.iter().fold(plain, |request, value| request.header("Authorization", value.as_str()));
                let answer = send(service, &request)?;
                answer
                    .expect_error(401, "unauthorized")?
                    .expect_header("www-authenticate", "Bearer realm=\"operator\"")?
                    .expect_no_header("ratelimit")?;
                // Whatever was sent and whatever was asked, all are told the same.
                let told = told(&answer);
                equal(&answer.sent, &told, refusal.get_or_insert_with(|| told.clone()))?;
            }
        }
    }
    equal("the firm after requests without the token", &scene.state()?, &before)?;
    let erased = Operator::of(service).call("DELETE", &format!("/prospects/{}", scene.prospect))?;
    equal("the prospect was not erased before", &erased.status, &200)?;
    ENDPOINTS.iter().try_for_each(|endpoint| with_the_token(service, endpoint))
}

/// The rest of the order, for who has the token.
fn with_the_token(service: &dyn Service, endpoint: &Endpoint) -> CaseResult {
    let scene = Scene::new(service)?;
    let token = &service.facts().operator_token;
    let braces = ["{account}", "{login}", "{key}", "{prospect}", "{client}", "{other}"];
    for unknown in [NOBODY, "nonsense"] {
        let may_be_new = unknown == NOBODY && endpoint.makes_its_account();
        for brace in braces.into_iter().filter(|brace| endpoint.path.contains(brace) && !may_be_new) {
            let mut request = endpoint.request(&scene, &Fails::new()).bearer(token);
            request.target = scene.path(&endpoint.path.replace(brace, unknown));
            send(service, &request)?.expect_error(404, "not_found")?;
        }
    }
    let mut faults = endpoint.faults();
    // What succeeds comes last: it may take away what the path names.
    faults.reverse();
    for faults in faults {
        let answer = send(service, &endpoint.request(&scene, &faults).bearer(token))?;
        let cell = format!("with the token, wrong in {faults:?}");
        match faults.first() {
            None => equal("the end without a fault", &endpoint.ends.contains(&answer.status), &true),
            Some(check) => answer.expect_error(check.refusal().0, check.refusal().1).map(drop),
        }
        .map_err(in_cell(&cell))?;
        answer.expect_no_header("ratelimit")?;
    }
    Ok(())
}
