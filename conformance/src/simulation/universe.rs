//! The small world that is simulated: few firms, keys, names, streets, ZIPs and ids, so that requests meet
//! one another all the time.
//!
//! Of each list some entries are other spellings of others. Which ones is said here by hand, so that the
//! model compares people without the code that it holds to account.

use chrono::NaiveDate;
use matterbook_core::{client::ClientFields, key::AccountNumber, memory::test_key_secrets};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Accounts in the world.
pub const ACCOUNTS: usize = 3;
/// Keys of each account that callers use.
pub const KEYS: usize = 4;
/// Machines that serve. The first remembers no keys, as on the native host; the others do, as on the Worker.
pub const MACHINES: usize = 3;
/// Walks of each account that go on from one operation to another.
pub const WALKS: usize = 3;
/// Imports of each account from each machine that are under way.
pub const IMPORTS: usize = 2;
/// `Idempotency-Key`s of each account.
pub const IDEMPOTENCY_KEYS: usize = 3;

/// The possible values of a client, in the order of [`Draft`].
pub const FIELDS: [&str; 10] = ["id", "name", "street", "zip", "city", "settled", "case", "opened", "new", "stop"];
/// How many values each field has; 0 means an absent field.
pub const VALUES: [u8; 10] = [4, 4, 3, 3, 3, 3, 2, 2, 2, 2];
/// The fields that a client keeps, which come first.
pub const KEPT: usize = 8;

pub const ID: usize = 0;
pub const NAME: usize = 1;
pub const STREET: usize = 2;
pub const ZIP: usize = 3;
pub const CITY: usize = 4;
pub const SETTLED: usize = 5;
pub const CASE: usize = 6;
pub const OPENED: usize = 7;
const NEW: usize = 8;
const STOP: usize = 9;

const IDS: [&str; 4] = ["a", "b", "A", "7"];
const NAMES: [[&str; 2]; 4] = [["Ada", "Reyes"], ["ADA", "reyes"], ["Bo", "Stone"], ["Cy", "Ray"]];
const STREETS: [&str; 3] = ["12 Elm St", "12 ELM STREET", "7 Oak Ave"];
const ZIPS: [&str; 3] = ["62704", "62704-1234", "02139"];
const CITIES: [&str; 3] = ["Springfield", "Peoria", "Quincy"];
const DATES: [&str; 3] = ["2025-01-02", "2025-03-04", "2025-05-06"];
const CASES: [&str; 2] = ["Auto", "Slip and fall"];
const OPENINGS: [&str; 2] = ["2024-01-02", "2024-03-04"];

/// One client as a caller sends it: of each of the ten fields the place of a value, from 1, or 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Draft(pub [u8; 10]);

impl Draft {
    /// What is said of whether a different date is a new settlement.
    pub fn new_settlement(&self) -> Option<bool> {
        match self.0[NEW] {
            0 => None,
            value => Some(value == 1),
        }
    }

    /// Whether it asks for no letters. An "off" never does anything.
    pub fn stops_letters(&self) -> bool {
        self.0[STOP] == 1
    }

    /// What is kept of it for review: what it says of a new settlement and of letters is there if it is on.
    pub fn kept(mut self, new_settlement_default: bool) -> Self {
        self.0[NEW] = u8::from(self.new_settlement().unwrap_or(new_settlement_default));
        self.0[STOP] = u8::from(self.stops_letters());
        self
    }

    /// What is kept of it for review, in JSON.
    pub fn sent(&self) -> Value {
        let given = &self.0;
        let name = place(given[NAME]).and_then(|place| NAMES.get(place));
        let texts = [
            ("external_id", text(&IDS, given[ID])),
            ("first_name", name.map(|name| name[0])),
            ("last_name", name.map(|name| name[1])),
            ("address_line1", text(&STREETS, given[STREET])),
            ("zip", text(&ZIPS, given[ZIP])),
            ("city", text(&CITIES, given[CITY])),
            ("settled_on", text(&DATES, given[SETTLED])),
            ("case_type", text(&CASES, given[CASE])),
            ("opened_on", text(&OPENINGS, given[OPENED])),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?))));
        let flags = [("do_not_mail", self.stops_letters()), ("new_settlement", given[NEW] == 1)];
        let flags = flags.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| (name.to_owned(), json!(true)));
        Value::Object(texts.chain(flags).collect())
    }

    /// Whether `POST /cases/settled` takes it: a date, and an id or a full match key.
    pub fn can_settle(&self) -> bool {
        let is_given = |field: usize| self.0[field] != 0;
        is_given(SETTLED) && (is_given(ID) || [NAME, STREET, ZIP].into_iter().all(is_given))
    }

    /// As the request's JSON has it. What is not given is left out, `null` or blank, by the field.
    pub fn json(&self) -> Value {
        let mut members = Map::new();
        let mut put = |name: &str, value: Option<&str>, blank: Value| match value {
            Some(value) => drop(members.insert(name.to_owned(), json!(value))),
            None if blank == json!("absent") => {}
            None => drop(members.insert(name.to_owned(), blank)),
        };
        let given = &self.0;
        put("external_id", text(&IDS, given[ID]), json!("absent"));
        let name = place(given[NAME]).and_then(|place| NAMES.get(place));
        put("first_name", name.map(|name| name[0]), json!("absent"));
        put("last_name", name.map(|name| name[1]), Value::Null);
        put("address_line1", text(&STREETS, given[STREET]), json!(" "));
        put("zip", text(&ZIPS, given[ZIP]), json!("absent"));
        put("city", text(&CITIES, given[CITY]), json!(""));
        put("settled_on", text(&DATES, given[SETTLED]), json!("absent"));
        put("case_type", text(&CASES, given[CASE]), json!(""));
        put("opened_on", text(&OPENINGS, given[OPENED]), Value::Null);
        put("new_settlement", text(&["yes", "no"], given[NEW]), json!("absent"));
        put("do_not_mail", text(&["yes", "no"], given[STOP]), Value::Null);
        Value::Object(members)
    }
}

/// The record of a client that has these values, the first of [`FIELDS`].
pub fn record(values: &[u8; KEPT], do_not_mail: bool) -> ClientFields {
    let kept = |text: Option<&'static str>| text.map(Into::into);
    let name = place(values[NAME]).and_then(|place| NAMES.get(place));
    ClientFields {
        external_id: kept(text(&IDS, values[ID])),
        first_name: kept(name.map(|name| name[0])),
        last_name: kept(name.map(|name| name[1])),
        address_line1: kept(text(&STREETS, values[STREET])),
        zip: kept(text(&ZIPS, values[ZIP])),
        city: kept(text(&CITIES, values[CITY])),
        case_type: kept(text(&CASES, values[CASE])),
        opened_on: text(&OPENINGS, values[OPENED]).and_then(|date| date.parse().ok()),
        settled_on: date(values[SETTLED]),
        do_not_mail,
        ..ClientFields::default()
    }
}

/// The date of that number.
pub fn date(value: u8) -> Option<NaiveDate> {
    text(&DATES, value).and_then(|date| date.parse().ok())
}

/// The numbers of all external ids.
pub fn external_ids() -> impl Iterator<Item = u8> {
    1..=VALUES[ID]
}

/// The external id of that number.
pub fn external_id(value: u8) -> Option<&'static str> {
    text(&IDS, value)
}

/// What a name, a street or a ZIP is compared by: the number of its first spelling, `None` where there is none.
pub fn folded(field: usize, value: u8) -> Option<u8> {
    match (field, value) {
        (_, 0) => None,
        (_, 2) => Some(1),
        (_, value) => Some(value),
    }
}

/// The id of an account.
pub fn account_id(account: usize) -> Uuid {
    Uuid::from_u128((0xacc0 << 64) + account as u128)
}

/// The id of the login of an account.
pub fn login_id(account: usize) -> Uuid {
    Uuid::from_u128((0x1061 << 64) + account as u128)
}

/// The number of an account.
pub fn account_number(account: usize) -> AccountNumber {
    let [.., last] = account.to_be_bytes();
    AccountNumber::from_bytes([0, 0, 0, 0, 0, last])
}

/// The id of a key of an account; that after the last is the auditor's.
pub fn key_id(account: usize, key: usize) -> Uuid {
    Uuid::from_u128((0x4e10 << 64) + (account * (KEYS + 1) + key) as u128)
}

/// A key of an account as its callers send it.
pub fn key_text(account: usize, key: usize) -> String {
    let [.., last] = key.to_be_bytes();
    test_key_secrets().new_key("mtb_", account_number(account), [last; 20])
}

fn place(value: u8) -> Option<usize> {
    usize::from(value).checked_sub(1)
}

fn text<'t>(texts: &[&'t str], value: u8) -> Option<&'t str> {
    place(value).and_then(|place| texts.get(place)).copied()
}
