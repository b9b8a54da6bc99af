// What the scripts that try something on Cloudflare have in common: a service to call, and what was found.
import { setTimeout as pause } from "node:timers/promises";

/** How long prospects may take to be shown. */
export const SHOWN_MS_MAX = 120_000;

/** Runs a script with its arguments, the address of a service, the operator's token and others, and says what it found. */
export async function attempt(name, work, ...others) {
  const [address, token, ...given] = process.argv.slice(2);
  if (!token || given.length !== others.length) {
    console.error(`usage: ${[name, "ADDRESS", "OPERATOR_TOKEN", ...others].join(" ")}`);
    process.exit(2);
  }
  try {
    const found = await work(new Service(address, token), ...given);
    for (const [isSo, what] of found) console.log(`${isSo ? "yes" : "NO "}  ${what}`);
    if (!found.every(([isSo]) => isSo)) process.exitCode = 1;
  } catch (problem) {
    console.error(String(problem));
    process.exitCode = 1;
  }
}

class Service {
  #address;
  #token;

  constructor(address, token) {
    this.#address = address;
    this.#token = token;
  }

  /** Sends a request with a key or the operator's token. */
  async send(method, path, bearer, body) {
    const headers = { authorization: `Bearer ${bearer}`, ...(body && { "content-type": "application/json" }) };
    const response = await fetch(new URL(path, this.#address), { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, json: await response.json() };
  }

  /** What a request of the operator is answered, which has to succeed. */
  async done(method, path, body) {
    const { status, json } = await this.send(method, `/operator/v1${path}`, this.#token, body);
    if (status !== 200) throw `${method} ${path} is answered ${status}: ${json.error?.message}`;
    return json;
  }

  /** The ids of the newest prospects that a key is shown. */
  async prospectIds(key) {
    const { status, json } = await this.send("GET", "/api/v1/prospects?order=newest&limit=100", key);
    if (status !== 200) throw `GET /prospects is answered ${status}: ${json.error?.message}`;
    return json.prospects.map((prospect) => prospect.id);
  }

  /** Waits until a key is shown all of these prospects. Returns whether it is. */
  async areShown(key, prospects) {
    const end = Date.now() + SHOWN_MS_MAX;
    for (;;) {
      const ids = await this.prospectIds(key);
      if (prospects.every((prospect) => ids.includes(prospect))) return true;
      if (Date.now() > end) return false;
      await pause(1_000);
    }
  }

  /** A new account and its path. */
  async makeAccount(flags) {
    const { account } = await this.done("POST", "/accounts", { email: "try@matterbook.invalid", api_enabled: true, ...flags });
    return { id: account.id, path: `/accounts/${account.id}` };
  }

  async makeKey(path) {
    return (await this.done("POST", `${path}/keys`, {})).key;
  }
}
