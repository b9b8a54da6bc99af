// A post as one batch: a statement a client, which looks the client up, writes it and says its id.

import { FIELDS, values } from "./fields.js";

const parameter = (field) => `?${FIELDS.indexOf(field) + 6}`;

// As the column match_key is made.
const MATCH_KEY = `lower(${parameter("first_name")} || '|' || ${parameter("last_name")} || '|' ||
    ${parameter("address_line1")} || '|' || substr(${parameter("zip")}, 1, 5))`;

// The id is that of the same external id, or else of the same name, street and ZIP where the
// external ids do not differ, or else the new one in ?1. Values that are not given keep what is
// stored.
const SAVE = `
INSERT INTO clients (id, account_id, external_id, created_at, updated_at, do_not_mail, ${FIELDS.join(", ")})
VALUES (coalesce(
  (SELECT id FROM clients WHERE account_id = ?2 AND external_id = ?3),
  (SELECT id FROM clients WHERE account_id = ?2 AND match_key = ${MATCH_KEY}
    AND (external_id IS NULL OR ?3 IS NULL) LIMIT 1),
  ?1), ?2, ?3, ?4, ?4, ?5, ${FIELDS.map(parameter).join(", ")})
ON CONFLICT (id) DO UPDATE SET
  external_id = coalesce(?3, external_id), updated_at = ?4, do_not_mail = max(?5, do_not_mail),
  ${FIELDS.map((field) => `${field} = coalesce(${parameter(field)}, ${field})`).join(", ")}
RETURNING id`;

/** Saves the clients that could be read, wholly or not at all. */
export async function saveInOneBatch(db, accountId, parsed) {
  const now = new Date().toISOString();
  const save = db.prepare(SAVE);
  const newIds = [];
  const statements = [];
  for (const { client, problems } of parsed) {
    if (problems.length > 0) continue;
    const newId = crypto.randomUUID();
    newIds.push(newId);
    statements.push(save.bind(newId, accountId, ...values(client, now)));
  }
  const saved = statements.length > 0 ? await db.batch(statements) : [];
  let next = 0;
  return parsed.map(({ problems }, index) => {
    if (problems.length > 0) return { index, status: "error", message: problems.join("; ") };
    const newId = newIds[next];
    const [{ id }] = saved[next].results;
    next += 1;
    return { index, status: id === newId ? "created" : "updated", id };
  });
}
