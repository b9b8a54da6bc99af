//! Made-up clients as firms send them: states in full or by code, ZIPs that lost a zero, phones and
//! dates in several writings, blanks. The same index always makes the same client.

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
const STREETS: [&str; 12] = [
    "North Main Street",
    "Oak Ave",
    "Elm St.",
    "Martin Luther King Jr Blvd",
    "Sample Lane",
    "W. Pine Street",
    "County Road 7",
    "Lakeview Drive",
    "Cedar Ct",
    "Old Mill Road",
    "Broadway",
    "Saint Charles Avenue",
];
const CASE_TYPES: [&str; 5] = ["Auto", "Slip and fall", "Workers’ compensation", "Motorcycle", "Dog bite"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A city with its state in full, the state's code, the first digits of its ZIPs, its area code.
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

/// Which clients a body holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Clients as they are first sent.
    First,
    /// The same persons, each with a new phone or a new case type.
    Changed,
}

/// The body of `POST /clients` with the clients of this number, 500 of them.
///
/// ```
/// use matterbook_bench::clients::{Work, body};
/// assert_eq!(body(3, Work::First), body(3, Work::First));
/// assert_ne!(body(3, Work::First), body(3, Work::Changed));
/// ```
#[must_use]
pub fn body(number: usize, work: Work) -> Vec<u8> {
    body_of((0..BATCH_ROWS).map(|row| client(number * BATCH_ROWS + row, work)))
}

/// A body of these clients.
#[must_use]
pub fn body_of(clients: impl Iterator<Item = Value>) -> Vec<u8> {
    json!({ "clients": clients.collect::<Vec<_>>() }).to_string().into_bytes()
}

/// The client of an index.
#[must_use]
pub fn client(index: usize, work: Work) -> Value {
    let mut draw = Draw::new(index);
    let (city, state, code, zip_start, area_code) = draw.pick(&PLACES);
    let (first, last) = (draw.pick(&FIRST_NAMES), draw.pick(&LAST_NAMES));
    // The house number makes every person one of a kind.
    let mut street = format!("{} {}", index + 1, draw.pick(&STREETS));
    if draw.is_one_in(4) {
        street.push_str(&format!(" Apt {}", 1 + draw.below(40)));
    }
    let zip = format!("{zip_start}{:02}", draw.below(100));
    let external_id = match (draw.is_one_in(8), draw.is_one_in(3)) {
        (true, _) => Value::Null,
        (false, true) => json!(1_000_000 + index),
        (false, false) => json!(format!("M-{index:07}")),
    };
    // Drawn for either work, so that nothing else differs between them.
    let changes_phone = draw.is_one_in(2);
    let lines = [100 + draw.below(50), 150 + draw.below(50)];
    let mut case_type = draw.pick(&CASE_TYPES);
    let mut line = lines[0];
    if work == Work::Changed {
        if changes_phone {
            line = lines[1];
        } else {
            case_type = "Premises liability";
        }
    }
    let email = format!("client.{index}@{}", draw.pick(&["example.com", "Example.ORG", "mail.example.net"]));
    let mut client = Map::new();
    let mut put = |name: &str, value: Value| drop(client.insert(name.to_owned(), value));
    put("external_id", external_id);
    put("first_name", json!(if draw.is_one_in(6) { format!(" {first}  ") } else { first.to_owned() }));
    put("last_name", json!(last));
    put("address_line1", json!(street));
    if draw.is_one_in(2) {
        put("address_line2", json!(""));
    }
    put("city", json!(city));
    put("state", json!(draw.pick(&[state, code, &state.to_uppercase(), &state.to_lowercase()])));
    put("zip", written_zip(&zip, &mut draw));
    if !draw.is_one_in(3) {
        put("email", json!(email));
    }
    put("phone", written_phone(area_code, line, &mut draw));
    put("case_type", json!(case_type));
    put("opened_on", json!(written_date(2023, &mut draw)));
    // One case in 25 is settled already.
    if draw.is_one_in(25) {
        put("settled_on", json!(written_date(2026, &mut draw)));
    }
    if draw.is_one_in(4) {
        put("do_not_mail", draw.pick(&[json!(false), json!("no"), json!(true)]));
    }
    Value::Object(client)
}

fn written_zip(zip: &str, draw: &mut Draw) -> Value {
    // As a number, a leading zero is lost.
    let number: u32 = zip.parse().unwrap_or_default();
    match draw.below(5) {
        0 => json!(format!("{zip}-{:04}", draw.below(10_000))),
        1 => json!(number),
        2 => json!(format!("{number}.0")),
        _ => json!(zip),
    }
}

fn written_phone(area: &str, line: usize, draw: &mut Draw) -> Value {
    match draw.below(7) {
        0 => json!(format!("({area}) 555-{line:04}")),
        1 => json!(format!("{area}.555.{line:04}")),
        2 => json!(format!("{area}-555-{line:04} ext. {}", 1 + draw.below(99))),
        3 => json!(format!("+1 {area} 555 {line:04}")),
        4 => json!(format!("1-{area}-555-{line:04}")),
        5 => json!(format!("{area}555{line:04}").parse::<u64>().unwrap_or_default()),
        _ => json!(format!("{area}555{line:04}")),
    }
}

fn written_date(year: usize, draw: &mut Draw) -> String {
    let (month, day) = (1 + draw.below(12), 1 + draw.below(28));
    match draw.below(3) {
        0 => format!("{year}-{month:02}-{day:02}"),
        1 => format!("{month}/{day}/{year}"),
        _ => format!("{} {day}, {year}", MONTHS[month - 1]),
    }
}

/// Draws, always the same ones for a seed (splitmix64).
struct Draw(u64);

impl Draw {
    fn new(seed: usize) -> Self {
        Self((seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ (mixed >> 31)) * bound as u128) >> 64) as usize
    }

    fn is_one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}
