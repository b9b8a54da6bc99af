//! Normalizes one row of a spreadsheet and shows the problem of each invalid value.
//!
//! `cargo run -p matterbook-rules --example normalize_row`

use matterbook_rules::{
    client::{repair, stored_value},
    normalize::{Field, FieldValue},
};

/// A row of an export, by the names of its columns.
const ROW: [(&str, &str); 8] = [
    ("first_name", " Ana "),
    ("last_name", "Specimenez"),
    ("state", "illinois"),
    ("zip", "2134"),
    ("email", "Ana@EXAMPLE.com"),
    ("phone", "(217) 555-0134 ext. 9"),
    ("opened_on", "31/12/2026"),
    ("do_not_mail", "Yes"),
];

fn main() {
    println!("{}", describe(&ROW));
}

/// One line for each value.
fn describe(row: &[(&str, &str)]) -> String {
    let line = |(column, written): &(&str, &str)| {
        let Some(field) = Field::from_name(column) else { return format!("{column} is no field of a client") };
        let value = FieldValue::from(*written);
        match (stored_value(field, &value), repair(field, &value)) {
            (Err(problem), _) => format!("{column} {problem}"),
            (Ok(None), _) => format!("{column} is not given"),
            (Ok(Some(kept)), None) => format!("{column} is kept as it is: {kept}"),
            (Ok(Some(kept)), Some(repair)) => format!("{column}: \"{}\" becomes {kept}", repair.from),
        }
    };
    row.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_value_is_kept_repaired_or_refused() {
    let expected = r#"first_name: " Ana " becomes Ana
last_name is kept as it is: Specimenez
state: "illinois" becomes IL
zip: "2134" becomes 02134
email: "Ana@EXAMPLE.com" becomes Ana@example.com
phone: "(217) 555-0134 ext. 9" becomes +12175550134
opened_on must have a month from 1 to 12; in MM/DD/YYYY the month comes first
do_not_mail: "Yes" becomes true"#;
    assert_eq!(describe(&ROW), expected);
    assert_eq!(describe(&[("shoe_size", "9"), ("city", " ")]), "shoe_size is no field of a client\ncity is not given");
}
