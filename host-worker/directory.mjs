// What an account's object copies into the directory of all accounts, and how it talks to it (decision 0132).

const DIRECTORY_ATTEMPTS_MAX = 3;

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

/** How far the directory has the changes of an account: no row where it lacks the account. */
export const COPIED_UP_TO = `select coalesce((select number from copied_changes where account_id = id), 0) as number
  from accounts where id = ?`;

/** The same where the directory may lack the account. No row where it has none of its changes. */
export const NUMBER_OF_COPIES = "select number from copied_changes where account_id = ?";

/**
 * Sets this to ?3. It fails unless the number is from ?2 to ?3: a lower one says that the directory was set back, a higher one
 * that this batch is late, from an earlier start of the object. It also fails where the id is that of another account, which
 * was made after the directory was set back.
 */
export const COPY_UP_TO = `insert into copied_changes (account_id, number)
  select ?1, iif(coalesce((select number from copied_changes where account_id = ?1), 0) between ?2 and ?3
    and coalesce((select number from accounts where id = ?1), ?4) = ?4, ?3, null) where true
  on conflict (account_id) do update set number = excluded.number`;

/**
 * Lets the directory go on from ?2, where all rows follow that it lacked when its number was ?3. Once it has been set back, it
 * lacks more.
 */
export const COPY_FROM = `insert into copied_changes (account_id, number)
  select ?1, ?2 where coalesce((select number from copied_changes where account_id = ?1), 0) in (?2, ?3)
  on conflict (account_id) do update set number = max(number, excluded.number) returning number`;

/**
 * Lets the directory's number go on from ?3 to ?4, further than a batch reaches. A batch of an object that was lost, which
 * arrives from now on, is then late.
 */
export const END_COPIES = `insert into copied_changes (account_id, number) select id, ?4 from accounts where id = ?1 and number = ?2
  on conflict (account_id) do update set number = excluded.number where number = ?3`;

/** A value of D1, which gives bytes as a list of numbers, as an object binds it. */
export const bindable = (value) => (Array.isArray(value) ? new Uint8Array(value).buffer : value);

/** A value of D1 as `quote` of SQLite writes it. */
export const quoted = (value) => {
  if (Array.isArray(value)) return `X'${value.map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase()}'`;
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
};

/**
 * The statement that makes a row of the directory what it is in the object, as its text and its values. `row_key` is what
 * `quote` of SQLite made. `rowsOf` reads in the object.
 */
export function copyOf({ table_name: table, row_key: rowKey }, rowsOf) {
  const { key } = COPIED.find((copied) => copied.table === table);
  const [row] = rowsOf(`select * from ${table} where (${key}) = (${rowKey})`);
  if (!row) return [`delete from ${table} where (${key}) = (${rowKey})`];
  const columns = Object.keys(row);
  const changed = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`);
  // No account takes over a row of another one, whatever an import says.
  const own = columns.includes("account_id") ? `where ${table}.account_id = excluded.account_id` : "";
  const then = table === "operator_log" || changed.length === 0 ? "nothing" : `update set ${changed} ${own}`;
  const text = `insert into ${table} (${columns}) values (${columns.map(() => "?")}) on conflict (${key}) do ${then}`;
  return [text, ...Object.values(row)];
}

/** Does work with the directory, again where it fails, such as by a lost connection. Reads and copies are safe to repeat. */
export async function repeated(work) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      // A refused batch would be refused again.
      if (attempt >= DIRECTORY_ATTEMPTS_MAX || String(error).includes("constraint failed")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * attempt * Math.random()));
    }
  }
}
