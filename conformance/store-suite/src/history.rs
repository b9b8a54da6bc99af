//! The history of a client (S18).

use matterbook_core::{
    plan::MatchedBy,
    store::{
        AuthorKind, ChangeAuthor, ChangeRequest, ChangeSet, ClientChange, ClientHistory, ClientUpdate, Decide, Decided,
        HistoryQuery, OperatorAnswer, OperatorCommand, Refusal, Store as _, View,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    scene::{Firm, Scene, unexpected},
    values::{MINUTE_SECONDS, UNKNOWN, at, by_external_id, person, response, update_of},
};

/// A page as a key is shown it, with the product's delay.
async fn page(
    scene: &Scene<'_>,
    firm: &Firm,
    client: Uuid,
    now: Timestamp,
    (before, limit): (Option<Timestamp>, u32),
) -> CaseResult<Option<ClientHistory>> {
    let view = View { now, delay_seconds: MINUTE_SECONDS };
    let query = HistoryQuery { client, view, before, limit };
    let page = scene.store.history(&firm.key, &query).await?;
    Ok(page.ok_or_else(|| Failure("a live key is unknown".to_owned()))?.history)
}

/// Gives a client another phone number; the id of the request.
async fn call(scene: &Scene<'_>, firm: &Firm, now: Timestamp, external_id: &str, phone: &str) -> CaseResult<Uuid> {
    let phone = Some(phone.into());
    let decide: Decide = Box::new(move |snapshot| {
        let update = |client| ClientUpdate {
            matched_by: Some(MatchedBy::ExternalId),
            ..update_of(client, |fields| fields.phone.clone_from(&phone))
        };
        let updated = snapshot.clients.iter().map(update).collect();
        Decided { change_set: ChangeSet { updated, ..ChangeSet::default() }, response: response("updated") }
    });
    let request = scene.request(firm, now);
    let id = request.request_id;
    scene.change(ChangeRequest { lookup_keys: vec![by_external_id(external_id)], decide, ..request }).await?;
    Ok(id)
}

fn times(history: &ClientHistory) -> Vec<Timestamp> {
    history.changes.iter().map(|change| change.at).collect()
}

/// Each change has the fields before and after it, its request, its author, and how the client was found.
pub(super) async fn s18_history_tells_each_change_and_its_author(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let client = scene.create(&firm, at(0), &[person("1")]).await?[0];
    let first = call(&scene, &firm, at(100), "1", "+12175550100").await?;
    let second = call(&scene, &firm, at(200), "1", "+12175550200").await?;
    let history = page(&scene, &firm, client, at(1_000), (None, 10)).await?.unwrap_or_default();
    ensure_eq!(times(&history), [at(200), at(100), at(0)], "the times of the changes");
    ensure_eq!(history.next, None, "what follows the first change");
    let with = |phone: &str| {
        let mut fields = person("1");
        fields.phone = Some(phone.into());
        fields
    };
    let [latest, earlier, created] = &history.changes[..] else { return Err(Failure("not three changes".to_owned())) };
    let told =
        |change: &ClientChange| (change.before.clone(), change.after.clone(), change.request_id, change.matched_by);
    let by_id = Some(MatchedBy::ExternalId);
    let expected = (Some(with("+12175550100")), with("+12175550200"), Some(second), by_id);
    ensure_eq!(told(latest), expected, "the latest change");
    ensure_eq!(told(earlier), (Some(person("1")), with("+12175550100"), Some(first), by_id), "the change before");
    ensure_eq!((&created.before, &created.after), (&None, &person("1")), "the change that created the client");
    ensure_eq!(created.matched_by, None, "how a client was found that was created");
    for change in &history.changes {
        let kind = change.by.as_ref().map(|by| by.kind);
        ensure_eq!(kind, Some(AuthorKind::Key), "who changed a client by a key");
        let label = change.by.as_ref().and_then(|by| by.label.as_deref());
        ensure!(label.is_some_and(|label| label.len() == 4), "a key without a label has {label:?} in its place");
    }
    Ok(())
}

/// A change is in the history once it is in the list, and a client that is too new has none.
pub(super) async fn s18_history_is_delayed_as_the_list_is(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let client = scene.create(&firm, at(0), &[person("1")]).await?[0];
    ensure_eq!(page(&scene, &firm, client, at(30), (None, 10)).await?, None, "of a client that is not shown yet");
    call(&scene, &firm, at(100), "1", "+12175550100").await?;
    let found = page(&scene, &firm, client, at(130), (None, 10)).await?.unwrap_or_default();
    ensure_eq!(times(&found), [at(0)], "while a change is not shown yet");
    let found = page(&scene, &firm, client, at(160), (None, 10)).await?.unwrap_or_default();
    ensure_eq!(times(&found), [at(100), at(0)], "once it is shown");
    Ok(())
}

/// Pages go on before the last change, and each change is on one of them.
pub(super) async fn s18_history_goes_on_before_a_time(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let client = scene.create(&firm, at(0), &[person("1"), person("2")]).await?[0];
    for change in 1..8 {
        call(&scene, &firm, at(change * 100), "1", &format!("+1217555010{change}")).await?;
        call(&scene, &firm, at(change * 100 + 1), "2", &format!("+1217555010{change}")).await?;
    }
    let expected: Vec<_> = (0..8).rev().map(|change| at(change * 100)).collect();
    for limit in [1, 3, 7, 8] {
        let (mut found, mut before) = (Vec::new(), None);
        for _ in 0..=expected.len() {
            let history = page(&scene, &firm, client, at(10_000), (before, limit)).await?.unwrap_or_default();
            ensure!(history.changes.len() <= limit as usize, "a page of {limit} has {}", history.changes.len());
            found.extend(times(&history));
            before = history.next;
            if before.is_none() {
                break;
            }
        }
        ensure_eq!(found, expected, "the changes in pages of {limit}");
    }
    Ok(())
}

/// Of a client of another account, or of none, there is no history.
pub(super) async fn s18_history_of_another_account_is_unknown(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let client = scene.create(&firm, at(0), &[person("1")]).await?[0];
    ensure_eq!(page(&scene, &other, client, at(1_000), (None, 10)).await?, None, "to another account");
    ensure_eq!(page(&scene, &firm, UNKNOWN, at(1_000), (None, 10)).await?, None, "of no client");
    Ok(())
}

/// The operator's changes are named so, and it sees them at once; of an erased client nothing is left.
pub(super) async fn list_history_as_of_now(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let mut stopped = person("1");
    stopped.do_not_mail = true;
    let client = scene.create(&firm, at(0), &[stopped]).await?[0];
    let mail_on = OperatorCommand::MailOn { account: firm.account, client, client_delay_seconds: MINUTE_SECONDS };
    scene.operate(at(100), "client.mail_on", mail_on).await?;
    let list = OperatorCommand::ListHistory { account: firm.account, client, before: None, limit: 10 };
    let OperatorAnswer::History(history) = scene.operate(at(101), "client.history", list.clone()).await? else {
        return Err(Failure("a history is answered otherwise".to_owned()));
    };
    ensure_eq!(times(&history), [at(100), at(0)], "the times of the changes");
    let operator = ChangeAuthor { kind: AuthorKind::Operator, label: Some("operator".to_owned()) };
    ensure_eq!(history.changes[0].by, Some(operator), "who turned letters on");
    let mail = history.changes.iter().map(|change| change.after.do_not_mail).collect::<Vec<_>>();
    ensure_eq!(mail, [false, true], "do_not_mail after each");
    let erase = OperatorCommand::EraseClient { account: firm.account, client };
    match scene.operate(at(200), "client.erase", erase).await? {
        OperatorAnswer::Erased => {}
        other => return Err(unexpected("an erasure", &other)),
    }
    ensure_eq!(page(&scene, &firm, client, at(130), (None, 10)).await?, None, "of an erased client");
    scene.refuses(list, Refusal::NoClient).await?;
    let other = scene.firm().await?;
    let client = scene.create(&other, at(300), &[person("1")]).await?[0];
    let list = |account| OperatorCommand::ListHistory { account, client, before: None, limit: 10 };
    scene.refuses(list(firm.account), Refusal::NoClient).await?;
    scene.refuses(list(UNKNOWN), Refusal::NoAccount).await
}
