// The built Worker under workerd on this machine, bound as wrangler.toml says: what is served here is
// what is deployed.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as configured } from "wrangler";

const here = import.meta.dirname;

/** Starts it: its settings are `bindings`, its database is kept in `state`, `more` are options of Miniflare's. */
export async function startWorker(build, state, bindings, more) {
  // The viewer's files are served out of their directory, without the two Workers of Miniflare's that stand
  // for Cloudflare's own and would come before every request.
  const overrides = { assets: { directory: join(build, "viewer") } };
  const { assets, ...workerOptions } = configured(join(here, "wrangler.toml"), undefined, { overrides }).workerOptions;
  const file = (name) => readFile(join(here, build, name));
  return new Miniflare({
    ...workerOptions,
    name: "matterbook",
    rootPath: here,
    modules: [
      { type: "ESModule", path: join(here, "entry.mjs") },
      { type: "ESModule", path: join(here, "dist/index.js"), contents: (await file("index.js")).toString() },
      { type: "CompiledWasm", path: join(here, "dist/index_bg.wasm"), contents: await file("index_bg.wasm") },
    ],
    bindings: { ...workerOptions.bindings, ...bindings },
    serviceBindings: {
      ...workerOptions.serviceBindings,
      [assets.binding]: { disk: { path: join(here, build, "viewer"), writable: false } },
    },
    host: "127.0.0.1",
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
    // Where wrangler keeps a local database, too.
    d1Persist: join(state, "v3/d1"),
    durableObjectsPersist: join(state, "v3/do"),
    ...more,
  });
}
