//! S35 and S36: overview, prospects, activity, and the log that the console leaves.

use matterbook_core::{
    account::{Grant, Role},
    id::IdMint,
    key::KeyLimits,
    memory::test_key_secrets,
    sign_in::LinkDigest,
    store::{
        Authority, ChangeRequest, ChangeSet, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, Download, LogRecord,
        NewImport, OperatorCommand, Overview, OverviewQuery, Position, ProspectSearch, Retention, SessionAuthority,
        SettlementChange, SourceKind, View,
    },
};

use super::{
    super::{
        CaseResult, Failure, ensure, ensure_eq,
        log::whole_log,
        scene::Firm,
        values::{HOUR_SECONDS, MINUTE_SECONDS, at, crash, date, new_client, person, saving},
    },
    person::{ConsoleScene, EMAIL, Person, instead},
};

const DAY_SECONDS: i64 = 86_400;
/// The day of the overview: 2026-02-20, a while after the start of the cases.
const TODAY_SECONDS: i64 = 50 * DAY_SECONDS + 1_000;

async fn overview(scene: &ConsoleScene<'_>, person: Person) -> CaseResult<Overview> {
    let query = OverviewQuery::at(at(TODAY_SECONDS), HOUR_SECONDS, Retention::default());
    match scene.ask(person, at(TODAY_SECONDS), ConsoleCommand::Overview { query }).await? {
        ConsoleAnswer::Overview(overview) => Ok(*overview),
        other => Err(instead("an overview", &other)),
    }
}

/// Saves clients in one commit of a request that was made then, some of them with a settlement.
async fn save(scene: &ConsoleScene<'_>, firm: &Firm, seconds: i64, names: &[&str], do_not_mail: bool) -> CaseResult {
    let ids: Vec<_> = names.iter().map(|_| scene.id()).collect();
    let fields = |name: &&str| matterbook_core::client::ClientFields { do_not_mail, ..person(name) };
    let created = ids.iter().zip(names).map(|(id, name)| new_client(*id, fields(name))).collect();
    let begun = |client: &matterbook_core::uuid::Uuid| -> CaseResult<_> {
        let (id, settled_on) = (scene.id(), date("2026-01-15")?);
        Ok(SettlementChange::Begun { id, client: *client, settled_on, former_dates: Vec::new() })
    };
    let settlements = ids.iter().map(begun).collect::<CaseResult<_>>()?;
    let decide = saving(ChangeSet { created, settlements, ..ChangeSet::default() });
    let draw = u8::try_from(names.len()).unwrap_or(u8::MAX);
    let request_id = IdMint::new(at(seconds), [draw; 10]).id(0);
    scene.change(ChangeRequest { request_id, decide, ..scene.request(firm, at(seconds)) }).await?;
    Ok(())
}

/// What came in is counted by day and source; settlements by month; unused keys are named.
pub(super) async fn s35_overview_counts_by_day_and_source(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let session = scene.session(firm.owner, at(TODAY_SECONDS - 10)).await?;
    let empty = overview(&scene, session).await?;
    ensure_eq!(empty.days.len(), 30, "the days of an overview");
    ensure!(empty.days.iter().all(|day| day.sources.is_empty()), "counts without a client: {empty:?}");
    // Before the 30 days, on the first of them, yesterday, and today.
    save(&scene, &firm, 20 * DAY_SECONDS, &["old"], false).await?;
    save(&scene, &firm, 21 * DAY_SECONDS + 5, &["a", "b"], false).await?;
    save(&scene, &firm, 49 * DAY_SECONDS + 86_399, &["c"], true).await?;
    save(&scene, &firm, 50 * DAY_SECONDS, &["d", "e", "f"], false).await?;
    save(&scene, &other, 50 * DAY_SECONDS, &["x", "y", "z", "w"], false).await?;
    let counted = overview(&scene, session).await?;
    let created: Vec<_> = counted
        .days
        .iter()
        .flat_map(|day| day.sources.iter().map(|source| (day.day.to_string(), source.kind, source.counts.created)))
        .collect();
    let expected = [("2026-01-22", 2), ("2026-02-19", 1), ("2026-02-20", 3)];
    let expected = expected.map(|(day, count)| (day.to_owned(), SourceKind::Key, count));
    ensure_eq!(created, expected, "new clients by day");
    let settlements = (counted.settlements_with_letters, counted.settlements_without_letters);
    ensure_eq!(settlements, (3, 1), "settlements that began in February, with and without letters");
    ensure_eq!(counted.unused_keys, [], "keys unused for 90 days, 50 days after they were made");
    let mut query = OverviewQuery::at(at(TODAY_SECONDS), HOUR_SECONDS, Retention::default());
    query.unused_since = at(1);
    let answer = scene.ask(session, at(TODAY_SECONDS), ConsoleCommand::Overview { query }).await?;
    let ConsoleAnswer::Overview(unused) = answer else { return Err(instead("an overview", &answer)) };
    let unused: Vec<_> = unused.unused_keys.iter().map(|key| key.id).collect();
    ensure_eq!(unused, [firm.key_id], "keys that nobody uses");
    Ok(())
}

/// Each key, file and person of a day is a source of its own, with its name.
pub(super) async fn s35_overview_names_the_sources_of_a_day(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let (login, now) = (scene.login(&firm, Role::Teammate).await?, TODAY_SECONDS - 10);
    let session = scene.session(login, at(now)).await?;
    let (labelled, key) = (scene.id(), test_key_secrets().stored(&format!("mtb_{}", scene.id().simple())));
    let (digest, label) = (key.digest, Some("Zapier".to_owned()));
    let limits = KeyLimits::default();
    let command = OperatorCommand::CreateKey { id: labelled, account: firm.account, login: None, label, limits, key };
    scene.operate(at(0), "key.create", command).await?;
    let (file_name, digest_of_file, mapping) = ("may.xlsx".to_owned(), "a".repeat(64), "{}".to_owned());
    let import = NewImport { id: scene.id(), file_name, digest: digest_of_file, rows: 9, mapping };
    let import_id = import.id;
    scene.ask(session, at(now), ConsoleCommand::BeginImport { import }).await?;
    let session_of = |import| Authority::Session(SessionAuthority { session: session.session, import });
    let authorities = [
        (Authority::Key(firm.key), 1),
        (Authority::Key(digest), 2),
        (Authority::Key(digest), 3),
        (session_of(None), 4),
        (session_of(Some(import_id)), 5),
    ];
    for (number, (authority, clients)) in (0_u8..).zip(authorities) {
        let created = (0..clients).map(|client| new_client(scene.id(), person(&format!("{number}-{client}"))));
        let decide = saving(ChangeSet { created: created.collect(), ..ChangeSet::default() });
        let request_id = IdMint::new(at(now), [number; 10]).id(0);
        scene.change(ChangeRequest { authority, request_id, decide, ..scene.request(&firm, at(now)) }).await?;
    }
    let counted = overview(&scene, session).await?;
    let day = counted.days.last().ok_or_else(|| Failure("no day".to_owned()))?;
    let named: Vec<_> =
        day.sources.iter().map(|source| (source.kind, source.name.as_deref(), source.counts.created)).collect();
    let has = |kind, name: Option<&str>, created| named.contains(&(kind, name, created));
    let has_unlabelled =
        named.iter().any(|(_, name, created)| *created == 1 && name.is_some_and(|name| name.starts_with('…')));
    ensure!(
        named.len() == 4
            && has_unlabelled
            && has(SourceKind::Key, Some("Zapier"), 5)
            && has(SourceKind::Import, Some("may.xlsx"), 5)
            && has(SourceKind::Person, Some(EMAIL), 4),
        "the sources of a day: {named:?}"
    );
    Ok(())
}

/// Prospects are those that the grants show, by filters, in both orders, page by page.
pub(super) async fn s35_prospects_are_those_of_the_grants(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let session = scene.session(firm.owner, at(TODAY_SECONDS)).await?;
    scene.grant(&firm, "17031", "2025-06-01").await?;
    scene.grant(&firm, "06037", "2025-06-01").await?;
    for (second, source_id, fips, crash_date, severity) in [
        (1, "1", "17031", "2025-07-01", "fatal"),
        (2, "early", "17031", "2025-05-31", "fatal"),
        (3, "2", "06037", "2026-01-05", "possible"),
        (4, "elsewhere", "48201", "2026-01-05", "fatal"),
        (5, "3", "17031", "2026-01-06", "fatal"),
    ] {
        let mut fields = crash(source_id, fips, crash_date)?;
        fields.injury_severity = Some(severity.into());
        scene.import(at(second), vec![fields]).await?;
    }
    scene.import(at(TODAY_SECONDS - 1), vec![crash("hidden", "17031", "2026-01-06")?]).await?;
    let view = View { now: at(TODAY_SECONDS), delay_seconds: HOUR_SECONDS };
    let all = ProspectSearch {
        view,
        oldest_first: false,
        after: None,
        added_since: None,
        fips: None,
        crash_from: None,
        crash_to: None,
        injury_severity: None,
        limit: 2,
    };
    for (search, expected) in [
        (all.clone(), vec!["3", "2", "1"]),
        (ProspectSearch { oldest_first: true, ..all.clone() }, vec!["1", "2", "3"]),
        (ProspectSearch { fips: Some("17031".into()), ..all.clone() }, vec!["3", "1"]),
        (ProspectSearch { fips: Some("48201".into()), ..all.clone() }, vec![]),
        (ProspectSearch { crash_from: Some(date("2026-01-05")?), ..all.clone() }, vec!["3", "2"]),
        (ProspectSearch { crash_to: Some(date("2026-01-05")?), ..all.clone() }, vec!["2", "1"]),
        (ProspectSearch { added_since: Some(at(3)), ..all.clone() }, vec!["3", "2"]),
        (ProspectSearch { added_since: Some(at(3)), oldest_first: true, ..all.clone() }, vec!["2", "3"]),
        (ProspectSearch { injury_severity: Some("fatal".into()), limit: 1, ..all.clone() }, vec!["3", "1"]),
    ] {
        let (mut found, mut after): (Vec<String>, Option<Position>) = (Vec::new(), None);
        for _ in 0..10 {
            let search = ProspectSearch { after, ..search.clone() };
            let limit = search.limit as usize;
            let answer = scene.ask(session, at(TODAY_SECONDS), ConsoleCommand::ListProspects { search }).await?;
            let ConsoleAnswer::Prospects(grants, prospects, next) = answer else {
                return Err(instead("prospects", &answer));
            };
            let counties: Vec<_> = grants.iter().map(|grant: &Grant| grant.fips.as_str()).collect();
            ensure_eq!(counties, ["06037", "17031"], "the counties that come with a page");
            ensure!(prospects.len() <= limit, "a page of {limit} has {} prospects", prospects.len());
            found.extend(prospects.iter().map(|prospect| prospect.fields.source_id.to_string()));
            after = next;
            if after.is_none() {
                break;
            }
        }
        ensure_eq!(found, expected, "prospects found by {search:?}");
    }
    let change = matterbook_core::store::AccountChange { digital_bundle: Some(false), ..Default::default() };
    scene.operate(at(6), "account.set", OperatorCommand::SetAccount { account: firm.account, change }).await?;
    let list = ConsoleCommand::ListProspects { search: all };
    scene.denies(session, at(TODAY_SECONDS), list, ConsoleRefusal::NoBundle).await
}

async fn activity(scene: &ConsoleScene<'_>, person: Person, limit: u32) -> CaseResult<Vec<LogRecord>> {
    let (mut log, mut before): (Vec<LogRecord>, Option<Position>) = (Vec::new(), None);
    for _ in 0..100 {
        let answer = scene.ask(person, at(100), ConsoleCommand::ListActivity { before, limit }).await?;
        let ConsoleAnswer::Log(records, next) = answer else { return Err(instead("the log", &answer)) };
        ensure!(records.len() <= limit as usize, "a page of {limit} has {} entries", records.len());
        log.extend(records);
        before = next;
        if before.is_none() {
            break;
        }
    }
    Ok(log)
}

/// The activity has what the operator and the people did to this account, the newest first, and nothing of another.
pub(super) async fn s35_activity_is_of_the_account_alone(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let account = firm.account;
    let login = scene.login(&firm, Role::Teammate).await?;
    let session = scene.session(login, at(2)).await?;
    scene.session(other.owner, at(2)).await?;
    scene.grant(&firm, "17031", "2025-01-01").await?;
    scene.grant(&other, "06037", "2025-01-01").await?;
    scene.import(at(3), vec![crash("1", "17031", "2026-01-01")?]).await?;
    let (key, _) = scene.key(account, None).await?;
    scene.operate(at(4), "key.revoke", OperatorCommand::RevokeKey { key }).await?;
    let left = scene.login(&firm, Role::ViewOnly).await?;
    scene.operate(at(5), "login.set_role", OperatorCommand::SetRole { login: left, role: Role::Teammate }).await?;
    scene.operate(at(6), "login.remove", OperatorCommand::RemoveLogin { login: left }).await?;
    let download = Download::Prospects;
    scene.ask(session, at(7), ConsoleCommand::RecordDownload { download, rows: 12 }).await?;
    let whole = activity(&scene, session, 100).await?;
    let newest: Vec<_> = whole.iter().take(5).map(|record| record.action.as_str()).collect();
    let expected = ["prospect.download", "login.remove", "login.set_role", "key.revoke", "session.begin"];
    ensure_eq!(newest, expected, "what was done last, the newest first");
    ensure_eq!((whole[0].actor.as_str(), whole[0].subject.as_str()), (EMAIL, "12"), "who downloaded how much");
    let mut actions: Vec<_> = whole.iter().map(|record| record.action.as_str()).collect();
    actions.sort_unstable();
    let mut expected = vec!["account.create", "county.grant", "key.create", "key.create", "key.revoke", "login.add"];
    expected.extend(["login.add", "login.link", "login.remove", "login.set_role", "prospect.download"]);
    expected.push("session.begin");
    ensure_eq!(actions, expected, "everything that was done to the account");
    for limit in [1, 3] {
        ensure_eq!(activity(&scene, session, limit).await?, whole, "the activity in pages of {limit}");
    }
    Ok(())
}

/// Each change leaves one entry, with the email of the person; reading and what is refused leave none.
pub(super) async fn s36_each_change_is_logged_once_with_its_person(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let fields = matterbook_core::client::ClientFields { do_not_mail: true, ..person("1") };
    let client = scene.create(&firm, at(0), &[fields]).await?[0];
    let login = scene.login(&firm, Role::Owner).await?;
    let session = scene.session(login, at(1)).await?;
    let (added, key_id) = (scene.id(), scene.id());
    let key = test_key_secrets().stored("mtb_logged");
    let (label, limits, email) = (None, KeyLimits::default(), "new@firm.example".to_owned());
    let (reason, client_delay_seconds) = ("Not for the log".to_owned(), MINUTE_SECONDS);
    let link = LinkDigest::of("a link");
    let download = Download::Clients;
    for (second, (action, subject, command)) in (10..).zip([
        ("login.add", added.to_string(), ConsoleCommand::AddLogin { id: added, email, role: Role::ViewOnly }),
        ("login.set_role", added.to_string(), ConsoleCommand::SetRole { login: added, role: Role::Teammate }),
        ("login.link", added.to_string(), ConsoleCommand::MakeLink { login: added, link, expires_at: at(100) }),
        ("session.end_all", added.to_string(), ConsoleCommand::EndSessions { login: added }),
        ("login.remove", added.to_string(), ConsoleCommand::RemoveLogin { login: added }),
        ("key.create", key_id.to_string(), ConsoleCommand::CreateKey { id: key_id, label, limits, key }),
        ("key.revoke", key_id.to_string(), ConsoleCommand::RevokeKey { key: key_id }),
        ("client.mail_on", client.to_string(), ConsoleCommand::MailOn { client, reason, client_delay_seconds }),
        ("client.download", "40".to_owned(), ConsoleCommand::RecordDownload { download, rows: 40 }),
        ("session.end", login.to_string(), ConsoleCommand::SignOut),
    ]) {
        let before = whole_log(&scene, 100).await?;
        let answer = scene.ask(session, at(second), command).await?;
        ensure!(!matches!(answer, ConsoleAnswer::Refused(_)), "{action} is refused: {answer:?}");
        let after = whole_log(&scene, 100).await?;
        let new: Vec<_> = after.get(before.len()..).unwrap_or_default().iter().collect();
        ensure_eq!(new.len(), 1, "how many entries {action} leaves");
        let found =
            new.first().map(|record| (record.at, record.actor.as_str(), record.action.as_str(), &record.subject));
        ensure_eq!(found, Some((at(second), EMAIL, action, &subject)), "the entry of {action}");
    }
    Ok(())
}
