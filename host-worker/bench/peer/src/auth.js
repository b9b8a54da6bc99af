import { HTTPException } from "hono/http-exception";

const FIND_ACCOUNT = `
  SELECT accounts.id, accounts.email, accounts.api_enabled, accounts.suspended
  FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
  WHERE api_keys.key_hash = ? AND api_keys.revoked_at IS NULL`;

/** Finds the account of the Bearer key, by the key's SHA-256. */
export async function authenticate(c, next) {
  const [, key] = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "") ?? [];
  if (!key) throw new HTTPException(401, { message: "Send an API key." });
  const account = await c.env.DB.prepare(FIND_ACCOUNT)
    .bind(await sha256(key))
    .first();
  if (!account) throw new HTTPException(401, { message: "This API key is not valid." });
  if (account.suspended || !account.api_enabled) {
    throw new HTTPException(403, { message: "The API is not turned on for this account." });
  }
  c.set("account", { id: account.id, email: account.email });
  await next();
}

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
