//! S13: whatever the operator changes is in the log, once.

use matterbook_core::{
    account::{AccountFlags, Grant, Role},
    client::ClientFields,
    key::KeyLimits,
    memory::test_key_secrets,
    store::{
        AccountChange, ImportOutcome, LogEntry, LogRecord, OperatorAnswer, OperatorCommand, OperatorStore, Position,
        Retention, Store,
    },
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    scene::{Scene, number, unexpected},
    values::{UNKNOWN, at, crash, date, person},
};

/// The whole log, read newest first in pages of a size; the oldest entry first.
pub(super) async fn whole_log(scene: &Scene<'_>, limit: u32) -> CaseResult<Vec<LogRecord>> {
    let mut log = Vec::new();
    let mut before = None;
    loop {
        match scene.operate(at(0), "log.list", OperatorCommand::ListLog { before, limit }).await? {
            OperatorAnswer::Log(records, next) => {
                ensure!(records.len() <= limit as usize, "a page of {limit} has {} log entries", records.len());
                ensure!(next.is_none() || before.is_none() || next < before, "a walk over the log does not get on");
                log.extend(records);
                before = next;
            }
            other => return Err(unexpected("log entries", &other)),
        }
        if before.is_none() {
            log.reverse();
            return Ok(log);
        }
    }
}

/// Each command that changes something leaves exactly one entry that says who did what, when.
pub(super) async fn s13_each_changing_command_is_logged_once(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let account = firm.account;
    let ids = scene.create(&firm, at(1), &[ClientFields { do_not_mail: true, ..person("1") }]).await?;
    let client = ids[0];
    let outcomes = scene.import(at(1), vec![crash("1", "17031", "2026-01-01")?]).await?;
    let Some(ImportOutcome::Created(prospect)) = outcomes.first().copied() else {
        return Err(Failure(format!("a new prospect is not created: {outcomes:?}")));
    };
    let grant = Grant { fips: "17031".to_owned(), from_date: date("2025-01-01")? };
    let change = AccountChange { suspended: Some(true), ..AccountChange::default() };
    let email = "someone@firm.example".to_owned();
    let stored = test_key_secrets().stored("mtb_logged");
    let flags = AccountFlags::default();
    let (id, login_id, login, key) = (scene.id(), scene.id(), scene.id(), scene.id());
    let role = Role::Owner;
    let commands = [
        (
            "account.create",
            OperatorCommand::CreateAccount { id, number: number(id), login_id, email: email.clone(), flags },
        ),
        ("account.set", OperatorCommand::SetAccount { account, change }),
        ("login.add", OperatorCommand::AddLogin { id: login, account, email, role }),
        ("login.set_role", OperatorCommand::SetRole { login, role: Role::Teammate }),
        ("login.remove", OperatorCommand::RemoveLogin { login }),
        (
            "key.create",
            OperatorCommand::CreateKey {
                id: key,
                account,
                login: None,
                label: None,
                limits: KeyLimits::default(),
                key: stored,
            },
        ),
        ("key.revoke", OperatorCommand::RevokeKey { key }),
        ("county.grant", OperatorCommand::GrantCounty { account, grant }),
        ("county.revoke", OperatorCommand::RevokeCounty { account, fips: "17031".to_owned() }),
        (
            "prospect.import",
            OperatorCommand::ImportProspects { prospects: vec![(scene.id(), crash("2", "17031", "2026-01-01")?)] },
        ),
        ("prospect.erase", OperatorCommand::EraseProspect { prospect }),
        ("client.mail_on", OperatorCommand::MailOn { account, client, client_delay_seconds: 60 }),
        ("client.erase", OperatorCommand::EraseClient { account, client }),
    ];
    for (second, (action, command)) in (10..).zip(commands) {
        let before = whole_log(&scene, 100).await?;
        let (id, request_id, subject) = (scene.id(), scene.id(), format!("subject of {action}"));
        let actor = format!("actor {second}");
        let retention = Retention::default();
        let (who, about) = (actor.clone(), subject.clone());
        let entry = LogEntry { id, at: at(second), actor: who, action, subject: about, request_id, retention };
        let answer = scene.store.operate(command, entry).await?;
        ensure!(!matches!(answer, OperatorAnswer::Refused(_)), "{action} is refused: {answer:?}");
        let expected = LogRecord { id, at: at(second), actor, action: action.to_owned(), subject, request_id };
        let after = whole_log(&scene, 100).await?;
        ensure_eq!(after.get(before.len()..), Some(&[expected][..]), "what {action} added to the log");
    }
    Ok(())
}

/// A command that finds everything as it wants it leaves an entry too: it says what was asked for.
pub(super) async fn s13_command_that_finds_nothing_to_change_is_logged(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let account = firm.account;
    let ids = scene.create(&firm, at(1), &[person("1")]).await?;
    let crashes = || Ok::<_, Failure>(vec![crash("1", "17031", "2026-01-01")?]);
    scene.import(at(1), crashes()?).await?;
    let (key, _) = scene.key(account, None).await?;
    scene.operate(at(1), "key.revoke", OperatorCommand::RevokeKey { key }).await?;
    scene.grant(&firm, "17031", "2025-01-01").await?;
    let grant = Grant { fips: "17031".to_owned(), from_date: date("2025-01-01")? };
    let prospects = crashes()?.into_iter().map(|fields| (scene.id(), fields)).collect();
    for command in [
        OperatorCommand::SetAccount { account, change: AccountChange::default() },
        OperatorCommand::SetRole { login: firm.owner, role: Role::Owner },
        OperatorCommand::RevokeKey { key },
        OperatorCommand::GrantCounty { account, grant },
        OperatorCommand::ImportProspects { prospects },
        OperatorCommand::MailOn { account, client: ids[0], client_delay_seconds: 60 },
    ] {
        let shown = format!("{command:?}");
        let before = whole_log(&scene, 100).await?.len();
        scene.operate(at(2), "again", command).await?;
        ensure_eq!(whole_log(&scene, 100).await?.len(), before + 1, "entries of the log after {shown}");
    }
    Ok(())
}

/// A command that is refused, or only reads, leaves no entry.
pub(super) async fn s13_refused_command_is_not_logged(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let (account, unknown) = (firm.account, UNKNOWN);
    let teammate = scene.id();
    let email = "someone@firm.example".to_owned();
    let role = Role::Teammate;
    scene
        .operate(at(1), "login.add", OperatorCommand::AddLogin { id: teammate, account, email: email.clone(), role })
        .await?;
    let before = whole_log(&scene, 100).await?;
    let grant = Grant { fips: "17031".to_owned(), from_date: date("2025-01-01")? };
    let key = test_key_secrets().stored("mtb_refused");
    let digest = key.digest;
    let change = AccountChange { suspended: Some(true), ..AccountChange::default() };
    let (id, label) = (scene.id(), None);
    for command in [
        OperatorCommand::SetAccount { account: unknown, change },
        OperatorCommand::AddLogin { id, account: unknown, email, role },
        OperatorCommand::SetRole { login: unknown, role },
        OperatorCommand::RemoveLogin { login: unknown },
        OperatorCommand::RemoveLogin { login: firm.owner },
        OperatorCommand::CreateKey {
            id,
            account: unknown,
            login: None,
            label: label.clone(),
            limits: KeyLimits::default(),
            key: key.clone(),
        },
        OperatorCommand::CreateKey {
            id,
            account,
            login: Some(unknown),
            label: label.clone(),
            limits: KeyLimits::default(),
            key: key.clone(),
        },
        OperatorCommand::CreateKey { id, account, login: Some(teammate), label, limits: KeyLimits::default(), key },
        OperatorCommand::RevokeKey { key: unknown },
        OperatorCommand::GrantCounty { account: unknown, grant },
        OperatorCommand::RevokeCounty { account, fips: "17031".to_owned() },
        OperatorCommand::EraseProspect { prospect: unknown },
        OperatorCommand::MailOn { account, client: unknown, client_delay_seconds: 60 },
        OperatorCommand::EraseClient { account, client: unknown },
    ] {
        let shown = format!("{command:?}");
        let answer = scene.operate(at(2), "refused", command).await?;
        ensure!(matches!(answer, OperatorAnswer::Refused(_)), "not refused: {shown}, but {answer:?}");
    }
    for command in [
        OperatorCommand::ShowAccount { account },
        OperatorCommand::ListAccounts { after: None, limit: 10 },
        OperatorCommand::ListKeys { account },
        OperatorCommand::ListKeySecrets,
        OperatorCommand::ListSettlements { account, after: None, limit: 10 },
        OperatorCommand::ListLog { before: None, limit: 10 },
        OperatorCommand::ShowAccount { account: unknown },
    ] {
        scene.operate(at(3), "reading", command).await?;
    }
    ensure_eq!(whole_log(&scene, 100).await?, before, "the log after commands that were refused or only read");
    ensure_eq!(scene.store.key_owner(&digest, at(5)).await?, None, "a refused key opens something");
    Ok(())
}

/// An entry is kept for its retention. Each command then deletes the two oldest.
pub(super) async fn s13_old_entries_are_deleted_two_by_two(store: AnyStore<'_>) -> CaseResult {
    const DAY_SECONDS: i64 = 24 * 60 * 60;
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let retention_days = i64::from(Retention::default().operator_log_days);
    let grant = async |second: i64| {
        let grant = Grant { fips: format!("{:05}", second % 100_000), from_date: date("2025-01-01")? };
        let command = OperatorCommand::GrantCounty { account: firm.account, grant };
        scene.operate(at(second), "county.grant", command).await.map(|_| ())
    };
    for day in [0, 0, 0, 1] {
        grant(day * DAY_SECONDS + 10).await?;
    }
    let before = whole_log(&scene, 100).await?.len();
    grant(retention_days * DAY_SECONDS - 1).await?;
    ensure_eq!(whole_log(&scene, 100).await?.len(), before + 1, "entries while none is past its retention");
    // Past the retention of all but the last two.
    for second in 0..4 {
        grant((retention_days + 1) * DAY_SECONDS + second).await?;
    }
    let times: Vec<_> = whole_log(&scene, 100).await?.iter().map(|record| record.at).collect();
    let kept = [DAY_SECONDS + 10, retention_days * DAY_SECONDS - 1];
    let new = (0..4).map(|second| (retention_days + 1) * DAY_SECONDS + second);
    let expected: Vec<_> = kept.into_iter().chain(new).map(at).collect();
    ensure_eq!(times, expected, "the entries that are left");
    Ok(())
}

/// The log is read in the order of its times, in pages of any size.
pub(super) async fn s13_log_is_read_in_pages(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    for second in [1, 2, 2, 2, 3, 4] {
        let grant = Grant { fips: format!("0000{second}"), from_date: date("2025-01-01")? };
        let command = OperatorCommand::GrantCounty { account: firm.account, grant };
        scene.operate(at(second), "county.grant", command).await?;
    }
    let whole = whole_log(&scene, 100).await?;
    ensure_eq!(whole.len(), 8, "entries of an account, a key and six grants");
    let places: Vec<_> = whole.iter().map(|record| Position { at: record.at, id: record.id }).collect();
    ensure!(places.is_sorted_by(|earlier, later| earlier < later), "the log is not in the order of time: {places:?}");
    for limit in [1, 2, 3, 8] {
        ensure_eq!(whole_log(&scene, limit).await?, whole, "the log in pages of {limit}");
    }
    Ok(())
}
