//! Reads a client list from CSV and writes it without duplicates.
//!
//! The list is a batch in an empty account. The rules of the service find duplicates, merge their rows (values
//! of later rows replace those of earlier ones), and refuse uncertain matches.
//!
//! `cargo run -p matterbook-core --example dedupe_csv`

use std::{collections::BTreeMap, error::Error};

use matterbook_core::{
    client::{ClientFields, parse_client},
    id::IdMint,
    plan::{Batch, Known, MatchedBy, UpsertResult},
    time::Timestamp,
    uuid::Uuid,
};

const LIST: &str = "\
external_id,first_name,last_name,address_line1,city,zip,phone
M-1,Ana,Specimenez,12 North Main Street,Springfield,62704,
,ANA,Specimenez,12 N. Main St.,,62704-1234,(217) 555-0134
M-2,José,O'Neil,5 Demo Ave.,Boston,2134,
,JOSE,ONeil,5 Demo Avenue,,02134,
,Bob,Sampleton,,,,
,Bob,Sampleton,,,,617-555-0142
M-7,Carl,Demowitz,1 Oak St,,123,
";

fn main() -> Result<(), Box<dyn Error>> {
    let (list, remarks) = dedupe(LIST)?;
    print!("{list}");
    for remark in remarks {
        eprintln!("{remark}");
    }
    Ok(())
}

/// The list with each client once, in the order of first rows, and a remark on each row that was merged or
/// left out.
fn dedupe(csv: &str) -> Result<(String, Vec<String>), Box<dyn Error>> {
    let mut rows = Vec::new();
    for row in csv::Reader::from_reader(csv.as_bytes()).deserialize() {
        let row: BTreeMap<String, String> = row?;
        rows.push(parse_client(&serde_json::to_string(&row)?));
    }
    // The ids only distinguish the rows, so the time and the random bytes do not matter.
    let mint = IdMint::new(Timestamp::default(), [0; 10]);
    let plan = Batch::new(Uuid::nil(), rows, mint, false).explained().decide(Known::default());

    let mut remarks = Vec::new();
    let mut first_rows: BTreeMap<Uuid, usize> = BTreeMap::new();
    for (line, (outcome, explanation)) in (2..).zip(plan.results.iter().zip(&plan.explanations)) {
        match outcome {
            UpsertResult::Created(id) => {
                first_rows.insert(*id, line);
            }
            UpsertResult::Updated(id) => {
                let by = match explanation.matched_by {
                    Some(MatchedBy::ExternalId) => "external_id",
                    _ => "name, address and ZIP",
                };
                remarks.push(format!("Line {line} is the client of line {}, by {by}.", first_rows[id]));
            }
            UpsertResult::Conflict(conflict) => remarks.push(format!("Line {line}: {conflict}")),
            UpsertResult::Invalid(error) => remarks.push(format!("Line {line}: {error}")),
            UpsertResult::Nameless { .. } => remarks.push(format!("Line {line} has no name.")),
        }
    }

    let mut list = csv::Writer::from_writer(Vec::new());
    list.write_record(["external_id", "first_name", "last_name", "address_line1", "city", "zip", "phone"])?;
    for client in &plan.change_set.created {
        let ClientFields { external_id, first_name, last_name, address_line1, city, zip, phone, .. } = &client.fields;
        let record = [external_id, first_name, last_name, address_line1, city, zip, phone];
        list.write_record(record.map(|value| value.as_deref().unwrap_or_default()))?;
    }
    Ok((String::from_utf8(list.into_inner()?)?, remarks))
}

#[test]
fn each_client_is_in_the_list_once() -> Result<(), Box<dyn Error>> {
    let (list, remarks) = dedupe(LIST)?;
    let expected = "\
external_id,first_name,last_name,address_line1,city,zip,phone
M-1,ANA,Specimenez,12 N. Main St.,Springfield,62704-1234,+12175550134
M-2,JOSE,ONeil,5 Demo Avenue,Boston,02134,
,Bob,Sampleton,,,,
";
    assert_eq!(list, expected);
    let expected = [
        "Line 3 is the client of line 2, by name, address and ZIP.",
        "Line 5 is the client of line 4, by name, address and ZIP.",
        "Line 7: A client of the same name, with no external_id, cannot be told apart from this one. Send address_line1 \
         and zip.",
        "Line 8: zip must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text.",
    ];
    assert_eq!(remarks, expected);
    Ok(())
}
