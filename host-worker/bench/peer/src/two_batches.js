// A post as two batches: one looks the clients up, the other writes them.

import { FIELDS, values } from "./fields.js";

const INSERT = `
INSERT INTO clients (id, account_id, external_id, created_at, updated_at, do_not_mail, ${FIELDS.join(", ")})
VALUES (?1, ?2, ?3, ?4, ?4, ?5, ${FIELDS.map((_, index) => `?${index + 6}`).join(", ")})`;

// Values that are not given keep what is stored.
const UPDATE = `
UPDATE clients SET
  external_id = coalesce(?3, external_id), updated_at = ?4, do_not_mail = max(?5, do_not_mail),
  ${FIELDS.map((field, index) => `${field} = coalesce(?${index + 6}, ${field})`).join(", ")}
WHERE id = ?1 AND account_id = ?2`;

/**
 * Saves the clients that could be read: looks them all up in one batch, then writes them in
 * another, one statement each, which is applied wholly or not at all.
 */
export async function saveInTwoBatches(db, accountId, parsed) {
  const readable = parsed.filter(({ problems }) => problems.length === 0);
  const known = await findClients(
    db,
    accountId,
    readable.map(({ client }) => client),
  );
  const now = new Date().toISOString();
  const insert = db.prepare(INSERT);
  const update = db.prepare(UPDATE);
  const statements = [];
  const results = parsed.map(({ client, problems }, index) => {
    if (problems.length > 0) return { index, status: "error", message: problems.join("; ") };
    const found = known.find(client);
    const id = found?.id ?? crypto.randomUUID();
    const write = found ? update : insert;
    statements.push(write.bind(id, accountId, ...values(client, now)));
    // The same person may come again in this request.
    if (!found) known.add({ id, external_id: client.external_id, match_key: matchKey(client) });
    return { index, status: found ? "updated" : "created", id };
  });
  if (statements.length > 0) await db.batch(statements);
  return results;
}

// D1 binds at most 100 parameters in one statement; one is the account.
const LOOKED_UP_AT_ONCE = 99;

/** The stored clients that any of these may be: of the same external id, or the same match key. */
async function findClients(db, accountId, clients) {
  const lookUp = (column, values) =>
    chunks(
      values.filter((value) => value !== null),
      LOOKED_UP_AT_ONCE,
    ).map((chunk) =>
      db
        .prepare(
          `SELECT id, external_id, match_key FROM clients
           WHERE account_id = ? AND ${column} IN (${chunk.map(() => "?").join(", ")})`,
        )
        .bind(accountId, ...chunk),
    );
  const statements = [
    ...lookUp(
      "external_id",
      clients.map((client) => client.external_id),
    ),
    ...lookUp("match_key", clients.map(matchKey)),
  ];
  const known = new KnownClients();
  if (statements.length > 0) {
    for (const { results } of await db.batch(statements)) results.forEach((row) => known.add(row));
  }
  return known;
}

class KnownClients {
  #byExternalId = new Map();
  #byMatchKey = new Map();

  add(row) {
    if (row.external_id !== null) this.#byExternalId.set(row.external_id, row);
    if (row.match_key !== null) {
      this.#byMatchKey.set(row.match_key, [...(this.#byMatchKey.get(row.match_key) ?? []), row]);
    }
  }

  /** By external id, or else by name, street and ZIP where the external ids do not differ. */
  find(client) {
    return (
      this.#byExternalId.get(client.external_id) ??
      this.#byMatchKey
        .get(matchKey(client))
        ?.find((row) => row.external_id === null || client.external_id === null)
    );
  }
}

/** What the column match_key holds for this client. */
function matchKey({ first_name, last_name, address_line1, zip }) {
  const parts = [first_name, last_name, address_line1, zip?.slice(0, 5)];
  if (parts.some((part) => !part)) return null;
  // Only A to Z, as SQLite's lower().
  return parts.join("|").replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function chunks(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
