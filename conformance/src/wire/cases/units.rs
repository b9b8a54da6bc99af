//! The unit of an address, in line 1 or in line 2.

use serde_json::{Value, json};

use super::matching::{both, person};
use crate::wire::{CaseResult, Firm, Service, failure::equal};

cases! { "units":
    "M37, M38, M39" => a_unit_in_line_1_is_compared_with_one_in_line_2,
    "M38" => without_a_unit_in_line_1_line_2_is_not_compared,
    "M4, M38" => a_unit_follows_a_client_that_moved,
}

fn at(line1: &str, line2: &str) -> Value {
    person(&json!({"address_line1": line1, "address_line2": line2}))
}

fn a_unit_in_line_1_is_compared_with_one_in_line_2(service: &dyn Service) -> CaseResult {
    let apartment = ("600 Canal St Apt 4", "");
    for (line1, line2, is_same) in [
        ("600 Canal Street", "Apt 4", true),
        ("600 Canal St", "#4", true),
        ("600 Canal St #4", "", true),
        ("600 Canal St Unit 4", "", true),
        ("600 Canal St", "Apt 5", false),
        ("600 Canal St", "", false),
        ("600 Canal St", "c/o Ruiz", false),
        ("600 Canal St", "Floor 4", false),
        ("600 Canal St Apt 5", "Apt 4", false),
    ] {
        for (known, incoming) in [(apartment, (line1, line2)), ((line1, line2), apartment)] {
            let (known, incoming) = (at(known.0, known.1), at(incoming.0, incoming.1));
            let (status, place) = if is_same { ("updated", Some(0)) } else { ("created", None) };
            let met = both(service, &[known], &incoming, status)?;
            equal(&format!("600 Canal St Apt 4 and {line1}, {line2}"), &met, &vec![place; 2])?;
        }
        // Without a ZIP another unit tells two people of one name apart.
        let mut without_zip = at(line1, line2);
        without_zip["zip"] = json!(null);
        let firm = Firm::open(service)?;
        firm.create(&at(apartment.0, apartment.1))?;
        firm.post_client(&without_zip, if is_same { "conflict" } else { "created" })?;
    }
    Ok(())
}

fn without_a_unit_in_line_1_line_2_is_not_compared(service: &dyn Service) -> CaseResult {
    let known = [at("600 Canal St", "Apt 4")];
    for line2 in ["", "Apt 5", "c/o Ruiz"] {
        let met = both(service, &known, &at("600 Canal Street", line2), "updated")?;
        equal(&format!("Apt 4 and {line2} in line 2"), &met, &vec![Some(0); 2])?;
    }
    // Each of two clients matches: the one of that street, and the one of that unit.
    let known = [at("600 Canal St", "Apt 5"), at("600 Canal St Apt 4", "")];
    let met = both(service, &known, &at("600 Canal St", "Apt 4"), "conflict")?;
    equal("a street without a unit, and its unit", &met, &vec![None; 2])
}

fn a_unit_follows_a_client_that_moved(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut client = at("600 Canal St", "Apt 4");
    client["external_id"] = json!("a");
    let id = firm.create(&client)?;
    firm.post_client(&json!({"external_id": "a", "address_line2": "Apt 5"}), "updated")?;
    firm.post_client(&at("600 Canal St Apt 5", ""), "updated")?.expect("/results/0/id", id.as_str())?;
    // Now line 1 has the unit.
    firm.post_client(&at("600 Canal St", "Apt 4"), "created")?;
    Ok(())
}
