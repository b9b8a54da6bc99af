//! S30: a link signs in once.

use matterbook_core::{
    account::Role,
    store::{AccountChange, LinkOwner, OperatorCommand, SignInAnswer, SignInCommand, SignInRefusal},
};

use super::{
    super::{CaseResult, ensure, ensure_eq, values::at},
    person::{ConsoleScene, EMAIL, Person},
};

/// Showing a link uses nothing up; using it begins one session, and no second one.
pub(super) async fn s30_link_signs_in_once(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let login = scene.login(&firm, Role::Teammate).await?;
    let link = scene.link(login, at(100)).await?;
    let owner = LinkOwner { login, email: EMAIL.to_owned(), role: Role::Teammate, expires_at: at(100) };
    for second in [1, 2] {
        let shown = scene.sign_in(at(second), SignInCommand::ShowLink { link }).await?;
        ensure_eq!(shown, SignInAnswer::Link(owner.clone()), "whom a link signs in");
    }
    let session = scene.new_session();
    let SignInAnswer::SignedIn(owner) = scene.sign_in(at(3), SignInCommand::UseLink { link, session }).await? else {
        return Err(super::super::Failure("a link does not sign in".to_owned()));
    };
    let expected = (session.id, login, firm.account, Role::Teammate, EMAIL);
    let found = (owner.session, owner.login, owner.account, owner.role, owner.email.as_str());
    ensure_eq!(found, expected, "who is signed in");
    ensure_eq!((owner.started_at, owner.used_at), (at(3), at(3)), "when the session began");
    let other = scene.new_session();
    let again = SignInCommand::UseLink { link, session: other };
    scene.refuses_sign_in(at(4), again, SignInRefusal::Unknown).await?;
    scene.refuses_sign_in(at(4), SignInCommand::ShowLink { link }, SignInRefusal::Unknown).await?;
    ensure!(scene.is_open(Person { session: session.digest }, at(4)).await?, "the session is not open");
    ensure!(!scene.is_open(Person { session: other.digest }, at(4)).await?, "a used link began a session");
    Ok(())
}

/// A newer link replaces the one before it, and each works until it expires.
pub(super) async fn s30_newest_link_works_until_it_expires(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let other = scene.login(&firm, Role::ViewOnly).await?;
    let older = scene.link(firm.owner, at(100)).await?;
    let others = scene.link(other, at(100)).await?;
    let newer = scene.link(firm.owner, at(100)).await?;
    scene.refuses_sign_in(at(1), SignInCommand::ShowLink { link: older }, SignInRefusal::Unknown).await?;
    let session = scene.new_session();
    let use_older = SignInCommand::UseLink { link: older, session };
    scene.refuses_sign_in(at(1), use_older, SignInRefusal::Unknown).await?;
    for link in [newer, others] {
        let shown = scene.sign_in(at(99), SignInCommand::ShowLink { link }).await?;
        ensure!(matches!(shown, SignInAnswer::Link(_)), "a link does not work before it expires: {shown:?}");
        scene.refuses_sign_in(at(100), SignInCommand::ShowLink { link }, SignInRefusal::Unknown).await?;
        let session = scene.new_session();
        let late = SignInCommand::UseLink { link, session };
        scene.refuses_sign_in(at(100), late, SignInRefusal::Unknown).await?;
    }
    Ok(())
}

/// A link ends with its login, and does not work while the account is suspended.
pub(super) async fn s30_link_of_a_removed_or_suspended_login_does_not_work(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let left = scene.login(&firm, Role::Owner).await?;
    let link = scene.link(left, at(100)).await?;
    scene.operate(at(1), "login.remove", OperatorCommand::RemoveLogin { login: left }).await?;
    let use_it = |session| SignInCommand::UseLink { link, session };
    scene.refuses_sign_in(at(2), use_it(scene.new_session()), SignInRefusal::Unknown).await?;

    let link = scene.link(firm.owner, at(100)).await?;
    let use_it = |session| SignInCommand::UseLink { link, session };
    let set = |suspended| OperatorCommand::SetAccount {
        account: firm.account,
        change: AccountChange { suspended: Some(suspended), ..AccountChange::default() },
    };
    scene.operate(at(3), "account.set", set(true)).await?;
    scene.refuses_sign_in(at(4), SignInCommand::ShowLink { link }, SignInRefusal::Suspended).await?;
    scene.refuses_sign_in(at(4), use_it(scene.new_session()), SignInRefusal::Suspended).await?;
    scene.operate(at(5), "account.set", set(false)).await?;
    let signed_in = scene.sign_in(at(6), use_it(scene.new_session())).await?;
    ensure!(matches!(signed_in, SignInAnswer::SignedIn(_)), "a refused link was used up: {signed_in:?}");
    Ok(())
}
