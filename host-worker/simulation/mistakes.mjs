// Mistakes in account.mjs that the simulation has to find: what each is, the text that it changes, and into what.
export const MISTAKES = [
  ["a database that was set back is not noticed", "if ((await this.#copiedNumber(account.id)) <= this.#lastNumber()) return;", "return;"],
  ["after a restore the numbers of changes begin again", "if (number > this.#lastNumber()) this", "if (false) this"],
  ["a directory that was set back is not made whole before a restore", "await this.#equalDirectory();\n      await this.#points", "await this.#points"],
  ["a change is saved while the object is set back", 'if (this.#isEnding) throw new Error("the object starts again");', ""],
  ["a change is answered before the directory has it", "if (hasCopies) await this.#copy();", ""],
  ["nothing copies a change whose request ended", "this.#state.storage.setAlarm(Date.now() + COPY_AGAIN_MS);\n          }", "}"],
  ["an alarm that fails is left to the runtime", "await this.#state.storage.setAlarm(Date.now() + COPY_AGAIN_MS);\n      return;", "throw error;"],
  ["what changes during a copy is taken for copied", 'this.#sql.exec("delete from copies where number <= ?", number);', 'this.#sql.exec("delete from copies");'],
  ["a batch of an earlier start replaces a later one", "between ?2 and ?3, ?3", "between ?2 and 1e9, max(?3, coalesce((select number from copied_changes where account_id = ?1), 0))"],
  ["a directory that was set back is not noticed", "between ?2 and ?3, ?3", "between 0 and ?3, ?3"],
  ["what the directory should not have stays", "for (const row of tables[place].results) this.#sql.exec(text, table", "for (const row of []) this.#sql.exec(text, table"],
];

/** The source of account.mjs with a mistake. */
export function mistaken(source, number) {
  const [name, right, wrong] = MISTAKES[number];
  if (!source.includes(right)) throw new Error(`account.mjs lacks the text of the mistake "${name}"`);
  return source.replace(right, () => wrong);
}
