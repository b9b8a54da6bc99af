//! The order of checks, and the answer of each to a request that fails it (rules H23 and O4).

use std::collections::BTreeSet;

/// The checks in their order: the first that fails is the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Check {
    Key,
    Rate,
    Admission,
    ApiOn,
    Path,
    Method,
    MediaType,
    Scope,
    Bundle,
    Parameters,
    Body,
}

impl Check {
    /// Status and code of the answer.
    pub(super) const fn refusal(self) -> (u16, &'static str) {
        match self {
            Self::Key => (401, "unauthorized"),
            Self::Rate => (429, "rate_limited"),
            Self::Admission => (403, "forbidden"),
            Self::ApiOn => (403, "not_enabled"),
            Self::Path => (404, "not_found"),
            Self::Method => (405, "invalid_request"),
            Self::MediaType => (415, "invalid_request"),
            Self::Scope => (403, "forbidden"),
            Self::Bundle => (403, "bundle_required"),
            Self::Parameters | Self::Body => (400, "invalid_request"),
        }
    }
}

/// What one request does not pass.
pub(super) type Fails = BTreeSet<Check>;

/// Each of these alone, none, and all from each one on: so each check is seen to come before all
/// that follow it.
pub(super) fn alone_and_together(checks: &[Check]) -> BTreeSet<Fails> {
    let alone = checks.iter().map(|check| Fails::from([*check]));
    let together = (0..=checks.len()).map(|first| checks.iter().skip(first).copied().collect());
    alone.chain(together).collect()
}
