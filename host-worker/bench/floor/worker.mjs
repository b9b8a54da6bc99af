// What a request costs on each profile without any rules: the calls between the Worker, D1 and objects, and the plainest
// statements of a request. Paths are /PROFILE/ACCOUNT/me and /PROFILE/ACCOUNT/clients.

const SCHEMA = [
  "create table if not exists keys (digest text primary key, account text not null) strict",
  "create table if not exists clients (account text, external_id text, fields text not null, primary key (account, external_id)) strict",
  "create table if not exists times (key text primary key, times blob not null) strict",
  "insert into keys values ('digest', 'account') on conflict do nothing",
];

const KEY = ["select account from keys where digest = ?", "digest"];

/** As many times as a key of the benchmark has. */
const TIMES = new Float64Array(1000);

const json = (value) => Response.json(value, { headers: { "cache-control": "no-store" } });
const found = (account, id) => ["select fields from clients where account = ? and external_id = ?", account, id];
const page = (account) => ["select fields from clients where account = ? order by external_id limit 100", account];
const saved = (account, client) => ["insert into clients values (?, ?, ?) on conflict do update set fields = excluded.fields", account, client.external_id, JSON.stringify(client)];

/** Answers a request. `run` runs statements in one transaction, and gives the rows of each. */
async function answer(request, run) {
  const { pathname } = new URL(request.url);
  const [, , account, path] = pathname.split("/");
  if (path === "me") return json((await run([KEY]))[0]);
  if (request.method === "GET") return json({ clients: (await run([KEY, page(account)]))[1].map(({ fields }) => JSON.parse(fields)) });
  const { clients } = await request.json();
  await run([KEY, ...clients.map((client) => found(account, client.external_id))]);
  await run(clients.map((client) => saved(account, client)));
  return json({ results: clients.map(() => ({ status: "created" })) });
}

/** The rate limit of a key, for D1. */
export class Limit {
  #storage;

  constructor(state) {
    this.#storage = state.storage;
  }

  async fetch() {
    await this.#storage.put("times", TIMES);
    return new Response("1");
  }
}

/** The object of an account. */
export class Account {
  #storage;

  constructor(state) {
    this.#storage = state.storage;
    for (const text of SCHEMA) state.storage.sql.exec(text);
  }

  fetch(request) {
    const exec = ([text, ...values]) => this.#storage.sql.exec(text, ...values).toArray();
    exec(["select times from times where key = ?", "key"]);
    exec(["insert into times values (?, ?) on conflict do update set times = excluded.times", "key", TIMES.buffer]);
    return answer(request, (statements) => this.#storage.transactionSync(() => statements.map(exec)));
  }
}

let prepared;

export default {
  async fetch(request, env) {
    const [, profile, account] = new URL(request.url).pathname.split("/");
    if (profile === "objects") return env.ACCOUNTS.getByName(account).fetch(request);
    const statement = ([text, ...values]) => env.DB.prepare(text).bind(...values);
    prepared ??= env.DB.batch(SCHEMA.map((text) => statement([text])));
    await prepared;
    if (profile !== "d1") return json({});
    await (await env.LIMIT.getByName(account).fetch("https://limit/")).text();
    return answer(request, async (statements) => (await env.DB.batch(statements.map(statement))).map(({ results }) => results));
  },
};
