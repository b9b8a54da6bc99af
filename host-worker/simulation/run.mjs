// Simulates the objects of accounts and their directory; see ../simulate.
//
// It runs account.mjs itself over a runtime that fails: D1 loses requests and answers, is away or set back, objects are lost,
// set back, or reset in the midst of their work and lose what was not flushed, all at times that a seed chooses. What was
// answered has to hold, and when the faults end, the directory has to have what the objects have.
import { spawnSync } from "node:child_process";
import { register } from "node:module";
import { parseArgs } from "node:util";
import { MISTAKES } from "./mistakes.mjs";

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
  // What account.mjs logs.
  if (!values.trace) console.log = () => {};
  let broken = 0;
  const first = Number(values.first);
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const fault = await new Simulation(seed, values.trace).run(Number(values.steps));
    if (!fault) continue;
    broken += 1;
    process.stdout.write(`seed ${seed}: ${fault}\n`);
    if (mistake !== undefined) break;
  }
  process.stdout.write(`${values.seeds} seeds, ${broken} broken\n`);
  return broken;
}

/** Whether each mistake breaks a seed. Returns how many do not. */
function findMistakes() {
  const missed = MISTAKES.filter(([name], place) => {
    const options = ["--mistake", String(place), "--seeds", "300"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, ...options], { encoding: "utf8" });
    const isFound = status === 1 && stdout.startsWith("seed ");
    process.stdout.write(`${isFound ? "found" : "NOT FOUND"}: ${name}: ${(stdout || stderr).split("\n", 1)[0].slice(0, 100)}\n`);
    return !isFound;
  });
  return missed.length;
}

process.exit((values.mistakes ? findMistakes() : await simulate()) > 0 ? 1 : 0);
