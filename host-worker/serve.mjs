// Runs the built Worker under workerd: node serve.mjs PORT STATE [--test-hooks]. See ./dev.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as configured } from "wrangler";

const [port, state, hooks] = process.argv.slice(2);
const here = import.meta.dirname;
const build = join(here, hooks === "--test-hooks" ? "dist-test" : "dist");

// The bindings are those of wrangler.toml, so what is served here is what is deployed.
const { workerOptions } = configured(join(here, "wrangler.toml"));
const settings = Object.entries(process.env).filter(([name]) => name.startsWith("MATTERBOOK_"));

const worker = new Miniflare({
  ...workerOptions,
  name: "matterbook",
  rootPath: here,
  modules: [
    { type: "ESModule", path: join(here, "entry.mjs") },
    { type: "ESModule", path: join(here, "dist/index.js"), contents: await readFile(join(build, "index.js"), "utf8") },
    { type: "CompiledWasm", path: join(here, "dist/index_bg.wasm"), contents: await readFile(join(build, "index_bg.wasm")) },
  ],
  bindings: { ...workerOptions.bindings, ...Object.fromEntries(settings) },
  host: "127.0.0.1",
  port: Number(port),
  cf: false,
  telemetry: { enabled: false },
  log: new Log(LogLevel.ERROR),
  // Where wrangler keeps a local database, too.
  d1Persist: join(state, "v3/d1"),
  durableObjectsPersist: join(state, "v3/do"),
  handleRuntimeStdio(output, errors) {
    output.pipe(process.stderr, { end: false });
    errors.pipe(process.stderr, { end: false });
  },
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, async () => {
    await worker.dispose();
    process.exit(0);
  });
}

const url = await worker.ready;
console.log(`Matterbook serves ${url.origin}/api/v1 under workerd.`);
