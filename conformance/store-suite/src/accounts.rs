//! The operator's commands about accounts, logins, keys and counties: what each does, what it
//! answers, when it is refused (group O of the specification).

use std::collections::BTreeSet;

use matterbook_core::{
    account::{Account, AccountFlags, Grant, KeyRecord, Login, Role},
    key::{KeyDigest, KeyLimits, KeyScope, KeySecretCheck, StoredKey},
    memory::test_key_secrets,
    store::{AccountChange, OperatorAnswer, OperatorCommand, Refusal, Store},
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    log::whole_log,
    scene::{Scene, number, unexpected},
    values::{UNKNOWN, at, date, person},
};

const COOK: &str = "17031";

async fn show_account(scene: &Scene<'_>, account: Uuid) -> CaseResult<Account> {
    match scene.operate(at(0), "account.show", OperatorCommand::ShowAccount { account }).await? {
        OperatorAnswer::Account(account) => Ok(account),
        other => Err(unexpected("an account", &other)),
    }
}

/// An account begins with its owner's login at its own address, and without counties.
pub(super) async fn create_account_makes_the_owner_too(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (id, login_id) = (scene.id(), scene.id());
    let flags = AccountFlags { api_enabled: true, suspended: false, digital_bundle: false, contact_enrichment: true };
    let email = "owner@firm.example".to_owned();
    let command = OperatorCommand::CreateAccount { id, number: number(id), login_id, email: email.clone(), flags };
    let answer = scene.operate(at(7), "account.create", command).await?;
    let owner = Login { id: login_id, account_id: id, email: email.clone(), role: Role::Owner, created_at: at(7) };
    let (logins, counties) = (vec![owner], Vec::new());
    let (number, last_commit_at) = (number(id), None);
    let account = Account { id, number, email, flags, created_at: at(7), last_commit_at, logins, counties };
    ensure_eq!(answer, OperatorAnswer::Account(account.clone()), "the answer to a new account");
    ensure_eq!(show_account(&scene, id).await?, account, "a new account, shown");
    Ok(())
}

/// Every verb refuses an account that does not exist.
pub(super) async fn show_account_refuses_an_unknown_one(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    scene.firm().await?;
    scene.refuses(OperatorCommand::ShowAccount { account: UNKNOWN }, Refusal::NoAccount).await?;
    scene.refuses(OperatorCommand::ListKeys { account: UNKNOWN }, Refusal::NoAccount).await?;
    let list = OperatorCommand::ListSettlements { account: UNKNOWN, after: None, limit: 1 };
    scene.refuses(list, Refusal::NoAccount).await
}

/// The last commit of an account is the last change of its clients, whatever else is done to it.
pub(super) async fn show_account_tells_its_last_commit(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    ensure_eq!(show_account(&scene, firm.account).await?.last_commit_at, None, "before the first commit");
    scene.create(&firm, at(5), &[person("1")]).await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    ensure_eq!(show_account(&scene, firm.account).await?.last_commit_at, Some(at(5)), "after a commit");
    Ok(())
}

/// A store with an operator's half hands it out, or the operator API is not served.
pub(super) async fn operator_is_handed_out(store: AnyStore<'_>) -> CaseResult {
    ensure!(store.operator().is_some(), "Store::operator hands out no operator's half");
    Ok(())
}

/// Accounts are listed in the order in which they were created, with logins and counties.
pub(super) async fn list_accounts_oldest_first_in_pages(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let mut expected = Vec::new();
    for second in [3, 1, 2, 2] {
        expected.push(scene.account(at(second)).await?);
    }
    expected.sort_by_key(|account| (account.created_at, account.id));
    for limit in [1, 2, 3, 4, 100] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let command = OperatorCommand::ListAccounts { after, limit };
            let OperatorAnswer::Accounts(accounts, next) = scene.operate(at(9), "account.list", command).await? else {
                return Err(Failure("a list of accounts is answered by something else".to_owned()));
            };
            ensure!(accounts.len() <= limit as usize, "a page of {limit} has {} accounts", accounts.len());
            ensure!(next.is_none() || next > after, "a walk over the accounts does not get on");
            found.extend(accounts);
            after = next;
            if after.is_none() {
                break;
            }
        }
        ensure_eq!(found, expected, "the accounts in pages of {limit}");
    }
    Ok(())
}

/// What a change does not name stays as it was.
pub(super) async fn set_account_leaves_what_is_not_given(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let mut expected = show_account(&scene, firm.account).await?;
    let nothing = AccountChange::default;
    for (change, apply) in [
        (
            AccountChange { email: Some("new@firm.example".to_owned()), ..nothing() },
            (|account| account.email = "new@firm.example".to_owned()) as fn(&mut Account),
        ),
        (AccountChange { api_enabled: Some(false), ..nothing() }, |account| account.flags.api_enabled = false),
        (AccountChange { suspended: Some(true), ..nothing() }, |account| account.flags.suspended = true),
        (AccountChange { digital_bundle: Some(false), ..nothing() }, |account| account.flags.digital_bundle = false),
        (AccountChange { contact_enrichment: Some(true), ..nothing() }, |account| {
            account.flags.contact_enrichment = true;
        }),
        (nothing(), |_| ()),
    ] {
        let command = OperatorCommand::SetAccount { account: firm.account, change: change.clone() };
        let answer = scene.operate(at(1), "account.set", command).await?;
        apply(&mut expected);
        ensure_eq!(answer, OperatorAnswer::Account(expected.clone()), "the answer to {change:?}");
        ensure_eq!(show_account(&scene, firm.account).await?, expected, "the account after {change:?}");
    }
    let key_owner = scene.store.key_owner(&firm.key, at(5)).await?.map(|key_owner| (key_owner.email, key_owner.flags));
    ensure_eq!(key_owner, Some((expected.email, expected.flags)), "what the account's key shows");
    scene.refuses(OperatorCommand::SetAccount { account: UNKNOWN, change: nothing() }, Refusal::NoAccount).await
}

/// A login is added to its account, after the older ones.
pub(super) async fn add_login_to_a_known_account(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let (id, account, email) = (scene.id(), firm.account, "teammate@firm.example".to_owned());
    let role = Role::Teammate;
    let command = OperatorCommand::AddLogin { id, account, email: email.clone(), role };
    let answer = scene.operate(at(5), "login.add", command).await?;
    let login = Login { id, account_id: account, email: email.clone(), role, created_at: at(5) };
    ensure_eq!(answer, OperatorAnswer::Login(login.clone()), "the answer to a new login");
    let logins = show_account(&scene, account).await?.logins;
    ensure_eq!(logins.get(1..), Some(&[login][..]), "the logins of the account after its owner's");
    let command = OperatorCommand::AddLogin { id: scene.id(), account: UNKNOWN, email, role };
    scene.refuses(command, Refusal::NoAccount).await
}

/// A role that is set holds for the login and for its keys.
pub(super) async fn set_role_of_a_known_login(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    for role in [Role::Teammate, Role::ViewOnly, Role::Owner] {
        let answer =
            scene.operate(at(5), "login.set_role", OperatorCommand::SetRole { login: firm.owner, role }).await?;
        let shown = show_account(&scene, firm.account).await?.logins;
        ensure_eq!(shown.iter().map(|login| login.role).collect::<Vec<_>>(), [role], "the role that was set, shown");
        ensure_eq!(answer, OperatorAnswer::Login(shown[0].clone()), "the answer to a new role");
        let key_owner = scene.store.key_owner(&firm.key, at(5)).await?.map(|key_owner| key_owner.role);
        ensure_eq!(key_owner, Some(role), "the role that the login's key shows");
    }
    scene.refuses(OperatorCommand::SetRole { login: UNKNOWN, role: Role::Owner }, Refusal::NoLogin).await
}

/// Only an owner's login makes keys; where none is named, the oldest owner's does.
pub(super) async fn create_key_for_owners_only(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let account = firm.account;
    let (second_owner, teammate) = (scene.id(), scene.id());
    for (second, id, role) in [(1, second_owner, Role::Owner), (2, teammate, Role::Teammate)] {
        let email = "someone@firm.example".to_owned();
        scene.operate(at(second), "login.add", OperatorCommand::AddLogin { id, account, email, role }).await?;
    }
    for (number, (login, login_id)) in
        [(None, firm.owner), (Some(second_owner), second_owner), (Some(firm.owner), firm.owner)].into_iter().enumerate()
    {
        let (id, label) = (scene.id(), Some(format!("key {number}")));
        let key = test_key_secrets().stored(&format!("mtb_the end is {number}"));
        let (digest, last_four) = (key.digest, key.last_four.clone());
        let limits = match number {
            0 => KeyLimits::default(),
            1 => KeyLimits { scope: Some(KeyScope::Clients), ends_at: None },
            _ => KeyLimits { scope: Some(KeyScope::Prospects), ends_at: Some(at(100)) },
        };
        let command = OperatorCommand::CreateKey { id, account, login, label: label.clone(), limits, key };
        let answer = scene.operate(at(3), "key.create", command).await?;
        let (created_at, last_used_at, revoked_at) = (at(3), None, None);
        let record = KeyRecord {
            id,
            account_id: account,
            login_id,
            label,
            last_four,
            scope: limits.scope,
            ends_at: limits.ends_at,
            created_at,
            last_used_at,
            revoked_at,
        };
        ensure_eq!(answer, OperatorAnswer::Key(record), "the answer to a new key for the login {login:?}");
        let opens = scene.store.key_owner(&digest, at(5)).await?;
        let opens = opens.map(|owner| (owner.account, owner.role, owner.scope, owner.ends_at));
        ensure_eq!(opens, Some((account, Role::Owner, limits.scope, limits.ends_at)), "what a new key opens");
    }
    let key_for = |account, login| OperatorCommand::CreateKey {
        id: scene.id(),
        account,
        login,
        label: None,
        limits: KeyLimits::default(),
        key: test_key_secrets().stored("mtb_refused"),
    };
    scene.refuses(key_for(account, Some(teammate)), Refusal::NotOwner).await?;
    scene.refuses(key_for(account, Some(other.owner)), Refusal::NoLogin).await?;
    scene.refuses(key_for(account, Some(UNKNOWN)), Refusal::NoLogin).await?;
    scene.refuses(key_for(UNKNOWN, None), Refusal::NoAccount).await?;
    let role = Role::Teammate;
    scene.operate(at(5), "login.set_role", OperatorCommand::SetRole { login: other.owner, role }).await?;
    scene.refuses(key_for(other.account, None), Refusal::NoOwner).await?;
    ensure_eq!(scene.store.key_owner(&KeyDigest::of("mtb_refused"), at(5)).await?, None, "what a refused key opens");
    Ok(())
}

/// A removed login leaves no live key, and an account keeps an owner.
pub(super) async fn remove_login_revokes_its_keys_but_not_the_last_owner(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let remove = |login| OperatorCommand::RemoveLogin { login };
    scene.refuses(remove(UNKNOWN), Refusal::NoLogin).await?;
    scene.refuses(remove(firm.owner), Refusal::LastOwner).await?;
    let (id, account, email) = (scene.id(), firm.account, "second@firm.example".to_owned());
    let add = OperatorCommand::AddLogin { id, account, email, role: Role::Owner };
    let added = scene.operate(at(1), "login.add", add).await?;
    let (key_id, key) = scene.key(account, Some(id)).await?;
    ensure_eq!(scene.operate(at(2), "login.remove", remove(id)).await?, added, "the login as it was");
    ensure_eq!(scene.store.key_owner(&key, at(5)).await?, None, "what a key of a removed login opens");
    let revoked: Vec<_> = list_keys(&scene, account).await?.into_iter().map(|key| (key.id, key.revoked_at)).collect();
    ensure!(revoked.contains(&(key_id, Some(at(2)))), "the key is not revoked: {revoked:?}");
    ensure!(revoked.contains(&(firm.key_id, None)), "another login's key is revoked: {revoked:?}");
    ensure!(scene.store.key_owner(&other.key, at(5)).await?.is_some(), "another account's key is revoked");
    let logins: Vec<_> = show_account(&scene, account).await?.logins.into_iter().map(|login| login.id).collect();
    ensure_eq!(logins, [firm.owner], "the logins that are left");
    scene.refuses(remove(id), Refusal::NoLogin).await
}

/// A secret is recorded with the first key that it makes, and stays recorded.
pub(super) async fn list_key_secrets_of_all_keys(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let account = scene.account(at(0)).await?.id;
    let check = |text: &str| KeySecretCheck::from_text(text.into());
    let before = list_key_secrets(&scene).await?;
    ensure_eq!(before, BTreeSet::new(), "the secrets of keys before there are any");
    for (number, secret) in ["first", "second", "first"].into_iter().enumerate() {
        let stored = test_key_secrets().stored(&format!("mtb_{number}"));
        let (id, key) = (scene.id(), StoredKey { secret: check(secret), ..stored });
        let command =
            OperatorCommand::CreateKey { id, account, login: None, label: None, limits: KeyLimits::default(), key };
        scene.operate(at(1), "key.create", command).await?;
        scene.operate(at(2), "key.revoke", OperatorCommand::RevokeKey { key: id }).await?;
    }
    let expected = BTreeSet::from(["first", "second"].map(check));
    ensure_eq!(list_key_secrets(&scene).await?, expected, "the secrets of three keys, all revoked");
    Ok(())
}

async fn list_key_secrets(scene: &Scene<'_>) -> CaseResult<BTreeSet<KeySecretCheck>> {
    match scene.operate(at(0), "settings.show", OperatorCommand::ListKeySecrets).await? {
        OperatorAnswer::KeySecrets(secrets) => Ok(secrets.into_iter().collect()),
        other => Err(unexpected("key secrets", &other)),
    }
}

/// New ids, numbers and digests that are taken are errors: nothing is made, nothing is overwritten, nothing is logged.
pub(super) async fn s17_taken_ids_are_refused(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (first, other) = (scene.firm().await?, scene.firm().await?);
    let account = show_account(&scene, first.account).await?;
    let email = || "other@firm.example".to_owned();
    let (flags, role) = (AccountFlags::default(), Role::Teammate);
    let create_account = |id, number, login_id| {
        let email = email();
        OperatorCommand::CreateAccount { id, number, login_id, email, flags }
    };
    let create_key = |id, key| OperatorCommand::CreateKey {
        id,
        account: other.account,
        login: None,
        label: None,
        limits: KeyLimits::default(),
        key,
    };
    let new_key = || test_key_secrets().stored("mtb_new");
    let taken_key = StoredKey { digest: first.key, ..new_key() };
    let before = (whole_log(&scene, 100).await?, list_keys(&scene, other.account).await?);
    for (what, command) in [
        ("account", create_account(account.id, number(UNKNOWN), scene.id())),
        ("number", create_account(scene.id(), account.number, scene.id())),
        ("owner's login", create_account(scene.id(), number(UNKNOWN), first.owner)),
        ("login", OperatorCommand::AddLogin { id: first.owner, account: other.account, email: email(), role }),
        ("key", create_key(first.key_id, new_key())),
        ("digest", create_key(scene.id(), taken_key)),
    ] {
        let answer = scene.operate(at(1), "taken", command).await;
        ensure!(answer.is_err(), "a new {what} that is taken is not an error: {answer:?}");
    }
    ensure_eq!(show_account(&scene, first.account).await?, account, "the account whose ids were asked for");
    let after = (whole_log(&scene, 100).await?, list_keys(&scene, other.account).await?);
    ensure_eq!(after, before, "the log and the keys after commands with ids that are taken");
    Ok(())
}

async fn list_keys(scene: &Scene<'_>, account: Uuid) -> CaseResult<Vec<KeyRecord>> {
    match scene.operate(at(0), "key.list", OperatorCommand::ListKeys { account }).await? {
        OperatorAnswer::Keys(keys) => Ok(keys),
        other => Err(unexpected("keys", &other)),
    }
}

/// The keys of an account, and of no other, oldest first, also those that work no more.
pub(super) async fn list_keys_with_revoked_ones(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, _other) = (scene.firm().await?, scene.firm().await?);
    let mut expected = vec![(firm.key_id, None)];
    for second in [1, 2] {
        let (id, key) = (scene.id(), test_key_secrets().stored(&format!("mtb_{second}")));
        let command = OperatorCommand::CreateKey {
            id,
            account: firm.account,
            login: None,
            label: None,
            limits: KeyLimits::default(),
            key,
        };
        scene.operate(at(second), "key.create", command).await?;
        expected.push((id, None));
    }
    scene.operate(at(3), "key.revoke", OperatorCommand::RevokeKey { key: expected[1].0 }).await?;
    expected[1].1 = Some(at(3));
    let keys: Vec<_> = list_keys(&scene, firm.account).await?.into_iter().map(|key| (key.id, key.revoked_at)).collect();
    ensure_eq!(keys, expected, "the keys of an account, one revoked");
    Ok(())
}

/// The list of keys shows when each was used last; the use of a key that is revoked is not recorded.
pub(super) async fn list_keys_with_their_last_use(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.store.record_use(&firm.key, at(5)).await?;
    scene.operate(at(6), "key.revoke", OperatorCommand::RevokeKey { key: firm.key_id }).await?;
    scene.store.record_use(&firm.key, at(7)).await?;
    let keys: Vec<_> = list_keys(&scene, firm.account).await?.into_iter().map(|key| key.last_used_at).collect();
    ensure_eq!(keys, [Some(at(5))], "the last use of a key that was revoked after it");
    Ok(())
}

/// A key that is revoked twice keeps the time of the first.
pub(super) async fn revoke_key_keeps_the_first_time(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    for second in [5, 6] {
        let answer = scene.operate(at(second), "key.revoke", OperatorCommand::RevokeKey { key: firm.key_id }).await?;
        let OperatorAnswer::Key(key) = answer else { return Err(unexpected("a key", &answer)) };
        ensure_eq!((key.id, key.revoked_at), (firm.key_id, Some(at(5))), "a key that is revoked at {second} s");
        ensure_eq!(list_keys(&scene, firm.account).await?, [key], "the revoked key, listed");
    }
    scene.refuses(OperatorCommand::RevokeKey { key: UNKNOWN }, Refusal::NoKey).await
}

/// A county is granted once: granting it again moves its date.
pub(super) async fn grant_county_again_moves_its_date(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2025-06-01").await?;
    scene.grant(&firm, "06037", "2025-06-01").await?;
    for from_date in ["2025-01-01", "2025-09-01"] {
        scene.grant(&firm, COOK, from_date).await?;
        let grant = |fips: &str, from_date: &str| {
            Ok::<_, Failure>(Grant { fips: fips.to_owned(), from_date: date(from_date)? })
        };
        let counties = show_account(&scene, firm.account).await?.counties;
        ensure_eq!(counties, [grant("06037", "2025-06-01")?, grant(COOK, from_date)?], "the counties by FIPS code");
    }
    let grant = Grant { fips: COOK.to_owned(), from_date: date("2025-01-01")? };
    scene.refuses(OperatorCommand::GrantCounty { account: UNKNOWN, grant }, Refusal::NoAccount).await
}

/// Taking a county back answers the grant as it was, once.
pub(super) async fn revoke_county_hands_back_what_it_was(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    scene.grant(&firm, COOK, "2025-06-01").await?;
    let revoke = |account| OperatorCommand::RevokeCounty { account, fips: COOK.to_owned() };
    scene.refuses(revoke(other.account), Refusal::NoCounty).await?;
    let answer = scene.operate(at(1), "county.revoke", revoke(firm.account)).await?;
    let grant = Grant { fips: COOK.to_owned(), from_date: date("2025-06-01")? };
    ensure_eq!(answer, OperatorAnswer::County(grant), "the answer to a county that is taken back");
    ensure_eq!(show_account(&scene, firm.account).await?.counties, [], "the counties afterwards");
    scene.refuses(revoke(firm.account), Refusal::NoCounty).await?;
    scene.refuses(revoke(UNKNOWN), Refusal::NoAccount).await
}
