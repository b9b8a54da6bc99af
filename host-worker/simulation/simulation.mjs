// One simulated run of some accounts: the requests that a seed chooses, the faults, and what has to hold.
import { COPIED } from "../directory.mjs";
import { Clock, randomBy } from "./clock.mjs";
import { Database } from "./database.mjs";
import { Model } from "./model.mjs";
import { Prospects } from "./prospects.mjs";
import { bytes, contentsOf } from "./rules.mjs";
import { SimulatedObject, World } from "./runtime.mjs";
import { EMPTY_DIRECTORY } from "./schema.mjs";

const ACCOUNTS = 3;
const ACCOUNTS_MAX = 5;

/** How often an object without a fault asks the directory for one change and its next alarm. */
const CALLS_MAX = 4;

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

const OPERATIONS = ["addKey", "revokeKey", "addLogin", "removeLogin", "beginSession", "endSession", "grant", "revokeGrant", "suspend", "resume", "saveClient", "restore"];

class Fault extends Error {}

export class Simulation {
  #clock = new Clock();
  #random;
  #world;
  #prospects;
  #firms = [];
  #number = 0;
  #trace;
  #fault;
  /** Whether the directory is set back at times. */
  #setsBack;

  constructor(seed, trace) {
    this.#random = randomBy(seed);
    this.#setsBack = seed % 4 === 0;
    this.#clock.install(this.#random);
    this.#world = new World(this.#clock, this.#random, EMPTY_DIRECTORY);
    this.#prospects = new Prospects(this.#world);
    this.#trace = trace;
  }

  #say(text) {
    if (this.#trace) process.stdout.write(`${((this.#clock.now % HOUR_MS) / 1000).toFixed(3)} ${text}\n`);
  }

  #chosen(list) {
    return list[Math.floor(this.#random() * list.length)];
  }

  /** An account is made in the directory. Its object takes it over later. */
  #open(number) {
    const logins = [`keeper${number}`, `owner${number}`];
    this.#world.directory.exec(
      `insert into accounts (public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at)
       values (?, ?, 'a@b.example', 1, 0, 0, 0, ?)`,
      [bytes(`account${number}`), number, this.#clock.now * 1000],
    );
    for (const login of logins) {
      const text = `insert into logins (id, account_id, email, role, created_at)
        select ?, id, ?, 'owner', 0 from accounts where number = ?`;
      this.#world.directory.exec(text, [bytes(login), login.replace(/[0-9]+/, "@b.example"), number]);
    }
    const object = new SimulatedObject(this.#world, number);
    this.#firms.push({ number, object, model: new Model(logins), busy: new Set(), sent: 0 });
  }

  /** A request that fits what the account has, or none. */
  #request(firm) {
    const { model } = firm;
    this.#number += 1;
    const name = this.#chosen(OPERATIONS);
    const made = `${name}${this.#number}`;
    const ids = {
      addKey: [made], addLogin: [made], saveClient: [made],
      revokeKey: model.idsOf("keys", 1), removeLogin: model.idsOf("logins", 1).filter((id) => !id.startsWith("keeper")),
      beginSession: [made], endSession: model.idsOf("sessions", 1),
      grant: ["06037", "17031"], revokeGrant: ["06037", "17031"], suspend: ["suspended"], resume: ["suspended"],
      restore: model.isSuspended ? firm.object.points : [],
    }[name];
    if (ids.length === 0) return null;
    const id = this.#chosen(ids);
    const request = { name, id, at: this.#clock.now, number: String(this.#number) };
    return name === "restore" ? { ...request, id: id.at, clients: this.#clientsOf(id.bytes) } : request;
  }

  #clientsOf(bytes) {
    const database = Database.ofObject(bytes);
    const { clients } = contentsOf((statements) => statements.map(([text]) => database.exec(text)));
    database.close();
    return clients;
  }

  async #send(firm, request) {
    const place = request.name === "restore" ? "restore" : request.id;
    // Of two changes of one thing at once, either may be the later.
    if (firm.busy.has(place)) return;
    firm.busy.add(place);
    firm.sent += 1;
    if (request.name === "restore" && this.#random() < 0.5) this.#goOn(firm);
    firm.model.sent(request);
    this.#say(`${firm.number} ${request.number} ${request.name} ${request.id}`);
    try {
      const { status } = await firm.object.send(request);
      this.#say(`${firm.number} ${request.number} ${status}`);
      firm.model.answered(request, status);
    } catch (error) {
      if (error instanceof Fault) throw error;
      this.#say(`${firm.number} ${request.number} ${error.message}`);
      return error;
    } finally {
      firm.busy.delete(place);
    }
  }

  /** Ends the suspension and saves a client, while the object is being set back. */
  async #goOn(firm) {
    for (const [name, id] of [["resume", "suspended"], ["saveClient", `late${this.#number}`]]) {
      await this.#clock.pause(this.#random() * 100);
      this.#number += 1;
      this.#send(firm, { name, id, at: this.#clock.now, number: String(this.#number), bodyMs: 1_000 });
    }
  }

  async #look(firm) {
    const { sent } = firm;
    const { hasFaults } = this.#world;
    try {
      const { contents } = await firm.object.send({ name: "show" });
      // What was sent meanwhile may be in it or not.
      if (contents && firm.busy.size === 0 && firm.sent === sent) this.#require(firm, firm.model.check(contents));
    } catch (error) {
      this.#failed(firm, "show", error, hasFaults);
    }
  }

  /** Asks for a page of prospects. */
  async #list(firm) {
    const { directory, hasFaults } = this.#world;
    try {
      const fault = await this.#prospects.check(firm.object);
      // What was asked of a directory that is set back meanwhile may be of either.
      if (directory === this.#world.directory) this.#require(firm, fault);
    } catch (error) {
      this.#failed(firm, "page", error, hasFaults);
    }
  }

  /** Takes in that a request failed, which may be if there were faults when it was sent. */
  #failed(firm, name, error, hadFaults = this.#world.hasFaults) {
    this.#say(`${firm.number} ${name}: ${error.message}`);
    const mayFail = hadFaults || this.#isOusted(firm);
    if (error instanceof Fault || !mayFail) this.#fault ??= error;
  }

  #require(firm, fault) {
    if (fault) throw new Fault(`account ${firm.number}: ${fault}`);
  }

  /** An object is lost. The directory has all that was answered, but for clients. */
  #lose(firm) {
    if (firm.busy.size > 0 || this.#world.wasSetBack) return;
    this.#say(`${firm.number} is lost`);
    firm.object.lose();
    firm.model.lost();
  }

  /** Sets the directory back. Then a further account is made, which may get the id of one that is lost. */
  #setDirectoryBack() {
    if (this.#firms.some(({ object }) => object.needsDirectory)) return;
    this.#world.setDirectoryBack();
    this.#prospects.setBack();
    this.#say("the directory is set back");
    if (this.#firms.length < ACCOUNTS_MAX) this.#open(this.#firms.length + 1);
  }

  /** Whether the directory has another account of the id of this one. */
  #isOusted({ object }) {
    if (object.database.exec("select 1 from sqlite_schema where name = 'migrations'").rows.length === 0) return true;
    const [account] = object.database.exec("select id, number from accounts").rows;
    const [found] = this.#world.directory.exec("select number from accounts where id = ?", [account?.id ?? 0]).rows;
    return found !== undefined && found.number !== account.number;
  }

  #step() {
    const firm = this.#chosen(this.#firms);
    const kind = this.#random();
    if (kind < 0.04) firm.object.end();
    else if (kind < 0.06) this.#lose(firm);
    else if (kind < 0.07) this.#world.goDown(this.#random() * 10 * MINUTE_MS);
    else if (kind < 0.075) this.#world.markDirectory();
    else if (kind < 0.08 && this.#setsBack) this.#setDirectoryBack();
    else if (kind < 0.14) firm.object.mark();
    else if (kind < 0.3) this.#look(firm);
    else if (kind < 0.38) this.#prospects.change();
    else if (kind < 0.4) this.#world.replicate();
    else if (kind < 0.5) this.#list(firm);
    else {
      const request = this.#request(firm);
      if (request) this.#send(firm, request);
    }
  }

  /** Runs so many steps, lets the faults end, and compares. Returns what is wrong, or nothing. */
  async run(steps) {
    for (let number = 1; number <= ACCOUNTS; number += 1) this.#open(number);
    for (let step = 0; step < steps && !this.#fault; step += 1) {
      this.#step();
      await this.#clock.run(() => false, this.#clock.now + this.#random() ** 4 * 20_000);
    }
    this.#world.hasFaults = false;
    this.#say("no more faults");
    await this.#clock.run(() => this.#fault, this.#clock.now + MINUTE_MS);
    // Where the directory was set back, the next change shows it. An object that was set back and has answered nothing since
    // has yet to take over what the directory has.
    if (!this.#world.wasSetBack) this.#compareAll(this.#firms.filter(({ object }) => !object.needsDirectory), true);
    for (let round = 0; round < 2 && !this.#fault; round += 1) {
      await this.#clock.run(() => this.#fault, this.#clock.now + 4 * HOUR_MS);
      if (!this.#world.wasSetBack) this.#compareAll(this.#firms.filter(({ object }) => !object.needsDirectory));
      const firms = this.#firms.filter((firm) => !this.#isOusted(firm));
      for (const firm of firms) {
        this.#look(firm);
        this.#list(firm);
      }
      await this.#clock.run(() => this.#fault, this.#clock.now + MINUTE_MS);
      // Changes go on, also where the directory has lost the account.
      this.#world.calls = 0;
      for (const firm of firms) {
        this.#number += 1;
        const request = { name: "addLogin", id: `last${this.#number}`, at: this.#clock.now, number: String(this.#number) };
        this.#send(firm, request).then((error) => error && this.#failed(firm, request.name, error));
      }
      await this.#clock.run(() => this.#fault, this.#clock.now + MINUTE_MS);
      const isTooMuch = !this.#world.wasSetBack && this.#world.calls > CALLS_MAX * firms.length;
      if (isTooMuch) this.#fault ??= new Fault(`${firms.length} changes asked the directory ${this.#world.calls} times`);
    }
    await this.#clock.run(() => this.#fault, this.#clock.now + 4 * HOUR_MS);
    this.#compareAll(this.#firms);
    for (const { object } of this.#firms) object.database.close();
    this.#world.directory.close();
    this.#world.replica.close();
    return this.#fault?.message;
  }

  #compareAll(firms, isSoon = false) {
    for (const firm of firms) if (!this.#fault && !this.#isOusted(firm)) this.#compare(firm, isSoon);
  }

  /** Whether the directory has what the object has. Soon after the last fault it may lack the time of the last change of clients. */
  #compare({ number, object }, isSoon) {
    const { directory } = this.#world;
    const id = directory.exec("select id from accounts where number = ?", [number]).rows[0]?.id ?? 0;
    for (const { table, key, of } of COPIED) {
      const rows = (database) => database.exec(`select * from ${table} where ${of} order by ${key}`, [id]).rows;
      const list = (_, value) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value);
      const text = (database) => JSON.stringify(rows(database).map((row) => ({ ...row, ...(isSoon && { last_commit_at: 0 }) })), list);
      const [here, there] = [text(object.database), text(directory)];
      if (here !== there) this.#fault ??= new Fault(`account ${number}: ${table} of the object\n  ${here}\nand of the directory\n  ${there}`);
    }
  }
}
