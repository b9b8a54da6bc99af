// Calls into the wasm module, and the answer where it trapped.
//
// A trap ends the module's instance and all that it was working on: those promises never settle. So each
// call into the module watches for a trap, and a request that meets one gets the JSON answer that every
// other failure of the service gets. The next call into the module starts a new instance.

/** How often a call checks whether the module trapped. Most calls end before the first check. */
const CHECK_MS = 100;

/** The result of a call during which the module trapped. */
export const TRAPPED = Symbol("the module trapped");

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
export async function untilTrap(call) {
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

/** The answer of the rules to a request whose outcome is unknown, or to one that is refused before any work. */
export function answer(method, cause, message = "Something went wrong on our side. Please try again shortly.", more = {}) {
  const requestId = crypto.randomUUID();
  console.log(JSON.stringify({ request_id: requestId, route: "…", status: 500, cause }));
  const body = `${JSON.stringify({ error: { code: "internal", message } })}\n`;
  const headers = { "content-type": "application/json", "cache-control": "no-store", "x-request-id": requestId, ...more };
  return new Response(method === "HEAD" ? null : body, { status: 500, headers });
}
