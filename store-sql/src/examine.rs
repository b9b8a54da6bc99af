//! What an operator's examination asks of a database file. Each only reads, and none asks for anything of a
//! client or a prospect.

/// Looks at every page, row and index: rows of one text, which is `ok` or a fault. At most ten of them.
pub const WHOLE: &str = "pragma integrity_check(10)";

/// The same without comparing the indexes with their tables, which takes most of the time.
pub const QUICK: &str = "pragma quick_check(10)";

/// Counts the rows that refer to a row that is not there, by their table.
pub const DANGLING: &str = "\
select \"table\", count(*) from pragma_foreign_key_check group by \"table\" order by \"table\"";

/// The check values of the key secrets that keys were made with.
pub const KEY_SECRETS: &str = "select check_value from key_secrets";

/// Accounts whose last commit is later than `?1`, in microseconds since 1970: their public ids and the times, the
/// latest first. At most ten of them.
pub const ACCOUNTS_AHEAD: &str = "\
select public_id, last_commit_at from accounts where last_commit_at > ?1 order by last_commit_at desc limit 10";

/// The time of the newest change of clients, prospects or accounts, in microseconds since 1970: one row, `NULL` where there
/// is none. It reads a row for each account.
pub const NEWEST_CHANGE_AT: &str = "\
select max(at) from (select max(last_commit_at) as at from accounts union all select max(at) from operator_log)";

/// The time of the last commit, in microseconds since 1970: one row, `NULL` where there is none.
pub const LAST_COMMIT_AT: &str = "\
select max(at) from (select max(at) as at from commits union all select max(at) from operator_log)";
