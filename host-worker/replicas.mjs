// What an account's object reads of the directory within a request: prospects from the nearest replica (decision 0139), of
// all databases that have some (decision 0140).
import { repeated } from "./directory.mjs";
import { prospectDatabases, requireBound } from "./prospect-databases.mjs";

/** The times of the last change of prospects, and of the last one that took a prospect from a page; the databases in use. */
const CLOCK = `select last_change_at, last_removal_at, (select json_group_array(binding) from prospect_databases) as used
  from prospect_clock where id = 1`;

/** How far a clock may be ahead before all prospects are shown (rule V7). */
const AHEAD_MS = 30 * 1000;

/** An import that began so long ago has written all, or writes nothing more. */
const IMPORT_MS_MAX = 2 * 60 * 1000;

/**
 * Reads what all accounts have in common; each statement is a list of its query's name, its text and its parameters. Results
 * after those of the statements are of other reads, for the costs. For prospects, `shownUntil` is the time up to which they
 * are shown.
 */
export const readCommon = (env, statements, shownUntil) =>
  repeated(() => (shownUntil === undefined ? env.DB.batch(prepared(env.DB, statements)) : readProspects(env, statements, shownUntil)));

const prepared = (database, statements) => statements.map(([, text, ...values]) => database.prepare(text).bind(...values));

const fromPrimary = (database, statements) => database.batch([...prepared(database, statements), database.prepare(CLOCK)]);

async function readProspects(env, statements, shownUntil) {
  const bound = prospectDatabases(env);
  const databases = bound.map(([, database]) => database);
  const clockOf = (results) => results[statements.length].results[0];
  let parts = [];
  // What an import is writing is not shown yet, so the databases can be read in any order.
  const isSettled = shownUntil < (Date.now() - IMPORT_MS_MAX) * 1000 || databases.length === 1;
  if (isSettled) parts = await Promise.all(databases.map((database) => fromNearest(database, statements, shownUntil)));
  if (!isSettled || (databases.length > 1 && parts.map(clockOf).some(isAhead))) {
    // An import writes them in their order, each with a later time. Read from the last one on, what is seen of an import is
    // after all that is missed.
    parts = [];
    for (const database of databases.toReversed()) parts.unshift(await fromPrimary(database, statements));
    // An import has set the clock of one ahead, and is about to set the others'.
    if (new Set(parts.map(clockOf).map(isAhead)).size > 1) throw new Error("the clocks of the databases of prospects differ");
  }
  requireBound(bound, JSON.parse(clockOf(parts.at(-1)).used));
  if (parts.length === 1) return parts[0];
  const together = statements.map((_, number) => ({ meta: {}, results: parts.flatMap((results) => results[number].results) }));
  return [...together, ...parts.flat().map(({ meta }) => ({ meta, results: [] }))];
}

/** From the nearest replica, if it has all that the primary would show. The clock follows the statements' results. */
async function fromNearest(database, statements, shownUntil) {
  const nearest = database.withSession("first-unconstrained");
  // A replica may be away while the primary is not.
  const found = await fromPrimary(nearest, statements).catch(() => null);
  if (!found) return fromPrimary(database, statements);
  const { meta, results } = found.at(-1);
  if (meta.served_by_primary !== false) return found;
  // After the page: what is erased from now on, the page may show.
  const [clock] = await database.batch([database.prepare(CLOCK)]);
  if (isUpToDate(results[0], clock.results[0], shownUntil)) return [...found, clock];
  return [...(await fromPrimary(database, statements)), ...found, clock];
}

const isAhead = ({ last_change_at: at }) => at > (Date.now() + AHEAD_MS) * 1000;

/**
 * Whether a replica with this clock has all prospects that the primary would show, and no others (rule W27). A replica has
 * all changes up to its clock.
 */
function isUpToDate({ last_change_at: copiedUntil }, primary, shownUntil) {
  if (copiedUntil === primary.last_change_at) return true;
  // Where a clock was ahead, all prospects are shown.
  const mayShowAll = primary.last_change_at > Date.now() * 1000;
  return !mayShowAll && copiedUntil < primary.last_change_at && copiedUntil >= Math.max(shownUntil, primary.last_removal_at);
}
