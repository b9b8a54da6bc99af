//! S6 and S7: time grows with each commit of an account, and only with a commit.

use matterbook_core::{
    client::ClientFields,
    store::{ChangeRequest, ChangeSet, ClientPageQuery, IdempotencyRecord, OperatorCommand, SettlementChange, View},
    time::Timestamp,
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    scene::{Firm, Scene},
    values::{at, by_external_id, clients_at, date, new_client, person, response, saving},
};

/// Where the clock is ahead of the last commit, the commit has the clock's time.
pub(super) async fn s6_commit_has_the_time_of_its_request(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(1), &[person("1")]).await?;
    scene.update(&firm, at(5), "1", |fields| fields.city = Some("Springfield".into())).await?;
    let clients = scene.walk_clients(&firm, clients_at(at(100))).await?;
    let times: Vec<_> = clients.iter().map(|client| (client.created_at, client.updated_at)).collect();
    ensure_eq!(times, [(at(1), at(5))], "created_at and updated_at are not those of their commits");
    Ok(())
}

/// Many commits within one reading of the clock each have a time of their own.
pub(super) async fn s6_time_grows_while_the_clock_stands(store: AnyStore<'_>) -> CaseResult {
    times_grow(store, [at(1), at(1), at(1), at(1)]).await
}

/// A commit whose clock is behind the last one's still comes after it.
pub(super) async fn s6_time_grows_when_the_clock_is_set_back(store: AnyStore<'_>) -> CaseResult {
    times_grow(store, [at(10), at(7), at(9), at(1)]).await
}

/// Creates a client and lets each following time change it.
async fn times_grow(store: AnyStore<'_>, clocks: [Timestamp; 4]) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let [created_at, then, later, last] = clocks;
    scene.create(&firm, created_at, &[person("1")]).await?;
    let mut times = vec![latest(&scene, &firm).await?];
    for (now, city) in [(then, "Springfield"), (later, "Shelbyville"), (last, "Springfield")] {
        scene.update(&firm, now, "1", move |fields| fields.city = Some(city.into())).await?;
        times.push(latest(&scene, &firm).await?);
    }
    ensure!(
        times.is_sorted_by(|earlier, later| earlier < later),
        "the times of commits do not strictly grow: {times:?}"
    );
    ensure!(
        times.iter().all(|time| *time < clocks[0].plus_seconds(1)),
        "a commit with a clock behind is moved by more than it needs: {times:?}"
    );
    Ok(())
}

/// A saved answer is written, so it is a commit with a time of its own.
pub(super) async fn s6_saved_answer_alone_is_a_commit(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(10), &[person("1")]).await?;
    let saved = IdempotencyRecord { request_digest: "d".repeat(43), response: response("saved") };
    let decide = saving(ChangeSet { idempotency_record: Some(saved), ..ChangeSet::default() });
    let idempotency_key = Some("k".to_owned());
    scene.change(ChangeRequest { idempotency_key, decide, ..scene.request(&firm, at(10)) }).await?;
    scene.create(&firm, at(10), &[person("2")]).await?;
    let expected = at(10).next().next();
    ensure_eq!(latest(&scene, &firm).await?, expected, "the time of the commit after a saved answer");
    Ok(())
}

/// What the operator changes and erases are commits too: the next one comes after them, whatever the clocks say.
pub(super) async fn s6_operators_changes_are_commits(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let account = firm.account;
    let people = [ClientFields { do_not_mail: true, ..person("1") }, person("2")];
    let ids = scene.create(&firm, at(10), &people).await?;
    let mail_on = OperatorCommand::MailOn { account, client: ids[0], client_delay_seconds: 60 };
    scene.operate(at(7), "client.mail_on", mail_on).await?;
    ensure_eq!(latest(&scene, &firm).await?, at(10).next(), "the time of a client with letters on, the clock behind");
    scene.operate(at(7), "client.erase", OperatorCommand::EraseClient { account, client: ids[1] }).await?;
    scene.create(&firm, at(7), &[person("3")]).await?;
    let expected = at(10).next().next().next();
    ensure_eq!(latest(&scene, &firm).await?, expected, "the time of the commit after an erasure, the clock behind");
    Ok(())
}

async fn latest(scene: &Scene<'_>, firm: &Firm) -> CaseResult<Timestamp> {
    let query = ClientPageQuery { view: View { now: at(0), delay_seconds: 0 }, ..clients_at(at(0)) };
    let clients = scene.walk_clients(firm, query).await?;
    clients.last().map(|client| client.updated_at).ok_or_else(|| Failure("a saved client is not shown".to_owned()))
}

/// A settlement carries the time of the commit that began it, and of the one that corrected it.
pub(super) async fn s6_settlements_carry_the_time_of_their_commit(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let (client, id) = (scene.id(), scene.id());
    let begun = SettlementChange::Begun { id, client, settled_on: date("2026-01-01")?, former_dates: Vec::new() };
    let created = vec![new_client(client, person("1"))];
    let decide = saving(ChangeSet { created, settlements: vec![begun], ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..scene.request(&firm, at(1)) }).await?;
    let corrected = SettlementChange::Corrected {
        id,
        client,
        settled_on: date("2026-01-02")?,
        former_dates: vec![date("2026-01-01")?],
    };
    let decide = saving(ChangeSet { settlements: vec![corrected], ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..scene.request(&firm, at(1)) }).await?;
    let times: Vec<_> =
        scene.settlements_of(&firm, "1").await?.into_iter().map(|row| (row.begun_at, row.changed_at)).collect();
    ensure_eq!(times, [(at(1), at(1).next())], "a settlement does not carry the times of its commits");
    Ok(())
}

/// A request that changes nothing moves neither a client nor the account's time.
pub(super) async fn s7_nothing_changed_moves_nothing(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(1), &[person("1")]).await?;
    let before = scene.walk_clients(&firm, clients_at(at(100))).await?;
    let a_day_ahead = at(86_400);
    scene.snapshot(&firm, a_day_ahead, vec![by_external_id("1")]).await?;
    let after = scene.walk_clients(&firm, clients_at(at(100))).await?;
    ensure_eq!(after, before, "a request that changes nothing moved a client");
    let ids = scene.create(&firm, at(2), &[person("2")]).await?;
    let shown = scene.walk_clients(&firm, clients_at(at(100))).await?;
    let created_at = shown.iter().find(|client| ids.contains(&client.id)).map(|client| client.created_at);
    ensure_eq!(created_at, Some(at(2)), "a request that changes nothing moved the account's time");
    Ok(())
}
