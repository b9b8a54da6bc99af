// A client list on Hono and D1, as a good web developer writes it by hand: the peer of the
// comparison. ../../README.md says what it does and what it leaves out.

import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { authenticate } from "./auth.js";
import { parseClient } from "./client.js";
import { listClients } from "./list.js";
import { saveInOneBatch } from "./one_batch.js";
import { saveInTwoBatches } from "./two_batches.js";

const MAX_BATCH = 500;

const app = new Hono().basePath("/api/v1");

app.use(authenticate);

app.get("/me", (c) => c.json({ account: c.get("account") }));

app.post("/clients", async (c) => {
  const body = await c.req.json().catch(() => null);
  if (!Array.isArray(body?.clients)) {
    throw new HTTPException(400, { message: "clients must be an array." });
  }
  if (body.clients.length > MAX_BATCH) {
    throw new HTTPException(400, { message: `Send at most ${MAX_BATCH} clients at once.` });
  }
  const parsed = body.clients.map(parseClient);
  const save = c.env.BATCHES === 1 ? saveInOneBatch : saveInTwoBatches;
  return c.json({ results: await save(c.env.DB, c.get("account").id, parsed) });
});

app.get("/clients", async (c) => {
  const limit = Number(c.req.query("limit") ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new HTTPException(400, { message: "limit must be between 1 and 100." });
  }
  return c.json(await listClients(c.env.DB, c.get("account").id, limit, c.req.query("cursor")));
});

app.notFound((c) => c.json({ error: { code: "not_found", message: "There is nothing here." } }, 404));

app.onError((error, c) => {
  if (error instanceof HTTPException) {
    return c.json({ error: { code: CODES[error.status], message: error.message } }, error.status);
  }
  console.error(error);
  return c.json({ error: { code: "internal", message: "Something went wrong." } }, 500);
});

const CODES = { 400: "invalid_request", 401: "unauthorized", 403: "forbidden" };

export default app;
