import { isOneErrorApart } from "../../music.mjs";
import { lowerBound } from "./order.mjs";

/** The words, numbered: sorted ones, and those that came later. Finds beginnings, and words one error apart. */
export class Dictionary {
  #sorted;
  #lengths;
  #letters;
  #added = new Map();

  constructor(words) {
    this.#sorted = [...words].sort();
    this.#lengths = Uint8Array.from(this.#sorted, (word) => Math.min(255, word.length));
    this.#letters = Uint32Array.from(this.#sorted, lettersOf);
  }

  get size() {
    return this.#sorted.length;
  }

  /** Words to their numbers, for as long as an index is built. */
  numbers() {
    return new Map(this.#sorted.map((word, at) => [word, at]));
  }

  find(word) {
    const at = lowerBound(this.size, (n) => this.#sorted[n] < word);
    return this.#sorted[at] === word ? at : this.#added.get(word);
  }

  add(word) {
    const known = this.find(word);
    if (known !== undefined) return known;
    this.#added.set(word, this.size + this.#added.size);
    return this.#added.get(word);
  }

  startingWith(prefix) {
    const found = this.#addedWhere((word) => word.startsWith(prefix));
    for (let at = lowerBound(this.size, (n) => this.#sorted[n] < prefix); this.#sorted[at]?.startsWith(prefix); at++)
      found.push(at);
    return found;
  }

  oneErrorFrom(typed) {
    const found = this.#addedWhere((word) => isOneErrorApart(typed, word));
    const letters = lettersOf(typed);
    for (let at = 0; at < this.size; at++) {
      const difference = this.#lengths[at] - typed.length;
      if (difference > 1 || difference < -1) continue;
      // One error changes at most two letters of the set.
      const changed = this.#letters[at] ^ letters;
      const rest = changed & (changed - 1);
      if ((rest & (rest - 1)) === 0 && isOneErrorApart(typed, this.#sorted[at])) found.push(at);
    }
    return found;
  }

  #addedWhere(fits) {
    return [...this.#added].filter(([word]) => fits(word)).map(([, number]) => number);
  }
}

function lettersOf(word) {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << word.charCodeAt(at);
  return letters;
}
