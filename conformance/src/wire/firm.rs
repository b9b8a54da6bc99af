//! A law firm with an account and a key of its own, as every case opens one.

use serde_json::{Value, json};

use super::{Answer, Failure, Operator, Request, Service, failure::equal, operator::unique, send};

/// An account with an owner's key.
pub struct Firm<'s> {
    /// Where it is.
    pub service: &'s dyn Service,
    /// The account's id.
    pub account: String,
    /// The account's email.
    pub email: String,
    /// A live key of the owner.
    pub key: String,
    /// The id of that key.
    pub key_id: String,
    /// The id of the owner's login.
    pub owner: String,
}

impl<'s> Firm<'s> {
    /// A firm whose API is turned on.
    ///
    /// # Errors
    /// When the operator API does not make one.
    pub fn open(service: &'s dyn Service) -> Result<Self, Failure> {
        Self::with(service, &json!({"api_enabled": true}))
    }

    /// A firm with these flags.
    ///
    /// # Errors
    /// When the operator API does not make one.
    pub fn with(service: &'s dyn Service, flags: &Value) -> Result<Self, Failure> {
        let operator = Operator::of(service);
        let email = format!("firm-{:x}@example.com", unique());
        let mut account = flags.clone();
        account["email"] = json!(email);
        let answer = operator.call_with("POST", "/accounts", &account)?.ok()?;
        let mut firm = Self {
            service,
            account: answer.text("/account/id")?,
            email,
            key: String::new(),
            key_id: String::new(),
            owner: answer.text("/account/logins/0/id")?,
        };
        (firm.key_id, firm.key) = firm.new_key()?;
        Ok(firm)
    }

    /// Another key of the owner: its id, and the key.
    ///
    /// # Errors
    /// When the operator API does not make one.
    pub fn new_key(&self) -> Result<(String, String), Failure> {
        self.new_key_with(&json!({}))
    }

    /// Another key, as this body asks: its id, and the key.
    ///
    /// # Errors
    /// When the operator API does not make one.
    pub fn new_key_with(&self, body: &Value) -> Result<(String, String), Failure> {
        let answer = self.operator().call_with("POST", &self.path("/keys"), body)?.ok()?;
        Ok((answer.text("/key/id")?, answer.text("/key/key")?))
    }

    /// The operator of this firm's service.
    #[must_use]
    pub fn operator(&self) -> Operator<'s> {
        Operator::of(self.service)
    }

    /// A path beneath this account in the operator API.
    #[must_use]
    pub fn path(&self, rest: &str) -> String {
        format!("/accounts/{}{rest}", self.account)
    }

    /// Changes the account.
    ///
    /// # Errors
    /// When the operator API does not.
    pub fn set(&self, change: &Value) -> Result<Answer, Failure> {
        self.operator().call_with("PATCH", &self.path(""), change)?.ok()
    }

    /// Grants a county from a crash date on.
    ///
    /// # Errors
    /// When the operator API does not.
    pub fn grant(&self, fips: &str, from_date: &str) -> Result<Answer, Failure> {
        let path = self.path(&format!("/counties/{fips}"));
        self.operator().call_with("PUT", &path, &json!({ "from_date": from_date }))?.ok()
    }

    /// Takes a county away.
    ///
    /// # Errors
    /// When the operator API does not.
    pub fn revoke_county(&self, fips: &str) -> Result<Answer, Failure> {
        self.operator().call("DELETE", &self.path(&format!("/counties/{fips}")))?.ok()
    }

    /// A request to a path beneath `/api/v1`, with this firm's key.
    #[must_use]
    pub fn request(&self, method: &str, path: &str) -> Request {
        Request::new(method, format!("/api/v1{path}")).bearer(&self.key)
    }

    /// Sends a request of this firm; whatever the answer, it says how much of the limit is left.
    ///
    /// # Errors
    /// When no proper answer came.
    pub fn send(&self, request: &Request) -> Result<Answer, Failure> {
        let answer = send(self.service, request)?;
        keeps_rate_headers(self.service, &answer)?;
        Ok(answer)
    }

    /// `GET` of a path beneath `/api/v1`.
    ///
    /// # Errors
    /// When no proper answer came.
    pub fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.send(&self.request("GET", path))
    }

    /// `POST` of a JSON value to a path beneath `/api/v1`.
    ///
    /// # Errors
    /// When no proper answer came.
    pub fn post(&self, path: &str, body: &Value) -> Result<Answer, Failure> {
        self.send(&self.request("POST", path).json(body))
    }

    /// `POST /clients` of a batch: a success with one result for each, in order.
    ///
    /// # Errors
    /// When it is not.
    pub fn post_clients(&self, clients: &[Value]) -> Result<Answer, Failure> {
        let answer = self.post("/clients", &json!({ "clients": clients }))?.ok()?;
        keeps_result_shapes(&answer, clients.len())?;
        Ok(answer)
    }

    /// `POST /clients` of one client, held to that status.
    ///
    /// # Errors
    /// When it gets another.
    pub fn post_client(&self, client: &Value, status: &str) -> Result<Answer, Failure> {
        let answer = self.post_clients(std::slice::from_ref(client))?;
        answer.expect("/results/0/status", status)?;
        Ok(answer)
    }

    /// Saves one client and hands back its id.
    ///
    /// # Errors
    /// When it was not created.
    pub fn create(&self, client: &Value) -> Result<String, Failure> {
        self.post_client(client, "created")?.text("/results/0/id")
    }

    /// `POST /cases/settled`.
    ///
    /// # Errors
    /// When no proper answer came.
    pub fn settle(&self, body: &Value) -> Result<Answer, Failure> {
        self.post("/cases/settled", body)
    }

    /// A client as it is now, through the operator API, without delay.
    ///
    /// # Errors
    /// When it is not answered.
    pub fn show(&self, client: &str) -> Result<Value, Failure> {
        let answer = self.operator().call("GET", &self.path(&format!("/clients/{client}")))?.ok()?;
        Ok(answer.at("/client").clone())
    }

    /// The settlements feed, walked to its end.
    ///
    /// # Errors
    /// When it is not answered.
    pub fn settlements(&self) -> Result<Vec<Value>, Failure> {
        self.operator().walk(&self.path("/settlements"), "settlements")
    }

    /// Every client that `GET /clients` shows with these parameters, walked to the end.
    ///
    /// # Errors
    /// When a page is not answered.
    pub fn walk_clients(&self, parameters: &str) -> Result<Vec<Value>, Failure> {
        self.walk("/clients", "clients", parameters, None)
    }

    /// Every client from a cursor on.
    ///
    /// # Errors
    /// When a page is not answered.
    pub fn walk_clients_after(&self, cursor: &str, parameters: &str) -> Result<Vec<Value>, Failure> {
        self.walk("/clients", "clients", parameters, Some(cursor))
    }

    /// Every prospect that `GET /prospects` shows with these parameters, walked to the end.
    ///
    /// # Errors
    /// When a page is not answered.
    pub fn walk_prospects(&self, parameters: &str) -> Result<Vec<Value>, Failure> {
        self.walk("/prospects", "prospects", parameters, None)
    }

    /// Every prospect from a cursor on.
    ///
    /// # Errors
    /// When a page is not answered.
    pub fn walk_prospects_after(&self, cursor: &str, parameters: &str) -> Result<Vec<Value>, Failure> {
        self.walk("/prospects", "prospects", parameters, Some(cursor))
    }

    fn walk(&self, path: &str, member: &str, parameters: &str, after: Option<&str>) -> Result<Vec<Value>, Failure> {
        let mut rows = Vec::new();
        let mut cursor = after.map(str::to_owned);
        loop {
            let from = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let answer = self.get(&format!("{path}?{parameters}{from}"))?.ok()?;
            rows.extend(answer.array(&format!("/{member}"))?.iter().cloned());
            cursor = match answer.at("/next_cursor") {
                Value::Null => return Ok(rows),
                Value::String(next) => Some(next.clone()),
                _ => return Err(answer.failure("next_cursor is a string or null")),
            };
        }
    }
}

/// Rule H28: the members of a result, by its status.
fn keeps_result_shapes(answer: &Answer, count: usize) -> Result<(), Failure> {
    let results = answer.array("/results")?;
    equal(&format!("{}: the number of results", answer.sent), &results.len(), &count)?;
    for (index, result) in results.iter().enumerate() {
        keeps_result_shape(answer, result, index)?;
    }
    Ok(())
}

/// One result: `id` when it was saved, `message` when it was not, never both.
pub(super) fn keeps_result_shape(answer: &Answer, result: &Value, index: usize) -> Result<(), Failure> {
    let mut members: Vec<&str> =
        result.as_object().map(|object| object.keys().map(String::as_str).collect()).unwrap_or_default();
    members.sort_unstable();
    let expected = match result["status"].as_str() {
        Some("created" | "updated") => ["id", "index", "status"],
        Some("conflict" | "error") => ["index", "message", "status"],
        _ => return Err(answer.failure(format!("a status of result {index} that is one of the four"))),
    };
    if members != expected || result["index"] != json!(index) {
        return Err(answer.failure(format!("result {index} with its index and the members {expected:?}")));
    }
    let id = result.get("id").and_then(Value::as_str);
    if id.is_some_and(|id| uuid::Uuid::parse_str(id).is_err()) {
        return Err(answer.failure(format!("a UUID as the id of result {index}")));
    }
    Ok(())
}

/// Rules R4 and R5: every answer to a live key carries both fields, and none does when the limit
/// is off.
pub(super) fn keeps_rate_headers(service: &dyn Service, answer: &Answer) -> Result<(), Failure> {
    let limit = service.facts().rate_limit_per_minute;
    if limit == 0 {
        answer.expect_no_header("ratelimit")?.expect_no_header("ratelimit-policy")?;
        return Ok(());
    }
    answer.expect_header("ratelimit-policy", &format!("\"default\";q={limit};w=60"))?;
    match rate_left(answer) {
        Some((left, seconds)) if left < limit && (1..=60).contains(&seconds) => Ok(()),
        _ => Err(answer.failure(format!("RateLimit: \"default\";r=<below {limit}>;t=<1 to 60>"))),
    }
}

/// What a `RateLimit` field says: requests left, and seconds until the oldest one leaves.
pub(super) fn rate_left(answer: &Answer) -> Option<(u64, u64)> {
    let (left, seconds) = answer.header("ratelimit")?.strip_prefix("\"default\";r=")?.split_once(";t=")?;
    Some((left.parse().ok()?, seconds.parse().ok()?))
}
