//! Made-up people in made-up crashes, the same on each run, with names that no real person has.

use matterbook_core::time::Timestamp;
use serde_json::{Value, json};

/// A county that the demo's account can see.
pub(super) struct County {
    /// Its FIPS code.
    pub(super) fips: &'static str,
    name: &'static str,
    state: &'static str,
    city: &'static str,
    zip: &'static str,
}

/// The counties of the crashes; all are granted.
pub(super) const COUNTIES: [County; 5] = [
    County { fips: "06037", name: "Los Angeles", state: "CA", city: "Los Angeles", zip: "90001" },
    County { fips: "17031", name: "Cook", state: "IL", city: "Chicago", zip: "60601" },
    County { fips: "48201", name: "Harris", state: "TX", city: "Houston", zip: "77002" },
    County { fips: "04013", name: "Maricopa", state: "AZ", city: "Phoenix", zip: "85003" },
    County { fips: "25025", name: "Suffolk", state: "MA", city: "Boston", zip: "02108" },
];

const FIRST_NAMES: [&str; 12] =
    ["Alpha", "Bravo", "Delta", "Echo", "Foxtrot", "Juliett", "Kilo", "Lima", "Oscar", "Romeo", "Sierra", "Victor"];
const LAST_NAMES: [&str; 11] = [
    "Sampleton",
    "Demowitz",
    "Examplari",
    "Testerson",
    "Mockingham",
    "Placeholder",
    "Fabricato",
    "Specimenez",
    "Dummett-Demo",
    "Notareal",
    "Invention",
];
const STREETS: [&str; 7] =
    ["Sample St", "Demo Ave", "Example Blvd", "N Placeholder Rd", "Mock Ln", "Invention Way", "Specimen Ct"];
const PERSON_TYPES: [&str; 5] = ["driver", "driver", "passenger", "pedestrian", "bicyclist"];
const INJURY_SEVERITIES: [&str; 6] =
    ["suspected_minor", "possible", "none", "suspected_serious", "unknown", "possible"];
const COLLISIONS: [&str; 4] = ["Front to rear", "Angle", "Sideswipe, same direction", "Front to front"];
const VEHICLES: [(&str, &str); 4] =
    [("Samplemobile", "Sedan"), ("Demo Motors", "Pickup"), ("Exemplar", "Hatchback"), ("Mockwagen", "Van")];

const DAY_SECONDS: i64 = 86_400;

/// The made-up person with this number, whose crash was added at `added`.
pub(super) fn prospect(number: usize, added: Timestamp) -> Value {
    let county = pick(&COUNTIES, number);
    let (make, model) = pick(&VEHICLES, number / 2);
    let crash = added.plus_seconds(-DAY_SECONDS * i64::try_from(1 + number % 6).unwrap_or(1));
    let first_name = pick(&FIRST_NAMES, number);
    let last_name = pick(&LAST_NAMES, number);
    json!({
        "source_id": format!("demo-{number:04}"),
        "first_name": first_name,
        "last_name": last_name,
        "address_line1": format!("{} {}", 100 + number * 7, pick(&STREETS, number)),
        "city": county.city,
        "state": county.state,
        "zip": county.zip,
        "email": format!("{first_name}.{number}@example.com").to_ascii_lowercase(),
        // 555-0100 to 555-0199 are reserved for fictional use.
        "phone": format!("(202) 555-01{:02}", number % 100),
        "person_type": pick(&PERSON_TYPES, number),
        "injury_severity": pick(&INJURY_SEVERITIES, number / 5),
        "transported": number.is_multiple_of(3),
        "crash_date": date(crash),
        "crash_time": format!("{:02}:{:02}", number % 24, number * 7 % 60),
        "crash_city": county.city,
        "crash_state": county.state,
        "crash_county": county.name,
        "crash_county_fips": county.fips,
        "crash_report_number": format!("DEMO-{number:06}"),
        "manner_of_collision": pick(&COLLISIONS, number / 3),
        "vehicle_year": 2005 + number % 20,
        "vehicle_make": make,
        "vehicle_model": model,
        "vehicle_towed": number.is_multiple_of(4),
        "hit_and_run": number.is_multiple_of(17),
    })
}

/// The date of a time, in UTC: `2026-01-31`.
pub(super) fn date(time: Timestamp) -> String {
    time.to_string().chars().take(10).collect()
}

fn pick<T>(choices: &[T], number: usize) -> &T {
    &choices[number % choices.len()]
}
