//! Fixed limits of one request. [`crate::settings::Settings`] has those that the operator sets.

/// The most elements of one batch.
pub const BATCH_LIMIT: usize = 500;

/// The most elements of a page.
pub const PAGE_LIMIT_MAX: u32 = 100;

/// The elements of a page without `limit`.
pub const PAGE_LIMIT_DEFAULT: u32 = 50;

/// The most prospects of one answer with `order=newest`.
pub const NEWEST_LIMIT: u32 = 500;

/// How many days back `order=newest` goes.
pub const NEWEST_DAYS: u32 = 30;

/// The most characters of an `Idempotency-Key`.
pub const IDEMPOTENCY_KEY_MAX_LENGTH: usize = 255;

/// The most characters of `Matterbook-Actor`.
pub const ACTOR_MAX_LENGTH: usize = 100;
