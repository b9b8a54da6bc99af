//! A browser without a screen: cookies, forms and links.

use serde_json::json;

use crate::wire::{Answer, Body, Failure, Firm, Request, Service};

/// Somebody's browser.
pub(super) struct Browser<'s> {
    service: &'s dyn Service,
    cookie: Option<String>,
    /// The header `Host`, where it is not the address of the service.
    named: Option<&'static str>,
}

impl<'s> Browser<'s> {
    /// Of somebody who is not signed in.
    pub(super) fn new(service: &'s dyn Service) -> Self {
        Self { service, cookie: None, named: None }
    }

    /// With that session, whether or not there is one.
    pub(super) fn with_session(service: &'s dyn Service, token: &str) -> Self {
        Self { service, cookie: Some(format!("__Host-matterbook={token}")), named: None }
    }

    /// Of the login that a link signs in.
    pub(super) fn signed_in(service: &'s dyn Service, link: &str) -> Result<Self, Failure> {
        let used = Self::new(service).post(link, "")?;
        used.expect_status(303)?;
        let mut browser = Self::new(service);
        browser.take_cookie(&used);
        Ok(browser)
    }

    /// This browser, which opens the service by that name.
    pub(super) fn by_name(self, named: Option<&'static str>) -> Self {
        Self { named, ..self }
    }

    /// Keeps the cookie of an answer that has one.
    pub(super) fn take_cookie(&mut self, answer: &Answer) {
        if let Some(cookie) = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()) {
            self.cookie = Some(cookie.to_owned());
        }
    }

    /// The token of the session.
    pub(super) fn token(&self) -> &str {
        self.cookie.as_deref().and_then(|cookie| cookie.split_once('=')).map_or("", |(_, token)| token)
    }

    /// A request with the cookie, and nothing else.
    pub(super) fn request(&self, method: &str, path: &str) -> Request {
        let request = Request::new(method, path);
        let request = match self.named {
            Some(named) => request.header("Host", named),
            None => request,
        };
        match &self.cookie {
            Some(cookie) => request.header("Cookie", cookie),
            None => request,
        }
    }

    pub(super) fn send(&self, request: &Request) -> Result<Answer, Failure> {
        let answer = self.service.exchange(request);
        let answer = answer.map_err(|problem| Failure::new(request.to_string(), "a whole HTTP answer", problem))?;
        match answer.header("x-request-id") {
            Some(id) if !id.is_empty() => Ok(answer),
            _ => Err(answer.failure("an X-Request-Id")),
        }
    }

    pub(super) fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.send(&self.request("GET", path))
    }

    /// Sends a form as a page of the console does.
    pub(super) fn post(&self, path: &str, form: &str) -> Result<Answer, Failure> {
        let request = self.request("POST", path).header("Sec-Fetch-Site", "same-origin");
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        self.send(&request.body(Body::Whole(form.as_bytes().to_vec())))
    }
}

/// The text of a page.
pub(super) fn page(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// Whether the service has the console.
pub(super) fn is_served(service: &dyn Service) -> Result<bool, Failure> {
    let request = Request::new("GET", "/app/sign-in");
    let answer = service.exchange(&request);
    let answer = answer.map_err(|problem| Failure::new(request.to_string(), "a whole HTTP answer", problem))?;
    match answer.status {
        200 => Ok(true),
        404 if answer.json.is_object() => Ok(false),
        _ => Err(answer.failure("a page, or 404 as of an unknown path")),
    }
}

/// A firm that has everything switched on.
pub(super) fn open(service: &dyn Service) -> Result<Firm<'_>, Failure> {
    Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))
}

/// The path of a new sign-in link for a login.
pub(super) fn link(firm: &Firm<'_>, login: &str) -> Result<String, Failure> {
    let answer = firm.operator().call("POST", &format!("/logins/{login}/link"))?.ok()?;
    let url = answer.text("/link/url")?;
    url.find("/app/link/").and_then(|start| url.get(start..)).map(str::to_owned).ok_or_else(|| answer.failure("a link"))
}

/// Another login of a firm, and the browser of its person.
pub(super) fn member<'s>(
    service: &'s dyn Service,
    firm: &Firm<'s>,
    role: &str,
) -> Result<(String, Browser<'s>), Failure> {
    let login = json!({"email": format!("{role}@example.com"), "role": role});
    let login = firm.operator().call_with("POST", &firm.path("/logins"), &login)?.ok()?.text("/login/id")?;
    let browser = Browser::signed_in(service, &link(firm, &login)?)?;
    Ok((login, browser))
}
