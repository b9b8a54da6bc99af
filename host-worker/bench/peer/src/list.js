import { HTTPException } from "hono/http-exception";
import { FIELDS } from "./fields.js";

const COLUMNS = ["id", "external_id", ...FIELDS, "do_not_mail", "created_at", "updated_at"].join(", ");

const FIRST_PAGE = `
SELECT ${COLUMNS} FROM clients
WHERE account_id = ?1
ORDER BY updated_at, id LIMIT ?2`;

const NEXT_PAGE = `
SELECT ${COLUMNS} FROM clients
WHERE account_id = ?1 AND (updated_at, id) > (?3, ?4)
ORDER BY updated_at, id LIMIT ?2`;

/** A page of the account's clients by last change, and the cursor of the next one. */
export async function listClients(db, accountId, limit, cursor) {
  // One row more than the page tells whether there is another page.
  const statement = cursor
    ? db.prepare(NEXT_PAGE).bind(accountId, limit + 1, ...readCursor(cursor))
    : db.prepare(FIRST_PAGE).bind(accountId, limit + 1);
  const { results } = await statement.all();
  const clients = results.slice(0, limit).map((row) => ({ ...row, do_not_mail: row.do_not_mail === 1 }));
  const last = clients.at(-1);
  return { clients, next_cursor: results.length > limit ? writeCursor(last.updated_at, last.id) : null };
}

function writeCursor(updatedAt, id) {
  return btoa(JSON.stringify([updatedAt, id]));
}

function readCursor(cursor) {
  try {
    const [updatedAt, id] = JSON.parse(atob(cursor));
    if (typeof updatedAt === "string" && typeof id === "string") return [updatedAt, id];
  } catch {
    // Answered below, like a cursor of another shape.
  }
  throw new HTTPException(400, { message: "cursor is not valid." });
}
