// Starts the built Worker under workerd on this machine, with the bindings of wrangler.toml. It is the
// module that a deployment uploads.
import { randomBytes } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

// To import it, Node would first look through its 4 MB for the names that it exports: a quarter of the time of a start.
const { Log, LogLevel, Miniflare } = createRequire(import.meta.url)("miniflare");

const here = import.meta.dirname;

/** The key secret of the state directory, which its first start makes. A deployment has it as a secret. */
export async function keySecret(state) {
  const file = join(state, "key-secret");
  await writeFile(file, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  return (await readFile(file, "utf8")).trim();
}

/** The profiles, `objects` by decision 0131. `./local-state` has read the configuration of each. */
const PROFILES = ["d1", "objects"];

/** The text of the schema's module; where a test says so, with a further migration, as of a newer program. */
async function migrationsModule(file) {
  const text = (await file("migrations.js")).toString();
  const further = process.env.MATTERBOOK_TEST_MIGRATION;
  return further ? text.replace(/\];\s*$/, `, ${JSON.stringify(further)}];`) : text;
}

/** `bindings` are its settings, `state` is a directory that `./local-state` prepared, `more` are options of Miniflare. */
export async function startWorker(build, state, { MATTERBOOK_PROFILE: profile = "d1", ...bindings }, more) {
  if (!PROFILES.includes(profile)) throw "MATTERBOOK_PROFILE must be d1 or objects.";
  const { assets, ...workerOptions } = JSON.parse(await readFile(join(here, "prepared", `${profile}.json`)));
  const isTest = Object.keys(bindings).some((name) => name.startsWith("MATTERBOOK_TEST_"));
  const file = (name) => readFile(join(here, build, name));
  // Those of tests/prospect-databases.toml.
  const ofTest = (process.env.MATTERBOOK_TEST_PROSPECTS ?? "").split(" ").filter(Boolean).map((name) => [name, { id: name }]);
  const wasm = (await readdir(join(here, build))).filter((name) => name.endsWith(".wasm"));
  const wasmModules = wasm.map(async (name) => ({ type: "CompiledWasm", path: join(here, "dist", name), contents: await file(name) }));
  return new Miniflare({
    ...workerOptions,
    name: "matterbook",
    rootPath: here,
    modules: [
      ...(isTest ? [{ type: "ESModule", path: join(here, "tests/entry.mjs") }] : []),
      { type: "ESModule", path: join(here, "entry.mjs") },
      { type: "ESModule", path: join(here, "account.mjs") },
      { type: "ESModule", path: join(here, "directory.mjs") },
      { type: "ESModule", path: join(here, "jurisdictions.mjs") },
      { type: "ESModule", path: join(here, "prospect-changes.mjs") },
      { type: "ESModule", path: join(here, "prospect-databases.mjs") },
      { type: "ESModule", path: join(here, "replicas.mjs") },
      { type: "ESModule", path: join(here, "trap.mjs") },
      { type: "ESModule", path: join(here, "dist/index.js"), contents: (await file("index.js")).toString() },
      { type: "ESModule", path: join(here, "dist/migrations.js"), contents: await migrationsModule(file) },
      ...(await Promise.all(wasmModules)),
    ],
    bindings: { ...workerOptions.bindings, ...bindings },
    d1Databases: { ...workerOptions.d1Databases, ...Object.fromEntries(ofTest) },
    serviceBindings: {
      ...workerOptions.serviceBindings,
      // The viewer's files from their directory. Miniflare would put two Workers in front of every request, in place of
      // Cloudflare's own.
      [assets.binding]: { disk: { path: join(here, build, "viewer"), writable: false } },
    },
    host: "127.0.0.1",
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
    // The same directories as wrangler's.
    d1Persist: join(state, "v3/d1"),
    durableObjectsPersist: join(state, "v3/do"),
    ...more,
  });
}
