// Runs the built Worker under workerd: node serve.mjs PORT STATE [--test-hooks]. See ./dev.
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { startWorker } from "./local.mjs";

const [port, state, hooks] = process.argv.slice(2);
const build = hooks === "--test-hooks" ? "dist-test" : "dist";
const settings = Object.entries(process.env).filter(([name]) => name.startsWith("MATTERBOOK_"));

/** What the runtime wrote while it started; later lines go straight to the standard error. */
let held = [];

function passOn(line) {
  if (held) held.push(line);
  else process.stderr.write(`${line}\n`);
}

const worker = await startWorker(build, state, Object.fromEntries(settings), {
  port: Number(port),
  handleRuntimeStdio(output, errors) {
    for (const stream of [output, errors]) createInterface({ input: stream }).on("line", passOn);
  },
});

let isEnding = false;

async function end(status) {
  isEnding = true;
  await worker.dispose().catch(() => {});
  process.exit(status);
}

for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => end(0));

/** The log's line of a request; it may come a moment after the answer. */
async function lineOf(requestId) {
  for (let tries = 0; tries < 200; tries += 1) {
    const line = held.find((line) => line.includes(requestId));
    if (line) return line;
    await pause(10);
  }
}

/** Comes to serve, or throws the sentence that says why not. */
async function start() {
  const { origin } = await worker.ready.catch((error) => {
    throw error.code === "ERR_ADDRESS_IN_USE" ? `Port ${port} of 127.0.0.1 is in use.` : [...held, error.message].join("\n");
  });
  // A setting that cannot be used shows with the first request, and only in the log.
  const answer = await fetch(`${origin}/healthz`);
  const line = await lineOf(answer.headers.get("x-request-id"));
  if (!answer.ok) throw line ? JSON.parse(line).cause : held.join("\n");
  const others = held.filter((other) => other !== line);
  held = null;
  others.forEach(passOn);
  console.log(`Matterbook serves ${origin}/api/v1 under workerd.`);
}

try {
  await start();
} catch (problem) {
  if (!isEnding) {
    console.error(problem);
    await end(1);
  }
}
