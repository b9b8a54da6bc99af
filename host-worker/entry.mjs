// The entry of the Worker. The rules are in the wasm module; this file answers for it when it traps.
//
// A trap ends the module's instance and all that it was working on: those promises never settle. So each
// call into the module watches for a trap, and a request that meets one gets the JSON answer that every
// other failure of the service gets. The next call into the module starts a new instance.
import { RateLimit as RateLimitOfModule, __worker_init_state as moduleState, fetch as answerOf } from "./dist/index.js";

/** How often a call checks whether the module trapped. Most calls end before the first check. */
const CHECK_MS = 100;

/** The result of a call during which the module trapped. */
const TRAPPED = Symbol("the module trapped");

let traps = 0;

function noteTrap(error) {
  const isTrap = error instanceof WebAssembly.RuntimeError;
  if (isTrap) traps += 1;
  return isTrap;
}

// A trap surfaces where the module was polled: as an uncaught error, or as the exception of a call.
addEventListener("error", ({ error }) => noteTrap(error));

/**
 * The result of a call into the module. Each call has a timer of its own: an event of one request does
 * not reliably wake another, and the runtime cancels a request that waits for nothing else.
 */
async function untilTrap(call) {
  const before = traps;
  let timer;
  const trap = new Promise((resolve) => (timer = setInterval(() => traps === before || resolve(TRAPPED), CHECK_MS)));
  try {
    return await Promise.race([call(), trap]);
  } catch (error) {
    if (noteTrap(error)) return TRAPPED;
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** The answer of the rules to a request whose outcome is unknown. */
function answer(method, cause) {
  const requestId = crypto.randomUUID();
  console.log(JSON.stringify({ request_id: requestId, route: "…", status: 500, cause }));
  const message = "Something went wrong on our side. Please try again shortly.";
  const body = JSON.stringify({ error: { code: "internal", message } });
  const headers = { "content-type": "application/json", "cache-control": "no-store", "x-request-id": requestId };
  return new Response(method === "HEAD" ? null : body, { status: 500, headers });
}

export default {
  async fetch(request, env, context) {
    try {
      const response = await untilTrap(() => answerOf(request, env, context));
      return response === TRAPPED ? answer(request.method, "the module trapped") : response;
    } catch (error) {
      return answer(request.method, String(error));
    }
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
