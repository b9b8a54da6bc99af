// A day of an integrator, by the generated client: every kind of answer comes as the type that the document says.

import assert from "node:assert/strict";
import createClient, { type Client as Api } from "openapi-fetch";
import type { components, paths } from "./matterbook-api.js";

type Client = components["schemas"]["Client"];
type ClientInput = components["schemas"]["ClientInput"];
type Prospect = components["schemas"]["Prospect"];
type UpsertResult = components["schemas"]["UpsertResult"];
type Page<Row> = { rows: Row[]; next_cursor: string | null };

const MESSY: ClientInput[] = [
  {
    external_id: 1001, first_name: " Ana ", last_name: "Specimenez", address_line1: "12 North Main Street",
    state: "illinois", zip: "62704.0", phone: "(217) 555-0134 ext. 9", opened_on: "Jan 5, 2026",
  },
  { first_name: "ANA", last_name: "Specimenez", address_line1: "12 N. Main St.", zip: 62704 },
  {
    first_name: "Bob", last_name: "Sampleton", address_line1: "5 Demo Ave", state: "Mass.", zip: 2134,
    do_not_mail: "yes",
  },
  { external_id: "M-9", first_name: "Ana", last_name: "Specimenez", address_line1: "12 N Main St", zip: 62704 },
  { first_name: "Carl", last_name: "Demowitz", state: "Narnia", zip: "123" },
];

const api = clientOf(setting("MATTERBOOK_KEY"));
await theKeyIsChecked();
await anUnknownKeyIsRefused();
const results = await aMessyBatchIsPosted();
await allClientsAreRead();
await casesAreSettled();
await prospectsAreRead();
await aBadParameterIsRefused();
await tooManyRequestsAreRefused(clientOf(setting("FLOOD_KEY")));

function clientOf(key: string): Api<paths> {
  return createClient<paths>({ baseUrl: setting("MATTERBOOK_URL"), headers: { Authorization: `Bearer ${key}` } });
}

async function theKeyIsChecked(): Promise<void> {
  const { data, error } = await api.GET("/api/v1/me");
  assert.ok(data, error?.error.message);
  assert.equal(data.account.email, "owner@firm.example");
}

async function anUnknownKeyIsRefused(): Promise<void> {
  const { error, response } = await clientOf(`mtb_${"x".repeat(43)}`).GET("/api/v1/me");
  assert.equal(response.status, 401);
  assert.equal(error?.error.code, "unauthorized" satisfies components["schemas"]["ErrorCode"]);
  assert.match(response.headers.get("WWW-Authenticate") ?? "", /^Bearer/);
}

async function aMessyBatchIsPosted(): Promise<UpsertResult[]> {
  const post = () =>
    api.POST("/api/v1/clients", {
      params: { header: { "Idempotency-Key": "first-batch" } },
      body: { clients: MESSY },
    });
  const { data, error } = await post();
  assert.ok(data, error?.error.message);
  const results = data.results;
  assert.deepEqual(
    results.map(({ index, status }) => [index, status]),
    [[0, "created"], [1, "updated"], [2, "created"], [3, "conflict"], [4, "error"]],
  );
  assert.ok(results[0]?.id && results[0].id === results[1]?.id);
  assert.ok(results[3]?.id === undefined && results[3]?.message?.includes("1001"));
  assert.ok(results[4]?.message?.includes("leading zeros may have been lost"));

  const again = await post();
  assert.equal(again.response.headers.get("Idempotent-Replayed"), "true");
  assert.deepEqual(again.data, data);
  return results;
}

async function allClientsAreRead(): Promise<void> {
  const more = [0, 1, 2].map((number) => ({ external_id: `N-${number}`, last_name: `Sample ${number}` }));
  assert.ok((await api.POST("/api/v1/clients", { body: { clients: more } })).data);

  const clients = new Map<string, Client>();
  for await (const client of walk(async (cursor) => {
    const { data, error } = await api.GET("/api/v1/clients", { params: { query: { limit: 2, ...cursor } } });
    assert.ok(data, error?.error.message);
    return { rows: data.clients, next_cursor: data.next_cursor };
  })) {
    clients.set(client.id, client);
  }
  assert.equal(clients.size, 5);
  const ana = clients.get(results[0]?.id ?? "");
  assert.deepEqual([ana?.external_id, ana?.zip, ana?.state], ["1001", "62704", "IL"]);
  assert.deepEqual([ana?.phone, ana?.opened_on], ["+12175550134", "2026-01-05"]);
  const bob = clients.get(results[2]?.id ?? "");
  assert.deepEqual([bob?.zip, bob?.state, bob?.do_not_mail, bob?.settled_on], ["02134", "MA", true, null]);

  const since = [...clients.values()].map((client) => client.updated_at).sort().at(-1);
  assert.ok(since);
  const latest = await api.GET("/api/v1/clients", { params: { query: { updated_since: since } } });
  assert.deepEqual(new Set(latest.data?.clients.map((client) => client.external_id)), new Set(["N-0", "N-1", "N-2"]));
}

async function casesAreSettled(): Promise<void> {
  const settle = (body: components["schemas"]["SettledCase"]) => api.POST("/api/v1/cases/settled", { body });
  const settled = await settle({ external_id: 1001, settled_on: "2/27/2026" });
  assert.deepEqual(settled.data?.result, { index: 0, status: "updated", id: results[0]?.id });

  const unknown = await settle({ external_id: "M-404", settled_on: "2026-02-27" });
  assert.deepEqual([unknown.response.status, unknown.error?.error.code], [404, "not_found"]);

  const { response, error } = await settle({
    external_id: "M-9", first_name: "Ana", last_name: "Specimenez", address_line1: "12 N Main St", zip: 62704,
    settled_on: "2026-02-27",
  });
  assert.equal(response.status, 409);
  assert.ok(error && "result" in error);
  assert.deepEqual([error.error.code, error.result.status, error.result.index], ["conflict", "conflict", 0]);
}

async function prospectsAreRead(): Promise<void> {
  const oldest: Prospect[] = [];
  for await (const prospect of walk(async (cursor) => {
    const { data, error } = await api.GET("/api/v1/prospects", { params: { query: { limit: 2, ...cursor } } });
    assert.ok(data, error?.error.message);
    return { rows: data.prospects, next_cursor: data.next_cursor };
  })) {
    oldest.push(prospect);
  }
  const ids = new Set(oldest.map((prospect) => prospect.id));
  assert.equal(ids.size, 5);
  for (const prospect of oldest) {
    assert.deepEqual([prospect.lead_type, prospect.source, prospect.person_type], ["cold", "Matterbook", "driver"]);
  }
  const newest = await api.GET("/api/v1/prospects", { params: { query: { order: "newest" } } });
  assert.equal(newest.data?.next_cursor, null);
  assert.deepEqual(new Set(newest.data?.prospects.map((prospect) => prospect.id)), ids);
}

async function aBadParameterIsRefused(): Promise<void> {
  const { error, response } = await api.GET("/api/v1/clients", { params: { query: { limit: 101 } } });
  assert.equal(response.status, 400);
  assert.deepEqual(error?.error, {
    code: "invalid_request",
    message: "limit must be a whole number from 1 to 100.",
  });
}

async function tooManyRequestsAreRefused(flood: Api<paths>): Promise<void> {
  for (let admitted = 0; admitted < 200; admitted += 1) {
    const { error, response } = await flood.GET("/api/v1/me");
    if (response.status === 200) continue;
    assert.equal(response.status, 429);
    assert.equal(error?.error.code, "rate_limited");
    // A slow machine lets requests leave the minute while others come.
    assert.ok(admitted >= 120, `${admitted} were let through`);
    const seconds = Number(response.headers.get("Retry-After"));
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
    return;
  }
  assert.fail("nothing was refused");
}

// Every row of a listing, page by page, until the cursor is null.
async function* walk<Row>(page: (cursor: { cursor?: string }) => Promise<Page<Row>>): AsyncGenerator<Row> {
  let next: string | null | undefined;
  do {
    const { rows, next_cursor } = await page(next ? { cursor: next } : {});
    yield* rows;
    next = next_cursor;
  } while (next !== null);
}

function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}
