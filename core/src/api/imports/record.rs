//! An import in JSON (rule G30).

use uuid::Uuid;

use super::super::{
    error::ApiError,
    json_body::{self, malformed},
};
use crate::{
    json::{Malformed, Scanner, push_optional_text, push_text},
    normalize::FieldValue,
    store::{ImportRecord, NewImport},
    time::Timestamp,
};

/// The most rows of a file.
pub const IMPORT_ROWS_MAX: u32 = 10_000_000;

/// The most characters of a file's name.
const FILE_NAME_MAX: usize = 255;

/// Reads what the page says of a file.
pub(super) fn read(text: &str, id: Uuid) -> Result<NewImport, ApiError> {
    let mut import =
        NewImport { id, file_name: String::new(), digest: String::new(), rows: 0, mapping: "{}".to_owned() };
    let mut scanner = json_body::object(text)?;
    let read_member = |scanner: &mut Scanner<'_>, member: &str| {
        match member {
            "mapping" => match read_mapping(scanner)? {
                Some(mapping) => import.mapping = mapping,
                None => import.mapping.clear(),
            },
            "file_name" | "digest" | "rows" => match (member, scanner.value()?) {
                ("file_name", FieldValue::Text(text)) => import.file_name = text.trim().to_owned(),
                ("digest", FieldValue::Text(text)) => import.digest = text.into_owned(),
                ("rows", FieldValue::Number(number)) => import.rows = number.parse().unwrap_or_default(),
                _ => {}
            },
            _ => scanner.skip()?,
        }
        Ok(())
    };
    json_body::go_through(&mut scanner, read_member).map_err(|Malformed| malformed())?;
    let invalid = |sentence: &'static str| Err(ApiError::invalid(sentence));
    if import.file_name.is_empty()
        || import.file_name.chars().count() > FILE_NAME_MAX
        || import.file_name.chars().any(char::is_control)
    {
        return invalid("file_name must be the name of a file, of up to 255 characters.");
    }
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if import.digest.len() != 64 || !import.digest.bytes().all(is_digit) {
        return invalid("digest must be the SHA-256 of the file as 64 hexadecimal digits.");
    }
    if !(1..=IMPORT_ROWS_MAX).contains(&import.rows) {
        return invalid("rows must be a whole number from 1 to 10000000.");
    }
    if import.mapping.is_empty() {
        return invalid("mapping must be an object whose values are names of fields.");
    }
    Ok(import)
}

/// The members of the mapping as JSON, in their order; `None` where one is no text.
fn read_mapping(scanner: &mut Scanner<'_>) -> Result<Option<String>, Malformed> {
    if scanner.peek() != Some(b'{') {
        return scanner.skip().map(|()| None);
    }
    let (mut json, mut is_mapping) = ("{".to_owned(), true);
    scanner.object(|scanner, name| {
        match (name.value(), scanner.value()?) {
            (FieldValue::Text(column), FieldValue::Text(field)) => {
                if json.len() > 1 {
                    json.push(',');
                }
                push_text(&mut json, &column);
                json.push(':');
                push_text(&mut json, &field);
            }
            _ => is_mapping = false,
        }
        Ok(())
    })?;
    json.push('}');
    Ok(Some(json).filter(|_| is_mapping))
}

/// An import as JSON.
pub(super) fn json(import: &ImportRecord) -> String {
    let ImportRecord { id, email, file_name, digest, rows, mapping, sent_rows, counts, started_at, ended_at } = import;
    let mut json = format!("{{\"import\":{{\"id\":\"{id}\",\"email\":");
    push_optional_text(&mut json, email.as_deref());
    json.push_str(",\"file_name\":");
    push_text(&mut json, file_name);
    json.push_str(",\"digest\":");
    push_text(&mut json, digest);
    let numbers = [
        ("rows", *rows),
        ("sent_rows", *sent_rows),
        ("created", counts.created),
        ("updated", counts.updated),
        ("unchanged", counts.unchanged),
        ("refused", counts.refused),
    ];
    numbers.iter().for_each(|(name, number)| json.push_str(&format!(",\"{name}\":{number}")));
    json.push_str(&format!(",\"started_at\":\"{started_at}\",\"ended_at\":"));
    push_optional_text(&mut json, ended_at.as_ref().map(Timestamp::to_string).as_deref());
    json.push_str(",\"mapping\":");
    // It was written by `read`.
    json.push_str(mapping);
    json.push_str("}}");
    json
}

/// The mappings of imports, the newest first, each set of columns once.
pub(super) fn mappings(imports: &[ImportRecord]) -> String {
    let mut seen = Vec::new();
    let mut json = "{\"mappings\":[".to_owned();
    for mapping in imports.iter().map(|import| import.mapping.as_str()) {
        let columns = columns(mapping);
        if columns.is_empty() || seen.contains(&columns) {
            continue;
        }
        json.push_str(if seen.is_empty() { "{\"columns\":[" } else { ",{\"columns\":[" });
        for (place, column) in columns.iter().enumerate() {
            json.push_str(if place > 0 { "," } else { "" });
            push_text(&mut json, column);
        }
        json.push_str("],\"mapping\":");
        json.push_str(mapping);
        json.push('}');
        seen.push(columns);
    }
    json.push_str("]}");
    json
}

/// The columns of a mapping.
fn columns(mapping: &str) -> Vec<String> {
    let mut columns = Vec::new();
    // It was written by `read`.
    let _ = Scanner::of_object(mapping).map(|mut scanner| {
        scanner.object(|scanner, name| {
            if let FieldValue::Text(column) = name.value() {
                columns.push(column.into_owned());
            }
            scanner.skip()
        })
    });
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn a_mapping_keeps_the_order_of_its_columns() {
        let text = format!(
            r#"{{"file_name":" list.csv ","digest":"{DIGEST}","rows":3,"mapping":{{"Z":"zip","A \"x\"":"","b":"email"}}}}"#
        );
        let import = read(&text, Uuid::nil()).unwrap();
        assert_eq!((import.file_name.as_str(), import.rows), ("list.csv", 3));
        assert_eq!(import.mapping, r#"{"Z":"zip","A \"x\"":"","b":"email"}"#);
        assert_eq!(columns(&import.mapping), ["Z", "A \"x\"", "b"]);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let valid = format!(r#"{{"file_name":"a.csv","digest":"{DIGEST}","rows":3,"mapping":{{}}}}"#);
        assert!(read(&valid, Uuid::nil()).is_ok());
        for (from, to) in [
            ("\"a.csv\"", "\" \""),
            ("\"a.csv\"", "7"),
            ("\"a.csv\"", "\"a\\u0007\""),
            (DIGEST, "abc"),
            (":3", ":0"),
            (":3", ":10000001"),
            (":3", ":-1"),
            (":3", ":\"3\""),
            ("{}", "[]"),
            ("{}", "{\"a\":1}"),
            ("{}", "{"),
        ] {
            assert!(read(&valid.replace(from, to), Uuid::nil()).is_err(), "{to}");
        }
    }

    #[test]
    fn each_set_of_columns_is_told_once() {
        let import = |mapping: &str| ImportRecord {
            id: Uuid::nil(),
            email: None,
            file_name: "a".to_owned(),
            digest: DIGEST.to_owned(),
            rows: 1,
            mapping: mapping.to_owned(),
            sent_rows: 0,
            counts: crate::store::ImportCounts::default(),
            started_at: Timestamp::default(),
            ended_at: None,
        };
        let imports = [r#"{"a":"zip"}"#, r#"{"a":"email"}"#, "{}", r#"{"b":""}"#].map(import);
        let expected = r#"{"mappings":[{"columns":["a"],"mapping":{"a":"zip"}},{"columns":["b"],"mapping":{"b":""}}]}"#;
        assert_eq!(mappings(&imports), expected);
    }
}
