// The Durable Object of an account: its database, and the copies of what others have to know in the directory (decision
// 0131). The rules are in the wasm module. The directory is the D1 database. It has the same schema, and of each account
// everything but its clients: whom a key, a session or a path belongs to, which counties it sees, and the log. An account is
// made there. Its object takes it over when it is first asked, and copies each later change into the directory before it
// answers.
import { COPIED, COPIED_UP_TO, COPY_FROM, COPY_UP_TO, END_COPIES, NUMBER_OF_COPIES, OWN_SCHEMA, bindable, copyOf, quoted, repeated } from "./directory.mjs";
import { accountFetch, compareDue } from "./dist/index.js";
import migrations from "./dist/migrations.js";
import { readCommon, statementsOf } from "./replicas.mjs";
import { TRAPPED, answer, untilTrap } from "./trap.mjs";

const COPIES_IN_BATCH = 50;

/** How soon a copy is repeated whose request ended before it. */
const COPY_AGAIN_MS = 30 * 1000;

/** How often an object in use deletes what no longer counts, and tells the directory its last change. */
const ALARM_INTERVAL_MS = 60 * 60 * 1000;

/** How long a request counts (rule R1). */
const WINDOW_MS = 60 * 1000;

/** How far back an object can be set (rule O40). */
const POINTS_MS = 30 * 24 * 60 * 60 * 1000;

/** What the local runtime says. */
const NO_POINTS = /does not implement point-in-time recovery/;

/** How long an answer has to leave an object before the object starts again. */
const ANSWER_MS = 1000;

/** The Durable Object of an account. Its name is the account's number. It keeps nothing of the module. */
export class Account {
  #state;
  #env;
  #sql;
  #isMigrated = false;
  #taking;
  #lastCopy = Promise.resolve();
  #newestCopy = 0;
  #hasAlarm = false;
  #comparing;
  /** It is about to be set back: what it would save now would be lost. */
  #isEnding = false;

  constructor(state, env) {
    this.#state = state;
    this.#env = env;
    this.#sql = state.storage.sql;
  }

  /** The account's number. The runtime may give no name to an object that its alarm starts. Such a one has its account. */
  get #number() {
    return Number(this.#state.id.name ?? this.#rows("select number from accounts")[0].number);
  }

  async fetch(request) {
    const isHere = (await this.#isCurrent()) || (await this.#takeOver());
    if (this.#isEnding) await this.#end();
    let hasCopies = false;
    let bookmark;
    const database = isHere && this.#database(() => (hasCopies = true), (prepared) => (bookmark = prepared));
    // Before the change, which a reset may follow.
    if (isHere) await this.#ensureAlarm();
    const response = await untilTrap(() => accountFetch(request, this.#env, database || undefined));
    // Where the alarm has rung meanwhile.
    if (isHere) await this.#ensureAlarm();
    if (hasCopies) await this.#copy();
    if (bookmark && response.ok) await this.#restore(bookmark);
    return response === TRAPPED ? answer(request.method, "the module trapped") : response;
  }

  /** Applies the migrations that are missing. */
  #migrate() {
    if (this.#isMigrated) return;
    const isNew = this.#rows("select 1 from sqlite_schema where name = 'migrations'").length === 0;
    if (isNew) this.#sql.exec("create table migrations (count integer not null) strict; insert into migrations values (0)");
    for (const text of migrations.slice(this.#rows("select count from migrations")[0].count)) {
      this.#sql.exec(text);
      this.#sql.exec("update migrations set count = count + 1");
    }
    if (isNew) for (const text of OWN_SCHEMA) this.#sql.exec(text);
    this.#newestCopy = this.#newest();
    this.#isMigrated = true;
  }

  /** The number of the newest change that is still to be copied; 0 if there is none. */
  #newest() {
    return this.#rows("select max(number) as newest from copies")[0].newest ?? 0;
  }

  #rows(text, ...values) {
    return this.#sql.exec(text, ...values).toArray();
  }

  #hasAccount() {
    if (!this.#isMigrated) {
      // An object without an account stores nothing.
      if (this.#rows("select 1 from sqlite_schema where name = 'migrations'").length === 0) return false;
      this.#state.storage.transactionSync(() => this.#migrate());
    }
    return this.#rows("select 1 from accounts limit 1").length > 0;
  }

  /** Whether the account is here. The first request of a start repairs what a restore has set back too far. */
  async #isCurrent() {
    if (!this.#hasAccount()) return false;
    this.#comparing ??= this.#compareDirectory().catch((error) => {
      this.#comparing = undefined;
      throw error;
    });
    await this.#comparing;
    return true;
  }

  /**
   * Where the database was set back, takes from the directory again what it has (rule W26). The directory has the number of
   * the newest change that was copied, which the database then has not reached.
   */
  async #compareDirectory() {
    const [account] = this.#rows("select id from accounts");
    const copied = await this.#copiedNumber(account.id);
    if (copied <= this.#lastNumber()) {
      // A directory that was set back lacks changes that are no longer to be copied.
      if (copied < this.#firstToCopy() - 1) await this.#equalDirectory();
      return;
    }
    const tables = await this.#takeTables(account.id);
    this.#state.storage.transactionSync(() => {
      for (const { table } of COPIED) {
        // The account's other tables refer to it, and entries of the log are only added.
        if (table !== "accounts" && table !== "operator_log") this.#sql.exec(`delete from ${table}`);
      }
      const columns = COPIED[0].changes.split(", ");
      const values = columns.map((column) => bindable(tables[0].results[0][column]));
      this.#sql.exec(`update accounts set (${columns}) = (${columns.map(() => "?")})`, ...values);
      this.#insert(tables);
    });
  }

  /** The number of the first change that is still to be copied, or else of the next change. */
  #firstToCopy() {
    return this.#rows("select min(number) as first from copies")[0].first ?? this.#lastNumber() + 1;
  }

  /** The number of the newest change that the directory has; -1 where it lacks the account. */
  async #copiedNumber(account) {
    return (await repeated(() => this.#env.DB.prepare(COPIED_UP_TO).bind(account).first()))?.number ?? -1;
  }

  /** The highest number that a change has had. */
  #lastNumber() {
    return this.#rows("select seq from sqlite_sequence where name = 'copies'")[0]?.seq ?? 0;
  }

  /** Takes the account over from the directory; false where it is not there either. One request does it for all. */
  #takeOver() {
    return (this.#taking ??= this.#readDirectory().finally(() => (this.#taking = undefined)));
  }

  async #readDirectory() {
    const account = await this.#env.DB.prepare("select id from accounts where number = ?").bind(this.#number).first();
    if (!account) return false;
    const tables = await this.#takeTables(account.id);
    this.#state.storage.transactionSync(() => {
      this.#migrate();
      this.#insert(tables);
    });
    this.#comparing = Promise.resolve();
    return true;
  }

  /** The account's rows in the directory, to go on with. No batch of copies from before changes them any more. */
  #takeTables(account) {
    return repeated(async () => {
      const before = await this.#copiedNumber(account);
      const after = before + COPIES_IN_BATCH + 1;
      await this.#env.DB.prepare(END_COPIES).bind(account, this.#number, before, after).run();
      const tables = await this.#tablesOfDirectory(account);
      if (tables[COPIED.length].results[0]?.number !== after) throw new Error("copies from before have just arrived");
      return tables;
    });
  }

  async #tablesOfDirectory(account) {
    const read = COPIED.map(({ table, of }) => this.#env.DB.prepare(`select * from ${table} where ${of}`).bind(account));
    const tables = await repeated(() => this.#env.DB.batch([...read, this.#env.DB.prepare(NUMBER_OF_COPIES).bind(account)]));
    const [found] = tables[0].results;
    if (found && found.number !== this.#number) throw new Error("the directory has another account of this id");
    return tables;
  }

  /** Adds the rows of the directory that are not here. */
  #insert(tables) {
    COPIED.forEach(({ table }, place) => {
      // The directory may be a migration ahead.
      const columns = this.#sql.exec(`select * from ${table} limit 0`).columnNames;
      const text = `insert into ${table} (${columns}) values (${columns.map(() => "?")}) on conflict do nothing`;
      for (const row of tables[place].results) this.#sql.exec(text, ...columns.map((column) => bindable(row[column])));
    });
    // The directory has all of this. The next change is the one that follows those that it has.
    this.#sql.exec("delete from copies");
    this.#sql.exec("update sqlite_sequence set seq = ? where name = 'copies'", tables[COPIED.length].results[0]?.number ?? 0);
  }

  /**
   * What the module asks of the database for one request. `onCopy` is called where it changes what is copied, `onRestore`
   * with the bookmark to set it back to.
   */
  #database(onCopy, onRestore) {
    const runOne = ([, text, ...values]) => {
      const cursor = this.#sql.exec(text, ...values);
      return { rows: cursor.toArray(), read: cursor.rowsRead, written: cursor.rowsWritten };
    };
    return {
      run: (statements) => {
        if (this.#isEnding) throw new Error("the object starts again");
        const results = this.#state.storage.transactionSync(() => statements.map(runOne));
        if (results.some(({ written }) => written > 0)) {
          const newest = this.#newest();
          if (newest > this.#newestCopy) {
            this.#newestCopy = newest;
            onCopy();
            // Stored with the change itself, since nothing is awaited in between.
            this.#hasAlarm = false;
            this.#state.storage.setAlarm(Date.now() + COPY_AGAIN_MS);
          }
        }
        results.bytes = this.#sql.databaseSize;
        return results;
      },
      // With the counties of the moment in which the module has read what is here.
      readCommon: (lists, names) =>
        readCommon(this.#env, statementsOf(lists, names, this.#rows("select county_fips, from_date from county_grants"))),
      prepareRestore: async (atMs) => {
        // An import that has not ended has no end.
        const since = `select max(created_at, iif(account_id is null, 0, coalesce(ended_at, 9007199254740991))) as at
          from accounts left join account_imports on account_id = id`;
        if (atMs * 1000 <= this.#rows(since)[0].at || atMs < Date.now() - POINTS_MS) return false;
        try {
          onRestore(await this.#state.storage.getBookmarkForTime(atMs));
          return true;
        } catch (error) {
          if (NO_POINTS.test(String(error))) return false;
          throw error;
        }
      },
      times: (key) => {
        const [found] = this.#rows("select times from request_times where key = ?", key);
        return found && new Float64Array(found.times);
      },
      keepTimes: (key, times) => {
        const text = "insert into request_times (key, times) values (?, ?) on conflict do update set times = excluded.times";
        this.#sql.exec(text, key, times.slice().buffer);
      },
    };
  }

  /**
   * Sets the database back to a bookmark, which the runtime does when the object starts next. Before that the directory
   * gets all that it is to keep, so that the next start knows of the restore.
   */
  async #restore(bookmark) {
    this.#isEnding = true;
    try {
      if (!this.#rows("select suspended from accounts")[0].suspended) throw new Error("the account goes on");
      await this.#equalDirectory();
      await this.#state.storage.onNextSessionRestoreBookmark(bookmark);
    } catch (error) {
      this.#isEnding = false;
      throw error;
    }
    setTimeout(() => this.#state.abort("set back to a point in time"), ANSWER_MS);
  }

  /** Lets a request wait for the next start. The Worker sends it again where it may. */
  async #end() {
    await new Promise((resolve) => setTimeout(resolve, 2 * ANSWER_MS));
    throw new Error("the object starts again");
  }

  /** Makes the directory have the rows of the database and no others, also where it was set back itself. */
  #equalDirectory() {
    return this.#inOrder(async () => {
      await this.#queueAll();
      await this.#copyAll();
    });
  }

  /**
   * Lets all rows be copied again, and those of the directory that are not here be deleted. Entries of the log are many and
   * do not change, so only those are copied that the directory lacks.
   */
  async #queueAll() {
    const [{ id }] = this.#rows("select id from accounts");
    const tables = await this.#tablesOfDirectory(id);
    this.#state.storage.transactionSync(() => {
      const inLog = this.#rows("select distinct row_key from copies where table_name = 'operator_log'");
      this.#sql.exec("delete from copies");
      COPIED.forEach(({ table, key }, place) => {
        const theirs = tables[place].results.map((row) => key.map((column) => quoted(row[column])).join());
        const here = this.#rows(`select ${key.map((column) => `quote(${column})`).join(" || ',' || ")} as row_key from ${table}`);
        const keys = new Set(here.map((row) => row.row_key));
        if (table === "operator_log") {
          for (const row of theirs) keys.delete(row);
          for (const row of inLog) keys.add(row.row_key);
        } else if (table !== "key_secrets") {
          // The secrets are those of all accounts.
          for (const row of theirs) keys.add(row);
        }
        for (const row of keys) this.#sql.exec("insert into copies (table_name, row_key) values (?, ?)", table, row);
      });
    });
    const from = [id, this.#firstToCopy() - 1, tables[COPIED.length].results[0]?.number ?? 0];
    if (!(await repeated(() => this.#env.DB.prepare(COPY_FROM).bind(...from).first()))) throw new Error("the directory was set back meanwhile");
  }

  /** Copies what has changed into the directory. One after another, so that no older row replaces a newer one. */
  #copy() {
    return this.#inOrder(() => this.#copyAll());
  }

  #inOrder(work) {
    const done = this.#lastCopy.then(work);
    this.#lastCopy = done.catch(() => {});
    return done;
  }

  async #copyAll() {
    for (let allQueued = false; ; ) {
      const changes = this.#rows("select number, table_name, row_key from copies order by number limit ?", COPIES_IN_BATCH);
      if (changes.length === 0) return;
      const [before, number] = [changes[0].number - 1, changes.at(-1).number];
      const [{ id }] = this.#rows("select id from accounts");
      const upTo = this.#env.DB.prepare(COPY_UP_TO).bind(id, before, number, this.#number);
      try {
        await repeated(() => this.#env.DB.batch([upTo, ...changes.map((change) => this.#copyOf(change))]));
      } catch (error) {
        if (allQueued || (await this.#copiedNumber(id)) >= before) throw error;
        await this.#queueAll();
        allQueued = true;
        continue;
      }
      this.#sql.exec("delete from copies where number <= ?", number);
    }
  }

  #copyOf(change) {
    const [text, ...values] = copyOf(change, (read) => this.#rows(read));
    return this.#env.DB.prepare(text).bind(...values);
  }

  /** Tells the directory the account's last change. Where the directory has lost the account, it gets all of it again. */
  async #tellLastCommit() {
    const [{ id, last_commit_at: at }] = this.#rows("select id, last_commit_at from accounts");
    const tell = this.#env.DB.prepare("update accounts set last_commit_at = ? where id = ? and number = ?");
    if ((await tell.bind(at, id, this.#number).run()).meta.changes === 0) await this.#equalDirectory();
  }

  async #ensureAlarm() {
    if (this.#hasAlarm) return;
    this.#hasAlarm = true;
    if ((await this.#state.storage.getAlarm()) === null) await this.#setNextAlarm();
  }

  #setNextAlarm() {
    // Tests do not wait for an hour.
    const intervalMs = Number(this.#env.MATTERBOOK_TEST_ALARM_SECONDS) * 1000 || ALARM_INTERVAL_MS;
    return this.#state.storage.setAlarm(Date.now() + intervalMs);
  }

  #isDue() {
    return this.#newest() > 0 || this.#rows("select last_commit_at > coalesce(compared_until, 0) as due from accounts")[0].due;
  }

  /** Copies what is still to be copied, and deletes what no longer counts. */
  async alarm() {
    this.#hasAlarm = false;
    // The runtime repeats an alarm that fails or is cut short, but ever less often, and soon no more.
    if (this.#hasAccount() && this.#isDue()) await this.#state.storage.setAlarm(Date.now() + COPY_AGAIN_MS);
    try {
      if (!(await this.#isCurrent())) return;
      await this.#copy();
      await this.#tellLastCommit();
    } catch (error) {
      console.log(JSON.stringify({ route: "alarm", cause: String(error) }));
      return;
    }
    for (const { key, times } of this.#rows("select key, times from request_times")) {
      const newestAt = new Float64Array(times).at(-1) / 1000;
      if (Date.now() - newestAt >= WINDOW_MS) this.#sql.exec("delete from request_times where key = ?", key);
    }
    await untilTrap(() => compareDue(this.#env, this.#database(() => {})));
    // The next request of the account sets the next one, but for a comparison that was too early.
    if (this.#newest() === 0 && this.#isDue()) await this.#setNextAlarm();
  }
}
