//! S3: of thousands of clients that one key matches by name, a decision sees those that it depends on.

use std::collections::BTreeSet;

use matterbook_core::{
    client::ClientFields,
    store::{LookupKey, NAMESAKES_SHOWN},
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, ensure,
    scene::{Firm, Scene},
    values::{at, hash_of},
};

/// So many clients of one name, as after a firm has overwritten names and addresses with one word.
const NAMESAKES: usize = 20_000;
/// How many clients a commit saves.
const BATCH: usize = 500;

/// A client whose name and address were overwritten.
fn redacted(external_id: Option<usize>) -> ClientFields {
    ClientFields {
        external_id: external_id.map(|number| format!("R-{number}").into()),
        last_name: Some("Redacted".into()),
        address_line1: Some("Redacted".into()),
        zip: Some("00000".into()),
        ..ClientFields::default()
    }
}

/// Saves clients, a batch in each second, and returns their ids, oldest first.
async fn create_all(scene: &Scene<'_>, firm: &Firm, people: &[ClientFields]) -> CaseResult<Vec<Uuid>> {
    let mut ids = Vec::with_capacity(people.len());
    for (second, batch) in (1..).zip(people.chunks(BATCH)) {
        ids.extend(scene.create(firm, at(second), batch).await?);
    }
    Ok(ids)
}

fn lookup_key(fields: &ClientFields) -> LookupKey {
    LookupKey { external_id: fields.external_id.clone(), person: hash_of(fields), ..LookupKey::default() }
}

/// Of 20,000 clients with one name, street and ZIP, a snapshot holds the oldest without an external id and the
/// oldest with one, and not many more, however late the first without one came.
pub(super) async fn s3_of_many_equal_people_the_oldest_are_seen(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let with_id: Vec<_> = (0..NAMESAKES).map(|number| redacted(Some(number))).collect();
    let without_id = vec![redacted(None); 2 * BATCH];
    let ids = create_all(&scene, &firm, &[with_id, without_id].concat()).await?;
    let (with_id, without_id) = ids.split_at(NAMESAKES);
    for keys in [vec![redacted(None)], vec![redacted(Some(NAMESAKES)), redacted(Some(NAMESAKES + 1))]] {
        let shown = keys.len() + NAMESAKES_SHOWN;
        let snapshot = scene.snapshot(&firm, at(100), keys.iter().map(lookup_key).collect()).await?;
        let seen: BTreeSet<_> = snapshot.clients.iter().map(|client| client.id).collect();
        let expected: BTreeSet<_> = with_id.iter().take(shown).chain(without_id.iter().take(shown)).copied().collect();
        ensure!(
            seen == expected,
            "of many equal people {} are seen, not the {shown} oldest without and with an external id",
            seen.len(),
        );
    }
    Ok(())
}

/// Of 20,000 clients with one name, a key with a ZIP and no street sees the one that nothing tells apart from it,
/// and a key with the name alone sees some, with an external id only those without one.
pub(super) async fn s3_of_many_namesakes_those_that_nothing_tells_apart_are_seen(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let of_zip = |number: usize| ClientFields { zip: Some(format!("{number:05}").into()), ..redacted(Some(number)) };
    let mut people: Vec<_> = (0..NAMESAKES).map(of_zip).collect();
    let without_street = ClientFields { address_line1: None, external_id: None, ..of_zip(NAMESAKES) };
    people.push(without_street.clone());
    let ids = create_all(&scene, &firm, &people).await?;
    let shown = 1 + NAMESAKES_SHOWN;
    let seen = async |fields: &ClientFields| -> CaseResult<BTreeSet<Uuid>> {
        let snapshot = scene.snapshot(&firm, at(100), vec![lookup_key(fields)]).await?;
        Ok(snapshot.clients.iter().map(|client| client.id).collect())
    };
    let last = BTreeSet::from([ids[NAMESAKES]]);
    let in_zip = seen(&without_street).await?;
    ensure!(in_zip == last, "{} are seen, not just the one in the key's ZIP", in_zip.len());
    let nowhere = ClientFields { zip: None, address_line1: None, ..redacted(None) };
    let namesakes = seen(&nowhere).await?;
    ensure!(namesakes.len() == shown + 1, "{} of many namesakes are seen, not {}", namesakes.len(), shown + 1);
    ensure!(namesakes.is_superset(&last), "the only one without an external id is not seen");
    let new_id = ClientFields { external_id: Some("new".into()), ..nowhere };
    let without_id = seen(&new_id).await?;
    ensure!(without_id == last, "a key with another external id sees {}, not just who has none", without_id.len());
    Ok(())
}
