//! S6 and S7: time grows with each commit of an account, and only with a commit.

use matterbook_core::{
    client::ClientFields,
    store::{ChangeRequest, ChangeSet, ClientPageQuery, OperatorCommand, SettlementChange, Store, View},
    time::Timestamp,
};

use super::{
    CaseResult, Failure, ensure, ensure_eq,
    scene::{Firm, Scene},
    values::{at, by_external_id, clients_at, date, new_client, person, saving},
};

/// Where the clock is ahead of the last commit, the commit has the clock's time.
pub(super) async fn s6_commit_has_the_time_of_its_request(store: impl Store) -> CaseResult {
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
pub(super) async fn s6_time_grows_while_the_clock_stands(store: impl Store) -> CaseResult {
    times_grow(store, [at(1), at(1), at(1), at(1)]).await
}

/// A commit whose clock is behind the last one's still comes after it.
pub(super) async fn s6_time_grows_when_the_clock_is_set_back(store: impl Store) -> CaseResult {
    times_grow(store, [at(10), at(7), at(9), at(1)]).await
}

/// Creates a client and lets each following time change it: by a request, and by the operator.
async fn times_grow(store: impl Store, clocks: [Timestamp; 4]) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let [created_at, then, later, last] = clocks;
    let ids = scene.create(&firm, created_at, &[ClientFields { do_not_mail: true, ..person("1") }]).await?;
    let mut times = vec![latest(&scene, &firm).await?];
    for (now, city) in [(then, "Springfield"), (later, "Shelbyville")] {
        scene.update(&firm, now, "1", move |fields| fields.city = Some(city.into())).await?;
        times.push(latest(&scene, &firm).await?);
    }
    let (account, client_delay_seconds) = (firm.account, 60);
    for client in ids {
        let command = OperatorCommand::MailOn { account, client, client_delay_seconds };
        scene.operate(last, "client.mail_on", command).await?;
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

async fn latest<S: Store>(scene: &Scene<S>, firm: &Firm) -> CaseResult<Timestamp> {
    let query = ClientPageQuery { view: View { now: at(0), delay_seconds: 0 }, ..clients_at(at(0)) };
    let clients = scene.walk_clients(firm, query).await?;
    clients.last().map(|client| client.updated_at).ok_or_else(|| Failure("a saved client is not shown".to_owned()))
}

/// A settlement carries the time of the commit that began it, and of the one that corrected it.
pub(super) async fn s6_settlements_carry_the_time_of_their_commit(store: impl Store) -> CaseResult {
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
    let times: Vec<_> = scene.settlements(&firm).await?.into_iter().map(|row| (row.begun_at, row.changed_at)).collect();
    ensure_eq!(times, [(at(1), at(1).next())], "a settlement does not carry the times of its commits");
    Ok(())
}

/// A request that changes nothing moves neither a client nor the account's time.
pub(super) async fn s7_nothing_changed_moves_nothing(store: impl Store) -> CaseResult {
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
