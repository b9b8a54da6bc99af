//! The description of the API that the service gives.

use crate::wire::{
    Answer, CaseResult, Failure, Firm, Request, Service,
    failure::{equal, holds},
    send,
};

cases! { "openapi":
    "H3" => the_description_is_given_to_everybody,
    "H5, H6" => the_description_has_only_get_and_head,
    "H1, H3" => the_description_names_every_public_endpoint_and_no_other,
}

const PATH: &str = "/openapi.json";

fn description(service: &dyn Service) -> Result<Answer, Failure> {
    send(service, &Request::new("GET", PATH))?.ok()
}

fn the_description_is_given_to_everybody(service: &dyn Service) -> CaseResult {
    let anonymous = description(service)?;
    anonymous.expect_header("content-type", "application/json")?.expect_no_header("ratelimit")?;
    let version = anonymous.text("/openapi")?;
    holds(version.starts_with("3.1."), &anonymous.sent, "OpenAPI 3.1", || version.clone())?;
    for header in ["Bearer nonsense", "Basic b3BlcmF0b3I6"] {
        let answer = send(service, &Request::new("GET", PATH).header("Authorization", header))?.ok()?;
        holds(answer.body == anonymous.body, &answer.sent, "the same as without a key", || {
            answer.body.len().to_string()
        })?;
    }
    // A trailing slash is another path, and it lies outside the base.
    for path in ["/openapi.json/", "/api/openapi.json", "/openapi"] {
        send(service, &Request::new("GET", path))?.expect_error(404, "not_found")?;
    }
    let firm = Firm::open(service)?;
    firm.get(PATH)?.expect_error(404, "not_found")?;
    Ok(())
}

fn the_description_has_only_get_and_head(service: &dyn Service) -> CaseResult {
    let length = description(service)?.body.len().to_string();
    send(service, &Request::new("HEAD", PATH))?.ok()?.expect_header("content-length", &length)?;
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
        let answer = send(service, &Request::new(method, PATH))?;
        answer.expect_error(405, "invalid_request")?.expect_header("allow", "GET, HEAD")?;
    }
    Ok(())
}

fn the_description_names_every_public_endpoint_and_no_other(service: &dyn Service) -> CaseResult {
    let description = description(service)?;
    let firm = Firm::open(service)?;
    let mut named = Vec::new();
    for (path, methods) in description.at("/paths").as_object().into_iter().flatten() {
        let methods = methods.as_object().into_iter().flat_map(|methods| methods.keys());
        let mut described: Vec<_> = methods.map(|method| method.to_uppercase()).collect();
        let mut allowed = allowed(service, &firm, path)?;
        allowed.retain(|method| method != "HEAD");
        described.sort();
        allowed.sort();
        equal(path, &described, &allowed)?;
        named.push(path.as_str());
    }
    named.sort_unstable();
    equal(
        &description.sent,
        &named,
        &vec![
            "/api/v1/cases/settled",
            "/api/v1/clients",
            "/api/v1/clients/{client}",
            "/api/v1/clients/{client}/history",
            "/api/v1/me",
            "/api/v1/prospects",
            "/healthz",
            PATH,
        ],
    )
}

/// The methods that a path has.
fn allowed(service: &dyn Service, firm: &Firm<'_>, path: &str) -> Result<Vec<String>, Failure> {
    let request = Request { target: path.to_owned(), ..firm.request("OPTIONS", "") };
    let answer = send(service, &request)?;
    answer.expect_status(405)?;
    Ok(answer.header("allow").unwrap_or_default().split(", ").map(str::to_owned).collect())
}
