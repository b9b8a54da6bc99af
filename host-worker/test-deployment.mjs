// Tests a deployed service with an account that is removed again, or else suspended, its key revoked.
import { setTimeout as pause } from "node:timers/promises";

/** remove-test-account.sql removes what belongs to this address. */
const EMAIL = "deployment-test@matterbook.invalid";
/** A new Worker, or a new secret of it, is in effect everywhere after a while. */
const PATIENCE_MS = 120_000;
const CLIENT = { external_id: "deployment-test", first_name: "Ana", last_name: "Specimenez", zip: "62704.0" };

/** Throws a sentence with what is wrong. `remove` removes the account, also one that an earlier test left. */
export async function testDeployment(origin, token, remove, say, wayOfClosing = "removed") {
  const send = async (method, path, bearer, body) => {
    const headers = { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) };
    const response = await fetch(origin + path, { method, headers, body: body && JSON.stringify(body) }).catch((error) => {
      throw `The test of the deployment failed: ${method} ${path} has no answer: ${error.cause?.message ?? error.message}.`;
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  const isTrue = (isAsExpected, what, { status, text }) => {
    if (!isAsExpected) throw `The test of the deployment failed: ${what}. The answer was ${status}: ${text.slice(0, 300)}`;
  };
  /** Repeats a request until its answer is 200. */
  const become = async (what, path, bearer) => {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await send("GET", path, bearer).catch((problem) => ({ status: "none", text: problem }));
      if (answer.status === 200) return answer;
      if (Date.now() > end) isTrue(false, what, answer);
      await pause(1_000);
    }
  };

  await become("/healthz does not answer 200", "/healthz");
  await become("the operator API does not take the operator token", "/operator/v1/settings", token);
  const docs = await send("GET", "/docs");
  isTrue(docs.status === 200, "/docs is not served", docs);
  await remove();
  let made;
  try {
    const flags = { email: EMAIL, api_enabled: true };
    const created = await send("POST", "/operator/v1/accounts", token, flags);
    isTrue(created.status === 200, "no account can be created", created);
    const account = `/operator/v1/accounts/${created.json().account.id}`;
    const { key } = (await send("POST", `${account}/keys`, token, { label: "deployment test" })).json();
    made = {
      close: async () => {
        await send("DELETE", `/operator/v1/keys/${key.id}`, token);
        await send("PATCH", account, token, { suspended: true });
      },
    };
    for (const status of ["created", "updated"]) {
      const posted = await send("POST", "/api/v1/clients", key.key, { clients: [CLIENT] });
      isTrue(posted.status === 200 && posted.json().results[0].status === status, `a client is not ${status}`, posted);
    }
    const me = await send("GET", "/api/v1/me", key.key);
    isTrue(me.status === 200 && me.headers.has("ratelimit"), "the rate limit is not counted", me);
    await remove(made);
    const after = await send("GET", "/api/v1/me", key.key);
    isTrue(after.status === 401, "the key of a removed account still works", after);
  } catch (problem) {
    await remove(made);
    throw problem;
  }
  say(`test: a client was posted twice and stored once; the account of the test is ${wayOfClosing}`);
}
