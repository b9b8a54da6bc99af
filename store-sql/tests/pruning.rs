//! Earlier states are kept as long as a reader may be shown them, and not for ever (S8).

mod support;

use std::collections::BTreeMap;

use matterbook_core::{
    SmolStr,
    store::{ClientPage, ClientPageQuery, View},
    time::Timestamp,
};
use support::{
    Form, Shared, at, block_on, database,
    firm::{DELAY_SECONDS, Firm},
    random::Random,
};

/// Every state that a client ever had, with the time of the commit that made it.
#[derive(Default)]
struct Model {
    histories: BTreeMap<SmolStr, Vec<(i64, SmolStr)>>,
    last_commit_at: i64,
}

impl Model {
    /// The states that a reader with this horizon is shown as earlier ones: made at, superseded at.
    fn earlier(&self, superseded_after: i64) -> Vec<(i64, i64)> {
        let mut states: Vec<_> = self
            .histories
            .values()
            .flat_map(|history| history.windows(2).map(|pair| (pair[0].0, pair[1].0)))
            .filter(|(_, superseded_at)| *superseded_at > superseded_after)
            .collect();
        states.sort_unstable();
        states
    }

    /// What a reader sees at a horizon: time and phone, in order of time.
    fn view(&self, horizon: i64) -> Vec<(i64, SmolStr)> {
        let mut view: Vec<_> = self
            .histories
            .values()
            .filter_map(|history| history.iter().rev().find(|(made_at, _)| *made_at <= horizon).cloned())
            .collect();
        view.sort_unstable();
        view
    }
}

fn states(driver: &Shared) -> Vec<(i64, i64)> {
    let sql = "select updated_at, superseded_at from client_states order by 1, 2";
    let mut statement = driver.connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

const SECOND: i64 = Timestamp::SECOND_MICROS;

/// Commits of random sizes at random times, by machines whose clocks differ by up to `skew`
/// seconds, and readers in between.
fn check(seed: u64, people: u64, skew: u64) {
    let random = &mut Random::new(seed);
    let driver = Shared::new(&database(), Form::Set);
    let firm = Firm::create(&driver, 1);
    let mut model = Model::default();
    let mut true_now = at(1_000);
    let mut most_live = 0;
    for number in 1..=200_u64 {
        true_now = true_now.plus_seconds(i64::try_from(random.below(12)).unwrap());
        let clock = |random: &mut Random| {
            true_now.plus_seconds(i64::try_from(random.below(skew + 1)).unwrap() - i64::try_from(skew / 2).unwrap())
        };
        let now = clock(random);
        let phone = SmolStr::from(number.to_string());
        let mut ids: Vec<_> =
            (0..=random.below(people)).map(|_| SmolStr::from(random.below(people).to_string())).collect();
        ids.sort_unstable();
        ids.dedup();
        let clients: Vec<_> = ids.iter().map(|id| (id.as_str(), phone.as_str())).collect();
        firm.put(u128::from(number), now, &clients);
        model.last_commit_at = now.micros().max(model.last_commit_at + 1);
        for id in ids {
            model.histories.entry(id).or_default().push((model.last_commit_at, phone.clone()));
        }

        // Whatever any reader may still be shown is there: none trusts a commit that lies further
        // ahead of its clock than the tolerance.
        let tolerance = View::CLOCK_TOLERANCE_SECONDS * SECOND;
        let oldest_horizon = model.last_commit_at - tolerance - i64::from(DELAY_SECONDS) * SECOND;
        let kept = states(&driver);
        let live = model.earlier(oldest_horizon);
        for state in &live {
            assert!(kept.binary_search(state).is_ok(), "seed {seed}, commit {number}: {state:?} is lost");
        }
        // What is there was a state once, and at most about twice as many are dead as were live.
        let ever = model.earlier(i64::MIN);
        assert!(kept.iter().all(|state| ever.binary_search(state).is_ok()));
        most_live = most_live.max(live.len());
        assert!(kept.len() <= 3 * most_live + 32, "seed {seed}, commit {number}: {} kept, {most_live}", kept.len());

        let reader = clock(random);
        let view = View { now: reader, delay_seconds: DELAY_SECONDS };
        let horizon = view.horizon(Timestamp::from_micros(model.last_commit_at));
        let (found, _) = firm.walk(reader, 3 + u32::try_from(random.below(9)).unwrap());
        let found: Vec<_> =
            found.into_iter().map(|client| (client.updated_at.micros(), client.fields.phone.unwrap())).collect();
        assert_eq!(found, model.view(horizon.micros()), "seed {seed}, commit {number}");

        let one = SmolStr::from(random.below(people).to_string());
        let query = ClientPageQuery {
            view,
            after: None,
            seen_until: None,
            updated_since: None,
            external_id: Some(one.clone()),
            limit: 2,
        };
        let page = block_on(ClientPage::read(&firm.store, &firm.key, &query)).unwrap().unwrap();
        let found: Vec<_> = page.clients.iter().map(|client| client.updated_at.micros()).collect();
        let history = model.histories.get(&one).into_iter().flatten();
        let expected = history.map(|(made_at, _)| *made_at).filter(|made_at| *made_at <= horizon.micros()).max();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "seed {seed}, commit {number}: {one}");
    }
    // Once nobody changes, a few small commits later nothing earlier is left.
    let later = true_now.plus_seconds(1_000);
    let rounds = states(&driver).len() / 9 + 3;
    for number in 0..rounds {
        firm.put(10_000 + number as u128, later, &[(&format!("new {number}"), "+1")]);
    }
    assert_eq!(states(&driver), [], "seed {seed}");
}

#[test]
fn no_live_state_is_lost_and_no_dead_one_stays() {
    for (seed, people) in [(1, 1), (2, 5), (3, 25)] {
        for skew in [0, 28, 100] {
            check(seed, people, skew);
        }
    }
}

#[test]
fn without_a_delay_nothing_is_kept() {
    let driver = Shared::new(&database(), Form::Rows);
    let firm = Firm::create(&driver, 1);
    for number in 1..10 {
        let mut request = firm.put_request(number, at(1), &[("7", &number.to_string())]);
        request.client_delay_seconds = 0;
        firm.change(request).unwrap().unwrap();
    }
    assert_eq!(states(&driver), []);
}
