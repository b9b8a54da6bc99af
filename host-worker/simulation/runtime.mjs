// The runtime of Cloudflare as an account's object sees it: D1 that fails, storage that is set back to what was flushed, an
// object that is reset in the midst of its work, alarms, and points in time.
import { Account } from "../account.mjs";
import { Database } from "./database.mjs";

/**
 * How often the runtime tries an alarm, each time after twice as long. Cloudflare's does six times; with fewer, a seed finds
 * sooner what relies on them.
 */
const ALARM_ATTEMPTS_MAX = 2;

/** How likely each fault is, while there are any. */
const FAULTS = { lost: 0.05, lostAnswer: 0.05, slow: 0.1, reset: 0.06, resetUnflushed: 0.02, noReplica: 0.2 };

const SLOW_MS = 20_000;

class Statement {
  constructor(directory, text, values = []) {
    this.directory = directory;
    this.text = text;
    this.values = values;
  }

  bind(...values) {
    return new Statement(this.directory, this.text, values);
  }

  async first() {
    return (await this.directory.batch([this]))[0].results[0] ?? null;
  }

  async run() {
    return (await this.directory.batch([this]))[0];
  }
}

/** D1, as one start of an object sees it. */
export class DirectoryBinding {
  constructor(world, start) {
    this.world = world;
    this.start = start;
  }

  prepare(text) {
    return new Statement(this, text);
  }

  /** What reads from a replica, where there is one. */
  withSession() {
    const session = new DirectoryBinding(this.world, this.start);
    session.isNearest = true;
    return session;
  }

  async batch(statements) {
    const { clock, random } = this.world;
    this.world.calls += 1;
    // What an object sends leaves it when its storage is flushed.
    if (this.world.happens("resetUnflushed")) {
      this.start.object.reset(this.start, false);
      await this.start.wait();
    }
    this.start.object.flush(this.start);
    if (this.world.happens("reset")) {
      // What it has sent arrives, and its answer reaches nobody.
      clock.pause(random() * (this.world.lateMs ?? SLOW_MS)).then(() => this.#run(statements)).catch(() => {});
      this.start.object.reset(this.start, true);
    }
    await this.start.wait(clock.pause(this.world.happens("slow") ? random() * SLOW_MS : 1 + random() * 20));
    const isAway = this.isNearest && this.world.isReplicaAway;
    if (isAway || this.world.happens("lost") || this.world.isDown) throw new Error("D1_ERROR: Network connection lost.");
    const results = this.#run(statements);
    await this.start.wait(clock.pause(1 + random() * 20));
    if (this.world.happens("lostAnswer")) throw new Error("D1_ERROR: Network connection lost.");
    return results;
  }

  #run(statements) {
    const isPrimary = !this.isNearest || this.world.happens("noReplica");
    const database = isPrimary ? this.world.directory : this.world.replica;
    return database.transaction(() =>
      statements.map(({ text, values }) => {
        const { rows, written } = database.exec(text, values);
        return { results: rows, meta: { changes: written, served_by_primary: isPrimary } };
      }),
    );
  }
}

/** One start of an object: what it holds on to ends with it. */
class Start {
  isOver = false;

  constructor(world, object, id) {
    this.object = object;
    this.account = new Account(this.#state(world, object, id), { ...world.env, DB: new DirectoryBinding(world, this) });
  }

  /** Waits for what comes from outside. An object that was reset never sees it. */
  async wait(promise) {
    await promise;
    if (this.isOver) await new Promise(() => {});
  }

  #check() {
    if (this.isOver) throw new Error("this start of the object is over");
  }

  #state(world, object, id) {
    const exec = (text, ...values) => {
      this.#check();
      const { rows, columns, written } = object.database.exec(text, values);
      object.isFlushed &&= written === 0;
      return { toArray: () => rows, columnNames: columns, rowsRead: rows.length, rowsWritten: written };
    };
    return {
      id,
      abort: () => object.reset(this, true),
      storage: {
        sql: { exec, databaseSize: 0 },
        transactionSync: (work) => {
          this.#check();
          return object.database.transaction(work);
        },
        getAlarm: async () => object.alarmAt,
        setAlarm: async (at) => {
          this.#check();
          object.setAlarm(at);
        },
        getBookmarkForTime: async (atMs) => {
          const point = object.points.findLast(({ at }) => at <= atMs);
          if (!point) throw new Error("no bookmark");
          await world.clock.pause(1 + world.random() * 100);
          return point;
        },
        onNextSessionRestoreBookmark: async (point) => {
          this.#check();
          object.nextPoint = point;
          object.needsDirectory = true;
        },
      },
    };
  }
}

/** The object of an account, through all of its starts. */
export class SimulatedObject {
  alarmAt = null;
  isFlushed = true;
  /** Whether it was lost or set back, and has not answered since: the directory alone has what it lacks. */
  needsDirectory = false;
  /** The states that it may be set back to. */
  points = [];
  nextPoint = null;
  #world;
  #start = null;
  #stored = undefined;
  #waiting = new Set();

  constructor(world, number) {
    this.#world = world;
    this.number = String(number);
    this.database = Database.ofObject();
  }

  /** Sends a request. It rejects where the object is reset meanwhile. */
  async send(request) {
    const response = await this.#during((start) => start.account.fetch(request));
    this.needsDirectory &&= this.nextPoint !== null;
    return response;
  }

  async #during(work, id = { name: this.number }) {
    this.#start ??= this.#begin(id);
    const start = this.#start;
    let end;
    const isReset = new Promise((_, reject) => (end = reject));
    this.#waiting.add(end);
    try {
      const result = await Promise.race([work(start), isReset]);
      // An answer leaves when the storage is flushed.
      if (start.isOver) await isReset;
      this.flush(start);
      return result;
    } finally {
      this.#waiting.delete(end);
    }
  }

  #begin(id) {
    if (this.nextPoint) {
      this.#open(this.nextPoint.bytes);
      this.#stored = this.nextPoint.bytes;
      this.nextPoint = null;
    }
    return new Start(this.#world, this, id);
  }

  #open(bytes) {
    this.database.close();
    this.database = Database.ofObject(bytes);
    this.isFlushed = true;
  }

  flush(start) {
    if (start.isOver || this.isFlushed) return;
    this.#stored = this.database.bytes();
    this.isFlushed = true;
  }

  /** A state that the object may be set back to. */
  mark() {
    if (!this.#stored) return;
    const { now } = this.#world.clock;
    if (this.points.at(-1)?.at !== now) this.points.push({ at: now, bytes: this.#stored });
  }

  /** Ends a start, as a deployment does. What was not flushed may be lost. */
  reset(start, keepsAll) {
    if (start.isOver) return;
    if (keepsAll) this.flush(start);
    else if (!this.isFlushed) this.#open(this.#stored);
    start.isOver = true;
    this.#start = null;
    for (const end of this.#waiting) end(Object.assign(new Error("the object was reset"), { durableObjectReset: true }));
  }

  /** Ends the start that there is. */
  end() {
    if (this.#start) this.reset(this.#start, true);
  }

  /** Loses all that is stored. */
  lose() {
    this.end();
    this.#open(undefined);
    this.#stored = undefined;
    this.needsDirectory = true;
    this.points = [];
    this.nextPoint = null;
    this.alarmAt = null;
  }

  setAlarm(at) {
    this.alarmAt = at;
    this.#world.clock.pause(Math.max(0, at - this.#world.clock.now)).then(() => this.alarmAt === at && this.#ring(1));
  }

  async #ring(attempt) {
    this.alarmAt = null;
    // The runtime of this machine gives no name to an object that its alarm starts.
    await this.#during((start) => start.account.alarm(), {}).catch(() => {
      if (attempt >= ALARM_ATTEMPTS_MAX || this.alarmAt !== null) return;
      const at = this.#world.clock.now + 2_000 * 2 ** attempt;
      this.alarmAt = at;
      this.#world.clock.pause(at - this.#world.clock.now).then(() => this.alarmAt === at && this.#ring(attempt + 1));
    });
  }
}

/** The directory, and the faults. */
export class World {
  hasFaults = true;
  wasSetBack = false;
  isReplicaAway = false;
  /** How often the directory was asked. */
  calls = 0;
  env = {};
  #downUntil = 0;
  #earlier;

  constructor(clock, random, template) {
    this.clock = clock;
    this.random = random;
    this.directory = Database.ofD1(template);
    this.replica = Database.ofD1(template);
    this.#earlier = template;
  }

  /** The replica gets what the directory has, or fails until the next time. */
  replicate() {
    this.isReplicaAway = this.random() < 0.2;
    this.replica.close();
    this.replica = Database.ofD1(this.directory.bytes());
  }

  /** The directory fails for so long. */
  goDown(durationMs) {
    this.#downUntil = this.clock.now + durationMs;
  }

  get isDown() {
    return this.hasFaults && this.clock.now < this.#downUntil;
  }

  /** A state that the directory may be set back to. */
  markDirectory() {
    this.#earlier = this.directory.bytes();
  }

  /** Sets the directory back, as an operator may. It then lacks what was answered. */
  setDirectoryBack() {
    this.directory.close();
    this.directory = Database.ofD1(this.#earlier);
    this.replicate();
    this.wasSetBack = true;
  }

  happens(fault) {
    return this.hasFaults && this.random() < FAULTS[fault];
  }
}
