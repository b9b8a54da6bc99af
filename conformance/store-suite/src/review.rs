//! What waits for review (S20).

use matterbook_core::{
    store::{
        AuthorKind, ChangeRequest, ChangeSet, LookupKey, NewReviewItem, OperatorAnswer, OperatorCommand,
        OperatorStore as _, Position, REVIEW_SEEN_EVERY_SECONDS, Refusal, Retention, ReviewChange, ReviewItem,
        ReviewStatus, review_ids,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, ensure, ensure_eq,
    scene::{Firm, Scene, unexpected},
    values::{MINUTE_SECONDS, UNKNOWN, at, by_external_id, clients_at, hash_of, new_client, person, saving},
};

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// What waits for the client with an external id.
fn item(firm: &Firm, external_id: &str, content: u128) -> NewReviewItem {
    let fields = person(external_id);
    let hash = hash_of(&fields);
    let id = review_ids(firm.account, Some(external_id), hash).first().copied().unwrap_or_default();
    NewReviewItem {
        id,
        status: ReviewStatus::Conflict,
        message: "It may be another \"person\".".to_owned(),
        sent: Some(format!(r#"{{"external_id":"{external_id}"}}"#)),
        content: Uuid::from_u128(content),
        candidates: Vec::new(),
        name_hash: None,
    }
}

async fn keep(scene: &Scene<'_>, firm: &Firm, now: Timestamp, review: ReviewChange) -> CaseResult<Uuid> {
    let change_set = ChangeSet { review, ..ChangeSet::default() };
    let request = scene.request(firm, now);
    let id = request.request_id;
    scene.change(ChangeRequest { decide: saving(change_set), ..request }).await?;
    Ok(id)
}

fn items(items: Vec<NewReviewItem>) -> ReviewChange {
    ReviewChange { items, gone: Vec::new() }
}

/// A page of what waits, of things seen in the 90 days before a time.
async fn page(
    scene: &Scene<'_>,
    firm: &Firm,
    now: Timestamp,
    before: Option<Position>,
    limit: u32,
) -> CaseResult<(Vec<ReviewItem>, Option<Position>)> {
    let seen_since = Retention::default().review_since(now);
    let command = OperatorCommand::ListReview { account: firm.account, seen_since, before, limit };
    match scene.operate(now, "review.list", command).await? {
        OperatorAnswer::Review(items, next) => Ok((items, next)),
        other => Err(unexpected("what waits for review", &other)),
    }
}

async fn all(scene: &Scene<'_>, firm: &Firm, now: Timestamp) -> CaseResult<Vec<ReviewItem>> {
    Ok(page(scene, firm, now, None, 100).await?.0)
}

fn contents(items: &[ReviewItem]) -> Vec<NewReviewItem> {
    items.iter().map(|kept| kept.item.clone()).collect()
}

/// What a lookup of external ids is told that waits.
async fn waiting(scene: &Scene<'_>, firm: &Firm, external_ids: &[&str]) -> CaseResult<Vec<Uuid>> {
    let key = |external_id: &&str| LookupKey {
        fields: person(external_id),
        person: hash_of(&person(external_id)),
        ..by_external_id(external_id)
    };
    let mut waiting = scene.snapshot(firm, at(900), external_ids.iter().map(key).collect()).await?.waiting;
    waiting.sort_unstable();
    Ok(waiting)
}

pub(super) async fn s20_item_is_kept_with_its_source_and_is_no_commit(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let mut candidates = scene.create(&firm, at(0), &[person("1"), person("2")]).await?;
    // In the order in which they are kept.
    candidates.reverse();
    let [a, b] = [("a", 1), ("b", 2)].map(|(external_id, content)| NewReviewItem {
        candidates: candidates.clone(),
        ..item(&firm, external_id, content)
    });
    let before = scene.walk_clients(&firm, clients_at(at(600))).await?;
    let request = keep(&scene, &firm, at(100), items(vec![a.clone(), b.clone()])).await?;
    let kept = all(&scene, &firm, at(200)).await?;
    ensure_eq!(contents(&kept), [b, a], "what waits, the latest first");
    for kept in &kept {
        ensure_eq!((kept.request_id, kept.import_id, kept.by.kind), (request, None, AuthorKind::Key), "who sent it");
        ensure!(kept.by.label.is_some(), "a key has no label");
        ensure_eq!((kept.first_seen_at, kept.last_seen_at), (at(100), at(100)), "when it came");
    }
    ensure_eq!(scene.walk_clients(&firm, clients_at(at(600))).await?, before, "the clients");
    let show = OperatorCommand::ShowAccount { account: firm.account };
    let OperatorAnswer::Account(account) = scene.operate(at(200), "account.show", show).await? else {
        return Err(super::Failure("the account is not shown".to_owned()));
    };
    ensure_eq!(account.last_commit_at, Some(at(0)), "the last commit, which review is not");
    Ok(())
}

pub(super) async fn s20_item_with_the_same_content_keeps_its_first_time(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let first = keep(&scene, &firm, at(0), items(vec![item(&firm, "a", 1)])).await?;
    keep(&scene, &firm, at(100), items(vec![item(&firm, "b", 1)])).await?;
    keep(&scene, &firm, at(200), items(vec![item(&firm, "a", 1)])).await?;
    let seen = |items: &[ReviewItem]| {
        items.iter().map(|kept| (kept.item.content, kept.first_seen_at, kept.last_seen_at)).collect::<Vec<_>>()
    };
    let one = Uuid::from_u128(1);
    let kept = all(&scene, &firm, at(300)).await?;
    ensure_eq!(seen(&kept), [(one, at(100), at(100)), (one, at(0), at(0))], "what waits, of which one came again soon");
    ensure_eq!(kept.last().map(|kept| kept.request_id), Some(first), "the request of what came again soon");
    let night = at(REVIEW_SEEN_EVERY_SECONDS);
    keep(&scene, &firm, night, items(vec![item(&firm, "a", 1)])).await?;
    let kept = all(&scene, &firm, night).await?;
    ensure_eq!(
        seen(&kept),
        [(one, at(0), night), (one, at(100), at(100))],
        "what waits, of which one came a night later"
    );
    keep(&scene, &firm, night, items(vec![item(&firm, "a", 2)])).await?;
    let kept = all(&scene, &firm, night).await?;
    let other = (Uuid::from_u128(2), night, night);
    ensure_eq!(seen(&kept), [other, (one, at(100), at(100))], "what waits, of which one came with other content");
    Ok(())
}

pub(super) async fn s20_item_goes_when_its_client_comes_well(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let other = scene.firm().await?;
    ensure_eq!(waiting(&scene, &firm, &["a", "b"]).await?, Vec::<Uuid>::new(), "what waits in a new account");
    let [a, b] = ["a", "b"].map(|external_id| item(&firm, external_id, 1));
    keep(&scene, &firm, at(100), items(vec![a.clone(), b.clone()])).await?;
    let mut both = vec![a.id, b.id];
    both.sort_unstable();
    ensure_eq!(waiting(&scene, &firm, &["a", "b", "c"]).await?, both, "what waits for looked up clients");
    ensure_eq!(waiting(&scene, &firm, &["b"]).await?, [b.id], "what waits for one client");
    ensure_eq!(waiting(&scene, &other, &["a", "b"]).await?, Vec::<Uuid>::new(), "what waits in another account");
    keep(&scene, &firm, at(200), ReviewChange { items: Vec::new(), gone: vec![a.id] }).await?;
    ensure_eq!(contents(&all(&scene, &firm, at(300)).await?), [b], "what waits");
    Ok(())
}

pub(super) async fn s20_item_is_shown_until_its_days_are_over(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    keep(&scene, &firm, at(0), items(vec![item(&firm, "a", 1)])).await?;
    let days = |days: i64| at(days * DAY_SECONDS);
    ensure_eq!(all(&scene, &firm, days(90)).await?.len(), 1, "what waits after 90 days");
    keep(&scene, &firm, days(50), items(vec![item(&firm, "b", 1)])).await?;
    let later = at(90 * DAY_SECONDS + 1);
    ensure_eq!(contents(&all(&scene, &firm, later).await?), [item(&firm, "b", 1)], "what waits a second later");
    Ok(())
}

pub(super) async fn s20_erased_client_takes_its_items_along(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let erased = scene.create(&firm, at(0), &[person("1")]).await?;
    let left = scene.create(&firm, at(10), &[person("2")]).await?;
    let plain = |external_id: &str| NewReviewItem { candidates: Vec::new(), ..item(&firm, external_id, 1) };
    let name_hash = hash_of(&person("1")).name;
    let other = NewReviewItem { candidates: left, ..plain("other") };
    let kept = vec![
        plain("1"),
        NewReviewItem { candidates: erased.clone(), ..plain("candidate") },
        NewReviewItem { name_hash, ..plain("namesake") },
        other.clone(),
    ];
    keep(&scene, &firm, at(100), items(kept)).await?;
    for client in erased {
        let command = OperatorCommand::EraseClient { account: firm.account, client };
        scene.operate(at(200), "client.erase", command).await?;
    }
    ensure_eq!(contents(&all(&scene, &firm, at(300)).await?), [other], "what waits after the erasure");
    Ok(())
}

/// Takes a request back; the request of the undo.
async fn undo(scene: &Scene<'_>, firm: &Firm, now: Timestamp, change: Uuid) -> CaseResult<Uuid> {
    let (account, client_delay_seconds) = (firm.account, MINUTE_SECONDS);
    let command = OperatorCommand::UndoChange { account, change, after: None, client_delay_seconds, dry_run: false };
    let entry = scene.entry(now, "change.undo");
    let id = entry.request_id;
    match scene.store.operate(command, entry).await? {
        OperatorAnswer::Undone(_) => Ok(id),
        other => Err(unexpected("an undo", &other)),
    }
}

/// A new client and the request that created it.
async fn created(scene: &Scene<'_>, firm: &Firm, now: Timestamp, external_id: &str) -> CaseResult<(Uuid, Uuid)> {
    let client = new_client(scene.id(), person(external_id));
    let id = client.id;
    let request = scene.request(firm, now);
    let request_id = request.request_id;
    let decide = saving(ChangeSet { created: vec![client], ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..request }).await?;
    Ok((id, request_id))
}

pub(super) async fn s20_candidate_that_an_undo_removed_is_named_once_it_is_back(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let stays = scene.create(&firm, at(0), &[person("1")]).await?;
    let (client, request) = created(&scene, &firm, at(50), "2").await?;
    let candidates = vec![client, stays.first().copied().unwrap_or_default()];
    let kept = NewReviewItem { candidates: candidates.clone(), ..item(&firm, "a", 1) };
    // What was sent of the removed client itself is still not saved.
    let own = item(&firm, "2", 2);
    keep(&scene, &firm, at(100), items(vec![kept.clone(), own.clone()])).await?;
    ensure_eq!(contents(&all(&scene, &firm, at(150)).await?), [own.clone(), kept.clone()], "what waits");
    let undone = undo(&scene, &firm, at(200), request).await?;
    let left = NewReviewItem { candidates: stays, ..kept.clone() };
    ensure_eq!(contents(&all(&scene, &firm, at(300)).await?), [own.clone(), left], "what waits after the undo");
    undo(&scene, &firm, at(400), undone).await?;
    ensure_eq!(contents(&all(&scene, &firm, at(500)).await?), [own, kept], "what waits once the client is back");
    Ok(())
}

pub(super) async fn s20_erased_client_that_an_undo_removed_takes_its_items_along(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let (client, request) = created(&scene, &firm, at(0), "1").await?;
    let name_hash = hash_of(&person("1")).name;
    let other = item(&firm, "other", 1);
    let kept = vec![
        item(&firm, "1", 1),
        NewReviewItem { candidates: vec![client], ..item(&firm, "candidate", 1) },
        NewReviewItem { name_hash, ..item(&firm, "namesake", 1) },
        other.clone(),
    ];
    keep(&scene, &firm, at(100), items(kept)).await?;
    undo(&scene, &firm, at(200), request).await?;
    ensure_eq!(all(&scene, &firm, at(250)).await?.len(), 4, "what waits after the undo");
    let erase = OperatorCommand::EraseClient { account: firm.account, client };
    scene.operate(at(300), "client.erase", erase).await?;
    ensure_eq!(contents(&all(&scene, &firm, at(400)).await?), [other], "what waits after the erasure");
    Ok(())
}

pub(super) async fn list_review_in_pages_of_one_account(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let other = scene.firm().await?;
    let [a, b, c] = ["a", "b", "c"].map(|external_id| item(&firm, external_id, 1));
    keep(&scene, &firm, at(100), items(vec![a.clone(), b.clone(), c.clone()])).await?;
    keep(&scene, &other, at(100), items(vec![item(&other, "a", 1)])).await?;
    let (first, next) = page(&scene, &firm, at(200), None, 2).await?;
    ensure_eq!(contents(&first), [c, b], "the first page");
    ensure!(next.is_some(), "the first page ends the list");
    let (second, next) = page(&scene, &firm, at(200), next, 2).await?;
    ensure_eq!((contents(&second), next), (vec![a], None), "the last page");
    let unknown = OperatorCommand::ListReview { account: UNKNOWN, seen_since: at(0), before: None, limit: 5 };
    scene.refuses(unknown, Refusal::NoAccount).await
}
