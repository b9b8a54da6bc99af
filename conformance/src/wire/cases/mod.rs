//! The cases, one file for each subject. Each is a plain function over a service, makes its own account,
//! and cites the rules of docs/specification.md that it checks.

use super::{CaseResult, Service};

/// One promise of the service.
pub struct Case {
    /// `subject.what_holds`, the same wherever it runs.
    pub name: &'static str,
    /// The numbers of the rules that it checks, separated by commas: `A3, H24`.
    pub rules: &'static str,
    /// Holds a service to it.
    pub run: fn(&dyn Service) -> CaseResult,
}

/// A part that a service may do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionalPart {
    /// The description of the API at `/openapi.json`, and its viewer at `/docs`.
    Viewer,
}

impl Case {
    /// The part that the case tests, if a service may do without it.
    #[must_use]
    pub fn optional_part(&self) -> Option<OptionalPart> {
        let (subject, _) = self.name.split_once('.')?;
        matches!(subject, "openapi" | "viewer").then_some(OptionalPart::Viewer)
    }
}

/// Names each case after its function, so that the two cannot drift apart.
macro_rules! cases {
    ($subject:literal: $($rules:literal => $function:ident),+ $(,)?) => {
        pub(super) const CASES: &[super::Case] = &[$(super::Case {
            name: concat!($subject, ".", stringify!($function)),
            rules: $rules,
            run: $function,
        }),+];
    };
}

mod access_matrix;
mod access_order;
mod auth;
mod body;
mod client_history;
mod clients_get;
mod clients_post;
mod conflicts;
mod console;
mod cursors;
mod delayed_view;
mod dry_run;
mod erasure;
mod errors;
mod explain;
mod explain_problems;
mod explain_replays;
mod headers;
mod idempotency;
mod just_used;
mod matching;
mod me;
mod normalizing;
mod openapi;
mod operator_access;
mod operator_accounts;
mod operator_clients;
mod operator_counties;
mod operator_keys;
mod operator_log;
mod operator_prospects;
mod other_accounts;
mod parallel;
mod parameters;
mod plans;
mod prospects;
mod prospects_access;
mod rate_limit;
mod review;
mod review_decisions;
mod settlements;
mod settlements_feed;
mod sign_in_links;
mod similar;
mod undo;
mod units;
mod viewer;

/// Every case, by subject.
pub fn all() -> impl Iterator<Item = &'static Case> {
    [
        auth::CASES,
        access_order::CASES,
        access_matrix::CASES,
        other_accounts::CASES,
        just_used::CASES,
        rate_limit::CASES,
        headers::CASES,
        errors::CASES,
        parameters::CASES,
        body::CASES,
        me::CASES,
        openapi::CASES,
        units::CASES,
        viewer::CASES,
        clients_post::CASES,
        conflicts::CASES,
        console::CASES,
        normalizing::CASES,
        matching::CASES,
        settlements::CASES,
        dry_run::CASES,
        explain::CASES,
        explain_problems::CASES,
        explain_replays::CASES,
        plans::CASES,
        client_history::CASES,
        undo::CASES,
        review::CASES,
        review_decisions::CASES,
        similar::CASES,
        clients_get::CASES,
        cursors::CASES,
        delayed_view::CASES,
        prospects::CASES,
        prospects_access::CASES,
        idempotency::CASES,
        parallel::CASES,
        operator_access::CASES,
        operator_accounts::CASES,
        operator_keys::CASES,
        sign_in_links::CASES,
        operator_counties::CASES,
        operator_prospects::CASES,
        operator_clients::CASES,
        operator_log::CASES,
        settlements_feed::CASES,
        erasure::CASES,
    ]
    .into_iter()
    .flatten()
}
