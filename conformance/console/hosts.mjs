// The hosts, each served on this machine, and what an operator does on them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const project = join(import.meta.dirname, "../..");
const operatorToken = "the-operator-token-of-all-the-console";

const commands = {
  native: (state, port) => [
    join(project, "target/debug/matterbook"),
    ["serve", "--db", join(state, "console.db"), "--listen", `127.0.0.1:${port}`],
  ],
  worker: (state, port) => [join(project, "host-worker/dev"), ["--port", String(port), "--state", state]],
};

/** Serves a host, hands its address to `use`, and ends it. */
export async function withHost(host, use) {
  const state = await mkdtemp(join(tmpdir(), "matterbook-console-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [program, options] = commands[host](state, port);
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("MATTERBOOK_"));
  const env = {
    ...Object.fromEntries(others),
    MATTERBOOK_OPERATOR_TOKEN: operatorToken,
    MATTERBOOK_PUBLIC_URL: url,
    MATTERBOOK_CLIENT_DELAY_SECONDS: "0",
    MATTERBOOK_PROSPECT_DELAY_SECONDS: "0",
    // 20,000 clients are fetched page by page.
    MATTERBOOK_RATE_LIMIT_PER_MINUTE: "10000",
  };
  const served = spawn(program, options, { env, stdio: ["ignore", "pipe", "pipe"] });
  const log = [];
  for (const stream of [served.stdout, served.stderr]) {
    createInterface({ input: stream }).on("line", (line) => log.push(line));
  }
  const ended = once(served, "exit");
  try {
    await serving(url, served, log);
    await use({ url, log });
  } finally {
    served.kill("SIGTERM");
    await ended;
    await rm(state, { recursive: true, force: true });
  }
}

/** Waits until the host answers. Building the Worker takes minutes. */
async function serving(url, served, log) {
  for (;;) {
    if (served.exitCode !== null) throw new Error(`the host ended:\n${log.join("\n")}`);
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  await once(listener, "close");
  return port;
}

/** One call of the operator API. */
export async function operate(url, method, path, body) {
  const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/operator/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
