//! The undo of an import, and of a change by a person (S19, S36, S37).

use matterbook_core::{
    account::Role,
    client::ClientFields,
    normalize::Field,
    store::{
        AuthorKind, Authority, ChangeRequest, ChangeSet, ClientUpdate, ConsoleAnswer, ConsoleCommand, ConsoleRefusal,
        Decide, Decided, ImportCounts, ImportProgress, NewClient, NewImport, OperatorAnswer, OperatorCommand,
        SessionAuthority, Snapshot, Store as _,
    },
    undo::{LeftReason, UndoReport},
    uuid::Uuid,
};

use super::{
    super::{
        CaseResult, ensure, ensure_eq,
        scene::{Firm, unexpected},
        values::{MINUTE_SECONDS, at, by_external_id, clients_at, new_client, person, response, update_of},
    },
    person::{ConsoleScene, Person, instead},
};

/// The id of a request at a time: it begins with that time, as every request's does.
fn request_id(scene: &ConsoleScene<'_>, seconds: i64) -> Uuid {
    let millis = u128::try_from(at(seconds).micros() / 1_000).unwrap_or_default();
    Uuid::from_u128(millis << 80 | scene.id().as_u128() & ((1 << 80) - 1))
}

/// Changes clients and creates others, as a batch of an import or as a change of its own; the request.
async fn change(
    scene: &ConsoleScene<'_>,
    firm: &Firm,
    (session, import): (Person, Option<Uuid>),
    seconds: i64,
    (edited, edit): (&str, fn(&mut ClientFields)),
    created: Vec<NewClient>,
) -> CaseResult<Uuid> {
    let decide: Decide = Box::new(move |snapshot: &Snapshot| {
        let updated: Vec<ClientUpdate> = snapshot.clients.iter().map(|client| update_of(client, edit)).collect();
        let progress = ImportProgress { rows: 1, counts: ImportCounts { updated: 1, ..ImportCounts::default() } };
        let import = import.map(|_| progress);
        let change_set = ChangeSet { updated, created: created.clone(), import, ..ChangeSet::default() };
        Decided { change_set, response: response("changed") }
    });
    let authority = Authority::Session(SessionAuthority { session: session.session, import });
    let lookup_keys = vec![by_external_id(edited)];
    let request_id = request_id(scene, seconds);
    let request = ChangeRequest { authority, lookup_keys, decide, request_id, ..scene.request(firm, at(seconds)) };
    ensure!(scene.store.change(request).await?.is_some(), "an open session is unknown");
    Ok(request_id)
}

async fn begin(scene: &ConsoleScene<'_>, session: Person, seconds: i64) -> CaseResult<Uuid> {
    let (id, file_name) = (scene.id(), "clients.csv".to_owned());
    let import = NewImport { id, file_name, digest: "d".repeat(64), rows: 9, mapping: "{}".to_owned() };
    match scene.ask(session, at(seconds), ConsoleCommand::BeginImport { import }).await? {
        ConsoleAnswer::Import(import, _) => Ok(import.id),
        other => Err(instead("an import", &other)),
    }
}

fn undo(change: Uuid, after: Option<Uuid>, dry_run: bool) -> ConsoleCommand {
    ConsoleCommand::UndoChange { change, after, client_delay_seconds: MINUTE_SECONDS, dry_run }
}

async fn undone(
    scene: &ConsoleScene<'_>,
    session: Person,
    seconds: i64,
    command: ConsoleCommand,
) -> CaseResult<UndoReport> {
    match scene.ask(session, at(seconds), command).await? {
        ConsoleAnswer::Undone(report) => Ok(*report),
        other => Err(instead("an undo", &other)),
    }
}

/// The batches of an import are undone one by one, the latest first, as one change: a client that two of them changed
/// gets the values of before both. What others wrote stays, and a second undo finds nothing more to do.
pub(super) async fn s37_import_is_undone_batch_by_batch_as_one_change(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let session = scene.session(firm.owner, at(1)).await?;
    let before = scene.create(&firm, at(2), &[person("1"), person("2")]).await?;
    let import = begin(&scene, session, 10).await?;
    let of_import = (session, Some(import));
    let new = new_client(scene.id(), person("3"));
    let new_id = new.id;
    let phone = |fields: &mut ClientFields| fields.phone = Some("+12175550100".into());
    let earlier = change(&scene, &firm, of_import, 20, ("1", phone), vec![new]).await?;
    // Somebody else's change of another field, in the midst of the import.
    let city = |fields: &mut ClientFields| fields.city = Some("Joliet".into());
    change(&scene, &firm, (session, None), 30, ("2", city), Vec::new()).await?;
    let again = |fields: &mut ClientFields| fields.phone = Some("+12175550111".into());
    let later = change(&scene, &firm, of_import, 40, ("1", again), Vec::new()).await?;
    let end = |fields: &mut ClientFields| {
        fields.city = Some("Aurora".into());
        fields.email = Some("ada@example.com".into());
    };
    let last = change(&scene, &firm, of_import, 50, ("2", end), Vec::new()).await?;
    let overwritten = |fields: &mut ClientFields| fields.email = Some("bea@example.com".into());
    change(&scene, &firm, (session, None), 60, ("2", overwritten), Vec::new()).await?;
    scene.ask(session, at(61), ConsoleCommand::EndImport { import }).await?;

    let tried = undone(&scene, session, 70, undo(import, None, true)).await?;
    let first = undone(&scene, session, 70, undo(import, None, false)).await?;
    ensure_eq!(tried, first, "what a dry run shows");
    ensure_eq!((first.change.request_id, first.next), (last, Some(last)), "the batch that is undone first");
    ensure_eq!(first.change.import_id, Some(import), "the import of a batch");
    let left: Vec<_> = first.undo.left.iter().map(|left| (left.client, left.field, left.reason)).collect();
    ensure_eq!(left, [(before[1], Some(Field::Email), LeftReason::ChangedSince)], "what the undo leaves");
    let second = undone(&scene, session, 71, undo(import, first.next, false)).await?;
    ensure_eq!((second.change.request_id, second.next), (later, Some(later)), "the batch that is undone next");
    let third = undone(&scene, session, 72, undo(import, second.next, false)).await?;
    ensure_eq!((third.change.request_id, third.next), (earlier, None), "the batch that is undone last");
    ensure_eq!(third.undo.removed.len(), 1, "clients that the last undo removes");
    let expected = [
        person("1"),
        ClientFields { city: Some("Joliet".into()), email: Some("bea@example.com".into()), ..person("2") },
    ];
    for (id, expected) in before.iter().zip(expected) {
        ensure_eq!(scene.show(&firm, *id).await?.fields, expected, "a client after the undo of an import");
    }
    let gone = OperatorCommand::ShowClient { account: firm.account, client: new_id };
    scene.refuses(gone, matterbook_core::store::Refusal::NoClient).await?;

    // The operator's undo of the same import has nothing left but what it leaves again.
    let mut after = None;
    for number in 0..3 {
        let (account, client_delay_seconds, dry_run) = (firm.account, MINUTE_SECONDS, false);
        let again = OperatorCommand::UndoChange { account, change: import, after, client_delay_seconds, dry_run };
        let answer = scene.operate(at(80 + number), "change.undo", again).await?;
        let OperatorAnswer::Undone(report) = answer else { return Err(unexpected("an undo", &answer)) };
        ensure!(report.undo.is_empty(), "a second undo of an import does {:?}", report.undo);
        after = report.next;
    }
    ensure_eq!(after, None, "the end of the batches");
    let stranger = scene.session(other.owner, at(81)).await?;
    scene.denies(stranger, at(81), undo(import, None, true), ConsoleRefusal::NoChange).await?;
    scene.denies(session, at(81), undo(import, Some(earlier), true), ConsoleRefusal::NoChange).await
}

/// A client that the undo of an import removes leaves every view at once, also as it was between two batches.
pub(super) async fn s19_removed_client_is_in_no_view_with_its_earlier_states(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let session = scene.session(firm.owner, at(1)).await?;
    let import = begin(&scene, session, 10).await?;
    let of_import = (session, Some(import));
    change(&scene, &firm, of_import, 20, ("none", |_| {}), vec![new_client(scene.id(), person("3"))]).await?;
    let moves = |fields: &mut ClientFields| fields.address_line1 = Some("9 Elm St".into());
    change(&scene, &firm, of_import, 100, ("3", moves), Vec::new()).await?;
    scene.ask(session, at(101), ConsoleCommand::EndImport { import }).await?;
    // A minute ago it was as the first batch had left it.
    let seen = scene.walk_clients(&firm, clients_at(at(110))).await?;
    ensure_eq!(seen.len(), 1, "clients in the delayed view before the undo");
    let later = undone(&scene, session, 110, undo(import, None, false)).await?;
    let earlier = undone(&scene, session, 111, undo(import, later.next, false)).await?;
    ensure_eq!(later.undo.removed.len() + earlier.undo.removed.len(), 1, "clients that the undo removes");
    for now in [112, 130, 159] {
        ensure_eq!(scene.walk_clients(&firm, clients_at(at(now))).await?, [], "the delayed view after the undo");
    }
    Ok(())
}

/// A person who undoes a change is its author, and finds it in the log; a dry run is not logged.
pub(super) async fn s36_person_who_undoes_a_change_is_its_author(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let login = scene.login(&firm, Role::Teammate).await?;
    let session = scene.session(login, at(1)).await?;
    let client = scene.create(&firm, at(2), &[person("1")]).await?[0];
    let city = |fields: &mut ClientFields| fields.city = Some("Joliet".into());
    let request = change(&scene, &firm, (session, None), 3, ("1", city), Vec::new()).await?;
    let before = super::super::log::whole_log(&scene, 100).await?.len();
    undone(&scene, session, 4, undo(request, None, true)).await?;
    ensure_eq!(super::super::log::whole_log(&scene, 100).await?.len(), before, "log entries after a dry run");
    undone(&scene, session, 5, undo(request, None, false)).await?;
    let log = super::super::log::whole_log(&scene, 100).await?;
    let entry = log.last().map(|entry| (entry.action.as_str(), entry.subject.clone()));
    ensure_eq!((log.len() - before, entry), (1, Some(("change.undo", request.to_string()))), "the log");
    let shown = scene.ask(session, at(6), ConsoleCommand::ShowClient { client }).await?;
    let ConsoleAnswer::Client(record) = shown else { return Err(instead("a client", &shown)) };
    ensure_eq!(record.client.fields, person("1"), "the client after the undo");
    let author = record.history.changes.first().and_then(|change| change.by.as_ref()).map(|by| by.kind);
    ensure_eq!(author, Some(AuthorKind::Login), "who made the undo");
    Ok(())
}
