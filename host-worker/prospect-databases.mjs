// The databases of prospects: that of the binding DB and, where one would not hold all, those of the bindings `PROSPECTS_…`
// (rule W28, decision 0140).

/** What a binding may be called: by a state, a year of crashes, or both. */
const BINDING = /^PROSPECTS_(?:([A-Z]{2})(?:_\d{4})?|\d{4})$/;

/** The two letters of each state at twice its number in FIPS codes; dashes where no state has the number. */
const STATES =
  "--ALAK--AZARCA--COCTDEDCFLGA--HIIDILINIAKSKYLAMEMDMAMIMNMSMOMTNENVNHNJNMNYNCNDOHOKORPA--RISCSDTNTXUTVTVA--WAWVWIWY------AS----------GU----MP----PR----------VI";

/** The two letters of the state of a county. */
const stateOf = (fips) => STATES.slice(2 * fips.slice(0, 2)).slice(0, 2);

const isState = (letters) => STATES.match(/../g).includes(letters);

/**
 * The databases as pairs of a binding's name and its database, in the order in which an import writes them: DB is the last.
 * It throws a sentence where a binding can have no prospects.
 */
export function prospectDatabases(env) {
  const names = Object.keys(env).filter((name) => name.startsWith("PROSPECTS_")).sort();
  for (const name of names) {
    const [fits, letters] = BINDING.exec(name) ?? [];
    if (!fits || (letters && !isState(letters))) {
      throw `The binding ${name} must be named like PROSPECTS_TX, PROSPECTS_2027 or PROSPECTS_TX_2027.`;
    }
  }
  if (names.length > 0 && !env.ACCOUNTS) throw "Bindings PROSPECTS_… need the profile objects.";
  return [...names, "DB"].map((name) => [name, env[name]]);
}

/** The place among the databases where a new prospect belongs. */
export function placeOf(databases, fips, crashDate) {
  const [state, year] = [stateOf(fips), crashDate.slice(0, 4)];
  const places = [`${state}_${year}`, state, year].map((end) => databases.findIndex(([name]) => name === `PROSPECTS_${end}`));
  return places.find((place) => place >= 0) ?? databases.length - 1;
}

/** Fails where a database that has prospects is no longer bound: they would be missing on pages. `used` are their bindings. */
export function requireBound(databases, used) {
  const missing = used.find((binding) => !databases.some(([name]) => name === binding));
  if (missing) throw new Error(`the binding ${missing} is missing, whose database has prospects`);
}
