import type { SavedArrays } from "../../engine.ts";
import type { MemberCollector } from "../members.ts";
import type { CurrentTexts } from "./current-texts.ts";
import { Dictionary, mergeDictionaries } from "./dictionary.ts";
import { RecentTerms } from "./recent-terms.ts";

const none = new Uint32Array(0);

/** Maps terms (words, or whole texts) to the members that have them: a sorted base, and the terms added since. */
export class Terms {
  dictionary: Dictionary;
  /** Where the members of each term end. */
  ends: Uint32Array;
  /** Ascending within a term. */
  members: Uint32Array;
  recent = new RecentTerms();

  constructor(
    dictionary = new Dictionary(),
    ends: Uint32Array = new Uint32Array(0),
    members: Uint32Array = new Uint32Array(0),
  ) {
    this.dictionary = dictionary;
    this.ends = ends;
    this.members = members;
  }

  /** Adds the members that have the term. */
  addTo(term: string, into: MemberCollector, texts: CurrentTexts): void {
    const index = this.dictionary.indexOf(term);
    if (index >= 0) this.#addRows(index, index + 1, into, texts);
    const id = this.recent.terms.idOf(term);
    if (id >= 0) this.#addRecent(id, into, texts);
  }

  /** Returns the members that have the term, ascending, without a copy; null if they are not all in the base. */
  rowOf(term: string, { outdated, outdatedCount }: CurrentTexts): Uint32Array | null {
    if (this.recent.terms.idOf(term) >= 0) return null;
    const index = this.dictionary.indexOf(term);
    if (index < 0) return none;
    const row = this.members.subarray(this.startOf(index), this.ends[index]);
    return outdatedCount > 0 && row.some((member) => outdated.has(member)) ? null : row;
  }

  /** Adds the members with a term that begins with the prefix. */
  addBeginning(prefix: string, into: MemberCollector, texts: CurrentTexts): void {
    const { from, to } = this.dictionary.beginningWith(prefix);
    if (from < to) this.#addRows(from, to, into, texts);
    for (const id of this.recent.terms.beginningWith(prefix)) this.#addRecent(id, into, texts);
  }

  /** Visits the members that have the term until `visit` returns true. */
  visit(term: string, texts: CurrentTexts, visit: (member: number) => boolean): void {
    const index = this.dictionary.indexOf(term);
    if (index >= 0)
      for (let position = this.startOf(index), end = this.ends[index] as number; position < end; position++) {
        const member = this.members[position] as number;
        if (!texts.outdated.has(member) && visit(member)) return;
      }
    const id = this.recent.terms.idOf(term);
    if (id >= 0) this.recent.visit(id, texts.memberOf, visit);
  }

  /** Returns how many members have the term in the base, which is about how many have it now. */
  countOf(term: string): number {
    const index = this.dictionary.indexOf(term);
    return index < 0 ? 0 : (this.ends[index] as number) - this.startOf(index);
  }

  startOf(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] as number);
  }

  /** Merges base and recent terms into a new base. Drops terms without a member. */
  merge(texts: CurrentTexts): void {
    const { dictionary, ends, members, recent } = this;
    const { outdated, outdatedCount, memberOf } = texts;
    const isKept = (member: number) => outdatedCount === 0 || !outdated.has(member);
    const arrived = recent.terms.sorted();
    const inBase = new Uint32Array(dictionary.size);
    for (let index = 0, position = 0; index < dictionary.size; index++)
      for (const end = ends[index] as number; position < end; position++)
        if (isKept(members[position] as number)) (inBase[index] as number)++;
    const inRecent = new Uint32Array(arrived.length);
    for (const [index, id] of arrived.entries())
      recent.visit(id, memberOf, () => {
        (inRecent[index] as number)++;
        return false;
      });
    const { merged, ofA, ofB } = mergeDictionaries(dictionary, recent.terms.toDictionary(), inBase, inRecent);
    // `newEnds` first holds the number of members of each term, then the end of its row.
    const newEnds = new Uint32Array(merged.size);
    for (const [index, count] of inBase.entries()) if (count !== 0) (newEnds[ofA[index] as number] as number) += count;
    for (const [index, count] of inRecent.entries())
      if (count !== 0) (newEnds[ofB[index] as number] as number) += count;
    let total = 0;
    for (let index = 0; index < newEnds.length; index++) total = newEnds[index] = total + (newEnds[index] as number);
    const newMembers = new Uint32Array(total);
    // Backwards, because recent members are visited newest first: so most rows are ascending.
    const place = newEnds.slice();
    for (const [index, id] of arrived.entries()) {
      const row = ofB[index] as number;
      recent.visit(id, memberOf, (member) => {
        newMembers[--(place[row] as number)] = member;
        return false;
      });
    }
    for (let index = dictionary.size - 1, at = members.length - 1; index >= 0; index--)
      for (const start = this.startOf(index); at >= start; at--) {
        const member = members[at] as number;
        if (isKept(member)) newMembers[--(place[ofA[index] as number] as number)] = member;
      }
    sortRows(newMembers, newEnds);
    this.dictionary = merged;
    this.ends = newEnds;
    this.members = newMembers;
    this.recent = new RecentTerms();
  }

  save(name: string): SavedArrays {
    const { dictionary, ends, members } = this;
    return {
      [`${name}.bytes`]: dictionary.bytes,
      [`${name}.textEnds`]: dictionary.ends,
      [`${name}.ends`]: ends,
      [`${name}.members`]: members,
    };
  }

  static restore(name: string, saved: SavedArrays): Terms {
    const dictionary = new Dictionary(saved[`${name}.bytes`] as Uint8Array, saved[`${name}.textEnds`] as Uint32Array);
    return new Terms(dictionary, saved[`${name}.ends`] as Uint32Array, saved[`${name}.members`] as Uint32Array);
  }

  #addRows(from: number, to: number, into: MemberCollector, { outdated, outdatedCount }: CurrentTexts): void {
    const { members } = this;
    const end = this.ends[to - 1] as number;
    if (outdatedCount === 0) into.addAll(members, this.startOf(from), end);
    else
      for (let index = this.startOf(from); index < end; index++)
        if (!outdated.has(members[index] as number)) into.add(members[index] as number);
  }

  #addRecent(id: number, into: MemberCollector, { memberOf }: CurrentTexts): void {
    this.recent.visit(id, memberOf, (member) => {
      into.add(member);
      return false;
    });
  }
}

/** Sorts the rows that are not ascending yet. */
function sortRows(members: Uint32Array, ends: Uint32Array): void {
  let start = 0;
  for (const end of ends) {
    let at = start + 1;
    while (at < end && (members[at - 1] as number) < (members[at] as number)) at++;
    if (at < end) members.subarray(start, end).sort();
    start = end;
  }
}
