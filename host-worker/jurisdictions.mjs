// Which objects have the accounts of a jurisdiction (rule O41).

/** The jurisdictions, by the first two of the 48 bits of an account's number. */
const NAMES = [undefined, "eu", "us"];

/** What the local runtime says. It is one machine, where all objects are in one place. */
const NO_JURISDICTIONS = /^Error: Jurisdiction restrictions are not implemented in workerd\.$/;

/** The namespace of the objects of a jurisdiction; undefined where the runtime has none. */
function namespaceIn(env, name) {
  try {
    return env.ACCOUNTS.jurisdiction(name);
  } catch (error) {
    if (NO_JURISDICTIONS.test(String(error))) return undefined;
    throw error;
  }
}

/** Whether an account can be kept within a jurisdiction. Not in one database for all accounts. */
export const hasJurisdiction = (env, name) => env.ACCOUNTS !== undefined && namespaceIn(env, name) !== undefined;

/** The namespace that has the object of the account with this number. */
export function namespaceOf(env, number) {
  const name = NAMES[Math.floor(Number(number) / 2 ** 46)];
  return (name && namespaceIn(env, name)) ?? env.ACCOUNTS;
}
