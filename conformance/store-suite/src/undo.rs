//! The undo of a change (S19).

use matterbook_core::{
    client::{Client, ClientFields},
    matching::MatchKey,
    normalize::Field,
    store::{
        ChangeRequest, ChangeSet, ClientUpdate, Decide, Decided, LookupKey, NewClient, OperatorAnswer, OperatorCommand,
        OperatorStore as _, Refusal, SettlementChange, Snapshot,
    },
    time::Timestamp,
    undo::{LeftReason, UndoReport},
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, ensure, ensure_eq,
    scene::{Firm, Scene, unexpected},
    values::{
        MINUTE_SECONDS, UNKNOWN, at, by_external_id, clients_at, date, new_client, person, response, saving, update_of,
    },
};

/// Takes a request back; what it did, and the request of the undo.
async fn undo(scene: &Scene<'_>, firm: &Firm, now: Timestamp, request: Uuid) -> CaseResult<(UndoReport, Uuid)> {
    let command = command(firm, request, false);
    let entry = scene.entry(now, "change.undo");
    let id = entry.request_id;
    match scene.store.operate(command, entry).await? {
        OperatorAnswer::Undone(report) => Ok((*report, id)),
        other => Err(unexpected("an undo", &other)),
    }
}

fn command(firm: &Firm, request: Uuid, dry_run: bool) -> OperatorCommand {
    let (account, client_delay_seconds) = (firm.account, MINUTE_SECONDS);
    OperatorCommand::UndoChange { account, change: request, after: None, client_delay_seconds, dry_run }
}

/// Changes clients and creates others in one commit; the request.
async fn change(
    scene: &Scene<'_>,
    firm: &Firm,
    now: Timestamp,
    edited: &[&str],
    edit: fn(&mut ClientFields),
    created: Vec<NewClient>,
) -> CaseResult<Uuid> {
    let lookup_keys = edited.iter().map(|external_id| by_external_id(external_id)).collect();
    let decide: Decide = Box::new(move |snapshot: &Snapshot| {
        let updated: Vec<ClientUpdate> = snapshot.clients.iter().map(|client| update_of(client, edit)).collect();
        let change_set = ChangeSet { updated, created: created.clone(), ..ChangeSet::default() };
        Decided { change_set, response: response("changed") }
    });
    let request = scene.request(firm, now);
    let id = request.request_id;
    scene.change(ChangeRequest { lookup_keys, decide, ..request }).await?;
    Ok(id)
}

/// All clients of the account, without a delay.
async fn all(scene: &Scene<'_>, firm: &Firm) -> CaseResult<Vec<Client>> {
    let mut query = clients_at(at(0));
    query.view.delay_seconds = 0;
    let mut clients = scene.walk_clients(firm, query).await?;
    clients.sort_by_key(|client| client.id);
    Ok(clients)
}

/// Clients without the time of their last change, which an undo moves.
fn timeless(clients: &[Client]) -> Vec<Client> {
    let timeless = |client: &Client| Client { updated_at: Timestamp::default(), ..client.clone() };
    clients.iter().map(timeless).collect()
}

fn everything(fields: &mut ClientFields) {
    for (field, text) in fields.texts_mut() {
        if field != Field::ExternalId {
            *text = Some(format!("new {}", field.name()).into());
        }
    }
    fields.zip = Some("60601".into());
    fields.opened_on = "2026-01-31".parse().ok();
}

/// Right after a change its undo gives every client back as it was, and the undo of the undo makes the change again.
pub(super) async fn s19_undo_is_the_identity_and_can_be_undone(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(0), &[person("1"), person("2"), person("3")]).await?;
    let before = all(&scene, &firm).await?;
    let created = ["4", "5"].map(|external_id| new_client(scene.id(), person(external_id)));
    let request = change(&scene, &firm, at(100), &["1", "2"], everything, created.to_vec()).await?;
    let after = all(&scene, &firm).await?;
    let (report, first) = undo(&scene, &firm, at(200), request).await?;
    ensure!(report.undo.left.is_empty(), "an undo right after the change leaves {:?}", report.undo.left);
    ensure_eq!((report.undo.updated.len(), report.undo.removed.len()), (2, 2), "the clients of the undo");
    ensure_eq!(timeless(&all(&scene, &firm).await?), timeless(&before), "the clients after the undo");
    let (report, second) = undo(&scene, &firm, at(300), first).await?;
    ensure!(report.undo.left.is_empty(), "the undo of an undo leaves {:?}", report.undo.left);
    ensure_eq!((report.undo.updated.len(), report.undo.restored.len()), (2, 2), "the clients of the undo of the undo");
    ensure_eq!(timeless(&all(&scene, &firm).await?), timeless(&after), "the clients after the undo of the undo");
    undo(&scene, &firm, at(400), second).await?;
    ensure_eq!(timeless(&all(&scene, &firm).await?), timeless(&before), "the clients after the third undo");
    // Each is found by its external id as before.
    for external_id in ["1", "2", "3"] {
        let found = scene.snapshot(&firm, at(500), vec![by_external_id(external_id)]).await?.clients;
        ensure_eq!(found.len(), 1, "clients with the external id {external_id}");
    }
    Ok(())
}

/// What a later change wrote stays and is named.
pub(super) async fn s19_undo_leaves_what_a_later_change_wrote(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1")]).await?;
    let set = |fields: &mut ClientFields| {
        fields.phone = Some("+12175550100".into());
        fields.city = Some("Peoria".into());
    };
    let created = vec![new_client(scene.id(), person("2"))];
    let new = created[0].id;
    let request = change(&scene, &firm, at(100), &["1"], set, created).await?;
    change(&scene, &firm, at(200), &["1", "2"], |fields| fields.city = Some("Joliet".into()), Vec::new()).await?;
    // A change back is a later change, too.
    change(&scene, &firm, at(300), &["1"], |fields| fields.city = Some("Peoria".into()), Vec::new()).await?;
    let (report, _) = undo(&scene, &firm, at(400), request).await?;
    let left: Vec<_> = report.undo.left.iter().map(|left| (left.client, left.field, left.reason)).collect();
    let mut expected =
        vec![(ids[0], Some(Field::City), LeftReason::ChangedSince), (new, None, LeftReason::ChangedSince)];
    expected.sort_by_key(|(client, ..)| *client);
    ensure_eq!(left, expected, "what the undo leaves");
    let shown = scene.show(&firm, ids[0]).await?.fields;
    ensure_eq!((shown.phone, shown.city), (None, Some("Peoria".into())), "phone and city after the undo");
    scene.show(&firm, new).await?;
    Ok(())
}

/// Letters that a change turned off stay off, and settlements stay.
pub(super) async fn s19_undo_turns_no_letters_on_and_takes_no_settlement_back(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1")]).await?;
    let request = change(&scene, &firm, at(100), &["1"], |fields| fields.do_not_mail = true, Vec::new()).await?;
    let (report, _) = undo(&scene, &firm, at(200), request).await?;
    let reasons: Vec<_> = report.undo.left.iter().map(|left| left.reason).collect();
    ensure_eq!(reasons, [LeftReason::DoNotMail], "what the undo leaves");
    ensure!(scene.show(&firm, ids[0]).await?.fields.do_not_mail, "an undo turned letters on");
    let mut settled = person("2");
    settled.settled_on = Some(date("2026-01-05")?);
    let new = new_client(scene.id(), settled);
    let begun = SettlementChange::Begun {
        id: scene.id(),
        client: new.id,
        settled_on: date("2026-01-05")?,
        former_dates: Vec::new(),
    };
    let client = new.id;
    let decide = saving(ChangeSet { created: vec![new], settlements: vec![begun], ..ChangeSet::default() });
    let request = scene.request(&firm, at(300));
    let id = request.request_id;
    scene.change(ChangeRequest { decide, ..request }).await?;
    let (report, _) = undo(&scene, &firm, at(400), id).await?;
    let left: Vec<_> = report.undo.left.iter().map(|left| (left.client, left.reason)).collect();
    ensure_eq!(left, [(client, LeftReason::Settlement)], "what the undo of a settlement leaves");
    ensure_eq!(scene.settlements(&firm).await?.len(), 1, "settlements in the feed");
    Ok(())
}

/// A person who was removed with letters off gets none when it is sent again, and an erasure removes what is kept.
pub(super) async fn s19_removed_client_keeps_letters_off_and_can_be_erased(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let mut stopped = person("1");
    stopped.do_not_mail = true;
    let new = new_client(scene.id(), stopped.clone());
    let client = new.id;
    let request = change(&scene, &firm, at(100), &[], |_| {}, vec![new]).await?;
    let (_, first) = undo(&scene, &firm, at(200), request).await?;
    let tombstones = scene.tombstones(&firm, firm.account, at(300), &[stopped]).await?;
    ensure!(tombstones.iter().any(|tombstone| tombstone.do_not_mail), "no tombstone keeps letters off");
    let command = OperatorCommand::ShowClient { account: firm.account, client };
    scene.refuses(command, Refusal::NoClient).await?;
    let erase = OperatorCommand::EraseClient { account: firm.account, client };
    let answer = scene.operate(at(400), "client.erase", erase.clone()).await?;
    ensure_eq!(answer, OperatorAnswer::Erased, "the erasure of a removed client");
    let (report, _) = undo(&scene, &firm, at(500), first).await?;
    ensure!(report.undo.is_empty(), "an erased client is brought back");
    scene.refuses(erase, Refusal::NoClient).await
}

/// An external id that another client has by then is not given back.
pub(super) async fn s19_undo_takes_no_external_id_from_another_client(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let request = change(&scene, &firm, at(100), &[], |_| {}, vec![new_client(scene.id(), person("1"))]).await?;
    let (_, first) = undo(&scene, &firm, at(200), request).await?;
    scene.create(&firm, at(300), &[person("1")]).await?;
    let (report, _) = undo(&scene, &firm, at(400), first).await?;
    let reasons: Vec<_> = report.undo.left.iter().map(|left| left.reason).collect();
    ensure_eq!(reasons, [LeftReason::ExternalIdTaken], "what the undo leaves");
    ensure_eq!(all(&scene, &firm).await?.len(), 1, "clients");
    Ok(())
}

/// A removed person who was sent again since is not brought back: there would be two.
pub(super) async fn s19_undo_brings_no_client_back_that_was_sent_again(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let unnumbered = |name: &str| ClientFields { external_id: None, first_name: Some(name.into()), ..person("1") };
    let created = ["Ada", "Bea"].map(|name| new_client(scene.id(), unnumbered(name)));
    let [again, back] = [created[0].id, created[1].id];
    let request = change(&scene, &firm, at(100), &[], |_| {}, created.to_vec()).await?;
    let (_, first) = undo(&scene, &firm, at(200), request).await?;
    // With an external id of its own it is the same person all the same.
    let numbered = ClientFields { external_id: Some("7".into()), ..unnumbered("Ada") };
    let new = scene.create(&firm, at(300), &[numbered]).await?[0];
    let tried = scene.operate(at(400), "change.undo", command(&firm, first, true)).await?;
    let (report, second) = undo(&scene, &firm, at(400), first).await?;
    ensure_eq!(tried, OperatorAnswer::Undone(Box::new(report.clone())), "what a dry run shows");
    let left: Vec<_> = report.undo.left.iter().map(|left| (left.client, left.reason)).collect();
    ensure_eq!(left, [(again, LeftReason::SentAgain)], "what the undo leaves");
    let mut expected = vec![new, back];
    expected.sort();
    let ids: Vec<_> = all(&scene, &firm).await?.iter().map(|client| client.id).collect();
    ensure_eq!(ids, expected, "the clients");
    // What was brought back and changed since is named by the next undo, and stays.
    let bea = MatchKey::of(&unnumbered("Bea")).hash();
    let wanted = vec![LookupKey { person: bea, ..LookupKey::default() }];
    let decide: Decide = Box::new(move |snapshot: &Snapshot| {
        let set = |fields: &mut ClientFields| fields.city = Some("Joliet".into());
        let updated = snapshot.clients.iter().map(|client| update_of(client, set)).collect();
        Decided { change_set: ChangeSet { updated, ..ChangeSet::default() }, response: response("changed") }
    });
    scene.change(ChangeRequest { lookup_keys: wanted, decide, ..scene.request(&firm, at(500)) }).await?;
    let (report, _) = undo(&scene, &firm, at(600), second).await?;
    let left: Vec<_> = report.undo.left.iter().map(|left| (left.client, left.reason)).collect();
    ensure_eq!(left, [(back, LeftReason::ChangedSince)], "what the undo of the return leaves");
    Ok(())
}

/// An undo is hidden for the delay as every change is, is a commit, and is logged; a dry run is nothing of it.
pub(super) async fn undo_change_is_a_change_of_the_account(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let ids = scene.create(&firm, at(0), &[person("1")]).await?;
    let set = |fields: &mut ClientFields| fields.city = Some("Peoria".into());
    let request = change(&scene, &firm, at(100), &["1"], set, Vec::new()).await?;
    let tried = scene.operate(at(200), "change.undo", command(&firm, request, true)).await?;
    let OperatorAnswer::Undone(tried) = tried else { return Err(unexpected("a dry run", &tried)) };
    ensure_eq!(scene.show(&firm, ids[0]).await?.updated_at, at(100), "the last change after a dry run");
    let (done, _) = undo(&scene, &firm, at(200), request).await?;
    ensure_eq!(*tried, done, "what a dry run shows, compared with what is done");
    ensure_eq!(done.change.at, at(100), "the time of the change");
    ensure_eq!((done.change.created, done.change.changed), (0, 1), "the clients of the change");
    ensure_eq!(scene.show(&firm, ids[0]).await?.updated_at, at(200), "the last change after the undo");
    let delayed = scene.walk_clients(&firm, clients_at(at(230))).await?;
    ensure_eq!(delayed[0].fields.city, Some("Peoria".into()), "the list while the undo is too young");
    scene.refuses(command(&firm, UNKNOWN, false), Refusal::NoChange).await?;
    scene.refuses(command(&other, request, false), Refusal::NoChange).await?;
    let unknown = Firm { account: UNKNOWN, ..firm };
    scene.refuses(command(&unknown, request, true), Refusal::NoAccount).await
}
