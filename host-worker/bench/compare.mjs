// Clients per second of Matterbook's Worker and of a hand-written Hono + D1 Worker, both under
// local workerd, paired in one run. `run --help` says how to call it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BATCH_SIZE, batchBody } from "./clients.mjs";
import { send } from "./load.mjs";
import { startMatterbook, startPeer, useRunning } from "./services.mjs";
import { summary } from "./statistics.mjs";
import { Book } from "./verify.mjs";

const HELP = `Compares Matterbook's Worker with a hand-written Hono + D1 Worker that does the same job.

  --rounds N             pairs of measurements of each work (default 5)
  --batches N            posts of 500 clients in one measurement (default 20)
  --pages N              pages of 100 in one measurement (default 400)
  --connections N,N      how many connections at once (default 1,8)
  --json                 print JSON, with every round, instead of the table
  --url BASE --operator-token TOKEN
                         compare a service that runs already, instead of starting the Worker
`;

/** What the ratio has to be at least. */
const GOALS = { new: 2.5, updates: 3, unchanged: 8, "page of 100": 1.4 };

const WARM_UP_BATCHES = 10;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    batches: { type: "string", default: "20" },
    pages: { type: "string", default: "400" },
    connections: { type: "string", default: "1,8" },
    json: { type: "boolean", default: false },
    url: { type: "string" },
    "operator-token": { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const rounds = count("rounds", options.rounds);
const batches = count("batches", options.batches);
const pages = count("pages", options.pages);
const connectionCounts = options.connections.split(",").map((text) => count("connections", text));

const directory = await mkdtemp(join(tmpdir(), "matterbook-bench-"));
const services = [];
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => cleanUp().finally(() => process.exit(1)));
}
try {
  services.push(
    options.url
      ? await useRunning(options.url, options["operator-token"])
      : await startMatterbook(join(directory, "matterbook")),
  );
  services.push(await startPeer(join(directory, "peer")));
  const rows = await measure(services.map((service) => ({ service, book: new Book(service) })));
  process.stdout.write(options.json ? `${JSON.stringify(report(rows), null, 2)}\n` : table(rows));
} finally {
  await cleanUp();
}

async function cleanUp() {
  await Promise.all(services.map((service) => service.stop()));
  await rm(directory, { recursive: true, force: true });
}

function count(name, text) {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  process.stderr.write(`--${name} takes whole numbers from 1, not "${text}".\n`);
  process.exit(2);
}

/** One row for each work and number of connections: the rates of both sides, round by round. */
async function measure(sides) {
  const rows = new Map();
  const row = (work, connections) => {
    const name = `${work}/${connections}`;
    if (!rows.has(name)) rows.set(name, { work, connections, rates: [[], []] });
    return rows.get(name);
  };
  // Alternating: each round begins with the side that the one before ended with.
  const order = (round) => (round % 2 === 0 ? [0, 1] : [1, 0]);

  progress("warming up");
  let firstBatch = WARM_UP_BATCHES;
  for (const side of sides) await postAll(side, 0, WARM_UP_BATCHES, 1);

  for (let round = 0; round < rounds; round += 1) {
    for (const connections of connectionCounts) {
      progress(`round ${round + 1} of ${rounds}: posts over ${connections} connections`);
      const bodies = prepare(firstBatch, batches);
      for (const work of ["new", "updates", "unchanged"]) {
        for (const side of order(round)) {
          const seconds = await post(sides[side], firstBatch, bodies, work, connections);
          row(work, connections).rates[side].push((batches * BATCH_SIZE) / seconds);
        }
      }
      firstBatch += batches;
    }
  }

  const delaySeconds = Math.max(...sides.map(({ service }) => service.delaySeconds));
  progress(`waiting ${delaySeconds + 1} s, until the list shows the last changes`);
  await new Promise((resolve) => setTimeout(resolve, (delaySeconds + 1) * 1000));
  progress(`comparing all ${firstBatch * BATCH_SIZE} clients with what was sent`);
  const paths = [];
  for (const { book } of sides) paths.push(await book.walk());

  for (let round = 0; round < rounds; round += 1) {
    for (const connections of connectionCounts) {
      progress(`round ${round + 1} of ${rounds}: pages over ${connections} connections`);
      for (const side of order(round)) {
        const requests = spread(paths[side], pages).map((path) => ({ path }));
        const { seconds } = await send(sides[side].service, requests, connections);
        row("page of 100", connections).rates[side].push((pages * 100) / seconds);
      }
    }
  }
  return [...rows.values()];
}

/** The bodies of a run of batches, as they are new and as they are changed. */
function prepare(first, count) {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  return {
    new: numbers.map((number) => batchBody(number)),
    updates: numbers.map((number) => batchBody(number, true)),
  };
}

/** Posts one work's batches, checks the answers, and says how many seconds the posts took. */
async function post({ service, book }, first, bodies, work, connections) {
  const requests = (work === "new" ? bodies.new : bodies.updates).map((body) => ({ path: "/clients", body }));
  const { seconds, answers } = await send(service, requests, connections);
  answers.forEach((answer, index) => book.take(first + index, work, answer));
  return seconds;
}

async function postAll(side, first, count, connections) {
  const bodies = prepare(first, count);
  for (const work of ["new", "updates", "unchanged"]) await post(side, first, bodies, work, connections);
}

/** `count` of the paths, evenly from the first to the last; each several times if there are fewer. */
function spread(paths, count) {
  return Array.from({ length: count }, (_, index) => paths[Math.floor((index * paths.length) / count)]);
}

function report(rows) {
  return {
    unit: "clients per second",
    rounds,
    clients_per_post: BATCH_SIZE,
    posts_per_measurement: batches,
    pages_per_measurement: pages,
    rows: rows.map(({ work, connections, rates: [matterbook, peer] }) => {
      const ratios = matterbook.map((rate, round) => rate / peer[round]);
      return {
        work,
        connections,
        matterbook: { ...summary(matterbook), rounds: matterbook },
        hono_d1: { ...summary(peer), rounds: peer },
        ratio: { ...summary(ratios), rounds: ratios },
        ratio_goal: GOALS[work],
      };
    }),
  };
}

function table(rows) {
  const lines = [["work", "connections", services[0].name, services[1].name, "ratio", "goal"]];
  for (const row of report(rows).rows) {
    lines.push([
      row.work,
      String(row.connections),
      written(row.matterbook, (rate) => Math.round(rate).toLocaleString("en-US")),
      written(row.hono_d1, (rate) => Math.round(rate).toLocaleString("en-US")),
      written(row.ratio, (ratio) => ratio.toFixed(2)),
      `≥ ${row.ratio_goal}`,
    ]);
  }
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const ruled = [lines[0], widths.map((width) => "-".repeat(width)), ...lines.slice(1)];
  const text = ruled.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |\n`,
  );
  return `Clients per second under local workerd: median of ${rounds} rounds (lowest–highest).\n\n${text.join("")}`;
}

function written({ median, lowest, highest }, format) {
  return `${format(median)} (${format(lowest)}–${format(highest)})`;
}

function progress(text) {
  process.stderr.write(`${text}\n`);
}
