// Mistakes in the files of hooks.mjs that a simulation has to find: what each is, the text that it changes, into what, and
// a seed that found it, which is tried first.

/** Those that the simulation of objects finds. */
export const OBJECT_MISTAKES = [
  ["a database that was set back is not noticed", "if (copied <= this.#lastNumber()) {", "if (true) {", 24],
  ["after a restore the numbers of changes begin again", "results[0]?.number ?? 0);\n  }\n\n  /**\n   * What", "results[0] ? 0 : 0);\n  }\n\n  /**\n   * What", 1],
  ["a change is saved while the object is set back", 'if (this.#isEnding) throw new Error("the object starts again");', "", 68],
  ["a change is answered before the directory has it", "if (hasCopies) await this.#copy();", "", 1],
  ["nothing copies a change whose request ended", "this.#state.storage.setAlarm(Date.now() + COPY_AGAIN_MS);\n          }", "}", 2],
  ["an alarm that fails is left to the runtime", "if (this.#hasAccount() && this.#isDue()) await", "if (false) await", 2],
  ["what changes during a copy is taken for copied", 'this.#sql.exec("delete from copies where number <= ?", number);', 'this.#sql.exec("delete from copies");', 10],
  ["a batch of an earlier start replaces a later one", "between ?2 and ?3\n", "between ?2 and 1e9\n", 198],
  ["a batch of an object that was lost replaces what the next one took over", "const after = before + COPIES_IN_BATCH + 1;", "const after = before;", 441],
  ["a directory that was set back is not noticed", "between ?2 and ?3\n", "between 0 and ?3\n", 32],
  ["the id of an account that is lost is taken for its own", "if (found && found.number !== this.#number)", "if (false)", 148],
  ["the directory is not told where its changes go on", "(await repeated(() => this.#env.DB.prepare(COPY_FROM).bind(...from).first()))", "from", 4],
  ["a replica is read that lacks prospects", "Math.max(shownUntil, primary.last_removal_at)", "primary.last_removal_at", 2],
  ["a replica is read that has what was erased", "Math.max(shownUntil, primary.last_removal_at)", "shownUntil", 184],
  ["a replica is read that lacks what a clock ahead shows", "!isAhead &&", "", 302],
  ["a replica that fails is not passed over", ".catch(() => null)", "", 4],
  ["what the directory should not have stays", "for (const row of theirs) keys.add(row);", "", 16],
  ["an object that its alarm started has no number", 'this.#state.id.name ?? this.#rows("select number from accounts")[0].number', "this.#state.id.name", 1],
];

/** Those that the simulation of several databases finds. */
const DATABASE_MISTAKES = [
  ["two requests change prospects at once", "where holder = ?1 or", "where true or", 1],
  ["a change of prospects is not guarded", "[this.#guard(place), ...batch,", "[...batch,", 65],
  ["a change is written that was decided before another", "database.batch([this.#guard(place), database", "database.batch([database", 56],
  ["the clocks of databases without a change are left", "await all(this.#databases.map(set));", "await all(this.#databases.slice(-1).map((database) => set(database, this.#databases.length - 1)));", 2],
  ["prospects are looked for in the directory alone", "return rows.flat();", "return rows.at(-1);", 1],
  ["a page shows what an import has written in part", "Math.min(shownUntil, writtenUntil)", "shownUntil", 9],
  ["what was left half-way is not shown when it is repeated", "begin || isBehind", "begin", 169],
  ["the directory does not tell up to when all is written", "...(begin ? [{", "...(begin && parts[place].length > 0 ? [{", 4],
];

export const MISTAKES = [...OBJECT_MISTAKES, ...DATABASE_MISTAKES];

/** The source of one of the files with a mistake, where it has its place. */
export function mistaken(source, number) {
  const [, right, wrong] = MISTAKES[number];
  return source.replace(right, () => wrong);
}
