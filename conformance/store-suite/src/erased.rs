//! S12: what is erased is gone at once, and stays known as erased.

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    scene::{Firm, Scene, unexpected},
    values::{
        HOUR_SECONDS, at, by_external_id, clients_at, crash, date, hash_of, person, prospects_at, response, saving,
    },
};
use matterbook_core::{
    client::ClientFields,
    matching::{MatchKey, identities},
    store::{
        ChangeRequest, ChangeSet, ClientFilter, ClientPageQuery, IdempotencyRecord, IdentityDigest, ImportOutcome,
        LookupKey, OperatorAnswer, OperatorCommand, ProspectOrder, ProspectPageQuery, Refusal, SettlementChange, Store,
        Tombstone, View,
    },
    uuid::Uuid,
};

async fn erase(scene: &Scene<'_>, firm: &Firm, second: i64, client: Uuid) -> CaseResult {
    let command = OperatorCommand::EraseClient { account: firm.account, client };
    match scene.operate(at(second), "client.erase", command).await? {
        OperatorAnswer::Erased => Ok(()),
        other => Err(unexpected("that the client is erased", &other)),
    }
}

/// The view does not wait: neither the client, nor what it was before, nor its settlements show.
pub(super) async fn s12_erased_client_is_in_no_view_at_once(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), person("2")]).await?;
    let (id, settled_on) = (scene.id(), date("2026-01-02")?);
    let begun = SettlementChange::Begun { id, client: ids[0], settled_on, former_dates: Vec::new() };
    let decide = saving(ChangeSet { settlements: vec![begun], ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..scene.request(&firm, at(1)) }).await?;
    // Its latest state is hidden by the delay, its earlier one shows.
    scene.update(&firm, at(100), "1", |fields| fields.city = Some("Springfield".into())).await?;
    erase(&scene, &firm, 110, ids[0]).await?;

    for (second, delay_seconds) in [(111, 60), (159, 60), (161, 60), (300, 60), (111, 0)] {
        let view = View { now: at(second), delay_seconds };
        let shown = scene.walk_clients(&firm, ClientPageQuery { view, ..clients_at(at(0)) }).await?;
        let shown: Vec<_> = shown.into_iter().map(|client| client.id).collect();
        ensure_eq!(shown, ids[1..], "clients at {second} s with a delay of {delay_seconds} s, one erased at 110 s");
        let filter = ClientFilter { external_id: Some("1".into()), ..ClientFilter::default() };
        let shown = scene.walk_clients(&firm, ClientPageQuery { view, filter, ..clients_at(at(0)) }).await?;
        ensure!(shown.is_empty(), "an erased client is found by its external id at {second} s");
    }
    ensure!(scene.settlements(&firm).await?.is_empty(), "a settlement of an erased client is in the feed");
    let command = OperatorCommand::ShowClient { account: firm.account, client: ids[0] };
    let shown = scene.operate(at(120), "client.show", command).await?;
    ensure_eq!(shown, OperatorAnswer::Refused(Refusal::NoClient), "an erased client is shown to the operator");
    let by_person = LookupKey { person: hash_of(&person("1")), settles: true, ..LookupKey::default() };
    let snapshot = scene.snapshot(&firm, at(120), vec![by_external_id("1"), by_person]).await?;
    ensure!(snapshot.clients.is_empty(), "a decision is shown an erased client");
    ensure!(snapshot.settlements.is_empty(), "a decision is shown a settlement of an erased client");
    Ok(())
}

/// Digests of an erased client's identities stay, each with its `do_not_mail`, in its account only.
pub(super) async fn s12_erased_client_keeps_do_not_mail_digest(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (ours, theirs) = (scene.firm().await?, scene.firm().await?);
    let silent = ClientFields { do_not_mail: true, ..person("1") };
    let open = person("2");
    let ids = scene.create(&ours, at(0), &[silent.clone(), open.clone()]).await?;
    let fields = [silent.clone(), open.clone()];
    let known = fields.iter().flat_map(|fields| identities_in(&ours, fields)).count();
    ensure!(known >= 4, "a client with an external id, a name and a place has less than two identities");
    let living = scene.tombstones(&ours, ours.account, at(1), &fields).await?;
    ensure_eq!(living, [], "tombstones of clients that nobody erased");
    for client in ids {
        erase(&scene, &ours, 2, client).await?;
    }
    let mut expected: Vec<_> = [&silent, &open]
        .into_iter()
        .flat_map(|fields| {
            let do_not_mail = fields.do_not_mail;
            identities_in(&ours, fields).into_iter().map(move |identity| Tombstone { identity, do_not_mail })
        })
        .collect();
    expected.sort_by_key(|tombstone| tombstone.identity);
    let mut found = scene.tombstones(&ours, ours.account, at(3), &fields).await?;
    found.sort_by_key(|tombstone| tombstone.identity);
    found.dedup();
    ensure_eq!(found, expected, "tombstones of an erased client without letters and of one with");
    let elsewhere = scene.tombstones(&theirs, ours.account, at(3), &fields).await?;
    ensure_eq!(elsewhere, [], "tombstones that another account sees");
    Ok(())
}

fn identities_in(firm: &Firm, fields: &ClientFields) -> Vec<IdentityDigest> {
    identities(firm.account, fields.external_id.as_deref(), &MatchKey::of(fields))
}

/// A later sync may make the person again, as a new client with the same `external_id`.
pub(super) async fn s12_erased_client_may_be_made_again(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let first = scene.create(&firm, at(0), &[person("1")]).await?;
    erase(&scene, &firm, 10, first[0]).await?;
    let again = scene.create(&firm, at(20), &[person("1")]).await?;
    let shown = scene.walk_clients(&firm, clients_at(at(100))).await?;
    let shown: Vec<_> = shown.into_iter().map(|client| (client.id, client.created_at)).collect();
    ensure_eq!(shown, [(again[0], at(20))], "a client that was erased and made again");
    Ok(())
}

/// Saved answers tell of clients by their ids: those that tell of an erased one go with it. So do those that
/// tell values as they were sent, since these may be the erased one's.
pub(super) async fn s12_saved_answer_that_names_erased_client_is_gone(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("7 \"b\""), person("8")]).await?;
    let by_id = format!(r#"{{"id":"{}"}}"#, ids[0]);
    // The external id in quotes, as messages name a client.
    let by_external_id = r#"{"message":"The client has external_id \"7 \"b\"\"."}"#.to_owned();
    let by_values = r#"{"repaired":{"city":{"from":" Reno","to":"Reno"}}}"#.to_owned();
    // One that says the same in words.
    let of_another = format!(r#"{{"id":"{}","message":"\"from\":","repaired":{{}}}}"#, ids[1]);
    for body in [&by_id, &by_external_id, &by_values, &of_another] {
        let idempotency_record = Some(IdempotencyRecord { request_digest: "d".repeat(43), response: response(body) });
        let decide = saving(ChangeSet { idempotency_record, ..ChangeSet::default() });
        // Each is saved under its own text.
        let idempotency_key = Some(body.clone());
        scene.change(ChangeRequest { idempotency_key, decide, ..scene.request(&firm, at(1)) }).await?;
    }
    erase(&scene, &firm, 2, ids[0]).await?;
    for (body, expected) in
        [(by_id, None), (by_external_id, None), (by_values, None), (of_another.clone(), Some(of_another))]
    {
        let snapshot = scene.snapshot_under_key(&firm, at(3), Vec::new(), Some(body.clone())).await?;
        let found = snapshot.idempotency_record.map(|saved| saved.response.body);
        ensure_eq!(found, expected, "the saved answer {body} after a client was erased");
    }
    Ok(())
}

/// An erased prospect leaves the pages at once, and no import brings its `source_id` back.
pub(super) async fn s12_erased_prospect_is_never_imported_again(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, "17031", "2020-01-01").await?;
    let people = vec![crash("1", "17031", "2026-01-01")?, crash("2", "17031", "2026-01-01")?];
    let outcomes = scene.import(at(0), people.clone()).await?;
    let Some(ImportOutcome::Created(prospect)) = outcomes.first().copied() else {
        return Err(Failure(format!("a new prospect is not created: {outcomes:?}")));
    };
    scene.operate(at(1), "prospect.erase", OperatorCommand::EraseProspect { prospect }).await?;
    let outcomes = scene.import(at(2), people).await?;
    ensure_eq!(outcomes.first(), Some(&ImportOutcome::Erased), "the import of a prospect that was erased");
    ensure!(
        matches!(outcomes.get(1), Some(ImportOutcome::Updated(_))),
        "an erased prospect disturbs the import of another: {outcomes:?}"
    );
    for order in [ProspectOrder::Oldest { after: None }, ProspectOrder::Newest { added_since: at(0) }] {
        let query = ProspectPageQuery { order, ..prospects_at(at(2 + i64::from(HOUR_SECONDS))) };
        let page = scene.store.prospects(&firm.key, &query).await?;
        let seen: Vec<_> = page.into_iter().flat_map(|page| page.prospects).map(|row| row.fields.source_id).collect();
        ensure_eq!(seen, ["2"], "prospects after one of two was erased, in the order {order:?}");
    }
    Ok(())
}
