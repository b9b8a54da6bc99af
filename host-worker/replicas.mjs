// What an account's object reads of the directory within a request: prospects from the nearest replica (decision 0139).
import { repeated } from "./directory.mjs";

/** The times of the last change of prospects, and of the last one that took a prospect from a page. */
const CLOCK = "select last_change_at, last_removal_at from prospect_clock where id = 1";

/**
 * Reads what all accounts have in common; each statement is a list of its text and its parameters. Results after those of
 * the statements are of other reads, for the costs. For prospects, `shownUntil` is the time up to which they are shown.
 */
export const readCommon = (directory, statements, shownUntil) => repeated(() => read(directory, statements, shownUntil));

async function read(directory, statements, shownUntil) {
  const prepared = (database) => statements.map(([text, ...values]) => database.prepare(text).bind(...values));
  const fromPrimary = () => directory.batch(prepared(directory));
  if (shownUntil === undefined) return fromPrimary();
  const nearest = directory.withSession("first-unconstrained");
  // A replica may be away while the primary is not.
  const found = await nearest.batch([...prepared(nearest), nearest.prepare(CLOCK)]).catch(() => null);
  if (!found) return fromPrimary();
  const { meta, results } = found.at(-1);
  if (meta.served_by_primary !== false) return found;
  // After the page: what is erased from now on, the page may show.
  const [clock] = await directory.batch([directory.prepare(CLOCK)]);
  const showsAll = isUpToDate(results[0], clock.results[0], shownUntil);
  return [...(showsAll ? [] : await fromPrimary()), ...found, clock];
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
