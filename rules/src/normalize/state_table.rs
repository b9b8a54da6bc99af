//! The 62 USPS codes and their names (USPS Publication 28, Appendix B).

/// The codes, sorted: states, the District of Columbia, territories, freely associated states and
/// the three military "states".
pub const CODES: [&str; 62] = [
    "AA", "AE", "AK", "AL", "AP", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "FM", "GA", "GU", "HI", "IA",
    "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MH", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE",
    "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "PW", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI",
    "VT", "WA", "WI", "WV", "WY",
];

/// Names, aliases and traditional abbreviations, sorted, each with its code: in capitals, without
/// dots and apostrophes, initials joined. A name that has the form of its code is not listed.
pub(crate) static NAMES: [(&str, &str); 137] = [
    ("ALA", "AL"),
    ("ALABAMA", "AL"),
    ("ALAS", "AK"),
    ("ALASKA", "AK"),
    ("AMERICAN SAMOA", "AS"),
    ("ARIZ", "AZ"),
    ("ARIZONA", "AZ"),
    ("ARK", "AR"),
    ("ARKANSAS", "AR"),
    ("ARMED FORCES AFRICA", "AE"),
    ("ARMED FORCES AMERICAS", "AA"),
    ("ARMED FORCES AMERICAS (EXCEPT CANADA)", "AA"),
    ("ARMED FORCES CANADA", "AE"),
    ("ARMED FORCES EUROPE", "AE"),
    ("ARMED FORCES EUROPE, MIDDLE EAST, AFRICA AND CANADA", "AE"),
    ("ARMED FORCES EUROPE, THE MIDDLE EAST, AND CANADA", "AE"),
    ("ARMED FORCES MIDDLE EAST", "AE"),
    ("ARMED FORCES PACIFIC", "AP"),
    ("ARMED FORCES THE AMERICAS", "AA"),
    ("CAL", "CA"),
    ("CALIF", "CA"),
    ("CALIFORNIA", "CA"),
    ("CNMI", "MP"),
    ("COLO", "CO"),
    ("COLORADO", "CO"),
    ("COMMONWEALTH OF KENTUCKY", "KY"),
    ("COMMONWEALTH OF MASSACHUSETTS", "MA"),
    ("COMMONWEALTH OF PENNSYLVANIA", "PA"),
    ("COMMONWEALTH OF PUERTO RICO", "PR"),
    ("COMMONWEALTH OF THE NORTHERN MARIANA ISLANDS", "MP"),
    ("COMMONWEALTH OF VIRGINIA", "VA"),
    ("CONN", "CT"),
    ("CONNECTICUT", "CT"),
    ("DEL", "DE"),
    ("DELAWARE", "DE"),
    ("DIST OF COLUMBIA", "DC"),
    ("DISTRICT OF COLUMBIA", "DC"),
    ("FEDERATED STATES OF MICRONESIA", "FM"),
    ("FLA", "FL"),
    ("FLORIDA", "FL"),
    ("GEORGIA", "GA"),
    ("GUAM", "GU"),
    ("HAWAII", "HI"),
    ("IDA", "ID"),
    ("IDAHO", "ID"),
    ("ILL", "IL"),
    ("ILLINOIS", "IL"),
    ("IND", "IN"),
    ("INDIANA", "IN"),
    ("IOWA", "IA"),
    ("KAN", "KS"),
    ("KANS", "KS"),
    ("KANSAS", "KS"),
    ("KEN", "KY"),
    ("KENTUCKY", "KY"),
    ("LOUISIANA", "LA"),
    ("MAINE", "ME"),
    ("MARSHALL ISLANDS", "MH"),
    ("MARYLAND", "MD"),
    ("MASS", "MA"),
    ("MASSACHUSETTS", "MA"),
    ("MICH", "MI"),
    ("MICHIGAN", "MI"),
    ("MICRONESIA", "FM"),
    ("MINN", "MN"),
    ("MINNESOTA", "MN"),
    ("MISS", "MS"),
    ("MISSISSIPPI", "MS"),
    ("MISSOURI", "MO"),
    ("MONT", "MT"),
    ("MONTANA", "MT"),
    ("N CAR", "NC"),
    ("N CAROLINA", "NC"),
    ("N DAK", "ND"),
    ("N DAKOTA", "ND"),
    ("N MARIANA ISLANDS", "MP"),
    ("N MEX", "NM"),
    ("NEB", "NE"),
    ("NEBR", "NE"),
    ("NEBRASKA", "NE"),
    ("NEV", "NV"),
    ("NEVADA", "NV"),
    ("NEW HAMPSHIRE", "NH"),
    ("NEW JERSEY", "NJ"),
    ("NEW MEXICO", "NM"),
    ("NEW YORK", "NY"),
    ("NEW YORK STATE", "NY"),
    ("NORTH CAROLINA", "NC"),
    ("NORTH DAKOTA", "ND"),
    ("NORTHERN MARIANA ISLANDS", "MP"),
    ("OHIO", "OH"),
    ("OKLA", "OK"),
    ("OKLAHOMA", "OK"),
    ("ORE", "OR"),
    ("OREG", "OR"),
    ("OREGON", "OR"),
    ("PALAU", "PW"),
    ("PENN", "PA"),
    ("PENNA", "PA"),
    ("PENNSYLVANIA", "PA"),
    ("PUERTO RICO", "PR"),
    ("REPUBLIC OF PALAU", "PW"),
    ("REPUBLIC OF THE MARSHALL ISLANDS", "MH"),
    ("RHODE ISLAND", "RI"),
    ("RHODE ISLAND AND PROVIDENCE PLANTATIONS", "RI"),
    ("S CAR", "SC"),
    ("S CAROLINA", "SC"),
    ("S DAK", "SD"),
    ("S DAKOTA", "SD"),
    ("SOUTH CAROLINA", "SC"),
    ("SOUTH DAKOTA", "SD"),
    ("TENN", "TN"),
    ("TENNESSEE", "TN"),
    ("TERRITORY OF GUAM", "GU"),
    ("TEX", "TX"),
    ("TEXAS", "TX"),
    ("UNITED STATES VIRGIN ISLANDS", "VI"),
    ("US VIRGIN ISLANDS", "VI"),
    ("USVI", "VI"),
    ("UTAH", "UT"),
    ("VERMONT", "VT"),
    ("VIRGIN ISLANDS", "VI"),
    ("VIRGINIA", "VA"),
    ("W VA", "WV"),
    ("W VIRGINIA", "WV"),
    ("WASH", "WA"),
    ("WASHINGTON", "WA"),
    ("WASHINGTON DC", "DC"),
    ("WASHINGTON STATE", "WA"),
    ("WASHINGTON, DC", "DC"),
    ("WEST VIRGINIA", "WV"),
    ("WIS", "WI"),
    ("WISC", "WI"),
    ("WISCONSIN", "WI"),
    ("WVA", "WV"),
    ("WYO", "WY"),
    ("WYOMING", "WY"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::normalize::{FieldValue, state};

    #[test]
    fn the_tables_are_the_published_ones() {
        let published: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/data/usps/us_states.json")).unwrap();
        let mut codes = BTreeSet::new();
        for entry in published["states"].as_array().unwrap() {
            let code = entry["code"].as_str().unwrap();
            codes.insert(code);
            let names =
                [&entry["aliases"], &entry["traditional"]].into_iter().flat_map(|list| list.as_array().unwrap());
            for name in names.chain([&entry["code"], &entry["name"]]).map(|name| name.as_str().unwrap()) {
                for written in [name.to_owned(), name.to_ascii_uppercase(), format!(" {} ", name.to_ascii_lowercase())]
                {
                    assert_eq!(state(&FieldValue::from(written.as_str())), Ok(Some(code.into())), "{written}");
                }
            }
        }
        assert!(codes.iter().eq(CODES.iter()));
        for code in published["not_usps_codes"].as_object().unwrap().keys() {
            assert!(state(&FieldValue::from(code.as_str())).is_err(), "{code}");
        }
    }
}
