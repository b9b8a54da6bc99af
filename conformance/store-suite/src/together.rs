//! Running several verbs side by side on one task.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

/// Polls all futures in turn until each has its output, and hands them back in order.
pub async fn together<Output>(futures: impl IntoIterator<Item = impl Future<Output = Output>>) -> Vec<Output> {
    let mut waiting: Vec<(Pin<Box<_>>, Option<Output>)> =
        futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        for (future, output) in waiting.iter_mut().filter(|(_, output)| output.is_none()) {
            if let Poll::Ready(ready) = future.as_mut().poll(context) {
                *output = Some(ready);
            }
        }
        if waiting.iter().all(|(_, output)| output.is_some()) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    waiting.into_iter().filter_map(|(_, output)| output).collect()
}
