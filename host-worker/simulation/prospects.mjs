// The prospects of the directory, which all accounts have in common: what the operator does with them, and what a page of
// them has to show.
import { readFileSync } from "node:fs";
import { bytes, idOf } from "./rules.mjs";

/** How long after it was added a prospect is shown. */
const DELAY_MS = 60 * 1000;

/** How far a clock may be ahead before all prospects are shown (rule V7). */
const AHEAD_MS = 30 * 1000;

const COUNTIES = ["06037", "17031"];

const sql = (name) => readFileSync(new URL(`../../store-sql/sql/${name}.sql`, import.meta.url), "utf8").replaceAll(":now", "?1");
const BEGIN_IMPORT = sql("begin_import");
const BEGIN_REMOVAL = sql("begin_removal");

const ADD = `insert into prospects (id, source_id, crash_date, crash_county_fips, crash_year, added_at)
  select ?1, ?2, '2999-01-01', ?3, 2999, last_change_at from prospect_clock returning added_at`;

export class Prospects {
  #world;
  #number = 0;
  /** The prospects that there are, by id: their county, and when they were added. */
  #present = new Map();

  constructor(world) {
    this.#world = world;
  }

  #chosen(list) {
    return list[Math.floor(this.#world.random() * list.length)];
  }

  #exec(text, ...values) {
    return this.#world.directory.exec(text, values).rows;
  }

  /** The operator imports one, erases one, or corrects the county of one. */
  change() {
    const { clock, random } = this.#world;
    const kind = random();
    const id = kind < 0.6 ? undefined : this.#chosen([...this.#present.keys()]);
    const fips = this.#chosen(COUNTIES);
    if (!id) {
      this.#number += 1;
      // At times by the clock of a machine that is ahead.
      const aheadMs = random() < 0.02 ? Math.floor(random() * 10 * AHEAD_MS) : 0;
      this.#exec(BEGIN_IMPORT, (clock.now + aheadMs) * 1000);
      const added = `prospect${this.#number}`;
      const [{ added_at: addedAt }] = this.#exec(ADD, bytes(added), added, fips);
      this.#present.set(added, { fips, addedAt });
      return;
    }
    this.#exec(BEGIN_REMOVAL, clock.now * 1000);
    if (kind < 0.8) {
      this.#exec("delete from prospects where id = ?", bytes(id));
      this.#present.delete(id);
    } else {
      this.#exec("update prospects set crash_county_fips = ?2 where id = ?1", bytes(id), fips);
      this.#present.set(id, { ...this.#present.get(id), fips });
    }
  }

  /** Asks an object for a page. Returns what is wrong with it, or nothing. */
  async check(object) {
    const { clock } = this.#world;
    const before = new Map(this.#present);
    const [shownUntil, trustedUntil] = [(clock.now - DELAY_MS) * 1000, (clock.now + AHEAD_MS) * 1000];
    const [{ isAhead }] = this.#exec("select last_change_at > ? as isAhead from prospect_clock", trustedUntil);
    const { counties, ids } = await object.send({ name: "page", shownUntil, trustedUntil });
    if (!ids) return;
    const countiesOf = (id) => [before.get(id)?.fips, this.#present.get(id)?.fips];
    for (const id of ids) {
      // What changes meanwhile may be on the page or not.
      if (!countiesOf(id).some((fips) => counties.includes(fips))) return `${id} is shown, which is erased or of another county`;
    }
    for (const [id, { addedAt }] of before) {
      const isDue = (isAhead || addedAt <= shownUntil) && countiesOf(id).every((fips) => counties.includes(fips));
      if (isDue && !ids.includes(id)) return `${id} is not shown`;
    }
  }

  /** Takes over what the directory has after it was set back. */
  setBack() {
    const rows = this.#exec("select id, crash_county_fips as fips, added_at as addedAt from prospects");
    this.#present = new Map(rows.map(({ id, ...prospect }) => [idOf(id), prospect]));
  }
}
