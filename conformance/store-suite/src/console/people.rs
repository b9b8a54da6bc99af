//! S34: the firm's keys and logins, run by an owner.

use matterbook_core::{
    account::Role,
    key::{KeyLimits, KeyScope},
    memory::test_key_secrets,
    store::{ConsoleAnswer, ConsoleCommand, ConsoleRefusal, Store},
};

use super::{
    super::{CaseResult, ensure, ensure_eq, values::at},
    person::{ConsoleScene, EMAIL, instead},
};

/// The only owner is neither removed nor given another role; one of two is.
pub(super) async fn s34_only_owner_stays_an_owner(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let owner = scene.session(firm.owner, at(0)).await?;
    let set = |login, role| ConsoleCommand::SetRole { login, role };
    scene.denies(owner, at(1), set(firm.owner, Role::Teammate), ConsoleRefusal::LastOwner).await?;
    let remove = ConsoleCommand::RemoveLogin { login: firm.owner };
    scene.denies(owner, at(1), remove, ConsoleRefusal::LastOwner).await?;
    scene.ask(owner, at(2), set(firm.owner, Role::Owner)).await?;
    ensure!(scene.is_open(owner, at(2)).await?, "the role that an owner has already ended the session");
    let (id, email, role) = (scene.id(), EMAIL.to_owned(), Role::Owner);
    let added = scene.ask(owner, at(3), ConsoleCommand::AddLogin { id, email, role }).await?;
    let ConsoleAnswer::Login(second) = added else { return Err(instead("a login", &added)) };
    ensure_eq!((second.id, second.account_id, second.role), (id, firm.account, role), "the new login");
    let removed = scene.ask(owner, at(4), ConsoleCommand::RemoveLogin { login: id }).await?;
    ensure_eq!(removed, ConsoleAnswer::Login(second), "the login as it was");
    let account = scene.ask(owner, at(5), ConsoleCommand::ShowAccount).await?;
    let ConsoleAnswer::Account(account) = account else { return Err(instead("the account", &account)) };
    let logins: Vec<_> = account.logins.iter().map(|login| login.id).collect();
    ensure_eq!((account.id, logins), (firm.account, vec![firm.owner]), "the account and its logins");
    Ok(())
}

/// A key that an owner makes opens the account within its limits, until it is revoked.
pub(super) async fn s34_keys_of_the_account_are_made_and_revoked(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let owner = scene.session(firm.owner, at(0)).await?;
    let key = test_key_secrets().stored("mtb_from the console");
    let (id, digest, secret) = (scene.id(), key.digest, key.secret.clone());
    let limits = KeyLimits { scope: Some(KeyScope::Prospects), ends_at: Some(at(100)) };
    let create = ConsoleCommand::CreateKey { id, label: Some("Zapier".to_owned()), limits, key };
    let created = scene.ask(owner, at(1), create).await?;
    let ConsoleAnswer::Key(record) = created else { return Err(instead("a key", &created)) };
    let found = (record.id, record.login_id, record.label.as_deref(), record.scope, record.ends_at);
    ensure_eq!(found, (id, firm.owner, Some("Zapier"), limits.scope, limits.ends_at), "the new key");
    let opens = scene.store.key_owner(&digest, at(2)).await?.map(|key_owner| (key_owner.account, key_owner.scope));
    ensure_eq!(opens, Some((firm.account, limits.scope)), "what the key opens");
    let secrets = scene.ask(owner, at(2), ConsoleCommand::ListKeySecrets).await?;
    ensure_eq!(secrets, ConsoleAnswer::KeySecrets(vec![secret]), "the secrets of keys");
    for second in [3, 4] {
        let revoked = scene.ask(owner, at(second), ConsoleCommand::RevokeKey { key: id }).await?;
        let ConsoleAnswer::Key(revoked) = revoked else { return Err(instead("a key", &revoked)) };
        ensure_eq!((revoked.id, revoked.revoked_at), (id, Some(at(3))), "a key that is revoked");
    }
    ensure_eq!(scene.store.key_owner(&digest, at(5)).await?, None, "what a revoked key opens");
    let listed = scene.ask(owner, at(5), ConsoleCommand::ListKeys).await?;
    let ConsoleAnswer::Keys(keys) = listed else { return Err(instead("keys", &listed)) };
    let keys: Vec<_> = keys.iter().map(|key| (key.id, key.revoked_at)).collect();
    ensure_eq!(keys, [(firm.key_id, None), (id, Some(at(3)))], "the keys of the account");
    Ok(())
}
