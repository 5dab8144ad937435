import { Bitmap } from "../../columns/bitmap.ts";
import { Growing } from "./growing.ts";
import { gone } from "./recent-terms.ts";

/** Which texts count, of those that were set since the last merge and before. One for all terms of the same texts. */
export class CurrentTexts {
  /** Members whose texts in the base do not count any more. */
  readonly outdated: Bitmap;
  outdatedCount = 0;
  /** The member of each recent text, or `gone`. */
  readonly #memberOf = new Growing();
  readonly #textOf = new Map<number, number>();
  readonly #baseMembers: number;

  /** Members of the base are below `baseMembers`. */
  constructor(baseMembers: number) {
    this.#baseMembers = baseMembers;
    this.outdated = new Bitmap(baseMembers);
  }

  get memberOf(): Uint32Array {
    return this.#memberOf.values;
  }

  get changes(): number {
    return this.#memberOf.length + this.outdatedCount;
  }

  /** The number of the member's recent text, if it has one. */
  recentOf(member: number): number | undefined {
    return this.#textOf.get(member);
  }

  /** Whether the member's text in the base, if it has one, counts. */
  isBaseCurrent(member: number): boolean {
    return member < this.#baseMembers && !this.outdated.has(member);
  }

  /** A number for the new text of a member, whose earlier ones do not count any more. */
  replace(member: number): number {
    this.remove(member);
    const text = this.#memberOf.length;
    this.#memberOf.push(member);
    this.#textOf.set(member, text);
    return text;
  }

  remove(member: number): void {
    if (this.isBaseCurrent(member)) {
      this.outdated.add(member);
      this.outdatedCount++;
    }
    const text = this.#textOf.get(member);
    if (text === undefined) return;
    this.#memberOf.values[text] = gone;
    this.#textOf.delete(member);
  }
}
