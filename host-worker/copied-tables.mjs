// The tables of an account's object whose changes are copied into the directory (decision 0132).

const OF_LOGIN = "login_id in (select id from logins where account_id = ?)";

/**
 * The tables that the directory has too. `of` chooses the rows of an account, `key` names a row, `changes` are the
 * columns whose change is copied. Their order is that in which rows refer to each other.
 */
export const COPIED = [
  { table: "accounts", key: ["id"], of: "id = ?", changes: "public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at" },
  { table: "account_imports", key: ["account_id"], of: "account_id = ?", changes: "digest, received_rows, received_digest, ended_at" },
  { table: "logins", key: ["id"], of: "account_id = ?", changes: "email, role" },
  { table: "sign_in_links", key: ["login_id"], of: OF_LOGIN, changes: "digest, expires_at" },
  { table: "sessions", key: ["digest"], of: OF_LOGIN, changes: "is_suspended" },
  { table: "passkeys", key: ["credential_id"], of: OF_LOGIN, changes: "login_id, name" },
  { table: "api_keys", key: ["id"], of: "account_id = ?", changes: "revoked_at" },
  { table: "key_secrets", key: ["check_value"], of: "? is not null", changes: "check_value" },
  { table: "county_grants", key: ["account_id", "county_fips"], of: "account_id = ?", changes: "from_date" },
  { table: "operator_log", key: ["at", "id"], of: "account_id = ?", changes: "" },
];

/** What an object has besides the tables of the rules: the changes to copy, and the times of each key's requests. */
export const OWN_SCHEMA = [
  "create table copies (number integer primary key autoincrement, table_name text not null, row_key text not null) strict",
  "create table request_times (key text primary key, times blob not null) strict, without rowid",
  ...COPIED.flatMap(({ table, key, changes }) =>
    [["insert", "new"], ["delete", "old"], ...(changes ? [[`update of ${changes}`, "new"]] : [])].map(
      ([event, row], number) => `create trigger copy_${table}_${number} after ${event} on ${table} begin
        insert into copies (table_name, row_key) values ('${table}', ${key.map((column) => `quote(${row}.${column})`).join(" || ',' || ")});
      end`,
    ),
  ),
];
