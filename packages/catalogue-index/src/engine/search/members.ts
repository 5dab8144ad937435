import { Bitmap } from "../columns/bitmap.ts";
import { ListRoom } from "./list-room.ts";

/** A set of which single members can be tested before all of them are collected. */
interface TestableSet {
  /** Upper bound of the number of members. */
  readonly most: number;
  has(member: number): boolean;
  all(): Members;
}

/** A set that is collected only if it is needed. */
export interface UncollectedSet extends TestableSet {
  /**
   * Writes to `into`, from `from` on, those members of a list that the set has. Returns their number. Makes no other
   * set.
   */
  filter(list: Uint32Array, into: Uint32Array, from: number): number;
}

/**
 * An immutable set of members (slots or ordinals): a small one is an ascending list, a large one a list or a bitmap.
 */
export class Members implements TestableSet {
  readonly list: Uint32Array | null;
  readonly bitmap: Bitmap | null;
  readonly most: number;
  #count: number;

  private constructor(list: Uint32Array | null, bitmap: Bitmap | null, count: number, most: number) {
    this.list = list;
    this.bitmap = bitmap;
    this.#count = count;
    this.most = most;
  }

  static of(ascending: Uint32Array): Members {
    return new Members(ascending, null, ascending.length, ascending.length);
  }

  /** `count`: the number of members, if it is known. `most`: an upper bound of it. */
  static ofBitmap(bitmap: Bitmap, count = -1, most = count < 0 ? 32 * bitmap.words.length : count): Members {
    return new Members(null, bitmap, count, most);
  }

  static readonly none: Members = Members.of(new Uint32Array(0));

  get isEmpty(): boolean {
    return this.list?.length === 0;
  }

  get count(): number {
    if (this.#count < 0) this.#count = (this.bitmap as Bitmap).count();
    return this.#count;
  }

  has(member: number): boolean {
    const { list, bitmap } = this;
    if (bitmap !== null) return bitmap.has(member);
    let [low, high] = [0, (list as Uint32Array).length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((list as Uint32Array)[middle] as number) < member) low = middle + 1;
      else high = middle;
    }
    return (list as Uint32Array)[low] === member;
  }

  /** Ascending. */
  slots(): Uint32Array {
    return this.list ?? (this.bitmap as Bitmap).slots(this.count);
  }

  all(): this {
    return this;
  }
}

/** Sets that stand for their union, which is computed only if it is needed. */
export type AnyOf = readonly (Members | UncollectedSet)[];

export const hasAny = (sets: AnyOf, member: number): boolean => {
  for (const set of sets) if (set.has(member)) return true;
  return false;
};

/** Collects members. */
export interface MemberCollector {
  add(member: number): void;
  /** Adds the members from index `from` to before `to`. */
  addAll(members: Uint32Array, from: number, to: number): void;
}

/** Number of bitmaps that are kept for reuse: 5 MB at a million slots. */
const maxKept = 40;

/** Makes sets for one search. The next search reuses their bitmaps: allocating costs more than filling. */
export class MemberSets {
  #size = 0;
  /** Sets of up to this size are lists. */
  #few = 0;
  readonly #kept: Bitmap[] = [];
  #used = 0;
  readonly #room = new ListRoom();
  readonly #collector = new ReusableCollector(this.#room, () => this.empty());

  /** Begins a search of members below `size`. Sets of the previous search may be overwritten. */
  begin(size: number): void {
    this.#used = 0;
    if (size !== this.#size) this.#kept.length = 0;
    this.#size = size;
    this.#few = Math.max(8, size >>> 10);
    this.#room.begin();
  }

  /** Collects a set. `into` must not make another set. */
  gather(into: (collector: MemberCollector & { or(set: Members | Bitmap): void }) => void): Members {
    this.#collector.begin(this.#few);
    into(this.#collector);
    return this.#collector.done();
  }

  or(a: Members, b: Members): Members {
    if (a.isEmpty || a === b) return b;
    if (b.isEmpty) return a;
    return this.gather((both) => {
      both.or(a.bitmap === null ? b : a);
      both.or(a.bitmap === null ? a : b);
    });
  }

  and(a: Members, b: Members): Members {
    if (a === b) return a;
    if (a.list !== null && (b.list === null || a.count <= b.count)) return this.#filterList(a.list, b, true);
    if (b.list !== null) return this.#filterList(b.list, a, true);
    return this.#bothBitmaps(a.bitmap as Bitmap, b.bitmap as Bitmap);
  }

  andNot(a: Members, b: Members): Members {
    if (b.isEmpty) return a;
    if (a.list !== null) return this.#filterList(a.list, b, false);
    const left = this.empty().copy(a.bitmap as Bitmap);
    if (b.bitmap !== null) left.andNot(b.bitmap);
    else for (const member of b.list as Uint32Array) left.delete(member);
    const count = left.count();
    if (count > this.#few) return Members.ofBitmap(left, count);
    this.#room.reserve(count);
    return Members.of(left.slots(count, this.#room.take(count)));
  }

  /** Returns the union of the sets. */
  union(sets: AnyOf): Members {
    let all = Members.none;
    for (const set of sets) all = this.or(all, set.all());
    return all;
  }

  /** Returns the members of a set that are in any of the other sets. */
  among(some: Members, sets: AnyOf): Members {
    if (some.isEmpty) return some;
    const collected: Members[] = [];
    let found = Members.none;
    for (const set of sets)
      if (set instanceof Members) collected.push(set);
      else if (this.#isCheaperToTest(some, set)) found = this.or(found, this.#tested(some.slots(), set));
      else collected.push(set.all());
    if (some.list === null) return this.or(found, this.and(some, this.union(collected)));
    for (const set of collected) found = this.or(found, this.and(some, set));
    return found;
  }

  /**
   * Returns the intersection of the unions; empty without any. Collects only the members of the shortest union, and
   * tests whether the others have them.
   */
  all(each: readonly AnyOf[]): Members {
    const [first = [], ...others] = each.toSorted((a, b) => upperBound(a) - upperBound(b));
    return this.union(first.map((set) => others.reduce((both, other) => this.among(both, other), set.all())));
  }

  /** Valid during this search. */
  bitmapOf(set: Members): Bitmap {
    const bitmap = set.bitmap ?? this.empty();
    for (const member of set.list ?? []) bitmap.add(member);
    return bitmap;
  }

  /** Returns an empty bitmap, valid during this search. */
  empty(): Bitmap {
    const set = this.#kept[this.#used];
    if (set !== undefined) {
      this.#used++;
      return set.clear();
    }
    const bitmap = new Bitmap(this.#size);
    if (this.#kept.length < maxKept) this.#kept[this.#used++] = bitmap;
    return bitmap;
  }

  /** Whether testing each of some members takes less time than collecting the other set. */
  #isCheaperToTest(some: Members, set: UncollectedSet): boolean {
    return some.most * testCost < set.most + (this.#size >>> 9);
  }

  #tested(list: Uint32Array, set: UncollectedSet): Members {
    const room = this.#room;
    room.reserve(list.length);
    return this.#list(list, set.filter(list, room.block, room.end));
  }

  /** Returns the members of a list that are in the other set, or those that are not. */
  #filterList(list: Uint32Array, other: Members, areIn: boolean): Members {
    const room = this.#room;
    room.reserve(list.length);
    const { block, end } = room;
    let length = 0;
    if (other.list === null) {
      // Without a branch that the processor would have to predict.
      const { words } = other.bitmap as Bitmap;
      const counted = Number(areIn);
      for (const member of list) {
        block[end + length] = member;
        length += Number((((words[member >>> 5] as number) >>> (member & 31)) & 1) === counted);
      }
    } else if (other.count > list.length * muchLonger) {
      for (const member of list) if (other.has(member) === areIn) block[end + length++] = member;
    } else {
      const others = other.list;
      let at = 0;
      for (const member of list) {
        while (at < others.length && (others[at] as number) < member) at++;
        if ((others[at] === member) === areIn) block[end + length++] = member;
      }
    }
    return this.#list(list, length);
  }

  /** Returns the written list of `length` members, all of which are in `from`. */
  #list(from: Uint32Array, length: number): Members {
    if (length === 0) return Members.none;
    return Members.of(length === from.length ? from : this.#room.take(length));
  }

  #bothBitmaps(a: Bitmap, b: Bitmap): Members {
    const room = this.#room;
    room.reserve(this.#few);
    const count = a.slotsAnd(b, this.#few, room.block, room.end);
    if (count === 0) return Members.none;
    if (count <= this.#few) return Members.of(room.take(count));
    return Members.ofBitmap(this.empty().copy(a).and(b));
  }
}

/** A list that is longer than another by this factor is searched for each of its members, instead of walked. */
const muchLonger = 8;

/** The time of testing a member, in times of collecting one: a test reads a place of a column. */
const testCost = 3;

const upperBound = (sets: AnyOf): number => {
  let most = 0;
  for (const set of sets) most += set.most;
  return most;
};

/** Collects members in any order, with duplicates; becomes a bitmap when there are more than a few. */
class ReusableCollector implements MemberCollector {
  readonly #room: ListRoom;
  readonly #empty: () => Bitmap;
  #few = 0;
  #length = 0;
  #isAscending = true;
  #bitmap: Bitmap | null = null;
  /** Upper bound of the members of the bitmap. */
  #most = 0;

  constructor(room: ListRoom, empty: () => Bitmap) {
    this.#room = room;
    this.#empty = empty;
  }

  begin(few: number): void {
    this.#room.reserve(few);
    this.#few = few;
    this.#length = 0;
    this.#isAscending = true;
    this.#bitmap = null;
    this.#most = 0;
  }

  add(member: number): void {
    if (this.#bitmap === null && this.#length === this.#few) this.#reserve(1);
    if (this.#bitmap !== null) {
      this.#bitmap.add(member);
      this.#most++;
      return;
    }
    const { block, end } = this.#room;
    if (this.#length > 0 && (block[end + this.#length - 1] as number) >= member) this.#isAscending = false;
    block[end + this.#length++] = member;
  }

  addAll(members: Uint32Array, from: number, to: number): void {
    this.#reserve(to - from);
    if (this.#bitmap === null) {
      for (let at = from; at < to; at++) this.add(members[at] as number);
      return;
    }
    this.#most += to - from;
    const { words } = this.#bitmap;
    for (let position = from; position < to; position++) {
      const member = members[position] as number;
      (words[member >>> 5] as number) |= 1 << (member & 31);
    }
  }

  or(set: Members | Bitmap): void {
    const bitmap = set instanceof Bitmap ? set : set.bitmap;
    if (bitmap !== null) {
      // The first bitmap is copied instead of ORed: half the work.
      if (this.#length === 0 && this.#bitmap === null) this.#bitmap = this.#empty().copy(bitmap);
      else this.#manyMembers().or(bitmap);
      this.#most += set instanceof Bitmap ? 32 * bitmap.words.length : set.most;
    } else {
      const list = (set as Members).list as Uint32Array;
      this.addAll(list, 0, list.length);
    }
  }

  done(): Members {
    if (this.#bitmap !== null) return Members.ofBitmap(this.#bitmap, -1, this.#most);
    if (this.#length === 0) return Members.none;
    if (!this.#isAscending) this.#sort();
    return Members.of(this.#room.take(this.#length));
  }

  /** Sorts the list, and drops duplicates. */
  #sort(): void {
    const { block, end } = this.#room;
    block.subarray(end, end + this.#length).sort();
    let last = end;
    for (let at = end + 1; at < end + this.#length; at++)
      if (block[at] !== block[last]) block[++last] = block[at] as number;
    this.#length = last + 1 - end;
  }

  /** Makes room for `more` members. */
  #reserve(more: number): void {
    if (this.#bitmap === null && this.#length + more > this.#few) this.#manyMembers();
  }

  #manyMembers(): Bitmap {
    if (this.#bitmap !== null) return this.#bitmap;
    const bitmap = this.#empty();
    const { block, end } = this.#room;
    for (let at = end; at < end + this.#length; at++) bitmap.add(block[at] as number);
    this.#most = this.#length;
    this.#bitmap = bitmap;
    return bitmap;
  }
}
