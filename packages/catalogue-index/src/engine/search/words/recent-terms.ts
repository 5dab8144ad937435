import { Growing } from "./growing.ts";
import { Interned } from "./interned.ts";

/** Marks a text that is no longer current. */
export const removed = 0xffff_ffff;

const end = 0xffff_ffff;

/**
 * The terms of texts set since the last merge. Texts are numbered in the order of insertion. The texts of a term are
 * linked, the newest first, so that a million of them take little room until they are merged.
 */
export class RecentTerms {
  readonly terms = new Interned();
  /** By term: the newest entry. */
  readonly #newest = new Growing();
  /** By entry: the previous entry of the same term, and the entry's text. */
  readonly #previous = new Growing();
  readonly #textOf = new Growing();

  /** Returns the number of the term. */
  add(term: string, text: number): number {
    const id = this.terms.add(term);
    if (id === this.#newest.length) this.#newest.push(end);
    this.#previous.push(this.#newest.values[id] as number);
    this.#newest.values[id] = this.#textOf.length;
    this.#textOf.push(text);
    return id;
  }

  /** Visits the members whose texts have the term, the newest first, until `visit` returns true. */
  visit(id: number, memberOf: Uint32Array, visit: (member: number) => boolean): void {
    for (let index = this.#newest.values[id] as number; index !== end; index = this.#previous.values[index] as number) {
      const member = memberOf[this.#textOf.values[index] as number] as number;
      if (member !== removed && visit(member)) return;
    }
  }
}
