// Serves the peer under local workerd: serve.mjs --port P --state DIR --key KEY --batches 1|2, with
// one account that the key opens; a post is saved in that many batches. Ready when GET /api/v1/me
// answers 200 to the key; Miniflare ends with the process on SIGTERM.

import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    state: { type: "string" },
    key: { type: "string" },
    batches: { type: "string" },
  },
});
const here = new URL(".", import.meta.url);

const bundle = await build({
  entryPoints: [new URL("src/index.js", here).pathname],
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2024",
  write: false,
});

const miniflare = new Miniflare({
  modules: true,
  script: bundle.outputFiles[0].text,
  bindings: { BATCHES: Number(values.batches) },
  compatibilityDate: "2026-04-01",
  d1Databases: { DB: "peer" },
  d1Persist: values.state,
  host: "127.0.0.1",
  port: Number(values.port),
  // No request of its own to the network.
  cf: false,
});

const db = await miniflare.getD1Database("DB");
const migrations = new URL("migrations/", here);
for (const file of (await readdir(migrations)).sort()) {
  const sql = await readFile(new URL(file, migrations), "utf8");
  const statements = sql
    .replace(/^\s*--.*$/gm, "")
    .split(";")
    .map((text) => text.trim());
  await db.batch(statements.filter(Boolean).map((text) => db.prepare(text)));
}

const now = new Date().toISOString();
const account = randomUUID();
await db.batch([
  db
    .prepare("INSERT INTO accounts (id, email, api_enabled, created_at) VALUES (?, ?, 1, ?)")
    .bind(account, "owner@firm.example", now),
  db
    .prepare("INSERT INTO api_keys (id, account_id, key_hash, created_at) VALUES (?, ?, ?, ?)")
    .bind(randomUUID(), account, createHash("sha256").update(values.key).digest("hex"), now),
]);
