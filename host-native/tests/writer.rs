//! The single writer has a bounded queue (rule W6), and a failed request does not affect the others.

use crate::support::Place;
use matterbook::{
    database::{Database, QueueLimits},
    platform::SystemPlatform,
};
use matterbook_core::{
    account::AccountFlags,
    client::ClientFields,
    key::{AccountNumber, KeyDigest, KeyLimits},
    matching::PersonHash,
    memory::test_key_secrets,
    platform::Platform as _,
    store::{
        Authority, ChangeRequest, ChangeSet, Decide, Decided, LogEntry, LookupKey, NewClient, OperatorCommand,
        OperatorStore as _, Retention, Snapshot, Store as _, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use uuid::{Builder, Uuid};

const KEY: &str = "mtb_of_this_test";

fn now() -> Timestamp {
    SystemPlatform::default().now()
}

fn id() -> Uuid {
    let random = SystemPlatform::default().random();
    Builder::from_random_bytes(*random.first_chunk().expect("32 bytes")).into_uuid()
}

async fn operate(database: &Database, command: OperatorCommand) {
    let entry = LogEntry {
        id: id(),
        at: now(),
        actor: "test".to_owned(),
        action: "test",
        subject: String::new(),
        request_id: id(),
        retention: Retention::default(),
    };
    database.operate(command, entry).await.expect("the operator is served");
}

/// A database with one account and [`KEY`].
async fn database(place: &Place) -> Database {
    let database = Database::open(&place.database(), QueueLimits::default()).expect("a new database");
    let account = id();
    let email = "owner@example.com".to_owned();
    let flags = AccountFlags { api_enabled: true, ..AccountFlags::default() };
    let number = AccountNumber::from_bytes([0; 6]);
    let create = OperatorCommand::CreateAccount { id: account, number, login_id: id(), email, flags };
    operate(&database, create).await;
    let key = test_key_secrets().stored(KEY);
    operate(
        &database,
        OperatorCommand::CreateKey { id: id(), account, login: None, label: None, limits: KeyLimits::default(), key },
    )
    .await;
    database
}

fn change(decide: Decide) -> ChangeRequest {
    ChangeRequest {
        authority: Authority::Key(KeyDigest::of(KEY)),
        account_hint: Uuid::nil(),
        request_id: id(),
        now: now(),
        client_delay_seconds: 0,
        retention: Retention::default(),
        lookup_keys: Vec::new(),
        names_similar: false,
        idempotency_key: None,
        decide,
    }
}

/// Creates clients with these ids; a second one of the same id is against the schema.
fn create(ids: &[Uuid]) -> ChangeRequest {
    let ids = ids.to_vec();
    change(Box::new(move |_| {
        let fields = ClientFields { last_name: Some("Sampleton".into()), ..ClientFields::default() };
        let (person, fingerprint) = (PersonHash::default(), fields.fingerprint());
        let client = |id: &Uuid| NewClient { id: *id, fields: fields.clone(), person, fingerprint };
        let created = ids.iter().map(client).collect();
        let response = StoredResponse { status: 200, body: String::new(), replayed: false };
        Decided { change_set: ChangeSet { created, ..ChangeSet::default() }, response }
    }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_panics_or_fails_is_undone_alone() {
    let place = Place::new();
    let database = database(&place).await;
    let (first, second) = (id(), id());
    // In the midst of clients that are new, more than one statement creates.
    let with_first =
        |place: usize| (0..45).map(|number| if number == place { first } else { id() }).collect::<Vec<_>>();
    // They wait together, so they share commits.
    let (one, panicked, twice, other) = tokio::join!(
        database.change(create(&[first])),
        database.change(change(Box::new(|_| panic!("a defect")))),
        database.change(create(&with_first(25))),
        database.change(create(&[second])),
    );
    assert!(matches!(one, Ok(Some(_))), "{one:?}");
    assert!(matches!(panicked, Err(StoreError::Failed { .. })), "{panicked:?}");
    assert!(twice.is_err(), "{twice:?}");
    assert!(matches!(other, Ok(Some(_))), "{other:?}");
    for place in [25, 44] {
        assert!(database.change(create(&with_first(place))).await.is_err(), "alone in its commit");
    }
    assert!(matches!(database.change(create(&[id()])).await, Ok(Some(_))), "the writer goes on");
    drop(database);

    let connection = rusqlite::Connection::open(place.database()).expect("a connection");
    let clients: i64 = connection.query_row("select count(*) from clients", [], |row| row.get(0)).expect("a count");
    assert_eq!(clients, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn past_the_queue_a_request_is_refused_before_any_work() {
    let place = Place::new();
    drop(database(&place).await);
    let limits = QueueLimits { requests: 1, ..QueueLimits::default() };
    let database = Database::open(&place.database(), limits).expect("the database");
    // Somebody else writes: one request is with the writer, one waits, and there is no place more.
    let other = rusqlite::Connection::open(place.database()).expect("a connection");
    other.execute_batch("begin immediate").expect("the lock");
    let ids = [id(), id(), id()];
    let (outcomes, ()) = tokio::join!(
        async {
            let [one, two, three] = ids.map(|id| database.change(create(&[id])));
            let (one, two, three) = tokio::join!(one, two, three);
            [one, two, three]
        },
        // All three have asked by now: what is polled first asks first.
        async { other.execute_batch("rollback").expect("the lock's end") }
    );
    let refused = outcomes.iter().filter(|outcome| matches!(outcome, Err(StoreError::Overloaded { .. }))).count();
    let done = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Some(_)))).count();
    assert!(refused >= 1 && done >= 1 && refused + done == 3, "{outcomes:?}");
}

/// A batch that is large enough to be decided on a reader, and changes nothing.
fn nothing() -> ChangeRequest {
    let decide = Box::new(|_: &Snapshot| {
        let response = StoredResponse { status: 200, body: String::new(), replayed: false };
        Decided { change_set: ChangeSet::default(), response }
    });
    ChangeRequest { lookup_keys: vec![LookupKey::default(); 50], ..change(decide) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_of_unchanged_clients_does_not_wait_for_the_writer() {
    let place = Place::new();
    let database = database(&place).await;
    assert!(matches!(database.change(nothing()).await, Ok(Some(_))));
    let other = rusqlite::Connection::open(place.database()).expect("a connection");
    other.execute_batch("begin immediate").expect("the lock");
    assert!(matches!(database.change(nothing()).await, Ok(Some(_))), "somebody else writes meanwhile");
    let unknown = ChangeRequest { authority: Authority::Key(KeyDigest::of("mtb_unknown")), ..nothing() };
    assert!(matches!(database.change(unknown).await, Ok(None)));
    // What has to be written is, once, although it was looked at before.
    let (created, ()) = tokio::join!(database.change(create(&[id()])), async {
        other.execute_batch("rollback").expect("the lock's end");
    });
    assert!(matches!(created, Ok(Some(_))), "{created:?}");
    let clients: i64 = other.query_row("select count(*) from clients", [], |row| row.get(0)).expect("a count");
    assert_eq!(clients, 1);
}
