// Virtual time for a simulation: timers fire in order, and nothing waits. It replaces the clock, the timers and the random
// numbers of the whole process.
const realImmediate = globalThis.setImmediate;

/** Random numbers by a seed (mulberry32). */
export function randomBy(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where virtual time begins. */
const START_MS = Date.UTC(2026, 2, 2);

export class Clock {
  now = START_MS;
  #timers = new Map();
  #last = 0;

  /** Takes over the process's clock. */
  install(random) {
    Date.now = () => this.now;
    Math.random = random;
    globalThis.setTimeout = (work, delayMs = 0) => this.#add(work, delayMs);
  }

  #add(work, delayMs) {
    this.#last += 1;
    this.#timers.set(this.#last, { at: this.now + Math.ceil(delayMs), number: this.#last, work });
  }

  /** A wait of so long. */
  pause(delayMs) {
    return new Promise((resolve) => this.#add(resolve, delayMs));
  }

  /** Lets all promises run that can. */
  static settle() {
    return new Promise((resolve) => realImmediate(resolve));
  }

  /** Fires the timers in order, until `isOver` or until `end`. */
  async run(isOver, end) {
    for (;;) {
      await Clock.settle();
      if (isOver()) return;
      let next;
      for (const timer of this.#timers.values()) {
        if (!next || timer.at < next.at || (timer.at === next.at && timer.number < next.number)) next = timer;
      }
      if (!next || next.at > end) {
        this.now = Math.max(this.now, Math.ceil(end));
        return;
      }
      this.#timers.delete(next.number);
      this.now = Math.max(this.now, next.at);
      next.work();
    }
  }
}
