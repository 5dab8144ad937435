import { Bitmap } from "../columns/bitmap.ts";

/** An immutable set of members (slots or ordinals): a small one is an ascending list, a large one a bitmap. */
export class Members {
  readonly list: Uint32Array | null;
  readonly bitmap: Bitmap | null;
  #count: number;

  private constructor(list: Uint32Array | null, bitmap: Bitmap | null, count: number) {
    this.list = list;
    this.bitmap = bitmap;
    this.#count = count;
  }

  static of(ascending: Uint32Array): Members {
    return new Members(ascending, null, ascending.length);
  }

  static ofBitmap(bitmap: Bitmap): Members {
    return new Members(null, bitmap, -1);
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

  /** Filters a set that is a list; the set itself does not change. */
  filter(isKept: (member: number) => boolean): Members {
    return Members.of((this.list as Uint32Array).filter(isKept));
  }
}

/** Sets whose union is meant. The union is computed only if it is needed. */
export type AnyOf = readonly Members[];

export const hasAny = (sets: AnyOf, member: number): boolean => {
  for (const set of sets) if (set.has(member)) return true;
  return false;
};

/** Collects members. */
export interface Gathered {
  add(member: number): void;
  /** Adds the members from index `from` to before `to`. */
  addAll(members: Uint32Array, from: number, to: number): void;
}

/** Number of bitmaps that are kept for reuse: 5 MB at a million slots. */
const mostKept = 40;

/** Makes sets for one search. The next search reuses their bitmaps: allocating costs more than filling. */
export class MemberSets {
  #size = 0;
  /** Sets of up to this size are lists. */
  #few = 0;
  readonly #kept: Bitmap[] = [];
  /** Buffer for a list until its length is known. */
  #list = new Uint32Array(0);
  #used = 0;

  /** Begins a search of members below `size`. Sets of the previous search may be overwritten. */
  begin(size: number): void {
    this.#used = 0;
    if (size !== this.#size) this.#kept.length = 0;
    this.#size = size;
    this.#few = Math.max(8, size >>> 10);
    if (this.#list.length !== this.#few) this.#list = new Uint32Array(this.#few);
  }

  /** Collects a set. `into` must not call `gather` again. */
  gather(into: (gathered: Gathered & { or(set: Members | Bitmap): void }) => void): Members {
    const gathering = new Gathering(this.#list, () => this.empty());
    into(gathering);
    return gathering.done();
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
    if (a.list !== null && (b.list === null || a.count <= b.count)) return a.filter((member) => b.has(member));
    if (b.list !== null) return b.filter((member) => a.has(member));
    return this.#compact(
      this.empty()
        .copy(a.bitmap as Bitmap)
        .and(b.bitmap as Bitmap),
    );
  }

  andNot(a: Members, b: Members): Members {
    if (b.isEmpty) return a;
    if (a.list !== null) return a.filter((member) => !b.has(member));
    const left = this.empty().copy(a.bitmap as Bitmap);
    if (b.bitmap !== null) left.andNot(b.bitmap);
    else for (const member of b.list as Uint32Array) left.delete(member);
    return this.#compact(left);
  }

  /** Returns the union of the sets. */
  union(sets: AnyOf): Members {
    return sets.reduce((all, set) => this.or(all, set), Members.none);
  }

  /** Returns the members of a set that are in any of the other sets. */
  among(some: Members, sets: AnyOf): Members {
    return some.list === null ? this.and(some, this.union(sets)) : some.filter((member) => hasAny(sets, member));
  }

  /**
   * Returns the intersection of the unions; empty without any. Begins with the shortest, so that the others need not be
   * computed.
   */
  all(each: readonly AnyOf[]): Members {
    const [first = [], ...others] = each.toSorted((a, b) => mostOf(a) - mostOf(b));
    return others.reduce((both, other) => this.among(both, other), this.union(first));
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
    if (this.#kept.length < mostKept) this.#kept[this.#used++] = bitmap;
    return bitmap;
  }

  #compact(bitmap: Bitmap): Members {
    const set = Members.ofBitmap(bitmap);
    return set.count <= this.#few ? Members.of(bitmap.slots(set.count)) : set;
  }
}

/** Upper bound of the members in any of the sets; infinite for bitmaps, since counting one takes longer than using it. */
const mostOf = (sets: AnyOf): number =>
  sets.reduce((most, { list }) => most + (list?.length ?? Number.POSITIVE_INFINITY), 0);

/** Collects members in any order, with duplicates; becomes a bitmap when the list is full. */
class Gathering implements Gathered {
  readonly #list: Uint32Array;
  readonly #empty: () => Bitmap;
  #length = 0;
  #isAscending = true;
  #bitmap: Bitmap | undefined;

  constructor(list: Uint32Array, empty: () => Bitmap) {
    this.#list = list;
    this.#empty = empty;
  }

  add(member: number): void {
    if (this.#bitmap === undefined && this.#length === this.#list.length) this.#reserve(1);
    if (this.#bitmap !== undefined) {
      this.#bitmap.add(member);
      return;
    }
    if (this.#length > 0 && (this.#list[this.#length - 1] as number) >= member) this.#isAscending = false;
    this.#list[this.#length++] = member;
  }

  addAll(members: Uint32Array, from: number, to: number): void {
    this.#reserve(to - from);
    if (this.#bitmap === undefined) {
      for (let index = from; index < to; index++) this.add(members[index] as number);
      return;
    }
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
      if (this.#length === 0 && this.#bitmap === undefined) this.#bitmap = this.#empty().copy(bitmap);
      else this.#manyMembers().or(bitmap);
    } else {
      const list = (set as Members).list as Uint32Array;
      this.addAll(list, 0, list.length);
    }
  }

  done(): Members {
    if (this.#bitmap !== undefined) return Members.ofBitmap(this.#bitmap);
    if (this.#length === 0) return Members.none;
    const list = this.#list.slice(0, this.#length);
    if (this.#isAscending) return Members.of(list);
    list.sort();
    let length = 0;
    for (const member of list) if (length === 0 || list[length - 1] !== member) list[length++] = member;
    return Members.of(list.subarray(0, length));
  }

  /** Makes room for `more` members. */
  #reserve(more: number): void {
    if (this.#bitmap === undefined && this.#length + more > this.#list.length) this.#manyMembers();
  }

  #manyMembers(): Bitmap {
    if (this.#bitmap === undefined) {
      const bitmap = this.#empty();
      for (let index = 0; index < this.#length; index++) bitmap.add(this.#list[index] as number);
      this.#bitmap = bitmap;
    }
    return this.#bitmap;
  }
}
