//! Requests that mean harm, within whole HTTP requests: each is refused or answered, and changes nothing.

use super::browser::{Browser, is_served, link, open, page};
use crate::wire::{Body, CaseResult, Request, Service, failure::holds};

/// The largest form is 16 kB.
const TOO_LARGE: usize = 17 * 1024;

pub(super) fn harmful_forms_are_refused_and_change_nothing(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let owner = Browser::signed_in(service, &link(&firm, &firm.owner)?)?;
    let before = page(&owner.get("/app/settings/keys")?);
    let long = "x".repeat(TOO_LARGE);
    let many = "label=a&".repeat(2_000);
    let forms: [(&str, Vec<u8>, u16); 9] = [
        ("a form that is too large", format!("label={long}").into_bytes(), 400),
        ("a label that is too long", format!("label={}", "x".repeat(5_000)).into_bytes(), 400),
        ("a control character", b"label=a%00b".to_vec(), 400),
        ("an escape sequence", b"label=a%1b%5b31mb".to_vec(), 400),
        ("no label among many fields", many.replace("label", "other").into_bytes(), 400),
        ("a date that is none", b"label=x&ends_on=%zz%ff".to_vec(), 400),
        ("a date of the year 0", b"label=x&ends_on=0000-01-01".to_vec(), 400),
        ("nothing", Vec::new(), 400),
        ("bytes that are no text", vec![0xff; 2_000], 400),
    ];
    for (name, form, status) in forms {
        let request = owner.request("POST", "/app/settings/keys").header("Sec-Fetch-Site", "same-origin");
        let request = request.header("Content-Type", "application/x-www-form-urlencoded").body(Body::Whole(form));
        let answer = owner.send(&request)?;
        holds(answer.status == status, name, &status.to_string(), || answer.status.to_string())?;
    }
    let after = page(&owner.get("/app/settings/keys")?);
    let keys = |page: &str| page.matches("/revoke\"").count();
    holds(keys(&after) == keys(&before), "harmful forms", "no key", || after.clone())?;

    // Of a field that comes twice the first counts.
    let role = format!("/app/settings/people/{}/role", firm.owner);
    owner.post(&role, "role=nobody&role=view_only")?.expect_status(400)?;
    owner.get("/app/settings/keys")?.expect_status(200)?;
    Ok(())
}

pub(super) fn harmful_addresses_and_cookies_open_nothing(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let owner = Browser::signed_in(service, &link(&firm, &firm.owner)?)?;
    for path in [
        "/app/",
        "/app//clients",
        "/app/clients/",
        "/app/clients/%00",
        "/app/clients/%2e%2e%2fsettings%2fkeys",
        "/app/clients/..%2f..%2fapi%2fv1%2fme",
        "/app/%73ettings/keys",
        "/app/files/..%2f..%2fCargo.toml",
        "/app/files/%2e%2e",
        "/app/imports/%7bimport%7d",
        "/app/link/a/b",
    ] {
        let answer = owner.get(path)?;
        holds(answer.status == 404, path, "404", || answer.status.to_string())?;
    }
    // A search text is cut, compared as a text, and shown as one.
    for query in [
        format!("q={}", "a".repeat(4_000)),
        "q=%ff%fe%zz".to_owned(),
        "q=%25%5f%27%22%3b--".to_owned(),
        "q=%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_owned(),
        "before=99999999999999999999.00000000000000000000000000000000".to_owned(),
        "before=-1.x&settled_from=%00&changed_since=9999-99-99".to_owned(),
        "q=a&".repeat(500),
    ] {
        let answer = owner.get(&format!("/app/clients?{query}"))?;
        holds(matches!(answer.status, 200 | 400), &query, "a page", || answer.status.to_string())?;
        let shown = page(&answer);
        holds(!shown.contains("<script>alert"), &query, "a text that is no script", || shown.clone())?;
    }
    // Cookies of 8 kB are no session, and a session next to them stays valid.
    let junk = "a".repeat(4_000);
    for cookie in [
        format!("__Host-matterbook={junk}{junk}"),
        format!("__Host-matterbook={}; x={junk}", "A".repeat(43)),
        "__Host-matterbook=%00; __Host-matterbook=".to_owned(),
        format!("matterbook={}", "A".repeat(43)),
        "; ; =; __Host-matterbook".to_owned(),
    ] {
        let request = Request::new("GET", "/app/clients").header("Cookie", &cookie);
        let answer = Browser::new(service).send(&request)?;
        holds(answer.status == 303, "a cookie that is no session", "303", || answer.status.to_string())?;
    }
    // Origins that look like the console's own.
    for origin in ["null", "http://127.0.0.1.evil.example", "https://evil.example#http://127.0.0.1", ""] {
        let request = owner.request("POST", "/app/settings/sign-out-everywhere").header("Origin", origin);
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        owner.send(&request.body(Body::Whole(Vec::new())))?.expect_status(403)?;
    }
    owner.get("/app/clients")?.expect_status(200)?;
    Ok(())
}

pub(super) fn a_login_is_tried_so_often_in_a_minute(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let path = link(&firm, &firm.owner)?;
    let nobody = Browser::new(service);
    let mut statuses = Vec::new();
    // The next minute may begin in between.
    while statuses.len() < 41 && !statuses.contains(&429) {
        let answer = nobody.get(&path)?;
        holds(
            answer.status == 200 || answer.header("retry-after").is_some(),
            &path,
            "200, or when to come back",
            || answer.status.to_string(),
        )?;
        statuses.push(answer.status);
    }
    let shown = statuses.iter().filter(|status| **status == 200).count();
    holds((20..=40).contains(&shown) && statuses.contains(&429), &path, "20 pages, then 429", || {
        format!("{statuses:?}")
    })?;
    // Another login of the same address is not held up.
    let other = open(service)?;
    nobody.get(&link(&other, &other.owner)?)?.expect_status(200)?;
    Ok(())
}
