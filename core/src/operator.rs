//! The operator API.
