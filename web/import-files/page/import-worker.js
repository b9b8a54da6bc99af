// The thread of the import page: it reads the chosen file and asks the service. All rows stay here and in the file; the
// page gets counts and examples.
import init, { ChosenFile } from "./{functions}";

const reader = new FileReaderSync();
const { port1: closed, port2: nowhere } = new MessageChannel();
closed.close();
let file;
let chosen;

// What the wasm calls.
globalThis.readPartOfFile = (at, into) => {
  const part = new Uint8Array(reader.readAsArrayBuffer(file.slice(at, at + into.length)));
  into.set(part);
  const { length } = part;
  // A closed port drops what it gets, so the memory is free at once. Left to the browser, hundreds of megabytes of a
  // large file wait to be collected.
  nowhere.postMessage(part.buffer, [part.buffer]);
  return length;
};
globalThis.tellProgress = (rows, part) => postMessage({ tells: "reading", rows, part });

const ready = init({ module_or_path: new URL("./{wasm}", import.meta.url) });

/** Something that the person at the page has to know, in whole sentences. */
class Stop extends Error {}

// --- The service ---

const later = (seconds) => new Promise((go) => setTimeout(go, seconds * 1_000));

/** Resolves when the person presses the button that goes on. */
let goOn = () => {};
const asked = () => new Promise((go) => (goOn = go));
let isPaused = false;

/** Waits until the network is back, at most so long. */
const untilOnline = (seconds) =>
  Promise.race([later(seconds), new Promise((go) => addEventListener("online", go, { once: true }))]);

const WAIT_SECONDS_MAX = 15;

/** Asks until the service answers for good; each wait is told. The same question may arrive twice. */
async function ask(path, body, key) {
  for (let attempt = 0; ; attempt += 1) {
    const pause = Math.min(2 ** attempt, WAIT_SECONDS_MAX);
    let answer, bytes;
    try {
      const headers = { "content-type": "application/json", ...(key && { "idempotency-key": key }) };
      answer = await fetch(path, { method: body ? "POST" : "GET", headers, body, redirect: "manual" });
      bytes = new Uint8Array(await answer.arrayBuffer());
    } catch {
      postMessage({ tells: "waiting", why: "offline" });
      await untilOnline(pause);
      continue;
    }
    const { status } = answer;
    if (status === 401 || answer.type === "opaqueredirect") {
      postMessage({ tells: "waiting", why: "signed-out" });
      await asked();
    } else if (status === 429 || status >= 500) {
      postMessage({ tells: "waiting", why: status === 429 ? "limit" : "failing" });
      await later(Number(answer.headers.get("retry-after")) || pause);
    } else {
      if (attempt > 0) postMessage({ tells: "going-on" });
      return { status, bytes };
    }
  }
}

/** The JSON of an answer; an empty object where it is none. */
function jsonOf(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) ?? {};
  } catch {
    return {};
  }
}

const stopOf = ({ status, bytes }) =>
  new Stop(jsonOf(bytes).error?.message || `The service answered with the number ${status}.`);

/** Asks for JSON; everything but these statuses stops. */
async function askJson(path, body, expected = [200]) {
  const answer = await ask(path, body && new TextEncoder().encode(JSON.stringify(body)));
  if (!expected.includes(answer.status)) throw stopOf(answer);
  return { status: answer.status, body: jsonOf(answer.bytes) };
}

// --- What this browser keeps of an unfinished import ---

let store;

function database() {
  store ??= new Promise((done, failed) => {
    const opening = indexedDB.open("matterbook-imports", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("imports", { keyPath: "digest" });
      opening.result.createObjectStore("batches", { keyPath: ["id", "from"] });
    };
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error);
  });
  return store;
}

/** Runs requests in one transaction; a browser that keeps nothing gives `undefined`. */
async function kept(mode, use) {
  try {
    const change = (await database()).transaction(["imports", "batches"], mode);
    const request = use(change.objectStore("imports"), change.objectStore("batches"));
    await new Promise((done, failed) => {
      change.oncomplete = done;
      change.onerror = change.onabort = () => failed(change.error);
    });
    return request?.result;
  } catch {
    return undefined;
  }
}

const allOf = (id) => IDBKeyRange.bound([id, 0], [id, Number.MAX_SAFE_INTEGER]);

const forget = (digest, id) =>
  kept("readwrite", (imports, batches) => {
    imports.delete(digest);
    batches.delete(allOf(id));
  });

// --- A pass over the rows ---

const nothing = { created: 0, updated: 0, unchanged: 0, conflict: 0, error: 0, incomplete: 0 };

/** Goes through batch after batch. `request` gives the answer to each, and `answered` gets what was found. */
async function pass(request, answered) {
  for (;;) {
    while (isPaused) {
      postMessage({ tells: "paused" });
      await asked();
    }
    const body = chosen.nextBody();
    if (!body) return;
    const batch = JSON.parse(chosen.batch());
    const answer = await request(batch, body);
    if (answer.status !== 200 && answer.status !== 413) throw stopOf(answer);
    const result = JSON.parse(answer.status === 413 ? chosen.tooLarge() : chosen.answered(answer.bytes));
    await answered(batch, result, answer);
  }
}

let refused = [];

// --- The comparison ---

/** A plan is good for 15 minutes from the answer that has it. */
const PLAN_MILLISECONDS = 14 * 60_000;

/** The plans of the comparison, by the row at which their batch begins. */
const plans = new Map();

const compare = (body) => ask("/app/imports/preview?explain=true", body);

async function preview() {
  chosen.beginPreview();
  plans.clear();
  let last = { counts: nothing, settlements: [], rows: 0 };
  await pass(
    (_, body) => compare(body),
    ({ from, rows }, result, { bytes }) => {
      last = result;
      plans.set(from, { rows, plan: jsonOf(bytes).plan, at: Date.now() });
      postMessage({ tells: "previewing", rows: result.rows });
    },
  );
  return { counts: last.counts, settlements: last.settlements, rows: last.rows };
}

// --- Sending ---

/** Ends a pass because the person wants that. */
class Stopped extends Error {}

/** Resolves with what the person decides of rows that would become something else than compared. */
let decide = () => {};
const decided = () => new Promise((done) => (decide = done));

/** The plan of the comparison for a batch, unless it is old or the batch has other rows. */
function planOf({ from, rows }) {
  const known = plans.get(from);
  return known?.rows === rows && Date.now() - known.at < PLAN_MILLISECONDS ? known.plan : undefined;
}

/** Compares a batch again. The person is asked where a row would become something else than was shown. */
async function comparedAgain({ rows }, body) {
  const answer = await compare(body);
  if (answer.status !== 200) return { answer };
  const differences = JSON.parse(chosen.differences(answer.bytes));
  if (differences.rows > 0) {
    postMessage({ tells: "changed", of: rows, differences });
    if (!(await decided())) throw new Stopped();
    chosen.accept();
  }
  return { plan: jsonOf(answer.bytes).plan };
}

/** Sends a batch, which is saved only with the results of its plan. */
async function sendBatch(id, batch, body) {
  const path = `/app/imports/${id}/batch?from=${batch.from}&rows=${batch.rows}&explain=true`;
  for (let plan = planOf(batch); ; plan = undefined) {
    if (plan === undefined) {
      const again = await comparedAgain(batch, body);
      if (again.answer) return again.answer;
      plan = again.plan;
    }
    const answer = await ask(`${path}&plan=${plan}`, body, batch.key);
    // A plan is refused with the results as they would be now; another conflict has none.
    if (answer.status !== 409 || !jsonOf(answer.bytes).results) return answer;
  }
}

async function send(id, digest, counts, forecast) {
  chosen.beginSending(id, JSON.stringify(counts), forecast);
  let last = { counts };
  await pass(
    (batch, body) => sendBatch(id, batch, body),
    async ({ from, rows }, result) => {
      last = result;
      // A batch that was too large is divided, and nothing is done yet.
      if (result.rows > from) {
        await kept("readwrite", (_, batches) => batches.put({ id, from, rows, counts: result.counts, refused: result.refused }));
      }
      refused.push(...result.refused);
      postMessage({ tells: "sending", rows: result.rows, counts: result.counts });
    },
  );
  await askJson(`/app/imports/${id}/end`, {});
  await forget(digest, id);
  return { counts: last.counts };
}

// --- What the page asks for ---

const tasks = {
  async choose(ask) {
    await ready;
    chosen?.free();
    file = ask.file;
    refused = [];
    chosen = new ChosenFile(file.name, file.size);
    const columns = JSON.parse(chosen.columns("{}"));
    const digest = chosen.sha256();
    const begun = await kept("readonly", (imports) => imports.get(digest));
    if (!begun) return { columns };
    // Another browser may have ended it.
    const { status, body } = await askJson(`/app/imports/${begun.id}`, undefined, [200, 403, 404]);
    if (status !== 200 || body.import.ended_at) {
      await forget(digest, begun.id);
      return { columns };
    }
    return { columns, begun: { id: begun.id, settings: begun.settings, import: body.import } };
  },

  columns: ({ settings }) => ({ columns: JSON.parse(chosen.columns(JSON.stringify(settings))) }),

  check: ({ settings }) => ({ report: JSON.parse(chosen.check(JSON.stringify(settings))) }),

  async preview() {
    return { preview: await preview() };
  },

  async send({ settings, rows, mapping }) {
    const digest = chosen.sha256();
    const begin = () => askJson("/app/imports/new", { file_name: file.name.slice(0, 255), digest, rows, mapping }, [200, 201]);
    let begun = await begin();
    if (begun.status === 200) {
      // Begun elsewhere, so what it refused is not known here. Clients that were sent are found again.
      await askJson(`/app/imports/${begun.body.import.id}/end`, {});
      begun = await begin();
    }
    const { id } = begun.body.import;
    refused = [];
    const forecast = chosen.forecast();
    await kept("readwrite", (imports) => imports.put({ digest, id, settings, forecast }));
    return { done: await send(id, digest, nothing, forecast) };
  },

  async resume({ id }) {
    const digest = chosen.sha256();
    const batches = (await kept("readonly", (_, batches) => batches.getAll(allOf(id)))) ?? [];
    const { forecast } = (await kept("readonly", (imports) => imports.get(digest))) ?? {};
    refused = batches.flatMap((batch) => batch.refused);
    return { done: await send(id, digest, batches.at(-1)?.counts ?? nothing, forecast ?? new Uint8Array()) };
  },

  async discard({ id }) {
    const digest = chosen.sha256();
    await askJson(`/app/imports/${id}/end`, {});
    await forget(digest, id);
    return {};
  },

  workbook: () => ({ workbook: chosen.refusedWorkbook(JSON.stringify(refused)) }),
};

addEventListener("message", async ({ data }) => {
  if (data.task === "pause") return void (isPaused = true);
  if (data.task === "go-on") {
    isPaused = false;
    return goOn();
  }
  if (data.task === "decide") return decide(data.goesOn);
  try {
    postMessage({ answers: data.number, ...(await tasks[data.task](data)) });
  } catch (error) {
    if (error instanceof Stopped) return void postMessage({ answers: data.number, done: { isStopped: true } });
    const isKnown = error instanceof Stop || error.constructor === Error;
    postMessage({ answers: data.number, problem: isKnown ? error.message : `The file cannot be read further (${error}).` });
  }
});
