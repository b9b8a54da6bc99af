//! The suite that defines Matterbook: what every host answers on the wire ([`wire`]); stores broken on purpose
//! that the store suite ([`matterbook_store_suite`]) has to catch ([`mutants`]); the whole service under faults, clocks that disagree and any interleaving
//! ([`simulation`]); a service that is killed under load and checked after each death ([`crash`]); what
//! requests cost on the Worker ([`costs`]); and requests that mean harm ([`hostile`]).
//!
//! Not here: the rules themselves, and how a host is started.

pub mod costs;
pub mod crash;
pub mod hostile;
pub mod mutants;
pub mod simulation;
pub mod wire;

/// Runs the examples of the project's README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// Runs the examples of the pages for embedding programmers.
#[cfg(doctest)]
mod embedding {
    #[doc = include_str!("../../docs/embedding.md")]
    mod front_page {}
    #[doc = include_str!("../../docs/embedding/cookbook.md")]
    mod cookbook {}
    #[doc = include_str!("../../docs/embedding/hosts.md")]
    mod hosts {}
    #[doc = include_str!("../../docs/embedding/stores.md")]
    mod stores {}
    #[doc = include_str!("../../docs/embedding/vectors.md")]
    mod vectors {}
}
