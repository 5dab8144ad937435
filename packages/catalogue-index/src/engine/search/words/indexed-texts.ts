import { indexedText, type QueryWord } from "@beatmarket/foundation/text/search-words.ts";
import type { SavedArrays } from "../../engine.ts";
import type { MemberCollector } from "../members.ts";
import { CurrentTexts } from "./current-texts.ts";
import { Growing } from "./growing.ts";
import { NearWords } from "./near-words.ts";
import { Terms } from "./terms.ts";

/** Maximum number of unmerged texts, to bound their memory. */
const mostUnmerged = 1 << 18;
/** So few changes are not worth a merge, however few texts there are. */
const fewChanges = 16;
const none = 0xffff_ffff;

/**
 * The titles of beats, or the names of producers, genres or tags, searchable by word and by whole text. A member is the
 * slot or ordinal of one of them. The base has the texts of the last merge; recent texts were set since.
 */
export class IndexedTexts {
  #words = new Terms();
  #wholes = new Terms();
  /** The whole text of each member in the base, as an index of the dictionary of wholes; or `none`. */
  #wholeAt = new Uint32Array(0);
  /** For each recent text, the number of its whole text. */
  #recentWholes = new Growing();
  #current = new CurrentTexts(0);
  #near: NearWords | undefined;

  /** Adds or replaces the text of a member. */
  set(member: number, text: string): void {
    const { words, whole } = indexedText(text);
    const number = this.#current.replace(member);
    for (const word of words) this.#words.recent.add(word, number);
    this.#recentWholes.push(this.#wholes.recent.add(whole, number));
  }

  remove(member: number): void {
    this.#current.remove(member);
  }

  /** Adds the members that match a typed word; `unfinished`: it may be the beginning of a word. */
  addMatches({ kind, text, ...typed }: QueryWord, unfinished: boolean, into: MemberCollector): void {
    if (kind === "character" || (unfinished && kind === "word")) this.#words.addBeginning(text, into, this.#current);
    else if ("pairs" in typed) this.#addRun(text, typed.pairs, into);
    else this.#words.addTo(text, into, this.#current);
  }

  /** Returns what `addMatches` adds, ascending, if it can be read from one place without a copy; otherwise null. */
  rowOf({ kind, text }: QueryWord, unfinished: boolean): Uint32Array | null {
    const isExact = kind === "number" || kind === "symbol" || kind === "ampersand" || (kind === "word" && !unfinished);
    return isExact ? this.#words.rowOf(text, this.#current) : null;
  }

  /** Adds the members with exactly this word. */
  addWord(word: string, into: MemberCollector): void {
    this.#words.addTo(word, into, this.#current);
  }

  /** Adds the members whose whole text is this. */
  addWhole(whole: string, into: MemberCollector): void {
    this.#wholes.addTo(whole, into, this.#current);
  }

  addWholeBeginning(prefix: string, into: MemberCollector): void {
    this.#wholes.addBeginning(prefix, into, this.#current);
  }

  /** Visits the members with this whole text until `visit` returns true. */
  visitWhole(whole: string, visit: (member: number) => boolean): void {
    this.#wholes.visit(whole, this.#current, visit);
  }

  /** Visits groups of members of the base that share a whole text. */
  forEachWhole(visit: (members: Uint32Array) => void): void {
    const { ends, members } = this.#wholes;
    for (let index = 0, start = 0; index < ends.length; index++) {
      const end = ends[index] as number;
      if (end - start > 1) visit(members.subarray(start, end));
      start = end;
    }
  }

  /** Undefined if the member has no text. */
  wholeOf(member: number): string | undefined {
    const recent = this.#current.recentOf(member);
    if (recent !== undefined) return this.#wholes.recent.terms.text(this.#recentWholes.values[recent] as number);
    const index = this.#current.isBaseCurrent(member) ? (this.#wholeAt[member] as number) : none;
    return index === none ? undefined : this.#wholes.dictionary.text(index);
  }

  hasWhole(whole: string): boolean {
    let has = false;
    this.visitWhole(whole, () => {
      has = true;
      return true;
    });
    return has;
  }

  /** Whether the word belongs to a member for which `counts` returns true. */
  hasWord(word: string, counts: (member: number) => boolean): boolean {
    let has = false;
    this.#words.visit(word, this.#current, (member) => {
      has = counts(member);
      return has;
    });
    return has;
  }

  /** Calls `onWord` with each word that is within the edits that `NearWords` allows. */
  forEachNear(typed: string, isGenerous: boolean, onWord: (word: string, edits: number) => void): void {
    this.#nearWords().forEach(typed, isGenerous, onWord);
    this.#nearWords().forEachOf(this.#words.recent.terms, typed, isGenerous, onWord);
  }

  /** Builds the data for corrections after a merge, so that the next search does not have to. */
  settle(): void {
    this.#nearWords();
  }

  /** Whether it must be merged before another text is set. */
  get isFull(): boolean {
    return this.#current.changes >= mostUnmerged;
  }

  /** Whether merging is worthwhile: it takes half a second at a million texts. */
  get isMergeWorthwhile(): boolean {
    return this.#current.changes > Math.max(fewChanges, this.#wholes.members.length / 64);
  }

  merge(): void {
    if (this.#current.changes === 0) return;
    this.#words.merge(this.#current);
    this.#wholes.merge(this.#current);
    this.#adoptBase();
  }

  /** Call it after a merge. */
  save(name: string): SavedArrays {
    return { ...this.#words.save(`${name}.words`), ...this.#wholes.save(`${name}.wholes`) };
  }

  static restore(name: string, saved: SavedArrays): IndexedTexts {
    const texts = new IndexedTexts();
    texts.#words = Terms.restore(`${name}.words`, saved);
    texts.#wholes = Terms.restore(`${name}.wholes`, saved);
    texts.#adoptBase();
    return texts;
  }

  #nearWords(): NearWords {
    this.#near ??= new NearWords(this.#words.dictionary);
    return this.#near;
  }

  #adoptBase(): void {
    const { ends, members } = this.#wholes;
    let size = 0;
    for (let index = 0; index < members.length; index++) size = Math.max(size, (members[index] as number) + 1);
    this.#wholeAt = new Uint32Array(size).fill(none);
    for (let index = 0, position = 0; index < ends.length; index++)
      for (const end = ends[index] as number; position < end; position++)
        this.#wholeAt[members[position] as number] = index;
    this.#recentWholes = new Growing();
    this.#current = new CurrentTexts(size);
    this.#near = undefined;
  }

  /**
   * Adds the members whose text contains a run of a script without spaces. Tests the members of the rarest pair of
   * adjacent characters. The other pairs exclude texts in which a space divides the run.
   */
  #addRun(run: string, pairs: readonly string[], into: MemberCollector): void {
    const [first = "", ...others] = pairs.toSorted((a, b) => this.#words.countOf(a) - this.#words.countOf(b));
    if (others.length === 0) {
      this.#words.addTo(first, into, this.#current);
      return;
    }
    let places = new Set<number>();
    this.#words.visit(first, this.#current, (member) => {
      if (this.wholeOf(member)?.includes(run)) places.add(member);
      return false;
    });
    for (const pair of others) {
      if (places.size === 0) return;
      const common = new Set<number>();
      this.#words.visit(pair, this.#current, (member) => {
        if (places.has(member)) common.add(member);
        return common.size === places.size;
      });
      places = common;
    }
    for (const member of places) into.add(member);
  }
}
