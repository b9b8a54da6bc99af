// Puts the simulation's rules and schema in place of the built module, where account.mjs asks for it, and a mistake into the
// files beside it where one is to be found.
import { readFileSync } from "node:fs";
import { mistaken } from "./mistakes.mjs";
import { schema } from "./schema.mjs";

const PLACES = new Map([
  ["./dist/index.js", new URL("rules.mjs", import.meta.url).href],
  ["./dist/migrations.js", "migrations:"],
]);

const FILES = ["account", "directory", "prospect-changes", "prospect-databases", "replicas"];
const MISTAKEN = FILES.map((name) => `../${name}.mjs`).map((name) => new URL(name, import.meta.url).href);

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
  if (MISTAKEN.includes(url) && mistake !== undefined) return source(mistaken(readFileSync(new URL(url), "utf8"), mistake));
  return next(url, context);
}
