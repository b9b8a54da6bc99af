// Serves the floor of both profiles under local workerd: serve.mjs --port P --state DIR. Ready when GET / answers 200.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { Miniflare } from "miniflare";

const { values } = parseArgs({ options: { port: { type: "string" }, state: { type: "string" } } });

new Miniflare({
  modules: true,
  scriptPath: join(import.meta.dirname, "worker.mjs"),
  compatibilityDate: "2026-04-01",
  d1Databases: { DB: "floor" },
  d1Persist: join(values.state, "d1"),
  durableObjects: { ACCOUNTS: { className: "Account", useSQLite: true }, LIMIT: { className: "Limit", useSQLite: true } },
  durableObjectsPersist: join(values.state, "do"),
  host: "127.0.0.1",
  port: Number(values.port),
  // No request of its own to the network.
  cf: false,
});
