// SQLite in memory, with the forms that D1 and a Durable Object give its values.
import initialize from "sql.js";

const SQL = await initialize();

/** A value as SQLite takes it. */
const bound = (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);

/** Bytes as a Durable Object gives them. */
const asObject = (value) => (value instanceof Uint8Array ? value.slice().buffer : value);

/** Bytes as D1 gives them. */
const asD1 = (value) => (value instanceof Uint8Array ? [...value] : value);

export class Database {
  #database;
  #form;

  constructor(bytes, form) {
    this.#database = new SQL.Database(bytes);
    this.#form = form;
    this.#database.exec("pragma foreign_keys = on");
  }

  static ofObject(bytes) {
    return new Database(bytes, asObject);
  }

  static ofD1(bytes) {
    return new Database(bytes, asD1);
  }

  /** All that is stored. */
  bytes() {
    const bytes = this.#database.export();
    // It closes and opens the database.
    this.#database.exec("pragma foreign_keys = on");
    return bytes;
  }

  close() {
    this.#database.close();
  }

  /** Runs one statement, or several without values. */
  exec(text, values = []) {
    if (values.length === 0 && /;\s*\S/.test(text.replace(/begin[\s\S]*end/i, ""))) {
      this.#database.exec(text);
      return { rows: [], columns: [], written: 1 };
    }
    const before = this.#database.exec("select total_changes()")[0].values[0][0];
    const statement = this.#database.prepare(text);
    try {
      statement.bind(values.map(bound));
      const columns = statement.getColumnNames();
      const rows = [];
      while (statement.step()) {
        const row = statement.get();
        rows.push(Object.fromEntries(columns.map((column, place) => [column, this.#form(row[place])])));
      }
      const after = this.#database.exec("select total_changes()")[0].values[0][0];
      return { rows, columns, written: after - before };
    } finally {
      statement.free();
    }
  }

  /** Runs work in a transaction. */
  transaction(work) {
    this.#database.exec("savepoint work");
    try {
      const result = work();
      this.#database.exec("release work");
      return result;
    } catch (error) {
      this.#database.exec("rollback to work; release work");
      throw error;
    }
  }
}
