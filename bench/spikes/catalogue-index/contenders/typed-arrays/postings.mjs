/** The slots of each value, in one array; what has been added since, beside it. `isValid` judges the entries of the array. */
export class Postings {
  #starts;
  #slots;
  #added = new Map();
  #isValid;

  /** `pairs` calls its argument with (value, slot) for each entry, in the order of slots; it is called twice. */
  constructor(values, pairs, isValid) {
    const starts = new Uint32Array(values + 1);
    pairs((value) => starts[value + 1]++);
    for (let value = 0; value < values; value++) starts[value + 1] += starts[value];
    this.#slots = new Uint32Array(starts[values]);
    const next = starts.slice();
    pairs((value, slot) => {
      this.#slots[next[value]++] = slot;
    });
    this.#starts = starts;
    this.#isValid = isValid;
  }

  add(value, slot) {
    const added = this.#added.get(value);
    if (added === undefined) this.#added.set(value, new Set([slot]));
    else added.add(slot);
  }

  remove(value, slot) {
    this.#added.get(value)?.delete(slot);
  }

  /** Calls `visit` with each slot of the value, some of them twice. */
  forEach(value, visit) {
    const end = this.#starts[value + 1] ?? 0;
    for (let at = this.#starts[value] ?? 0; at < end; at++) {
      const slot = this.#slots[at];
      if (this.#isValid(slot, value)) visit(slot);
    }
    for (const slot of this.#added.get(value) ?? []) visit(slot);
  }
}
