// What the runtime calls. The rules are in the wasm module; this only answers for it when it traps.
//
// A trap ends the module's instance, and with it all that it was working on: those promises never
// settle. So each call into the module looks out for a trap, and a request that meets one gets the
// JSON answer that any other failure of the service gets. The generated shim makes a fresh instance
// for whatever comes next.
import Module, { RateLimit as RateLimitOfModule } from "./dist/index.js";

/** How often a call looks whether the module trapped. Most are over before the first look. */
const LOOK_MS = 100;

/** What a call comes to when the module trapped meanwhile. */
const TRAPPED = Symbol("the module trapped");

let traps = 0;

function noteTrap(error) {
  const isTrap = error instanceof WebAssembly.RuntimeError;
  if (isTrap) traps += 1;
  return isTrap;
}

// A trap surfaces where the module was polled: as an uncaught error, or as what a call throws.
addEventListener("error", ({ error }) => noteTrap(error));

/**
 * What a call into the module comes to. It looks by a timer of its own: an event of one request
 * cannot be relied on to wake another, and the runtime takes a request for hung that waits for
 * nothing else.
 */
async function untilTrap(call) {
  const before = traps;
  let look;
  const trap = new Promise((resolve) => (look = setInterval(() => traps === before || resolve(TRAPPED), LOOK_MS)));
  try {
    return await Promise.race([call(), trap]);
  } catch (error) {
    if (noteTrap(error)) return TRAPPED;
    throw error;
  } finally {
    clearInterval(look);
  }
}

/** The same words as the rules have for a request whose outcome they do not know. */
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
      // Made here, for each request by itself: what one request makes, another cannot answer with.
      const response = await untilTrap(() => new Module(context, env).fetch(request));
      return response === TRAPPED ? answer(request.method, "the module trapped") : response;
    } catch (error) {
      return answer(request.method, String(error));
    }
  },
};

/** The objects of the rate limit live beside requests, and end with the same trap. */
export class RateLimit {
  #object;

  constructor(state, env) {
    this.#object = new RateLimitOfModule(state, env);
  }

  async fetch(request) {
    const response = await untilTrap(() => this.#object.fetch(request));
    if (response === TRAPPED) throw new Error("the module trapped");
    return response;
  }
}
