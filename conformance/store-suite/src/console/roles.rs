//! S34: what a role may do, and only within its account.

use matterbook_core::{
    account::Role,
    id::IdMint,
    key::KeyLimits,
    memory::test_key_secrets,
    sign_in::LinkDigest,
    store::{
        ChangeRequest, ChangeSet, ClientPair, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, Download, NewImport,
        OperatorAnswer, OperatorCommand, OverviewQuery, ProspectSearch, Retention, ReviewDecision, Store, View,
    },
    uuid::Uuid,
};

use super::super::{
    CaseResult, ensure, ensure_eq,
    log::whole_log,
    values::{HOUR_SECONDS, MINUTE_SECONDS, at, new_client, person, saving},
};
use super::person::ConsoleScene;

fn prospects() -> ConsoleCommand {
    let view = View { now: at(50), delay_seconds: HOUR_SECONDS };
    let search = ProspectSearch {
        view,
        oldest_first: false,
        after: None,
        added_since: None,
        fips: None,
        crash_from: None,
        crash_to: None,
        injury_severity: None,
        limit: 10,
    };
    ConsoleCommand::ListProspects { search }
}

fn new_import(id: Uuid, role: Role) -> NewImport {
    let (file_name, digest, mapping) = ("a.csv".to_owned(), format!("{:0>64}", role as u8), "{}".to_owned());
    NewImport { id, file_name, digest, rows: 1, mapping }
}

fn undo(change: Uuid, dry_run: bool) -> ConsoleCommand {
    ConsoleCommand::UndoChange { change, after: None, client_delay_seconds: MINUTE_SECONDS, dry_run }
}

/// Every request of the console by every role: it is refused for the role, or it is not.
pub(super) async fn s34_each_role_does_what_it_may(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let fields = matterbook_core::client::ClientFields { do_not_mail: true, ..person("1") };
    let client = scene.create(&firm, at(0), &[fields]).await?[0];
    let target = scene.login(&firm, Role::Teammate).await?;
    for role in Role::ALL {
        let login = scene.login(&firm, role).await?;
        let session = scene.session(login, at(1)).await?;
        let key = test_key_secrets().stored(&format!("mtb_{}", role.name()));
        let (key_id, key_digest, new_login) = (scene.id(), key.digest, scene.id());
        let (label, limits, email) = (None, KeyLimits::default(), "new@firm.example".to_owned());
        let (reason, client_delay_seconds) = ("She asked for it".to_owned(), MINUTE_SECONDS);
        let query = OverviewQuery::at(at(2), HOUR_SECONDS, Retention::default());
        let link = LinkDigest::of(role.name());
        let everybody = [Role::Owner, Role::Teammate, Role::ViewOnly].as_slice();
        let (writers, owners) = ([Role::Owner, Role::Teammate].as_slice(), [Role::Owner].as_slice());
        for (allowed, command) in [
            (everybody, ConsoleCommand::Session),
            (everybody, ConsoleCommand::ShowAccount),
            (everybody, ConsoleCommand::ListSessions),
            (everybody, ConsoleCommand::ListPasskeys { login }),
            (everybody, ConsoleCommand::Overview { query }),
            (everybody, ConsoleCommand::SearchClients { search: Default::default(), before: None, limit: 10 }),
            (everybody, ConsoleCommand::ShowClient { client }),
            (everybody, prospects()),
            (everybody, ConsoleCommand::ListActivity { before: None, limit: 10 }),
            (everybody, ConsoleCommand::ListReview { seen_since: at(0), before: None, limit: 10 }),
            (everybody, ConsoleCommand::ListSimilar { filter: Default::default(), after: None, limit: 10 }),
            (writers, ConsoleCommand::DecideSimilar { pair: ClientPair::of(client, client), decision: None }),
            (
                writers,
                ConsoleCommand::ResolveReview {
                    item: scene.id(),
                    decision: ReviewDecision::Leave,
                    mint: IdMint::new(at(0), [7; 10]),
                    client_delay_seconds: 60,
                },
            ),
            (everybody, ConsoleCommand::ListImports { before: None, limit: 10 }),
            (everybody, ConsoleCommand::ShowImport { import: client }),
            (writers, ConsoleCommand::BeginImport { import: new_import(scene.id(), role) }),
            (writers, ConsoleCommand::EndImport { import: client }),
            (everybody, ConsoleCommand::RecordDownload { download: Download::Clients, rows: 3 }),
            (writers, ConsoleCommand::MailOn { client, reason, client_delay_seconds }),
            (writers, undo(client, true)),
            (writers, undo(client, false)),
            (owners, ConsoleCommand::ListKeys),
            (owners, ConsoleCommand::ListKeySecrets),
            (owners, ConsoleCommand::CreateKey { id: key_id, label, limits, key }),
            (owners, ConsoleCommand::RevokeKey { key: firm.key_id }),
            (owners, ConsoleCommand::AddLogin { id: new_login, email, role: Role::Owner }),
            (owners, ConsoleCommand::SetRole { login: target, role: Role::Teammate }),
            (owners, ConsoleCommand::MakeLink { login: target, link, expires_at: at(100) }),
            (owners, ConsoleCommand::ListPasskeys { login: target }),
            (owners, ConsoleCommand::EndSessions { login: target }),
            (everybody, ConsoleCommand::EndSessions { login }),
        ] {
            let shown = format!("{command:?}");
            let before = whole_log(&scene, 100).await?;
            let answer = scene.ask(session, at(2), command).await?;
            let is_refused = answer == ConsoleAnswer::Refused(ConsoleRefusal::Role);
            ensure_eq!(is_refused, !allowed.contains(&role), "whether {role:?} is refused: {shown}: {answer:?}");
            if is_refused {
                ensure_eq!(whole_log(&scene, 100).await?, before, "the log after {role:?} was refused: {shown}");
            }
        }
        let opens = scene.store.key_owner(&key_digest, at(3)).await?.is_some();
        ensure_eq!(opens, role == Role::Owner, "whether a key of {role:?} opens anything");
    }
    Ok(())
}

/// Logins, keys and clients of another account are as good as unknown, and nothing of them changes.
pub(super) async fn s34_other_accounts_are_unknown(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let fields = matterbook_core::client::ClientFields { do_not_mail: true, ..person("1") };
    let client = scene.create(&other, at(0), &[fields]).await?[0];
    let edited = scene.request(&other, at(0));
    let request = edited.request_id;
    let created = vec![new_client(scene.id(), person("2"))];
    let decide = saving(ChangeSet { created, ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..edited }).await?;
    let second = scene.login(&other, Role::Owner).await?;
    let victim = scene.session(second, at(0)).await?;
    let owner = scene.session(firm.owner, at(0)).await?;
    let link = LinkDigest::of("theirs");
    let (reason, client_delay_seconds) = ("None".to_owned(), MINUTE_SECONDS);
    for (refusal, command) in [
        (ConsoleRefusal::NoKey, ConsoleCommand::RevokeKey { key: other.key_id }),
        (ConsoleRefusal::NoLogin, ConsoleCommand::SetRole { login: second, role: Role::ViewOnly }),
        (ConsoleRefusal::NoLogin, ConsoleCommand::RemoveLogin { login: second }),
        (ConsoleRefusal::NoLogin, ConsoleCommand::MakeLink { login: second, link, expires_at: at(100) }),
        (ConsoleRefusal::NoLogin, ConsoleCommand::EndSessions { login: second }),
        (ConsoleRefusal::NoLogin, ConsoleCommand::ListPasskeys { login: second }),
        (ConsoleRefusal::NoClient, ConsoleCommand::ShowClient { client }),
        (ConsoleRefusal::NoClient, ConsoleCommand::MailOn { client, reason, client_delay_seconds }),
        (ConsoleRefusal::NoChange, undo(request, true)),
        (ConsoleRefusal::NoChange, undo(request, false)),
    ] {
        scene.denies(owner, at(1), command, refusal).await?;
    }
    ensure!(scene.is_open(victim, at(2)).await?, "another account's session was ended");
    ensure!(scene.store.key_owner(&other.key, at(2)).await?.is_some(), "another account's key was revoked");
    let show = OperatorCommand::ShowClient { account: other.account, client };
    let shown = scene.operate(at(2), "client.show", show).await?;
    let is_kept = matches!(&shown, OperatorAnswer::Client(client) if client.fields.do_not_mail);
    ensure!(is_kept, "another account's client was changed: {shown:?}");
    let answer =
        scene.ask(owner, at(3), ConsoleCommand::SearchClients { search: Default::default(), before: None, limit: 10 });
    ensure_eq!(answer.await?, ConsoleAnswer::Clients(Vec::new(), None), "clients of an account without any");
    Ok(())
}
