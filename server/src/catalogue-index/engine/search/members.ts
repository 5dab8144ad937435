import { Bitmap } from "../columns/bitmap.ts";

/** A set of members (slots or ordinals) that does not change: few of them as a list, ascending; many as a bitmap. */
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

  /** Some of a list. */
  filter(isKept: (member: number) => boolean): Members {
    return Members.of((this.list as Uint32Array).filter(isKept));
  }
}

/** What members are gathered in. */
export interface Gathered {
  add(member: number): void;
  /** Those from `from` below `to`. */
  addAll(members: Uint32Array, from: number, to: number): void;
}

/** So many bitmaps are kept: 5 MB at a million slots. */
const mostKept = 40;

/** Makes sets for the time of one search. Their bitmaps are used again by the next one: allocating costs more than filling. */
export class MemberSets {
  #size = 0;
  /** As many are a list. */
  #few = 0;
  readonly #kept: Bitmap[] = [];
  #used = 0;

  /** Begins a search of members below `size`: the sets of the last one may be overwritten. */
  begin(size: number): void {
    this.#used = 0;
    if (size !== this.#size) this.#kept.length = 0;
    this.#size = size;
    this.#few = Math.max(8, size >>> 10);
  }

  gather(into: (gathered: Gathered & { or(set: Members | Bitmap): void }) => void): Members {
    const gathering = new Gathering(this.#few, () => this.empty());
    into(gathering);
    return gathering.done();
  }

  or(a: Members, b: Members): Members {
    if (a.list?.length === 0 || a === b) return b;
    if (b.list?.length === 0) return a;
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
    if (b.list?.length === 0) return a;
    if (a.list !== null) return a.filter((member) => !b.has(member));
    const left = this.empty().copy(a.bitmap as Bitmap);
    if (b.bitmap !== null) left.andNot(b.bitmap);
    else for (const member of b.list as Uint32Array) left.delete(member);
    return this.#compact(left);
  }

  /** What all sets have; nothing if there is no set. */
  all(sets: readonly Members[]): Members {
    const [first = Members.none, ...others] = sets.toSorted((a, b) => a.count - b.count);
    return others.reduce((both, other) => this.and(both, other), first);
  }

  /** For the time of this search. */
  bitmapOf(set: Members): Bitmap {
    const bitmap = set.bitmap ?? this.empty();
    for (const member of set.list ?? []) bitmap.add(member);
    return bitmap;
  }

  /** An empty bitmap for the time of this search. */
  empty(): Bitmap {
    const known = this.#kept[this.#used];
    if (known !== undefined) {
      this.#used++;
      return known.clear();
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

/** Members in any order, some of them twice; a bitmap once they are many. */
class Gathering implements Gathered {
  readonly #most: number;
  readonly #empty: () => Bitmap;
  #list = new Uint32Array(16);
  #length = 0;
  #isAscending = true;
  #bitmap: Bitmap | undefined;

  constructor(most: number, empty: () => Bitmap) {
    this.#most = most;
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
      for (let at = from; at < to; at++) this.add(members[at] as number);
      return;
    }
    const { words } = this.#bitmap;
    for (let at = from; at < to; at++) {
      const member = members[at] as number;
      (words[member >>> 5] as number) |= 1 << (member & 31);
    }
  }

  or(set: Members | Bitmap): void {
    const bitmap = set instanceof Bitmap ? set : set.bitmap;
    if (bitmap !== null) this.#manyMembers().or(bitmap);
    else {
      const list = (set as Members).list as Uint32Array;
      this.addAll(list, 0, list.length);
    }
  }

  done(): Members {
    if (this.#bitmap !== undefined) return Members.ofBitmap(this.#bitmap);
    const list = this.#list.subarray(0, this.#length);
    if (this.#isAscending) return Members.of(list);
    list.sort();
    let length = 0;
    for (const member of list) if (length === 0 || list[length - 1] !== member) list[length++] = member;
    return Members.of(list.subarray(0, length));
  }

  /** Makes room for more. */
  #reserve(more: number): void {
    const needed = this.#length + more;
    if (this.#bitmap !== undefined || needed <= this.#list.length) return;
    if (needed > this.#most) {
      this.#manyMembers();
      return;
    }
    const list = new Uint32Array(Math.min(this.#most, 2 * needed));
    list.set(this.#list.subarray(0, this.#length));
    this.#list = list;
  }

  #manyMembers(): Bitmap {
    if (this.#bitmap === undefined) {
      const bitmap = this.#empty();
      for (let at = 0; at < this.#length; at++) bitmap.add(this.#list[at] as number);
      this.#bitmap = bitmap;
    }
    return this.#bitmap;
  }
}
