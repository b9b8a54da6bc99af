// Holds both services to the job: what a post answered, and what is really there afterwards.

import assert from "node:assert/strict";
import { BATCH_SIZE, client } from "./clients.mjs";
import { send } from "./load.mjs";

const PAGE_SIZE = 100;

/** What is known of one service's clients: the id of each, and whether it was changed. */
export class Book {
  #service;
  #ids = new Map();
  #changed = new Set();

  constructor(service) {
    this.#service = service;
  }

  /**
   * Checks the answer to a post: 500 results in order, every client with the status that the work
   * calls for and the id that it has had from the start.
   * @param {number} batch the batch's number
   * @param {'new' | 'updates' | 'unchanged'} work
   * @param {Buffer} answer
   */
  take(batch, work, answer) {
    const { results } = JSON.parse(answer);
    assert.equal(results.length, BATCH_SIZE, this.#says("gave another number of results"));
    results.forEach(({ index, status, id, message }, row) => {
      const number = batch * BATCH_SIZE + row;
      const said = this.#says(`answered ${status} (${message ?? ""}) for client ${number}, ${work}`);
      assert.equal(index, row, said);
      assert.equal(status, work === "new" ? "created" : "updated", said);
      if (work === "new") this.#ids.set(number, id);
      else assert.equal(id, this.#ids.get(number), said);
      if (work === "updates") this.#changed.add(number);
    });
  }

  /**
   * Walks the whole list and compares every client with what was sent.
   * @returns {Promise<string[]>} the paths of all pages of 100
   */
  async walk() {
    const numbers = new Map(Array.from(this.#ids, ([number, id]) => [id, number]));
    assert.equal(numbers.size, this.#ids.size, this.#says("gave two clients one id"));
    const paths = [];
    const met = new Set();
    for (let cursor = null; cursor !== null || paths.length === 0;) {
      const at = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/clients?limit=${PAGE_SIZE}${at}`;
      const { answers } = await send(this.#service, [{ path }], 1);
      const page = JSON.parse(answers[0]);
      for (const record of page.clients) {
        const number = numbers.get(record.id);
        const { kept } = client(number, this.#changed.has(number));
        const { id, created_at, updated_at, ...fields } = record;
        assert.deepEqual(fields, kept, this.#says(`kept client ${number} otherwise than it was sent`));
        met.add(number);
      }
      if (page.clients.length === PAGE_SIZE) paths.push(path);
      cursor = page.next_cursor;
    }
    assert.equal(met.size, this.#ids.size, this.#says("does not list every client"));
    return paths;
  }

  #says(what) {
    return `${this.#service.name} ${what}`;
  }
}
