//! The tests of the suite, of both hosts and of the documentation, one program: each of them links SQLite and
//! the whole service, and while one waits for the Worker to be built, others run.

mod command;
mod console_suite;
mod contract;
mod differential;
mod documentation;
mod failures;
mod mutants;
mod properties;
mod prospect_pages;
mod revoked_meanwhile;
mod round_trips;
mod services;
mod settings;
mod simulation;
mod store_suite;
#[path = "../../store-sql/tests/support/mod.rs"]
#[expect(dead_code, reason = "the tests of the store use the rest")]
mod support;
mod test_programs;
mod transfer;
mod transfer_suite;
mod unknown_and_revoked;
