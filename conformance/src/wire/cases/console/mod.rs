//! The console at `/app`: who may open which page and send which form, in every state of account and session. The
//! pages come from the console's own table; a test fails if one of them has no row here.

mod browser;
mod device;
mod hostile;
mod imports;
mod matrix;
mod passkeys;
mod review;
mod undo;

use serde_json::json;

use crate::wire::{
    CaseResult, Request, Service,
    failure::{equal, holds},
};
use browser::{Browser, is_served, member, open, page};
use hostile::{
    a_login_is_tried_so_often_in_a_minute, harmful_addresses_and_cookies_open_nothing,
    harmful_forms_are_refused_and_change_nothing,
};
use imports::{
    a_batch_is_saved_only_as_its_preview_showed, a_file_is_sent_in_batches_that_count_each_row_once,
    an_import_is_of_its_firm_and_its_roles,
};
use passkeys::{
    a_passkey_signs_in_its_person_until_it_is_removed, harmful_passkeys_are_refused_and_change_nothing,
    what_a_passkey_signed_elsewhere_signs_nobody_in,
};
use review::{possible_duplicates_are_decided_by_a_person, what_waits_is_decided_by_a_person};
use undo::{a_change_is_taken_back_by_a_person, an_import_is_taken_back_as_a_whole};

cases! { "console":
    "G19" => where_it_is_off_its_paths_are_unknown,
    "H31" => the_front_page_leads_to_the_console_where_there_is_one,
    "G9, G10, G11, G24" => every_page_and_form_is_for_its_role_account_and_session,
    "G2, G5, G22" => a_link_signs_in_once_and_only_by_its_button,
    "G20" => a_form_of_another_site_changes_nothing,
    "G6, G10" => a_session_ends_with_its_cause,
    "G11, D8" => two_firms_never_see_each_others,
    "G19, G23" => a_page_runs_nothing_from_elsewhere_and_is_not_kept,
    "G25, K12" => a_key_made_by_an_owner_works_until_it_is_ended,
    "G12, G13, G33" => the_activity_holds_no_key_link_session_or_client,
    "G19, G20" => harmful_forms_are_refused_and_change_nothing,
    "G19, G20, G22" => harmful_addresses_and_cookies_open_nothing,
    "G26" => a_login_is_tried_so_often_in_a_minute,
    "G29, G30, G31, G32" => a_file_is_sent_in_batches_that_count_each_row_once,
    "G31, G44" => a_batch_is_saved_only_as_its_preview_showed,
    "G29, G33" => an_import_is_of_its_firm_and_its_roles,
    "G8, G12, G28" => a_passkey_signs_in_its_person_until_it_is_removed,
    "G20, G28" => harmful_passkeys_are_refused_and_change_nothing,
    "G26, G28" => what_a_passkey_signed_elsewhere_signs_nobody_in,
    "G49, Q2, Q4" => a_change_is_taken_back_by_a_person,
    "G49, Q7" => an_import_is_taken_back_as_a_whole,
    "J5, J9" => what_waits_is_decided_by_a_person,
    "Y6, Y9" => possible_duplicates_are_decided_by_a_person,
    "G12, G15" => letters_are_turned_on_by_a_person_with_a_reason,
}

fn where_it_is_off_its_paths_are_unknown(service: &dyn Service) -> CaseResult {
    if is_served(service)? {
        return Ok(());
    }
    for (method, template, _) in matterbook_console::endpoints() {
        crate::wire::send(service, &Request::new(method.as_str(), template.replace(['{', '}'], "x")))?
            .expect_error(404, "not_found")?;
    }
    Ok(())
}

fn the_front_page_leads_to_the_console_where_there_is_one(service: &dyn Service) -> CaseResult {
    let front = Browser::new(service).get("/")?;
    let has_link = page(&front).contains("href=\"app\"");
    equal(&front.sent, &has_link, &is_served(service)?)
}

fn every_page_and_form_is_for_its_role_account_and_session(service: &dyn Service) -> CaseResult {
    if is_served(service)? { matrix::check(service) } else { Ok(()) }
}

fn a_link_signs_in_once_and_only_by_its_button(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let path = browser::link(&firm, &firm.owner)?;
    let nobody = Browser::new(service);
    for _ in 0..2 {
        let shown = nobody.get(&path)?;
        shown.expect_status(200)?.expect_no_header("set-cookie")?;
        holds(page(&shown).contains("<button"), &shown.sent, "a button", || page(&shown))?;
    }
    let used = nobody.post(&path, "")?;
    used.expect_status(303)?.expect_header("location", "/app")?;
    let cookie = used.header("set-cookie").unwrap_or_default().to_owned();
    for part in ["__Host-", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"] {
        holds(cookie.contains(part), &used.sent, part, || cookie.clone())?;
    }
    holds(!cookie.contains("Domain"), &used.sent, "a cookie for this host alone", || cookie.clone())?;
    for again in [nobody.get(&path)?, nobody.post(&path, "")?] {
        again.expect_status(403)?.expect_no_header("set-cookie")?;
    }
    // A newer link takes the place of an earlier one.
    let (earlier, later) = (browser::link(&firm, &firm.owner)?, browser::link(&firm, &firm.owner)?);
    nobody.get(&earlier)?.expect_status(403)?;
    nobody.get(&later)?.expect_status(200)?;
    Ok(())
}

fn a_form_of_another_site_changes_nothing(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let owner = Browser::signed_in(service, &browser::link(&firm, &firm.owner)?)?;
    let foreign: [&[(&str, &str)]; 5] = [
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "http://127.0.0.1")],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://evil.example")],
        &[],
    ];
    for headers in foreign {
        for (method, template, _) in matterbook_console::endpoints().filter(|(method, ..)| *method == "POST") {
            let path = template.replace("{login}", &firm.owner).replace(['{', '}'], "");
            let sent = owner.request(method.as_str(), &path).body(crate::wire::Body::Whole(b"label=x".to_vec()));
            let request = headers.iter().fold(sent, |request, (name, value)| request.header(name, *value));
            owner.send(&request)?.expect_status(403)?;
        }
    }
    let keys = owner.get("/app/settings/keys")?;
    holds(!page(&keys).contains(">x<"), &keys.sent, "no key of another site", || page(&keys))
}

fn a_session_ends_with_its_cause(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let is_over = |browser: &Browser<'_>| -> CaseResult {
        let answer = browser.get("/app/clients")?;
        answer.expect_status(303)?;
        let place = answer.header("location").unwrap_or_default();
        holds(place.starts_with("/app/sign-in"), &answer.sent, "the page for signing in", || place.to_owned())
    };
    let owner = Browser::signed_in(service, &browser::link(&firm, &firm.owner)?)?;
    let other = Browser::signed_in(service, &browser::link(&firm, &firm.owner)?)?;
    owner.post("/app/sign-out", "")?.expect_status(303)?;
    is_over(&owner)?;
    other.get("/app/clients")?.expect_status(200)?;

    let (teammate, tea) = member(service, &firm, "teammate")?;
    other.post(&format!("/app/settings/people/{teammate}/sign-out"), "")?.expect_status(303)?;
    is_over(&tea)?;
    let tea = Browser::signed_in(service, &browser::link(&firm, &teammate)?)?;
    other.post(&format!("/app/settings/people/{teammate}/role"), "role=view_only")?.expect_status(303)?;
    is_over(&tea)?;
    let tea = Browser::signed_in(service, &browser::link(&firm, &teammate)?)?;
    let unused = browser::link(&firm, &teammate)?;
    other.post(&format!("/app/settings/people/{teammate}/remove"), "")?.expect_status(303)?;
    is_over(&tea)?;
    Browser::new(service).post(&unused, "")?.expect_status(403)?;

    other.post("/app/settings/sign-out-everywhere", "")?.expect_status(303)?;
    is_over(&other)?;

    // A suspended account says so, and its sessions stay ended when it is opened again.
    let owner = Browser::signed_in(service, &browser::link(&firm, &firm.owner)?)?;
    firm.set(&json!({"suspended": true}))?;
    let suspended = owner.get("/app/clients")?;
    suspended.expect_status(403)?;
    holds(page(&suspended).contains("suspended"), &suspended.sent, "why", || page(&suspended))?;
    firm.set(&json!({"suspended": false}))?;
    is_over(&owner)
}

fn two_firms_never_see_each_others(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let (one, two) = (open(service)?, open(service)?);
    let client = json!({"clients": [{"external_id": "X-1", "first_name": "Ana", "last_name": "Specimenez",
        "address_line1": "1 Main St", "zip": "62704", "do_not_mail": true}]});
    let posted = one.post("/clients", &client)?.ok()?;
    let id = posted.text("/results/0/id")?;
    let stranger = Browser::signed_in(service, &browser::link(&two, &two.owner)?)?;
    stranger.get(&format!("/app/clients/{id}"))?.expect_status(404)?;
    stranger.post(&format!("/app/clients/{id}/letters-on"), "reason=x")?.expect_status(404)?;
    stranger.post(&format!("/app/settings/keys/{}/revoke", one.key_id), "")?.expect_status(404)?;
    for action in ["link", "remove", "sign-out", "role"] {
        let path = format!("/app/settings/people/{}/{action}", one.owner);
        stranger.post(&path, "role=teammate")?.expect_status(404)?;
    }
    for path in ["/app/clients", "/app/clients?q=Specimenez", "/app/activity", "/app/settings/people", "/app"] {
        let shown = stranger.get(path)?;
        shown.expect_status(200)?;
        let text = page(&shown);
        let has_other = text.contains(&one.email) || text.contains(&id) || text.contains("X-1");
        holds(!has_other, path, "nothing of another firm", || text.clone())?;
    }
    // It is all still there for its own firm.
    let owner = Browser::signed_in(service, &browser::link(&one, &one.owner)?)?;
    let shown = owner.get(&format!("/app/clients/{id}"))?;
    shown.expect_status(200)?;
    holds(page(&shown).contains("Specimenez"), &shown.sent, "its client", || page(&shown))?;
    one.get("/me")?.expect_status(200)?;
    Ok(())
}

fn a_page_runs_nothing_from_elsewhere_and_is_not_kept(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let owner = Browser::signed_in(service, &browser::link(&firm, &firm.owner)?)?;
    for (_, path, _) in matterbook_console::endpoints().filter(|(method, ..)| *method == "GET") {
        if path.contains("{file}") {
            continue;
        }
        let answer = owner.get(&path.replace(['{', '}'], ""))?;
        answer.expect_header("cache-control", "no-store")?.expect_header("x-content-type-options", "nosniff")?;
        let policy = answer.header("content-security-policy").unwrap_or_default();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            holds(policy.contains(part), &answer.sent, part, || policy.to_owned())?;
        }
        holds(!policy.contains("unsafe"), &answer.sent, "no exception", || policy.to_owned())?;
        let head = owner.send(&owner.request("HEAD", &path.replace(['{', '}'], "")))?;
        equal(&head.sent, &head.status, &answer.status)?;
        holds(head.body.is_empty(), &head.sent, "no body", || head.body.len().to_string())?;
    }
    for path in page(&owner.get("/app")?).split('"').filter(|text| text.starts_with("/app/files/")) {
        owner.get(path)?.expect_status(200)?.expect_header("cache-control", "public, max-age=31536000, immutable")?;
    }
    owner.get("/app/files/other.css")?.expect_status(404)?;
    Ok(())
}

fn a_key_made_by_an_owner_works_until_it_is_ended(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let owner = Browser::signed_in(service, &browser::link(&firm, &firm.owner)?)?;
    let made = owner.post("/app/settings/keys", "label=Zapier&scope=clients")?;
    made.expect_status(200)?;
    let text = page(&made);
    let key =
        text.split("id=\"new-key\">").nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default().to_owned();
    let me = |key: &str| crate::wire::send(service, &Request::new("GET", "/api/v1/me").bearer(key));
    me(&key)?.expect_status(200)?;
    let prospects = Request::new("GET", "/api/v1/prospects").bearer(&key);
    crate::wire::send(service, &prospects)?.expect_error(403, "forbidden")?;
    let list = page(&owner.get("/app/settings/keys")?);
    holds(!list.contains(&key), "the list of keys", "no key", || list.clone())?;
    let revoke = list.split('"').find(|text| text.ends_with("/revoke") && !text.contains(&firm.key_id));
    owner.post(revoke.unwrap_or_default(), "")?.expect_status(303)?;
    me(&key)?.expect_error(401, "unauthorized")?;
    owner.post("/app/settings/keys", "label=")?.expect_status(400)?;
    owner.post("/app/settings/keys", "label=x&ends_on=2020-01-01")?.expect_status(400)?;
    Ok(())
}

fn letters_are_turned_on_by_a_person_with_a_reason(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let client = json!({"clients": [{"external_id": "L-1", "first_name": "Bob", "last_name": "Sampleton",
        "address_line1": "1 Main St", "zip": "62704", "do_not_mail": true}]});
    let id = firm.post("/clients", &client)?.ok()?.text("/results/0/id")?;
    let (_, tea) = member(service, &firm, "teammate")?;
    let path = format!("/app/clients/{id}");
    let form = format!("{path}/letters-on");
    tea.post(&form, "reason=")?.expect_status(400)?;
    let still_off = page(&tea.get(&path)?);
    holds(still_off.contains("Turn letters on"), &path, "letters that are off", || still_off.clone())?;
    tea.post(&form, "reason=Asked+for+it+%3Cby%3E+phone")?.expect_status(303)?;
    let shown = page(&tea.get(&path)?);
    for part in ["Asked for it &lt;by&gt; phone", "Letters are on"] {
        holds(shown.contains(part), &path, part, || shown.clone())?;
    }
    let activity = page(&tea.get("/app/activity")?);
    holds(activity.contains("Turned letters on"), "the activity", "who did it", || activity.clone())?;
    holds(!activity.contains("Sampleton") && !activity.contains("phone"), "the activity", "no client", || {
        activity.clone()
    })
}

fn the_activity_holds_no_key_link_session_or_client(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let owner = Browser::signed_in(service, &browser::link(&firm, &firm.owner)?)?;
    let shown_in = |answer: &crate::wire::Answer, id: &str| {
        let text = page(answer);
        let rest = text.split(&format!("id=\"{id}\">")).nth(1).and_then(|rest| rest.split('<').next());
        rest.unwrap_or_default().to_owned()
    };
    let key = shown_in(&owner.post("/app/settings/keys", "label=Zapier")?, "new-key");
    let (teammate, tea) = member(service, &firm, "teammate")?;
    let url = shown_in(&owner.post(&format!("/app/settings/people/{teammate}/link"), "")?, "new-link");
    let link = url.rsplit('/').next().unwrap_or_default().to_owned();
    let client = json!({"clients": [{"external_id": "Activity-1", "first_name": "Bob", "last_name": "Sampleton",
        "address_line1": "1 Main St", "zip": "62704", "do_not_mail": true}]});
    let id = firm.post("/clients", &client)?.ok()?.text("/results/0/id")?;
    tea.post(&format!("/app/clients/{id}/letters-on"), "reason=Asked+at+the+counter")?.expect_status(303)?;
    tea.post("/app/clients.csv", "")?.expect_status(200)?.expect_header("content-type", "text/csv; charset=utf-8")?;
    let workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    tea.post("/app/clients.xlsx", "")?.expect_status(200)?.expect_header("content-type", workbook)?;
    tea.send_json("/app/imports/preview", &client)?.expect_status(200)?;
    let activity = page(&owner.get("/app/activity")?);
    for entry in ["Made a key", "Made a sign-in link", "Turned letters on", "Downloaded clients", "Signed in"] {
        holds(activity.contains(entry), "the activity", entry, || activity.clone())?;
    }
    let secrets = [key.as_str(), link.as_str(), owner.token(), tea.token()];
    holds(secrets.iter().all(|secret| secret.len() > 40), "keys, links and sessions", "all of them", || {
        format!("{:?}", secrets.map(str::len))
    })?;
    for secret in secrets.into_iter().chain(["Activity-1", "Sampleton", "counter"]) {
        holds(!activity.contains(secret), "the activity", "no key, link, session or client", || activity.clone())?;
    }
    Ok(())
}
