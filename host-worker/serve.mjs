// Runs the built Worker under workerd: node serve.mjs PORT STATE [--test-hooks]. See ./dev.
import { setTimeout as pause } from "node:timers/promises";
import { startWorker } from "./local.mjs";

const [port, state, hooks] = process.argv.slice(2);
const build = hooks === "--test-hooks" ? "dist-test" : "dist";
const settings = Object.entries(process.env).filter(([name]) => name.startsWith("MATTERBOOK_"));

/** The runtime's output while it starts. Later output goes directly to the standard error. */
let held = [];

function passOn(bytes) {
  if (held) held.push(bytes);
  else process.stderr.write(bytes);
}

/** The held lines. The last one may be incomplete. */
function lines() {
  return Buffer.concat(held).toString().split("\n");
}

const worker = await startWorker(build, state, Object.fromEntries(settings), {
  port: Number(port),
  handleRuntimeStdio(output, errors) {
    for (const stream of [output, errors]) stream.on("data", passOn);
  },
});

let isEnding = false;

async function end(status) {
  isEnding = true;
  await worker.dispose().catch(() => {});
  process.exit(status);
}

for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => end(0));

/** The log line of a request. It may be written shortly after the response. */
async function lineOf(requestId) {
  for (let tries = 0; tries < 200; tries += 1) {
    const line = lines().slice(0, -1).find((line) => line.includes(requestId));
    if (line) return line;
    await pause(10);
  }
}

/** Starts to serve, or throws a sentence with the reason. */
async function start() {
  const { origin } = await worker.ready.catch((error) => {
    throw error.code === "ERR_ADDRESS_IN_USE" ? `Port ${port} of 127.0.0.1 is in use.` : [...lines(), error.message].join("\n").trim();
  });
  // An invalid setting shows only in the log line of the first request (rule W10).
  const response = await fetch(`${origin}/healthz`);
  const line = await lineOf(response.headers.get("x-request-id"));
  if (!response.ok) throw line ? JSON.parse(line).cause : lines().join("\n");
  const others = lines().filter((other) => other !== line);
  held = null;
  passOn(others.join("\n"));
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
