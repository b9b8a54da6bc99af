//! A record as a row of a table.

use serde_json::{Map, Value};

use super::Listing;

/// The names of a client, in the order of `GET /clients` (design section 3). Those that a client can be
/// sent with are the names of `POST /clients`, so what was pulled can be pushed.
const CLIENT: [&str; 17] = [
    "id",
    "external_id",
    "first_name",
    "last_name",
    "address_line1",
    "address_line2",
    "city",
    "state",
    "zip",
    "email",
    "phone",
    "case_type",
    "opened_on",
    "settled_on",
    "do_not_mail",
    "created_at",
    "updated_at",
];

/// The names of a prospect, in the order of `GET /prospects`; the vehicle's as the operator's import has
/// them. `email` and `phone` are empty without contact enrichment, so that the columns stay the same.
const PROSPECT: [&str; 29] = [
    "id",
    "lead_type",
    "source",
    "first_name",
    "last_name",
    "address_line1",
    "address_line2",
    "city",
    "state",
    "zip",
    "person_type",
    "injury_severity",
    "transported",
    "crash_date",
    "crash_time",
    "crash_city",
    "crash_state",
    "crash_county",
    "crash_county_fips",
    "crash_report_number",
    "manner_of_collision",
    "vehicle_year",
    "vehicle_make",
    "vehicle_model",
    "vehicle_towed",
    "hit_and_run",
    "email",
    "phone",
    "added_at",
];

/// The names of a listing's columns.
pub(super) const fn columns(listing: Listing) -> &'static [&'static str] {
    match listing {
        Listing::Clients => &CLIENT,
        Listing::Prospects => &PROSPECT,
    }
}

/// The cells of a record, one for each column. What is not known is empty.
pub(super) fn cells(listing: Listing, record: &Map<String, Value>) -> Vec<String> {
    let value = |name: &str| match record.get(name) {
        Some(value) => Some(value),
        None => name.strip_prefix("vehicle_").and_then(|part| record.get("vehicle")?.get(part)),
    };
    columns(listing).iter().map(|name| value(name).map_or_else(String::new, text)).collect()
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
        let cells = cells(Listing::Prospects, record.as_object().unwrap());
        let named: Vec<(&str, &str)> = columns(Listing::Prospects)
            .iter()
            .copied()
            .zip(cells.iter().map(String::as_str))
            .filter(|(_, cell)| !cell.is_empty())
            .collect();
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
