// Imports and erasures of prospects where they are in several databases (rule W28, decision 0140).
//
// The databases have no common transaction. So before a request writes, it sets the clocks of all databases, where none has
// moved since it read. Each batch that it writes then is guarded by the clock of its database. What another request has sent
// before, and what arrives late, is so refused. A lock in the directory lets requests wait, as otherwise one would interrupt
// another half-way.
//
// The directory's batch is the last: it has the entry of the log, by which the rules tell whether all is written, and sets
// the clock up to which pages show prospects.
import { placeOf, prospectDatabases, requireBound } from "./prospect-databases.mjs";

/** After so long another request may take the lock over. */
const LOCK_MS = 60 * 1000;

/** How long a request waits for the lock. */
const WAIT_MS_MAX = 10 * 1000;

/** Takes the lock (?1 is the holder) until ?2, where none has it at ?3. */
const LOCK = `insert into prospect_lock (id, holder, expires_at) values (1, ?1, ?2) on conflict (id)
  do update set holder = excluded.holder, expires_at = excluded.expires_at where holder = ?1 or expires_at <= ?3 returning id`;
const UNLOCK = "delete from prospect_lock where holder = ?";

/** Fails where a clock is not at this time. */
const GUARD = "insert into stale_read (hit) select 'prospects' from prospect_clock where last_change_at <> ?";
const CLOCK = "select last_change_at from prospect_clock";
const SET_CLOCK = "update prospect_clock set last_change_at = ?";

const USED = "select binding from prospect_databases";
const USE = "insert into prospect_databases (binding) select value from json_each(?) where true on conflict do nothing";
const HAS_PROSPECT = "select 1 from prospects where id = unhex(?)";

/** Statements that set the clock, and those of prospects themselves. The others are of the log. */
const CLOCKS = ["guard_import", "begin_import", "begin_removal"];
const ROWS = ["create_prospects", "update_prospects", "move_prospects"];
const ERASURE = ["require_prospect", "insert_prospect_tombstone", "delete_prospect"];

/** All the promises' values, once none of them is under way any more. */
async function all(promises) {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  return settled.map(({ value }) => value);
}

/** The statements of the module as those of a database. */
const prepared = (database, statements) => statements.map(({ text, values }) => database.prepare(text).bind(...values));

/** Results in place of those of statements that were run elsewhere, and what that cost. */
const costs = (statements, results) => [...statements.map(() => ({ results: [], meta: {} })), ...results.map(({ meta }) => ({ results: [], meta }))];

/** The directory as one request of the operator sees it, which may change prospects in all databases. */
export class ProspectChanges {
  /** For `runBatch`. */
  takesNames = true;
  /** The databases with their bindings. */
  #bound;
  #databases;
  #directory;
  #holder = crypto.randomUUID();
  #isLocked = false;
  /** The clock of each database. */
  #clocks = [];
  /** The place of each prospect that was found. */
  #places = new Map();

  constructor(bound) {
    this.#bound = bound;
    this.#databases = bound.map(([, database]) => database);
    this.#directory = this.#databases.at(-1);
  }

  /** Those of a deployment; undefined where there is one database. */
  static of(env) {
    const bound = prospectDatabases(env);
    return bound.length > 1 ? new ProspectChanges(bound) : undefined;
  }

  /** Runs a batch of the module, whose statements are lists of name, text and parameters. Results are those of D1. */
  async batch(list) {
    const statements = list.map(([name, text, ...values]) => ({ name, text, values }));
    const has = (name) => statements.some((statement) => statement.name === name);
    if (has("known_prospects")) return this.#find(statements);
    if (has("guard_import")) return this.#import(statements);
    if (has("delete_prospect")) return this.#erase(statements);
    if (has("require_prospect")) return this.#require(statements);
    return this.#directory.batch(prepared(this.#directory, statements));
  }

  /** Gives the lock back where the request has not written all. */
  async end() {
    if (this.#isLocked) await this.#directory.prepare(UNLOCK).bind(this.#holder).run();
  }

  async #lock() {
    const end = Date.now() + WAIT_MS_MAX;
    for (;;) {
      const now = Date.now();
      this.#isLocked = true;
      const [taken, , used] = await this.#directory.batch([
        this.#directory.prepare(LOCK).bind(this.#holder, now + LOCK_MS, now),
        this.#directory.prepare(USE).bind(JSON.stringify(this.#bound.slice(0, -1).map(([binding]) => binding))),
        this.#directory.prepare(USED),
      ]);
      if (taken.results.length > 0) return requireBound(this.#bound, used.results.map(({ binding }) => binding));
      this.#isLocked = false;
      if (now >= end) throw new Error("overloaded: another request changes prospects");
      await new Promise((resolve) => setTimeout(resolve, 50 + 200 * Math.random()));
    }
  }

  /** Runs statements, lists of text and values, on each database at once. */
  #onEach(statements) {
    return all(this.#databases.map((database) => database.batch(statements.map(([text, ...values]) => database.prepare(text).bind(...values)))));
  }

  /** Looks prospects up everywhere, before an import. */
  async #find(statements) {
    await this.#lock();
    const found = await all(this.#databases.map((database) => database.batch(prepared(database, statements))));
    const together = statements.map(({ name }, number) => {
      const rows = found.map((results) => results[number].results);
      if (name === "prospect_clock") {
        this.#clocks = rows.map(([clock]) => clock.last_change_at);
        return rows.at(-1);
      }
      if (name === "known_prospects") rows.forEach((known, place) => known.forEach(({ id }) => this.#places.set(id.toUpperCase(), place)));
      return rows.flat();
    });
    return [...together.map((results) => ({ meta: {}, results })), ...costs([], found.flat())];
  }

  /** Sets all clocks to one time, later than each of them, and returns it. */
  async #advance(now) {
    const at = Math.max(now, ...this.#clocks.map((clock) => clock + 1));
    const set = (database, place) => database.batch([this.#guard(place), database.prepare(SET_CLOCK).bind(at)]);
    await all(this.#databases.map(set));
    this.#clocks = this.#clocks.map(() => at);
    return at;
  }

  #guard(place) {
    return this.#databases[place].prepare(GUARD).bind(this.#clocks[place]);
  }

  /** Writes an import: each prospect where it is or belongs. */
  async #import(statements) {
    const begin = statements.find(({ name }) => name.startsWith("begin_"));
    const rows = statements.filter(({ name }) => ROWS.includes(name)).map((statement) => this.#byPlace(statement));
    const log = statements.filter(({ name }) => ![...CLOCKS, ...ROWS].includes(name));
    const parts = this.#databases.map((_, place) => rows.map((parts) => parts[place]).filter((part) => part));
    return costs(statements, await this.#write(begin, parts, log));
  }

  /** The parts of a set of rows that go into each database; undefined for one that gets none. */
  #byPlace(statement) {
    const { name, text } = statement;
    let placeOfRow;
    if (name === "create_prospects") {
      // The parameters are in the order of the columns.
      const columns = /\(([^)]*)\)/.exec(text)[1].split(", ");
      const [fips, crashDate] = ["crash_county_fips", "crash_date"].map((column) => columns.indexOf(column));
      placeOfRow = (row) => placeOf(this.#bound, row[fips], row[crashDate]);
    } else {
      const [, id] = /prospects\.id = unhex\(input\.value->>(\d+)\)/.exec(text);
      placeOfRow = (row) => this.#places.get(row[id].toUpperCase());
    }
    const given = JSON.parse(statement.values[0]).map((row) => [placeOfRow(row), row]);
    return this.#databases.map((_, place) => {
      const own = given.filter(([placeOfRow]) => placeOfRow === place).map(([, row]) => row);
      return own.length > 0 ? { ...statement, values: [JSON.stringify(own)] } : undefined;
    });
  }

  /**
   * Writes the part of each database, with the log, and gives the lock back. Each gets a later time than the one before it,
   * and the directory the last.
   */
  async #write(begin, parts, log) {
    // A request that ended half-way left the directory's clock behind.
    const isBehind = Math.max(...this.#clocks) > this.#clocks.at(-1);
    let at = begin || isBehind ? await this.#advance(begin?.values[0] ?? 0) : 0;
    const results = [];
    for (const [place, database] of this.#databases.entries()) {
      const isLast = database === this.#directory;
      if (parts[place].length === 0 && !isLast) continue;
      at += 1;
      const batch = prepared(database, [...(begin ? [{ ...begin, values: [at] }] : []), ...parts[place], ...log]);
      const unlock = isLast ? [database.prepare(UNLOCK).bind(this.#holder)] : [];
      try {
        results.push(...(await database.batch([this.#guard(place), ...batch, ...unlock])));
      } catch (cause) {
        // A refusal would say that nothing is written.
        throw results.length > 0 ? new Error("a change of prospects ended half-way", { cause }) : cause;
      }
    }
    this.#isLocked = false;
    return results;
  }

  /** The place of a prospect; -1 where there is none. */
  async #placeOf(id) {
    const found = await this.#onEach([[CLOCK], [HAS_PROSPECT, id]]);
    this.#clocks = found.map(([clock]) => clock.results[0].last_change_at);
    return found.findIndex(([, { results }]) => results.length > 0);
  }

  async #erase(statements) {
    await this.#lock();
    const { values } = statements.find(({ name }) => name === "require_prospect");
    const place = await this.#placeOf(values[0]);
    // The requirement fails the batch.
    if (place < 0) return this.#directory.batch(prepared(this.#directory, statements));
    const begin = statements.find(({ name }) => name === "begin_removal");
    const own = statements.filter(({ name }) => ERASURE.includes(name));
    const log = statements.filter((statement) => statement !== begin && !own.includes(statement));
    const parts = this.#databases.map((_, number) => (number === place ? own : []));
    return costs(statements, await this.#write(begin, parts, log));
  }

  /** Whether there is a prospect: a requirement that failed with others is asked again alone. */
  async #require(statements) {
    const place = await this.#placeOf(statements[0].values[0]);
    const database = this.#databases[place] ?? this.#directory;
    return database.batch(prepared(database, statements));
  }
}
