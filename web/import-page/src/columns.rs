//! The columns of a file, what each is used as, and examples of its values.

use matterbook_core::normalize::Field;
use matterbook_import::{
    mapping::{Mapping, Use},
    records::{FileKind, Original, Record, Records},
};
use serde_json::{Value, json};

use crate::words::{choices, label, plain};

/// How many rows are read for examples.
const EXAMPLE_ROWS: usize = 20;
/// How many different values of a column are shown, and how long.
const EXAMPLES: usize = 3;
const EXAMPLE_LENGTH: usize = 40;

/// `{"kind","sheet","other_sheets","titles","columns":[{"header","field","label","note","is_used","examples"}],
/// "warnings","choices"}` of a file whose first rows are read.
pub(crate) fn columns(records: &mut Records) -> Value {
    let rows: Vec<Record> = records.by_ref().take(EXAMPLE_ROWS).filter_map(Result::ok).collect();
    let columns = records.mapping().columns().iter().enumerate();
    let columns: Vec<Value> = columns
        .map(|(place, column)| {
            let target = column.used_as.target();
            json!({
                "header": column.header,
                "field": target.map(|target| target.name()),
                "label": target.map(label),
                "note": note(&column.used_as),
                "is_used": target.is_some(),
                "examples": examples(&rows, place),
            })
        })
        .collect();
    let sheet = records.sheet();
    json!({
        "kind": if records.kind() == FileKind::Workbook { "workbook" } else { "text" },
        "sheet": sheet.map(|sheet| sheet.name.as_str()),
        "other_sheets": sheet.map(|sheet| sheet.others.clone()).unwrap_or_default(),
        "titles": records.titles(),
        "columns": columns,
        "warnings": warnings(records.mapping()),
        "choices": choices().map(|choice| json!(choice)).collect::<Vec<_>>(),
    })
}

fn note(used_as: &Use) -> String {
    match used_as {
        // The choice next to it says so.
        Use::LeftOut => String::new(),
        Use::Beaten(target, better) => format!("{} is the column \"{better}\"", label(*target)),
        _ => plain(&used_as.note(|header| format!("\"{header}\""))),
    }
}

fn examples(rows: &[Record], place: usize) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for row in rows {
        let Original::Cells(cells) = &row.original else { continue };
        let text = cells.get(place).map_or("", |cell| cell.trim());
        let text: String = text.chars().take(EXAMPLE_LENGTH).collect();
        if !text.is_empty() && !examples.contains(&text) && examples.len() < EXAMPLES {
            examples.push(text);
        }
    }
    examples
}

/// What a person should know of the columns before anything else.
fn warnings(mapping: &Mapping) -> Vec<String> {
    let mut warnings = Vec::new();
    if !mapping.has_name() {
        warnings.push(
            "No column is a first or last name. Choose one, or each row is taken only where a client with its number is \
             saved already."
                .to_owned(),
        );
    }
    if mapping.advice().is_some() {
        let missing = [Field::AddressLine1, Field::Zip, Field::ExternalId];
        let missing = missing.into_iter().filter(|field| !mapping.fills(*field));
        let labels: Vec<&str> = missing.map(|field| label(matterbook_import::mapping::Target::Field(field))).collect();
        warnings.push(format!(
            "Two people of one name cannot be told apart in this file. If it has such columns, choose them: {}.",
            labels.join(" / ")
        ));
    }
    warnings
}
