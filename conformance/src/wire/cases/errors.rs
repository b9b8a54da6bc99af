//! Paths and methods that are not there, and the shape of every refusal.

use std::collections::BTreeSet;

use serde_json::json;

use crate::wire::{CaseResult, Firm, Request, Service, failure::equal, send};

cases! { "errors":
    "H4" => an_unknown_path_is_404,
    "H4" => a_trailing_slash_is_another_path,
    "H4" => outside_the_base_an_unknown_path_is_404_without_a_key,
    "H6" => a_wrong_method_is_405_with_allow,
    "E2, H12" => the_next_request_after_each_refusal_is_served,
}

fn an_unknown_path_is_404(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for path in ["", "/nothing", "/ME", "/clients/1/history/2", "/cases", "/cases/settled/1", "/client", "/clients%2F1"]
    {
        for method in ["GET", "POST", "DELETE"] {
            firm.send(&firm.request(method, path))?.expect_error(404, "not_found")?;
        }
    }
    Ok(())
}

fn a_trailing_slash_is_another_path(service: &dyn Service) -> CaseResult {
    let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    for path in ["/", "/me/", "/clients/", "/prospects/", "/me//", "//me", "/me/?limit=1"] {
        firm.get(path)?.expect_error(404, "not_found")?;
    }
    firm.send(&firm.request("POST", "/clients/").json(&json!({"clients": []})))?.expect_error(404, "not_found")?;
    firm.send(&firm.request("POST", "/cases/settled/").json(&json!({})))?.expect_error(404, "not_found")?;
    Ok(())
}

fn outside_the_base_an_unknown_path_is_404_without_a_key(service: &dyn Service) -> CaseResult {
    for path in ["/nothing", "/api", "/api/", "/api/v2/me", "/api/v1x/me", "/me", "/clients"] {
        send(service, &Request::new("GET", path))?.expect_error(404, "not_found")?;
        send(service, &Request::new("POST", path).json(&json!({})))?.expect_error(404, "not_found")?;
    }
    Ok(())
}

fn a_wrong_method_is_405_with_allow(service: &dyn Service) -> CaseResult {
    let rows: [(&str, &[&str]); 4] = [
        ("/me", &["GET", "HEAD"]),
        ("/clients", &["GET", "HEAD", "POST"]),
        ("/cases/settled", &["POST"]),
        ("/prospects", &["GET", "HEAD"]),
    ];
    for (path, allowed) in rows {
        let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            if allowed.contains(&method) {
                continue;
            }
            let answer = firm.send(&firm.request(method, path))?;
            if method == "HEAD" {
                answer.expect_status(405)?;
            } else {
                answer.expect_error(405, "invalid_request")?;
            }
            let allow: BTreeSet<&str> = answer.header("allow").unwrap_or_default().split(',').map(str::trim).collect();
            equal(&format!("{}: Allow", answer.sent), &allow, &allowed.iter().copied().collect())?;
        }
    }
    Ok(())
}

fn the_next_request_after_each_refusal_is_served(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let refused = [
        firm.request("GET", "/nothing"),
        firm.request("PUT", "/clients").json(&json!({})),
        firm.request("POST", "/clients").json_text("{"),
        firm.request("POST", "/clients").header("Content-Type", "image/png").json_text("x"),
        firm.request("GET", "/clients?limit=%zz"),
        Request::new("GET", "/api/v1/me"),
    ];
    for request in refused {
        let answer = send(service, &request)?;
        if answer.status < 400 {
            return Err(answer.failure("a refusal"));
        }
        firm.get("/me")?.ok()?;
    }
    Ok(())
}
