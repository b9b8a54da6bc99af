// Prints, as Markdown, the latency of the first request of a new isolate under workerd on this machine:
// node first-request.mjs [ROUNDS [BUILD]…]. Each measurement starts its own workerd. It runs from the first byte sent to
// the last byte received, on an open connection. Several builds, such as dist and dist-without-console, are measured in
// turns, and the first is compared with each other one.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keySecret, startWorker } from "./local.mjs";

const rounds = Number(process.argv[2] ?? 9);
const builds = process.argv.length > 3 ? process.argv.slice(3) : ["dist"];
const token = "measured-on-this-machine-only-and-not-secret";
const settings = { MATTERBOOK_OPERATOR_TOKEN: token, MATTERBOOK_RATE_LIMIT_PER_MINUTE: "10000" };

const requests = [
  ["`GET /healthz`", "/healthz"],
  ["`GET /me`", "/api/v1/me"],
  ["`GET /clients`", "/api/v1/clients?limit=100"],
];

/** Starts a workerd whose Worker listens on its own port, without Miniflare's Worker in front. */
async function startFresh(build, state) {
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

const ascending = (numbers) => [...numbers].sort((one, other) => one - other);
const median = (numbers) => ascending(numbers)[numbers.length >> 1];

function summary(times) {
  const sorted = ascending(times);
  return `${median(times).toFixed(1)} ms (${sorted[0].toFixed(1)}–${sorted.at(-1).toFixed(1)})`;
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
  const worker = await startFresh(builds[0], state);
  const key = await createAccount(worker);
  await worker.dispose();
  await warmUp();

  const times = builds.map(() => requests.map(() => ({ first: [], second: [] })));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, path]] of requests.entries()) {
      for (const [place, build] of builds.entries()) {
        const worker = await startFresh(build, state);
        const socket = await connectTo(Number((await worker.unsafeGetDirectURL()).port));
        times[place][index].first.push(await latencyOf(socket, path, key));
        times[place][index].second.push(await latencyOf(socket, path, key));
        socket.destroy();
        await worker.dispose();
      }
    }
  }
  for (const [place, build] of builds.entries()) {
    const named = builds.length > 1 ? `, ${build}` : "";
    console.log(`\n| request of a fresh isolate${named} | the first | the second |\n|---|---:|---:|`);
    for (const [index, [name]] of requests.entries()) {
      console.log(`| ${name} | ${summary(times[place][index].first)} | ${summary(times[place][index].second)} |`);
    }
  }
  for (const [place, build] of builds.entries()) {
    if (place === 0) continue;
    console.log(`\n| first request, ${builds[0]} as a multiple of ${build} | median of pairs |\n|---|---:|`);
    for (const [index, [name]] of requests.entries()) {
      const ratios = times[0][index].first.map((time, round) => time / times[place][index].first[round]);
      console.log(`| ${name} | ${median(ratios).toFixed(2)} |`);
    }
  }
} finally {
  await rm(state, { recursive: true, force: true });
}
