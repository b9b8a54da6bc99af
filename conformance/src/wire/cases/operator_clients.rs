//! One client of an account through the operator API: shown, mail turned on again.

use serde_json::json;

use super::clients_post::full;
use crate::wire::{
    CaseResult, Firm, Operator, Service,
    failure::{equal, holds},
    wait_for_clients,
};

cases! { "operator_clients":
    "O17" => a_client_is_shown_as_it_is_now,
    "O24" => clients_are_found_by_each_value_as_they_are_now,
    "O24, C4" => a_walk_over_found_clients_keeps_its_filter,
    "O18, U2" => mail_on_turns_do_not_mail_off,
    "O18" => mail_on_where_nothing_is_stopped_changes_nothing,
    "A9" => a_client_of_another_account_is_not_found,
}

fn a_client_is_shown_as_it_is_now(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    equal("the city at once", &firm.show(&id)?["city"], &json!("Springfield"))?;
    firm.post_client(&json!({"external_id": "a", "city": "Peoria"}), "updated")?;
    equal("the city at once after a change", &firm.show(&id)?["city"], &json!("Peoria"))
}

fn clients_are_found_by_each_value_as_they_are_now(service: &dyn Service) -> CaseResult {
    let (firm, other) = (Firm::open(service)?, Firm::open(service)?);
    let operator = Operator::of(service);
    let id = firm.create(&full("a"))?;
    firm.create(&json!({"external_id": "b", "last_name": "Ray"}))?;
    other.create(&full("a"))?;
    firm.post_client(&json!({"external_id": "a", "city": "Peoria", "phone": "(217) 555-0199"}), "updated")?;
    let shown = firm.show(&id)?;
    let name =
        format!("{}%20{}", shown["first_name"].as_str().unwrap_or("?"), shown["last_name"].as_str().unwrap_or("?"));
    let email = shown["email"].as_str().unwrap_or("?");
    let queries = [
        "external_id=a".to_owned(),
        "phone=217.555.0199".to_owned(),
        format!("email={email}"),
        format!("name={}", name.to_uppercase()),
    ];
    let found = json!({"clients": [shown], "next_cursor": null});
    for query in queries.iter().chain([&queries.join("&")]) {
        let page = operator.call("GET", &firm.path(&format!("/clients?{query}")))?.ok()?;
        equal(query, &page.json, &found)?;
    }
    for query in ["external_id=A", "phone=2175550198", "external_id=b&phone=2175550199"] {
        let page = operator.call("GET", &firm.path(&format!("/clients?{query}")))?.ok()?;
        equal(query, page.at("/clients"), &json!([]))?;
    }
    operator.call("GET", &firm.path("/clients?phone=12"))?.expect_refusal(&["phone"])?;
    Ok(())
}

fn a_walk_over_found_clients_keeps_its_filter(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for number in 0..3 {
        firm.create(&json!({"external_id": format!("n{number}"), "last_name": "Ray"}))?;
        firm.create(&json!({"external_id": format!("o{number}"), "last_name": "Oto"}))?;
    }
    let (mut names, mut cursor) = (Vec::new(), "&name=ray".to_owned());
    loop {
        let page = operator.call("GET", &firm.path(&format!("/clients?limit=1{cursor}")))?.ok()?;
        names.extend(page.array("/clients")?.iter().map(|client| client["last_name"].clone()));
        let Some(next) = page.at("/next_cursor").as_str() else { break };
        cursor = format!("&cursor={next}");
        operator.call("GET", &firm.path(&format!("/clients?name=oto{cursor}")))?.expect_refusal(&["name"])?;
        firm.get(&format!("/clients?limit=1{cursor}"))?.expect_refusal(&["cursor"])?;
    }
    equal("the names that the walk met", &names, &vec![json!("Ray"); 3])
}

fn mail_on_turns_do_not_mail_off(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let mut client = full("a");
    client["do_not_mail"] = json!(true);
    let id = firm.create(&client)?;
    let before = firm.show(&id)?;
    let answer = operator.call("POST", &firm.path(&format!("/clients/{id}/mail-on")))?.ok()?;
    equal("the client answered and the client shown", answer.at("/client"), &firm.show(&id)?)?;
    let mut expected = before.clone();
    expected["do_not_mail"] = json!(false);
    expected["updated_at"] = answer.at("/client/updated_at").clone();
    equal("what changed", answer.at("/client"), &expected)?;
    holds(
        answer.at("/client/updated_at").as_str() > before["updated_at"].as_str(),
        "mail-on",
        "a later updated_at, for it is a change like any other",
        || answer.json.to_string(),
    )?;
    wait_for_clients(service, || {
        let rows = firm.walk_clients("limit=100")?;
        equal("GET /clients after the delay", &rows, &vec![answer.at("/client").clone()])
    })?;
    // The API can turn it on again.
    firm.post_client(&json!({"external_id": "a", "do_not_mail": true}), "updated")?;
    equal("do_not_mail", &firm.show(&id)?["do_not_mail"], &json!(true))
}

fn mail_on_where_nothing_is_stopped_changes_nothing(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    let before = firm.show(&id)?;
    firm.operator().call("POST", &firm.path(&format!("/clients/{id}/mail-on")))?.ok()?;
    equal("the client", &firm.show(&id)?, &before)
}

fn a_client_of_another_account_is_not_found(service: &dyn Service) -> CaseResult {
    let (one, other) = (Firm::open(service)?, Firm::open(service)?);
    let operator = Operator::of(service);
    let id = one.create(&full("a"))?;
    let path = other.path(&format!("/clients/{id}"));
    operator.call("GET", &path)?.expect_error(404, "not_found")?;
    operator.call("POST", &format!("{path}/mail-on"))?.expect_error(404, "not_found")?;
    operator.call("DELETE", &path)?.expect_error(404, "not_found")?;
    one.show(&id)?;
    Ok(())
}
