use std::net::Ipv4Addr;

use super::*;

const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const MINUTE: Duration = Duration::from_secs(60);
const LIMITS: fn() -> Limits = || Limits {
    connections: 3,
    stranger_answers: 2,
    answers_bytes: 1_000,
    idle_time_at_least: Duration::from_secs(1),
    ..Limits::default()
};

/// A request of this account was answered with so many bytes, of which nothing is taken yet.
fn answer(limiter: &ConnectionLimiter, connection: &Arc<Connection>, account: Option<u128>, bytes: usize) -> Bytes {
    connection.begin_request();
    limiter.answer(connection, account.map(Uuid::from_u128), vec![0; bytes], None)
}

async fn three(limiter: &ConnectionLimiter) -> [Arc<Connection>; 3] {
    let mut connections = Vec::new();
    for _ in 0..3 {
        connections.push(limiter.admit(ADDRESS).await.expect("a place"));
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    connections.try_into().unwrap_or_else(|_| unreachable!("three"))
}

/// The connections that are evicted, as their tasks would see it.
fn evicted(connections: &[Arc<Connection>]) -> Vec<bool> {
    connections.iter().map(|connection| connection.is_evicted() && connection.closing.is_cancelled()).collect()
}

#[tokio::test(start_paused = true)]
async fn past_the_limit_the_connection_that_is_idle_longest_is_evicted() {
    let limiter = ConnectionLimiter::new(LIMITS());
    let connections = three(&limiter).await;
    assert!(limiter.admit(ADDRESS).await.is_none(), "none has been idle for long enough");
    tokio::time::advance(MINUTE).await;
    // A request of its own makes the first one the latest.
    drop(answer(&limiter, &connections[0], Some(1), 10));
    connections[1].begin_request();
    tokio::time::advance(MINUTE).await;
    assert!(limiter.admit(ADDRESS).await.is_none(), "no task of these connections has ended");
    assert_eq!(evicted(&connections), [false, false, true]);
    assert!(limiter.admit(ADDRESS).await.is_none());
    assert_eq!(evicted(&connections), [true, false, true]);
    assert!(limiter.admit(ADDRESS).await.is_none());
    assert_eq!(evicted(&connections), [true, false, true], "one that handles a request stays");
    let [first, _, third] = connections;
    drop((first, third));
    assert!(limiter.admit(ADDRESS).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn slow_readers_lose_their_place_before_idle_connections() {
    let limiter = ConnectionLimiter::new(LIMITS());
    let connections = three(&limiter).await;
    tokio::time::advance(MINUTE).await;
    let _firm = answer(&limiter, &connections[1], Some(1), 10);
    let _stranger = answer(&limiter, &connections[2], None, 10);
    for order in [[false, false, true], [true, false, true]] {
        assert!(limiter.admit(ADDRESS).await.is_none());
        assert_eq!(evicted(&connections), order, "first the stranger; the firm has a second for its answer");
    }

    let limiter = ConnectionLimiter::new(LIMITS());
    let connections = three(&limiter).await;
    let _firm = answer(&limiter, &connections[1], Some(1), 10);
    tokio::time::advance(MINUTE).await;
    assert!(limiter.admit(ADDRESS).await.is_none());
    assert_eq!(evicted(&connections), [false, true, false]);
}

#[tokio::test(start_paused = true)]
async fn answers_without_a_key_have_a_share_of_the_places() {
    let limiter = ConnectionLimiter::new(LIMITS());
    let connections = three(&limiter).await;
    let _taken: Vec<Bytes> = connections
        .iter()
        .map(|connection| {
            connection.begin_request();
            limiter.answer(connection, None, Vec::new(), Some(b"a file of the program"))
        })
        .collect();
    assert_eq!(evicted(&connections), [true, false, false], "the share is two");
}

#[tokio::test(start_paused = true)]
async fn past_the_memory_for_answers_the_account_that_has_most_loses_its_longest() {
    let limiter = ConnectionLimiter::new(LIMITS());
    let connections = three(&limiter).await;
    let small = answer(&limiter, &connections[0], Some(1), 300);
    tokio::time::advance(MINUTE).await;
    let _large = answer(&limiter, &connections[1], Some(2), 600);
    tokio::time::advance(MINUTE).await;
    let _larger = answer(&limiter, &connections[2], Some(2), 700);
    assert_eq!(evicted(&connections), [false, true, false]);
    drop(small);
    let _taken = answer(&limiter, &connections[0], Some(1), 200);
    assert_eq!(evicted(&connections), [false, true, false], "what is taken counts no more");
    assert_eq!(limiter.waiting.answer_bytes.load(Ordering::Relaxed), 900);
}
