// The Worker's profile `objects` against `d1`, both under local workerd, taking turns in one run: `run --profiles`.
// Both count requests (rule R1): with `d1` an object for each key does, which is a call more.
//
// The same run measures what each profile cannot do without (floor/worker.mjs). The ratio that is left to the service is
// between that of the floors and 1: whatever both profiles do alike brings it nearer to 1.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batchBody } from "./clients.mjs";
import { send } from "./load.mjs";
import { startFloor, startMatterbook } from "./services.mjs";
import { summary } from "./statistics.mjs";

/** More than a run sends in a minute with one key. */
const LIMIT = 10_000;

const ROUNDS = 5;

/** Every key stays below its limit: each measurement has an account of its own. */
const REQUESTS = 400;

const BATCHES = 20;

const RACERS = 48;

/** The least ratio to `d1`. Other rows are measured for information. */
const GOALS = { "one new client": 2, "GET /me": 2, "page of 100": 2, [`${RACERS} racing for one person, the slowest`]: 10 };

const PROFILES = ["d1", "objects"];

const directory = await mkdtemp(join(tmpdir(), "matterbook-profiles-"));
const services = [];

const json = (value) => Buffer.from(JSON.stringify(value));
const post = (clients) => ({ path: "/clients", body: json({ clients }) });
const person = (number) => ({ external_id: `one-${number}`, first_name: "Ana", last_name: `Ray ${number}`, zip: "62704" });

const meRequests = Array.from({ length: REQUESTS }, () => ({ path: "/me" }));
const singleRequests = Array.from({ length: REQUESTS }, (_, number) => post([person(number)]));
const pageRequests = Array.from({ length: REQUESTS }, () => ({ path: "/clients?limit=100" }));

/** Requests a second. */
async function rate(account, requests) {
  const { seconds } = await send(account, requests, 1);
  return requests.length / seconds;
}

/** How long each of some requests takes that are sent at once, in milliseconds, in order. */
async function times(account, requests) {
  const taken = requests.map(async (request) => 1000 * (await send(account, [request], 1)).seconds);
  return (await Promise.all(taken)).sort((one, other) => one - other);
}

/** Requests a second on the floor of a profile. */
async function floorOf(service, profile) {
  const account = service.openAccount(profile);
  const measured = {};
  measured["GET /me"] = await rate(account, meRequests);
  measured["one new client"] = await rate(account, singleRequests);
  measured["page of 100"] = await rate(account, pageRequests);
  return measured;
}

/** What one service does in one round. Of times the reciprocal, so that more is better. */
async function round(service) {
  const account = await service.openAccount();
  const measured = {};
  measured["GET /me"] = await rate(account, meRequests);
  measured["one new client"] = await rate(account, singleRequests);
  const batches = (changed) => Array.from({ length: BATCHES }, (_, number) => ({ path: "/clients", body: batchBody(number, changed) }));
  measured["500 new"] = await rate(account, batches(false));
  measured["500 changed"] = await rate(account, batches(true));
  const other = await service.openAccount();
  const raced = await times(other, Array.from({ length: RACERS }, () => post([{ first_name: "Bo", last_name: "Race", address_line1: "12 Main Street", zip: "62704" }])));
  measured[`${RACERS} racing for one person, the slowest`] = 1 / raced.at(-1);
  const written = Array.from({ length: RACERS }, (_, number) => post([{ external_id: "one", phone: `217555${1000 + number}` }]));
  measured[`${RACERS} writers of one client, the median`] = 1 / (await times(other, written))[RACERS / 2];
  // A page shows the clients after the delay of the list.
  await new Promise((resolve) => setTimeout(resolve, 1000 * (account.delaySeconds + 1)));
  measured["page of 100"] = await rate(account, pageRequests);
  return measured;
}

try {
  for (const profile of PROFILES) {
    services.push(await startMatterbook(join(directory, profile), { name: profile, profile, limit: LIMIT, environment: { MATTERBOOK_CLIENT_DELAY_SECONDS: "2" } }));
  }
  // Compiles the code.
  for (const service of services) await rate(await service.openAccount(), Array.from({ length: 30 }, (_, number) => ({ path: "/clients", body: batchBody(number) })));
  const floor = await startFloor(join(directory, "floor"));
  services.push(floor);
  for (const profile of PROFILES) await floorOf(floor, profile);
  const rounds = [];
  for (let number = 0; number < ROUNDS; number += 1) {
    process.stderr.write(`round ${number + 1} of ${ROUNDS}\n`);
    const taken = {};
    for (const side of number % 2 === 0 ? [0, 1] : [1, 0]) {
      const profile = PROFILES[side];
      taken[profile] = await round(services[side]);
      taken[`floor of ${profile}`] = await floorOf(floor, profile);
    }
    rounds.push(taken);
  }
  console.log("| | d1 | objects | ratio | must | floor: d1 | objects | ratio |\n|---|---:|---:|---:|---:|---:|---:|---:|");
  for (const work of Object.keys(rounds[0].d1)) {
    const isTime = work.includes("the ");
    const shown = (value) => (isTime ? `${(1 / value).toFixed(0)} ms` : value.toFixed(0));
    const of = (profile) => summary(rounds.map((taken) => taken[profile][work])).median;
    const range = (one, other) => {
      const ratio = summary(rounds.map((taken) => taken[one][work] / taken[other][work]));
      return `${ratio.median.toFixed(2)} (${ratio.lowest.toFixed(2)}–${ratio.highest.toFixed(2)})`;
    };
    const compared = (d1, objects) => `${shown(of(d1))} | ${shown(of(objects))} | ${range(objects, d1)}`;
    const ofFloor = work in rounds[0]["floor of d1"] ? compared("floor of d1", "floor of objects") : "| |";
    console.log(`| ${work} | ${compared("d1", "objects")} | ${GOALS[work] ? `≥ ${GOALS[work]}` : ""} | ${ofFloor} |`);
  }
} finally {
  await Promise.all(services.map((service) => service.stop()));
  await rm(directory, { recursive: true, force: true });
}
