//! What waits for the writer: bounded, and taken from the accounts in turn, so that one account's
//! flood delays the others by one request at most.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use parking_lot::{Condvar, Mutex};
use uuid::Uuid;

/// Something that waits its turn.
pub(super) trait Queued {
    /// Whose turn it takes.
    fn account(&self) -> Uuid;
    /// How many rows it is about, at least 1.
    fn rows(&self) -> usize;
}

/// The most that may wait, and the longest log. Past either bound nothing more is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueLimits {
    /// Requests.
    pub requests: usize,
    /// Rows of all of them together.
    pub rows: usize,
    /// The write-ahead log, while a reader keeps it from being cut.
    pub log_bytes: u64,
}

impl Default for QueueLimits {
    /// About two seconds of the writer's work.
    fn default() -> Self {
        Self { requests: 1_024, rows: 200_000, log_bytes: 1 << 30 }
    }
}

/// A bounded queue with one turn per account.
pub(super) struct Queue<T> {
    limits: QueueLimits,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// Accounts that have something waiting, each once, the next one first.
    turns: VecDeque<Uuid>,
    waiting: HashMap<Uuid, VecDeque<T>>,
    /// Whose turn it was last.
    last: Option<Uuid>,
    requests: usize,
    rows: usize,
    is_closed: bool,
}

/// Why something was not taken in; it is handed back.
pub(super) enum Refused {
    /// Too much waits already.
    Full,
    /// The writer is stopping.
    Closed,
}

/// What waiting for the next one led to.
#[derive(Debug, PartialEq)]
pub(super) enum Taken<T> {
    Next(T),
    /// Nothing came in time.
    Nothing,
    /// The queue is closed and empty.
    Closed,
}

impl<T: Queued> Queue<T> {
    pub(super) fn new(limits: QueueLimits) -> Self {
        let state = State {
            turns: VecDeque::new(),
            waiting: HashMap::new(),
            last: None,
            requests: 0,
            rows: 0,
            is_closed: false,
        };
        Self { limits, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Puts one at the end of its account's line.
    pub(super) fn push(&self, item: T) -> Result<(), Refused> {
        let mut state = self.state.lock();
        self.admit(&state)?;
        state.requests += 1;
        state.rows += item.rows();
        let account = item.account();
        let line = state.waiting.entry(account).or_default();
        line.push_back(item);
        if line.len() == 1 {
            state.turns.push_back(account);
        }
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// The next one; waits for it so long.
    pub(super) fn take(&self, patience: Duration) -> Taken<T> {
        let mut state = self.state.lock();
        loop {
            if let Some(item) = state.take_next(usize::MAX) {
                return Taken::Next(item);
            }
            if state.is_closed {
                return Taken::Closed;
            }
            if self.changed.wait_for(&mut state, patience).timed_out() {
                return state.take_next(usize::MAX).map_or(Taken::Nothing, Taken::Next);
            }
        }
    }

    /// The next one if it waits already and is about at most `rows` rows.
    pub(super) fn take_waiting(&self, rows: usize) -> Option<T> {
        self.state.lock().take_next(rows)
    }

    /// Whether one more would be taken in now.
    pub(super) fn require_room(&self) -> Result<(), Refused> {
        self.admit(&self.state.lock())
    }

    /// Whether one more is taken in.
    fn admit(&self, state: &State<T>) -> Result<(), Refused> {
        if state.is_closed {
            return Err(Refused::Closed);
        }
        if state.requests >= self.limits.requests || state.rows >= self.limits.rows {
            return Err(Refused::Full);
        }
        Ok(())
    }

    /// Whether more than one account has something waiting.
    pub(super) fn has_several_accounts(&self) -> bool {
        self.state.lock().turns.len() > 1
    }

    /// How many wait, and of how many rows together.
    pub(super) fn waiting(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.requests, state.rows)
    }

    /// Takes nothing more in; what waits is still handed out.
    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }
}

impl<T: Queued> State<T> {
    fn take_next(&mut self, rows: usize) -> Option<T> {
        // Who came while another had its turn does not wait for the next one of the same.
        if self.turns.len() > 1 && self.turns.front() == self.last.as_ref() {
            self.turns.rotate_left(1);
        }
        let account = *self.turns.front()?;
        let line = self.waiting.get_mut(&account)?;
        let item = line.pop_front_if(|item| item.rows() <= rows)?;
        let is_line_empty = line.is_empty();
        self.turns.pop_front();
        if is_line_empty {
            self.waiting.remove(&account);
        } else {
            self.turns.push_back(account);
        }
        self.last = Some(account);
        self.requests -= 1;
        self.rows -= item.rows();
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Item {
        account: u128,
        rows: usize,
    }

    impl Queued for Item {
        fn account(&self) -> Uuid {
            Uuid::from_u128(self.account)
        }

        fn rows(&self) -> usize {
            self.rows
        }
    }

    fn take(queue: &Queue<Item>) -> Option<Item> {
        match queue.take(Duration::MAX) {
            Taken::Next(item) => Some(item),
            Taken::Nothing | Taken::Closed => None,
        }
    }

    /// The accounts of the items, in the order in which they are handed out.
    fn check(limits: QueueLimits, pushed: &[(u128, usize)], expected: &[u128]) {
        let queue = Queue::new(limits);
        for (account, rows) in pushed {
            let _ = queue.push(Item { account: *account, rows: *rows });
        }
        queue.close();
        let taken: Vec<u128> = std::iter::from_fn(|| take(&queue)).map(|item| item.account).collect();
        assert_eq!(taken, expected, "{pushed:?}");
    }

    #[test]
    fn a_flood_of_one_account_delays_another_by_one_request() {
        let limits = QueueLimits::default();
        check(limits, &[(1, 1), (1, 1), (1, 1), (2, 1), (3, 1)], &[1, 2, 3, 1, 1]);
        check(limits, &[(1, 1), (2, 1), (2, 1), (1, 1)], &[1, 2, 1, 2]);
    }

    #[test]
    fn who_comes_while_another_has_its_turn_is_next() {
        let queue = Queue::new(QueueLimits::default());
        for account in [1, 1, 1] {
            assert!(queue.push(Item { account, rows: 1 }).is_ok());
        }
        let mut taken = vec![take(&queue).map(|item| item.account)];
        assert!(queue.push(Item { account: 2, rows: 1 }).is_ok());
        taken.extend((0..3).map(|_| queue.take_waiting(1).map(|item| item.account)));
        assert_eq!(taken, [Some(1), Some(2), Some(1), Some(1)]);
    }

    #[test]
    fn past_its_bounds_nothing_more_is_taken_in() {
        check(QueueLimits { requests: 2, rows: 100, ..QueueLimits::default() }, &[(1, 1), (2, 1), (3, 1)], &[1, 2]);
        check(QueueLimits { requests: 9, rows: 10, ..QueueLimits::default() }, &[(1, 10), (2, 1)], &[1]);
    }

    #[test]
    fn one_that_is_too_large_for_the_rest_of_a_commit_stays_next() {
        let queue = Queue::new(QueueLimits::default());
        assert!(queue.push(Item { account: 1, rows: 500 }).is_ok());
        assert_eq!(queue.take_waiting(499), None);
        assert_eq!(queue.take_waiting(500), Some(Item { account: 1, rows: 500 }));
    }

    #[test]
    fn an_empty_queue_says_so_when_the_time_is_over() {
        let queue = Queue::<Item>::new(QueueLimits::default());
        assert_eq!(queue.take(Duration::ZERO), Taken::Nothing);
        queue.close();
        assert_eq!(queue.take(Duration::MAX), Taken::Closed);
    }

    #[test]
    fn a_closed_queue_refuses() {
        let queue = Queue::new(QueueLimits::default());
        queue.close();
        assert!(matches!(queue.require_room(), Err(Refused::Closed)));
        assert!(matches!(queue.push(Item { account: 1, rows: 1 }), Err(Refused::Closed)));
    }
}
