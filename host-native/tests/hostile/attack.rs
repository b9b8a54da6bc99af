//! One attack: a shape, and what is to come of it here.

use std::time::Duration;

use matterbook_conformance::hostile::{Outcome, Shape, statuses};

use super::target::Target;

/// A way to do harm over one connection.
pub struct Attack {
    /// What it sends.
    pub shape: Shape,
    /// The statuses of the answers that it gets, in order; none where it is only cut off.
    pub gets: &'static [u16],
    /// Whether the connection stays open for another request.
    pub goes_on: bool,
    /// Within how long it is answered or cut off.
    pub within: fn(&Target) -> Duration,
}

impl Attack {
    /// Does it, while another caller asks again and again.
    pub fn run(&self, target: &Target) -> Outcome {
        let is_enough =
            |answer: &str| self.goes_on && statuses(answer).len() == self.gets.len() && answer.ends_with('}');
        self.shape.run(&target.caller, is_enough).expect("a connection")
    }
}
