//! S38 to S40: pairs of clients that may be one person, what is decided about them, comparisons, and what a request
//! sees of them.

use matterbook_core::{
    client::ClientFields,
    similar::{Compared, Comparison, Nicknames, SimilarReason, compare, compare_due},
    store::{
        ChangeRequest, ChangeSet, ClientPair, DecidedPair, FoundPair, OperatorAnswer, OperatorCommand, Refusal,
        SettlementChange, SimilarClient, SimilarDecision, SimilarFilter, SimilarPage, SimilarPair,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    log::whole_log,
    scene::{Firm, Scene, unexpected},
    values::{HOUR_SECONDS, MINUTE_SECONDS, UNKNOWN, at, by_external_id, date, new_client, person, saving},
};

pub(super) const OPEN: SimilarFilter = SimilarFilter { decided: false, letters: false };
const DECIDED: SimilarFilter = SimilarFilter { decided: true, letters: false };
const LETTERS: SimilarFilter = SimilarFilter { decided: false, letters: true };

fn silent(external_id: &str) -> ClientFields {
    ClientFields { do_not_mail: true, ..person(external_id) }
}

fn pair(ids: &[Uuid], one: usize, other: usize) -> ClientPair {
    ClientPair::of(ids[one], ids[other])
}

fn found(pair: ClientPair) -> FoundPair {
    FoundPair { pair, reasons: vec![SimilarReason::SameEmail, SimilarReason::Unit] }
}

/// Keeps what a comparison at a time found that saw the account's commits up to that time.
async fn keep(scene: &Scene<'_>, account: Uuid, now: Timestamp, pairs: &[ClientPair]) -> CaseResult<usize> {
    let mut pairs: Vec<_> = pairs.iter().copied().map(found).collect();
    pairs.sort_unstable();
    let command = OperatorCommand::KeepSimilar { account, pairs, last_commit_at: now };
    match scene.operate(now, "similar.find", command).await? {
        OperatorAnswer::Compared(pairs) => Ok(pairs),
        other => Err(unexpected("a count of pairs", &other)),
    }
}

pub(super) async fn page(
    scene: &Scene<'_>,
    firm: &Firm,
    filter: SimilarFilter,
    after: Option<ClientPair>,
    limit: u32,
) -> CaseResult<SimilarPage> {
    let command = OperatorCommand::ListSimilar { account: firm.account, filter, after, limit };
    match scene.operate(at(500), "similar.list", command).await? {
        OperatorAnswer::Similar(page) => Ok(page),
        other => Err(unexpected("pairs", &other)),
    }
}

pub(super) async fn pairs(scene: &Scene<'_>, firm: &Firm, filter: SimilarFilter) -> CaseResult<Vec<ClientPair>> {
    Ok(ids_of(&page(scene, firm, filter, None, 100).await?))
}

pub(super) fn ids_of(page: &SimilarPage) -> Vec<ClientPair> {
    page.pairs.iter().map(|SimilarPair { clients: [one, other], .. }| ClientPair::of(one.id, other.id)).collect()
}

pub(super) async fn decide(
    scene: &Scene<'_>,
    firm: &Firm,
    now: Timestamp,
    pair: ClientPair,
    decision: Option<SimilarDecision>,
) -> CaseResult<SimilarPair> {
    let command = OperatorCommand::DecideSimilar { account: firm.account, pair, decision };
    match scene.operate(now, "similar.decide", command).await? {
        OperatorAnswer::SimilarPair(pair) => Ok(*pair),
        other => Err(unexpected("a pair", &other)),
    }
}

/// Pairs are read in pages of one account, each with both clients as they are now.
pub(super) async fn s38_pairs_are_read_in_pages_of_one_account(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let ids = scene.create(&firm, at(0), &[person("1"), silent("2"), person("3")]).await?;
    let theirs = scene.create(&other, at(0), &[person("1"), person("2")]).await?;
    ensure_eq!(page(&scene, &firm, OPEN, None, 10).await?, SimilarPage::default(), "pairs before a comparison");
    keep(&scene, other.account, at(90), &[pair(&theirs, 0, 1)]).await?;
    let all = [pair(&ids, 0, 1), pair(&ids, 0, 2), pair(&ids, 1, 2)];
    ensure_eq!(keep(&scene, firm.account, at(100), &all).await?, 3, "the pairs that are kept");
    scene.update(&firm, at(110), "3", |fields| fields.city = Some("Springfield".into())).await?;

    let first = page(&scene, &firm, OPEN, None, 2).await?;
    ensure_eq!((ids_of(&first), first.next), (all[..2].to_vec(), Some(all[1])), "the first page");
    ensure_eq!(first.compared_at, Some(at(100)), "the time of the comparison");
    let second = page(&scene, &firm, OPEN, first.next, 2).await?;
    ensure_eq!((ids_of(&second), second.next), (all[2..].to_vec(), None), "the last page");
    let shown = second.pairs.into_iter().next().ok_or_else(|| Failure("an empty page".to_owned()))?;
    let clients = [scene.show_to_operator(&firm, ids[1]).await?, scene.show_to_operator(&firm, ids[2]).await?];
    let reasons = vec![SimilarReason::SameEmail, SimilarReason::Unit];
    ensure_eq!(shown, SimilarPair { clients, reasons, found_at: at(100), decided: None }, "a pair");
    ensure_eq!(pairs(&scene, &firm, LETTERS).await?, [all[0], all[2]], "pairs of which one client gets letters");
    ensure_eq!(pairs(&scene, &other, OPEN).await?, [pair(&theirs, 0, 1)], "the pairs of the other account");
    Ok(())
}

/// A decision is logged and changes no client, and can be taken back.
pub(super) async fn s38_decision_is_logged_and_can_be_taken_back(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), silent("2"), person("3")]).await?;
    let [same, different] = [pair(&ids, 0, 1), pair(&ids, 1, 2)];
    keep(&scene, firm.account, at(100), &[same, different]).await?;
    let logged = whole_log(&scene, 100).await?.len();
    let decided = decide(&scene, &firm, at(110), same, Some(SimilarDecision::Same)).await?.decided;
    let by = "tester".to_owned();
    ensure_eq!(decided, Some(DecidedPair { decision: SimilarDecision::Same, at: at(110), by }), "the decision");
    decide(&scene, &firm, at(111), different, Some(SimilarDecision::Different)).await?;
    ensure_eq!(whole_log(&scene, 100).await?.len(), logged + 2, "entries of the log after two decisions");
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, [], "undecided pairs");
    ensure_eq!(pairs(&scene, &firm, DECIDED).await?, [same, different], "decided pairs");
    ensure_eq!(pairs(&scene, &firm, LETTERS).await?, [same], "pairs of which one client gets letters");
    let both = SimilarFilter { decided: true, letters: true };
    ensure_eq!(pairs(&scene, &firm, both).await?, [same], "decided pairs of which one client gets letters");
    let opened = decide(&scene, &firm, at(112), different, None).await?;
    ensure_eq!(opened.decided, None, "the decision after it was taken back");
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, [different], "undecided pairs after one was taken back");
    let account = OperatorCommand::ShowAccount { account: firm.account };
    match scene.operate(at(120), "account.show", account).await? {
        OperatorAnswer::Account(account) => {
            ensure_eq!(account.last_commit_at, Some(at(0)), "the last commit after decisions");
            Ok(())
        }
        other => Err(unexpected("an account", &other)),
    }
}

/// Pairs go with an erased client, and with one that an undo removes.
pub(super) async fn s38_pairs_go_with_their_clients(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), person("2"), person("3"), person("4")]).await?;
    let (id, request) = (scene.id(), scene.request(&firm, at(50)));
    let request_id = request.request_id;
    let created = vec![new_client(id, person("5"))];
    let decide_creation = saving(ChangeSet { created, ..ChangeSet::default() });
    scene.change(ChangeRequest { decide: decide_creation, ..request }).await?;
    let all = [pair(&ids, 0, 1), pair(&ids, 1, 2), pair(&ids, 2, 3), ClientPair::of(ids[3], id)];
    keep(&scene, firm.account, at(100), &all).await?;
    decide(&scene, &firm, at(110), all[1], Some(SimilarDecision::Same)).await?;

    let command = OperatorCommand::EraseClient { account: firm.account, client: ids[1] };
    scene.operate(at(120), "client.erase", command).await?;
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, all[2..], "undecided pairs after an erasure");
    ensure_eq!(pairs(&scene, &firm, DECIDED).await?, [], "decided pairs after an erasure");
    let (account, client_delay_seconds) = (firm.account, MINUTE_SECONDS);
    let undo =
        OperatorCommand::UndoChange { account, change: request_id, after: None, client_delay_seconds, dry_run: false };
    scene.operate(at(130), "change.undo", undo).await?;
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, [all[2]], "undecided pairs after an undo that removed a client");
    Ok(())
}

/// The feed tells that a client that may be the same person gets no letters, until they are two people.
pub(super) async fn s38_settlements_tell_of_letters_that_a_pair_declined(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), silent("2"), person("3"), silent("4")]).await?;
    let begun = |client: &Uuid| -> CaseResult<_> {
        let (id, settled_on) = (scene.id(), date("2026-01-02")?);
        Ok(SettlementChange::Begun { id, client: *client, settled_on, former_dates: Vec::new() })
    };
    let settlements = ids.iter().map(begun).collect::<CaseResult<_>>()?;
    let decide_settlements = saving(ChangeSet { settlements, ..ChangeSet::default() });
    scene.change(ChangeRequest { decide: decide_settlements, ..scene.request(&firm, at(1)) }).await?;
    let flags = async || -> CaseResult<Vec<bool>> {
        let feed = scene.settlements(&firm).await?;
        let flag = |id: &Uuid| feed.iter().any(|entry| entry.client_id == *id && entry.similar_do_not_mail);
        Ok(ids.iter().map(flag).collect())
    };
    ensure_eq!(flags().await?, [false; 4], "the feed without pairs");
    keep(&scene, firm.account, at(100), &[pair(&ids, 0, 1), pair(&ids, 2, 3), pair(&ids, 1, 3)]).await?;
    ensure_eq!(flags().await?, [true; 4], "the feed with pairs whose other client gets no letters");
    for (decision, expected) in [
        (Some(SimilarDecision::Same), [true, true, true, true]),
        (Some(SimilarDecision::Different), [false, true, true, true]),
        (None, [true, true, true, true]),
    ] {
        decide(&scene, &firm, at(110), pair(&ids, 0, 1), decision).await?;
        ensure_eq!(flags().await?, expected, "the feed after the decision {decision:?}");
    }
    Ok(())
}

/// A request sees who may be the same person as a client that it matches, if it names them: of its account, unless they
/// are decided to be two people.
pub(super) async fn s40_request_sees_the_pairs_of_its_clients_if_it_names_them(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let ids = scene.create(&firm, at(0), &["1", "2", "3", "4", "5"].map(person)).await?;
    let theirs = scene.create(&other, at(0), &["1", "2"].map(person)).await?;
    keep(&scene, other.account, at(90), &[pair(&theirs, 0, 1)]).await?;
    let all = [pair(&ids, 0, 1), pair(&ids, 0, 3), pair(&ids, 1, 2), pair(&ids, 2, 3)];
    let request = |names_similar: bool, external_ids: &[&str]| {
        let lookup_keys = external_ids.iter().map(|external_id| by_external_id(external_id)).collect();
        ChangeRequest { lookup_keys, names_similar, ..scene.request(&firm, at(200)) }
    };
    let similar = async |external_ids: &[&str]| -> CaseResult<Vec<SimilarClient>> {
        Ok(scene.shown(request(true, external_ids)).await?.similar)
    };
    let expected = |places: &[(usize, usize)]| -> Vec<SimilarClient> {
        let reasons = || vec![SimilarReason::SameEmail, SimilarReason::Unit];
        let similar = |(one, other): &(usize, usize)| (ids[*one], ids[*other]);
        places.iter().map(similar).map(|(client, other)| SimilarClient { client, other, reasons: reasons() }).collect()
    };
    ensure_eq!(similar(&["1"]).await?, [], "before a comparison");
    keep(&scene, firm.account, at(100), &all).await?;
    ensure_eq!(similar(&["1", "2"]).await?, expected(&[(0, 1), (0, 3), (1, 0), (1, 2)]), "of two clients");
    ensure_eq!(similar(&["4"]).await?, expected(&[(3, 0), (3, 2)]), "of one client");
    ensure_eq!(similar(&["5"]).await?, [], "of a client that has none");
    ensure_eq!(similar(&["6"]).await?, [], "of no client");
    ensure_eq!(scene.shown(request(false, &["1"])).await?.similar, [], "where they are not asked for");
    decide(&scene, &firm, at(110), all[0], Some(SimilarDecision::Different)).await?;
    decide(&scene, &firm, at(111), all[1], Some(SimilarDecision::Same)).await?;
    ensure_eq!(similar(&["1"]).await?, expected(&[(0, 3)]), "after decisions");
    Ok(())
}

/// A comparison replaces what is undecided. What was decided stays, and is not counted.
pub(super) async fn s39_comparison_replaces_undecided_pairs_alone(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), person("2"), person("3")]).await?;
    let [one, two, three] = [pair(&ids, 0, 1), pair(&ids, 0, 2), pair(&ids, 1, 2)];
    keep(&scene, firm.account, at(100), &[one, two]).await?;
    decide(&scene, &firm, at(110), one, Some(SimilarDecision::Different)).await?;
    let logged = whole_log(&scene, 100).await?.len();
    ensure_eq!(keep(&scene, firm.account, at(200), &[one, three]).await?, 1, "undecided pairs after a comparison");
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, [three], "undecided pairs");
    let decided = page(&scene, &firm, DECIDED, None, 10).await?;
    ensure_eq!(ids_of(&decided), [one], "decided pairs");
    ensure_eq!(decided.pairs[0].decided.as_ref().map(|decided| decided.at), Some(at(110)), "when it was decided");
    ensure_eq!(keep(&scene, firm.account, at(300), &[two, three]).await?, 2, "undecided pairs after a third one");
    let found_at: Vec<_> = page(&scene, &firm, OPEN, None, 10).await?.pairs.iter().map(|pair| pair.found_at).collect();
    ensure_eq!(found_at, [at(300), at(200)], "when the pairs were found first");
    ensure_eq!(keep(&scene, firm.account, at(400), &[]).await?, 0, "undecided pairs after one that finds none");
    ensure_eq!(pairs(&scene, &firm, DECIDED).await?, [one], "decided pairs after one that finds none");
    ensure_eq!(whole_log(&scene, 100).await?.len(), logged, "entries of the log after comparisons");
    Ok(())
}

/// What a comparison found of a client that is gone, or that another account has, is not kept.
pub(super) async fn s39_pair_of_a_client_that_is_gone_is_not_kept(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let ids = scene.create(&firm, at(0), &[person("1"), person("2"), person("3")]).await?;
    let theirs = scene.create(&other, at(0), &[person("1")]).await?;
    let command = OperatorCommand::EraseClient { account: firm.account, client: ids[2] };
    scene.operate(at(50), "client.erase", command).await?;
    let all = [pair(&ids, 0, 1), pair(&ids, 1, 2), ClientPair::of(ids[0], theirs[0]), ClientPair::of(ids[0], UNKNOWN)];
    ensure_eq!(keep(&scene, firm.account, at(100), &all).await?, 1, "the pairs that are kept");
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, [all[0]], "the pairs");
    Ok(())
}

/// An account is due that has changed since its last comparison, an hour after it.
pub(super) async fn s39_changed_account_is_due_an_hour_after_its_comparison(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let hour = i64::from(HOUR_SECONDS);
    let firms = [scene.firm().await?, scene.firm().await?, scene.firm().await?];
    let due = async |before: Timestamp, limit: u32| -> CaseResult<Vec<usize>> {
        let command = OperatorCommand::ListDue { compared_before: before, limit };
        match scene.operate(at(0), "similar.due", command).await? {
            OperatorAnswer::Due(due) => Ok((0..3).filter(|place| due.contains(&firms[*place].account)).collect()),
            other => Err(unexpected("accounts that are due", &other)),
        }
    };
    ensure_eq!(due(at(0), 10).await?, [0; 0], "accounts without clients that are due");
    scene.create(&firms[0], at(10), &[person("1"), person("2")]).await?;
    scene.create(&firms[1], at(10), &[person("1")]).await?;
    ensure_eq!(due(at(20), 10).await?, [0, 1], "accounts that are due before any comparison");
    ensure_eq!(due(at(20), 1).await?.len(), 1, "accounts that are due, one at most");
    keep(&scene, firms[0].account, at(20), &[]).await?;
    ensure_eq!(due(at(20 + hour), 10).await?, [1], "accounts that are due after a comparison");
    scene.create(&firms[0], at(30), &[person("3")]).await?;
    ensure_eq!(due(at(19), 10).await?, [1], "accounts that are due soon after a comparison");
    ensure_eq!(due(at(20), 10).await?, [0, 1], "accounts that are due after a change");
    Ok(())
}

/// A comparison finds those that have a reason, once, and not what was decided.
pub(super) async fn s39_clients_that_may_be_one_person_are_found(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let named = |external_id: &str, first_name: &str, email: &str| ClientFields {
        first_name: Some(first_name.into()),
        email: Some(email.into()),
        last_name: Some("Specimenez".into()),
        address_line1: Some("12 Oak St".into()),
        ..person(external_id)
    };
    let strangers = (0..30).map(|number| person(&format!("s{number}")));
    let alike =
        [named("1", "Robert", "a@example.com"), named("2", "Bob", "a@example.com"), named("3", "Ana", "b@example.com")];
    let people: Vec<_> = strangers.chain(alike).collect();
    let ids = scene.create(&firm, at(0), &people).await?;
    let robert = pair(&ids, 30, 31);
    let comparison = Comparison { nicknames: Nicknames::default(), clients_max: 100 };
    let run = async |account: Uuid, comparison: &Comparison<'_>, now: i64| {
        compare(&scene.store, account, comparison, at(now)).await
    };
    let compared = run(firm.account, &comparison, 100).await.map_err(|error| Failure(error.to_string()))?;
    let expected = Compared { clients: 33, is_complete: true, pairs: 1, at: at(100) };
    ensure_eq!(compared, expected, "what a comparison did");
    let shown = page(&scene, &firm, OPEN, None, 10).await?;
    ensure_eq!(ids_of(&shown), [robert], "what it found");
    ensure_eq!(shown.pairs[0].reasons, [SimilarReason::SameEmail, SimilarReason::Nickname], "the reasons");
    let few = Comparison { clients_max: 31, ..comparison.clone() };
    let compared = run(firm.account, &few, 110).await.map_err(|error| Failure(error.to_string()))?;
    let expected = Compared { clients: 31, is_complete: false, pairs: 0, at: at(110) };
    ensure_eq!(compared, expected, "what a comparison of the first 31 clients did");
    // The account is due once more only after a commit.
    let later = at(120 + 2 * i64::from(HOUR_SECONDS));
    ensure_eq!(compare_due(&scene.store, &comparison, later).await?, 0, "accounts that are due without a commit");
    scene.create(&firm, at(130), &[person("new")]).await?;
    ensure_eq!(compare_due(&scene.store, &comparison, later).await?, 1, "accounts that are due after a commit");
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, [robert], "what it found");
    decide(&scene, &firm, at(140), robert, Some(SimilarDecision::Different)).await?;
    let compared = run(firm.account, &comparison, 150).await.map_err(|error| Failure(error.to_string()))?;
    ensure_eq!((compared.clients, compared.pairs), (34, 0), "clients and undecided pairs after the decision");
    ensure!(run(UNKNOWN, &comparison, 160).await.is_err(), "an unknown account is compared");
    Ok(())
}

/// Commands about an account or a pair that is not there are refused.
pub(super) async fn decide_similar_refuses_an_unknown_pair(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let ids = scene.create(&firm, at(0), &[person("1"), person("2"), person("3")]).await?;
    let kept = pair(&ids, 0, 1);
    keep(&scene, firm.account, at(100), &[kept]).await?;
    let decide = |account: Uuid, pair: ClientPair| OperatorCommand::DecideSimilar {
        account,
        pair,
        decision: Some(SimilarDecision::Same),
    };
    scene.refuses(decide(firm.account, pair(&ids, 0, 2)), Refusal::NoPair).await?;
    scene.refuses(decide(other.account, kept), Refusal::NoPair).await?;
    let account = UNKNOWN;
    scene.refuses(decide(account, kept), Refusal::NoAccount).await?;
    scene
        .refuses(OperatorCommand::ListSimilar { account, filter: OPEN, after: None, limit: 5 }, Refusal::NoAccount)
        .await?;
    scene.refuses(OperatorCommand::StartComparison { account }, Refusal::NoAccount).await?;
    scene.refuses(OperatorCommand::ListClientsById { account, after: UNKNOWN, limit: 5 }, Refusal::NoAccount).await?;
    scene.refuses(OperatorCommand::ReadClients { account, ids: ids.clone() }, Refusal::NoAccount).await?;
    let keep = OperatorCommand::KeepSimilar { account, pairs: Vec::new(), last_commit_at: at(0) };
    scene.refuses(keep, Refusal::NoAccount).await?;
    let theirs = OperatorCommand::ReadClients { account: other.account, ids };
    let read = scene.operate(at(0), "client.read", theirs).await?;
    ensure_eq!(read, OperatorAnswer::Clients(Vec::new(), None), "clients of another account");
    Ok(())
}
