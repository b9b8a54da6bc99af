// The Workers that are compared, each a process of its own under local workerd with a database
// in a fresh directory, and a key for its API.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuSeconds, workerdOf } from "./processes.mjs";

const DEV = fileURLToPath(new URL("../dev", import.meta.url));
const FLOOR = fileURLToPath(new URL("floor/serve.mjs", import.meta.url));
const PEER = fileURLToPath(new URL("peer/serve.mjs", import.meta.url));

// The first start may have to build the Worker.
const BUILD_SECONDS = 1200;
const START_SECONDS = 60;

/**
 * Matterbook's Worker in a profile, with its default settings but for the rate limit: without `limit` requests in a
 * minute it is off.
 */
export function startMatterbook(directory, { name = "Matterbook", profile = "d1", limit = 0, environment = {} } = {}) {
  const token = randomBytes(24).toString("hex");
  const settings = {
    ...environment,
    MATTERBOOK_OPERATOR_TOKEN: token,
    MATTERBOOK_RATE_LIMIT_PER_MINUTE: String(limit),
    MATTERBOOK_PROFILE: profile,
  };
  return started(name, directory, { command: DEV, args: [], environment: settings }, async (service) => {
    await service.ready("/healthz", {}, BUILD_SECONDS);
    return { ...(await openAccount(service.origin, token, limit)), openAccount: () => openAccount(service.origin, token, limit) };
  });
}

/** A service of the same API that runs already, with its rate limit off. */
export async function useRunning(url, token) {
  const origin = url.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  return { name: "Matterbook", origin, cpuSeconds: () => null, stop: async () => {}, ...(await openAccount(origin, token)) };
}

/** The Hono Worker, which saves a post in one D1 batch or in two. */
export function startPeer(directory, batches) {
  const key = randomBytes(24).toString("hex");
  const args = [PEER, "--key", key, "--batches", String(batches)];
  const how = { command: process.execPath, args, environment: {} };
  return started(`Hono, ${batches === 1 ? "one batch" : "two batches"}`, directory, how, async (service) => {
    await service.ready("/api/v1/me", { authorization: `Bearer ${key}` }, START_SECONDS);
    return { base: `${service.origin}/api/v1`, key, delaySeconds: 0 };
  });
}

/** What each profile cannot do without. An account is named by the profile and a number. */
export function startFloor(directory) {
  return started("the floor", directory, { command: process.execPath, args: [FLOOR], environment: {} }, async (service) => {
    await service.ready("/", {}, START_SECONDS);
    let number = 0;
    return { openAccount: (profile) => ({ base: `${service.origin}/${profile}/${(number += 1)}`, key: "any", delaySeconds: 0 }) };
  });
}

async function openAccount(origin, token, limit = 0) {
  const operator = async (method, path, body) => {
    const answer = await fetch(`${origin}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { settings } = await operator("GET", "/settings");
  if (settings.rate_limit_per_minute !== limit) throw new Error(`the service has a rate limit; set it to ${limit}`);
  const { account } = await operator("POST", "/accounts", { email: "owner@firm.example", api_enabled: true });
  const { key } = await operator("POST", `/accounts/${account.id}/keys`, {});
  return { base: `${origin}/api/v1`, key: key.key, delaySeconds: settings.client_delay_seconds };
}

/** A process that serves, and what `prepare` adds about it; none is left behind when that fails. */
async function started(name, directory, how, prepare) {
  const service = await start(name, directory, how);
  try {
    const prepared = await prepare(service);
    const workerd = workerdOf(service.process);
    return { ...service, ...prepared, runtime: workerd, cpuSeconds: () => cpuSeconds(workerd) };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function start(name, directory, { command, args, environment }) {
  const state = join(directory, "state");
  await mkdir(state, { recursive: true });
  const port = await freePort();
  const logPath = join(directory, "log");
  const log = openSync(logPath, "a");
  const child = spawn(command, [...args, "--port", String(port), "--state", state], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let ended = null;
  const end = new Promise((resolve) => {
    child.once("error", (error) => resolve((ended = error.message)));
    child.once("exit", (code, signal) => resolve((ended = `it ended with ${signal ?? code}`)));
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    name,
    origin,
    process: child.pid,
    /** Waits until a path answers 200. */
    async ready(path, headers, seconds) {
      const deadline = Date.now() + seconds * 1000;
      for (;;) {
        const answer = await fetch(origin + path, { headers }).catch(() => null);
        await answer?.body?.cancel();
        if (answer?.status === 200) return;
        if (ended !== null || Date.now() > deadline) {
          const reason = ended ?? `${path} did not answer 200 in ${seconds} s`;
          const said = (await readFile(logPath, "utf8")).slice(-2000);
          throw new Error(`${name} did not start: ${reason}\n${said}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      if (ended === null) child.kill("SIGTERM");
      await end;
    },
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
