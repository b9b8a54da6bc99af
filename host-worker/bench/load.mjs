// Sends prepared requests over a number of kept connections, and times them. Answers are kept as
// bytes: reading them while the clock runs would take time from the service on the same machine.

import { Agent, request } from "node:http";

/**
 * Sends every request, each connection one after the other.
 * @param {{base: string, key: string}} service
 * @param {{path: string, body?: Buffer}[]} requests a body makes it a POST
 * @returns {Promise<{seconds: number, answers: Buffer[]}>} the answers in the requests' order
 * @throws when an answer is not 200
 */
export async function send(service, requests, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers = new Array(requests.length);
  let next = 0;
  const connection = async () => {
    while (next < requests.length) {
      const index = next;
      next += 1;
      answers[index] = await exchange(agent, service, requests[index]);
    }
  };
  const began = process.hrtime.bigint();
  try {
    await Promise.all(Array.from({ length: connections }, connection));
  } finally {
    agent.destroy();
  }
  return { seconds: Number(process.hrtime.bigint() - began) / 1e9, answers };
}

/** How often a request is sent again. */
const REPEATS_MAX = 3;

/** How many requests met a connection that was closed before any of their answer came. */
export let closedConnections = 0;

/**
 * Sends one request, and gives the bytes of its answer.
 *
 * workerd closes a kept connection on which no request arrived for 5 seconds. It closes all of them when it could not
 * run for so long, such as while the disk writes. A request that meets this is sent again; a post may be, too (rule E7).
 */
export async function exchange(agent, service, request) {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await attempt(agent, service, request);
    } catch (error) {
      if (error.code !== "ECONNRESET" || repeats === REPEATS_MAX) throw error;
      closedConnections += 1;
    }
  }
}

function attempt(agent, { base, key }, { path, body }) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    if (body) Object.assign(headers, { "content-type": "application/json", "content-length": body.length });
    const sent = request(base + path, { agent, method: body ? "POST" : "GET", headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const bytes = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`${path} answered ${answer.statusCode}: ${bytes.toString("utf8", 0, 500)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
