//! Possible duplicates, through the operator API.

use serde_json::{Value, json};

use crate::wire::{Answer, CaseResult, Failure, Firm, Operator, Service, failure::equal};

cases! { "similar":
    "Y5" => clients_that_may_be_one_person_are_found_with_their_reasons,
    "Y6" => a_decision_stays_after_another_comparison_until_it_is_taken_back,
    "Y6, O3" => a_decision_is_in_the_log,
    "Y5, D1" => an_erased_client_is_in_no_pair,
    "Y8" => pairs_are_listed_by_letters_and_decisions,
    "O20, Y6" => the_feed_tells_that_letters_were_declined_under_another_name,
    "Y2, X19" => a_client_at_a_former_address_of_its_namesake_may_be_the_same_person,
    "X19, Y4" => an_explanation_names_possible_duplicates_until_they_are_two_people,
    "X19, X15" => a_plan_holds_whatever_a_comparison_finds_meanwhile,
    "X19" => several_possible_duplicates_are_named_by_their_ids,
    "D1, X19" => an_answer_that_names_an_erased_client_as_similar_is_not_replayed,
    "Y6" => a_pair_of_another_account_is_unknown,
    "O22, C4" => pairs_are_read_in_pages_that_keep_their_filter,
    "Y6, Y8" => what_cannot_be_read_is_refused,
}

fn specimenez(external_id: &str, first_name: &str) -> Value {
    json!({"external_id": external_id, "first_name": first_name, "last_name": "Specimenez",
           "address_line1": "12 Oak St", "zip": "02134"})
}

fn silent(mut client: Value) -> Value {
    client["do_not_mail"] = json!(true);
    client
}

fn find(firm: &Firm<'_>) -> Result<Answer, Failure> {
    Operator::of(firm.service).call("POST", &firm.path("/similar/find"))?.ok()
}

fn list(firm: &Firm<'_>, query: &str) -> Result<Answer, Failure> {
    Operator::of(firm.service).call("GET", &firm.path(&format!("/similar{query}")))?.ok()
}

fn count(firm: &Firm<'_>, query: &str) -> Result<usize, Failure> {
    Ok(list(firm, query)?.array("/similar")?.len())
}

fn pair_path(firm: &Firm<'_>, one: &str, other: &str) -> String {
    firm.path(&format!("/similar/{one}/{other}"))
}

fn decide(firm: &Firm<'_>, one: &str, other: &str, decision: &str) -> Result<Answer, Failure> {
    let body = json!({"decision": decision});
    Operator::of(firm.service).call_with("POST", &pair_path(firm, one, other), &body)
}

/// A firm with Robert and Bob, who may be one person, the second without letters.
fn robert_and_bob(service: &dyn Service) -> Result<(Firm<'_>, [String; 2]), Failure> {
    let firm = Firm::open(service)?;
    let robert = firm.create(&specimenez("1", "Robert"))?;
    let bob = firm.create(&silent(specimenez("2", "Bob")))?;
    firm.create(&specimenez("3", "Ana"))?;
    Ok((firm, [robert, bob]))
}

fn clients_that_may_be_one_person_are_found_with_their_reasons(service: &dyn Service) -> CaseResult {
    let (firm, ids) = robert_and_bob(service)?;
    let before = list(&firm, "")?;
    let nothing = json!({"similar": [], "compared_at": null, "next_cursor": null});
    equal("before a comparison", &before.json, &nothing)?;
    let found = find(&firm)?;
    equal("the clients that were compared", found.at("/compared"), &json!(3))?;
    equal("whether these are all", found.at("/is_complete"), &json!(true))?;
    equal("the pairs", found.at("/pairs"), &json!(1))?;
    let page = list(&firm, "")?;
    equal("how many pairs", &page.array("/similar")?.len(), &1)?;
    equal("when they were compared", page.at("/compared_at"), found.at("/compared_at"))?;
    let pair = page.at("/similar/0");
    let mut sorted = ids.clone();
    sorted.sort();
    equal("the ids", &json!([pair["clients"][0]["id"], pair["clients"][1]["id"]]), &json!(sorted))?;
    let shown = Operator::of(service).call("GET", &firm.path(&format!("/clients/{}", sorted[0])))?.ok()?;
    equal("the first client", &pair["clients"][0], shown.at("/client"))?;
    equal("the reasons", &pair["reasons"], &json!(["nickname"]))?;
    equal("when it was found", &pair["found_at"], found.at("/compared_at"))?;
    let undecided = json!([pair["decision"], pair["decided_at"], pair["decided_by"]]);
    equal("the decision", &undecided, &json!([null, null, null]))
}

fn a_decision_stays_after_another_comparison_until_it_is_taken_back(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    find(&firm)?;
    // In whatever order they are named.
    let decided = decide(&firm, &bob, &robert, "different")?.ok()?;
    equal("the decision", decided.at("/similar/decision"), &json!("different"))?;
    equal("the undecided pairs", &count(&firm, "")?, &0)?;
    equal("the pairs of another comparison", find(&firm)?.at("/pairs"), &json!(0))?;
    let kept = list(&firm, "?decided=true")?;
    equal("the decided pair", kept.at("/similar/0"), decided.at("/similar"))?;
    let open = decide(&firm, &robert, &bob, "open")?.ok()?;
    equal("the decision after it was taken back", open.at("/similar/decision"), &Value::Null)?;
    equal("the undecided pairs after it was taken back", &count(&firm, "")?, &1)?;
    equal("the decided pairs after it was taken back", &count(&firm, "?decided=true")?, &0)
}

fn a_decision_is_in_the_log(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    find(&firm)?;
    let decided = decide(&firm, &robert, &bob, "same")?.ok()?;
    let log = Operator::of(service).call("GET", "/log?limit=100")?.ok()?;
    let mut ids = [robert, bob];
    ids.sort();
    let subject = json!(ids.join(" "));
    let entry = log.array("/log")?.iter().find(|entry| entry["subject"] == subject);
    let entry = entry.ok_or_else(|| log.failure("the decision"))?;
    equal("the action", &entry["action"], &json!("similar.decide"))?;
    equal("who decided", &entry["actor"], decided.at("/similar/decided_by"))
}

fn an_erased_client_is_in_no_pair(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    find(&firm)?;
    decide(&firm, &robert, &bob, "same")?.ok()?;
    Operator::of(service).call("DELETE", &firm.path(&format!("/clients/{bob}")))?.ok()?;
    equal("the undecided pairs", &count(&firm, "")?, &0)?;
    equal("the decided pairs", &count(&firm, "?decided=true")?, &0)?;
    decide(&firm, &robert, &bob, "same")?.expect_error(404, "not_found").map(drop)
}

fn an_explanation_names_possible_duplicates_until_they_are_two_people(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    let body = json!({"clients": [specimenez("1", "Robert"), specimenez("2", "Bob"), specimenez("3", "Ana"),
                                  specimenez("4", "Rob")]});
    let similar = |query: &str| -> Result<Value, Failure> {
        let answer = firm.post(&format!("/clients{query}"), &body)?.ok()?;
        Ok(answer.array("/results")?.iter().map(|result| result["similar"].clone()).collect())
    };
    let none = json!([null, null, null, null]);
    equal("before a comparison", &similar("?explain=true&dry_run=true")?, &none)?;
    find(&firm)?;
    let other = |id: &String| json!([{"id": id, "reasons": ["nickname"]}]);
    let named = json!([other(&bob), other(&robert), null, null]);
    // The last client of the batch is new, so no comparison has seen it.
    equal("in a dry run", &similar("?explain=true&dry_run=true")?, &named)?;
    equal("in a post", &similar("?explain=true")?, &named)?;
    equal("without explanations", &similar("")?, &none)?;
    decide(&firm, &robert, &bob, "same")?.ok()?;
    equal("of one person", &similar("?explain=true")?, &named)?;
    decide(&firm, &robert, &bob, "different")?.ok()?;
    equal("of two people", &similar("?explain=true")?, &none)
}

fn a_client_at_a_former_address_of_its_namesake_may_be_the_same_person(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let robert = firm.create(&specimenez("1", "Robert"))?;
    let moved = json!({"external_id": "1", "address_line1": "7 Elm St", "zip": "62704"});
    firm.post("/clients", &json!({"clients": [moved]}))?.ok()?;
    let mut from_a_list = specimenez("", "Robert");
    from_a_list["external_id"] = Value::Null;
    let namesake = firm.create(&from_a_list)?;
    find(&firm)?;
    let page = list(&firm, "")?;
    equal("how many pairs", &page.array("/similar")?.len(), &1)?;
    equal("the reasons", page.at("/similar/0/reasons"), &json!(["former_address"]))?;
    let answer = firm.post("/clients?explain=true&dry_run=true", &json!({"clients": [moved]}))?.ok()?;
    let named = json!([{"id": namesake, "reasons": ["former_address"]}]);
    equal("what an explanation names", answer.at("/results/0/similar"), &named)?;
    Operator::of(service).call("DELETE", &firm.path(&format!("/clients/{robert}")))?.ok()?;
    equal("the pairs after the one that moved was erased", find(&firm)?.at("/pairs"), &json!(0))
}

fn a_plan_holds_whatever_a_comparison_finds_meanwhile(service: &dyn Service) -> CaseResult {
    let (firm, _) = robert_and_bob(service)?;
    let body = json!({"clients": [specimenez("1", "Robert")]});
    let preview = firm.post("/clients?explain=true&dry_run=true", &body)?.ok()?;
    equal("the preview", &preview.at("/results/0")["similar"], &Value::Null)?;
    find(&firm)?;
    let plan = preview.text("/plan")?;
    let saved = firm.post(&format!("/clients?explain=true&plan={plan}"), &body)?.ok()?;
    equal("how many possible duplicates the answer names", &saved.array("/results/0/similar")?.len(), &1)
}

fn several_possible_duplicates_are_named_by_their_ids(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let names = ["Robert", "Bob", "Rob"];
    let ids = names.iter().zip(["1", "2", "3"]).map(|(name, id)| firm.create(&specimenez(id, name)));
    let ids = ids.collect::<Result<Vec<_>, _>>()?;
    find(&firm)?;
    for (name, (external_id, id)) in names.iter().zip(["1", "2", "3"].iter().zip(&ids)) {
        let body = json!({"clients": [specimenez(external_id, name)]});
        let answer = firm.post("/clients?explain=true&dry_run=true", &body)?.ok()?;
        let similar = answer.array("/results/0/similar")?.iter().map(|similar| similar["id"].clone());
        let mut others: Vec<_> = ids.iter().filter(|other| *other != id).collect();
        others.sort();
        equal(&format!("the others of {name}"), &similar.collect::<Value>(), &json!(others))?;
    }
    Ok(())
}

fn an_answer_that_names_an_erased_client_as_similar_is_not_replayed(service: &dyn Service) -> CaseResult {
    let (firm, [_, bob]) = robert_and_bob(service)?;
    find(&firm)?;
    // Nothing is repaired in it, so it tells no value either.
    let body = json!({"clients": [{"external_id": "1", "city": "Boston"}]});
    let request = firm.request("POST", "/clients?explain=true").header("Idempotency-Key", "names-bob").json(&body);
    let similar = |answer: &Answer| answer.at("/results/0")["similar"].clone();
    let named = json!([{"id": bob, "reasons": ["nickname"]}]);
    equal("before", &similar(&firm.send(&request)?.ok()?), &named)?;
    equal("replayed", &similar(&firm.send(&request)?.ok()?), &named)?;
    Operator::of(service).call("DELETE", &firm.path(&format!("/clients/{bob}")))?.ok()?;
    equal("after the erasure", &similar(&firm.send(&request)?.ok()?), &Value::Null)
}

fn pairs_are_listed_by_letters_and_decisions(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    firm.create(&silent(specimenez("4", "Rob")))?;
    find(&firm)?;
    // Of Bob and Rob neither gets letters.
    equal("the pairs", &count(&firm, "")?, &3)?;
    equal("the pairs of which one client gets letters", &count(&firm, "?letters=true")?, &2)?;
    decide(&firm, &robert, &bob, "same")?.ok()?;
    equal("those after one is decided to be the same", &count(&firm, "?letters=true")?, &2)?;
    equal("those that are decided", &count(&firm, "?letters=true&decided=true")?, &1)?;
    decide(&firm, &robert, &bob, "different")?.ok()?;
    equal("those after it is decided to be different", &count(&firm, "?letters=true")?, &1)?;
    equal("the decided ones of which one gets letters", &count(&firm, "?letters=true&decided=true")?, &0)?;
    equal("the decided ones", &count(&firm, "?decided=true")?, &1)
}

fn the_feed_tells_that_letters_were_declined_under_another_name(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    for external_id in ["1", "2", "3"] {
        firm.post("/cases/settled", &json!({"external_id": external_id, "settled_on": "2025-01-02"}))?.ok()?;
    }
    let flags = || {
        let feed = Operator::of(service).call("GET", &firm.path("/settlements"))?.ok()?;
        let flag = |entry: &Value| (entry["external_id"].clone(), entry["similar_do_not_mail"].clone());
        let mut flags: Vec<_> = feed.array("/settlements")?.iter().map(flag).collect();
        flags.sort_by_key(|(external_id, _)| external_id.to_string());
        Ok::<_, Failure>(json!(flags.into_iter().map(|(_, flag)| flag).collect::<Vec<_>>()))
    };
    equal("before a comparison", &flags()?, &json!([false, false, false]))?;
    find(&firm)?;
    equal("after it", &flags()?, &json!([true, false, false]))?;
    decide(&firm, &robert, &bob, "same")?.ok()?;
    equal("once they are one person", &flags()?, &json!([true, false, false]))?;
    decide(&firm, &robert, &bob, "different")?.ok()?;
    equal("once they are two people", &flags()?, &json!([false, false, false]))
}

fn a_pair_of_another_account_is_unknown(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    let (other, [theirs, _]) = robert_and_bob(service)?;
    find(&firm)?;
    equal("the pairs of an account that was not compared", &count(&other, "")?, &0)?;
    decide(&other, &robert, &bob, "same")?.expect_error(404, "not_found")?;
    decide(&firm, &robert, &theirs, "same")?.expect_error(404, "not_found")?;
    decide(&firm, &robert, "nonsense", "same")?.expect_error(404, "not_found")?;
    equal("the pairs", &count(&firm, "")?, &1)?;
    for (method, rest) in [("GET", "similar"), ("POST", "similar/find")] {
        let path = format!("/accounts/00000000-0000-7000-8000-000000000000/{rest}");
        Operator::of(service).call(method, &path)?.expect_error(404, "not_found")?;
    }
    Ok(())
}

fn pairs_are_read_in_pages_that_keep_their_filter(service: &dyn Service) -> CaseResult {
    let (firm, _) = robert_and_bob(service)?;
    firm.create(&silent(specimenez("4", "Rob")))?;
    find(&firm)?;
    let all = list(&firm, "?letters=true")?;
    let first = list(&firm, "?letters=true&limit=1")?;
    let cursor = first.text("/next_cursor")?;
    let second = list(&firm, &format!("?limit=1&cursor={cursor}"))?;
    let pages = json!([first.at("/similar/0"), second.at("/similar/0")]);
    equal("both pages", &pages, all.at("/similar"))?;
    equal("the end", second.at("/next_cursor"), &Value::Null)?;
    let differs = format!("/similar?cursor={cursor}&letters=false");
    Operator::of(service).call("GET", &firm.path(&differs))?.expect_error(400, "invalid_request")?;
    let of_others = format!("/similar?cursor={}", &cursor[1..]);
    Operator::of(service).call("GET", &firm.path(&of_others))?.expect_error(400, "invalid_request").map(drop)
}

fn what_cannot_be_read_is_refused(service: &dyn Service) -> CaseResult {
    let (firm, [robert, bob]) = robert_and_bob(service)?;
    find(&firm)?;
    for query in ["?letters=yes", "?decided=1", "?limit=0", "?cursor=x"] {
        Operator::of(service)
            .call("GET", &firm.path(&format!("/similar{query}")))?
            .expect_error(400, "invalid_request")?;
    }
    for body in [json!({}), json!({"decision": "perhaps"}), json!({"decision": 7})] {
        let path = pair_path(&firm, &robert, &bob);
        Operator::of(service).call_with("POST", &path, &body)?.expect_error(400, "invalid_request")?;
    }
    equal("the undecided pairs", &count(&firm, "")?, &1)
}
