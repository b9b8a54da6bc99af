// What the scripts that try something on Cloudflare have in common: a service to call, and what was found.

/** Runs a script with its arguments, the address of a service and the operator's token, and says what it found. */
export async function attempt(name, work) {
  const [address, token] = process.argv.slice(2);
  if (!token) {
    console.error(`usage: ${name} ADDRESS OPERATOR_TOKEN`);
    process.exit(2);
  }
  try {
    const found = await work(new Service(address, token));
    for (const [isSo, what] of found) console.log(`${isSo ? "yes" : "NO "}  ${what}`);
    if (!found.every(([isSo]) => isSo)) process.exitCode = 1;
  } catch (problem) {
    console.error(String(problem));
    process.exitCode = 1;
  }
}

class Service {
  #address;
  #token;

  constructor(address, token) {
    this.#address = address;
    this.#token = token;
  }

  /** Sends a request with a key or the operator's token. */
  async send(method, path, bearer, body) {
    const headers = { authorization: `Bearer ${bearer}`, ...(body && { "content-type": "application/json" }) };
    const response = await fetch(new URL(path, this.#address), { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, json: await response.json() };
  }

  /** What a request of the operator is answered, which has to succeed. */
  async done(method, path, body) {
    const { status, json } = await this.send(method, `/operator/v1${path}`, this.#token, body);
    if (status !== 200) throw `${method} ${path} is answered ${status}: ${json.error?.message}`;
    return json;
  }

  /** A new account and its path. */
  async makeAccount(flags) {
    const { account } = await this.done("POST", "/accounts", { email: "try@matterbook.invalid", api_enabled: true, ...flags });
    return { id: account.id, path: `/accounts/${account.id}` };
  }

  async makeKey(path) {
    return (await this.done("POST", `${path}/keys`, {})).key;
  }
}
