// The hosts, each served on this machine with an account and its key.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const project = join(import.meta.dirname, "../..");
const operatorToken = "the-operator-token-of-all-the-viewer";

/** Serves a host, hands its address and a key to `use`, and ends it. */
export async function withHost(host, use) {
  const state = await mkdtemp(join(tmpdir(), "matterbook-viewer-"));
  const [program, ...options] = await commands[host](state);
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith("MATTERBOOK_"));
  const env = { ...Object.fromEntries(settings), MATTERBOOK_OPERATOR_TOKEN: operatorToken };
  const served = spawn(program, options, { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(served, "exit");
  try {
    const said = await introduction(served, host);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)[0];
    await use(url, host === "native" ? /^ +(mtb_\S+)$/m.exec(said)[1] : await account(url));
  } finally {
    served.kill("SIGTERM");
    await ended;
    await rm(state, { recursive: true, force: true });
  }
}

const commands = {
  native: (state) => {
    const demo = ["serve", "--demo", "--db", join(state, "demo.db"), "--listen", "127.0.0.1:0"];
    return [join(project, "target/debug/matterbook"), ...demo];
  },
  worker: async (state) => [join(project, "host-worker/dev"), "--port", String(await freePort()), "--state", state],
};

/** What a host says when it serves: of the native one's demo all up to the last line, of the Worker one line. */
async function introduction(served, host) {
  const lines = [];
  for await (const line of createInterface({ input: served.stdout })) {
    lines.push(line);
    if (line.startsWith(host === "native" ? "Stop with Ctrl-C" : "Matterbook serves")) return lines.join("\n");
  }
  throw new Error(`the ${host} host did not come to serve: ${lines.join("\n")}`);
}

async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  await once(listener, "close");
  return port;
}

/** The key of a new account. */
async function account(url) {
  const operate = async (path, body) => {
    const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/operator/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const made = await operate("accounts", { email: "owner@example.com", api_enabled: true, digital_bundle: true });
  return (await operate(`accounts/${made.account.id}/keys`, { label: "viewer" })).key.key;
}
