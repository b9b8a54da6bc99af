//! The viewer of the API at `/docs`: a page for people, and what it names.

use crate::wire::{
    Answer, CaseResult, Failure, Firm, Request, Service,
    failure::{equal, holds},
    send,
};

cases! { "viewer":
    "H3, H31" => the_front_page_names_the_service_and_leads_to_the_viewer,
    "X13" => trying_out_is_a_dry_run_unless_it_is_turned_off,
    "H3, H9" => the_page_is_given_to_everybody,
    "H9" => the_page_may_run_and_ask_for_nothing_from_elsewhere,
    "H9" => what_the_page_names_is_there_and_may_be_kept,
    "H5, H6" => the_viewer_has_only_get_and_head,
    "H4" => beside_the_viewer_there_is_nothing,
}

const PATH: &str = "/docs";

/// An answer that is not JSON, as those of the viewer are.
fn shown(service: &dyn Service, request: &Request) -> Result<Answer, Failure> {
    let answer = service
        .exchange(request)
        .map_err(|problem| Failure::new(request.to_string(), "a whole HTTP answer", problem))?;
    answer.expect_status(200)?.expect_header("x-content-type-options", "nosniff")?.expect_no_header("ratelimit")?;
    match answer.header("x-request-id") {
        Some(id) if !id.is_empty() => Ok(answer),
        _ => Err(answer.failure("an X-Request-Id")),
    }
}

fn page(service: &dyn Service) -> Result<Answer, Failure> {
    shown(service, &Request::new("GET", PATH))
}

/// The paths of the files that the page names.
fn files(page: &Answer) -> Vec<String> {
    let text = String::from_utf8_lossy(&page.body);
    let addresses = text.split(['"']).filter_map(|address| address.strip_prefix("docs/"));
    addresses.map(|name| format!("{PATH}/{name}")).collect()
}

fn the_front_page_names_the_service_and_leads_to_the_viewer(service: &dyn Service) -> CaseResult {
    let front = shown(service, &Request::new("GET", "/"))?;
    front.expect_header("content-type", "text/html; charset=utf-8")?.expect_header("cache-control", "no-store")?;
    let text = String::from_utf8_lossy(&front.body);
    for part in [service.facts().service_name.as_str(), "href=\"docs\"", "Version "] {
        holds(text.contains(part), &front.sent, part, || text.clone().into_owned())?;
    }
    let head = shown(service, &Request::new("HEAD", "/"))?;
    holds(head.body.is_empty(), &head.sent, "no body", || head.body.len().to_string())?;
    send(service, &Request::new("POST", "/"))?.expect_error(405, "invalid_request")?;
    Ok(())
}

/// Swagger UI fills in the example of a parameter.
fn trying_out_is_a_dry_run_unless_it_is_turned_off(service: &dyn Service) -> CaseResult {
    let description = send(service, &Request::new("GET", "/openapi.json"))?.ok()?;
    description.expect("/components/parameters/DryRun/example", true)?;
    description.expect("/components/parameters/DryRun/schema/default", false)?;
    Ok(())
}

fn the_page_is_given_to_everybody(service: &dyn Service) -> CaseResult {
    let anonymous = page(service)?;
    anonymous.expect_header("content-type", "text/html; charset=utf-8")?.expect_header("cache-control", "no-cache")?;
    let firm = Firm::open(service)?;
    for key in [&firm.key, "nonsense", &service.facts().operator_token] {
        let answer = shown(service, &Request::new("GET", PATH).bearer(key))?;
        holds(answer.body == anonymous.body, &answer.sent, "the same as without a key", || {
            answer.body.len().to_string()
        })?;
    }
    Ok(())
}

fn the_page_may_run_and_ask_for_nothing_from_elsewhere(service: &dyn Service) -> CaseResult {
    let page = page(service)?;
    let policy = page.header("content-security-policy").unwrap_or_default();
    for directive in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
        let is_there = policy.split("; ").any(|said| said == directive);
        holds(is_there, &page.sent, directive, || policy.to_owned())?;
    }
    holds(!policy.contains("unsafe"), &page.sent, "nothing unsafe", || policy.to_owned())?;
    page.expect_header("referrer-policy", "no-referrer")?;
    let text = String::from_utf8_lossy(&page.body);
    holds(!text.contains("//"), &page.sent, "no address of another service", || text.clone().into_owned())
}

fn what_the_page_names_is_there_and_may_be_kept(service: &dyn Service) -> CaseResult {
    let page = page(service)?;
    let files = files(&page);
    equal(&page.sent, &files.len(), &2)?;
    for path in files {
        let whole = shown(service, &Request::new("GET", &path).header("Accept-Encoding", "gzip"))?;
        let media_type = if path.ends_with(".js") { "text/javascript" } else { "text/css" };
        whole
            .expect_header("content-type", &format!("{media_type}; charset=utf-8"))?
            .expect_header("content-encoding", "gzip")?
            .expect_header("cache-control", "public, max-age=31536000, immutable")?;
        holds(whole.body.starts_with(&[0x1f, 0x8b]), &whole.sent, "a gzip stream", || whole.body.len().to_string())?;
        let head = shown(service, &Request::new("HEAD", &path).header("Accept-Encoding", "gzip"))?;
        head.expect_header("content-length", &whole.body.len().to_string())?;
        equal(&head.sent, &head.body.len(), &0)?;
    }
    Ok(())
}

fn the_viewer_has_only_get_and_head(service: &dyn Service) -> CaseResult {
    let page = page(service)?;
    let head = shown(service, &Request::new("HEAD", PATH))?;
    head.expect_header("content-length", &page.body.len().to_string())?;
    equal(&head.sent, &head.body.len(), &0)?;
    for path in [PATH, "/docs/viewer.js"] {
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = send(service, &Request::new(method, path))?;
            answer.expect_error(405, "invalid_request")?.expect_header("allow", "GET, HEAD")?;
        }
    }
    Ok(())
}

fn beside_the_viewer_there_is_nothing(service: &dyn Service) -> CaseResult {
    for path in ["/docs/", "/docs/index.html", "/docs/viewer.js", "/docs/a/b", "/api/docs"] {
        send(service, &Request::new("GET", path))?.expect_error(404, "not_found")?;
    }
    // A runtime may resolve the dots before the service sees the path. Then it is that of the front page.
    let front_page = shown(service, &Request::new("GET", "/"))?;
    for path in ["/docs/..", "/docs/%2e%2e"] {
        let request = Request::new("GET", path);
        if shown(service, &request).is_ok_and(|answer| answer.body == front_page.body) {
            continue;
        }
        send(service, &request)?.expect_error(404, "not_found")?;
    }
    Ok(())
}
