//! The tests of the store, one program: each of them links SQLite and the store.

mod budgets;
mod column_names;
mod commands;
mod commits;
mod console;
mod erasure;
mod fingerprints;
mod forms;
mod limits;
mod lost_batches;
mod migrations;
mod pages;
mod plans;
mod prepared;
mod pruning;
mod scene;
mod script;
mod support;
mod syncs;
mod threads;
mod transfer;
mod unknown_and_revoked;
