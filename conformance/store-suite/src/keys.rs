//! S1 and S2: a key opens its own account, as long as it lives.

use matterbook_core::{
    account::{KeyOwner, Role},
    client::ClientFields,
    key::{KeyDigest, KeyLimits},
    store::{
        AccountChange, ChangeOwner, ChangeRequest, ChangeSet, ClientPage, LookupKey, OperatorAnswer, OperatorCommand,
        Refusal, Store,
    },
};

use super::{
    AnyStore, CaseResult, ensure, ensure_eq,
    scene::{Firm, Scene},
    values::{at, by_external_id, clients_at, hash_of, new_client, person, prospects_at, saving},
};

/// An unknown key is `None` for every verb.
pub(super) async fn s1_unknown_key_opens_nothing(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let stranger = Firm { key: KeyDigest::of("mtb_unknown"), ..firm };
    opens_nothing(&scene, &stranger).await
}

/// A key stops with its revocation, and a request that came with it changes nothing.
pub(super) async fn s1_revoked_key_opens_nothing(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let (other_id, other_key) = scene.key(firm.account, None).await?;
    scene.operate(at(1), "key.revoke", OperatorCommand::RevokeKey { key: other_id }).await?;
    opens_nothing(&scene, &Firm { key: other_key, ..firm.clone() }).await?;
    let known = scene.snapshot(&firm, at(3), vec![by_external_id("S1")]).await?.clients;
    ensure!(known.is_empty(), "a request with a revoked key created a client");
    Ok(())
}

/// A key opens what it did until its end, and nothing from then on, whatever the clock says later.
pub(super) async fn s1_ended_key_opens_nothing(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let limits = KeyLimits { scope: None, ends_at: Some(at(2)) };
    let (_, ending) = scene.limited_key(firm.account, None, limits).await?;
    let ending = Firm { key: ending, ..firm.clone() };
    ensure!(scene.store.key_owner(&ending.key, at(1)).await?.is_some(), "a key opens nothing before its end");
    scene.create(&ending, at(1), &[person("S0")]).await?;
    opens_nothing(&scene, &ending).await?;
    let known = scene.snapshot(&firm, at(3), vec![by_external_id("S0"), by_external_id("S1")]).await?.clients;
    ensure_eq!(known.len(), 1, "clients after a request before the end and one after it");
    Ok(())
}

async fn opens_nothing(scene: &Scene<'_>, firm: &Firm) -> CaseResult {
    let now = at(2);
    ensure_eq!(scene.store.key_owner(&firm.key, now).await?, None, "a dead key has an owner");
    let created = vec![new_client(scene.id(), person("S1"))];
    let decide = saving(ChangeSet { created, ..ChangeSet::default() });
    let request = ChangeRequest { decide, lookup_keys: vec![by_external_id("S1")], ..scene.request(firm, now) };
    ensure_eq!(scene.store.change(request).await?, None, "a dead key changes clients");
    ensure_eq!(ClientPage::read(&scene.store, &firm.key, &clients_at(now)).await?, None, "a dead key reads clients");
    ensure_eq!(scene.store.prospects(&firm.key, &prospects_at(now)).await?, None, "a dead key reads prospects");
    scene.store.record_use(&firm.key, now).await?;
    Ok(())
}

/// The owner shows flags and role as they are in the unit that reads, not as they were.
pub(super) async fn s1_key_owner_is_as_of_now(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let before = scene.store.key_owner(&firm.key, at(5)).await?;
    ensure!(
        before.as_ref().is_some_and(|key_owner| key_owner.account == firm.account && key_owner.role == Role::Owner),
        "a new key does not show its owner: {before:?}"
    );
    let change = AccountChange { suspended: Some(true), ..AccountChange::default() };
    scene.operate(at(1), "account.set", OperatorCommand::SetAccount { account: firm.account, change }).await?;
    let role = Role::ViewOnly;
    scene.operate(at(2), "login.set_role", OperatorCommand::SetRole { login: firm.owner, role }).await?;

    let key_owner = scene.store.key_owner(&firm.key, at(5)).await?;
    let by_change = match scene.snapshot(&firm, at(3), Vec::new()).await?.owner {
        ChangeOwner::Key(key_owner) => Some(key_owner),
        ChangeOwner::Session(..) => None,
    };
    let by_clients = ClientPage::read(&scene.store, &firm.key, &clients_at(at(3))).await?.map(|page| page.key_owner);
    let by_prospects = scene.store.prospects(&firm.key, &prospects_at(at(3))).await?.map(|page| page.key_owner);
    for (verb, key_owner) in
        [("key_owner", key_owner), ("change", by_change), ("clients", by_clients), ("prospects", by_prospects)]
    {
        ensure!(
            key_owner.as_ref().is_some_and(|key_owner| key_owner.flags.suspended && key_owner.role == Role::ViewOnly),
            "{verb} does not show the suspension and the role of now: {key_owner:?}"
        );
    }
    Ok(())
}

/// The last use of a key is kept: the latest, in whatever order uses are recorded.
pub(super) async fn s15_latest_use_of_a_key_is_recorded(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let last_used_at = |key_owner: Option<KeyOwner>| key_owner.and_then(|key_owner| key_owner.last_used_at);
    ensure_eq!(last_used_at(scene.store.key_owner(&firm.key, at(5)).await?), None, "a new key was used already");
    scene.store.record_use(&firm.key, at(5)).await?;
    ensure_eq!(
        last_used_at(scene.store.key_owner(&firm.key, at(5)).await?),
        Some(at(5)),
        "the use of a key is not recorded"
    );
    scene.store.record_use(&firm.key, at(3)).await?;
    let latest = last_used_at(scene.store.key_owner(&firm.key, at(5)).await?);
    ensure_eq!(latest, Some(at(5)), "an earlier use takes the place of a later one");
    Ok(())
}

/// Two firms may give their clients the same ids; neither sees or changes the other's.
pub(super) async fn s2_same_external_id_in_two_accounts(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (ours, theirs) = (scene.firm().await?, scene.firm().await?);
    let our_ids = scene.create(&ours, at(1), &[person("7")]).await?;
    let seen = scene.snapshot(&theirs, at(2), vec![by_external_id("7")]).await?.clients;
    ensure!(seen.is_empty(), "a lookup by external id shows a client of another account: {seen:?}");
    let their_ids = scene.create(&theirs, at(2), &[person("7")]).await?;
    scene.update(&theirs, at(3), "7", |fields| fields.city = Some("Elsewhere".into())).await?;
    for (firm, ids) in [(&ours, our_ids), (&theirs, their_ids)] {
        let shown: Vec<_> = scene.walk_clients(firm, clients_at(at(90))).await?.iter().map(|row| row.id).collect();
        ensure_eq!(shown, ids, "an account's pages do not show its own clients only");
    }
    let ours_now = scene.snapshot(&ours, at(4), vec![by_external_id("7")]).await?.clients;
    ensure!(
        ours_now.iter().all(|client| client.fields == person("7")),
        "a change in one account changed a client of another: {ours_now:?}"
    );
    Ok(())
}

/// A person known to one firm is a stranger to another.
pub(super) async fn s2_same_person_in_two_accounts(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (ours, theirs) = (scene.firm().await?, scene.firm().await?);
    let fields = ClientFields { external_id: None, ..person("7") };
    scene.create(&ours, at(1), std::slice::from_ref(&fields)).await?;
    let lookup_key = LookupKey { person: hash_of(&fields), ..LookupKey::default() };
    let seen = scene.snapshot(&theirs, at(2), vec![lookup_key]).await?.clients;
    ensure!(seen.is_empty(), "a lookup by name and place shows a client of another account: {seen:?}");
    Ok(())
}

/// The operator names account and client; a client of another account is unknown there.
pub(super) async fn s2_operator_finds_no_client_of_another_account(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (ours, theirs) = (scene.firm().await?, scene.firm().await?);
    let ids = scene.create(&ours, at(1), &[ClientFields { do_not_mail: true, ..person("7") }]).await?;
    for client in ids {
        let account = theirs.account;
        for (action, command) in [
            ("client.show", OperatorCommand::ShowClient { account, client }),
            ("client.mail_on", OperatorCommand::MailOn { account, client, client_delay_seconds: 60 }),
            ("client.erase", OperatorCommand::EraseClient { account, client }),
        ] {
            let found = scene.operate(at(2), action, command).await?;
            let refused = OperatorAnswer::Refused(Refusal::NoClient);
            ensure_eq!(found, refused, "{action} reaches a client of another account");
        }
        let now = scene.show(&ours, client).await?;
        ensure!(now.fields.do_not_mail, "a refused mail-on changed the client of another account");
    }
    Ok(())
}
