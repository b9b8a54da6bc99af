// Deploys the Worker and tests the deployment. See ./deploy.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { unstable_readConfig as readConfig } from "wrangler";
import { testDeployment } from "./test-deployment.mjs";

const HELP = `Deploys the Worker to Cloudflare and tests the deployment with an account that it removes again.

usage: host-worker/deploy [--env staging] [--location REGION | --jurisdiction eu] [--url URL]

  --env staging       deploy the environment [env.staging] of wrangler.toml, with a database of its own
  --location REGION   where a new database is created, such as enam, weur or apac
  --jurisdiction eu   keep a new database in the European Union
  --url URL           test this address, such as a domain of your own

It needs a Cloudflare account: sign in with npx wrangler login, or set CLOUDFLARE_API_TOKEN.
MATTERBOOK_OPERATOR_TOKEN is the operator token. If neither it nor the Worker has one, one is created and shown.
MATTERBOOK_KEY_SECRET, by which API keys are made, likewise.
MATTERBOOK_PROFILE=objects deploys wrangler.objects.toml in place of wrangler.toml: each account in a Durable Object.
There the account of the test is not removed, but suspended, and its key revoked.
`;

const here = import.meta.dirname;
const hasObjects = process.env.MATTERBOOK_PROFILE === "objects";
const template = join(here, hasObjects ? "wrangler.objects.toml" : "wrangler.toml");
/** The configuration with the ids of the databases. git ignores it. */
const configuration = join(here, "wrangler.deploy.toml");
const ENVIRONMENTS = ["", "staging"];
/** The ids in it that stand for databases yet to be created. */
const PLACEHOLDER = /^0{8}-0000-0000-0000-0{10}\d\d$/;
const wranglerProgram = join(here, "node_modules/.bin/wrangler");

const options = readOptions();

/** Runs wrangler. Resolves to its output, or throws a sentence with it. */
async function wrangler(parameters, { input = "", show = false, environment = {}, mayFail = () => false } = {}) {
  const child = spawn(wranglerProgram, parameters, {
    cwd: here,
    env: { ...process.env, WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false", CI: "1", ...environment },
    stdio: ["pipe", "pipe", show ? "inherit" : "pipe"],
  });
  // A command that asks for nothing may end before it reads.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const outputs = Promise.all([text(child.stdout), show ? "" : text(child.stderr)]);
  const [status] = await once(child, "close").catch((error) => {
    throw `wrangler cannot be started: ${error.message}`;
  });
  const [output, errors] = await outputs;
  const said = `${output}${errors}`.trim();
  if (status !== 0 && !mayFail(said)) throw `wrangler ${parameters.slice(0, 3).join(" ")} failed:\n${said}`;
  return status === 0 ? output : null;
}

/** The JSON in wrangler's output, which may have other lines before it. */
function jsonOf(output) {
  return JSON.parse(output.slice(output.search(/^[[{]/m)));
}

function databasesOf(env) {
  const { d1_databases: databases } = readConfig({ config: template, env }, { hideWarnings: true });
  return databases.map(({ binding, database_name: name, database_id: id }) => ({ binding, name, id }));
}

/** The databases of all environments that have a placeholder. Each needs its own: the text of the id is replaced. */
function databasesWithPlaceholder() {
  const databases = ENVIRONMENTS.flatMap(databasesOf).filter(({ id }) => PLACEHOLDER.test(id));
  for (const { name, id } of databases) {
    const other = databases.find((other) => other.id === id && other.name !== name);
    if (other) throw `The databases ${name} and ${other.name} share the database_id ${id}: change the last two digits of one.`;
  }
  return databases;
}

async function listDatabases() {
  return new Map(jsonOf(await wrangler(["d1", "list", "--json"])).map(({ name, uuid }) => [name, uuid]));
}

/** Finds or creates the databases, and writes the ids of all known ones. */
async function prepareDatabases() {
  const withPlaceholder = databasesWithPlaceholder();
  let known = await listDatabases();
  const place = ["location", "jurisdiction"].flatMap((flag) => (options[flag] ? [`--${flag}`, options[flag]] : []));
  for (const { name, id } of databasesOf(options.env)) {
    if (PLACEHOLDER.test(id) && !known.has(name)) {
      await wrangler(["d1", "create", name, ...place]);
      known = await listDatabases();
      if (!known.has(name)) throw `The database ${name} was created, but wrangler d1 list does not show it.`;
      say(`database ${name}: created`);
    } else {
      say(`database ${name}: exists`);
    }
  }
  let configured = readFileSync(template, "utf8");
  for (const { name, id } of withPlaceholder) {
    if (known.has(name)) configured = configured.replaceAll(id, known.get(name));
  }
  writeFileSync(configuration, `# Written by ./deploy from ${basename(template)}: change that file.\n${configured}`);
}

const target = () => ["--config", configuration, `--env=${options.env}`];

/** The names of the Worker's secrets; none before it exists. */
async function secretNames() {
  const isMissing = (said) => /code: 10007|does not exist/.test(said);
  const secrets = await wrangler(["secret", "list", ...target()], { mayFail: isMissing });
  return new Set(secrets === null ? [] : jsonOf(secrets).map(({ name }) => name));
}

/** Sets a secret that the Worker lacks, to the value in the environment or to a new one. Returns it. */
async function setSecret(name, what, create) {
  const given = process.env[name];
  const value = given || create();
  await wrangler(["secret", "put", name, ...target()], { input: value });
  say(given ? `${what}: set` : `${what}: created. It is not shown again; store it safely:\n\n  ${value}\n`);
  return value;
}

/** Uploads the Worker. Returns its address, if it has one of workers.dev or a domain. */
async function upload() {
  const directory = mkdtempSync(join(tmpdir(), "matterbook-deploy-"));
  const record = join(directory, "output.ndjson");
  try {
    await wrangler(["deploy", ...target()], { show: true, environment: { WRANGLER_OUTPUT_FILE_PATH: record } });
    const lines = readFileSync(record, "utf8").split("\n").filter(Boolean);
    const { targets } = lines.map((line) => JSON.parse(line)).find(({ type }) => type === "deploy") ?? {};
    const address = (targets ?? []).map((address) => address.split(" ")[0]).find((address) => !address.includes("*"));
    return address && (address.startsWith("http") ? address : `https://${address}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** `made` is what the test made: nothing where it has only begun. */
async function removeTestAccount(made) {
  if (hasObjects) {
    // What is in an object cannot be removed from outside.
    await made?.close();
    return;
  }
  const sql = readFileSync(join(here, "remove-test-account.sql"), "utf8").replace(/^--.*$/gm, "").replace(/\s+/g, " ");
  await wrangler(["d1", "execute", "DB", "--remote", "--yes", ...target(), "--command", sql.trim()]);
}

function say(text) {
  console.log(text);
}

function readOptions() {
  try {
    const string = { type: "string" };
    const { values } = parseArgs({
      options: { env: { ...string, default: "" }, location: string, jurisdiction: string, url: string, help: { type: "boolean" } },
    });
    if (!ENVIRONMENTS.includes(values.env)) throw new Error("--env must be staging, or be left out.");
    if (values.location && values.jurisdiction) throw new Error("Give --location or --jurisdiction, not both.");
    if (values.help) {
      process.stdout.write(HELP);
      process.exit(0);
    }
    return values;
  } catch (error) {
    console.error(`${error.message}\n\n${HELP.split("\n\n")[1]}`);
    process.exit(2);
  }
}

try {
  // Otherwise the Worker would refuse to serve, after everything else is done.
  const given = process.env.MATTERBOOK_OPERATOR_TOKEN;
  if (given && !/^[!-~]{32,}$/.test(given)) {
    throw "MATTERBOOK_OPERATOR_TOKEN must have at least 32 visible ASCII characters without spaces, because it opens every account. This command makes one: openssl rand -hex 32.";
  }
  if ((await wrangler(["whoami"])).includes("not authenticated")) {
    throw "Sign in to Cloudflare first: npx wrangler login, or set CLOUDFLARE_API_TOKEN.";
  }
  await prepareDatabases();
  let token = process.env.MATTERBOOK_OPERATOR_TOKEN;
  const secrets = await secretNames();
  if (secrets.has("MATTERBOOK_OPERATOR_TOKEN") && !token) {
    throw "The Worker has an operator token already. Set MATTERBOOK_OPERATOR_TOKEN to it: the test of the deployment needs it.";
  }
  for (const { binding } of databasesOf(options.env)) {
    await wrangler(["d1", "migrations", "apply", binding, "--remote", ...target()]);
  }
  say("migrations: applied");
  const uploadedTo = await upload();
  const address = options.url ?? uploadedTo;
  say("Worker: deployed");
  if (!secrets.has("MATTERBOOK_OPERATOR_TOKEN")) {
    token = await setSecret("MATTERBOOK_OPERATOR_TOKEN", "operator token", () => randomBytes(32).toString("hex"));
  }
  if (!secrets.has("MATTERBOOK_KEY_SECRET")) {
    await setSecret("MATTERBOOK_KEY_SECRET", "key secret", () => randomBytes(32).toString("base64url"));
  }
  if (!address) throw "The deployment has no address to test. Give its address with --url.";
  await testDeployment(address.replace(/\/$/, ""), token, removeTestAccount, say, hasObjects ? "suspended" : "removed");
  say(`Matterbook serves ${address}. Try it in a browser at /docs.`);
} catch (problem) {
  console.error(typeof problem === "string" ? problem : problem.stack);
  process.exit(1);
}
