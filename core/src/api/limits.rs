//! How much one request may ask for (reference section 8, design section 3). What an operator may
//! change is in [`crate::settings::Settings`].

/// The most elements of one batch.
pub const BATCH_LIMIT: usize = 500;

/// The most elements of a page.
pub const PAGE_LIMIT_MAX: u32 = 100;

/// The elements of a page for which no `limit` is given.
pub const PAGE_LIMIT_DEFAULT: u32 = 50;

/// The most prospects that `order=newest` gives at once.
pub const NEWEST_LIMIT: u32 = 500;

/// How far back `order=newest` looks.
pub const NEWEST_DAYS: u32 = 30;

/// The most characters of an `Idempotency-Key`.
pub const IDEMPOTENCY_KEY_MAX_LENGTH: usize = 255;

/// The most characters of the name that an operator acts under.
pub const ACTOR_MAX_LENGTH: usize = 100;
