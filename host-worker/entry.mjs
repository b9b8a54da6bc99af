// What the runtime calls. The rules are in the wasm module; this only answers for it when it traps.
//
// A trap ends the module's instance, and with it every request that it was working on: their
// promises never settle. So each request races against the trap, and gets the JSON answer that any
// other failure of the service gets. The generated shim makes a fresh instance for the next request.
import Module, { RateLimit } from "./dist/index.js";

export { RateLimit };

/** Called with each trap; one for every request under way. */
const underWay = new Set();

// A trap surfaces where the module was polled: as the event's own exception, or as an uncaught one.
addEventListener("error", ({ error }) => trapped(error));

function trapped(error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return false;
  for (const give of underWay) give();
  underWay.clear();
  return true;
}

/** The same words as the rules have for a request whose outcome they do not know. */
function answer(method) {
  const requestId = crypto.randomUUID();
  const message = "Something went wrong on our side. Please try again shortly.";
  const body = JSON.stringify({ error: { code: "internal", message } });
  console.log(JSON.stringify({ request_id: requestId, method: null, route: "…", status: 500, cause: "the module trapped" }));
  const headers = { "content-type": "application/json", "cache-control": "no-store", "x-request-id": requestId };
  return new Response(method === "HEAD" ? null : body, { status: 500, headers });
}

export default {
  async fetch(request, env, context) {
    let give;
    const trap = new Promise((resolve) => (give = () => resolve(answer(request.method))));
    underWay.add(give);
    try {
      return await Promise.race([new Module(context, env).fetch(request), trap]);
    } catch (error) {
      if (!trapped(error)) console.log(JSON.stringify({ status: 500, cause: String(error) }));
      return answer(request.method);
    } finally {
      underWay.delete(give);
    }
  },
};
