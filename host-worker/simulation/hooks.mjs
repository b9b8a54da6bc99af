// Puts the simulation's rules and schema in place of the built module, where account.mjs asks for it, and a mistake into
// account.mjs where one is to be found.
import { readFileSync } from "node:fs";
import { mistaken } from "./mistakes.mjs";
import { schema } from "./schema.mjs";

const PLACES = new Map([
  ["./dist/index.js", new URL("rules.mjs", import.meta.url).href],
  ["./dist/migrations.js", "migrations:"],
]);

const ACCOUNT = new URL("../account.mjs", import.meta.url);

let mistake;

export function initialize(data) {
  mistake = data.mistake;
}

export async function resolve(specifier, context, next) {
  const url = PLACES.get(specifier);
  return url ? { url, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  const source = (text) => ({ format: "module", source: text, shortCircuit: true });
  if (url === "migrations:") return source(`export default ${JSON.stringify([schema])};`);
  if (url === ACCOUNT.href && mistake !== undefined) return source(mistaken(readFileSync(ACCOUNT, "utf8"), mistake));
  return next(url, context);
}
