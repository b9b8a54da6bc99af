//! S4: a change set is applied wholly or not at all.

use matterbook_core::{
    client::ClientFields,
    store::{ChangeRequest, ChangeSet, Decided, IdempotencyRecord, SettlementChange, Snapshot, Store},
};

use super::{
    AnyStore, CaseResult, ensure, ensure_eq,
    scene::Scene,
    values::{at, by_external_id, clients_at, date, new_client, person, response, saving, update_of},
};

/// Created and updated clients, settlements and the saved answer arrive together, at one time.
pub(super) async fn s4_change_set_lands_whole(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let known = scene.create(&firm, at(1), &[person("known")]).await?;
    let (new, settlement) = (scene.id(), scene.id());
    let settled_on = date("2026-01-02")?;
    let saved = IdempotencyRecord { request_digest: "d".repeat(43), response: response("both") };
    let decide = {
        let saved = saved.clone();
        Box::new(move |snapshot: &Snapshot| Decided {
            change_set: ChangeSet {
                created: vec![new_client(new, person("new"))],
                updated: snapshot
                    .clients
                    .iter()
                    .map(|client| update_of(client, |fields| fields.city = Some("Springfield".into())))
                    .collect(),
                settlements: vec![SettlementChange::Begun {
                    id: settlement,
                    client: new,
                    settled_on,
                    former_dates: Vec::new(),
                }],
                idempotency_record: Some(saved.clone()),
                ..ChangeSet::default()
            },
            response: response("both"),
        })
    };
    let request = ChangeRequest {
        lookup_keys: vec![by_external_id("known")],
        idempotency_key: Some("k".to_owned()),
        decide,
        ..scene.request(&firm, at(2))
    };
    ensure_eq!(scene.change(request).await?, response("both"), "the decision's answer does not come back");

    let expected = vec![
        (known[0], ClientFields { city: Some("Springfield".into()), ..person("known") }, at(1), at(2)),
        (new, person("new"), at(2), at(2)),
    ];
    let mut found: Vec<_> = scene
        .walk_clients(&firm, clients_at(at(100)))
        .await?
        .into_iter()
        .map(|client| (client.id, client.fields, client.created_at, client.updated_at))
        .collect();
    found.sort_by_key(|row| row.0);
    ensure_eq!(found, expected, "a change set did not land whole");
    let settlements: Vec<_> =
        scene.settlements_of(&firm, "new").await?.into_iter().map(|row| (row.id, row.client)).collect();
    ensure_eq!(settlements, [(settlement, new)], "the settlement of a change set did not land");
    let again = scene.snapshot_under_key(&firm, at(3), Vec::new(), Some("k".to_owned())).await?;
    ensure_eq!(again.idempotency_record, Some(saved), "the saved answer of a change set did not land");
    Ok(())
}

/// A change set of which one part cannot be saved leaves nothing of the others.
pub(super) async fn s4_unsaveable_change_set_leaves_nothing(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let known = scene.create(&firm, at(1), &[person("known")]).await?;
    let saved = IdempotencyRecord { request_digest: "d".repeat(43), response: response("never") };
    let change_set = ChangeSet {
        created: vec![new_client(scene.id(), person("first")), new_client(known[0], person("id is taken"))],
        idempotency_record: Some(saved),
        ..ChangeSet::default()
    };
    let request = ChangeRequest {
        idempotency_key: Some("k".to_owned()),
        decide: saving(change_set),
        ..scene.request(&firm, at(2))
    };
    let outcome = scene.store.change(request).await;
    ensure!(outcome.is_err(), "a change set with a taken id was answered: {outcome:?}");
    let snapshot = scene
        .snapshot_under_key(
            &firm,
            at(3),
            vec![by_external_id("first"), by_external_id("id is taken"), by_external_id("known")],
            Some("k".to_owned()),
        )
        .await?;
    let clients: Vec<_> = snapshot.clients.into_iter().map(|client| (client.id, client.fields)).collect();
    ensure_eq!(clients, [(known[0], person("known"))], "half of a change set was applied");
    ensure_eq!(snapshot.idempotency_record, None, "the answer of a change set that failed was saved");
    Ok(())
}
