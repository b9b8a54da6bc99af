// Clients per second of Matterbook's Worker and of a hand-written Hono + D1 Worker in its two forms,
// all under local workerd, taking turns in one run. `run --help` says how to call it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BATCH_SIZE, batchBody } from "./clients.mjs";
import { send } from "./load.mjs";
import { startMatterbook, startPeer, useRunning } from "./services.mjs";
import { mean, summary } from "./statistics.mjs";
import { Book } from "./verify.mjs";

const HELP = `Compares Matterbook's Worker with a hand-written Hono + D1 Worker that does the same job,
once in one D1 batch a post and once in two.

  --rounds N             measurements of each side of each work (default 5)
  --batches N            posts of 500 clients in one measurement (default 40)
  --pages N              pages of 100 in one measurement (default 400)
  --connections N,N      how many connections at once (default 1,8)
  --json                 print JSON, with every round, instead of the table
  --url BASE --operator-token TOKEN
                         compare a service that runs already, instead of starting the Worker
`;

/** The least ratio to the peer of one batch. Other work is measured for information. */
const GOALS = { new: 2.5, updates: 3, unchanged: 6 };

const WARM_UP_BATCHES = 60;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    batches: { type: "string", default: "40" },
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
  for (const batches of [1, 2]) {
    services.push(await startPeer(join(directory, `peer-${batches}`), batches));
  }
  const rows = await measure(services.map((service) => ({ service, book: new Book(service) })));
  process.stdout.write(options.json ? `${JSON.stringify(report(rows), null, 2)}\n` : `${tables(rows)}\n`);
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

/** One row for each work and number of connections, with what each side took, round by round. */
async function measure(sides) {
  const rows = new Map();
  const row = (work, connections) => {
    const name = `${work}/${connections}`;
    if (!rows.has(name)) rows.set(name, { work, connections, sides: sides.map(() => []) });
    return rows.get(name);
  };
  // There and back: each round begins with the side that the one before ended with.
  const order = (round) => (round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]);

  progress("warming up");
  let firstBatch = WARM_UP_BATCHES;
  for (const side of sides) await postAll(side, 0, WARM_UP_BATCHES, 1);

  for (let round = 0; round < rounds; round += 1) {
    for (const connections of connectionCounts) {
      progress(`round ${round + 1} of ${rounds}: posts over ${connections} connections`);
      const bodies = prepare(firstBatch, batches);
      for (const work of ["new", "updates", "unchanged"]) {
        for (const side of order(round)) {
          const taken = await post(sides[side], firstBatch, bodies, work, connections);
          row(work, connections).sides[side].push({
            ...taken,
            clients: batches * BATCH_SIZE,
            requests: batches,
          });
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
        const { seconds, cpuSeconds } = await timed(sides[side].service, requests, connections);
        row("page of 100", connections).sides[side].push({
          seconds,
          cpuSeconds,
          clients: pages * 100,
          requests: pages,
        });
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

/** Posts one work's batches, checks the answers, and says how long the posts took. */
async function post({ service, book }, first, bodies, work, connections) {
  const requests = (work === "new" ? bodies.new : bodies.updates).map((body) => ({ path: "/clients", body }));
  const { seconds, cpuSeconds, answers } = await timed(service, requests, connections);
  answers.forEach((answer, index) => book.take(first + index, work, answer));
  return { seconds, cpuSeconds };
}

/** Sends the requests, and adds to what `send` says how much processor time workerd took. */
async function timed(service, requests, connections) {
  const before = service.cpuSeconds();
  const sent = await send(service, requests, connections);
  return { ...sent, cpuSeconds: before === null ? null : service.cpuSeconds() - before };
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
    rounds,
    clients_per_post: BATCH_SIZE,
    posts_per_measurement: batches,
    pages_per_measurement: pages,
    rows: rows.map(({ work, connections, sides }) => {
      const [matterbook, oneBatch, twoBatches] = sides.map(figures);
      return {
        work,
        connections,
        goal: GOALS[work] ?? null,
        matterbook,
        hono_one_batch: { ...oneBatch, ...ratios(matterbook, oneBatch) },
        hono_two_batches: { ...twoBatches, ...ratios(matterbook, twoBatches) },
      };
    }),
  };
}

function figures(measurements) {
  const rates = measurements.map(({ clients, seconds }) => clients / seconds);
  const cpu = measurements.map(({ cpuSeconds, requests }) => cpuSeconds && (cpuSeconds * 1000) / requests);
  return {
    clients_per_second: { ...summary(rates), rounds: rates },
    // The system counts in hundredths of a second, so the mean of all rounds says more than one.
    cpu_milliseconds_per_request: cpu.includes(null) ? null : { mean: mean(cpu), rounds: cpu },
  };
}

function ratios(matterbook, peer) {
  const rounds = matterbook.clients_per_second.rounds.map(
    (rate, round) => rate / peer.clients_per_second.rounds[round],
  );
  const [ours, theirs] = [matterbook, peer].map((side) => side.cpu_milliseconds_per_request);
  return {
    ratio: { ...summary(rounds), rounds },
    cpu_ratio: ours && theirs.mean / ours.mean,
  };
}

function tables(rows) {
  const reported = report(rows).rows;
  const names = services.map(({ name }) => name);
  const rates = [["work", "connections", names[0], names[1], "ratio", "must", names[2], "ratio"]];
  const cpu = [["work", "connections", names[0], names[1], "ratio", names[2], "ratio"]];
  for (const { work, connections, goal, matterbook, hono_one_batch, hono_two_batches } of reported) {
    const [ours, one, two] = [matterbook, hono_one_batch, hono_two_batches].map((side) => ({
      rate: written(side.clients_per_second, (rate) => Math.round(rate).toLocaleString("en-US")),
      ratio: side.ratio && written(side.ratio, (ratio) => ratio.toFixed(2)),
      cpu: side.cpu_milliseconds_per_request?.mean.toFixed(2),
      cpuRatio: side.cpu_ratio?.toFixed(2),
    }));
    const start = [work, String(connections)];
    rates.push([...start, ours.rate, one.rate, one.ratio, goal ? `≥ ${goal}` : "", two.rate, two.ratio]);
    if (ours.cpu) cpu.push([...start, ours.cpu, one.cpu, one.cpuRatio, two.cpu, two.cpuRatio]);
  }
  const said = [
    `Clients per second under local workerd: median of ${rounds} rounds (lowest–highest).`,
    table(rates),
  ];
  if (cpu.length > 1) {
    said.push("workerd's processor milliseconds per request: mean of all rounds.", table(cpu));
  }
  return said.join("\n\n");
}

/** Lines of cells as a Markdown table; the first line is its head. */
function table(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const ruled = [lines[0], widths.map((width) => "-".repeat(width)), ...lines.slice(1)];
  return ruled
    .map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`)
    .join("\n");
}

function written({ median, lowest, highest }, format) {
  return `${format(median)} (${format(lowest)}–${format(highest)})`;
}

function progress(text) {
  process.stderr.write(`${text}\n`);
}
