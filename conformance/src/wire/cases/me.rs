//! `GET /me`: which account a key belongs to.

use serde_json::json;

use crate::wire::{CaseResult, Firm, Service, failure::equal};

cases! { "me":
    "H25" => names_the_account_of_the_key,
    "H25" => follows_a_change_of_the_email,
}

fn names_the_account_of_the_key(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let answer = firm.get("/me")?.ok()?;
    equal("GET /me", &answer.json, &json!({"account": {"id": firm.account, "email": firm.email}}))
}

fn follows_a_change_of_the_email(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.get("/me")?.ok()?;
    let email = format!("moved-{}", firm.email);
    firm.set(&json!({ "email": email }))?;
    firm.get("/me")?.ok()?.expect("/account/email", email)?;
    Ok(())
}
