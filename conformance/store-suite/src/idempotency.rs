//! S11 and S14: an answer is found again, and a request is applied once.

use matterbook_core::store::{ChangeRequest, ChangeSet, IdempotencyRecord, Store};

use super::{
    AnyStore, CaseResult, ensure_eq,
    scene::{Firm, Scene},
    values::{at, by_external_id, new_client, person, response, saving, update_of},
};

const DAY_SECONDS: i64 = 24 * 60 * 60;

fn saved(body: &str) -> IdempotencyRecord {
    IdempotencyRecord { request_digest: body.repeat(43).chars().take(43).collect(), response: response(body) }
}

/// Saves an answer, and nothing else, under an idempotency key.
async fn save(scene: &Scene<'_>, firm: &Firm, second: i64, key: &str, body: &str) -> CaseResult {
    let decide = saving(ChangeSet { idempotency_record: Some(saved(body)), ..ChangeSet::default() });
    let idempotency_key = Some(key.to_owned());
    scene.change(ChangeRequest { idempotency_key, decide, ..scene.request(firm, at(second)) }).await?;
    Ok(())
}

async fn find(scene: &Scene<'_>, firm: &Firm, second: i64, key: &str) -> CaseResult<Option<IdempotencyRecord>> {
    let key = Some(key.to_owned());
    Ok(scene.snapshot_under_key(firm, at(second), Vec::new(), key).await?.idempotency_record)
}

/// A saved answer is found under its idempotency key for 24 hours, and then no more.
pub(super) async fn s11_saved_answer_is_found_for_a_day(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    save(&scene, &firm, 0, "k", "first").await?;
    save(&scene, &firm, 10, "other", "second").await?;
    for (second, key, expected) in [
        (1, "k", Some(saved("first"))),
        (1, "K", None),
        (DAY_SECONDS - 1, "k", Some(saved("first"))),
        (DAY_SECONDS - 1, "other", Some(saved("second"))),
        (DAY_SECONDS + 1, "k", None),
        (DAY_SECONDS + 1, "other", Some(saved("second"))),
    ] {
        ensure_eq!(
            find(&scene, &firm, second, key).await?,
            expected,
            "the answer saved under {key:?} after {second} s"
        );
    }
    save(&scene, &firm, DAY_SECONDS + 2, "k", "third").await?;
    let found = find(&scene, &firm, DAY_SECONDS + 3, "k").await?;
    ensure_eq!(found, Some(saved("third")), "an answer saved under a key whose answer had lapsed");
    Ok(())
}

/// The day is counted from the request's time, also where the commit had to take a later one
/// because the clock was set back; stores once disagreed by as much as it was.
pub(super) async fn s11_day_is_counted_from_the_time_of_the_request(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    save(&scene, &firm, 100, "ahead", "first").await?;
    save(&scene, &firm, 0, "k", "second").await?;
    for (second, expected) in [(DAY_SECONDS - 1, Some(saved("second"))), (DAY_SECONDS, None)] {
        let found = find(&scene, &firm, second, "k").await?;
        ensure_eq!(found, expected, "the answer of a clock that was set back, after {second} s");
    }
    Ok(())
}

/// Of two commits the first may have a clock that is ahead: what expired for it is found by the second. One store deleted
/// such an answer at once, so the request was done again.
pub(super) async fn s11_answer_of_a_clock_that_was_ahead_is_found_again(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    save(&scene, &firm, 0, "k", "first").await?;
    save(&scene, &firm, DAY_SECONDS + 1, "other", "second").await?;
    let found = find(&scene, &firm, DAY_SECONDS - 2, "k").await?;
    ensure_eq!(found, Some(saved("first")), "the answer after the clock was set back");
    Ok(())
}

/// A saved answer is the account's: another of its keys finds it, another account does not.
pub(super) async fn s11_saved_answer_belongs_to_its_account(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (ours, theirs) = (scene.firm().await?, scene.firm().await?);
    save(&scene, &ours, 0, "k", "first").await?;
    ensure_eq!(find(&scene, &theirs, 1, "k").await?, None, "another account finds a saved answer");
    let (_, key) = scene.key(ours.account, None).await?;
    let found = find(&scene, &Firm { key, ..ours }, 1, "k").await?;
    ensure_eq!(found, Some(saved("first")), "another key of the same account does not find a saved answer");
    Ok(())
}

/// A request whose answer was lost is sent to the store again under its id: what it changed once
/// it does not change twice. The store may hand back an answer or refuse.
pub(super) async fn s14_request_is_never_applied_twice(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(1), &[person("1")]).await?;
    let before = scene.show(&firm, ids[0]).await?;
    let change_set = ChangeSet {
        created: vec![new_client(scene.id(), person("2"))],
        updated: vec![update_of(&before, |fields| fields.city = Some("Springfield".into()))],
        ..ChangeSet::default()
    };
    let request_id = scene.id();
    let mut after_first = None;
    for second in [2, 3] {
        let lookup_keys = vec![by_external_id("1"), by_external_id("2")];
        let decide = saving(change_set.clone());
        let _ = scene
            .store
            .change(ChangeRequest { request_id, lookup_keys, decide, ..scene.request(&firm, at(second)) })
            .await;
        let mut clients =
            scene.snapshot(&firm, at(second), vec![by_external_id("1"), by_external_id("2")]).await?.clients;
        clients.sort_by_key(|client| client.id);
        let times: Vec<_> = clients.iter().map(|client| client.updated_at).collect();
        ensure_eq!(
            times,
            [at(2), at(2)],
            "the times of two clients that one request, sent {} times, changed",
            second - 1
        );
        ensure_eq!(after_first.get_or_insert(clients.clone()), &clients, "a request sent again changed something");
    }
    // An update alone has no new id that could be taken: only the request's id tells it apart.
    let now = scene.show(&firm, ids[0]).await?;
    let updated = vec![update_of(&now, |fields| fields.city = Some("Shelbyville".into()))];
    let change_set = ChangeSet { updated, ..ChangeSet::default() };
    let request_id = scene.id();
    for second in [4, 5] {
        let (lookup_keys, decide) = (vec![by_external_id("1")], saving(change_set.clone()));
        let _ = scene
            .store
            .change(ChangeRequest { request_id, lookup_keys, decide, ..scene.request(&firm, at(second)) })
            .await;
        let updated_at = scene.show(&firm, ids[0]).await?.updated_at;
        ensure_eq!(updated_at, at(4), "the time of a client that one request, sent {} times, changed", second - 3);
    }
    Ok(())
}
