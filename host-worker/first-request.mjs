// Prints, as Markdown, how long the first request of a fresh isolate takes under workerd on this
// machine: node first-request.mjs [ROUNDS]. Each is asked of a workerd of its own that has just started,
// from the first byte sent to the last byte received, on a connection that is open already.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorker } from "./local.mjs";

const rounds = Number(process.argv[2] ?? 9);
const token = "measured-on-this-machine-only";
const settings = { MATTERBOOK_OPERATOR_TOKEN: token };

const requests = [
  ["`GET /healthz`", "/healthz"],
  ["`GET /me`", "/api/v1/me"],
  ["`GET /clients`", "/api/v1/clients?limit=100"],
];

/** A fresh workerd, whose Worker listens on a port of its own, without Miniflare's Worker before it. */
async function fresh(state) {
  const worker = await startWorker("dist", state, settings, {
    port: 0,
    handleRuntimeStdio: (output, errors) => [output, errors].forEach((stream) => stream.resume()),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  await worker.ready;
  return worker;
}

function opened(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Asks on a connection, and says what came and in how many milliseconds. */
function ask(socket, path, key) {
  return new Promise((resolve, reject) => {
    let answer = "";
    const began = performance.now();
    const more = (bytes) => {
      answer += bytes;
      const headEnd = answer.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(answer)?.[1] ?? Infinity);
      const isWhole = headEnd >= 0 && (answer.length - headEnd - 4 >= length || answer.endsWith("\r\n0\r\n\r\n"));
      if (!isWhole) return;
      socket.off("data", more);
      if (answer.startsWith("HTTP/1.1 200 ")) resolve(performance.now() - began);
      else reject(new Error(`${path} answered ${answer}`));
    };
    socket.on("data", more);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`);
  });
}

/** An account with a key. */
async function openAccount(worker) {
  const operator = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `http://127.0.0.1/operator/v1${path}`;
    const answer = await worker.dispatchFetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { account } = await operator("/accounts", { email: "owner@firm.example", api_enabled: true });
  return (await operator(`/accounts/${account.id}/keys`, {})).key.key;
}

function summary(times) {
  const sorted = [...times].sort((one, other) => one - other);
  const [median, lowest, highest] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)];
  return `${median.toFixed(1)} ms (${lowest.toFixed(1)}–${highest.toFixed(1)})`;
}

/** What this program itself takes for its first exchange is not the Worker's. */
async function warmUp() {
  const server = createServer((socket) => {
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = await opened(server.address().port);
  for (let count = 0; count < 100; count += 1) await ask(socket, "/", "");
  socket.destroy();
  server.close();
}

const state = await mkdtemp(join(tmpdir(), "matterbook-first-request-"));
try {
  const wrangler = join(import.meta.dirname, "node_modules/.bin/wrangler");
  const migrate = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state];
  execFileSync(wrangler, migrate, { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });
  const worker = await fresh(state);
  const key = await openAccount(worker);
  await worker.dispose();
  await warmUp();

  const times = requests.map(() => ({ first: [], second: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, path]] of requests.entries()) {
      const worker = await fresh(state);
      const socket = await opened(Number((await worker.unsafeGetDirectURL()).port));
      times[index].first.push(await ask(socket, path, key));
      times[index].second.push(await ask(socket, path, key));
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
