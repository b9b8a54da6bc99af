//! S8 against a model: whatever order writes, page reads and time come in, each page is what the
//! model says, and each walk keeps the three promises of design section 7.

use std::collections::{BTreeMap, BTreeSet};

use matterbook_core::{
    client::{Client, ClientFields},
    store::{
        ChangeRequest, ChangeSet, ClientPage, ClientPageQuery, Decide, Decided, OperatorCommand, Position, Store, View,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    CaseResult, Failure,
    draw::Draw,
    ensure, ensure_eq, is_page_of,
    scene::{
        Firm, MINUTE_SECONDS, Scene, answer, at, by_external_id, clients_at, new_client, person, saving, update_of,
    },
};

/// How many steps a run takes.
const STEPS: usize = 120;
/// How many walks are under way at a time.
const WALKS: usize = 3;

/// The seeds that the suite always runs; a property test draws others.
const SEEDS: std::ops::Range<u64> = 0..6;

/// S8 over many interleavings. The seed of one that fails is in the failure's sentence.
pub(super) async fn s8_pages_agree_with_model_under_interleaving(store: impl Store) -> CaseResult {
    // Accounts do not see one another, so one store serves every seed.
    let scene = Scene::on(store);
    for seed in SEEDS {
        run(&scene, seed).await?;
    }
    Ok(())
}

/// One interleaving of writes, page reads and time, drawn from a seed.
///
/// # Errors
/// When a page is not what the model says, with the seed.
pub async fn delayed_view_agrees_with_model(store: impl Store, seed: u64) -> CaseResult {
    run(&Scene::on(store), seed).await
}

async fn run<S: Store>(scene: &Scene<S>, seed: u64) -> CaseResult {
    let mut run = Run {
        scene,
        firm: scene.firm().await?,
        draw: Draw(seed),
        now: at(0),
        model: Model::default(),
        walks: Vec::new(),
        people: 0,
    };
    for step in 0..STEPS {
        run.step().await.map_err(|Failure(sentence)| Failure(format!("seed {seed}, step {step}: {sentence}")))?;
    }
    Ok(())
}

/// Every state that clients had, as the model knows them.
#[derive(Default)]
struct Model {
    states: Vec<Client>,
    erased: BTreeSet<Uuid>,
    last_commit_at: Timestamp,
}

impl Model {
    /// Each client as it stood at a moment, in the order of place.
    fn as_of(&self, horizon: Timestamp) -> Vec<Client> {
        let mut clients = BTreeMap::new();
        for state in &self.states {
            if state.updated_at <= horizon && !self.erased.contains(&state.id) {
                clients.insert(state.id, state);
            }
        }
        let mut clients: Vec<_> = clients.into_values().cloned().collect();
        clients.sort_by_key(place_of);
        clients
    }
}

/// A walk under way, from no place to the end.
struct Walk {
    /// Every client that existed a minute before the walk began.
    owed: BTreeSet<Uuid>,
    after: Option<Position>,
    /// When each client that was met had changed.
    met: BTreeMap<Uuid, Timestamp>,
}

struct Run<'scene, S> {
    scene: &'scene Scene<S>,
    firm: Firm,
    draw: Draw,
    now: Timestamp,
    model: Model,
    walks: Vec<Walk>,
    people: u64,
}

impl<S: Store> Run<'_, S> {
    async fn step(&mut self) -> CaseResult {
        match self.draw.below(10) {
            0..3 => self.create().await?,
            3..7 => self.update().await?,
            7 if self.draw.below(3) == 0 => self.erase().await?,
            _ => self.now = self.now.plus_seconds(self.draw.below(40)),
        }
        self.now = Timestamp::from_micros(self.now.micros() + self.draw.below(3_000_000));
        self.read_anything().await?;
        while self.walks.len() < WALKS {
            let owed = self.model.as_of(self.view().horizon(self.model.last_commit_at));
            let owed = owed.into_iter().map(|client| client.id).collect();
            self.walks.push(Walk { owed, after: None, met: BTreeMap::new() });
        }
        for walk in std::mem::take(&mut self.walks) {
            if let Some(walk) = self.go_on(walk).await? {
                self.walks.push(walk);
            }
        }
        Ok(())
    }

    fn view(&self) -> View {
        View { now: self.now, delay_seconds: MINUTE_SECONDS }
    }

    /// The clock of the machine that writes, a few seconds off.
    fn writing_clock(&mut self) -> Timestamp {
        self.now.plus_seconds(self.draw.below(7) - 3)
    }

    async fn create(&mut self) -> CaseResult {
        let mut created = Vec::new();
        for _ in 0..=self.draw.below(3) {
            self.people += 1;
            created.push(new_client(self.scene.id(), person(&self.people.to_string())));
        }
        let states = created.iter().map(|new| (new.id, new.fields.clone())).collect();
        let decide = saving(ChangeSet { created, ..ChangeSet::default() });
        let now = self.writing_clock();
        self.scene.change(ChangeRequest { decide, ..self.scene.request(&self.firm, now) }).await?;
        self.committed(states).await
    }

    async fn update(&mut self) -> CaseResult {
        let living = self.model.as_of(Timestamp::MAX);
        let mut changed = BTreeMap::new();
        for _ in 0..=self.draw.below(3) {
            if let Some(client) = self.draw.one_of(&living) {
                let city = Some(format!("City {}", self.draw.below(1_000_000)).into());
                changed.insert(client.id, ClientFields { city, ..client.fields.clone() });
            }
        }
        if changed.is_empty() {
            return Ok(());
        }
        let states: Vec<_> = changed.clone().into_iter().collect();
        let external_ids = changed.values().filter_map(|fields| fields.external_id.as_deref());
        let lookup_keys = external_ids.map(by_external_id).collect();
        let decide: Decide = Box::new(move |snapshot| {
            let updated = snapshot.clients.iter().filter_map(|client| {
                let after = changed.get(&client.id)?.clone();
                Some(update_of(client, |fields| *fields = after))
            });
            let change_set = ChangeSet { updated: updated.collect(), ..ChangeSet::default() };
            Decided { change_set, answer: answer("updated") }
        });
        let now = self.writing_clock();
        self.scene.change(ChangeRequest { lookup_keys, decide, ..self.scene.request(&self.firm, now) }).await?;
        self.committed(states).await
    }

    /// Learns the commit's time from the store, and takes its states into the model.
    async fn committed(&mut self, states: Vec<(Uuid, ClientFields)>) -> CaseResult {
        let mut commit_at = None;
        for (id, fields) in states {
            let shown = self.scene.show(&self.firm, id).await?;
            ensure_eq!(shown.fields, fields, "a client right after its commit");
            let commit_at = *commit_at.get_or_insert(shown.updated_at);
            ensure_eq!(shown.updated_at, commit_at, "the times of two clients that one commit changed");
            self.model.states.push(shown);
        }
        let last_commit_at = self.model.last_commit_at;
        self.model.last_commit_at = commit_at.unwrap_or(last_commit_at);
        ensure!(
            commit_at > Some(last_commit_at),
            "a commit's time does not grow: {commit_at:?} after {last_commit_at}"
        );
        Ok(())
    }

    async fn erase(&mut self) -> CaseResult {
        let living = self.model.as_of(Timestamp::MAX);
        let Some(client) = self.draw.one_of(&living) else { return Ok(()) };
        let command = OperatorCommand::EraseClient { account: self.firm.account, client: client.id };
        self.scene.operate(self.now, "client.erase", command).await?;
        self.model.erased.insert(client.id);
        Ok(())
    }

    /// One page from any place, with any filter and either delay.
    async fn read_anything(&mut self) -> CaseResult {
        let states = self.model.states.clone();
        let coin = |draw: &mut Draw| draw.below(3) == 0;
        let mut query =
            ClientPageQuery { limit: 1 + self.draw.below(5) as u32, view: self.view(), ..clients_at(self.now) };
        if coin(&mut self.draw) {
            query.view.delay_seconds = 0;
        }
        if coin(&mut self.draw) {
            query.after = self.draw.one_of(&states).map(place_of);
        }
        if coin(&mut self.draw) {
            query.updated_since = self.draw.one_of(&states).map(|state| state.updated_at);
        }
        if coin(&mut self.draw) {
            query.external_id = self.draw.one_of(&states).and_then(|state| state.fields.external_id.clone());
        }
        self.page(&query).await?;
        Ok(())
    }

    /// Reads a page, which has to be the model's.
    async fn page(&self, query: &ClientPageQuery) -> CaseResult<(Vec<Client>, Option<Position>)> {
        let page = ClientPage::read(&self.scene.store, &self.firm.key, query).await?;
        let page = page.ok_or_else(|| Failure("a live key is unknown".to_owned()))?;
        let expected: Vec<_> = self
            .model
            .as_of(query.view.horizon(self.model.last_commit_at))
            .into_iter()
            .filter(|client| query.after.is_none_or(|after| place_of(client) > after))
            .filter(|client| query.updated_since.is_none_or(|since| client.updated_at >= since))
            .filter(|client| query.external_id.is_none() || client.fields.external_id == query.external_id)
            .collect();
        is_page_of(&page.clients, page.next, &expected, place_of, query.after, query.limit)
            .map_err(|Failure(sentence)| Failure(format!("{sentence}\n  read at {} by {query:?}", self.now)))?;
        Ok((page.clients, page.next))
    }

    /// Reads one page more of a walk; `None` at its end, when it must have met all that it owed.
    async fn go_on(&mut self, mut walk: Walk) -> CaseResult<Option<Walk>> {
        let limit = 1 + self.draw.below(4) as u32;
        let query = ClientPageQuery { view: self.view(), after: walk.after, limit, ..clients_at(self.now) };
        let (clients, next) = self.page(&query).await?;
        let horizon = self.now.plus_seconds(-i64::from(MINUTE_SECONDS));
        for client in clients {
            ensure!(client.updated_at <= horizon, "a state of {} is shown at {}", client.updated_at, self.now);
            let earlier = walk.met.insert(client.id, client.updated_at);
            ensure!(
                earlier.is_none_or(|earlier| earlier < client.updated_at),
                "a walk met a client twice that had not changed in between: {client:?}"
            );
        }
        walk.after = next;
        if walk.after.is_some() {
            return Ok(Some(walk));
        }
        let missed: Vec<_> =
            walk.owed.iter().filter(|id| !walk.met.contains_key(id) && !self.model.erased.contains(id)).collect();
        ensure!(missed.is_empty(), "a walk missed clients that existed a minute before it began: {missed:?}");
        Ok(None)
    }
}

fn place_of(client: &Client) -> Position {
    Position { at: client.updated_at, id: client.id }
}
