// One simulated run of prospects in several databases: imports, corrections, erasures and pages at once, each in a Worker
// that may die. No prospect may be in two databases, and no reader may miss one.
import { ProspectChanges } from "../prospect-changes.mjs";
import { readCommon } from "../replicas.mjs";
import { Clock, randomBy } from "./clock.mjs";
import { Database } from "./database.mjs";
import { DirectoryBinding } from "./runtime.mjs";
import { EMPTY_DIRECTORY } from "./schema.mjs";

/** The directory is the last. */
const BINDINGS = ["PROSPECTS_2026", "PROSPECTS_CA", "DB"];

/** Two counties and two years, so that a prospect may belong into each database. */
const PLACES = [["06037", "2025-02-01"], ["17031", "2026-02-01"], ["17031", "2025-02-01"]];

/** Few, so that requests are often about the same. */
const SOURCES = Array.from({ length: 30 }, (_, number) => `source${number}`);

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How long what a request has sent may still arrive. */
const ARRIVES_MS = 5 * MINUTE_MS;

/** How late prospects are shown. */
const DELAYS_MS = [0, MINUTE_MS, 5 * MINUTE_MS];

/** For so long no other request takes the lock over. */
const LOCK_MS = MINUTE_MS;

const AHEAD_MS = 30 * SECOND_MS;
const PAGE = 4;
const ATTEMPTS_MAX = 5;

/** The statements of the rules, as store-sql has them. */
const KNOWN = `select hex(id) as id, source_id, crash_county_fips as fips, crash_date as date from prospects
  where source_id in (select value from json_each(?1))`;
const ERASED = "select source_id from prospect_tombstones where source_id in (select value from json_each(?1))";
const CLOCK = "select last_change_at from prospect_clock where id = 1";
const GUARD = "insert into stale_read (hit) select 'prospects' from prospect_clock where last_change_at > ?1";
const BEGIN_IMPORT = "update prospect_clock set last_change_at = max(?1, last_change_at + 1)";
const BEGIN_REMOVAL = `update prospect_clock set last_change_at = max(?1, last_change_at + 1), last_removal_at = max(?1, last_change_at + 1)`;
const CREATE = `insert into prospects (id, source_id, crash_date, crash_county_fips, crash_year, added_at)
  select unhex(value->>0), value->>1, value->>2, value->>3, value->>4, (select last_change_at from prospect_clock) from json_each(?1)`;
const MOVE = `update prospects set crash_county_fips = input.value->>0, crash_date = input.value->>1 from json_each(?1) as input
  where prospects.id = unhex(input.value->>2)`;
const LOG = "insert into operator_log (at, id, actor, action, subject, request_id) values (?1, unhex(?2), 'operator', '', '', unhex(?2))";
const LOGGED = "select 1 from operator_log where id = unhex(?1)";
const REQUIRE = "insert into stale_read (hit) select 'prospect' where not exists (select 1 from prospects where id = unhex(?1))";
const BURY = "insert into prospect_tombstones (source_id) select source_id from prospects where id = unhex(?1)";
const DELETE = "delete from prospects where id = unhex(?1)";
const LIST = `select hex(id) as id, source_id as source, added_at as addedAt from prospects
  where (added_at, hex(id)) > (?1, ?2) and added_at <= (select iif(last_change_at > ?4, ?5, ?3) from prospect_clock)
  order by added_at, hex(id) limit ${PAGE}`;

const isConstraint = (error) => String(error).includes("constraint failed");
const isAfter = (one, other) => one.addedAt > other.addedAt || (one.addedAt === other.addedAt && one.id > other.id);

/** One Worker: what it waits for never comes once it has died. */
class Isolate {
  isOver = false;
  object = { flush() {}, reset: (start) => (start.isOver = true) };

  async wait(promise) {
    await promise;
    if (this.isOver) await new Promise(() => {});
  }
}

/** One database with its replica, and the faults of all. */
class Place {
  /** What a Worker that died has sent may arrive when another request has taken the lock over. */
  lateMs = 2 * LOCK_MS;
  isReplicaAway = false;
  calls = 0;

  constructor(run) {
    this.run = run;
    this.clock = run.clock;
    this.random = run.random;
    this.directory = Database.ofD1(EMPTY_DIRECTORY);
    this.replica = Database.ofD1(EMPTY_DIRECTORY);
  }

  get isDown() {
    return false;
  }

  happens(fault) {
    return this.run.happens(fault);
  }

  replicate() {
    this.isReplicaAway = this.random() < 0.2;
    this.replica.close();
    this.replica = Database.ofD1(this.directory.bytes());
  }

  rows(text, ...values) {
    return this.directory.exec(text, values).rows;
  }

  close() {
    this.directory.close();
    this.replica.close();
  }
}

/** How likely each fault is, and how likely batches are slow where all are. */
const FAULTS = { lost: 0.03, lostAnswer: 0.03, slow: 0.1, reset: 0.04, resetUnflushed: 0, noReplica: 0.2 };
const SLOW = 0.5;

class Fault extends Error {}

export class DatabasesSimulation {
  clock = new Clock();
  #hasFaults = true;
  #places;
  #number = 0;
  #delayMs;
  #isSlow;
  #trace;
  #fault;
  /** By source id: when a request that may change it was sent last, and how many were. */
  #sent = new Map();
  /** Sources whose erasure was answered. */
  #erased = new Set();
  #readers = [0, 1].map(() => ({ cursor: { addedAt: -1, id: "" }, seen: new Set(), turn: 0 }));

  constructor(seed, trace) {
    this.random = randomBy(seed);
    this.clock.install(this.random);
    this.#delayMs = DELAYS_MS[seed % DELAYS_MS.length];
    this.#isSlow = seed % 2 === 0;
    this.#trace = trace;
    this.#places = BINDINGS.map(() => new Place(this));
  }

  happens(fault) {
    return this.#hasFaults && this.random() < (fault === "slow" && this.#isSlow ? SLOW : FAULTS[fault]);
  }

  #say(text) {
    if (this.#trace) process.stdout.write(`${(this.clock.now / SECOND_MS).toFixed(3)} ${text}\n`);
  }

  #chosen(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  #newId() {
    this.#number += 1;
    // In no order.
    const digits = Math.floor(this.random() * 2 ** 32).toString(16).padStart(8, "0").toUpperCase();
    return `${digits}${String(this.#number).padStart(24, "0")}`;
  }

  #env() {
    const isolate = new Isolate();
    const bindings = BINDINGS.map((name, place) => [name, new DirectoryBinding(this.#places[place], isolate)]);
    return { ACCOUNTS: {}, ...Object.fromEntries(bindings) };
  }

  /** Runs work with what changes prospects, and gives the lock back as the Worker does. */
  async #change(work) {
    const changes = ProspectChanges.of(this.#env());
    const end = this.clock.now + LOCK_MS;
    try {
      return await work(changes);
    } catch (error) {
      const isInterrupted = error.cause && isConstraint(error.cause) && this.clock.now < end;
      throw isInterrupted ? new Fault("a change was interrupted by another") : error;
    } finally {
      await changes.end().catch(() => {});
    }
  }

  /** Writes a batch as the rules do: where its outcome is not known, the log says whether it was applied. */
  async #apply(changes, id, batch) {
    try {
      await changes.batch([...batch, ["log_entry", LOG, this.clock.now * 1000, id]]);
    } catch (error) {
      if (isConstraint(error)) throw error;
      const [{ results }] = await changes.batch([["logged", LOGGED, id]]);
      if (results.length === 0) throw error;
    }
  }

  /** Notes that a request about sources is sent. Returns whether no other was on its way, once it has ended. */
  #begin(sources) {
    const before = sources.map((source) => this.#sent.get(source) ?? { at: -ARRIVES_MS, count: 0 });
    const isAlone = before.every(({ at }) => at <= this.clock.now - ARRIVES_MS);
    const sent = sources.map((source, place) => {
      const now = { at: this.clock.now, count: before[place].count + 1 };
      this.#sent.set(source, now);
      return [source, now];
    });
    return () => isAlone && sent.every(([source, now]) => this.#sent.get(source) === now);
  }

  async #import() {
    const sources = [...new Set(Array.from({ length: 1 + Math.floor(this.random() * 4) }, () => this.#chosen(SOURCES)))];
    const given = new Map(sources.map((source) => [source, this.#chosen(PLACES)]));
    const isAlone = this.#begin(sources);
    // At times by the clock of a machine that is ahead.
    const aheadMs = this.random() < 0.02 ? Math.floor(this.random() * 10 * AHEAD_MS) : 0;
    const now = (this.clock.now + aheadMs) * 1000;
    const id = this.#newId();
    this.#say(`import ${id} of ${sources}`);
    await this.#change((changes) => this.#tryImport(changes, id, now, given));
    this.#say(`import ${id} is answered`);
    if (isAlone()) {
      for (const [source, [fips, date]] of given) {
        const found = this.#places.flatMap((place) => place.rows("select crash_county_fips as fips, crash_date as date from prospects where source_id = ?", source));
        const isThere = this.#erased.has(source) ? found.length === 0 : found.length === 1 && found[0].fips === fips && found[0].date === date;
        const isBuried = this.#places.some((place) => place.rows("select 1 from prospect_tombstones where source_id = ?", source).length > 0);
        if (!isThere && !isBuried) throw new Fault(`${source} was imported, and is ${JSON.stringify(found)}`);
      }
    }
  }

  async #tryImport(changes, id, now, given) {
    const sources = JSON.stringify([...given.keys()]);
    for (let attempt = 1; ; attempt += 1) {
      const [clock, known, erased] = await changes.batch([["prospect_clock", CLOCK], ["known_prospects", KNOWN, sources], ["erased_sources", ERASED, sources]]);
      const [created, moved] = [[], []];
      for (const [source, [fips, date]] of given) {
        const found = known.results.find((row) => row.source_id === source);
        if (erased.results.some((row) => row.source_id === source)) continue;
        if (!found) created.push([this.#newId(), source, date, fips, Number(date.slice(0, 4))]);
        else if (found.fips !== fips || found.date !== date) moved.push([fips, date, found.id]);
      }
      const begin = moved.length > 0 ? ["begin_removal", BEGIN_REMOVAL, now] : ["begin_import", BEGIN_IMPORT, now];
      const writes = [
        ...(created.length > 0 ? [["create_prospects", CREATE, JSON.stringify(created)]] : []),
        ...(moved.length > 0 ? [["move_prospects", MOVE, JSON.stringify(moved)]] : []),
      ];
      try {
        return await this.#apply(changes, id, [["guard_import", GUARD, clock.results[0].last_change_at], ...(writes.length > 0 ? [begin] : []), ...writes]);
      } catch (error) {
        if (!isConstraint(error) || attempt >= ATTEMPTS_MAX) throw error;
        await this.clock.pause(500 * this.random());
      }
    }
  }

  async #erase() {
    const rows = this.#places.flatMap((place) => place.rows("select hex(id) as id, source_id as source from prospects"));
    if (rows.length === 0) return;
    const { id, source } = this.#chosen(rows);
    this.#begin([source]);
    this.#say(`erase ${source}`);
    const now = this.clock.now * 1000;
    await this.#change((changes) =>
      this.#apply(changes, this.#newId(), [
        ["require_prospect", REQUIRE, id], ["begin_removal", BEGIN_REMOVAL, now],
        ["insert_prospect_tombstone", BURY, id], ["delete_prospect", DELETE, id],
      ]),
    );
    this.#say(`${source} is erased`);
    this.#erased.add(source);
    this.#requireErased([id]);
  }

  #requireErased(ids) {
    for (const id of ids) {
      const isThere = this.#places.some((place) => place.rows("select 1 from prospects where id = unhex(?)", id).length > 0);
      if (isThere) throw new Fault(`${id} was erased, and is there`);
    }
  }

  /** Reads the next page of a reader, who goes on from the last prospect that was shown. */
  async #read(reader) {
    reader.turn += 1;
    const { cursor, turn } = reader;
    const gone = new Set(this.#erased);
    const [shownUntil, trustedUntil] = [(this.clock.now - this.#delayMs) * 1000, (this.clock.now + AHEAD_MS) * 1000];
    const names = ["after_at", "after_id", "delayed", "trusted_until", "everything"];
    const values = [cursor.addedAt, cursor.id, shownUntil, trustedUntil, Number.MAX_SAFE_INTEGER];
    const [{ results }] = await readCommon(this.#env(), [{ text: LIST, names, values }]);
    // The reader has asked again meanwhile.
    if (turn !== reader.turn) return;
    const page = results.sort((one, other) => (isAfter(one, other) ? 1 : -1)).slice(0, PAGE);
    if (new Set(page.map(({ id }) => id)).size < page.length) throw new Fault("a page shows a prospect twice");
    for (const { id } of page) reader.seen.add(id);
    reader.cursor = page.at(-1) ?? cursor;
    this.#say(`a page up to ${reader.cursor.addedAt} with ${page.map(({ source, addedAt }) => `${source} of ${addedAt}`)}`);
    const all = this.#all();
    const missed = all.find((row) => !reader.seen.has(row.id) && !isAfter(row, reader.cursor));
    if (missed) throw new Fault(`a reader has missed ${JSON.stringify(missed)}`);
    const late = page.find(({ source }) => gone.has(source));
    if (late) throw new Fault(`${late.source} was erased, and is shown`);
  }

  #all() {
    const text = "select hex(id) as id, source_id as source, added_at as addedAt from prospects";
    return this.#places.flatMap((place, number) => place.rows(text).map((row) => ({ ...row, place: number })));
  }

  /** No prospect is in two databases, or there and erased. */
  #requireOnce() {
    const names = this.#places.flatMap((place) =>
      place.rows("select source_id as source from prospects union all select source_id from prospect_tombstones"),
    ).map(({ source }) => source);
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (twice) this.#fault ??= new Fault(`${twice} is there twice`);
  }

  /** Runs work. While there are faults it may fail. */
  async #do(work) {
    try {
      await work();
    } catch (error) {
      this.#say(String(error));
      if (error instanceof Fault || !this.#hasFaults) this.#fault ??= error;
    }
  }

  #step() {
    const kind = this.random();
    if (kind < 0.4) this.#do(() => this.#import());
    else if (kind < 0.5) this.#do(() => this.#erase());
    else if (kind < 0.6) for (const place of this.#places) place.replicate();
    else this.#do(() => this.#read(this.#chosen(this.#readers)));
  }

  /** Runs so many steps, lets the faults end, and reads all. Returns what is wrong, or nothing. */
  async run(steps) {
    for (let step = 0; step < steps && !this.#fault; step += 1) {
      this.#step();
      await this.clock.run(() => false, this.clock.now + this.random() ** 4 * 20 * SECOND_MS);
      this.#requireOnce();
    }
    await this.clock.run(() => this.#fault, this.clock.now + 10 * MINUTE_MS);
    this.#hasFaults = false;
    for (const place of this.#places) place.replicate();
    await this.#end(() => this.#import());
    await this.clock.run(() => this.#fault, this.clock.now + 10 * MINUTE_MS);
    for (const reader of this.#readers) {
      for (let page = 0; page < 40; page += 1) await this.#end(() => this.#read(reader));
      const missed = this.#all().find((row) => !reader.seen.has(row.id));
      if (missed) this.#fault ??= new Fault(`a reader does not get ${missed.id}`);
    }
    this.#requireOnce();
    for (const place of this.#places) place.close();
    return this.#fault?.message;
  }

  /** Runs work to its end, which is soon without faults. */
  async #end(work) {
    let isOver = false;
    this.#do(work).finally(() => (isOver = true));
    await this.clock.run(() => isOver || this.#fault, this.clock.now + 10 * MINUTE_MS);
    if (!isOver) this.#fault ??= new Fault("a request does not end");
  }
}
