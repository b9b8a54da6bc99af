//! S38: people list the pairs of their account and decide about them.

use matterbook_core::{
    account::Role,
    similar::SimilarReason,
    store::{
        ClientPair, ConsoleAnswer, ConsoleCommand, ConsoleRefusal, DecidedPair, FoundPair, OperatorCommand,
        OverviewQuery, Retention, SimilarDecision, SimilarFilter, SimilarPage,
    },
    time::Timestamp,
};

use super::{
    super::{
        CaseResult, ensure_eq,
        log::whole_log,
        values::{HOUR_SECONDS, at, person},
    },
    person::{ConsoleScene, Person, instead},
};

async fn similar(scene: &ConsoleScene<'_>, person: Person, decided: bool) -> CaseResult<SimilarPage> {
    let filter = SimilarFilter { decided, letters: false };
    match scene.ask(person, at(200), ConsoleCommand::ListSimilar { filter, after: None, limit: 10 }).await? {
        ConsoleAnswer::Similar(page) => Ok(page),
        other => Err(instead("pairs", &other)),
    }
}

async fn undecided(scene: &ConsoleScene<'_>, person: Person, now: Timestamp) -> CaseResult<u32> {
    let query = OverviewQuery::at(now, HOUR_SECONDS, Retention::default());
    match scene.ask(person, now, ConsoleCommand::Overview { query }).await? {
        ConsoleAnswer::Overview(overview) => Ok(overview.similar),
        other => Err(instead("an overview", &other)),
    }
}

pub(super) async fn s38_people_decide_about_pairs_of_their_account(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let ids = scene.create(&firm, at(0), &[person("1"), person("2"), person("3")]).await?;
    let theirs = scene.create(&other, at(0), &[person("1"), person("2")]).await?;
    let found = |pair| FoundPair { pair, reasons: vec![SimilarReason::SamePhone] };
    let [own, second] = [ClientPair::of(ids[0], ids[1]), ClientPair::of(ids[0], ids[2])];
    let foreign = ClientPair::of(theirs[0], theirs[1]);
    for (account, pairs) in [(firm.account, vec![own, second]), (other.account, vec![foreign])] {
        let pairs = pairs.into_iter().map(found).collect();
        let command = OperatorCommand::KeepSimilar { account, pairs, last_commit_at: at(0) };
        scene.operate(at(100), "similar.find", command).await?;
    }
    let login = scene.login(&firm, Role::Teammate).await?;
    let teammate = scene.session(login, at(150)).await?;
    ensure_eq!(similar(&scene, teammate, false).await?.pairs.len(), 2, "undecided pairs that a teammate sees");
    ensure_eq!(undecided(&scene, teammate, at(200)).await?, 2, "undecided pairs in the overview");
    let before = whole_log(&scene, 100).await?.len();
    let decide = |pair| ConsoleCommand::DecideSimilar { pair, decision: Some(SimilarDecision::Same) };
    let refused = scene.ask(teammate, at(210), decide(foreign)).await?;
    ensure_eq!(refused, ConsoleAnswer::Refused(ConsoleRefusal::NoPair), "a decision about another account's pair");
    let answer = scene.ask(teammate, at(210), decide(own)).await?;
    let decided = match answer {
        ConsoleAnswer::SimilarPair(pair) => pair.decided,
        other => return Err(instead("a pair", &other)),
    };
    let by = decided.as_ref().map(|decided| decided.by.clone()).unwrap_or_default();
    let expected = DecidedPair { decision: SimilarDecision::Same, at: at(210), by: by.clone() };
    ensure_eq!(decided, Some(expected), "the decision");
    let log = whole_log(&scene, 100).await?;
    ensure_eq!(log.len(), before + 1, "entries of the log after a decision and a refused one");
    let entry = log.iter().find(|entry| entry.action == "similar.decide");
    ensure_eq!(
        entry.map(|entry| (entry.actor.clone(), entry.subject.clone())),
        Some((by, own.to_string())),
        "the entry"
    );
    ensure_eq!(similar(&scene, teammate, true).await?.pairs.len(), 1, "decided pairs that a teammate sees");
    ensure_eq!(undecided(&scene, teammate, at(220)).await?, 1, "undecided pairs in the overview after a decision");
    Ok(())
}
