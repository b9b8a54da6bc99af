//! The clock by which hyper closes a connection whose next head does not come in time.
//!
//! hyper sets a time for each head and drops it when the head is there. Telling the runtime each of
//! them would cost every request its way through the runtime's timers; so a connection has one alarm,
//! which is moved on only when it goes off.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use hyper::rt::{Sleep, Timer};

use super::places::Seat;

/// The runtime's timer, set to a time that hyper once wanted; later ones it is set to when it goes off.
type Alarm = Arc<Mutex<Option<Pin<Box<tokio::time::Sleep>>>>>;

/// The timer of one connection, which learns by it that the connection waits for a head.
pub(super) struct HeadTimer {
    alarm: Alarm,
    seat: Arc<Seat>,
}

impl HeadTimer {
    pub(super) fn new(seat: Arc<Seat>) -> Self {
        Self { alarm: Alarm::default(), seat }
    }
}

impl Timer for HeadTimer {
    /// By the runtime's clock, which a test can move.
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        self.seat.waits(deadline);
        Box::pin(HeadTime { deadline, alarm: Arc::clone(&self.alarm) })
    }
}

/// The time of one head.
struct HeadTime {
    deadline: Instant,
    alarm: Alarm,
}

impl Sleep for HeadTime {}

impl Future for HeadTime {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let deadline = tokio::time::Instant::from_std(self.deadline);
        // Nothing panics while the lock is held, so what a poisoned one guards is whole.
        let mut alarm = self.alarm.lock().unwrap_or_else(PoisonError::into_inner);
        let alarm = alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if alarm.deadline() > deadline {
            alarm.as_mut().reset(deadline);
        }
        loop {
            ready!(alarm.as_mut().poll(context));
            if alarm.deadline() >= deadline {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(deadline);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::{Arc, Duration, HeadTimer, Timer as _};

    const TIME: Duration = Duration::from_millis(60);

    // The clock is tokio's own, which goes on by itself where everybody waits.

    #[tokio::test(start_paused = true)]
    async fn each_head_has_its_whole_time() {
        let timer = HeadTimer::new(Arc::default());
        let began = Instant::now();
        for _ in 0..5 {
            let head = timer.sleep(TIME);
            let in_time = tokio::time::timeout(TIME / 2, head).await;
            assert!(in_time.is_err(), "ended before its time, after {:?}", began.elapsed());
        }
        let last = Instant::now();
        timer.sleep(TIME).await;
        assert!(last.elapsed() >= TIME);
        assert!(last.elapsed() < 2 * TIME, "never ended");
    }

    #[tokio::test(start_paused = true)]
    async fn a_time_that_ends_sooner_than_the_one_before_does() {
        let timer = HeadTimer::new(Arc::default());
        assert!(tokio::time::timeout(TIME / 4, timer.sleep(100 * TIME)).await.is_err());
        let began = Instant::now();
        timer.sleep(TIME).await;
        assert!(began.elapsed() < 2 * TIME);
    }
}
