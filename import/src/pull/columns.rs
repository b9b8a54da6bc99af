//! Writes a record as a row of a table.

use matterbook_core::{client, prospect::IMPORT_FIELDS};
use serde_json::{Map, Value};

use super::Listing;

/// The columns before those of an imported prospect.
const BEFORE: [&str; 3] = ["id", "lead_type", "source"];
/// The columns after those. `email` and `phone` are always present, and empty without contact enrichment, so
/// that the columns do not change.
const BEHIND: [&str; 3] = ["email", "phone", "added_at"];

/// The columns of a listing, in the order of the response's members. A client's columns have the names of
/// `POST /clients`, so pulled rows can be pushed. A vehicle's have the names of the operator's import.
pub(super) fn columns(listing: Listing) -> Vec<&'static str> {
    match listing {
        Listing::Clients => client::MEMBERS.to_vec(),
        Listing::Prospects => {
            let imported = IMPORT_FIELDS.into_iter().filter(|name| *name != "source_id" && !BEHIND.contains(name));
            BEFORE.into_iter().chain(imported).chain(BEHIND).collect()
        }
    }
}

/// The cells of a record, one per column; unknown values are empty.
pub(super) fn cells(columns: &[&str], record: &Map<String, Value>) -> Vec<String> {
    let value = |name: &str| match record.get(name) {
        Some(value) => Some(value),
        None => name.strip_prefix("vehicle_").and_then(|part| record.get("vehicle")?.get(part)),
    };
    columns.iter().map(|name| value(name).map_or_else(String::new, text)).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_vehicle_is_flat_and_what_is_unknown_is_empty() {
        let record = json!({
            "id": "1", "last_name": "Sample, \"Jr\"", "transported": null, "hit_and_run": false,
            "vehicle": {"year": 2019, "make": "Toyota", "model": null}, "vehicle_towed": true,
        });
        let columns = columns(Listing::Prospects);
        let cells = cells(&columns, record.as_object().unwrap());
        let named: Vec<(&str, &str)> =
            columns.into_iter().zip(cells.iter().map(String::as_str)).filter(|(_, cell)| !cell.is_empty()).collect();
        let expected = [
            ("id", "1"),
            ("last_name", "Sample, \"Jr\""),
            ("vehicle_year", "2019"),
            ("vehicle_make", "Toyota"),
            ("vehicle_towed", "true"),
            ("hit_and_run", "false"),
        ];
        assert_eq!(named, expected);
    }
}
