// The entry of the Worker in tests that need what the local runtime lacks: jurisdictions, points in time, deployments.
import service, { Account, RateLimit } from "../entry.mjs";

export { AccountOfTests as Account, RateLimit };

/** The local runtime is one machine. Tests see in which jurisdiction an object would be. */
function withJurisdictions(env) {
  if (!env.MATTERBOOK_TEST_JURISDICTIONS) return env;
  const jurisdiction = (name) => {
    console.log(`an object in ${name}`);
    return env.ACCOUNTS;
  };
  return { ...env, ACCOUNTS: { getByName: (name) => env.ACCOUNTS.getByName(name), jurisdiction } };
}

/** Tests put the files of a time into place themselves. */
const POINTS = {
  getBookmarkForTime: async (atMs) => `the bookmark of ${atMs}`,
  onNextSessionRestoreBookmark: async (bookmark) => console.log(`the next start is at ${bookmark}`),
};

/** The state of an object with points in time. */
function withPoints(state) {
  const get = (storage, name) => POINTS[name] ?? (typeof storage[name] === "function" ? storage[name].bind(storage) : storage[name]);
  return { id: state.id, abort: (reason) => state.abort(reason), storage: new Proxy(state.storage, { get }) };
}

class AccountOfTests extends Account {
  constructor(state, env) {
    super(env.MATTERBOOK_TEST_POINTS ? withPoints(state) : state, withJurisdictions(env));
    // A deployment resets every object.
    const resetMs = Number(env.MATTERBOOK_TEST_RESET_MS);
    const reset = () => {
      console.log("reset by a test");
      state.abort("reset by a test");
    };
    if (resetMs) setTimeout(reset, resetMs * Math.random());
  }
}

export default { ...service, fetch: (request, env, context) => service.fetch(request, withJurisdictions(env), context) };
