// The rules, as far as an account's object can tell: what requests read and write of the tables that the directory has
// too, and of one that it has not.

export const bytes = (id) => new TextEncoder().encode(id.padEnd(16, "-")).buffer;
export const idOf = (value) => new TextDecoder().decode(new Uint8Array(value)).replace(/-+$/, "");

/** The statements of each operation of a request with an `id`. */
const CHANGES = {
  addKey: ({ id, at }) => [
    "insert into api_keys (id, account_id, login_id, digest, last_four, created_at) select ?1, id, ?1, ?2, 'four', ?3 from accounts",
    bytes(id), id, at,
  ],
  revokeKey: ({ id, at }) => ["update api_keys set revoked_at = coalesce(revoked_at, ?2) where id = ?1", bytes(id), at],
  addLogin: ({ id, at }) => [
    "insert into logins (id, account_id, email, role, created_at) select ?, id, 'a@b.example', 'owner', ? from accounts",
    bytes(id), at,
  ],
  removeLogin: ({ id }) => ["delete from logins where id = ?", bytes(id)],
  beginSession: ({ id, at }) => [
    "insert into sessions (digest, id, login_id, started_at, used_at) select ?1, ?2, id, ?3, ?3 from logins where email = 'keeper@b.example'",
    id, bytes(id), at,
  ],
  endSession: ({ id }) => ["delete from sessions where digest = ?", id],
  grant: ({ id, at }) => [
    `insert into county_grants (account_id, county_fips, from_date) select id, ?1, ?2 from accounts where true
      on conflict do update set from_date = excluded.from_date`,
    id, String(at),
  ],
  revokeGrant: ({ id }) => ["delete from county_grants where county_fips = ?", id],
  suspend: () => ["update accounts set suspended = 1"],
  resume: () => ["update accounts set suspended = 0"],
  saveClient: ({ id }) => [
    `insert into client_aliases (account_id, client_id, added_in, external_id) select id, ?1, ?1, ?2 from accounts
      where suspended = 0`,
    bytes(id), id,
  ],
};

const PROSPECTS = `select prospect.id from json_each(?1) as given join prospects as prospect
  on crash_county_fips = given.value->>0 and crash_date >= given.value->>1
  and added_at <= (select iif(last_change_at > ?3, ?4, ?2) from prospect_clock)`;

const COUNTIES = "select county_fips as fips from county_grants";

/** How long a body takes at most, unless the request says otherwise. */
const BODY_MS = 50;

const LOGGED = "insert into operator_log (at, id, actor, action, subject, request_id, account_id) select ?1, ?2, 'operator', ?3, '', ?2, id from accounts";

/** What is stored of an account, in the order of ids. */
const READ = {
  keys: "select id, revoked_at is null as value from api_keys order by id",
  logins: "select id, 1 as value from logins order by id",
  grants: "select county_fips as id, from_date as value from county_grants order by county_fips",
  sessions: "select digest as id, 1 as value from sessions order by digest",
  flags: "select 'suspended' as id, suspended as value from accounts",
  clients: "select client_id as id, 1 as value from client_aliases order by client_id",
};

/** What a database has of its account. `run` runs a list of statements. */
export function contentsOf(run) {
  const results = run(Object.values(READ).map((text) => [text]));
  const members = ({ rows }) => rows.map(({ id, value }) => [typeof id === "string" ? id : idOf(id), value]);
  return Object.fromEntries(Object.keys(READ).map((name, place) => [name, Object.fromEntries(members(results[place]))]));
}

/** A request within the object of its account, or without a database where the account is not there. */
export async function accountFetch(request, _env, database) {
  if (!database) return { ok: false, status: 404 };
  // The names of queries, which an object does not look at.
  const run = (statements) => database.run(statements.map((statement) => ["", ...statement]));
  // The body comes in parts.
  await new Promise((resolve) => setTimeout(resolve, (request.bodyMs ?? BODY_MS) * Math.random()));
  if (request.name === "show") return { ok: true, status: 200, contents: contentsOf(run) };
  if (request.name === "page") {
    const [{ rows }] = run([[COUNTIES]]);
    const values = [null, request.shownUntil, request.trustedUntil, Number.MAX_SAFE_INTEGER];
    const [{ results }] = await database.readCommon([["", PROSPECTS, ...values]], ["grants,delayed,trusted_until,everything"]);
    return { ok: true, status: 200, counties: rows.map(({ fips }) => fips), ids: results.map(({ id }) => idOf(id)) };
  }
  const log = [LOGGED, request.at, bytes(request.number), request.name];
  if (request.name === "restore") {
    const isSuspended = run([["select suspended from accounts"]])[0].rows[0].suspended;
    if (!(await database.prepareRestore(request.id)) || !isSuspended) return { ok: false, status: 409 };
    run([log]);
  } else {
    const isLogged = request.name !== "saveClient";
    const saved = ["update accounts set last_commit_at = ? where suspended = 0", request.at];
    const [{ written }] = run([CHANGES[request.name](request), isLogged ? log : saved]);
    // Nothing is saved for an account that is suspended.
    if (!isLogged && written === 0) return { ok: false, status: 403 };
  }
  return { ok: true, status: 200 };
}

/** Possible duplicates are no part of this. */
export async function compareDue() {}
