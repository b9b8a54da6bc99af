// Simulates the objects of accounts and their directory, and prospects in several databases; see ../simulate.
//
// It runs account.mjs itself over a runtime that fails: D1 loses requests and answers, is away or set back, objects are lost,
// set back, or reset in the midst of their work and lose what was not flushed, all at times that a seed chooses. What was
// answered has to hold, and when the faults end, the directory has to have what the objects have.
import { execFile } from "node:child_process";
import { register } from "node:module";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { MISTAKES, OBJECT_MISTAKES } from "./mistakes.mjs";

const number = (value) => ({ type: "string", default: value });
const { values } = parseArgs({
  options: {
    seeds: number("100"), first: number("1"), steps: number("120"), trace: { type: "boolean" },
    mistakes: { type: "boolean" }, mistake: { type: "string" },
  },
});

/** Runs the seeds. Returns how many are broken; with a mistake the first one is enough. */
async function simulate() {
  const mistake = values.mistake && Number(values.mistake);
  register("./hooks.mjs", import.meta.url, { data: { mistake } });
  globalThis.addEventListener ??= () => {};
  const { Simulation } = await import("./simulation.mjs");
  const { DatabasesSimulation } = await import("./databases.mjs");
  // What account.mjs logs.
  if (!values.trace) console.log = () => {};
  let broken = 0;
  const first = Number(values.first);
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const steps = Number(values.steps);
    let fault;
    if (!(mistake >= OBJECT_MISTAKES.length)) fault = await new Simulation(seed, values.trace).run(steps);
    if (!(mistake < OBJECT_MISTAKES.length)) fault ??= await new DatabasesSimulation(seed, values.trace).run(2 * steps);
    if (!fault) continue;
    broken += 1;
    process.stdout.write(`seed ${seed}: ${fault}\n`);
    if (mistake !== undefined) break;
  }
  process.stdout.write(`${values.seeds} seeds, ${broken} broken\n`);
  return broken;
}

/** The first of some seeds that a mistake breaks, and how, or nothing. */
async function brokenSeed(mistake, first, seeds) {
  const options = ["--mistake", mistake, "--first", first, "--seeds", seeds].map(String);
  const [error, text] = await new Promise((resolve) => {
    execFile(process.execPath, [import.meta.filename, ...options], (error, stdout, stderr) => resolve([error, stdout || stderr]));
  });
  const line = text.split("\n", 1)[0].slice(0, 100);
  if (error?.code === 1 && line.startsWith("seed ")) return line;
  // The program itself failed: no mistake was found or missed.
  if (error) throw new Error(text);
}

/** Whether a mistake breaks the seed that found it, or another of 600. */
async function isFound([name, , , seed], place) {
  const found = (await brokenSeed(place, seed, 1)) ?? (await brokenSeed(place, 1, 600));
  process.stdout.write(`${found ? "found" : "NOT FOUND"}: ${name}${found ? `: ${found}` : ""}\n`);
  return Boolean(found);
}

/** Looks for each mistake, as many at once as there are processors. Returns how many are not found. */
async function findMistakes() {
  const waiting = [...MISTAKES.entries()];
  let missed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!(await isFound(next[1], next[0]))) missed += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return missed;
}

process.exit((values.mistakes ? await findMistakes() : await simulate()) > 0 ? 1 : 0);
