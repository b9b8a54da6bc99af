//! The rules in a web page. The core parses, repairs and compares rows pasted from a spreadsheet; no data
//! leaves the machine.
//!
//! The page calls only [`check`].

mod table;

use std::collections::BTreeMap;

use matterbook_core::{
    client::{parse_client, repair, stored_value},
    columns::fields_of,
    id::IdMint,
    normalize::{Field, FieldValue},
    plan::{Batch, Known, UpsertResult},
    time::Timestamp,
};
use serde::Serialize;
use uuid::Uuid;
use wasm_bindgen::prelude::wasm_bindgen;

use table::Table;

/// Reads a table with a header line and cells separated by tabs, commas or semicolons. Returns the result of
/// each row as JSON: a [`Report`], or `{"problem"}` if the text is not such a table.
///
/// ```
/// let report = matterbook_example_browser::check("First Name\tZip\nAna\t2134");
/// assert!(report.contains(r#""to":"02134""#));
/// ```
#[wasm_bindgen]
#[must_use]
pub fn check(text: &str) -> String {
    let answer = match Table::read(text).and_then(|table| report(&table)) {
        Ok(report) => serde_json::to_string(&report),
        Err(problem) => serde_json::to_string(&BTreeMap::from([("problem", problem)])),
    };
    // Texts and numbers always serialize to JSON.
    answer.unwrap_or_default()
}

/// The results of a table.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The columns in their order, each with its field.
    columns: Vec<Column>,
    /// The rows in their order.
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Column {
    name: String,
    field: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Row {
    /// `new`, `same`, `conflict` or `error`.
    status: &'static str,
    /// For `same`: the number of the row with the same client, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<usize>,
    /// For `conflict` and `error`: what to fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    from: String,
    /// The stored value, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The results of a table, or a sentence for the user if no row can be read.
fn report(table: &Table) -> Result<Report, String> {
    let fields: Vec<Option<Field>> = fields_of(&table.columns);
    if fields.iter().all(Option::is_none) {
        return Err("The first line names no column that is known here. Paste the line with the names of the columns \
                    too, such as First Name, Last Name, Address and ZIP."
            .to_owned());
    }
    let columns = table.columns.iter().zip(&fields);
    let columns = columns.map(|(name, field)| Column { name: name.clone(), field: field.map(Field::name) }).collect();
    let results = results(table, &fields);
    let mut first_rows = BTreeMap::new();
    let rows = (1..).zip(table.rows.iter().zip(results)).map(|(number, (cells, outcome))| {
        let (status, same_as, message) = match outcome {
            UpsertResult::Created(id) => {
                first_rows.insert(id, number);
                ("new", None, None)
            }
            UpsertResult::Updated(id) => ("same", first_rows.get(&id).copied(), None),
            UpsertResult::Conflict(conflict) => ("conflict", None, Some(conflict.to_string())),
            UpsertResult::Invalid(error) => ("error", None, Some(error.to_string())),
            UpsertResult::Nameless { .. } => {
                ("error", None, Some("A new client needs first_name or last_name.".to_owned()))
            }
        };
        let cells = cells.iter().zip(&fields).map(|(text, field)| cell(text, *field)).collect();
        Row { status, same_as, message, cells }
    });
    Ok(Report { columns, rows: rows.collect() })
}

/// Decides the rows as one batch of an empty account, so duplicates within the table match like stored
/// clients.
fn results(table: &Table, fields: &[Option<Field>]) -> Vec<UpsertResult> {
    let client = |cells: &Vec<String>| {
        let values = fields.iter().zip(cells).filter_map(|(field, text)| Some(((*field)?.name(), text)));
        let object = serde_json::to_string(&values.collect::<BTreeMap<_, _>>()).unwrap_or_default();
        parse_client(&object)
    };
    // Ids only distinguish the rows here, so any time and any bytes will do.
    let mint = IdMint::new(Timestamp::default(), [0; 10]);
    Batch::new(Uuid::nil(), table.rows.iter().map(client).collect(), mint, false).decide(Known::default()).results
}

fn cell(text: &str, field: Option<Field>) -> Cell {
    let value = FieldValue::from(text);
    let problem = field.and_then(|field| stored_value(field, &value).err()).map(|problem| problem.to_string());
    let to = field.and_then(|field| repair(field, &value)).map(|repair| repair.to.to_string());
    Cell { from: text.to_owned(), to, problem }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check_rows(text: &str) -> Value {
        serde_json::from_str::<Value>(&check(text)).unwrap()["rows"].take()
    }

    #[test]
    fn a_row_is_repaired_cell_by_cell() {
        let rows = check_rows("Client Name (Last)\tlast name\tZIP code\n\tLi\t2134\n");
        assert_eq!(rows[0]["status"], "new");
        assert_eq!(rows[0]["cells"], json!([{"from": ""}, {"from": "Li"}, {"from": "2134", "to": "02134"}]));
    }

    #[test]
    fn who_comes_again_is_the_client_of_the_first_row() {
        let text = "first name,last name,address,zip\nAna,Li,1 Oak Street,02134\nBo,Li,1 Oak Street,02134\nANA,LI,1 Oak St.,2134\n";
        let rows = check_rows(text);
        assert_eq!([&rows[0]["status"], &rows[1]["status"]], ["new", "new"]);
        assert_eq!((&rows[2]["status"], &rows[2]["same_as"]), (&json!("same"), &json!(1)));
    }

    #[test]
    fn what_is_wrong_is_said_of_the_row_and_the_cell() {
        let rows = check_rows("last name;state;zip\nLi;Narnia;123\n;MA;02134\n");
        assert_eq!(rows[0]["status"], "error");
        assert!(rows[0]["message"].as_str().unwrap().starts_with("state must be"), "{rows}");
        assert!(rows[0]["cells"][2]["problem"].as_str().unwrap().starts_with("must have 5 or 9 digits"), "{rows}");
        assert_eq!(rows[1]["message"], "A new client needs first_name or last_name.");
    }

    #[test]
    fn rows_without_the_line_of_names_are_refused_in_words() {
        let answer: Value = serde_json::from_str(&check("Ana\tLi\t02134\nBo\tReed\t02134\n")).unwrap();
        let problem = answer["problem"].as_str().unwrap();
        assert!(problem.starts_with("The first line names no column that is known here."), "{problem}");
    }

    #[test]
    fn a_conflict_is_told() {
        let text = "last name\tid\nLi\t\nLi\t\n";
        assert_eq!(check_rows(text)[1]["status"], "conflict");
    }
}
