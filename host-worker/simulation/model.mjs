// What an account has to have, by the answers that it gave. A change that was not answered may have happened or not.

/** The value of what is not there. */
const ABSENT = undefined;

/** What each operation makes of the entry that it is about: its kind, and its value. */
const EFFECTS = {
  addKey: ["keys", () => 1],
  revokeKey: ["keys", () => 0],
  addLogin: ["logins", () => 1],
  removeLogin: ["logins", () => ABSENT],
  beginSession: ["sessions", () => 1],
  endSession: ["sessions", () => ABSENT],
  grant: ["grants", ({ at }) => String(at)],
  revokeGrant: ["grants", () => ABSENT],
  suspend: ["flags", () => 1],
  resume: ["flags", () => 0],
  saveClient: ["clients", () => 1],
};

export class Model {
  /** By kind and id, the values that an entry may have. */
  #entries = new Map();
  /** The same of the directory, which may lack what was not answered. */
  #copies = new Map();
  /** The clients that a restore may have set the account back to. */
  #restores = [];

  constructor(logins) {
    for (const login of logins) this.#set("logins", login, 1);
    this.#set("flags", "suspended", 0);
  }

  #set(kind, id, ...values) {
    this.#entries.set(`${kind} ${id}`, values);
    this.#copies.set(`${kind} ${id}`, values);
  }

  /** The ids of a kind with an entry of which one value alone is possible, and which is that one. */
  idsOf(kind, value) {
    const entries = [...this.#entries].filter(([name, values]) => name.startsWith(`${kind} `) && values.length === 1 && values[0] === value);
    return entries.map(([name]) => name.slice(kind.length + 1));
  }

  get isSuspended() {
    return this.idsOf("flags", 1).length > 0;
  }

  /** Takes in that a request was sent: until it is answered, both are possible. */
  sent(request) {
    if (request.name === "restore") return this.#restores.push(request.clients);
    const [kind, value] = EFFECTS[request.name];
    const name = `${kind} ${request.id}`;
    for (const entries of [this.#entries, this.#copies]) {
      entries.set(name, [...new Set([...(entries.get(name) ?? [ABSENT]), value(request)])]);
    }
  }

  /** Takes in the answer to a request. */
  answered(request, status) {
    if (request.name === "restore") {
      if (status === 200) this.#setClients(request.clients);
      return;
    }
    const [kind, value] = EFFECTS[request.name];
    if (status === 200) this.#set(kind, request.id, value(request));
    if (status === 403) this.#set(kind, request.id, ABSENT);
  }

  #setClients(clients) {
    this.#restores = [];
    for (const name of [...this.#entries.keys()]) if (name.startsWith("clients ")) this.#entries.delete(name);
    for (const name of [...this.#copies.keys()]) if (name.startsWith("clients ")) this.#copies.delete(name);
    for (const id of Object.keys(clients)) this.#set("clients", id, 1);
  }

  /** The object has lost all that the directory has not. */
  lost() {
    this.#setClients({});
    this.#entries = new Map(this.#copies);
  }

  /** What is wrong with the contents of an account, or nothing. What they are is then the one possibility. */
  check(contents) {
    const clients = Object.keys(contents.clients).sort().join();
    const restored = this.#restores.find((possible) => Object.keys(possible).sort().join() === clients);
    const isAsBefore = !this.#fault({ clients: contents.clients }, "clients ");
    if (!isAsBefore && restored) this.#setClients(restored);
    const fault = this.#fault(contents, "");
    if (fault) return fault;
    for (const name of this.#entries.keys()) {
      const [kind, id] = name.split(" ");
      this.#entries.set(name, [contents[kind][id]]);
    }
  }

  #fault(contents, prefix) {
    for (const [name, values] of this.#entries) {
      if (!name.startsWith(prefix)) continue;
      const [kind, id] = name.split(" ");
      const value = contents[kind][id];
      if (!values.includes(value)) return `${name} is ${value}, and not ${values.map(String).join(" or ")}`;
    }
    for (const [kind, members] of Object.entries(contents)) {
      for (const id of Object.keys(members)) {
        if (!this.#entries.has(`${kind} ${id}`)) return `${kind} ${id} comes from nowhere`;
      }
    }
  }
}
