//! Responses as aligned text, for people.

use serde_json::Value;

use crate::visible::visible;

/// One line per member: its name, then its value.
pub(super) fn record(object: &Value, members: &[&str]) -> String {
    let lines: Vec<Vec<String>> =
        members.iter().map(|member| vec![(*member).to_owned(), text(&object[*member])]).collect();
    aligned(&lines)
}

/// One line per row below a header line; `none` without rows.
pub(super) fn table(rows: &[Value], members: &[&str]) -> String {
    if rows.is_empty() {
        return "none\n".to_owned();
    }
    let names = members.iter().map(|member| (*member).to_owned()).collect();
    let values = rows.iter().map(|row| members.iter().map(|member| text(&row[*member])).collect());
    aligned(&std::iter::once(names).chain(values).collect::<Vec<Vec<String>>>())
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        // A line break would break the columns.
        Value::String(text) => visible(text),
        other => other.to_string(),
    }
}

fn aligned(lines: &[Vec<String>]) -> String {
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    lines
        .iter()
        .map(|line| {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}  "));
            cells.collect::<String>().trim_end().to_owned() + "\n"
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [json!({"id": "1", "email": "josé@example.com"}), json!({"id": "22", "email": null})];
        assert_eq!(table(&rows, &["email", "id"]), "email             id\njosé@example.com  1\n-                 22\n");
        assert_eq!(record(&json!({"id": 7, "is_on": true}), &["id", "is_on"]), "id     7\nis_on  yes\n");
        assert_eq!(table(&[], &["id"]), "none\n");
    }
}
