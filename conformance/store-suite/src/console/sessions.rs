//! S32 and S33: how long a session lives.

use matterbook_core::{
    account::Role,
    sign_in::SessionDigest,
    store::{AccountChange, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, OperatorCommand, Store},
};

use super::{
    super::{
        CaseResult, Failure, ensure, ensure_eq,
        values::{at, person},
    },
    person::{ConsoleScene, Person, instead},
};

const HOUR_SECONDS: i64 = 3_600;

/// Twelve hours without a recorded use end a session, and thirty days whatever is recorded.
pub(super) async fn s32_session_ends_without_use(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let hour = |hour: i64| at(hour * HOUR_SECONDS);
    let idle = scene.session(firm.owner, hour(0)).await?;
    let busy = scene.session(firm.owner, hour(0)).await?;
    ensure!(scene.is_open(idle, hour(12).plus_seconds(-1)).await?, "a session ends within twelve hours of its use");
    scene.record_session_use(&busy.session, hour(11)).await?;
    ensure!(!scene.is_open(idle, hour(12)).await?, "a session lives twelve hours after its last use");
    ensure!(scene.is_open(busy, hour(22)).await?, "the use of a session is not recorded");
    for tenth in 2..=71 {
        scene.record_session_use(&busy.session, hour(tenth * 10)).await?;
    }
    ensure!(scene.is_open(busy, hour(720).plus_seconds(-1)).await?, "a session ends within thirty days");
    ensure!(!scene.is_open(busy, hour(720)).await?, "a session lives thirty days");
    // A use that comes too late brings nothing back.
    scene.record_session_use(&idle.session, hour(13)).await?;
    ensure!(!scene.is_open(idle, hour(13)).await?, "the use of an ended session opens it again");
    Ok(())
}

/// An unknown session, and one that has ended, neither read nor change anything.
pub(super) async fn s32_unknown_session_has_no_effect(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let ended = scene.session(firm.owner, at(0)).await?;
    scene.ask(ended, at(1), ConsoleCommand::SignOut).await?;
    let stranger = Person { session: SessionDigest::of("nobody's") };
    let before = crate::log::whole_log(&scene, 100).await?;
    for person in [stranger, ended] {
        let (id, email) = (scene.id(), "new@firm.example".to_owned());
        for command in [
            ConsoleCommand::Session,
            ConsoleCommand::ShowAccount,
            ConsoleCommand::ListKeys,
            ConsoleCommand::SignOut,
            ConsoleCommand::AddLogin { id, email, role: Role::Owner },
            ConsoleCommand::RevokeKey { key: firm.key_id },
        ] {
            let shown = format!("{command:?}");
            let response = scene.response(person, at(2), command).await?;
            ensure_eq!(response, None, "the answer to a dead session's {shown}");
        }
    }
    ensure!(scene.store.key_owner(&firm.key, at(3)).await?.is_some(), "a dead session revoked a key");
    ensure_eq!(crate::log::whole_log(&scene, 100).await?, before, "the log after requests of dead sessions");
    Ok(())
}

/// The owner shows role and flags as they are in the unit that answers.
pub(super) async fn s32_owner_is_as_of_now(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let owner = scene.session(firm.owner, at(0)).await?;
    ensure!(scene.is_open(owner, at(0)).await?, "a new session is not open");
    let change = AccountChange {
        email: Some("new@firm.example".to_owned()),
        api_enabled: Some(false),
        ..AccountChange::default()
    };
    scene.operate(at(1), "account.set", OperatorCommand::SetAccount { account: firm.account, change }).await?;
    let response = scene.response(owner, at(2), ConsoleCommand::Session).await?;
    let response = response.ok_or_else(|| Failure("a live session is unknown".to_owned()))?;
    let found = (response.owner.account_email.as_str(), response.owner.flags.api_enabled, response.owner.role);
    ensure_eq!(found, ("new@firm.example", false, Role::Owner), "who asks");
    let search = ConsoleCommand::SearchClients { search: Default::default(), before: None, limit: 10 };
    scene.denies(owner, at(2), search, ConsoleRefusal::NotEnabled).await
}

/// Signing out ends this session, and ending all ends each of the login, and of no other.
pub(super) async fn s33_session_ends_at_sign_out_and_everywhere(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let teammate = scene.login(&firm, Role::Teammate).await?;
    let owner = scene.session(firm.owner, at(0)).await?;
    let [laptop, phone] = [scene.session(teammate, at(1)).await?, scene.session(teammate, at(2)).await?];
    let listed = scene.ask(phone, at(3), ConsoleCommand::ListSessions).await?;
    let ConsoleAnswer::Sessions(sessions) = listed else { return Err(instead("sessions", &listed)) };
    let times: Vec<_> = sessions.iter().map(|session| session.started_at).collect();
    ensure_eq!(times, [at(2), at(1)], "the sessions of a login, the newest first");
    scene.ask(laptop, at(4), ConsoleCommand::SignOut).await?;
    ensure!(!scene.is_open(laptop, at(5)).await?, "a session lives on after signing out");
    ensure!(scene.is_open(phone, at(5)).await?, "signing out ends another session");
    let laptop = scene.session(teammate, at(6)).await?;
    scene.ask(phone, at(7), ConsoleCommand::EndSessions { login: teammate }).await?;
    for session in [laptop, phone] {
        ensure!(!scene.is_open(session, at(8)).await?, "a session lives on after all were ended");
    }
    ensure!(scene.is_open(owner, at(8)).await?, "another login's session was ended");
    let laptop = scene.session(teammate, at(9)).await?;
    scene.ask(owner, at(10), ConsoleCommand::EndSessions { login: teammate }).await?;
    ensure!(!scene.is_open(laptop, at(11)).await?, "an owner does not end a teammate's sessions");
    Ok(())
}

/// Another role, and the removal of the login, end its sessions; the same role ends nothing.
pub(super) async fn s33_session_ends_with_its_login_and_its_role(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let login = scene.login(&firm, Role::Teammate).await?;
    let (owner, session) = (scene.session(firm.owner, at(0)).await?, scene.session(login, at(0)).await?);
    let set_role = |role| OperatorCommand::SetRole { login, role };
    scene.operate(at(1), "login.set_role", set_role(Role::Teammate)).await?;
    ensure!(scene.is_open(session, at(2)).await?, "the role that a login has ended its session");
    scene.operate(at(3), "login.set_role", set_role(Role::ViewOnly)).await?;
    ensure!(!scene.is_open(session, at(4)).await?, "a session lives on with another role");
    let session = scene.session(login, at(5)).await?;
    scene.ask(owner, at(6), ConsoleCommand::SetRole { login, role: Role::Owner }).await?;
    ensure!(!scene.is_open(session, at(7)).await?, "a session lives on with the role that an owner gave");
    let session = scene.session(login, at(8)).await?;
    scene.operate(at(9), "login.remove", OperatorCommand::RemoveLogin { login }).await?;
    ensure!(!scene.is_open(session, at(10)).await?, "a session lives on without its login");
    ensure!(scene.is_open(owner, at(10)).await?, "another login's session was ended");
    Ok(())
}

/// While an account is suspended its sessions say so; afterwards they stay ended.
pub(super) async fn s33_suspension_ends_sessions_for_good(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let owner = scene.session(firm.owner, at(0)).await?;
    let stranger = scene.session(other.owner, at(0)).await?;
    scene.create(&firm, at(0), &[person("1")]).await?;
    let set = |suspended| OperatorCommand::SetAccount {
        account: firm.account,
        change: AccountChange { suspended: Some(suspended), ..AccountChange::default() },
    };
    scene.operate(at(1), "account.set", set(true)).await?;
    let search = || ConsoleCommand::SearchClients { search: Default::default(), before: None, limit: 10 };
    for command in [ConsoleCommand::Session, ConsoleCommand::ShowAccount, search()] {
        scene.denies(owner, at(2), command, ConsoleRefusal::Suspended).await?;
    }
    scene.operate(at(3), "account.set", set(false)).await?;
    let response = scene.response(owner, at(4), search()).await?;
    ensure_eq!(response, None, "the answer to a session that a suspension ended");
    ensure!(scene.is_open(stranger, at(4)).await?, "the suspension of another account ended a session");
    let again = scene.session(firm.owner, at(5)).await?;
    ensure!(scene.is_open(again, at(6)).await?, "nobody signs in after the suspension");
    Ok(())
}
