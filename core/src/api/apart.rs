//! Futures whose code is apart from that of whoever awaits them.

use std::{
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
};

/// Runs a pinned future by a function of its own. What is awaited in one place only is otherwise made a part
/// of the function that awaits it, and a service becomes one function: where functions are compiled when they
/// are first called, as the Worker's are, the first request would wait for the code of every endpoint.
pub(super) fn apart<F: Future + Unpin>(mut future: F) -> impl Future<Output = F::Output> {
    poll_fn(move |context| poll_apart(&mut future, context))
}

#[inline(never)]
fn poll_apart<F: Future + Unpin>(future: &mut F, context: &mut Context<'_>) -> Poll<F::Output> {
    Pin::new(future).poll(context)
}
