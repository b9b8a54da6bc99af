//! Query parameters: known ones once and well formed, unknown ones ignored, those of the
//! POSTs refused elsewhere.

use serde_json::json;

use crate::wire::{CaseResult, Failure, Firm, Service};

cases! { "parameters":
    "H18" => unknown_parameters_are_ignored,
    "H18" => a_known_parameter_given_twice_is_400,
    "H18" => a_known_parameter_given_empty_counts_as_absent,
    "H17" => malformed_percent_encoding_is_400,
    "H17" => well_formed_percent_encoding_is_read,
    "H17, H21" => a_plus_is_a_space_but_in_a_time,
    "H20" => limit_is_a_whole_number_from_1_to_100,
    "H21" => updated_since_is_an_rfc_3339_time,
    "P3" => order_is_oldest_or_newest,
    "P5" => cursor_with_newest_is_400,
    "X1" => dry_run_and_explain_are_true_or_false,
    "H19" => dry_run_and_explain_are_refused_where_they_have_no_effect,
}

fn bundled(service: &dyn Service) -> Result<Firm<'_>, Failure> {
    Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))
}

fn unknown_parameters_are_ignored(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    for query in ["?x=1", "?x=1&x=2", "?x", "?=", "?&&", "?", "?Limit=0", "?limits=0&page=2", "?limit=5&utm_source=z"] {
        firm.get(&format!("/clients{query}"))?.ok()?;
        firm.get(&format!("/prospects{query}"))?.ok()?;
    }
    firm.get("/me?limit=0&cursor=x&cursor=y")?.ok()?;
    firm.post("/clients?limit=0", &json!({"clients": []}))?.ok()?;
    Ok(())
}

fn a_known_parameter_given_twice_is_400(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    for (path, name, value) in [
        ("/clients", "limit", "5"),
        ("/clients", "cursor", "x"),
        ("/clients", "external_id", "7"),
        ("/clients", "updated_since", "2026-01-01T00:00:00Z"),
        ("/prospects", "limit", "5"),
        ("/prospects", "order", "oldest"),
        ("/prospects", "cursor", "x"),
    ] {
        firm.get(&format!("{path}?{name}={value}&{name}={value}"))?.expect_refusal(&[name])?;
    }
    for name in ["dry_run", "explain"] {
        for twice in [format!("{name}=true&{name}=true"), format!("{name}=&explain=true&dry_run=true")] {
            firm.post(&format!("/clients?{twice}"), &json!({"clients": []}))?.expect_refusal(&[name])?;
        }
    }
    firm.post("/clients?plan=x&plan=x", &json!({"clients": []}))?.expect_refusal(&["plan", "twice"])?;
    firm.get("/clients?limit=5&x=1&limit=6")?.expect_refusal(&["limit"])?;
    Ok(())
}

fn a_known_parameter_given_empty_counts_as_absent(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    firm.create(&json!({"last_name": "Ray"}))?;
    for query in
        ["limit=", "limit", "cursor=", "cursor", "external_id=", "updated_since=", "limit=&cursor=&external_id="]
    {
        firm.get(&format!("/clients?{query}"))?.ok()?;
    }
    for query in ["limit=", "order=", "order", "cursor=", "cursor=&order=newest", "limit=&order=oldest"] {
        firm.get(&format!("/prospects?{query}"))?.ok()?;
    }
    let id = firm.post("/clients?dry_run=&explain&plan=", &json!({"clients": [{"last_name": "Stone"}]}))?.ok()?;
    firm.show(&id.text("/results/0/id")?)?;
    id.expect_absent("/results/0/changed")?;
    Ok(())
}

fn malformed_percent_encoding_is_400(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    for value in ["%", "%zz", "%4", "5%", "%g0", "%%", "%ff", "%c3%28"] {
        firm.get(&format!("/clients?external_id={value}"))?.expect_error(400, "invalid_request")?;
        firm.get(&format!("/prospects?order={value}"))?.expect_error(400, "invalid_request")?;
    }
    Ok(())
}

fn well_formed_percent_encoding_is_read(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    firm.get("/clients?%6cimit=%30")?.expect_refusal(&["limit"])?;
    firm.get("/clients?limit=%35")?.ok()?;
    firm.get("/prospects?order=%6Eewest")?.ok()?;
    firm.get("/clients?external_id=%C3%A9%20%2B")?.ok()?;
    Ok(())
}

fn a_plus_is_a_space_but_in_a_time(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    firm.get("/prospects?order=new+est")?.expect_refusal(&["order"])?;
    firm.get("/clients?limit=1+")?.expect_refusal(&["limit"])?;
    firm.get("/clients?updated_since=2026-01-31T08:00:00+01:00")?.ok()?;
    Ok(())
}

fn limit_is_a_whole_number_from_1_to_100(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    let wrong = ["0", "101", "-1", "1.5", "abc", "1e1", "0x10", "99999999999999999999", "%205", "5%20", "%D9%A5"];
    for path in ["/clients", "/prospects"] {
        for limit in wrong {
            firm.get(&format!("{path}?limit={limit}"))?.expect_refusal(&["limit", "1", "100"])?;
        }
        for limit in ["1", "50", "100"] {
            firm.get(&format!("{path}?limit={limit}"))?.ok()?;
        }
    }
    firm.get("/prospects?order=newest&limit=0")?.expect_refusal(&["limit"])?;
    firm.get("/prospects?order=newest&limit=101")?.expect_refusal(&["limit"])?;
    firm.get("/prospects?order=newest&limit=100")?.ok()?;
    Ok(())
}

fn updated_since_is_an_rfc_3339_time(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    for wrong in
        ["yesterday", "2026-01-01", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", "1767225600", "2026-02-30T00:00:00Z"]
    {
        firm.get(&format!("/clients?updated_since={wrong}"))?.expect_refusal(&["updated_since"])?;
    }
    for right in [
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.123456Z",
        "2026-01-01T00:00:00-05:00",
        "2026-01-01T00:00:00%2B02:00",
    ] {
        firm.get(&format!("/clients?updated_since={right}"))?.ok()?;
    }
    Ok(())
}

fn order_is_oldest_or_newest(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    for order in ["oldest", "newest"] {
        firm.get(&format!("/prospects?order={order}"))?.ok()?;
    }
    for order in ["random", "asc", "1", "oldest,newest"] {
        firm.get(&format!("/prospects?order={order}"))?.expect_refusal(&["order", "oldest", "newest"])?;
    }
    Ok(())
}

fn cursor_with_newest_is_400(service: &dyn Service) -> CaseResult {
    bundled(service)?.get("/prospects?order=newest&cursor=abc")?.expect_refusal(&["cursor"])?;
    Ok(())
}

fn dry_run_and_explain_are_true_or_false(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    let client = json!({"external_id": "kept-out", "last_name": "Ray", "settled_on": "2025-01-01"});
    for name in ["dry_run", "explain"] {
        for value in ["1", "0", "yes", "TRUE", "true%20", "true,false", "null"] {
            let words = [name, "true", "false"];
            firm.post(&format!("/clients?{name}={value}"), &json!({"clients": [client]}))?.expect_refusal(&words)?;
            firm.post(&format!("/cases/settled?{name}={value}"), &client)?.expect_refusal(&words)?;
        }
        firm.post(&format!("/clients?{name}=%74rue"), &json!({"clients": []}))?.ok()?;
    }
    // Nothing was saved by any of them.
    firm.post_client(&client, "created")?;
    Ok(())
}

fn dry_run_and_explain_are_refused_where_they_have_no_effect(service: &dyn Service) -> CaseResult {
    let firm = bundled(service)?;
    let client = json!({"external_id": "kept-out", "last_name": "Ray"});
    for name in ["dry_run", "explain"] {
        for path in ["/me", "/clients", "/prospects"] {
            for value in ["true", "false", "1", ""] {
                firm.get(&format!("{path}?{name}={value}"))?.expect_refusal(&[name, "POST /clients"])?;
            }
        }
        // In a body it would be an unknown member, and the request saved.
        for value in [json!(true), json!(false), json!("yes"), json!(null)] {
            firm.post("/clients", &json!({"clients": [client], name: value}))?.expect_refusal(&[name, "query"])?;
            let mut settled = client.clone();
            settled["settled_on"] = json!("2025-01-01");
            settled[name] = value;
            firm.settle(&settled)?.expect_refusal(&[name, "query"])?;
        }
    }
    // Nothing was saved by any of them.
    firm.post_client(&client, "created")?;
    Ok(())
}
