//! Made-up clients as firms send them: states as names or codes, ZIPs without their leading zero, phones and
//! dates in several forms, blanks. The same index always makes the same client.
//!
//! Most rows of the comparison need the result of each client, so their bodies contain no duplicates
//! ([`body`]). [`sync_body`] is a nightly sync: three clients in ten exist already and come in another form,
//! some without their external id.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Clients of one body.
pub const BATCH_ROWS: usize = 500;

const FIRST_NAMES: [&str; 30] = [
    "Ana",
    "Bob",
    "Carla",
    "Daniel",
    "Elena",
    "Frank",
    "Grace",
    "Hector",
    "Irene",
    "Jamal",
    "Kim",
    "Luis",
    "Maya",
    "Noah",
    "Olga",
    "Peter",
    "Quinn",
    "Rosa",
    "Samuel",
    "Tamika",
    "Umar",
    "Vera",
    "Wendy",
    "Xavier",
    "Yolanda",
    "Zachary",
    "José",
    "Mary Ann",
    "Anne-Marie",
    "D'Angelo",
];
const LAST_NAMES: [&str; 20] = [
    "Specimenez",
    "Sampleton",
    "Demowitz",
    "Fixturelli",
    "Mockingham",
    "Testarossa",
    "Placeholder",
    "Examplewood",
    "Trialson",
    "Prototypo",
    "Dummond",
    "O’Sample",
    "Van Testing",
    "Mustermann",
    "Draftsmith",
    "Stubbs-Mockley",
    "Exemplar Jr.",
    "Pilotsky",
    "Betancourt-Test",
    "Lorem",
];
/// Streets, each in two forms.
const STREETS: [(&str, &str); 12] = [
    ("North Main Street", "N. Main St"),
    ("Oak Ave", "Oak Avenue"),
    ("Elm St.", "ELM STREET"),
    ("Martin Luther King Jr Blvd", "Martin Luther King Jr. Boulevard"),
    ("Sample Lane", "Sample Ln"),
    ("W. Pine Street", "West Pine St"),
    ("County Road 7", "County Road 7"),
    ("Lakeview Drive", "Lakeview Dr."),
    ("Cedar Ct", "Cedar Court"),
    ("Old Mill Road", "OLD MILL RD"),
    ("Broadway", "Broadway"),
    ("Saint Charles Avenue", "Saint Charles Ave"),
];
const CASE_TYPES: [&str; 5] = ["Auto", "Slip and fall", "Workers’ compensation", "Motorcycle", "Dog bite"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A city, its state's name and code, the first digits of its ZIPs, and its area code.
const PLACES: [(&str, &str, &str, &str, &str); 12] = [
    ("Springfield", "Illinois", "IL", "627", "217"),
    ("Boston", "Massachusetts", "MA", "021", "617"),
    ("Newark", "New Jersey", "NJ", "071", "973"),
    ("Tampa", "Florida", "FL", "336", "813"),
    ("Houston", "Texas", "TX", "770", "713"),
    ("Raleigh", "North Carolina", "NC", "276", "919"),
    ("Providence", "Rhode Island", "RI", "029", "401"),
    ("Los Angeles", "California", "CA", "900", "213"),
    ("New York", "New York", "NY", "100", "212"),
    ("Hartford", "Connecticut", "CT", "061", "860"),
    ("Atlanta", "Georgia", "GA", "303", "404"),
    ("Charleston", "West Virginia", "WV", "253", "304"),
];

/// Seeds that do not collide with indexes.
const WRITINGS_FROM: usize = 1 << 40;
const REPEATS_FROM: usize = 2 << 40;

/// Of ten clients of a [`sync_body`], the positions of existing ones.
const KNOWN_OF_TEN: [usize; 3] = [2, 5, 8];

/// The form in which a client is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// As sent first.
    First,
    /// With a new phone or a new case type.
    Changed,
    /// The same person in another form.
    Repeated,
}

/// The bodies of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bodies {
    /// Clients in this form; each body has its own.
    Of(Work),
    /// Nightly syncs, with this many existing clients.
    Sync {
        /// The number of existing clients.
        known: usize,
    },
}

impl Bodies {
    /// The body with this number.
    #[must_use]
    pub fn body(self, number: usize) -> Vec<u8> {
        match self {
            Self::Of(work) => body(number, work),
            Self::Sync { known } => sync_body(number, known),
        }
    }
}

/// The body of `POST /clients` with the 500 clients of this number.
///
/// ```
/// use matterbook_bench_core::clients::{Work, body};
/// assert_eq!(body(3, Work::First), body(3, Work::First));
/// assert_ne!(body(3, Work::First), body(3, Work::Changed));
/// ```
#[must_use]
pub fn body(number: usize, work: Work) -> Vec<u8> {
    body_of((0..BATCH_ROWS).map(|row| client(number * BATCH_ROWS + row, work)))
}

/// The body of a nightly sync: 350 new clients, mixed with 150 of the first `known` ones in another form.
/// Bodies with different numbers below `known / 150` have no client in common.
#[must_use]
pub fn sync_body(number: usize, known: usize) -> Vec<u8> {
    let repeats_before = number * BATCH_ROWS * KNOWN_OF_TEN.len() / 10;
    let new_before = known + number * BATCH_ROWS - repeats_before;
    let (mut repeats, mut new) = (repeats_before.., new_before..);
    body_of((0..BATCH_ROWS).map(|row| {
        if is_known_in_sync(row) {
            client(repeats.next().unwrap_or_default() % known, Work::Repeated)
        } else {
            client(new.next().unwrap_or_default(), Work::First)
        }
    }))
}

/// Whether the client at this position of a [`sync_body`] exists already.
#[must_use]
pub fn is_known_in_sync(row: usize) -> bool {
    KNOWN_OF_TEN.contains(&(row % 10))
}

/// A body with these clients.
#[must_use]
pub fn body_of(clients: impl Iterator<Item = Value>) -> Vec<u8> {
    json!({ "clients": clients.collect::<Vec<_>>() }).to_string().into_bytes()
}

/// The client with an index.
#[must_use]
pub fn client(index: usize, work: Work) -> Value {
    let mut draw = fastrand::Rng::with_seed(index as u64);
    // The form has its own random numbers, so that the same person can be sent in another form.
    let is_repeated = work == Work::Repeated;
    let writing_seed = if is_repeated { index + REPEATS_FROM } else { index + WRITINGS_FROM };
    let mut writing = fastrand::Rng::with_seed(writing_seed as u64);
    let (city, state, code, zip_start, area_code) = pick(&mut draw, &PLACES);
    let (first, last) = (pick(&mut draw, &FIRST_NAMES), pick(&mut draw, &LAST_NAMES));
    let (street, other_street) = pick(&mut draw, &STREETS);
    // The house number makes every person unique.
    let mut street = format!("{} {}", index + 1, if is_repeated { other_street } else { street });
    if draw.usize(..4) == 0 {
        street.push_str(&format!(" Apt {}", 1 + draw.usize(..40)));
    }
    let zip = format!("{zip_start}{:02}", draw.usize(..100));
    let external_id = match (draw.usize(..8) == 0, draw.usize(..3) == 0) {
        (true, _) => Value::Null,
        _ if is_repeated && writing.usize(..3) == 0 => Value::Null,
        (false, true) => json!(1_000_000 + index),
        (false, false) => json!(format!("M-{index:07}")),
    };
    // Drawn for every work, so that the other values stay the same.
    let changes_phone = draw.bool();
    let lines = [100 + draw.usize(..50), 150 + draw.usize(..50)];
    let mut case_type = pick(&mut draw, &CASE_TYPES);
    let mut line = lines[0];
    if work == Work::Changed {
        if changes_phone {
            line = lines[1];
        } else {
            case_type = "Premises liability";
        }
    }
    let email = format!("client.{index}@{}", pick(&mut draw, &["example.com", "Example.ORG", "mail.example.net"]));
    let mut client = Map::new();
    let mut put = |name: &str, value: Value| drop(client.insert(name.to_owned(), value));
    put("external_id", external_id);
    put("first_name", json!(if writing.usize(..6) == 0 { format!(" {first}  ") } else { first.to_owned() }));
    put("last_name", json!(if is_repeated && writing.usize(..3) == 0 { last.to_uppercase() } else { last.to_owned() }));
    put("address_line1", json!(street));
    if writing.bool() {
        put("address_line2", json!(""));
    }
    put("city", json!(city));
    put("state", json!(pick(&mut writing, &[state, code, &state.to_uppercase(), &state.to_lowercase()])));
    put("zip", written_zip(&zip, &mut writing));
    if draw.usize(..3) != 0 {
        put("email", json!(email));
    }
    put("phone", written_phone(area_code, line, &mut writing));
    put("case_type", json!(case_type));
    put("opened_on", json!(written_date(2023, &mut draw, &mut writing)));
    // One case in 25 is settled.
    if draw.usize(..25) == 0 {
        put("settled_on", json!(written_date(2025, &mut draw, &mut writing)));
    }
    if draw.usize(..4) == 0 {
        put("do_not_mail", pick(&mut draw, &[json!(false), json!("no"), json!(true)]));
    }
    Value::Object(client)
}

fn written_zip(zip: &str, writing: &mut fastrand::Rng) -> Value {
    // A number loses a leading zero.
    let number: u32 = zip.parse().unwrap_or_default();
    match writing.usize(..5) {
        0 => json!(format!("{zip}-{:04}", writing.usize(..10_000))),
        1 => json!(number),
        2 => json!(format!("{number}.0")),
        _ => json!(zip),
    }
}

fn written_phone(area: &str, line: usize, writing: &mut fastrand::Rng) -> Value {
    match writing.usize(..7) {
        0 => json!(format!("({area}) 555-{line:04}")),
        1 => json!(format!("{area}.555.{line:04}")),
        2 => json!(format!("{area}-555-{line:04} ext. {}", 1 + writing.usize(..99))),
        3 => json!(format!("+1 {area} 555 {line:04}")),
        4 => json!(format!("1-{area}-555-{line:04}")),
        5 => json!(format!("{area}555{line:04}").parse::<u64>().unwrap_or_default()),
        _ => json!(format!("{area}555{line:04}")),
    }
}

fn written_date(year: usize, draw: &mut fastrand::Rng, writing: &mut fastrand::Rng) -> String {
    let (month, day) = (1 + draw.usize(..12), 1 + draw.usize(..28));
    match writing.usize(..3) {
        0 => format!("{year}-{month:02}-{day:02}"),
        1 => format!("{month}/{day}/{year}"),
        _ => format!("{} {day}, {year}", MONTHS[month - 1]),
    }
}

/// A random element of a list that is not empty.
pub fn pick<T: Clone>(random: &mut fastrand::Rng, list: &[T]) -> T {
    list[random.usize(..list.len())].clone()
}

#[cfg(test)]
mod tests {
    use matterbook_core::{client::parse_client, matching::MatchKey};

    use super::*;

    #[test]
    fn a_repeated_client_is_the_same_person_in_other_words() {
        let mut differ = 0;
        for index in 0..1_000 {
            let parsed = |work| parse_client(&client(index, work).to_string()).expect("a readable client").fields;
            let (first, again) = (parsed(Work::First), parsed(Work::Repeated));
            assert_eq!(MatchKey::of(&first), MatchKey::of(&again), "{index}");
            assert_eq!(first.phone, again.phone, "{index}");
            differ += usize::from(client(index, Work::First) != client(index, Work::Repeated));
        }
        assert!(differ > 990, "{differ} of 1,000 are written differently");
    }

    #[test]
    fn a_changed_client_differs_in_its_phone_or_its_case_type_alone() {
        for index in 0..1_000 {
            let parsed = |work| parse_client(&client(index, work).to_string()).expect("a readable client").fields;
            let (first, mut changed) = (parsed(Work::First), parsed(Work::Changed));
            assert_ne!(first, changed, "{index}");
            changed.phone.clone_from(&first.phone);
            changed.case_type.clone_from(&first.case_type);
            assert_eq!(first, changed, "{index}");
        }
    }

    #[test]
    fn three_in_ten_of_a_sync_are_known_and_bodies_share_nobody() {
        let houses = |number| {
            let body: Value = serde_json::from_slice(&sync_body(number, 5_000)).expect("JSON");
            let clients = body["clients"].as_array().expect("clients").clone();
            let house = |client: &Value| {
                let street = client["address_line1"].as_str().expect("a street");
                street.split(' ').next().and_then(|house| house.parse::<usize>().ok()).expect("a number")
            };
            clients.iter().map(house).collect::<Vec<_>>()
        };
        let (one, next) = (houses(0), houses(1));
        for (row, house) in one.iter().enumerate() {
            assert_eq!(*house <= 5_000, is_known_in_sync(row), "{row}");
        }
        assert_eq!(one.iter().filter(|house| **house <= 5_000).count(), 150);
        assert!(one.iter().all(|house| !next.contains(house)));
    }
}
