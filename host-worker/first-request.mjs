// Prints, as Markdown, the latency of the first request of a new isolate under workerd on this machine:
// node first-request.mjs [ROUNDS [dist|dist-without-console]]. Each measurement starts its own workerd. It runs from the first byte
// sent to the last byte received, on an open connection.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keySecret, startWorker } from "./local.mjs";

const rounds = Number(process.argv[2] ?? 9);
const build = process.argv[3] ?? "dist";
const token = "measured-on-this-machine-only-and-not-secret";
const settings = { MATTERBOOK_OPERATOR_TOKEN: token };

const requests = [
  ["`GET /healthz`", "/healthz"],
  ["`GET /me`", "/api/v1/me"],
  ["`GET /clients`", "/api/v1/clients?limit=100"],
];

/** Starts a workerd whose Worker listens on its own port, without Miniflare's Worker in front. */
async function startFresh(state) {
  const worker = await startWorker(build, state, { ...settings, MATTERBOOK_KEY_SECRET: await keySecret(state) }, {
    port: 0,
    handleRuntimeStdio: (output, errors) => [output, errors].forEach((stream) => stream.resume()),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  await worker.ready;
  return worker;
}

function connectTo(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Sends a request on a connection. Resolves to its latency in milliseconds. */
function latencyOf(socket, path, key) {
  return new Promise((resolve, reject) => {
    let response = "";
    const began = performance.now();
    const more = (bytes) => {
      response += bytes;
      const headEnd = response.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(response)?.[1] ?? Infinity);
      const isWhole = headEnd >= 0 && (response.length - headEnd - 4 >= length || response.endsWith("\r\n0\r\n\r\n"));
      if (!isWhole) return;
      socket.off("data", more);
      if (response.startsWith("HTTP/1.1 200 ")) resolve(performance.now() - began);
      else reject(new Error(`${path} answered ${response}`));
    };
    socket.on("data", more);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`);
  });
}

/** Creates an account. Resolves to a key of it. */
async function createAccount(worker) {
  const operator = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `http://127.0.0.1/operator/v1${path}`;
    const response = await worker.dispatchFetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const { account } = await operator("/accounts", { email: "owner@firm.example", api_enabled: true });
  return (await operator(`/accounts/${account.id}/keys`, {})).key.key;
}

function summary(times) {
  const sorted = [...times].sort((one, other) => one - other);
  const [median, lowest, highest] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)];
  return `${median.toFixed(1)} ms (${lowest.toFixed(1)}–${highest.toFixed(1)})`;
}

/** Compiles this program's own code before anything is measured. */
async function warmUp() {
  const server = createServer((socket) => {
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = await connectTo(server.address().port);
  for (let count = 0; count < 100; count += 1) await latencyOf(socket, "/", "");
  socket.destroy();
  server.close();
}

const state = await mkdtemp(join(tmpdir(), "matterbook-first-request-"));
try {
  execFileSync(join(import.meta.dirname, "local-state"), [state], { stdio: "inherit" });
  const worker = await startFresh(state);
  const key = await createAccount(worker);
  await worker.dispose();
  await warmUp();

  const times = requests.map(() => ({ first: [], second: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, path]] of requests.entries()) {
      const worker = await startFresh(state);
      const socket = await connectTo(Number((await worker.unsafeGetDirectURL()).port));
      times[index].first.push(await latencyOf(socket, path, key));
      times[index].second.push(await latencyOf(socket, path, key));
      socket.destroy();
      await worker.dispose();
    }
  }
  console.log("\n| request of a fresh isolate | the first | the second |\n|---|---:|---:|");
  for (const [index, [name]] of requests.entries()) {
    console.log(`| ${name} | ${summary(times[index].first)} | ${summary(times[index].second)} |`);
  }
} finally {
  await rm(state, { recursive: true, force: true });
}
