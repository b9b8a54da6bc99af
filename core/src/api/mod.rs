//! One service: from a request's head and body to its answer (design sections 2 and 3).
//!
//! A host gives the head, and a body that is read only when the head has passed every check that
//! the head alone decides. It gets back a whole response; nothing is left for it to choose.

mod body;
mod handled;
mod host;

pub use body::{BodyError, RequestBody};
pub use handled::Handled;
pub use host::HostRefusal;

use crate::{gate::Gate, platform::Platform, settings::Settings, store::Store};

/// The service: rules over a store, a gate and a platform.
#[derive(Clone, Debug)]
pub struct Api<S, G, P> {
    store: S,
    gate: G,
    platform: P,
    settings: Settings,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    /// A service with these parts.
    pub const fn new(store: S, gate: G, platform: P, settings: Settings) -> Self {
        Self { store, gate, platform, settings }
    }

    /// Answers one request. It cannot fail: an error is a response.
    pub async fn handle<B: RequestBody>(&self, head: http::request::Parts, body: B) -> Handled {
        let _ = (head, body, &self.store, &self.gate, &self.platform, &self.settings);
        todo!("written in the api branch")
    }
}
