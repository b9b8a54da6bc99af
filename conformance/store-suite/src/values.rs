//! What the cases send: moments, people, prospects, lookup keys and decisions.

use matterbook_core::{
    chrono::NaiveDate,
    client::{Client, ClientFields},
    matching::{MatchKey, PersonHash},
    prospect::ProspectFields,
    store::{
        ChangeSet, ClientFilter, ClientPageQuery, ClientUpdate, Decide, Decided, LookupKey, NewClient, ProspectOrder,
        ProspectPageQuery, StoredResponse, View,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::{CaseResult, Failure};
/// The delay of clients in the cases: the product's minute.
pub const MINUTE_SECONDS: u32 = 60;
/// The delay of prospects in the cases: the product's hour.
pub const HOUR_SECONDS: u32 = 3_600;
/// An id that nothing has.
pub const UNKNOWN: Uuid = Uuid::from_u128(404);

/// A moment of a case: that many seconds after 2026-01-01T00:00:00Z.
#[must_use]
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000).plus_seconds(seconds)
}

/// A calendar date, written as `2026-01-31`.
pub fn date(text: &str) -> CaseResult<NaiveDate> {
    text.parse().map_err(|_| Failure(format!("{text} is no date: the case is wrong")))
}

/// A person with an `external_id`, a name and a place of their own.
#[must_use]
pub fn person(external_id: &str) -> ClientFields {
    ClientFields {
        external_id: Some(external_id.into()),
        first_name: Some("Ada".into()),
        last_name: Some(format!("Number {external_id}").into()),
        address_line1: Some(format!("{external_id} Main St").into()),
        zip: Some("62704".into()),
        ..ClientFields::default()
    }
}

/// Hashes of a person.
#[must_use]
pub fn hash_of(fields: &ClientFields) -> PersonHash {
    MatchKey::of(fields).hash()
}

/// A lookup key by `external_id` alone.
#[must_use]
pub fn by_external_id(external_id: &str) -> LookupKey {
    LookupKey { external_id: Some(external_id.into()), ..LookupKey::default() }
}

/// An answer that the rules might give.
#[must_use]
pub fn response(body: &str) -> StoredResponse {
    StoredResponse { status: 200, body: body.to_owned(), replayed: false }
}

/// A decision that saves one thing, whatever it sees.
pub fn saving(change_set: ChangeSet) -> Decide {
    Box::new(move |_| Decided { change_set: change_set.clone(), response: response("saved") })
}

/// The creation of one client.
#[must_use]
pub fn new_client(id: Uuid, fields: ClientFields) -> NewClient {
    NewClient { id, person: hash_of(&fields), fingerprint: fields.fingerprint(), fields }
}

/// The change of one client that a snapshot holds.
#[must_use]
pub fn update_of(client: &Client, edit: impl FnOnce(&mut ClientFields)) -> ClientUpdate {
    let mut after = client.fields.clone();
    edit(&mut after);
    let found_by = |fields: &ClientFields| (fields.external_id.clone(), hash_of(fields));
    let new_hash = (found_by(&client.fields) != found_by(&after)).then(|| hash_of(&after));
    ClientUpdate { id: client.id, before: client.clone(), after, new_hash, matched_by: None }
}

/// What `GET /clients` shows at a time, with the product's delay, from the beginning.
#[must_use]
pub fn clients_at(now: Timestamp) -> ClientPageQuery {
    ClientPageQuery {
        view: View { now, delay_seconds: MINUTE_SECONDS },
        after: None,
        seen_until: None,
        updated_since: None,
        filter: ClientFilter::default(),
        limit: 100,
    }
}

/// What `GET /prospects` shows at a time, with the product's delay, from the oldest.
#[must_use]
pub fn prospects_at(now: Timestamp) -> ProspectPageQuery {
    ProspectPageQuery {
        view: View { now, delay_seconds: HOUR_SECONDS },
        order: ProspectOrder::Oldest { after: None },
        limit: 100,
    }
}

/// A prospect of a county, from a crash on a date.
pub fn crash(source_id: &str, fips: &str, crash_date: &str) -> CaseResult<ProspectFields> {
    Ok(ProspectFields {
        source_id: source_id.into(),
        crash_county_fips: fips.into(),
        crash_date: date(crash_date)?,
        last_name: Some(format!("Crash {source_id}").into()),
        ..ProspectFields::default()
    })
}
