//! S31: passkeys.

use matterbook_core::{
    account::Role,
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleRefusal, NewPasskey, OperatorCommand, Passkey, PasskeyRecord,
        SignInAnswer, SignInCommand, SignInRefusal,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::{
    super::{CaseResult, ensure, ensure_eq, values::at},
    person::{ConsoleScene, Person, instead},
};

/// A credential id that is as long as an id of the store, which its texts must not confuse.
const SHORT: &[u8] = &[7; 16];
const LONG: &[u8] = &[9; 64];

fn passkey(id: Uuid, credential_id: &[u8], name: &str) -> NewPasskey {
    NewPasskey { id, credential_id: credential_id.to_vec(), state: vec![1, 0, 255], name: name.to_owned() }
}

impl ConsoleScene<'_> {
    async fn add_passkey(&self, person: Person, now: Timestamp, credential_id: &[u8], name: &str) -> CaseResult<Uuid> {
        let id = self.id();
        let passkey = passkey(id, credential_id, name);
        let answer = self.ask(person, now, ConsoleCommand::AddPasskey { passkey }).await?;
        ensure_eq!(answer, ConsoleAnswer::Done, "the answer to a new passkey");
        Ok(id)
    }

    async fn passkeys(&self, person: Person, now: Timestamp, login: Uuid) -> CaseResult<Vec<PasskeyRecord>> {
        match self.ask(person, now, ConsoleCommand::ListPasskeys { login }).await? {
            ConsoleAnswer::Passkeys(passkeys) => Ok(passkeys),
            other => Err(instead("passkeys", &other)),
        }
    }
}

/// A passkey begins a session only with the state that the assertion was verified with, and keeps the new one.
pub(super) async fn s31_passkey_signs_in_with_the_state_that_was_verified(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let login = scene.login(&firm, Role::Teammate).await?;
    let person = scene.session(login, at(0)).await?;
    let id = scene.add_passkey(person, at(1), SHORT, "Laptop").await?;
    let find = |credential_id: &[u8]| SignInCommand::FindPasskey { credential_id: credential_id.to_vec() };
    let found = scene.sign_in(at(2), find(SHORT)).await?;
    ensure_eq!(found, SignInAnswer::Passkey(Passkey { login, state: vec![1, 0, 255] }), "the passkey of a login");
    scene.refuses_sign_in(at(2), find(LONG), SignInRefusal::Unknown).await?;
    let use_it = |verified: &[u8], new: &[u8], session| SignInCommand::UsePasskey {
        credential_id: SHORT.to_vec(),
        verified_state: verified.to_vec(),
        new_state: new.to_vec(),
        session,
    };
    let session = scene.new_session();
    let SignInAnswer::SignedIn(owner) = scene.sign_in(at(3), use_it(&[1, 0, 255], &[2], session)).await? else {
        return Err(super::super::Failure("a verified passkey does not sign in".to_owned()));
    };
    ensure_eq!((owner.login, owner.session), (login, session.id), "who is signed in");
    ensure!(scene.is_open(Person { session: session.digest }, at(4)).await?, "the session is not open");
    // A copy of the authenticator that is one use behind.
    let stale = use_it(&[1, 0, 255], &[2], scene.new_session());
    scene.refuses_sign_in(at(5), stale, SignInRefusal::Unknown).await?;
    let record = PasskeyRecord {
        id,
        credential_id: SHORT.to_vec(),
        name: "Laptop".to_owned(),
        created_at: at(1),
        last_used_at: Some(at(3)),
    };
    ensure_eq!(scene.passkeys(person, at(6), login).await?, [record], "the passkey after its use");
    scene.operate(at(7), "login.remove", OperatorCommand::RemoveLogin { login }).await?;
    scene.refuses_sign_in(at(8), find(SHORT), SignInRefusal::Unknown).await
}

/// No two passkeys have one credential id; a login has several, and renames its own.
pub(super) async fn s31_credential_belongs_to_one_passkey(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let owner = scene.session(firm.owner, at(0)).await?;
    let stranger = scene.session(other.owner, at(0)).await?;
    let first = scene.add_passkey(owner, at(1), LONG, "Laptop").await?;
    let second = scene.add_passkey(owner, at(2), SHORT, "Phone").await?;
    let taken = ConsoleCommand::AddPasskey { passkey: passkey(scene.id(), LONG, "Copy") };
    scene.denies(stranger, at(3), taken, ConsoleRefusal::KnownPasskey).await?;
    let rename = |id, name: &str| ConsoleCommand::RenamePasskey { id, name: name.to_owned() };
    scene.denies(stranger, at(4), rename(first, "Mine"), ConsoleRefusal::NoPasskey).await?;
    scene.ask(owner, at(4), rename(first, "Office")).await?;
    let found = scene.passkeys(owner, at(5), firm.owner).await?;
    let found: Vec<_> = found.iter().map(|passkey| (passkey.id, passkey.name.as_str())).collect();
    ensure_eq!(found, [(first, "Office"), (second, "Phone")], "the passkeys of a login, oldest first");
    let list = ConsoleCommand::ListPasskeys { login: firm.owner };
    scene.denies(stranger, at(6), list, ConsoleRefusal::NoLogin).await?;
    ensure_eq!(scene.passkeys(stranger, at(6), other.owner).await?, [], "the passkeys of another account's login");
    Ok(())
}

/// A login keeps one passkey; an owner removes any of another login.
pub(super) async fn s31_last_passkey_is_not_removed_by_its_owner(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let login = scene.login(&firm, Role::Teammate).await?;
    let (owner, teammate) = (scene.session(firm.owner, at(0)).await?, scene.session(login, at(0)).await?);
    let own = scene.add_passkey(owner, at(1), &[1], "Owner's").await?;
    let first = scene.add_passkey(teammate, at(1), &[2], "Laptop").await?;
    let remove = |id| ConsoleCommand::RemovePasskey { id };
    scene.denies(teammate, at(2), remove(first), ConsoleRefusal::LastWayIn).await?;
    scene.denies(teammate, at(2), remove(own), ConsoleRefusal::NoPasskey).await?;
    scene.denies(owner, at(2), remove(own), ConsoleRefusal::LastWayIn).await?;
    let second = scene.add_passkey(teammate, at(3), &[3], "Phone").await?;
    ensure_eq!(scene.ask(teammate, at(4), remove(first)).await?, ConsoleAnswer::Done, "the removal of one of two");
    scene.denies(teammate, at(5), remove(second), ConsoleRefusal::LastWayIn).await?;
    ensure_eq!(scene.ask(owner, at(6), remove(second)).await?, ConsoleAnswer::Done, "the removal by an owner");
    ensure_eq!(scene.passkeys(owner, at(7), login).await?, [], "the teammate's passkeys");
    scene.denies(owner, at(8), remove(second), ConsoleRefusal::NoPasskey).await
}
