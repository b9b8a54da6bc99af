// What an account's object reads of the directory within a request: prospects from the nearest replica (decision 0139), of
// all databases that have some (decision 0140).
import { repeated } from "./directory.mjs";
import { prospectDatabases, requireBound } from "./prospect-databases.mjs";

/** The times of the last change of prospects, and of the last one that took a prospect from a page; the databases in use. */
const CLOCK = `select last_change_at, last_removal_at, (select json_group_array(binding) from prospect_databases) as used
  from prospect_clock where id = 1`;

/**
 * Reads what all accounts have in common. Each statement has its text, its parameters' names and their values. Results after
 * those of the statements are of other reads, for the costs.
 */
export const readCommon = (env, statements) =>
  repeated(() => (statements[0].names.includes("delayed") ? readProspects(env, statements) : env.DB.batch(prepared(env.DB, statements))));

/**
 * Statements as the module has them, lists of a query's name, its text and its parameters, whose names are parted by commas.
 * Prospects are those of these counties.
 */
export function statementsOf(lists, names, counties) {
  const grants = JSON.stringify(counties.map(Object.values));
  return lists.map(([, text, ...values], place) => withValues({ text, names: names[place].split(","), values }, { grants }));
}

/** A statement with other values of some parameters. */
const withValues = (statement, given) => ({
  ...statement,
  values: statement.values.map((value, place) => given[statement.names[place]] ?? value),
});

const valueOf = ({ names, values }, name) => values[names.indexOf(name)];

const prepared = (database, statements) => statements.map(({ text, values }) => database.prepare(text).bind(...values));

const withClock = (database, statements) => database.batch([...prepared(database, statements), database.prepare(CLOCK)]);

async function readProspects(env, statements) {
  const bound = prospectDatabases(env);
  const shownUntil = valueOf(statements[0], "delayed");
  if (bound.length === 1) {
    const results = await fromNearest(env.DB, statements, shownUntil);
    requireBound(bound, JSON.parse(results[statements.length].results[0].used));
    return results;
  }
  // Up to the directory's clock all is written in all databases; an import that is under way has later times.
  const [clock] = await env.DB.batch([env.DB.prepare(CLOCK)]);
  const { last_change_at: writtenUntil, used } = clock.results[0];
  requireBound(bound, JSON.parse(used));
  // Where that clock was ahead, all prospects are shown (rule V7).
  const isAhead = writtenUntil > valueOf(statements[0], "trusted_until");
  const until = isAhead ? writtenUntil : Math.min(shownUntil, writtenUntil);
  const bounded = statements.map((statement) => withValues(statement, { delayed: until, everything: until }));
  const parts = await Promise.all(bound.map(([, database]) => fromNearest(database, bounded, until)));
  const together = statements.map((_, number) => ({ meta: {}, results: parts.flatMap((results) => results[number].results) }));
  return [...together, ...[clock, ...parts.flat()].map(({ meta }) => ({ meta, results: [] }))];
}

/** From the nearest replica, if it has all that the primary would show. The clock follows the statements' results. */
async function fromNearest(database, statements, shownUntil) {
  const nearest = database.withSession("first-unconstrained");
  // A replica may be away while the primary is not.
  const found = await withClock(nearest, statements).catch(() => null);
  if (!found) return withClock(database, statements);
  const { meta, results } = found.at(-1);
  if (meta.served_by_primary !== false) return found;
  // After the page: what is erased from now on, the page may show.
  const [clock] = await database.batch([database.prepare(CLOCK)]);
  if (isUpToDate(results[0], clock.results[0], shownUntil)) return [...found, clock];
  return [...(await withClock(database, statements)), ...found, clock];
}

/**
 * Whether a replica with this clock has all prospects that the primary would show, and no others (rule W27). A replica has
 * all changes up to its clock.
 */
function isUpToDate({ last_change_at: copiedUntil }, primary, shownUntil) {
  if (copiedUntil === primary.last_change_at) return true;
  // Where a clock was ahead, all prospects are shown (V7).
  const isAhead = primary.last_change_at > Date.now() * 1000;
  return !isAhead && copiedUntil < primary.last_change_at && copiedUntil >= Math.max(shownUntil, primary.last_removal_at);
}
