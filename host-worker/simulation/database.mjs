// SQLite in memory, with the forms that D1 and a Durable Object give its values.
import initialize from "sql.js";

const SQL = await initialize();

/** A database has one connection, and its file is in memory: it needs no journal file and no locks. */
const SETTINGS = "pragma foreign_keys = on; pragma locking_mode = exclusive; pragma journal_mode = memory; pragma synchronous = off";

/** A value as SQLite takes it. */
const bound = (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);

/** Bytes as a Durable Object gives them. */
const asObject = (value) => (value instanceof Uint8Array ? value.slice().buffer : value);

/** Bytes as D1 gives them. */
const asD1 = (value) => (value instanceof Uint8Array ? [...value] : value);

export class Database {
  /** All that is stored, or nothing where a statement since may have written. */
  #bytes;
  /** Opened by its first statement. Most copies are never read. */
  #database;
  /** By their texts. A seed runs some statements thousands of times. */
  #prepared = new Map();
  #form;

  constructor(bytes, form) {
    this.#bytes = bytes;
    this.#form = form;
  }

  static ofObject(bytes) {
    return new Database(bytes, asObject);
  }

  static ofD1(bytes) {
    return new Database(bytes, asD1);
  }

  /** All that is stored. */
  bytes() {
    if (!this.#bytes) {
      this.#bytes = this.#open().export();
      // It has closed and opened the database, and freed its statements.
      this.#prepared.clear();
      this.#database.exec(SETTINGS);
    }
    return this.#bytes;
  }

  close() {
    this.#database?.close();
  }

  /** Runs one statement, or several without values. */
  exec(text, values = []) {
    if (!/^\s*select\s/i.test(text)) {
      this.#open();
      this.#bytes = null;
    }
    if (values.length === 0 && /;\s*\S/.test(text.replace(/begin[\s\S]*end/i, ""))) {
      this.#open().exec(text);
      return { rows: [], columns: [], written: 1 };
    }
    const before = this.#changes();
    const statement = this.#prepare(text);
    try {
      statement.bind(values.map(bound));
      const columns = statement.getColumnNames();
      const rows = [];
      while (statement.step()) {
        const row = statement.get();
        rows.push(Object.fromEntries(columns.map((column, place) => [column, this.#form(row[place])])));
      }
      return { rows, columns, written: this.#changes() - before };
    } finally {
      statement.reset();
    }
  }

  /** Runs work in a transaction. */
  transaction(work) {
    this.#run("savepoint work");
    try {
      const result = work();
      this.#run("release work");
      return result;
    } catch (error) {
      this.#run("rollback to work");
      this.#run("release work");
      throw error;
    }
  }

  #open() {
    if (!this.#database) {
      this.#database = new SQL.Database(this.#bytes);
      this.#database.exec(SETTINGS);
    }
    return this.#database;
  }

  #prepare(text) {
    const known = this.#prepared.get(text);
    if (known) return known;
    const statement = this.#open().prepare(text);
    this.#prepared.set(text, statement);
    return statement;
  }

  /** Runs a statement that takes and gives nothing. */
  #run(text) {
    this.#prepare(text).run();
  }

  /** Rows that were written so far, also by triggers. */
  #changes() {
    const statement = this.#prepare("select total_changes()");
    statement.step();
    const [changes] = statement.get();
    statement.reset();
    return changes;
  }
}
