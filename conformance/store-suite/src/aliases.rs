//! Decisions about what waits for review, and aliases (S21).

use matterbook_core::{
    client::ClientFields,
    id::IdMint,
    store::{
        Alias, ChangeRequest, ChangeSet, ClientFilter, ClientPageQuery, LookupKey, NewReviewItem, OperatorAnswer,
        OperatorCommand, OperatorStore as _, Refusal, ReviewChange, ReviewDecision, ReviewStatus,
    },
    time::Timestamp,
    undo::TurnedItem,
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, ensure, ensure_eq,
    scene::{Firm, Scene, unexpected},
    values::{MINUTE_SECONDS, UNKNOWN, at, by_external_id, clients_at, person, saving},
};

/// Keeps what was sent for review; the item.
async fn keep(scene: &Scene<'_>, firm: &Firm, now: Timestamp, sent: &str) -> CaseResult<Uuid> {
    let id = scene.id();
    let item = NewReviewItem {
        id,
        status: ReviewStatus::Conflict,
        message: "It may be another person.".to_owned(),
        sent: Some(sent.to_owned()),
        content: scene.id(),
        candidates: Vec::new(),
        name_hash: None,
    };
    let review = ReviewChange { items: vec![item], gone: Vec::new() };
    let decide = saving(ChangeSet { review, ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..scene.request(firm, now) }).await?;
    Ok(id)
}

fn command(scene: &Scene<'_>, firm: &Firm, now: Timestamp, item: Uuid, decision: ReviewDecision) -> OperatorCommand {
    let random = scene.id().as_u128().to_be_bytes();
    let random = std::array::from_fn(|place| random.get(place + 6).copied().unwrap_or_default());
    let mint = IdMint::new(now, random);
    OperatorCommand::ResolveReview { account: firm.account, item, decision, mint, client_delay_seconds: MINUTE_SECONDS }
}

/// Decides about an item; the client, and the request.
async fn decide(
    scene: &Scene<'_>,
    firm: &Firm,
    now: Timestamp,
    item: Uuid,
    decision: ReviewDecision,
) -> CaseResult<(Option<Uuid>, Uuid)> {
    let command = command(scene, firm, now, item, decision);
    let entry = scene.entry(now, "review.decide");
    let request = entry.request_id;
    match scene.store.operate(command, entry).await? {
        OperatorAnswer::Resolved(client) => Ok((client.map(|client| client.id), request)),
        other => Err(unexpected("a decision", &other)),
    }
}

async fn undo(scene: &Scene<'_>, firm: &Firm, now: Timestamp, request: Uuid) -> CaseResult<Uuid> {
    let (account, client_delay_seconds) = (firm.account, MINUTE_SECONDS);
    let command =
        OperatorCommand::UndoChange { account, change: request, after: None, client_delay_seconds, dry_run: false };
    let entry = scene.entry(now, "change.undo");
    let id = entry.request_id;
    match scene.store.operate(command, entry).await? {
        OperatorAnswer::Undone(report) => {
            ensure!(report.undo.left.is_empty(), "the undo leaves {:?}", report.undo.left);
            Ok(id)
        }
        other => Err(unexpected("an undo", &other)),
    }
}

/// What a lookup of an external id finds.
async fn found(scene: &Scene<'_>, firm: &Firm, external_id: &str) -> CaseResult<(Vec<Uuid>, Vec<Alias>)> {
    let snapshot = scene.snapshot(firm, at(900), vec![by_external_id(external_id)]).await?;
    Ok((snapshot.clients.iter().map(|client| client.id).collect(), snapshot.aliases))
}

async fn waiting(scene: &Scene<'_>, firm: &Firm) -> CaseResult<usize> {
    let command = OperatorCommand::ListReview { account: firm.account, seen_since: at(0), before: None, limit: 100 };
    match scene.operate(at(900), "review.list", command).await? {
        OperatorAnswer::Review(items, _) => Ok(items.len()),
        other => Err(unexpected("what waits for review", &other)),
    }
}

pub(super) async fn s21_alias_finds_its_client_and_its_settlements(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let other = scene.firm().await?;
    let client = scene.create(&firm, at(0), &[person("1")]).await?;
    let ids: Vec<Uuid> = client.clone();
    let Some(id) = ids.first().copied() else { return Ok(()) };
    let item =
        keep(&scene, &firm, at(100), r#"{"external_id":"b","phone":"2175550100","settled_on":"2026-01-05"}"#).await?;
    let (decided, request) = decide(&scene, &firm, at(200), item, ReviewDecision::Same(id)).await?;
    ensure_eq!(decided, Some(id), "the client of the decision");
    let alias = Alias { client: id, external_id: "b".into() };
    ensure_eq!(found(&scene, &firm, "b").await?, (ids.clone(), vec![alias.clone()]), "what the alias finds");
    ensure_eq!(found(&scene, &firm, "1").await?, (ids.clone(), Vec::new()), "what its own id finds");
    ensure_eq!(found(&scene, &other, "b").await?, (Vec::new(), Vec::new()), "what it finds in another account");
    let settling = LookupKey { settles: true, ..by_external_id("b") };
    let settlements = scene.snapshot(&firm, at(900), vec![settling]).await?.settlements;
    ensure_eq!(settlements.len(), 1, "the settlements that the alias finds");
    let shown = scene.show_to_operator(&firm, id).await?;
    let fields = (shown.fields.external_id.as_deref(), shown.fields.phone.as_deref());
    ensure_eq!(fields, (Some("1"), Some("+12175550100")), "the client");
    let list = OperatorCommand::ListHistory { account: firm.account, client: id, before: None, limit: 1 };
    match scene.operate(at(900), "client.history", list).await? {
        OperatorAnswer::History(history) => {
            let change = history.changes.first().map(|change| (change.request_id, change.alias.clone()));
            let given = change.as_ref().and_then(|(_, alias)| alias.as_ref()).map(|alias| alias.is_given);
            ensure_eq!(change.map(|(request, _)| request), Some(Some(request)), "the request of the change");
            ensure_eq!(given, Some(true), "whether the history shows the alias");
            Ok(())
        }
        other => Err(unexpected("a history", &other)),
    }
}

/// The clients that the listing shows for an external id at a time.
async fn listed(scene: &Scene<'_>, firm: &Firm, now: Timestamp, filter: ClientFilter) -> CaseResult<Vec<Uuid>> {
    let clients = scene.walk_clients(firm, ClientPageQuery { filter, ..clients_at(now) }).await?;
    Ok(clients.into_iter().map(|client| client.id).collect())
}

pub(super) async fn s21_listing_finds_a_client_by_its_alias_once_the_change_is_shown(
    store: AnyStore<'_>,
) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let other = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), person("2")]).await?;
    let Some(id) = ids.first().copied() else { return Ok(()) };
    let item = keep(&scene, &firm, at(100), r#"{"external_id":"b","phone":"2175550100"}"#).await?;
    let (_, request) = decide(&scene, &firm, at(200), item, ReviewDecision::Same(id)).await?;
    let by_alias = || ClientFilter { external_id: Some("b".into()), ..ClientFilter::default() };
    ensure_eq!(listed(&scene, &firm, at(230), by_alias()).await?, Vec::<Uuid>::new(), "who is listed within the delay");
    ensure_eq!(listed(&scene, &firm, at(300), by_alias()).await?, [id], "who is listed after it");
    ensure_eq!(
        listed(&scene, &other, at(300), by_alias()).await?,
        Vec::<Uuid>::new(),
        "who is listed in another account"
    );
    let with_phone = |phone: &str| ClientFilter { phone: Some(phone.into()), ..by_alias() };
    ensure_eq!(listed(&scene, &firm, at(300), with_phone("+12175550100")).await?, [id], "who has the phone, too");
    ensure_eq!(
        listed(&scene, &firm, at(300), with_phone("+12175550101")).await?,
        Vec::<Uuid>::new(),
        "who has another phone"
    );
    // A later change within the delay shows the client as it was before, by the alias too.
    scene.update(&firm, at(400), "1", |fields| fields.city = Some("Peoria".into())).await?;
    let earlier = scene.walk_clients(&firm, ClientPageQuery { filter: by_alias(), ..clients_at(at(430)) }).await?;
    let cities: Vec<Option<&str>> = earlier.iter().map(|client| client.fields.city.as_deref()).collect();
    ensure_eq!(cities, [None], "the city within the delay");
    let find = OperatorCommand::FindClients { account: firm.account, filter: by_alias(), after: None, limit: 10 };
    match scene.operate(at(500), "client.find", find.clone()).await? {
        OperatorAnswer::Clients(clients, None) => {
            ensure_eq!(
                clients.iter().map(|client| client.id).collect::<Vec<_>>(),
                [id],
                "the client that the operator finds"
            );
        }
        other => return Err(unexpected("clients", &other)),
    }
    undo(&scene, &firm, at(600), request).await?;
    ensure_eq!(listed(&scene, &firm, at(900), by_alias()).await?, Vec::<Uuid>::new(), "who is listed after the undo");
    match scene.operate(at(900), "client.find", find).await? {
        OperatorAnswer::Clients(clients, None) if clients.is_empty() => Ok(()),
        other => Err(unexpected("no clients", &other)),
    }
}

pub(super) async fn s21_decision_can_be_undone_and_done_again(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1")]).await?;
    let Some(id) = ids.first().copied() else { return Ok(()) };
    let item = keep(&scene, &firm, at(100), r#"{"external_id":"b"}"#).await?;
    let (_, request) = decide(&scene, &firm, at(200), item, ReviewDecision::Same(id)).await?;
    ensure_eq!(waiting(&scene, &firm).await?, 0, "what waits after the decision");
    let first = undo(&scene, &firm, at(300), request).await?;
    ensure_eq!(found(&scene, &firm, "b").await?, (Vec::new(), Vec::new()), "what the alias finds after the undo");
    ensure_eq!(waiting(&scene, &firm).await?, 1, "what waits after the undo");
    undo(&scene, &firm, at(400), first).await?;
    ensure_eq!(found(&scene, &firm, "b").await?.0, ids, "what the alias finds after the undo of the undo");
    ensure_eq!(waiting(&scene, &firm).await?, 0, "what waits after the undo of the undo");
    let item = keep(&scene, &firm, at(500), r#"{"external_id":"c","last_name":"Kim"}"#).await?;
    let (created, request) = decide(&scene, &firm, at(600), item, ReviewDecision::Another).await?;
    ensure_eq!(found(&scene, &firm, "c").await?.0, created.into_iter().collect::<Vec<_>>(), "who was created");
    undo(&scene, &firm, at(700), request).await?;
    ensure_eq!(found(&scene, &firm, "c").await?.0, Vec::<Uuid>::new(), "who was created, after the undo");
    Ok(())
}

pub(super) async fn s21_left_item_waits_again_by_an_undo_which_can_be_undone(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(0), &[person("1")]).await?;
    let before = scene.walk_clients(&firm, clients_at(at(900))).await?;
    let item = keep(&scene, &firm, at(100), r#"{"external_id":"b"}"#).await?;
    let (_, mut request) = decide(&scene, &firm, at(200), item, ReviewDecision::Leave).await?;
    for (seconds, waits) in [(300, true), (400, false), (500, true)] {
        let (account, client_delay_seconds) = (firm.account, MINUTE_SECONDS);
        let show =
            OperatorCommand::UndoChange { account, change: request, after: None, client_delay_seconds, dry_run: true };
        match scene.operate(at(seconds), "change.undo", show).await? {
            OperatorAnswer::Undone(report) => {
                ensure_eq!(report.undo.item, Some(TurnedItem { id: item, waits }), "what an undo would do");
            }
            other => return Err(unexpected("what an undo would do", &other)),
        }
        request = undo(&scene, &firm, at(seconds), request).await?;
        ensure_eq!(waiting(&scene, &firm).await?, usize::from(waits), "what waits after the undo at {seconds}");
    }
    ensure_eq!(scene.walk_clients(&firm, clients_at(at(900))).await?, before, "the clients");
    // A decision that was made again since is no longer that of the first request.
    decide(&scene, &firm, at(600), item, ReviewDecision::Leave).await?;
    undo(&scene, &firm, at(700), request).await?;
    ensure_eq!(waiting(&scene, &firm).await?, 0, "what waits after the undo of an earlier decision");
    Ok(())
}

pub(super) async fn s21_erased_client_loses_its_aliases_and_keeps_their_digests(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let stopped = ClientFields { do_not_mail: true, ..person("1") };
    let Some(id) = scene.create(&firm, at(0), &[stopped]).await?.first().copied() else { return Ok(()) };
    let item = keep(&scene, &firm, at(100), r#"{"external_id":"b"}"#).await?;
    decide(&scene, &firm, at(200), item, ReviewDecision::Same(id)).await?;
    scene.operate(at(300), "client.erase", OperatorCommand::EraseClient { account: firm.account, client: id }).await?;
    ensure_eq!(found(&scene, &firm, "b").await?, (Vec::new(), Vec::new()), "what the alias finds after the erasure");
    let fields = ClientFields { external_id: Some("b".into()), ..ClientFields::default() };
    let tombstones = scene.tombstones(&firm, firm.account, at(400), &[fields]).await?;
    ensure_eq!(tombstones.iter().map(|one| one.do_not_mail).collect::<Vec<_>>(), [true], "the digest of the alias");
    Ok(())
}

pub(super) async fn resolve_review_refuses_what_it_cannot_do(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let other = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), person("2")]).await?;
    let theirs = scene.create(&other, at(0), &[person("1")]).await?;
    let [one, two] = [ids.first(), theirs.first()].map(|id| id.copied().unwrap_or_default());
    let refuses = async |item: Uuid, decision: ReviewDecision, refusal: Refusal| {
        scene.refuses(command(&scene, &firm, at(50), item, decision), refusal).await
    };
    refuses(UNKNOWN, ReviewDecision::Leave, Refusal::NoItem).await?;
    let item = keep(&scene, &firm, at(100), r#"{"external_id":"2","city":"Peoria"}"#).await?;
    refuses(item, ReviewDecision::Same(two), Refusal::NoClient).await?;
    refuses(item, ReviewDecision::Same(one), Refusal::ExternalIdTaken).await?;
    refuses(item, ReviewDecision::Another, Refusal::ExternalIdTaken).await?;
    let nameless = keep(&scene, &firm, at(200), r#"{"city":"Peoria"}"#).await?;
    refuses(nameless, ReviewDecision::Another, Refusal::Nameless).await?;
    let unreadable = keep(&scene, &firm, at(300), r#"{"last_name":"Kim","zip":"1"}"#).await?;
    refuses(unreadable, ReviewDecision::Another, Refusal::Unreadable).await?;
    refuses(unreadable, ReviewDecision::Same(one), Refusal::Unreadable).await?;
    ensure_eq!(waiting(&scene, &firm).await?, 3, "what waits");
    decide(&scene, &firm, at(400), unreadable, ReviewDecision::Leave).await?;
    refuses(unreadable, ReviewDecision::Leave, Refusal::NoItem).await?;
    let elsewhere = Firm { account: UNKNOWN, ..firm };
    let unknown = command(&scene, &elsewhere, at(50), item, ReviewDecision::Leave);
    scene.refuses(unknown, Refusal::NoAccount).await
}
