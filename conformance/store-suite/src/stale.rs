//! S5: a decision is never applied to a store that changed under it.
//!
//! Several changes run side by side. Whether they really interleave is the store's affair: one
//! with exclusive transactions puts them in order. So the cases ask for the outcome alone.

use matterbook_core::{
    client::ClientFields,
    store::{ChangeRequest, ChangeSet, Decide, Decided, LookupKey, StoredResponse},
};

use super::{
    AnyStore, CaseResult, Failure, ensure_eq,
    scene::{Firm, Scene},
    together::together,
    values::{at, by_external_id, clients_at, hash_of, new_client, person, response, update_of},
};

/// How many requests run side by side.
const AT_ONCE: usize = 8;

/// A new person who is sent by name and place in several requests at once becomes one client.
pub(super) async fn s5_same_new_person_at_once_is_one_client(store: AnyStore<'_>) -> CaseResult {
    let fields = ClientFields { external_id: None, ..person("new") };
    let lookup_key = LookupKey { person: hash_of(&fields), ..LookupKey::default() };
    same_new_client_at_once(store, &lookup_key, &fields).await
}

/// A new `external_id` that is sent in several requests at once becomes one client.
pub(super) async fn s5_same_new_external_id_at_once_is_one_client(store: AnyStore<'_>) -> CaseResult {
    same_new_client_at_once(store, &by_external_id("new"), &person("new")).await
}

async fn same_new_client_at_once(store: AnyStore<'_>, lookup_key: &LookupKey, fields: &ClientFields) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let requests = (0..AT_ONCE).map(|_| {
        let (id, fields) = (scene.id(), fields.clone());
        let decide: Decide = Box::new(move |snapshot| {
            if snapshot.clients.is_empty() {
                let created = vec![new_client(id, fields.clone())];
                Decided { change_set: ChangeSet { created, ..ChangeSet::default() }, response: response("created") }
            } else {
                Decided { change_set: ChangeSet::default(), response: response("updated") }
            }
        });
        ChangeRequest { lookup_keys: vec![lookup_key.clone()], decide, ..scene.request(&firm, at(1)) }
    });
    let requests: Vec<_> = requests.collect();
    let answers = bodies(together(requests.into_iter().map(|request| scene.change(request))).await)?;
    let created = answers.iter().filter(|body| *body == "created").count();
    let clients = scene.walk_clients(&firm, clients_at(at(100))).await?.len();
    ensure_eq!((clients, created), (1, 1), "one new person in {AT_ONCE} requests at once: clients, answers `created`");
    Ok(())
}

/// A decision about a client that another request changed meanwhile is asked again: of many
/// requests that each count one up, none is lost.
pub(super) async fn s5_change_to_read_client_asks_again(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.create(&firm, at(1), &[ClientFields { case_type: Some("0".into()), ..person("1") }]).await?;
    count_up_together(&scene, &firm, &["1"; AT_ONCE]).await?;
    let clients = scene.snapshot(&firm, at(3), vec![by_external_id("1")]).await?.clients;
    let counted = clients.first().and_then(|client| client.fields.case_type.clone());
    ensure_eq!(counted, Some(AT_ONCE.to_string().into()), "of {AT_ONCE} changes at once to one client some are lost");
    Ok(())
}

/// Requests at once about clients of their own all go through.
pub(super) async fn s5_changes_to_other_clients_do_not_disturb(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let external_ids = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"];
    let people = external_ids.map(|id| ClientFields { case_type: Some("0".into()), ..person(id) });
    scene.create(&firm, at(1), &people).await?;
    let asked = count_up_together(&scene, &firm, &external_ids).await?;
    ensure_eq!(asked, external_ids.len(), "changes to other clients made decisions be asked again: times asked");
    let changed = scene.walk_clients(&firm, clients_at(at(100))).await?;
    let changed = changed.iter().filter(|client| client.fields.case_type.as_deref() == Some("1")).count();
    ensure_eq!(changed, external_ids.len(), "of changes at once to different clients some are lost");
    Ok(())
}

/// Lets one request for each `external_id` count its client's `case_type` up, all at once. Hands
/// back how often decisions were asked.
async fn count_up_together(scene: &Scene<'_>, firm: &Firm, external_ids: &[&str]) -> CaseResult<usize> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let requests: Vec<_> = external_ids
        .iter()
        .map(|external_id| {
            let sender = sender.clone();
            let decide: Decide = Box::new(move |snapshot| {
                // The receiver lives until every request is answered.
                let _ = sender.send(());
                let count_up = |fields: &mut ClientFields| {
                    let count = fields.case_type.as_ref().and_then(|count| count.parse::<u32>().ok());
                    fields.case_type = Some((count.unwrap_or_default() + 1).to_string().into());
                };
                let updated = snapshot.clients.iter().map(|client| update_of(client, count_up)).collect();
                Decided { change_set: ChangeSet { updated, ..ChangeSet::default() }, response: response("counted") }
            });
            ChangeRequest { lookup_keys: vec![by_external_id(external_id)], decide, ..scene.request(firm, at(2)) }
        })
        .collect();
    bodies(together(requests.into_iter().map(|request| scene.change(request))).await)?;
    Ok(receiver.try_iter().count())
}

fn bodies(answers: Vec<CaseResult<StoredResponse>>) -> Result<Vec<String>, Failure> {
    answers.into_iter().map(|response| Ok(response?.body)).collect()
}
