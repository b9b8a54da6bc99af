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

/** The Durable Object of a key's rate limit. It outlives the instances of the module. */
export class RateLimit {
  #arguments;
  #object;
  #instanceId;

  constructor(...stateAndEnv) {
    this.#arguments = stateAndEnv;
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
    return response;
  }
}
