//! What a page shows at its edges: the horizon, an `external_id` that came later, many dead states.

use crate::support::{
    FORMS, Form, Shared, at, block_on, database,
    firm::{DELAY_SECONDS, Firm, hash_of, person, update_of},
    id,
};
use matterbook_core::{
    client::ClientFields,
    prospect::ProspectFields,
    store::{
        ChangeSet, ClientFilter, ClientPage, ClientPageQuery, Decided, NewClient, ProspectOrder, ProspectPageQuery,
        Snapshot, Store, StoredResponse, View,
    },
};

/// A row written by a clock that many seconds ahead of the reader's is shown exactly when
/// [`View::horizon`] says so.
fn check_horizon(form: Form, ahead_seconds: i64, delay_seconds: u32) {
    let driver = Shared::new(&database(), form);
    let firm = Firm::create(&driver, 1);
    let view = View { now: at(10_000), delay_seconds };
    let written_at = at(10_000 + ahead_seconds);
    let is_shown = usize::from(written_at <= view.horizon(written_at));
    firm.put(1, written_at, &[("7", "+1")]);
    for external_id in [None, Some("7".into())] {
        let query = ClientPageQuery {
            view,
            after: None,
            seen_until: None,
            updated_since: None,
            filter: ClientFilter { external_id, ..ClientFilter::default() },
            limit: 5,
        };
        let page = block_on(ClientPage::read(&firm.store, &firm.key, &query)).unwrap().unwrap();
        assert_eq!(page.clients.len(), is_shown, "{ahead_seconds} s ahead, a delay of {delay_seconds}");
    }
    firm.grant("06037", "1900-01-01");
    let prospect =
        ProspectFields { source_id: "s".into(), crash_county_fips: "06037".into(), ..ProspectFields::default() };
    firm.import(vec![(id(9), prospect)], written_at);
    for order in [ProspectOrder::Oldest { after: None }, ProspectOrder::Newest { added_since: at(0) }] {
        let query = ProspectPageQuery { view, order, limit: 5 };
        let page = block_on(firm.store.prospects(&firm.key, &query)).unwrap().unwrap();
        assert_eq!(page.prospects.len(), is_shown, "{ahead_seconds} s ahead, a delay of {delay_seconds}");
    }
}

#[test]
fn the_horizon_is_the_one_of_the_core_rules() {
    for form in FORMS {
        for ahead_seconds in [-3_601, -3_600, -61, -60, -59, -1, 0, 1, 29, 30, 31, 1_000_000] {
            for delay_seconds in [0, 60, 3_600] {
                check_horizon(form, ahead_seconds, delay_seconds);
            }
        }
    }
}

#[test]
fn an_external_id_is_not_found_before_it_was_there() {
    let firm = Firm::create(&Shared::new(&database(), Form::Rows), 1);
    let nameless = ClientFields { external_id: None, ..person("7") };
    let client = id(77);
    let (hash, fingerprint) = (hash_of(&nameless), nameless.fingerprint());
    let created = NewClient { id: client, fields: nameless.clone(), person: hash, fingerprint };
    let decide = move |change_set: ChangeSet| {
        let response = StoredResponse { status: 200, body: String::new(), replayed: false };
        Box::new(move |_: &Snapshot| Decided { change_set: change_set.clone(), response: response.clone() })
    };
    let create = ChangeSet { created: vec![created], ..ChangeSet::default() };
    firm.change(firm.request(1, at(0), Vec::new(), decide(create))).unwrap().unwrap();
    let before = firm.page(at(1_000), None, 1).clients.remove(0);
    let update = update_of(&before, person("7"));
    let adopt = ChangeSet { updated: vec![update], ..ChangeSet::default() };
    firm.change(firm.request(2, at(1_000), Vec::new(), decide(adopt))).unwrap().unwrap();
    for (seconds, expected) in [(0, 0), (59, 0), (60, 1)] {
        let view = View { now: at(1_000 + seconds), delay_seconds: DELAY_SECONDS };
        let external_id = Some("7".into());
        let query = ClientPageQuery {
            view,
            after: None,
            seen_until: None,
            updated_since: None,
            filter: ClientFilter { external_id, ..ClientFilter::default() },
            limit: 5,
        };
        let page = block_on(ClientPage::read(&firm.store, &firm.key, &query)).unwrap().unwrap();
        assert_eq!(page.clients.len(), expected, "after {seconds} s");
        assert_eq!(firm.page(view.now, None, 5).clients.len(), 1, "it is there without its id");
    }
}

#[test]
fn dead_states_are_passed_over_at_a_bounded_cost() {
    for form in FORMS {
        let driver = Shared::new(&database(), form);
        let firm = Firm::create(&driver, 1);
        let ids: Vec<_> = (0..10).map(|number| number.to_string()).collect();
        for (number, client) in (1..).zip(&ids) {
            firm.put(number, at(i64::try_from(number).unwrap() * 1_000), &[(client, "+1")]);
        }
        // 5,000 dead states of the same period, between those that are shown.
        let sql = "
            with recursive number (n) as (select 1 union all select n + 1 from number where n < 5000)
            insert into client_states (account_id, period, updated_at, id, superseded_at, do_not_mail, created_at)
            select 1, (?1 + 19999000000) & -134217728, ?1 + n * 1000000, unhex(printf('%032x', n)), ?1 + n * 1000000 + 1, 0, 0 from number";
        driver.connection.execute(sql, [at(0).micros()]).unwrap();
        let shown: Vec<_> = firm.walk(at(20_000), 100).0;
        let both: Vec<_> = ids.iter().map(|client| (client.as_str(), "+2")).collect();
        firm.put(99, at(20_000), &both);
        let (found, pages) = firm.walk(at(20_030), 100);
        assert_eq!(found, shown, "everybody as they were, in the order in which they were");
        assert_eq!(pages, 39, "130 states in each page, fewer in the last");
        let before = driver.steps.get();
        firm.page(at(20_030), None, 100);
        let steps = driver.steps.get() - before;
        assert!((3_000..8_000).contains(&steps), "{form:?}: a page costs {steps}");
        assert_eq!(firm.walk(at(20_061), 3), (firm.walk(at(30_000), 100).0, 4), "afterwards they are not looked at");
    }
}

/// An import of older crashes is newer than what the account sees; it once pushed that out of sight.
#[test]
fn newest_prospects_are_found_after_an_import_of_older_crashes() {
    for form in FORMS {
        let firm = Firm::create(&Shared::new(&database(), form), 1);
        firm.grant("06037", "2025-11-01");
        let crash = |number: u128, date: &str| {
            let fields = ProspectFields {
                source_id: number.to_string().into(),
                crash_date: date.parse().unwrap(),
                crash_county_fips: "06037".into(),
                ..ProspectFields::default()
            };
            (id(number), fields)
        };
        firm.import(vec![crash(1, "2025-11-10")], at(0));
        for batch in 1..=12_u128 {
            let older = (0..500).map(|row| crash(batch * 1_000 + row, "2025-10-31")).collect();
            firm.import(older, at(1));
        }
        let view = View { now: at(10), delay_seconds: 0 };
        let query = ProspectPageQuery { view, order: ProspectOrder::Newest { added_since: at(0) }, limit: 500 };
        let page = block_on(firm.store.prospects(&firm.key, &query)).unwrap().unwrap();
        assert_eq!(page.prospects.iter().map(|prospect| prospect.id).collect::<Vec<_>>(), [id(1)]);
    }
}
