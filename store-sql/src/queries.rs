//! Every query by name, read from `sql/` once and kept.

use std::sync::LazyLock;

use crate::{query::Query, sql_text};

/// Declares a query for each file, and the list of them all.
macro_rules! queries {
    ($($constant:ident = $name:literal,)*) => {
        $(
            #[doc = concat!("`sql/", $name, ".sql`")]
            pub static $constant: LazyLock<Query> = LazyLock::new(|| {
                const FILE: &str = include_str!(concat!("../sql/", $name, ".sql"));
                const TEXT: [u8; sql_text::length(FILE)] = sql_text::bytes(FILE);
                // Whole lines of a valid text are valid.
                Query::parse($name, str::from_utf8(&TEXT).unwrap_or_default())
            });
        )*

        /// Every query.
        #[must_use]
        pub fn all() -> Vec<&'static Query> {
            vec![$(&$constant,)*]
        }
    };
}

queries! {
    ACCOUNT = "account",
    ACCOUNT_IMPORT = "account_import",
    ACCOUNT_NUMBER = "account_number",
    ACCOUNT_PAGE = "account_page",
    ACCOUNT_VERSION = "account_version",
    ACTIVITY = "activity",
    ADD_ALIAS = "add_alias",
    ADD_PASSKEY = "add_passkey",
    ADVANCE_ACCOUNT_IMPORT = "advance_account_import",
    ADVANCE_IMPORT = "advance_import",
    ALIASES_LIKE = "aliases_like",
    ALIASES_OF_CLIENT = "aliases_of_client",
    ALIASES_OF_COMMIT = "aliases_of_commit",
    BEGIN_ACCOUNT_IMPORT = "begin_account_import",
    BEGIN_COMMIT = "begin_commit",
    BEGIN_FILE = "begin_file",
    BEGIN_IMPORT = "begin_import",
    BEGIN_REMOVAL = "begin_removal",
    BEGIN_SESSION = "begin_session",
    CHANGED_RETURNS = "changed_returns",
    CHANGE_SESSION = "change_session",
    CLIENT = "client",
    CLIENTS_BY_ID = "clients_by_id",
    CLIENTS_OF_ACCOUNT = "clients_of_account",
    CLIENTS_OF_IDS = "clients_of_ids",
    CLIENT_HISTORY = "client_history",
    CLIENT_ORIGIN = "client_origin",
    CLIENT_PAGE = "client_page",
    CLIENT_PAGE_BY_ALIAS = "client_page_by_alias",
    CLIENT_PAGE_BY_EXTERNAL_ID = "client_page_by_external_id",
    CLIENT_PAGE_BY_ID = "client_page_by_id",
    CLIENT_PAGE_FILTERED = "client_page_filtered",
    CLIENT_STATE_PAGE = "client_state_page",
    COMMIT_RECORD = "commit_record",
    COMPARED_AT = "compared_at",
    CONSOLE_NEW_PROSPECTS = "console_new_prospects",
    CONSOLE_PROSPECTS_NEWEST = "console_prospects_newest",
    CONSOLE_PROSPECTS_OLDEST = "console_prospects_oldest",
    COUNTY = "county",
    COUNT_REVIEW_ITEMS = "count_review_items",
    COUNT_SIMILAR_PAIRS = "count_similar_pairs",
    CREATE_ACCOUNT = "create_account",
    CREATE_CLIENTS = "create_clients",
    CREATE_KEY = "create_key",
    CREATE_LOGIN = "create_login",
    CREATE_PROSPECTS = "create_prospects",
    DAY_COUNTS = "day_counts",
    DECIDED_ITEM = "decided_item",
    DECIDED_PAIRS = "decided_pairs",
    FORMER_ADDRESS_PAIRS = "former_address_pairs",
    DECIDE_REVIEW_ITEM = "decide_review_item",
    DECIDE_SIMILAR_PAIR = "decide_similar_pair",
    DELETE_PROSPECT = "delete_prospect",
    DROP_SIMILAR_PAIRS = "drop_similar_pairs",
    DUE_ACCOUNTS = "due_accounts",
    END_ACCOUNT_IMPORT = "end_account_import",
    END_IMPORT = "end_import",
    END_SESSION = "end_session",
    END_SESSIONS_OF_LOGIN = "end_sessions_of_login",
    ERASED_SOURCES = "erased_sources",
    ERASE_ALIASES = "erase_aliases",
    ERASE_ANSWERS = "erase_answers",
    ERASE_CLIENT = "erase_client",
    ERASE_LETTERS_ON = "erase_letters_on",
    ERASE_REVIEW_ITEMS = "erase_review_items",
    ERASE_SETTLEMENTS = "erase_settlements",
    ERASE_STATES = "erase_states",
    EXPORT_VERSION = "export_version",
    FIND_CLIENTS = "find_clients",
    FIND_CLIENT_BY_ALIAS = "find_client_by_alias",
    FIND_CLIENT_BY_EXTERNAL_ID = "find_client_by_external_id",
    FORGET_ANSWERS = "forget_answers",
    FORGET_COMMITS = "forget_commits",
    FORGET_IMPORTS = "forget_imports",
    FORGET_LOG = "forget_log",
    FORGET_REMOVED = "forget_removed",
    FORGET_SESSIONS = "forget_sessions",
    GRANTS = "grants",
    GRANTS_OF_ACCOUNTS = "grants_of_accounts",
    GRANT_COUNTY = "grant_county",
    GUARD_COMMIT = "guard_commit",
    GUARD_IMPORT = "guard_import",
    HAS_MORE_CLIENTS = "has_more_clients",
    IMPORT = "import",
    IMPORTS_OF_ACCOUNT = "imports_of_account",
    IMPORT_BATCHES = "import_batches",
    IMPORT_OF_FILE = "import_of_file",
    INSERT_PROSPECT_TOMBSTONE = "insert_prospect_tombstone",
    INSERT_TOMBSTONES = "insert_tombstones",
    KEEP_SIMILAR_PAIRS = "keep_similar_pairs",
    KEY = "key",
    KEYS_OF_ACCOUNT = "keys_of_account",
    KEY_OWNER = "key_owner",
    KEY_SECRETS = "key_secrets",
    KNOWN_PROSPECTS = "known_prospects",
    LETTERS_ON = "letters_on",
    LINK = "link",
    LIVE_KEY_OWNER = "live_key_owner",
    LOGGED = "logged",
    LOGIN = "login",
    LOGINS_OF_ACCOUNTS = "logins_of_accounts",
    LOGIN_OF_PASSKEY = "login_of_passkey",
    LOG_ENTRY = "log_entry",
    LOG_PAGE = "log_page",
    LOOKUP_BY_ALIAS = "lookup_by_alias",
    LOOKUP_BY_EXTERNAL_ID = "lookup_by_external_id",
    LOOKUP_BY_NAME = "lookup_by_name",
    LOOKUP_BY_PERSON = "lookup_by_person",
    LOOKUP_CLIENTS = "lookup_clients",
    MAKE_LINK = "make_link",
    MARK_ALIASES = "mark_aliases",
    MARK_ERASURE = "mark_erasure",
    MOVE_PROSPECTS = "move_prospects",
    NOTE_COMPARISON = "note_comparison",
    NOTE_LETTERS_ON = "note_letters_on",
    NOTE_RETURNS = "note_returns",
    OPEN_IMPORTED_ACCOUNT = "open_imported_account",
    PASSKEY = "passkey",
    PASSKEYS_OF_LOGIN = "passkeys_of_login",
    PROSPECTS_NEWEST = "prospects_newest",
    PROSPECTS_OLDEST = "prospects_oldest",
    PROSPECT_CLOCK = "prospect_clock",
    PUT_REVIEW_ITEMS = "put_review_items",
    PUT_SETTLEMENTS = "put_settlements",
    RECORD_COMMIT = "record_commit",
    RECORD_KEY_SECRET = "record_key_secret",
    RECORD_SESSION_USE = "record_session_use",
    RECORD_USE = "record_use",
    REMOVED_CLIENT = "removed_client",
    REMOVED_CLIENTS = "removed_clients",
    REMOVE_ALIAS = "remove_alias",
    REMOVE_CLIENTS = "remove_clients",
    REMOVE_LINKS = "remove_links",
    REMOVE_LOGIN = "remove_login",
    REMOVE_PASSKEY = "remove_passkey",
    REMOVE_PASSKEYS = "remove_passkeys",
    REMOVE_REVIEW_ITEMS = "remove_review_items",
    RENAME_PASSKEY = "rename_passkey",
    REQUIRE_ACCOUNT = "require_account",
    REQUIRE_ACCOUNT_IMPORT = "require_account_import",
    REQUIRE_COUNTY = "require_county",
    REQUIRE_DECIDED_ITEM = "require_decided_item",
    REQUIRE_IMPORT = "require_import",
    REQUIRE_KEY = "require_key",
    REQUIRE_LINK = "require_link",
    REQUIRE_LOGIN = "require_login",
    REQUIRE_NEW_FILE = "require_new_file",
    REQUIRE_NEW_PASSKEY = "require_new_passkey",
    REQUIRE_OTHER_OWNER = "require_other_owner",
    REQUIRE_OTHER_PASSKEY = "require_other_passkey",
    REQUIRE_OWN_PASSKEY = "require_own_passkey",
    REQUIRE_PASSKEY = "require_passkey",
    REQUIRE_PROSPECT = "require_prospect",
    REQUIRE_REMOVED = "require_removed",
    REQUIRE_SESSION = "require_session",
    REQUIRE_SIMILAR_PAIR = "require_similar_pair",
    REQUIRE_WAITING_ITEM = "require_waiting_item",
    REQUIRE_WHOLE_ACCOUNT = "require_whole_account",
    RESTORE_CLIENTS = "restore_clients",
    REVIEW_ITEM = "review_item",
    REVIEW_PAGE = "review_page",
    REVOKE_COUNTY = "revoke_county",
    REVOKE_KEY = "revoke_key",
    REVOKE_KEYS_OF_LOGIN = "revoke_keys_of_login",
    SAVE_ANSWER = "save_answer",
    SEARCH_ALL_CLIENTS = "search_all_clients",
    SEARCH_CLIENTS = "search_clients",
    SENT_AGAIN = "sent_again",
    SESSION = "session",
    SESSIONS_OF_LOGIN = "sessions_of_login",
    SETTLEMENTS_BEGUN = "settlements_begun",
    SETTLEMENTS_OF_CLIENT = "settlements_of_client",
    SETTLEMENT_FEED = "settlement_feed",
    SET_ACCOUNT = "set_account",
    SET_ROLE = "set_role",
    SIMILAR_OF_CLIENTS = "similar_of_clients",
    SIMILAR_PAGE = "similar_page",
    SIMILAR_PAIR = "similar_pair",
    SUSPEND_SESSIONS = "suspend_sessions",
    SWEEP_REVIEW_ITEMS = "sweep_review_items",
    SWEEP_STATES = "sweep_states",
    TAKEN_ROWS = "taken_rows",
    TOMBSTONES = "tombstones",
    TOUCHED_CLIENTS = "touched_clients",
    TURN_REVIEW_ITEMS = "turn_review_items",
    UPDATE_CLIENTS = "update_clients",
    UPDATE_PROSPECTS = "update_prospects",
    UPDATE_WHOLE_CLIENTS = "update_whole_clients",
    USE_PASSKEY = "use_passkey",
    USE_UP_LINK = "use_up_link",
    WAITING_ITEMS = "waiting_items",
}

/// The parameter of a query of prospects that takes the account's grants, as a JSON array of `[fips, from_date]`, in place
/// of those that are stored. Where it is null, those are read.
pub const GRANTS_GIVEN: &str = "grants";

/// Whether a query concerns rows of all accounts together. A host that keeps each account in a database of its own runs
/// it in the one that all have in common (decision 0131).
#[must_use]
pub fn is_common(query: &Query) -> bool {
    matches!(
        query.name,
        "prospects_newest"
            | "prospects_oldest"
            | "console_prospects_newest"
            | "console_prospects_oldest"
            | "console_new_prospects"
            | "key_secrets"
            | "require_new_passkey"
            | "taken_rows"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_that_shows_prospects_takes_the_grants_and_the_times() {
        let shows = |query: &Query| query.row_sql.contains("prospects_by_county");
        let names: Vec<_> = all().into_iter().filter(|query| shows(query)).map(|query| query.name).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        for query in all().into_iter().filter(|query| shows(query)) {
            assert!(is_common(query), "{}", query.name);
            for parameter in [GRANTS_GIVEN, "delayed", "trusted_until", "everything"] {
                assert!(query.parameters.iter().any(|name| name == parameter), "{}: {parameter}", query.name);
            }
        }
    }
}
