//! How a request's body is read: media type, size, text, JSON.

use serde_json::{Value, json};

use crate::wire::{Body, CaseResult, Firm, Request, Service, failure::equal};

cases! { "body":
    "H10" => json_and_text_and_missing_media_types_are_read,
    "H10, H13" => a_form_that_parses_as_json_is_read,
    "H10" => multipart_and_binary_types_are_415,
    "H11" => a_compressed_body_is_415,
    "H13" => a_byte_order_mark_before_the_json_is_skipped,
    "H12" => over_the_limit_is_413_and_delivered,
    "H12" => a_chunked_body_is_counted_while_it_is_read,
    "H12" => a_body_of_exactly_the_limit_is_read,
    "H12" => a_chunked_body_is_read,
    "H13" => a_body_that_is_not_utf_8_is_400,
    "H13" => a_body_that_is_not_json_is_400,
    "H13" => a_body_that_is_not_an_object_is_400,
    "H16" => clients_is_an_array_of_at_most_500,
    "H16" => an_empty_batch_is_200,
    "N10" => an_element_that_is_no_object_is_that_clients_error,
    "H14" => unknown_fields_are_ignored,
    "W3" => a_body_that_stalls_is_408,
}

fn typed(firm: &Firm<'_>, media_type: Option<&str>, text: &str) -> Request {
    let request = firm.request("POST", "/clients").body(Body::Whole(text.as_bytes().to_vec()));
    match media_type {
        Some(media_type) => request.header("Content-Type", media_type),
        None => request,
    }
}

fn json_and_text_and_missing_media_types_are_read(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for media_type in [
        None,
        Some("application/json"),
        Some("application/json; charset=utf-8"),
        Some("APPLICATION/JSON;charset=UTF-8"),
        Some("application/vnd.api+json"),
        Some("text/plain"),
        Some("text/plain; charset=utf-8"),
        Some("text/json"),
    ] {
        firm.send(&typed(&firm, media_type, "{\"clients\":[]}"))?.ok()?;
    }
    Ok(())
}

fn a_form_that_parses_as_json_is_read(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let form = Some("application/x-www-form-urlencoded");
    firm.send(&typed(&firm, form, "{\"clients\":[]}"))?.ok()?;
    firm.send(&typed(&firm, form, "clients=1&name=Ray"))?.expect_error(400, "invalid_request")?;
    let settled = "{\"external_id\":\"1\",\"last_name\":\"Ray\",\"settled_on\":\"2025-01-01\"}";
    let request = firm
        .request("POST", "/cases/settled")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(Body::Whole(settled.as_bytes().to_vec()));
    firm.send(&request)?.ok()?;
    Ok(())
}

fn multipart_and_binary_types_are_415(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for media_type in [
        "multipart/form-data; boundary=x",
        "multipart/mixed",
        "application/octet-stream",
        "image/png",
        "audio/mpeg",
        "video/mp4",
        "application/zip",
        "application/pdf",
    ] {
        for path in ["/clients", "/cases/settled"] {
            let request = firm
                .request("POST", path)
                .header("Content-Type", media_type)
                .body(Body::Whole(b"{\"clients\":[]}".to_vec()));
            firm.send(&request)?.expect_error(415, "invalid_request")?;
        }
    }
    Ok(())
}

fn a_compressed_body_is_415(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (coding, status) in [("gzip", 415), ("deflate", 415), ("br", 415), ("identity", 200)] {
        let request = typed(&firm, Some("application/json"), "{\"clients\":[]}").header("Content-Encoding", coding);
        firm.send(&request)?.expect_status(status)?;
    }
    Ok(())
}

fn a_byte_order_mark_before_the_json_is_skipped(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.send(&typed(&firm, Some("application/json"), "\u{feff}{\"clients\":[]}"))?.ok()?;
    Ok(())
}

fn over_the_limit_is_413_and_delivered(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let limit = service.facts().body_limit_bytes;
    for over in [1, 100_000] {
        for path in ["/clients", "/cases/settled"] {
            let request = firm.request("POST", path).json_text(&" ".repeat(limit + over));
            firm.send(&request)?.expect_error(413, "invalid_request")?;
            firm.get("/me")?.ok()?;
        }
    }
    Ok(())
}

fn a_chunked_body_is_counted_while_it_is_read(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = Body::Chunked(vec![b' '; service.facts().body_limit_bytes + 1]);
    firm.send(&firm.request("POST", "/clients").body(body))?.expect_error(413, "invalid_request")?;
    firm.get("/me")?.ok()?;
    Ok(())
}

fn a_body_of_exactly_the_limit_is_read(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut text = "{\"clients\":[]}".to_owned();
    text.extend(std::iter::repeat_n(' ', service.facts().body_limit_bytes.saturating_sub(text.len())));
    firm.send(&firm.request("POST", "/clients").json_text(&text))?.ok()?;
    Ok(())
}

fn a_chunked_body_is_read(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let text = json!({"clients": [{"external_id": "chunked", "last_name": "Żółć"}]}).to_string();
    let request = firm
        .request("POST", "/clients")
        .header("Content-Type", "application/json")
        .body(Body::Chunked(text.into_bytes()));
    let answer = firm.send(&request)?.ok()?;
    answer.expect("/results/0/status", "created")?;
    equal("the name sent in chunks", &firm.show(&answer.text("/results/0/id")?)?["last_name"], &json!("Żółć"))
}

fn a_body_that_is_not_utf_8_is_400(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for bytes in [
        b"{\"clients\":[{\"last_name\":\"Mu\xf1oz\"}]}".to_vec(),
        b"\xff\xfe{\x00}\x00".to_vec(),
        b"\x80".to_vec(),
        b"{\"clients\":[]}\xc3".to_vec(),
    ] {
        for path in ["/clients", "/cases/settled"] {
            let request =
                firm.request("POST", path).header("Content-Type", "application/json").body(Body::Whole(bytes.clone()));
            firm.send(&request)?.expect_refusal(&["utf-8"])?;
        }
    }
    Ok(())
}

fn a_body_that_is_not_json_is_400(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let deep = "[".repeat(50_000);
    for text in
        ["", " ", "{", "{\"clients\":[}", "{'clients':[]}", "{\"clients\":[]} x", "clients", "{\"clients\":[],}", &deep]
    {
        for path in ["/clients", "/cases/settled"] {
            firm.send(&firm.request("POST", path).json_text(text))?.expect_refusal(&["json"])?;
        }
    }
    Ok(())
}

fn a_body_that_is_not_an_object_is_400(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for text in ["[]", "[{\"last_name\":\"Ray\"}]", "null", "1", "true", "\"clients\""] {
        for path in ["/clients", "/cases/settled"] {
            firm.send(&firm.request("POST", path).json_text(text))?.expect_refusal(&["object"])?;
        }
    }
    Ok(())
}

fn clients_is_an_array_of_at_most_500(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for body in [
        json!({}),
        json!({"clients": null}),
        json!({"clients": {}}),
        json!({"clients": "x"}),
        json!({"clients": 3}),
        json!({"Clients": []}),
    ] {
        firm.post("/clients", &body)?.expect_refusal(&["clients"])?;
    }
    let batch = |count: usize| -> Vec<Value> {
        (0..count).map(|number| json!({"external_id": number, "last_name": "Ray"})).collect()
    };
    firm.post("/clients", &json!({"clients": batch(501)}))?.expect_refusal(&["clients", "500"])?;
    let answer = firm.post_clients(&batch(500))?;
    for index in 0..500 {
        answer.expect(&format!("/results/{index}/status"), "created")?;
    }
    Ok(())
}

fn an_empty_batch_is_200(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let answer = firm.post("/clients", &json!({"clients": []}))?.ok()?;
    equal("POST of an empty batch", &answer.json, &json!({"results": []}))
}

fn an_element_that_is_no_object_is_that_clients_error(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let odd = [json!(null), json!(1), json!("Ray"), json!([]), json!([{}]), json!(true)];
    let mut batch = vec![json!({"external_id": "before", "last_name": "Ray"})];
    batch.extend(odd.iter().cloned());
    batch.push(json!({"external_id": "after", "last_name": "Ray"}));
    let answer = firm.post_clients(&batch)?;
    answer.expect("/results/0/status", "created")?;
    for index in 1..=odd.len() {
        answer.expect(&format!("/results/{index}/status"), "error")?;
        answer.expect_words(&format!("/results/{index}/message"), &["object"])?;
    }
    answer.expect("/results/7/status", "created")?;
    Ok(())
}

fn unknown_fields_are_ignored(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let client =
        json!({"external_id": "u", "last_name": "Ray", "id": "x", "created_at": 1, "ssn": [1], "x": {"y": null}});
    firm.post("/clients", &json!({"clients": [client], "extra": [1], "result": null}))?
        .ok()?
        .expect("/results/0/status", "created")?;
    firm.settle(&json!({"external_id": "u", "settled_on": "2025-01-01", "colour": "red"}))?.ok()?;
    Ok(())
}

fn a_body_that_stalls_is_408(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = Body::Stalled { begun: b"{\"clients\":[{\"last_name\":\"Ray\"".to_vec(), length: 400 };
    firm.send(&firm.request("POST", "/clients").header("Content-Type", "application/json").body(body))?
        .expect_error(408, "invalid_request")?;
    firm.get("/me")?.ok()?;
    Ok(())
}
