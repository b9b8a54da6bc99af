//! S9 against a model: whatever order imports, erasures, grants, page reads and time come in, each
//! page shows what the grants of now show of what was there an hour ago.

use std::collections::{BTreeMap, BTreeSet};

use matterbook_core::{
    SmolStr,
    account::Grant,
    chrono::{Days, NaiveDate},
    prospect::{Prospect, ProspectFields},
    store::{ImportOutcome, OperatorCommand, Position, ProspectOrder, ProspectPageQuery, Store, View},
    time::Timestamp,
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq, is_page_of,
    scene::{Firm, Scene},
    values::{HOUR_SECONDS, at, crash, date},
};

/// How many steps a run takes.
const STEPS: usize = 80;
/// The seeds that the suite always runs; a property test draws others.
const SEEDS: std::ops::Range<u64> = 0..6;
/// Few, so that grants and crashes often meet.
const COUNTIES: [&str; 4] = ["06037", "17031", "36061", "48201"];
/// Crashes and grants are dated within these days from 2024-11-01 on: over three years' ends.
const DAYS: u64 = 500;

/// S9 over many interleavings. The seed of one that fails is in the failure's sentence.
pub(super) async fn s9_pages_agree_with_model_under_interleaving(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    // Prospects are seen by every account, so each run takes them away when it ends.
    for seed in SEEDS {
        run(&scene, seed).await?;
    }
    Ok(())
}

/// One interleaving of imports, erasures, grants, page reads and time, drawn from a seed.
///
/// # Errors
/// When a page is not what the model says, with the seed.
pub async fn prospects_agree_with_model(store: AnyStore<'_>, seed: u64) -> CaseResult {
    run(&Scene::on(store), seed).await
}

async fn run(scene: &Scene<'_>, seed: u64) -> CaseResult {
    let mut run = Run {
        scene,
        firm: scene.firm().await?,
        draw: fastrand::Rng::with_seed(seed),
        // Imports have one time line for all accounts, so each run has a stretch of its own.
        now: at(10_000_000 * i64::try_from(seed % 1_000).unwrap_or_default()),
        grants: BTreeMap::new(),
        prospects: BTreeMap::new(),
        erased: BTreeSet::new(),
        seed,
    };
    let told = |step: usize| move |Failure(sentence)| Failure(format!("seed {seed}, step {step}: {sentence}"));
    for step in 0..STEPS {
        run.step().await.map_err(told(step))?;
    }
    for id in run.prospects.into_values().map(|prospect| prospect.id) {
        scene.operate(run.now, "prospect.erase", OperatorCommand::EraseProspect { prospect: id }).await?;
    }
    Ok(())
}

struct Run<'scene> {
    scene: &'scene Scene<'scene>,
    firm: Firm,
    draw: fastrand::Rng,
    now: Timestamp,
    grants: BTreeMap<String, NaiveDate>,
    prospects: BTreeMap<SmolStr, Prospect>,
    erased: BTreeSet<SmolStr>,
    seed: u64,
}

impl Run<'_> {
    async fn step(&mut self) -> CaseResult {
        match self.draw.i64(0..8) {
            0..4 => self.import().await?,
            4 => self.grant().await?,
            5 => self.revoke().await?,
            6 => self.erase().await?,
            _ => self.now = self.now.plus_seconds(self.draw.i64(0..1_500)),
        }
        self.now = self.now.plus_seconds(1 + self.draw.i64(0..300));
        for _ in 0..3 {
            self.read_oldest().await?;
            self.read_newest().await?;
        }
        Ok(())
    }

    fn day(&mut self) -> CaseResult<NaiveDate> {
        let first = date("2024-11-01")?;
        Ok(first.checked_add_days(Days::new(self.draw.u64(..DAYS))).unwrap_or(first))
    }

    fn county(&mut self) -> &'static str {
        self.draw.choice(&COUNTIES).copied().unwrap_or_default()
    }

    /// New people, known ones who moved to another county or date, and one twice.
    async fn import(&mut self) -> CaseResult {
        let mut batch: Vec<ProspectFields> = Vec::new();
        for _ in 0..=self.draw.i64(0..6) {
            let source_id = format!("{} {}", self.seed, self.draw.i64(0..60));
            let crash_date = self.day()?.to_string();
            batch.push(crash(&source_id, self.county(), &crash_date)?);
        }
        // The clock is ahead of the last import's, so it is the time of this one (S6).
        let outcomes = self.scene.import(self.now, batch.clone()).await?;
        ensure_eq!(outcomes.len(), batch.len(), "how many outcomes an import has");
        for (fields, outcome) in batch.into_iter().zip(outcomes) {
            let is_erased = self.erased.contains(&fields.source_id);
            match (outcome, self.prospects.get_mut(&fields.source_id)) {
                (ImportOutcome::Created(id), None) if !is_erased => {
                    self.prospects.insert(fields.source_id.clone(), Prospect { id, fields, added_at: self.now });
                }
                (ImportOutcome::Updated(id), Some(known)) if known.id == id => known.fields = fields,
                (ImportOutcome::Erased, None) if is_erased => {}
                (outcome, known) => return Err(Failure(format!("the import of {known:?} came to {outcome:?}"))),
            }
        }
        Ok(())
    }

    async fn grant(&mut self) -> CaseResult {
        let (county, from_date) = (self.county(), self.day()?);
        self.scene.grant(&self.firm, county, &from_date.to_string()).await?;
        self.grants.insert(county.to_owned(), from_date);
        Ok(())
    }

    async fn revoke(&mut self) -> CaseResult {
        let fips = self.county().to_owned();
        let is_granted = self.grants.remove(&fips).is_some();
        if is_granted {
            let command = OperatorCommand::RevokeCounty { account: self.firm.account, fips };
            self.scene.operate(self.now, "county.revoke", command).await?;
        }
        Ok(())
    }

    async fn erase(&mut self) -> CaseResult {
        let known: Vec<_> = self.prospects.keys().cloned().collect();
        let erased = self.draw.choice(&known).and_then(|source_id| self.prospects.remove(source_id));
        if let Some(Prospect { id, fields, .. }) = erased {
            self.erased.insert(fields.source_id);
            self.scene.operate(self.now, "prospect.erase", OperatorCommand::EraseProspect { prospect: id }).await?;
        }
        Ok(())
    }

    /// What the grants show, in the order of place.
    fn seen(&self, view: View) -> Vec<Prospect> {
        let horizon = view.horizon(self.now);
        let is_granted = |fields: &ProspectFields| {
            self.grants.get(fields.crash_county_fips.as_str()).is_some_and(|from_date| *from_date <= fields.crash_date)
        };
        let prospects = self.prospects.values();
        let mut seen: Vec<_> =
            prospects.filter(|row| row.added_at <= horizon && is_granted(&row.fields)).cloned().collect();
        seen.sort_by_key(place_of);
        seen
    }

    fn view(&mut self) -> View {
        let delay_seconds = if self.draw.u32(..3) == 0 { 0 } else { HOUR_SECONDS };
        View { now: self.now, delay_seconds }
    }

    async fn read_oldest(&mut self) -> CaseResult {
        let view = self.view();
        let everybody: Vec<_> = self.prospects.values().cloned().collect();
        let after = if self.draw.bool() { None } else { self.draw.choice(&everybody).map(place_of) };
        let limit = 1 + self.draw.u32(..8);
        let query = ProspectPageQuery { view, order: ProspectOrder::Oldest { after }, limit };
        let expected: Vec<_> =
            self.seen(view).into_iter().filter(|row| after.is_none_or(|after| place_of(row) > after)).collect();
        let page = self.scene.store.prospects(&self.firm.key, &query).await?;
        let page = page.ok_or_else(|| Failure("a live key is unknown".to_owned()))?;
        is_page_of(&page.prospects, page.next, &expected, place_of, after, limit)
            .map_err(|Failure(sentence)| Failure(format!("{sentence}\n  read by {query:?}")))?;
        let grants: Vec<_> =
            self.grants.iter().map(|(fips, from_date)| Grant { fips: fips.clone(), from_date: *from_date }).collect();
        ensure_eq!(page.grants, grants, "the grants that come with a page");
        Ok(())
    }

    async fn read_newest(&mut self) -> CaseResult {
        let view = self.view();
        let added_since = self.now.plus_seconds(-self.draw.i64(0..20_000));
        let limit = 1 + self.draw.u32(..20);
        let query = ProspectPageQuery { view, order: ProspectOrder::Newest { added_since }, limit };
        let seen = self.seen(view).into_iter().rev();
        let expected: Vec<_> = seen.filter(|row| row.added_at >= added_since).take(limit as usize).collect();
        let page = self.scene.store.prospects(&self.firm.key, &query).await?;
        let page = page.ok_or_else(|| Failure("a live key is unknown".to_owned()))?;
        ensure_eq!(page.prospects, expected, "the newest prospects, read by {query:?}");
        ensure!(page.next.is_none(), "the newest prospects have a place to go on from");
        Ok(())
    }
}

fn place_of(prospect: &Prospect) -> Position {
    Position { at: prospect.added_at, id: prospect.id }
}
