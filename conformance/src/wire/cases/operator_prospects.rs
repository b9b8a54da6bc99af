//! Importing and erasing prospects through the operator API.

use serde_json::{Value, json};

use super::prospects::with_county;
use crate::wire::{Answer, CaseResult, Failure, Operator, Service, failure::equal};

cases! { "operator_prospects":
    "H28, P10" => each_prospect_gets_a_result_in_order,
    "P11" => a_prospect_without_what_is_required_is_an_error,
    "N8, P12" => every_error_of_a_prospect_is_in_one_message,
    "P11, P12, P13, P14" => fields_are_normalized_or_refused,
    "P10" => prospects_is_an_array_of_at_most_500,
    "D4, P16" => an_erased_prospect_is_not_brought_back,
    "P15" => the_same_source_id_twice_in_a_batch_is_created_then_updated,
}

fn import(service: &dyn Service, prospects: &[Value]) -> Result<Answer, Failure> {
    let answer = Operator::of(service).call_with("POST", "/prospects", &json!({ "prospects": prospects }))?.ok()?;
    equal("how many results", &answer.array("/results")?.len(), &prospects.len())?;
    for (index, result) in answer.array("/results")?.iter().enumerate() {
        crate::wire::firm::keeps_result_shape(&answer, result, index)?;
    }
    Ok(answer)
}

fn each_prospect_gets_a_result_in_order(service: &dyn Service) -> CaseResult {
    let (_, county) = with_county(service)?;
    let known = county.prospect(&json!({}));
    import(service, std::slice::from_ref(&known))?;
    let answer = import(
        service,
        &[
            county.prospect(&json!({})),
            known,
            county.prospect(&json!({"zip": "1"})),
            json!(null),
            json!([1]),
            county.prospect(&json!({"unknown": {"x": 1}})),
        ],
    )?;
    for (index, status) in ["created", "updated", "error", "error", "error", "created"].into_iter().enumerate() {
        answer.expect(&format!("/results/{index}/status"), status)?;
    }
    Ok(())
}

fn a_prospect_without_what_is_required_is_an_error(service: &dyn Service) -> CaseResult {
    let (_, county) = with_county(service)?;
    for name in ["source_id", "crash_date", "crash_county_fips"] {
        for blank in [json!(null), json!(" ")] {
            import(service, &[county.prospect(&json!({name: blank}))])?
                .expect("/results/0/status", "error")?
                .expect_words("/results/0/message", &[name])?;
        }
    }
    let answer = import(service, &[json!({})])?;
    answer.expect_words("/results/0/message", &["source_id", "crash_date", "crash_county_fips"])?;
    Ok(())
}

fn every_error_of_a_prospect_is_in_one_message(service: &dyn Service) -> CaseResult {
    let (_, county) = with_county(service)?;
    let wrong = [
        ("first_name", json!(5)),
        ("state", json!("Narnia")),
        ("zip", json!("1")),
        ("email", json!("nobody")),
        ("phone", json!("12")),
        ("person_type", json!("pilot")),
        ("injury_severity", json!("sad")),
        ("transported", json!("perhaps")),
        ("crash_time", json!("25:00")),
        ("crash_state", json!("Narnia")),
        ("vehicle_year", json!(1800)),
        ("vehicle_towed", json!(7)),
    ];
    let mut prospect = county.prospect(&json!({}));
    for (name, value) in &wrong {
        prospect[*name] = value.clone();
    }
    let answer = import(service, &[prospect])?;
    answer.expect("/results/0/status", "error")?;
    answer.expect_words("/results/0/message", &wrong.map(|(name, _)| name))?;
    Ok(())
}

fn fields_are_normalized_or_refused(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let year = |text: &str| json!({"vehicle_year": text});
    let county_name = matterbook_core::county::name(&county.fips).unwrap_or_default();
    let rows: Vec<(Value, Option<(&str, Value)>)> = vec![
        (json!({"person_type": "OTHER_CYCLIST"}), Some(("/person_type", json!("other_cyclist")))),
        (json!({"injury_severity": "Fatal"}), Some(("/injury_severity", json!("fatal")))),
        (json!({"injury_severity": "B"}), Some(("/injury_severity", json!("suspected_minor")))),
        (json!({"injury_severity": "No Apparent Injury"}), Some(("/injury_severity", json!("none")))),
        (json!({"injury_severity": "Non-Incapacitating"}), Some(("/injury_severity", json!("suspected_minor")))),
        (json!({"person_type": "Driver of a Motor Vehicle In-Transport"}), Some(("/person_type", json!("driver")))),
        (json!({"transported": "N"}), Some(("/transported", json!(false)))),
        (json!({"transported": "Not Transported"}), Some(("/transported", json!(false)))),
        (json!({"vehicle_towed": "Towed due to disabling damage"}), Some(("/vehicle_towed", json!(true)))),
        (json!({"hit_and_run": "Unknown"}), Some(("/hit_and_run", Value::Null))),
        (json!({"crash_time": "2:30 PM"}), Some(("/crash_time", json!("14:30")))),
        (json!({"crash_county": "As written"}), Some(("/crash_county", json!("As written")))),
        (json!({"crash_county": " "}), Some(("/crash_county", json!(county_name)))),
        (json!({"hit_and_run": true}), Some(("/hit_and_run", json!(true)))),
        (json!({"crash_time": "07:05"}), Some(("/crash_time", json!("07:05")))),
        (json!({"crash_time": "23:59:59"}), Some(("/crash_time", json!("23:59")))),
        (json!({"crash_date": "3/4/2025"}), Some(("/crash_date", json!("2025-03-04")))),
        (year("1999"), Some(("/vehicle/year", json!(1999)))),
        (json!({"vehicle_year": 2100}), Some(("/vehicle/year", json!(2100)))),
        (json!({"crash_report_number": " 25-7 "}), Some(("/crash_report_number", json!("25-7")))),
        (json!({"vehicle_make": ""}), Some(("/vehicle/make", Value::Null))),
        (json!({"crash_time": "24:00"}), None),
        (json!({"crash_time": "7pm"}), None),
        (json!({"crash_date": "2199-01-01"}), None),
        (json!({"crash_county_fips": "123"}), None),
        (json!({"crash_county_fips": "1703a"}), None),
        (json!({"vehicle_year": 1899}), None),
        (year("19"), None),
        (json!({"vehicle_make": "x".repeat(201)}), None),
        (json!({"source_id": "x".repeat(201)}), None),
        (json!({"transported": 1}), None),
    ];
    let prospects: Vec<Value> = rows.iter().map(|(fields, _)| county.prospect(fields)).collect();
    let answer = import(service, &prospects)?;
    let mut seen = Vec::new();
    for (index, (fields, kept)) in rows.iter().enumerate() {
        let status = answer.at(&format!("/results/{index}/status"));
        let expected = if kept.is_some() { "created" } else { "error" };
        equal(&format!("the import of {fields}"), status, &json!(expected))?;
        if kept.is_some() {
            seen.push(answer.text(&format!("/results/{index}/id"))?);
        }
    }
    let listed = super::prospects::wait_for_these(&firm, &seen)?;
    for (index, (fields, kept)) in rows.iter().enumerate() {
        if let Some((pointer, value)) = kept {
            let id = answer.at(&format!("/results/{index}/id"));
            let row = listed.iter().find(|row| row["id"] == *id).cloned().unwrap_or_default();
            equal(&format!("{fields} as a prospect"), &row.pointer(pointer), &Some(value))?;
        }
    }
    Ok(())
}

fn prospects_is_an_array_of_at_most_500(service: &dyn Service) -> CaseResult {
    let (_, county) = with_county(service)?;
    let operator = Operator::of(service);
    for body in [json!({}), json!({"prospects": null}), json!({"prospects": {}}), json!({"prospects": "x"})] {
        operator.call_with("POST", "/prospects", &body)?.expect_refusal(&["prospects"])?;
    }
    let many: Vec<Value> = (0..501).map(|_| county.prospect(&json!({}))).collect();
    operator.call_with("POST", "/prospects", &json!({ "prospects": many }))?.expect_refusal(&["prospects", "500"])?;
    import(service, &[])?;
    Ok(())
}

fn an_erased_prospect_is_not_brought_back(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let operator = Operator::of(service);
    let prospect = county.prospect(&json!({"last_name": "Ray"}));
    let other = county.prospect(&json!({}));
    let imported = operator.import(&[prospect.clone(), other])?;
    let path = format!("/prospects/{}", imported[0]);
    let answer = operator.call("DELETE", &path)?.ok()?;
    equal("erasing", &answer.json, &json!({"prospect": {"id": imported[0], "erased": true}}))?;
    operator.call("DELETE", &path)?.expect_error(404, "not_found")?;
    for _ in 0..2 {
        import(service, std::slice::from_ref(&prospect))?.expect("/results/0/status", "error")?;
    }
    super::prospects::wait_for_these(&firm, &imported[1..])?;
    Ok(())
}

fn the_same_source_id_twice_in_a_batch_is_created_then_updated(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let first = county.prospect(&json!({"last_name": "Ray", "city": "Peoria"}));
    let mut second = first.clone();
    second["city"] = json!("Joliet");
    second["last_name"] = json!("");
    let answer = import(service, &[first, second])?;
    answer.expect("/results/0/status", "created")?.expect("/results/1/status", "updated")?;
    let id = answer.text("/results/0/id")?;
    answer.expect("/results/1/id", id.as_str())?;
    let row = super::prospects::wait_for_these(&firm, &[id])?.remove(0);
    equal("the prospect", &(&row["last_name"], &row["city"]), &(&json!("Ray"), &json!("Joliet")))
}
