//! S8: a page shows each client as it stood a delay ago, in the place that it had then.

use matterbook_core::{
    SmolStr,
    client::{Client, ClientFields},
    store::{
        ChangeRequest, ChangeSet, ClientFilter, ClientPage, ClientPageQuery, Decide, Decided, OperatorCommand,
        Position, View,
    },
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    scene::{Firm, Scene},
    values::{at, by_external_id, clients_at, person, response, saving, update_of},
};

fn ids(clients: &[Client]) -> Vec<Uuid> {
    clients.iter().map(|client| client.id).collect()
}

fn in_springfield(fields: &mut ClientFields) {
    fields.city = Some("Springfield".into());
}

/// Neither a new client nor a change shows before it is a minute old, and then both do.
pub(super) async fn s8_change_is_hidden_for_the_delay(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let changed = ClientFields { city: Some("Springfield".into()), ..person("1") };
    scene.create(&firm, at(0), &[person("1")]).await?;
    for (second, shown) in [
        (0, None),
        (59, None),
        (60, Some((person("1"), at(0)))),
        (100, Some((person("1"), at(0)))),
        (159, Some((person("1"), at(0)))),
        (160, Some((changed, at(100)))),
    ] {
        if second == 100 {
            scene.update(&firm, at(100), "1", in_springfield).await?;
        }
        let clients = scene.walk_clients(&firm, clients_at(at(second))).await?;
        let found: Vec<_> = clients.into_iter().map(|client| (client.fields, client.updated_at)).collect();
        ensure_eq!(found, Vec::from_iter(shown), "a client created at 0 s and changed at 100 s, read at {second} s");
    }
    Ok(())
}

/// A client that changes is met in its earlier place until the change is a minute old, so a walk
/// that is under way does not miss it.
pub(super) async fn s8_changing_client_keeps_earlier_place(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let mut created = Vec::new();
    for (second, external_id) in [(0, "1"), (1, "2"), (2, "3")] {
        created.extend(scene.create(&firm, at(second), &[person(external_id)]).await?);
    }
    for second in [100, 110, 120] {
        scene.update(&firm, at(second), "1", move |fields| fields.city = Some(format!("City {second}").into())).await?;
    }
    let shown = scene.walk_clients(&firm, clients_at(at(125))).await?;
    ensure_eq!(ids(&shown), created, "a client that changed within the minute is not in its earlier place");
    ensure_eq!(shown.first().map(|client| &client.fields), Some(&person("1")), "it does not show its earlier state");
    let later = scene.walk_clients(&firm, clients_at(at(175))).await?;
    let moved = [created[1], created[2], created[0]];
    ensure_eq!(ids(&later), moved, "of several changes, the last that is a minute old does not give the place");
    let city = later.last().and_then(|client| client.fields.city.clone());
    ensure_eq!(city.as_deref(), Some("City 110"), "the state of a minute ago is not shown");
    Ok(())
}

/// With a delay of 0 every committed change shows at once.
pub(super) async fn s8_without_delay_shown_at_once(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(5), &[person("1")]).await?;
    scene.update(&firm, at(5), "1", in_springfield).await?;
    let query = ClientPageQuery { view: View { now: at(5), delay_seconds: 0 }, ..clients_at(at(5)) };
    let cities: Vec<_> = scene.walk_clients(&firm, query).await?.into_iter().map(|client| client.fields.city).collect();
    ensure_eq!(cities, [Some("Springfield".into())], "without a delay a change does not show at once");
    Ok(())
}

/// Pages follow one another without a gap and without a repetition, in the order of place.
pub(super) async fn s8_page_goes_on_after_a_place(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let mut created = scene.create(&firm, at(1), &[person("1"), person("2"), person("3")]).await?;
    created.sort();
    created.extend(scene.create(&firm, at(2), &[person("4")]).await?);
    for limit in [1, 2, 3, 4, 100] {
        let shown = scene.walk_clients(&firm, ClientPageQuery { limit, ..clients_at(at(100)) }).await?;
        ensure_eq!(ids(&shown), created, "a walk in pages of {limit}");
    }
    let after = Some(Position { at: at(1), id: created[0] });
    let shown = scene.walk_clients(&firm, ClientPageQuery { after, ..clients_at(at(100)) }).await?;
    ensure_eq!(ids(&shown), created[1..], "what follows the first client");

    // The last place of a walk may be used again later, to go on from there.
    let after = Some(Position { at: at(2), id: created[3] });
    scene.update(&firm, at(50), "2", in_springfield).await?;
    let more = scene.walk_clients(&firm, ClientPageQuery { after, ..clients_at(at(200)) }).await?;
    let external_ids: Vec<_> = more.into_iter().filter_map(|client| client.fields.external_id).collect();
    ensure_eq!(external_ids, ["2"], "what changed since the last place of an earlier walk");
    Ok(())
}

/// Machines' clocks differ: a walk that a machine goes on with whose clock is behind still meets a client
/// that changed between the two moments.
pub(super) async fn s8_page_by_a_slower_clock_goes_on_where_the_walk_stood(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(0), &[person("1")]).await?;
    scene.create(&firm, at(1), &[person("2")]).await?;
    scene.update(&firm, at(100), "1", in_springfield).await?;
    let first = ClientPageQuery { limit: 1, ..clients_at(at(161)) };
    let page = ClientPage::read(&scene.store, &firm.key, &first).await?;
    let page = page.ok_or_else(|| Failure("a live key is unknown".to_owned()))?;
    let met: Vec<_> = page.clients.iter().filter_map(|client| client.fields.external_id.as_deref()).collect();
    ensure_eq!(met, ["2"], "the first of two clients, of which the other changed a minute ago");
    ensure_eq!(page.seen_until, at(100), "nothing later than the last commit is seen");
    let next = ClientPageQuery { after: page.next, seen_until: Some(page.seen_until), ..clients_at(at(158)) };
    let found = external_ids(&scene, &firm, next).await?;
    ensure_eq!(found, ["1"], "the rest of the walk, read by a clock that is three seconds behind");
    Ok(())
}

/// `updated_since` takes in the time that it names, and counts the state that is shown.
pub(super) async fn s8_updated_since_is_inclusive(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    for (second, external_id) in [(10, "1"), (20, "2"), (30, "3")] {
        scene.create(&firm, at(second), &[person(external_id)]).await?;
    }
    scene.update(&firm, at(100), "1", in_springfield).await?;
    for (now, since, expected) in
        [(at(120), at(20), vec!["2", "3"]), (at(120), at(20).next(), vec!["3"]), (at(160), at(30), vec!["3", "1"])]
    {
        let query = ClientPageQuery { updated_since: Some(since), limit: 1, ..clients_at(now) };
        let found = external_ids(&scene, &firm, query).await?;
        ensure_eq!(found, expected, "clients updated since {since}, read at {now}");
    }
    Ok(())
}

/// `external_id` picks by the id that the client had in the state that is shown.
pub(super) async fn s8_external_id_as_it_stood(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let nameless = ClientFields { external_id: None, ..person("later") };
    let created = scene.create(&firm, at(1), &[nameless, person("other")]).await?;
    let before = scene.show(&firm, created[0]).await?;
    let taking = update_of(&before, |fields| fields.external_id = Some("later".into()));
    let change_set = ChangeSet { updated: vec![taking], ..ChangeSet::default() };
    let decide = saving(change_set);
    scene.change(ChangeRequest { decide, ..scene.request(&firm, at(100)) }).await?;
    for (second, external_id, expected) in [
        (120, "later", vec![]),
        (160, "later", vec!["later"]),
        (160, "LATER", vec![]),
        (160, "other", vec!["other"]),
        (160, "unknown", vec![]),
    ] {
        let filter = ClientFilter { external_id: Some(external_id.into()), ..ClientFilter::default() };
        let query = ClientPageQuery { filter, ..clients_at(at(second)) };
        let found = external_ids(&scene, &firm, query).await?;
        ensure_eq!(found, expected, "clients with the external id {external_id:?}, read at {second} s");
    }
    Ok(())
}

/// A filter of id, e-mail, phone or name, or of several, shows the clients whose state at the time has all of
/// them.
pub(super) async fn s8_filters_as_they_stood(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let named = |external_id: &str, first: &str, last: &str, email: &str| ClientFields {
        first_name: Some(first.into()),
        last_name: Some(last.into()),
        email: Some(email.into()),
        phone: Some("+13125550142".into()),
        ..person(external_id)
    };
    let people = [
        named("1", "Ana Maria", "Li", "ana@example.com"),
        named("2", "Ana", "Maria-Li", "other@example.com"),
        named("3", "Bo", "Li", "ana@example.com"),
        ClientFields { phone: None, ..named("4", "Bo", "Li", "bo@example.com") },
    ];
    let ids = scene.create(&firm, at(0), &people).await?;
    scene.update(&firm, at(80), "1", |fields| fields.email = Some("new@example.com".into())).await?;

    let filter = ClientFilter::default;
    let email = |email: &str| ClientFilter { email: Some(email.into()), ..filter() };
    let phone = |phone: &str| ClientFilter { phone: Some(phone.into()), ..filter() };
    let id = |id| ClientFilter { id: Some(id), ..filter() };
    for (second, filter, expected) in [
        (139, email("ana@example.com"), vec!["1", "3"]),
        (140, email("ana@example.com"), vec!["3"]),
        (139, email("new@example.com"), vec![]),
        (140, email("new@example.com"), vec!["1"]),
        (90, phone("+13125550142"), vec!["1", "2", "3"]),
        (90, phone("3125550142"), vec![]),
        (90, filter().with_name("ana maria li"), vec!["1", "2"]),
        (139, filter().with_name("ANA-MARIA LI"), vec!["1", "2"]),
        (90, filter().with_name("Li"), vec![]),
        (90, ClientFilter { email: Some("ana@example.com".into()), ..filter().with_name("Bo Li") }, vec!["3"]),
        (90, ClientFilter { external_id: Some("4".into()), ..filter().with_name("Bo Li") }, vec!["4"]),
        (90, ClientFilter { external_id: Some("1".into()), ..filter().with_name("Bo Li") }, vec![]),
        (59, id(ids[0]), vec![]),
        (60, id(ids[0]), vec!["1"]),
        (139, id(ids[0]), vec!["1"]),
        (200, id(ids[0]), vec!["1"]),
        (200, id(Uuid::nil()), vec![]),
    ] {
        for limit in [1, 100] {
            let query = ClientPageQuery { filter: filter.clone(), limit, ..clients_at(at(second)) };
            let mut found = external_ids(&scene, &firm, query).await?;
            found.sort();
            ensure_eq!(found, expected, "clients by {filter:?}, read at {second} s, {limit} a page");
        }
    }
    Ok(())
}

/// A commit of a machine whose clock is far ahead hides neither itself nor what comes after it.
pub(super) async fn s8_clock_far_ahead_hides_nothing(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(0), &[person("1")]).await?;
    scene.create(&firm, at(31_536_000), &[person("2")]).await?;
    scene.create(&firm, at(10), &[person("3")]).await?;
    let found = external_ids(&scene, &firm, ClientPageQuery { limit: 1, ..clients_at(at(70)) }).await?;
    ensure_eq!(found, ["1", "2", "3"], "clients read a minute after a commit whose clock was a year ahead");
    Ok(())
}

/// What the operator changes of a client is hidden for the delay like any other change.
pub(super) async fn s8_mail_on_is_hidden_for_the_delay(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let fields = ClientFields { do_not_mail: true, ..person("1") };
    let created = scene.create(&firm, at(0), &[fields]).await?;
    let client = created[0];
    let command = OperatorCommand::MailOn { account: firm.account, client, client_delay_seconds: 60 };
    scene.operate(at(100), "client.mail_on", command).await?;
    for (second, expected) in [(159, (true, at(0))), (160, (false, at(100)))] {
        let shown = scene.walk_clients(&firm, clients_at(at(second))).await?;
        let found: Vec<_> = shown.iter().map(|client| (client.fields.do_not_mail, client.updated_at)).collect();
        ensure_eq!(found, [expected], "do_not_mail that was turned off at 100 s, read at {second} s");
    }
    Ok(())
}

/// S10: however many earlier states lie between, a walk gets to the end and meets each client once.
pub(super) async fn s10_many_earlier_states_are_passed(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let external_ids: Vec<_> = (0..1_500).map(|number| number.to_string()).collect();
    let mut created = Vec::new();
    for (second, batch) in external_ids.chunks(500).enumerate() {
        let people: Vec<_> = batch.iter().map(|external_id| person(external_id)).collect();
        created.extend(scene.create(&firm, at(second as i64), &people).await?);
    }
    for (second, batch) in external_ids.chunks(500).enumerate() {
        let lookup_keys = batch.iter().map(|external_id| by_external_id(external_id)).collect();
        let decide: Decide = Box::new(|snapshot| {
            let updated = snapshot.clients.iter().map(|client| update_of(client, in_springfield));
            let change_set = ChangeSet { updated: updated.collect(), ..ChangeSet::default() };
            Decided { change_set, response: response("updated") }
        });
        let now = at(10 + second as i64);
        scene.change(ChangeRequest { lookup_keys, decide, ..scene.request(&firm, now) }).await?;
    }
    for second in [65, 100] {
        let mut met = ids(&scene.walk_clients(&firm, clients_at(at(second))).await?);
        met.sort();
        ensure!(met == created, "a walk at {second} s met {} of {} clients", met.len(), created.len());
    }
    Ok(())
}

async fn external_ids(scene: &Scene<'_>, firm: &Firm, query: ClientPageQuery) -> Result<Vec<SmolStr>, Failure> {
    let clients = scene.walk_clients(firm, query).await?;
    Ok(clients.into_iter().filter_map(|client| client.fields.external_id).collect())
}
