// Many firms on one machine: the profile `objects` against `d1`, in turns, and how a firm that posts without pause is
// felt by the others: `run --accounts [COUNT]`, 1,000 without a count.

import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batchBody } from "./clients.mjs";
import { closedConnections, exchange, send } from "./load.mjs";
import { residentMegabytes } from "./processes.mjs";
import { startMatterbook } from "./services.mjs";
import { summary } from "./statistics.mjs";

/** More than a firm sends in a minute. */
const LIMIT = 10_000;

const ROUNDS = 3;
const ROUND_SECONDS = 20;
const CONNECTIONS = 16;

/** How many clients each firm has before the rounds. */
const CLIENTS = 20;

/** How many connections the firm uses that posts 500 new clients at a time. */
const CONNECTIONS_WITHOUT_PAUSE = 2;

/** What a hundred requests of a firm are. */
const MIX = [
  ...Array(40).fill(() => ({ path: "/clients?limit=100" })),
  ...Array(30).fill((number) => post([person(number)])),
  ...Array(20).fill(() => post(Array.from({ length: CLIENTS }, (_, number) => ({ ...person(number), phone: phone() })))),
  ...Array(10).fill(() => ({ path: "/me" })),
];

const count = Number(process.argv[2] ?? 1_000);
const directory = await mkdtemp(join(tmpdir(), "matterbook-accounts-"));
const services = [];

/** The same numbers in each run, from 0 to below `end`. */
let state = 1;
function draw(end) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * end);
}

const phone = () => `217555${1_000 + draw(9_000)}`;
const post = (clients) => ({ path: "/clients", body: Buffer.from(JSON.stringify({ clients })) });
const person = (number) => ({ external_id: `one-${number}`, first_name: "Ana", last_name: `Ray ${number}`, zip: "62704" });

/** Does work for every account, a few at once. */
async function each(work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Sends what firms send for a while. Gives how long each request took, in milliseconds, by account. */
async function mixed({ accounts }, until) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const taken = accounts.map(() => []);
  const connection = async () => {
    while (performance.now() < until) {
      const place = draw(count);
      const request = MIX[draw(MIX.length)](CLIENTS + draw(1e9));
      const began = performance.now();
      await exchange(agent, accounts[place], request);
      taken[place].push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection)).finally(() => agent.destroy());
  return taken;
}

/** Posts the largest batches without pause. Gives how many. */
async function withoutPause(account, until) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_WITHOUT_PAUSE });
  let posts = 0;
  const connection = async () => {
    while (performance.now() < until) {
      await exchange(agent, account, { path: "/clients", body: batchBody(draw(1e6)) });
      posts += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS_WITHOUT_PAUSE }, connection)).finally(() => agent.destroy());
  return posts;
}

async function round(service, isBesideFlood) {
  const until = performance.now() + 1000 * ROUND_SECONDS;
  const flood = isBesideFlood ? withoutPause(service.flooding, until) : 0;
  const [taken, batches] = await Promise.all([mixed(service, until), flood]);
  const all = taken.flat().sort((one, other) => one - other);
  const means = taken.filter((times) => times.length > 0).map((times) => times.reduce((sum, time) => sum + time) / times.length);
  return {
    "requests a second": all.length / ROUND_SECONDS,
    "median, ms": all[Math.floor(all.length / 2)],
    "99 in 100 take at most, ms": all[Math.floor(all.length * 0.99)],
    "the slowest firm, mean, ms": Math.max(...means),
    "batches of 500 a second": batches / ROUND_SECONDS,
    "memory of the runtime, MB": residentMegabytes(service.runtime),
  };
}

try {
  for (const profile of ["d1", "objects"]) {
    const service = await startMatterbook(join(directory, profile), { name: profile, profile, limit: LIMIT });
    services.push(service);
    service.accounts = [];
    const began = performance.now();
    await each(async (place) => {
      service.accounts[place] = await service.openAccount();
      await send(service.accounts[place], [post(Array.from({ length: CLIENTS }, (_, number) => person(number)))], 1);
    });
    service.flooding = await service.openAccount();
    const ms = (performance.now() - began) / count;
    console.error(`${profile}: ${count} firms with ${CLIENTS} clients each, ${ms.toFixed(1)} ms for one`);
  }
  for (const isBesideFlood of [false, true]) {
    const rounds = [];
    for (let number = 0; number < ROUNDS; number += 1) {
      const taken = {};
      for (const side of number % 2 === 0 ? [0, 1] : [1, 0]) {
        taken[services[side].name] = await round(services[side], isBesideFlood);
      }
      rounds.push(taken);
    }
    console.log(`\n${count} firms${isBesideFlood ? ", and one that posts without pause" : ""}\n`);
    console.log("| | d1 | objects |\n|---|---:|---:|");
    for (const what of Object.keys(rounds[0].d1)) {
      const of = (profile) => summary(rounds.map((taken) => taken[profile][what])).median.toFixed(1);
      console.log(`| ${what} | ${of("d1")} | ${of("objects")} |`);
    }
  }
  console.log(`\nRequests sent again, since the runtime had closed their connection: ${closedConnections}`);
} finally {
  await Promise.all(services.map((service) => service.stop()));
  await rm(directory, { recursive: true, force: true });
}
