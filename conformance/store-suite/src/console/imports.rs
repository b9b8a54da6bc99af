//! S37: people change clients, and send files in batches.

use matterbook_core::{
    account::Role,
    client::ClientFields,
    store::{
        Authority, ChangeOwner, ChangeRequest, ChangeSet, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, Decide,
        Decided, IMPORTS_KEPT, ImportCounts, ImportProgress, ImportRecord, ImportState, NewImport, OriginKind,
        Position, SessionAuthority, Snapshot, Store as _,
    },
    uuid::Uuid,
};

use super::{
    super::{
        CaseResult, Failure, ensure, ensure_eq,
        log::whole_log,
        scene::Firm,
        together::together,
        values::{at, by_external_id, new_client, person, response, saving, update_of},
    },
    person::{ConsoleScene, EMAIL, Person, instead},
};

/// A request of a session that looks up nothing and saves nothing.
fn request(scene: &ConsoleScene<'_>, firm: &Firm, session: Person, import: Option<Uuid>) -> ChangeRequest {
    let session = session.session;
    let authority = Authority::Session(SessionAuthority { session, import });
    ChangeRequest { authority, ..scene.request(firm, at(2)) }
}

fn file(scene: &ConsoleScene<'_>, digit: char, rows: u32) -> NewImport {
    NewImport {
        id: scene.id(),
        file_name: "clients.csv".to_owned(),
        digest: digit.to_string().repeat(64),
        rows,
        mapping: r#"{"Name":"last_name"}"#.to_owned(),
    }
}

async fn begin(
    scene: &ConsoleScene<'_>,
    session: Person,
    seconds: i64,
    import: NewImport,
) -> CaseResult<(ImportRecord, bool)> {
    match scene.ask(session, at(seconds), ConsoleCommand::BeginImport { import }).await? {
        ConsoleAnswer::Import(import, is_new) => Ok((*import, is_new)),
        other => Err(instead("an import", &other)),
    }
}

async fn show(scene: &ConsoleScene<'_>, session: Person, import: Uuid) -> CaseResult<ImportRecord> {
    match scene.ask(session, at(5), ConsoleCommand::ShowImport { import }).await? {
        ConsoleAnswer::Import(import, false) => Ok(*import),
        other => Err(instead("an import", &other)),
    }
}

/// A session changes clients as long as it is open; the decision sees who asks, and the client tells who created it.
pub(super) async fn s37_session_changes_clients_while_it_is_open(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    scene.create(&firm, at(0), &[person("known"), person("other")]).await?;
    let login = scene.login(&firm, Role::Teammate).await?;
    let session = scene.session(login, at(1)).await?;
    let new = scene.id();
    let (sender, seen) = std::sync::mpsc::channel();
    let decide: Decide = Box::new(move |snapshot: &Snapshot| {
        // The receiver outlives the request.
        let _ = sender.send(snapshot.clone());
        let updated =
            snapshot.clients.iter().map(|client| update_of(client, |fields| fields.city = Some("Reno".into())));
        let change_set = ChangeSet {
            created: vec![new_client(new, person("new"))],
            updated: updated.collect(),
            ..ChangeSet::default()
        };
        Decided { change_set, response: response("changed") }
    });
    // Found by its external id, found by name and place, and not found.
    let by_person = ClientFields { external_id: None, ..person("other") };
    let by_person =
        matterbook_core::store::LookupKey { person: super::super::values::hash_of(&by_person), ..Default::default() };
    let lookup_keys = vec![by_external_id("known"), by_person, by_external_id("new")];
    let asked = ChangeRequest { lookup_keys, decide, ..request(&scene, &firm, session, None) };
    ensure_eq!(scene.store.change(asked).await?, Some(response("changed")), "the answer to a session");
    let snapshot = seen.try_iter().last().ok_or_else(|| Failure("the decision was never asked".to_owned()))?;
    let is_teammate = match &snapshot.owner {
        ChangeOwner::Session(owner, None) => owner.login == login && owner.role == Role::Teammate,
        _ => false,
    };
    ensure!(is_teammate, "the decision does not see who asks: {:?}", snapshot.owner);
    ensure_eq!(snapshot.clients.len(), 2, "the clients that the keys of a session match");
    ensure_eq!(scene.show(&firm, new).await?.fields, person("new"), "the new client");
    let shown = scene.ask(session, at(3), ConsoleCommand::ShowClient { client: new }).await?;
    let ConsoleAnswer::Client(record) = shown else { return Err(instead("a client", &shown)) };
    let origin = record.created_by.map(|origin| (origin.kind, origin.name));
    ensure_eq!(origin, Some((OriginKind::Person, Some(EMAIL.to_owned()))), "who created the client");

    scene.ask(session, at(4), ConsoleCommand::SignOut).await?;
    let created = vec![new_client(scene.id(), person("late"))];
    for session in [session, Person { session: scene.new_session().digest }] {
        let decide = saving(ChangeSet { created: created.clone(), ..ChangeSet::default() });
        let asked = ChangeRequest { decide, ..request(&scene, &firm, session, None) };
        ensure_eq!(scene.store.change(asked).await?, None, "a session that is not open changes clients");
    }
    let late = scene.snapshot(&firm, at(5), vec![by_external_id("late")]).await?.clients;
    ensure!(late.is_empty(), "a session that is not open created a client");
    Ok(())
}

/// The progress of an import lands with its batch, or neither does; a batch of progress alone is a commit.
pub(super) async fn s37_batch_and_progress_land_together(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let session = scene.session(firm.owner, at(1)).await?;
    let (import, _) = begin(&scene, session, 1, file(&scene, 'a', 10)).await?;
    ensure_eq!((import.sent_rows, import.counts), (0, ImportCounts::default()), "a new import");
    let known = scene.create(&firm, at(1), &[person("known")]).await?;
    let counts = ImportCounts { created: 1, updated: 2, unchanged: 3, refused: 1 };
    let batch = |id| ChangeSet {
        created: vec![new_client(id, person("new"))],
        import: Some(ImportProgress { rows: 7, counts }),
        ..ChangeSet::default()
    };
    // The id of a known client cannot be saved.
    let asked =
        |change_set| ChangeRequest { decide: saving(change_set), ..request(&scene, &firm, session, Some(import.id)) };
    ensure!(scene.store.change(asked(batch(known[0]))).await.is_err(), "a client's id was taken twice");
    ensure_eq!(show(&scene, session, import.id).await?, import, "the import after a batch that was not saved");
    ensure!(scene.store.change(asked(batch(scene.id()))).await?.is_some(), "an open session is unknown");
    let advanced = ImportRecord { sent_rows: 7, counts, ..import.clone() };
    ensure_eq!(show(&scene, session, import.id).await?, advanced, "the import after a batch");

    let rest = ImportCounts { refused: 3, ..ImportCounts::default() };
    let alone = ChangeSet { import: Some(ImportProgress { rows: 3, counts: rest }), ..ChangeSet::default() };
    ensure!(scene.store.change(asked(alone)).await?.is_some(), "an open session is unknown");
    let counts = ImportCounts { refused: 4, ..counts };
    let done = ImportRecord { sent_rows: 10, counts, ..import };
    ensure_eq!(show(&scene, session, done.id).await?, done, "the import after a batch of progress alone");
    Ok(())
}

/// Of many batches for the same rows at once, one is applied: each sees how far the import is.
pub(super) async fn s37_same_rows_at_once_are_done_once(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let session = scene.session(firm.owner, at(1)).await?;
    let (import, _) = begin(&scene, session, 1, file(&scene, 'b', 5)).await?;
    let requests = (0..6).map(|_| {
        let decide: Decide = Box::new(|snapshot| {
            let expected = ImportState { rows: 5, sent_rows: 0, has_ended: false };
            let is_first = matches!(&snapshot.owner, ChangeOwner::Session(_, Some(state)) if *state == expected);
            let progress = ImportProgress { rows: 5, counts: ImportCounts { unchanged: 5, ..Default::default() } };
            let change_set = ChangeSet { import: is_first.then_some(progress), ..ChangeSet::default() };
            Decided { change_set, response: response(if is_first { "done" } else { "late" }) }
        });
        ChangeRequest { decide, ..request(&scene, &firm, session, Some(import.id)) }
    });
    let requests: Vec<_> = requests.collect();
    let answers = together(requests.into_iter().map(|request| scene.store.change(request))).await;
    let answers = answers.into_iter().collect::<Result<Vec<_>, _>>()?;
    let done = answers.iter().flatten().filter(|answer| answer.body == "done").count();
    ensure_eq!((done, show(&scene, session, import.id).await?.sent_rows), (1, 5), "batches applied, rows done");
    Ok(())
}

/// The same file goes on where it was, until the import ends; then it begins again. Both leave one entry in the log.
pub(super) async fn s37_same_file_goes_on_until_it_ends(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let login = scene.login(&firm, Role::Teammate).await?;
    let (owner, teammate) = (scene.session(firm.owner, at(1)).await?, scene.session(login, at(1)).await?);
    let stranger = scene.session(other.owner, at(1)).await?;
    let before = whole_log(&scene, 100).await?.len();
    let (first, is_new) = begin(&scene, teammate, 2, file(&scene, 'c', 9)).await?;
    ensure_eq!((is_new, first.email.as_deref()), (true, Some(EMAIL)), "a new import");
    let (again, is_new) = begin(&scene, owner, 3, file(&scene, 'c', 9)).await?;
    ensure_eq!((&again, is_new), (&first, false), "the same file");
    let (theirs, is_new) = begin(&scene, stranger, 3, file(&scene, 'c', 9)).await?;
    ensure!(is_new && theirs.id != first.id, "another account's file goes on here");
    let (import, refusal) = (first.id, ConsoleRefusal::NoImport);
    scene.denies(stranger, at(3), ConsoleCommand::ShowImport { import }, refusal).await?;
    scene.denies(stranger, at(3), ConsoleCommand::EndImport { import }, refusal).await?;
    let unseen = ChangeRequest { decide: sees_import(None), ..request(&scene, &other, stranger, Some(import)) };
    ensure_eq!(scene.store.change(unseen).await?, Some(response("so")), "another account sees the import");

    for seconds in [4, 5] {
        let ended = scene.ask(owner, at(seconds), ConsoleCommand::EndImport { import }).await?;
        let ConsoleAnswer::Import(ended, false) = ended else { return Err(instead("an import", &ended)) };
        ensure_eq!(ended.ended_at, Some(at(4)), "the first end of an import");
    }
    let state = ImportState { rows: 9, sent_rows: 0, has_ended: true };
    let seen = ChangeRequest { decide: sees_import(Some(state)), ..request(&scene, &firm, owner, Some(import)) };
    ensure_eq!(scene.store.change(seen).await?, Some(response("so")), "the decision sees the end");
    let (anew, is_new) = begin(&scene, owner, 6, file(&scene, 'c', 9)).await?;
    ensure!(is_new && anew.id != first.id, "an import that has ended goes on");
    let log = whole_log(&scene, 100).await?;
    let actions: Vec<_> = log.iter().skip(before).map(|entry| entry.action.as_str()).collect();
    ensure_eq!(
        actions,
        ["import.begin", "import.begin", "import.end", "import.end", "import.begin"],
        "the log of three imports, two ends and one file that goes on"
    );
    ensure!(log.iter().any(|entry| entry.subject == "clients.csv"), "the log does not name the file");
    Ok(())
}

/// A decision that says whether it sees the import so.
fn sees_import(expected: Option<ImportState>) -> Decide {
    Box::new(move |snapshot| {
        let is_so = matches!(&snapshot.owner, ChangeOwner::Session(_, state) if *state == expected);
        let body = if is_so { "so".to_owned() } else { format!("{:?}", snapshot.owner) };
        Decided { change_set: ChangeSet::default(), response: response(&body) }
    })
}

/// The newest imports are kept and listed, the newest first.
pub(super) async fn s37_newest_imports_are_kept(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let session = scene.session(firm.owner, at(1)).await?;
    let stranger = scene.session(other.owner, at(1)).await?;
    let (theirs, _) = begin(&scene, stranger, 1, file(&scene, 'f', 1)).await?;
    let mut begun = Vec::new();
    for number in 0..i64::from(IMPORTS_KEPT) + 3 {
        let import = NewImport { digest: format!("{number:064x}"), ..file(&scene, '0', 1) };
        begun.push(begin(&scene, session, 10 + number, import).await?.0.id);
    }
    let (mut listed, mut before): (Vec<Uuid>, Option<Position>) = (Vec::new(), None);
    loop {
        let command = ConsoleCommand::ListImports { before, limit: 70 };
        let answer = scene.ask(session, at(900), command).await?;
        let ConsoleAnswer::Imports(imports, next) = answer else { return Err(instead("imports", &answer)) };
        listed.extend(imports.iter().map(|import| import.id));
        before = next;
        if before.is_none() {
            break;
        }
    }
    let newest: Vec<_> = begun.iter().rev().take(IMPORTS_KEPT as usize).copied().collect();
    ensure_eq!(listed, newest, "the imports that are kept");
    ensure_eq!(show(&scene, stranger, theirs.id).await?, theirs, "another account's import");
    Ok(())
}
