// Runs the built Worker under workerd: node serve.mjs PORT STATE [--demo] [--test-hooks]. See ./dev.
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { prepareDemo } from "./demo.mjs";
import { keySecret, startWorker } from "./local.mjs";

const [port, state, ...flags] = process.argv.slice(2);
const build = flags.includes("--test-hooks") ? "dist-test" : "dist";
const isDemo = flags.includes("--demo");
// The demo's prospects are added now and are to be seen now. Its operator token serves this run only.
const demoSettings = { MATTERBOOK_PROSPECT_DELAY_SECONDS: "0", MATTERBOOK_OPERATOR_TOKEN: randomBytes(32).toString("hex") };
const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("MATTERBOOK_")));
const settings = { ...(isDemo && demoSettings), ...given };
settings.MATTERBOOK_KEY_SECRET ||= await keySecret(state);

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

const worker = await startWorker(build, state, settings, {
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

// Miniflare's own handlers would end the process at once, and with another status.
for (const signal of ["SIGTERM", "SIGINT"]) process.removeAllListeners(signal).once(signal, () => end(0));

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
  let introduction = "";
  if (isDemo) {
    const demo = await prepareDemo(origin, settings.MATTERBOOK_OPERATOR_TOKEN, state);
    await lineOf(demo.lastRequestId);
    ({ introduction } = demo);
  }
  // The log begins with the first request of a caller.
  const others = lines().filter((other) => other !== line && !(isDemo && other.startsWith("{")));
  held = null;
  passOn(others.join("\n"));
  console.log(`Matterbook serves ${origin}/api/v1 under workerd.${introduction}`);
}

try {
  await start();
} catch (problem) {
  if (!isEnding) {
    console.error(problem);
    await end(1);
  }
}
