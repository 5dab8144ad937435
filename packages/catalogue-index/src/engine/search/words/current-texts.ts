import { Bitmap } from "../../columns/bitmap.ts";
import { Growing } from "./growing.ts";
import { removed } from "./recent-terms.ts";

/**
 * Tracks which texts are current: those in the base, and those set since the last merge. The `Terms` of words and of
 * whole texts share one instance.
 */
export class CurrentTexts {
  /** Members whose texts in the base are no longer current. */
  readonly outdated: Bitmap;
  outdatedCount = 0;
  /** The member of each recent text, or `removed`. */
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

  /** Returns the number of the member's recent text, or undefined. */
  recentOf(member: number): number | undefined {
    return this.#textOf.get(member);
  }

  /** Whether the member has a text in the base that is current. */
  isBaseCurrent(member: number): boolean {
    return member < this.#baseMembers && !this.outdated.has(member);
  }

  /** Returns a number for the new text of a member, and invalidates the member's earlier texts. */
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
    this.#memberOf.values[text] = removed;
    this.#textOf.delete(member);
  }
}
