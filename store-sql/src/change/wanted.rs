//! What a look asks for: of all wants the external ids and the persons, each once.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use matterbook_core::{SmolStr, json::push_escaped, matching::PersonHash, store::Want};
use uuid::Uuid;

use crate::{
    bind,
    driver::{Statement, Value},
    queries,
};

/// The most wants of which all whom they meet go back as one value, of which D1 allows 2,000,000 bytes; a
/// client takes up to 8,500.
const GROUP_WANTS: usize = 170;

/// The most wants of one statement, whose parameter stays below 1,000,000 bytes; a want takes up to 1,300.
const STATEMENT_WANTS: usize = 4 * GROUP_WANTS;

/// What no fingerprint's digits are.
const NO_FINGERPRINT: &str = "--------------------------------";

/// What no hash is: hashes are less.
const NO_HASH: i64 = 1 << 53;

/// What is looked up of one want.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'w> {
    /// The want's place.
    pub(super) place: usize,
    pub(super) want: &'w Want,
    /// The external id, if it is looked for by one.
    pub(super) external_id: Option<&'w SmolStr>,
    pub(super) person: PersonHash,
    /// Of those of the name, only those without an external id.
    pub(super) without_external_id: bool,
}

impl Wanted<'_> {
    /// Of the fields that the want's item gives, as it is bound.
    pub(super) fn fingerprint(&self) -> Value {
        self.want.fingerprint.map(bind::fingerprint).into()
    }
}

/// What to look up in one go, no external id and no person twice: five hundred wants of one name would
/// otherwise read everybody of that name five hundred times. A person whom several wants name is
/// looked up apart from their external ids, any of which may not be known.
pub(super) fn all_at_once(wants: &[Want]) -> Vec<Wanted<'_>> {
    let mut named: HashMap<PersonHash, (usize, bool)> = HashMap::with_capacity(wants.len());
    let persons: Vec<_> = wants.iter().map(|want| want.person.hash()).collect();
    for (want, person) in wants.iter().zip(&persons).filter(|(_, person)| person.name.is_some()) {
        let (times, without_external_id) = named.entry(*person).or_insert((0, true));
        *times += 1;
        *without_external_id &= want.external_id.is_some();
    }
    let mut external_ids = HashSet::with_capacity(wants.len());
    let mut all = Vec::with_capacity(wants.len());
    for (place, (want, person)) in wants.iter().zip(persons).enumerate() {
        let external_id = want.external_id.as_ref().filter(|external_id| external_ids.insert(*external_id));
        let wanted =
            |external_id, person, without_external_id| Wanted { place, want, external_id, person, without_external_id };
        match named.get_mut(&person) {
            Some((1, _)) if external_id.is_some() => all.push(wanted(external_id, person, true)),
            entry => {
                all.extend(external_id.map(|id| wanted(Some(id), PersonHash::default(), false)));
                if let Some((times, without_external_id)) = entry.filter(|(times, _)| *times > 0) {
                    *times = 0;
                    all.push(wanted(None, person, *without_external_id));
                }
            }
        }
    }
    all
}

/// The statements for hosts to which each is a journey. A row that begins with a number is of a client that
/// is just as the want of that number in `all` says.
pub(super) fn in_one_go(key: &str, settles: bool, all: &[Wanted<'_>]) -> Vec<Statement> {
    let statement = |(number, wants): (usize, &[Wanted<'_>])| {
        queries::MET_CLIENTS.bind([
            ("key", key.into()),
            ("settles", settles.into()),
            ("wants", groups(wants).into()),
            ("first_want", count(number * STATEMENT_WANTS)),
            ("group_wants", count(GROUP_WANTS)),
        ])
    };
    let mut statements: Vec<_> = all.chunks(STATEMENT_WANTS).enumerate().map(statement).collect();
    statements.extend(by_name(&Value::Null, key, settles, all));
    statements
}

/// The statements that look for persons without a place.
pub(super) fn by_name(account_id: &Value, key: &str, settles: bool, all: &[Wanted<'_>]) -> Vec<Statement> {
    let names =
        ["want", "settles", "fingerprint", "account_id", "key", "name_hash", "external_id", "without_external_id"];
    let rows = all.iter().enumerate().filter(|(_, wanted)| wanted.person.place.is_none());
    let rows = rows.filter_map(|(number, wanted)| {
        Some([
            count(number),
            settles.into(),
            wanted.fingerprint(),
            account_id.clone(),
            key.into(),
            wanted.person.name?.into(),
            wanted.external_id.cloned().into(),
            wanted.without_external_id.into(),
        ])
    });
    queries::MET_BY_NAME.bind_rows(&names, rows)
}

/// A JSON array of groups, each an array of texts, of one want at least. A text has at fixed places, as `sql/met_clients.sql` takes
/// it apart, 32 digits of the fingerprint, 16 of the hash of the name and 16 of that of the place; then the
/// external id. To read it so takes SQLite half as long as an array of values.
fn groups(wants: &[Wanted<'_>]) -> String {
    let mut json = String::with_capacity(96 * wants.len());
    for (number, wanted) in wants.iter().enumerate() {
        json.push_str(match number % GROUP_WANTS {
            0 if number == 0 => "[[\"",
            0 => "\"],[\"",
            _ => "\",\"",
        });
        match wanted.want.fingerprint {
            Some(fingerprint) => {
                json.push_str(Uuid::from_bytes(fingerprint.0).simple().encode_lower(&mut Uuid::encode_buffer()));
            }
            None => json.push_str(NO_FINGERPRINT),
        }
        let person = wanted.person.name.zip(wanted.person.place);
        let (name, place) = person.unwrap_or((NO_HASH, NO_HASH));
        push_hash(&mut json, name);
        push_hash(&mut json, place);
        push_escaped(&mut json, wanted.external_id.map_or("", |external_id| external_id));
    }
    json.push_str("\"]]");
    json
}

/// Writes sixteen digits.
fn push_hash(json: &mut String, hash: i64) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(hash);
    json.push_str("0000000000000000".get(digits.len()..).unwrap_or_default());
    json.push_str(digits);
}

/// A number of wants as it is bound.
pub(super) fn count(wants: usize) -> Value {
    Value::Integer(i64::try_from(wants).unwrap_or(i64::MAX))
}
