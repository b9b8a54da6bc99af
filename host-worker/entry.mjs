// The entry of the Worker. The rules are in the wasm module; trap.mjs answers for it when it traps.
//
// This file bounds the bodies that an isolate works on at once, before the module has any part in them. Where each
// account has an object of its own (the profile `objects`), it gives a request to the object of its account.
import { Account } from "./account.mjs";
import { RateLimit as RateLimitOfModule, __worker_init_state as moduleState, accountOf, compareDue, fetch as answerOf } from "./dist/index.js";
import { namespaceOf } from "./jurisdictions.mjs";
import { ProspectChanges } from "./prospect-changes.mjs";
import { TRAPPED, answer, untilTrap } from "./trap.mjs";

export { Account };

const BUSY = "The service is busy and nothing was saved. Please try again after the seconds in Retry-After.";

const BODY_LIMIT_BYTES = 12 * 1024 * 1024;
const BODY_BUDGET_BYTES = 16 * 1024 * 1024;

/** What a body of undeclared length counts as. The largest would leave others no room while it is sent slowly. */
const UNDECLARED_BYTES = 1024 * 1024;

/** Smaller bodies always fit. */
const COUNTED_BYTES_MIN = 16 * 1024;

/** What the runtime cancels does not end, so a reservation counts for no longer than a request may take. */
const RESERVED_MS_MAX = 60 * 1000;

/** How long a body waits for room. */
const WAIT_MS_MAX = 5 * 1000;

/** How long the body of a refused request is taken and dropped. */
const DRAINED_MS_MAX = 5 * 1000;

/** The bodies under way: how many bytes each declares, and until when it counts. */
const reservations = new Set();

/** Waits for room for a request's body, and reserves it (rule W18). Null where there is none for too long. */
async function waitForRoom(request, env) {
  const end = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const reservation = reserve(request, env);
    if (reservation || Date.now() >= end) return reservation;
    // An event of one request does not reliably wake another.
    await new Promise((resolve) => setTimeout(resolve, 20 + 30 * Math.random()));
  }
}

/** Reserves room for a request's body. Null where there is none. */
function reserve(request, env) {
  // The module refuses a limit that is no number.
  const limit = Number(env.MATTERBOOK_BODY_LIMIT_BYTES) || BODY_LIMIT_BYTES;
  const given = env.MATTERBOOK_BODY_BUDGET_BYTES || String(BODY_BUDGET_BYTES);
  if (!/^[0-9]{1,10}$/.test(given)) throw "MATTERBOOK_BODY_BUDGET_BYTES must be a whole number of bytes.";
  const declared = Number(request.headers.get("content-length") ?? UNDECLARED_BYTES);
  // A body past the limit is not read.
  const reservation = { bytes: declared > limit ? 0 : declared, until: Date.now() + RESERVED_MS_MAX };
  if (request.body === null || reservation.bytes <= COUNTED_BYTES_MIN) return reservation;
  let underWay = 0;
  for (const other of reservations) {
    if (other.until <= Date.now()) reservations.delete(other);
    else underWay += other.bytes;
  }
  // Alone, the largest body fits.
  if (underWay > 0 && underWay + reservation.bytes > Number(given)) return null;
  reservations.add(reservation);
  return reservation;
}

/** How often a request is sent to an object that was reset, such as by a deployment. */
const ATTEMPTS_MAX = 3;

/** The longest wait before the second attempt; twice as long before the third. */
const REPEAT_MS_MAX = 100;

/** The longest body that is kept to be sent again. It is in memory twice meanwhile. */
const KEPT_BYTES_MAX = 1024 * 1024;

/**
 * Whether a request may be sent again of which it is not known what became of it (rule W25): one without a body, and a
 * post of clients, which callers may send again too (rule E7).
 */
function isRepeatable(request) {
  if (request.body === null) return true;
  const length = request.headers.get("content-length");
  return length !== null && Number(length) <= KEPT_BYTES_MAX && new URL(request.url).pathname.startsWith("/api/v1/");
}

/** The answer of an account's object. */
async function answerOfAccount(request, env, account) {
  const accounts = namespaceOf(env, account);
  for (let attempt = 1; ; attempt += 1) {
    const kept = attempt < ATTEMPTS_MAX && isRepeatable(request) ? request.clone() : null;
    try {
      // What has failed once fails again with the same stub.
      return await accounts.getByName(account).fetch(request);
    } catch (error) {
      const isReset = error.retryable || error.durableObjectReset;
      if (!kept || !isReset || error.overloaded) throw error;
      await new Promise((resolve) => setTimeout(resolve, REPEAT_MS_MAX * attempt * Math.random()));
      request = kept;
    }
  }
}

export default {
  async fetch(request, env, context) {
    let reservation;
    let prospects;
    try {
      reservation = await waitForRoom(request, env);
      if (!reservation) {
        // The caller reads no answer before its body is taken.
        const isOver = AbortSignal.timeout(DRAINED_MS_MAX);
        await request.body.pipeTo(new WritableStream(), { signal: isOver }).catch(() => {});
        return answer(request.method, "the bodies under way exceed the isolate's budget", BUSY, { "retry-after": "5" });
      }
      prospects = ProspectChanges.of(env);
      const ownEnv = prospects ? { ...env, DB: prospects } : env;
      const account = env.ACCOUNTS && (await untilTrap(() => accountOf(request, env)));
      const answering = account
        ? async () => (account === TRAPPED ? TRAPPED : answerOfAccount(request, env, account))
        : () => untilTrap(() => answerOf(request, ownEnv, context));
      // An object that has too much to do has begun nothing.
      const response = await answering().catch((error) => {
        if (!error.overloaded) throw error;
        return answer(request.method, String(error), BUSY, { "retry-after": "5" });
      });
      return response === TRAPPED ? answer(request.method, "the module trapped") : response;
    } catch (error) {
      return answer(request.method, String(error));
    } finally {
      reservations.delete(reservation);
      await prospects?.end().catch((error) => console.log(JSON.stringify({ route: "…", cause: String(error) })));
    }
  },

  /** Compares the clients of accounts that changed (rule Y7). Where each account has an object, its alarm does it. */
  async scheduled(_event, env) {
    if (env.ACCOUNTS) return;
    if ((await untilTrap(() => compareDue(env))) === TRAPPED) throw new Error("the module trapped");
  },
};

/** How often the object of a rate limit checks whether it is still used. Each check of one in use writes a row. */
const ALARM_INTERVAL_MS = 24 * 60 * 60 * 1000;

/** How long a request counts (rule R1). */
const WINDOW_MS = 60 * 1000;

/** The Durable Object of a key's rate limit. It outlives the instances of the module. */
export class RateLimit {
  #arguments;
  #storage;
  #alarmIntervalMs;
  #hasAlarm = false;
  #object;
  #instanceId;

  constructor(...stateAndEnv) {
    const [state, env] = stateAndEnv;
    this.#arguments = stateAndEnv;
    this.#storage = state.storage;
    // Tests do not wait for a day.
    this.#alarmIntervalMs = Number(env.MATTERBOOK_TEST_ALARM_SECONDS) * 1000 || ALARM_INTERVAL_MS;
  }

  /** The module's object, made again when the instance that made it has trapped. */
  #current() {
    // This call starts a new instance where one is due; its number goes up with each.
    const { instanceId } = moduleState();
    if (this.#instanceId !== instanceId) {
      this.#object = new RateLimitOfModule(...this.#arguments);
      this.#instanceId = instanceId;
    }
    return this.#object;
  }

  async fetch(request) {
    const response = await untilTrap(() => this.#current().fetch(request));
    if (response === TRAPPED) throw new Error("the module trapped");
    await this.#ensureAlarm();
    return response;
  }

  /** Deletes what is stored when nothing of it counts any more (rule R10). The module's copy is as old, so it may stay. */
  async alarm() {
    this.#hasAlarm = false;
    const newest = (await this.#storage.get("admitted"))?.at(-1) ?? 0;
    if (Date.now() - newest / 1000 >= WINDOW_MS) await this.#storage.deleteAll();
    else await this.#ensureAlarm();
  }

  async #ensureAlarm() {
    if (this.#hasAlarm) return;
    this.#hasAlarm = true;
    if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(Date.now() + this.#alarmIntervalMs);
  }
}
