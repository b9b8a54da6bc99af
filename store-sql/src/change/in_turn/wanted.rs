//! What a look in turn asks for, row by row: at first the external ids, then the persons of those whom nobody
//! was found for.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use matterbook_core::{matching::PersonHash, store::Want};

use crate::{
    change::wanted::{Wanted, by_name, count},
    driver::Statement,
    queries,
    query::Query,
};

/// The external ids, each once.
pub(super) fn external_ids(wants: &[Want]) -> Vec<Wanted<'_>> {
    let mut external_ids = HashSet::with_capacity(wants.len());
    let distinct = wants.iter().enumerate().filter_map(|(place, want)| {
        let external_id = want.external_id.as_ref().filter(|external_id| external_ids.insert(*external_id))?;
        let person = PersonHash::default();
        Some(Wanted { place, want, external_id: Some(external_id), person, without_external_id: false })
    });
    distinct.collect()
}

/// The persons of those wants whose external id is not `known`, each once.
pub(super) fn persons_of_strangers<'w>(wants: &'w [Want], known: &HashSet<&str>) -> Vec<Wanted<'w>> {
    let mut places: HashMap<PersonHash, usize> = HashMap::new();
    let mut persons: Vec<Wanted<'w>> = Vec::new();
    for (place, want) in wants.iter().enumerate() {
        if want.external_id.as_deref().is_some_and(|external_id| known.contains(external_id)) {
            continue;
        }
        let person = want.person.hash();
        if person.name.is_none() {
            continue;
        }
        let without_external_id = want.external_id.is_some();
        match places.get(&person).and_then(|place| persons.get_mut(*place)) {
            Some(earlier) => earlier.without_external_id &= without_external_id,
            None => {
                places.insert(person, persons.len());
                persons.push(Wanted { place, want, external_id: None, person, without_external_id });
            }
        }
    }
    persons
}

/// The statements that find, of the clients with the external ids of `all`, those who are just as their wants
/// say; for a host that binds row by row.
pub(super) fn same_row_by_row(account_id: i64, settles: bool, all: &[Wanted<'_>]) -> Vec<Statement> {
    by_external_id(&queries::SAME_BY_EXTERNAL_ID, account_id, settles, all)
}

fn by_external_id(query: &'static Query, account_id: i64, settles: bool, all: &[Wanted<'_>]) -> Vec<Statement> {
    let rows = all.iter().enumerate().filter_map(|(number, wanted)| {
        let external_id = wanted.external_id?.clone();
        Some([count(number), settles.into(), wanted.fingerprint(), account_id.into(), external_id.into()])
    });
    query.bind_rows(&["want", "settles", "fingerprint", "account_id", "external_id"], rows)
}

/// The statements for a host that binds row by row, within an account whose number it knows.
pub(super) fn row_by_row(account_id: i64, key: &str, settles: bool, all: &[Wanted<'_>]) -> Vec<Statement> {
    let mut statements = by_external_id(&queries::MET_BY_EXTERNAL_ID, account_id, settles, all);
    let persons = all.iter().enumerate().filter_map(|(number, wanted)| {
        let (name, place) = (wanted.person.name?, wanted.person.place?);
        let of_want = [count(number), settles.into(), wanted.fingerprint()];
        Some(of_want.into_iter().chain([account_id.into(), name.into(), place.into()]))
    });
    let names = ["want", "settles", "fingerprint", "account_id", "name_hash", "place_hash"];
    statements.extend(queries::MET_BY_PERSON.bind_rows(&names, persons));
    statements.extend(by_name(&account_id.into(), key, settles, all));
    statements
}
