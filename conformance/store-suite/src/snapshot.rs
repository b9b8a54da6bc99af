//! S3: a decision sees every client that a lookup key matches.

use std::collections::BTreeSet;

use matterbook_core::{
    client::ClientFields,
    store::{ChangeRequest, ChangeSet, LookupKey, SettlementChange, Snapshot},
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, ensure, ensure_eq,
    scene::Scene,
    values::{at, by_external_id, date, hash_of, person, saving},
};

fn seen(snapshot: &Snapshot) -> Vec<Uuid> {
    let ids: BTreeSet<_> = snapshot.clients.iter().map(|client| client.id).collect();
    ids.into_iter().collect()
}

/// Equal ids meet; ids are compared exactly, case included.
pub(super) async fn s3_lookup_key_matches_by_external_id(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(1), &[person("A1"), person("a1"), person("A10")]).await?;
    let snapshot = scene.snapshot(&firm, at(2), vec![by_external_id("A1")]).await?;
    ensure_eq!(seen(&snapshot), ids[..1], "a lookup key by external id does not match exactly that client");
    let client = snapshot.clients.first();
    ensure_eq!(client.map(|client| &client.fields), Some(&person("A1")), "the snapshot shows other fields");
    Ok(())
}

/// Name and place together match, and neither alone where the lookup key has both.
pub(super) async fn s3_lookup_key_matches_by_name_and_place(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let wanted = ClientFields { external_id: None, ..person("1") };
    let moved = ClientFields { zip: Some("10001".into()), ..wanted.clone() };
    let neighbour = ClientFields { first_name: Some("Grace".into()), ..wanted.clone() };
    let placeless = ClientFields { address_line1: None, ..wanted.clone() };
    let twin = ClientFields { external_id: Some("twin".into()), ..wanted.clone() };
    let ids = scene.create(&firm, at(1), &[wanted.clone(), twin, moved, neighbour, placeless]).await?;
    let lookup_key = LookupKey { person: hash_of(&wanted), ..LookupKey::default() };
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key]).await?;
    ensure_eq!(
        seen(&snapshot),
        ids[..2],
        "a lookup key by name and place does not match exactly the clients with both"
    );
    Ok(())
}

/// A unit in line 1 is compared with one in line 2 where that one's line 1 has none, on both sides. Where neither
/// line 1 has one, line 2 is not compared.
pub(super) async fn s3_lookup_key_matches_by_unit(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let at_unit = |line1: &str, line2: Option<&str>| ClientFields {
        external_id: None,
        address_line1: Some(line1.into()),
        address_line2: line2.map(Into::into),
        ..person("1")
    };
    let people = [
        at_unit("9 Elm St Apt 4", None),
        at_unit("9 Elm St", Some("Apt 4")),
        at_unit("9 Elm St", Some("Apt 5")),
        at_unit("9 Elm St", None),
        at_unit("9 Elm St Apt 5", None),
    ];
    let ids = scene.create(&firm, at(1), &people).await?;
    for (key, places) in [
        (at_unit("9 Elm St #4", None), &[0, 1][..]),
        (at_unit("9 Elm St", Some("#4")), &[0, 1, 2, 3]),
        (at_unit("9 Elm St", None), &[1, 2, 3]),
        (at_unit("9 Elm St Apt 6", None), &[]),
    ] {
        let expected: Vec<_> = places.iter().filter_map(|place| ids.get(*place).copied()).collect();
        for key in [key.clone(), ClientFields { zip: None, ..key }] {
            let lookup_key = LookupKey { person: hash_of(&key), ..LookupKey::default() };
            let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key]).await?;
            ensure_eq!(
                seen(&snapshot),
                expected,
                "a lookup key by street and unit does not match exactly the clients of both"
            );
        }
    }
    Ok(())
}

/// A lookup key that has a name and no place matches every client of that name. One with a street or a ZIP matches
/// those of the name with no other one.
pub(super) async fn s3_lookup_key_without_place_matches_every_namesake(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let here = person("1");
    let there = ClientFields { external_id: Some("2".into()), zip: Some("10001".into()), ..here.clone() };
    let nowhere = ClientFields { external_id: None, address_line1: None, zip: None, ..here.clone() };
    let people = [here.clone(), there.clone(), nowhere.clone(), person("3")];
    let ids = scene.create(&firm, at(1), &people).await?;
    let lookup_key = |fields: &ClientFields| LookupKey { person: hash_of(fields), ..LookupKey::default() };
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key(&nowhere)]).await?;
    ensure_eq!(seen(&snapshot), ids[..3], "a lookup key by name does not match every client of that name");
    let in_zip = ClientFields { address_line1: None, ..there };
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key(&in_zip)]).await?;
    ensure_eq!(seen(&snapshot), ids[1..3], "a lookup key by name and ZIP does not match those without another ZIP");
    let elsewhere = ClientFields { address_line1: Some("9 Elm St".into()), zip: None, ..here };
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key(&elsewhere)]).await?;
    ensure_eq!(
        seen(&snapshot),
        ids[2..3],
        "a lookup key by name and street does not match those without another street"
    );
    Ok(())
}

/// A lookup key that has a name, an external id and no place matches those of the name who have no external
/// id: two different ones tell people apart.
pub(super) async fn s3_lookup_key_with_another_external_id_matches_namesakes_without_one(
    store: AnyStore<'_>,
) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let known = person("1");
    let unnumbered = ClientFields { external_id: None, ..known.clone() };
    let ids = scene.create(&firm, at(1), &[unnumbered.clone(), known]).await?;
    let nowhere = ClientFields { address_line1: None, ..unnumbered };
    let lookup_key = |external_id: &str| LookupKey { person: hash_of(&nowhere), ..by_external_id(external_id) };
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key("2")]).await?;
    ensure_eq!(seen(&snapshot), ids[..1], "a lookup key with another external id does not match just who has none");
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key("2"), lookup_key("3")]).await?;
    ensure_eq!(
        seen(&snapshot),
        ids[..1],
        "two lookup keys of one name with other external ids do not match just who has none"
    );
    let snapshot =
        scene.snapshot(&firm, at(2), vec![lookup_key("2"), LookupKey { external_id: None, ..lookup_key("3") }]).await?;
    ensure_eq!(seen(&snapshot), ids, "with a key without an external id, not every client of the name matches");
    // A lookup by one statement once joined an external id with the name of its first key only.
    let snapshot = scene.snapshot(&firm, at(2), vec![by_external_id("2"), lookup_key("2")]).await?;
    ensure_eq!(seen(&snapshot), ids[..1], "the name of a second key with the same external id is not looked up");
    Ok(())
}

/// A lookup key whose external id is known matches that client only, even if others share its name.
pub(super) async fn s3_lookup_key_of_a_known_external_id_matches_that_client_alone(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let known = person("1");
    let twin = ClientFields { external_id: None, ..known.clone() };
    let ids = scene.create(&firm, at(1), &[known.clone(), twin]).await?;
    let lookup_key = |external_id: &str| LookupKey { person: hash_of(&known), ..by_external_id(external_id) };
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key("1")]).await?;
    ensure_eq!(seen(&snapshot), ids[..1], "a known external id does not match its client alone");
    let snapshot = scene.snapshot(&firm, at(2), vec![lookup_key("1"), lookup_key("2")]).await?;
    ensure_eq!(seen(&snapshot), ids, "a key with an unknown external id does not match by its name and place");
    Ok(())
}

/// A client matches by what it is now, never by what it was.
pub(super) async fn s3_lookup_key_matches_what_a_client_is_now(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let before = person("1");
    let ids = scene.create(&firm, at(1), std::slice::from_ref(&before)).await?;
    scene.update(&firm, at(2), "1", |fields| fields.zip = Some("10001".into())).await?;
    let lookup_key = |fields: &ClientFields| LookupKey { person: hash_of(fields), ..LookupKey::default() };
    let former = scene.snapshot(&firm, at(3), vec![lookup_key(&before)]).await?;
    ensure!(former.clients.is_empty(), "a client matches at the place that it left");
    let after = ClientFields { zip: Some("10001".into()), ..before };
    let current = scene.snapshot(&firm, at(3), vec![lookup_key(&after)]).await?;
    ensure_eq!(seen(&current), ids, "a client does not match at its new place");
    Ok(())
}

/// However many lookup keys match a client, the snapshot holds it once.
pub(super) async fn s3_client_matched_twice_is_seen_once(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let fields = person("1");
    scene.create(&firm, at(1), std::slice::from_ref(&fields)).await?;
    let by_person = LookupKey { person: hash_of(&fields), ..LookupKey::default() };
    let lookup_keys = vec![by_external_id("1"), by_person.clone(), by_person, by_external_id("unknown")];
    let snapshot = scene.snapshot(&firm, at(2), lookup_keys).await?;
    ensure_eq!(snapshot.clients.len(), 1, "a client that several lookup keys match is not seen exactly once");
    Ok(())
}

/// A lookup key that settles sees the settlements of the clients that it matches, former dates included.
pub(super) async fn s3_settling_lookup_key_sees_settlements(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(1), &[person("1"), person("2")]).await?;
    let mut expected = Vec::new();
    for (client, settled_on) in [(ids[0], "2026-01-01"), (ids[0], "2026-02-01"), (ids[1], "2026-03-01")] {
        let id = scene.id();
        let former_dates = vec![date("2025-12-01")?];
        let begun = SettlementChange::Begun { id, client, settled_on: date(settled_on)?, former_dates };
        let decide = saving(ChangeSet { settlements: vec![begun], ..ChangeSet::default() });
        scene.change(ChangeRequest { decide, ..scene.request(&firm, at(2)) }).await?;
        expected.push((id, client, date(settled_on)?, vec![date("2025-12-01")?]));
    }
    let lookup_key = LookupKey { settles: true, ..by_external_id("1") };
    let snapshot = scene.snapshot(&firm, at(3), vec![lookup_key.clone(), lookup_key]).await?;
    let mut found: Vec<_> = snapshot
        .settlements
        .into_iter()
        .map(|settlement| (settlement.id, settlement.client, settlement.settled_on, settlement.former_dates))
        .collect();
    found.sort();
    ensure_eq!(found, expected[..2], "a settling lookup key does not see exactly the settlements of its client");
    Ok(())
}
