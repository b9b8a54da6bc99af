//! Every query by name, read from `sql/` once and kept.

use std::sync::LazyLock;

use crate::query::Query;

/// Declares a query for each file, and the list of them all.
macro_rules! queries {
    ($($constant:ident = $name:literal,)*) => {
        $(
            #[doc = concat!("`sql/", $name, ".sql`")]
            pub static $constant: LazyLock<Query> =
                LazyLock::new(|| Query::parse($name, include_str!(concat!("../sql/", $name, ".sql"))));
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
    ACCOUNT_PAGE = "account_page",
    ACCOUNT_VERSION = "account_version",
    BEGIN_COMMIT = "begin_commit",
    BEGIN_IMPORT = "begin_import",
    CLIENT = "client",
    CLIENT_PAGE = "client_page",
    CLIENT_PAGE_BY_EXTERNAL_ID = "client_page_by_external_id",
    CLIENT_PAGE_BY_ID = "client_page_by_id",
    CLIENT_PAGE_FILTERED = "client_page_filtered",
    CLIENT_STATE_PAGE = "client_state_page",
    COUNTY = "county",
    CREATE_ACCOUNT = "create_account",
    CREATE_CLIENTS = "create_clients",
    CREATE_KEY = "create_key",
    CREATE_LOGIN = "create_login",
    CREATE_PROSPECTS = "create_prospects",
    DELETE_PROSPECT = "delete_prospect",
    ERASED_SOURCES = "erased_sources",
    ERASE_ANSWERS = "erase_answers",
    ERASE_CLIENT = "erase_client",
    ERASE_SETTLEMENTS = "erase_settlements",
    ERASE_STATES = "erase_states",
    FIND_CLIENTS = "find_clients",
    FIND_CLIENT_BY_EXTERNAL_ID = "find_client_by_external_id",
    FORGET_ANSWERS = "forget_answers",
    FORGET_COMMITS = "forget_commits",
    FORGET_LOG = "forget_log",
    GRANTS = "grants",
    GRANTS_OF_ACCOUNTS = "grants_of_accounts",
    GRANT_COUNTY = "grant_county",
    GUARD_COMMIT = "guard_commit",
    GUARD_IMPORT = "guard_import",
    INSERT_PROSPECT_TOMBSTONE = "insert_prospect_tombstone",
    INSERT_TOMBSTONES = "insert_tombstones",
    KEY = "key",
    KEYS_OF_ACCOUNT = "keys_of_account",
    KEY_OWNER = "key_owner",
    KEY_SECRETS = "key_secrets",
    KNOWN_PROSPECTS = "known_prospects",
    LIVE_KEY_OWNER = "live_key_owner",
    LOGGED = "logged",
    LOGIN = "login",
    LOGINS_OF_ACCOUNTS = "logins_of_accounts",
    LOG_ENTRY = "log_entry",
    LOG_PAGE = "log_page",
    LOOKUP_BY_EXTERNAL_ID = "lookup_by_external_id",
    LOOKUP_BY_NAME = "lookup_by_name",
    LOOKUP_BY_PERSON = "lookup_by_person",
    LOOKUP_CLIENTS = "lookup_clients",
    MARK_ERASURE = "mark_erasure",
    MOVE_PROSPECTS = "move_prospects",
    PROSPECTS_NEWEST = "prospects_newest",
    PROSPECTS_OLDEST = "prospects_oldest",
    PROSPECT_CLOCK = "prospect_clock",
    PUT_SETTLEMENTS = "put_settlements",
    RECORD_COMMIT = "record_commit",
    RECORD_KEY_SECRET = "record_key_secret",
    RECORD_USE = "record_use",
    REMOVE_LOGIN = "remove_login",
    REQUIRE_ACCOUNT = "require_account",
    REQUIRE_COUNTY = "require_county",
    REQUIRE_KEY = "require_key",
    REQUIRE_LOGIN = "require_login",
    REQUIRE_OTHER_OWNER = "require_other_owner",
    REQUIRE_PROSPECT = "require_prospect",
    REVOKE_COUNTY = "revoke_county",
    REVOKE_KEY = "revoke_key",
    REVOKE_KEYS_OF_LOGIN = "revoke_keys_of_login",
    SAVE_ANSWER = "save_answer",
    SETTLEMENT_FEED = "settlement_feed",
    SET_ACCOUNT = "set_account",
    SET_ROLE = "set_role",
    SWEEP_STATES = "sweep_states",
    TOMBSTONES = "tombstones",
    UPDATE_CLIENTS = "update_clients",
    UPDATE_PROSPECTS = "update_prospects",
    UPDATE_WHOLE_CLIENTS = "update_whole_clients",
}
