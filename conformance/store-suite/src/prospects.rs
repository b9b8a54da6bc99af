//! S9 and S10: an account sees the prospects of its counties from its dates on, page by page.

use matterbook_core::{
    account::Grant,
    prospect::Prospect,
    store::{ImportOutcome, OperatorCommand, ProspectOrder, ProspectPage, ProspectPageQuery, Store},
};

use super::{
    AnyStore, CaseResult, Failure, ensure_eq,
    scene::{Firm, Scene},
    values::{at, crash, date, prospects_at},
};

/// When everything that a case imports in its first minutes is over an hour old.
const LATER_SECONDS: i64 = 10_000;

const LOS_ANGELES: &str = "06037";
const COOK: &str = "17031";

fn source_ids(prospects: &[Prospect]) -> Vec<&str> {
    prospects.iter().map(|prospect| prospect.fields.source_id.as_str()).collect()
}

async fn page(scene: &Scene<'_>, firm: &Firm, query: ProspectPageQuery) -> CaseResult<ProspectPage> {
    scene.store.prospects(&firm.key, &query).await?.ok_or_else(|| Failure("a live key is unknown".to_owned()))
}

/// Without a grant a county's prospects are unseen; a grant that is taken back hides them again.
pub(super) async fn s9_county_without_grant_is_unseen(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    scene.import(at(0), vec![crash("la", LOS_ANGELES, "2026-01-01")?, crash("cook", COOK, "2026-01-01")?]).await?;
    scene.grant(&other, COOK, "2020-01-01").await?;
    let query = prospects_at(at(LATER_SECONDS));
    let seen = scene.walk_prospects(&firm, query.clone()).await?;
    ensure_eq!(source_ids(&seen), [] as [&str; 0], "what an account without grants sees");
    scene.grant(&firm, LOS_ANGELES, "2020-01-01").await?;
    let seen = scene.walk_prospects(&firm, query.clone()).await?;
    ensure_eq!(source_ids(&seen), ["la"], "what a grant for Los Angeles shows");
    let fips = LOS_ANGELES.to_owned();
    let command = OperatorCommand::RevokeCounty { account: firm.account, fips };
    scene.operate(at(1), "county.revoke", command).await?;
    let seen = scene.walk_prospects(&firm, query).await?;
    ensure_eq!(source_ids(&seen), [] as [&str; 0], "what is seen after the grant was taken back");
    Ok(())
}

/// A grant shows crashes of its first date and later ones, and no earlier one.
pub(super) async fn s9_grant_from_date(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, LOS_ANGELES, "2025-06-15").await?;
    scene.grant(&firm, COOK, "2025-01-01").await?;
    for (second, crash) in [
        crash("la before", LOS_ANGELES, "2025-06-14")?,
        crash("la first day", LOS_ANGELES, "2025-06-15")?,
        crash("cook before", COOK, "2024-12-31")?,
        crash("cook between", COOK, "2025-06-14")?,
        crash("la after", LOS_ANGELES, "2025-06-16")?,
    ]
    .into_iter()
    .enumerate()
    {
        scene.import(at(second as i64), vec![crash]).await?;
    }
    let oldest = prospects_at(at(LATER_SECONDS));
    let seen = scene.walk_prospects(&firm, ProspectPageQuery { limit: 1, ..oldest.clone() }).await?;
    let expected = ["la first day", "cook between", "la after"];
    ensure_eq!(source_ids(&seen), expected, "what grants from 15 June and 1 January 2025 show");
    let newest = ProspectPageQuery { order: ProspectOrder::Newest { added_since: at(0) }, ..oldest };
    let seen = page(&scene, &firm, newest).await?.prospects;
    let expected = ["la after", "cook between", "la first day"];
    ensure_eq!(source_ids(&seen), expected, "what the same grants show from the newest");
    Ok(())
}

/// A prospect shows in neither order until it is an hour old.
pub(super) async fn s9_prospect_is_hidden_for_the_delay(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    scene.import(at(0), vec![crash("1", COOK, "2026-01-01")?]).await?;
    for (second, expected) in [(0, 0), (3_599, 0), (3_600, 1)] {
        for order in [ProspectOrder::Oldest { after: None }, ProspectOrder::Newest { added_since: at(-100) }] {
            let seen = page(&scene, &firm, ProspectPageQuery { order, ..prospects_at(at(second)) }).await?.prospects;
            ensure_eq!(seen.len(), expected, "prospects added at 0 s, read at {second} s in the order {order:?}");
        }
    }
    Ok(())
}

/// The page hands back the grants that it was read with, by FIPS code.
pub(super) async fn s9_grants_come_with_the_page(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let query = prospects_at(at(LATER_SECONDS));
    ensure_eq!(page(&scene, &firm, query.clone()).await?.grants, [], "the grants of an account without any");
    scene.grant(&firm, COOK, "2025-01-01").await?;
    scene.grant(&firm, LOS_ANGELES, "2025-06-15").await?;
    let expected = [
        Grant { fips: LOS_ANGELES.to_owned(), from_date: date("2025-06-15")? },
        Grant { fips: COOK.to_owned(), from_date: date("2025-01-01")? },
    ];
    ensure_eq!(page(&scene, &firm, query).await?.grants, expected, "the grants that come with a page");
    Ok(())
}

/// From the newest: at most the limit, added at or after a time, and no place to go on from.
pub(super) async fn s9_newest_first_since_a_time(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, LOS_ANGELES, "2020-01-01").await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    for (second, source_id, fips) in [(0, "1", LOS_ANGELES), (1, "2", COOK), (2, "3", LOS_ANGELES), (3, "4", COOK)] {
        scene.import(at(second), vec![crash(source_id, fips, "2026-01-01")?]).await?;
    }
    for (added_since, limit, expected) in [
        (at(0), 500, vec!["4", "3", "2", "1"]),
        (at(1), 500, vec!["4", "3", "2"]),
        (at(1).next(), 500, vec!["4", "3"]),
        (at(0), 2, vec!["4", "3"]),
    ] {
        let order = ProspectOrder::Newest { added_since };
        let query = ProspectPageQuery { order, limit, ..prospects_at(at(LATER_SECONDS)) };
        let page = page(&scene, &firm, query).await?;
        ensure_eq!(source_ids(&page.prospects), expected, "the newest {limit} added since {added_since}");
        ensure_eq!(page.next, None, "the newest prospects have a place to go on from");
    }
    Ok(())
}

/// An import of a machine whose clock is far ahead hides nothing that comes after it.
pub(super) async fn s9_clock_far_ahead_hides_nothing(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    for (second, source_id) in [(0, "1"), (31_536_000, "2"), (10, "3")] {
        scene.import(at(second), vec![crash(source_id, COOK, "2026-01-01")?]).await?;
    }
    let seen = scene.walk_prospects(&firm, prospects_at(at(LATER_SECONDS))).await?;
    ensure_eq!(source_ids(&seen), ["1", "2", "3"], "prospects read after an import whose clock was a year ahead");
    Ok(())
}

/// Imports have strictly growing times, whatever their clocks say, so no page skips one.
pub(super) async fn s16_imports_grow_in_time(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    for (second, source_id) in [(10, "1"), (10, "2"), (5, "3"), (20, "4")] {
        scene.import(at(second), vec![crash(source_id, COOK, "2026-01-01")?]).await?;
    }
    let seen = scene.walk_prospects(&firm, prospects_at(at(LATER_SECONDS))).await?;
    ensure_eq!(source_ids(&seen), ["1", "2", "3", "4"], "prospects in the order of their imports");
    let added_at: Vec<_> = seen.iter().map(|prospect| prospect.added_at).collect();
    let expected = [at(10), at(10).next(), at(10).next().next(), at(20)];
    ensure_eq!(added_at, expected, "the times of imports whose clocks stand or go back");
    Ok(())
}

/// However many rows lie between that the account may not see, a walk reaches what lies behind.
pub(super) async fn s10_bounded_page_goes_on(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2025-01-01").await?;
    scene.import(at(0), vec![crash("first", COOK, "2026-01-01")?]).await?;
    for second in 1..=6 {
        let unseen = (0..500).map(|number| {
            let (fips, crash_date) = if number % 2 == 0 { (COOK, "2024-12-31") } else { (LOS_ANGELES, "2026-01-01") };
            crash(&format!("unseen {second} {number}"), fips, crash_date)
        });
        scene.import(at(second), unseen.collect::<CaseResult<_>>()?).await?;
    }
    scene.import(at(10), vec![crash("middle", COOK, "2026-01-01")?, crash("last", COOK, "2026-01-01")?]).await?;
    for limit in [1, 100] {
        let query = ProspectPageQuery { limit, ..prospects_at(at(LATER_SECONDS)) };
        let mut seen = scene.walk_prospects(&firm, query).await?;
        seen.sort_by_key(|prospect| prospect.added_at);
        ensure_eq!(source_ids(&seen), ["first", "middle", "last"], "a walk in pages of {limit} over 3,000 unseen rows");
    }
    Ok(())
}

/// The erasure of a prospect has a time of its own, and what is imported next comes after it.
pub(super) async fn s16_erasure_is_a_change(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    let outcomes = scene.import(at(10), vec![crash("1", COOK, "2026-01-01")?]).await?;
    for outcome in outcomes {
        let ImportOutcome::Created(prospect) = outcome else {
            return Err(Failure(format!("a new prospect is not created: {outcome:?}")));
        };
        scene.operate(at(10), "prospect.erase", OperatorCommand::EraseProspect { prospect }).await?;
    }
    scene.import(at(5), vec![crash("2", COOK, "2026-01-01")?]).await?;
    let seen = scene.walk_prospects(&firm, prospects_at(at(LATER_SECONDS))).await?;
    let added: Vec<_> = seen.iter().map(|prospect| prospect.added_at).collect();
    ensure_eq!(added, [at(10).next().next()], "when a prospect was added after an erasure, the clock behind");
    Ok(())
}

/// An import that leaves every prospect as it was moves no time: one that gives what is known, and one whose later
/// row takes back what an earlier one changes.
pub(super) async fn s16_what_an_import_takes_back_is_no_change(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    let (first, other) = (crash("1", COOK, "2026-01-01")?, crash("1", COOK, "2026-01-02")?);
    scene.import(at(0), vec![first.clone()]).await?;
    scene.import(at(1), vec![first.clone()]).await?;
    scene.import(at(1), vec![other, first]).await?;
    scene.import(at(1), vec![crash("2", COOK, "2026-01-01")?]).await?;
    let seen = scene.walk_prospects(&firm, prospects_at(at(LATER_SECONDS))).await?;
    let added: Vec<_> = seen.iter().map(|prospect| prospect.added_at).collect();
    ensure_eq!(added, [at(0), at(1)], "when the prospects were added");
    Ok(())
}
