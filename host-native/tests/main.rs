//! The tests of the native host, one program: each of them links SQLite and the whole service, and while
//! some wait for time-outs and disks, others run.

mod account_transfer;
mod backup;
mod check;
mod command_line;
mod conformance;
mod crash;
mod database;
mod demo;
mod disk;
mod doctor;
mod durability;
mod guesses;
mod help;
mod hostile;
mod key_secret;
mod keys;
mod known_clients;
mod log;
mod log_lines;
mod log_of_everything;
mod metrics;
mod migrations;
mod one_service;
mod platform;
mod prospect_import;
mod push_and_pull;
mod readme;
mod replicator;
mod revoked_in_flight;
mod settings;
mod settings_documentation;
mod support;
mod transport;
mod upgrade;
mod writer;
