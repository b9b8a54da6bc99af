// Tries the restore of an account on Cloudflare, which the local runtime does not have: makes an account, changes its
// clients and keys, sets it back, and says what it found. The account stays there, suspended.
//
//     node host-worker/try-restore.mjs https://matterbook-staging.SUBDOMAIN.workers.dev OPERATOR_TOKEN
import { setTimeout as pause } from "node:timers/promises";

/** Times of Cloudflare's machines and of this one differ by less. */
const APART_MS = 30_000;

/** How long the object has to start again. */
const START_MS = 10_000;

const [address, token] = process.argv.slice(2);
if (!token) {
  console.error("usage: try-restore.mjs ADDRESS OPERATOR_TOKEN");
  process.exit(2);
}

async function send(method, path, bearer, body) {
  const headers = { authorization: `Bearer ${bearer}`, ...(body && { "content-type": "application/json" }) };
  const response = await fetch(new URL(path, address), { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, json: await response.json() };
}

async function done(method, path, body) {
  const { status, json } = await send(method, `/operator/v1${path}`, token, body);
  if (status !== 200) throw `${method} ${path} is answered ${status}: ${json.error?.message}`;
  return json;
}

const post = (key, last_name) => send("POST", "/api/v1/clients", key, { clients: [{ external_id: "1", last_name }] });
const makeKey = async (path) => (await done("POST", `${path}/keys`, {})).key;

async function main() {
  const { account } = await done("POST", "/accounts", { email: "try-restore@matterbook.invalid", api_enabled: true });
  const path = `/accounts/${account.id}`;
  const [key, revoked] = [await makeKey(path), await makeKey(path)];
  await post(key.key, "Before");
  console.log(`Account ${account.id} is made. It is set back to a time ${APART_MS / 1000} seconds from now.`);
  await pause(APART_MS);
  const at = new Date().toISOString();
  await pause(APART_MS);
  await post(key.key, "After");
  await done("DELETE", `/keys/${revoked.id}`);
  const later = await makeKey(path);
  await done("PATCH", path, { suspended: true });
  await done("POST", `${path}/restore`, { at });
  await pause(START_MS);
  const isSuspended = (await done("GET", path)).account.suspended;
  await done("PATCH", path, { suspended: false });
  const { clients } = await done("GET", `${path}/clients`);
  const statusOf = async ({ key }) => (await send("GET", "/api/v1/me", key)).status;
  const [ofKey, ofLater, ofRevoked] = await Promise.all([key, later, revoked].map(statusOf));
  const found = [
    [clients.length === 1 && clients[0].last_name === "Before", "the client is what it was"],
    [isSuspended, "the account stays suspended"],
    [ofKey === 200 && ofLater === 200, "the earlier key and the later one work"],
    [ofRevoked === 401, "the key that was revoked since does not"],
  ];
  for (const [isSo, what] of found) console.log(`${isSo ? "yes" : "NO "}  ${what}`);
  await done("PATCH", path, { suspended: true });
  if (!found.every(([isSo]) => isSo)) process.exitCode = 1;
}

await main().catch((problem) => {
  console.error(String(problem));
  process.exitCode = 1;
});
