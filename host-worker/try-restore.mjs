// Tries the restore of an account on Cloudflare, which the local runtime does not have: makes an account, changes its
// clients and keys, sets it back, and says what it found. The account stays there, suspended.
//
//     node host-worker/try-restore.mjs https://matterbook-staging.SUBDOMAIN.workers.dev OPERATOR_TOKEN
import { setTimeout as pause } from "node:timers/promises";
import { attempt } from "./try.mjs";

/** Times of Cloudflare's machines and of this one differ by less. */
const APART_MS = 30_000;

/** How long the object has to start again. */
const START_MS = 10_000;

await attempt("try-restore.mjs", async (service) => {
  const post = (key, last_name) => service.send("POST", "/api/v1/clients", key, { clients: [{ external_id: "1", last_name }] });
  const { id, path } = await service.makeAccount();
  const [key, revoked] = [await service.makeKey(path), await service.makeKey(path)];
  await post(key.key, "Before");
  console.log(`Account ${id} is made. It is set back to a time ${APART_MS / 1000} seconds from now.`);
  await pause(APART_MS);
  const at = new Date().toISOString();
  await pause(APART_MS);
  await post(key.key, "After");
  await service.done("DELETE", `/keys/${revoked.id}`);
  const later = await service.makeKey(path);
  await service.done("PATCH", path, { suspended: true });
  await service.done("POST", `${path}/restore`, { at });
  await pause(START_MS);
  const isSuspended = (await service.done("GET", path)).account.suspended;
  await service.done("PATCH", path, { suspended: false });
  const { clients } = await service.done("GET", `${path}/clients`);
  const statusOf = async ({ key }) => (await service.send("GET", "/api/v1/me", key)).status;
  const [ofKey, ofLater, ofRevoked] = await Promise.all([key, later, revoked].map(statusOf));
  await service.done("PATCH", path, { suspended: true });
  return [
    [clients.length === 1 && clients[0].last_name === "Before", "the client is what it was"],
    [isSuspended, "the account stays suspended"],
    [ofKey === 200 && ofLater === 200, "the earlier key and the later one work"],
    [ofRevoked === 401, "the key that was revoked since does not"],
  ];
});
