import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Numbers, stored } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";
import { Columns } from "./columns.ts";
import { IdTable } from "./id-table.ts";
import { intersect } from "./intersection.ts";
import { Order } from "./order.ts";
import { Postings } from "./postings.ts";
import { sortSlots } from "./sort-slots.ts";

const seed = 17;

describe("an id table", () => {
  test("numbers ids in the order of insertion, beyond 32 bits and across every growth", () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => (n % 3 === 0 ? 2 ** 32 * (n + 1) : n) + 1);
    const table = new IdTable();
    expect(ids.map((id) => table.add(id))).toEqual(ids.map((_, n) => n));
    expect(ids.map((id) => table.add(id))).toEqual(ids.map((_, n) => n));
    expect(ids.map((id) => new IdTable(table.ids.slice(0, table.size)).find(id))).toEqual(ids.map((_, n) => n));
    expect([0, 2, 2 ** 32, 5_000].map((id) => table.find(id))).toEqual([-1, 1, -1, -1]);
  });

  test("finds ids that come in any order, and no others", () => {
    const stretch = fc.record({
      from: fc.nat(400),
      length: fc.integer({ min: 1, max: 80 }),
      step: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), fc.constantFrom(1, 3, 2 ** 31), (stretches, scale) => {
        const table = new IdTable();
        const numbers = new Map<number, number>();
        for (const { from, length, step } of stretches)
          for (let n = 0; n < length; n++) {
            const id = (from + n * step) * scale;
            if (!numbers.has(id)) numbers.set(id, numbers.size);
            if (table.add(id) !== numbers.get(id)) expect.fail(`${id} has another number`);
          }
        const reopened = new IdTable(table.ids.slice(0, table.size));
        const asked = Array.from({ length: 802 }, (_, n) => (n - 1) * scale);
        const expected = asked.map((id) => numbers.get(id) ?? -1);
        for (const each of [table, reopened]) expect(asked.map((id) => each.find(id))).toEqual(expected);
      }),
      { seed },
    );
  });
});

describe("a column", () => {
  test("keeps every value when one is too large for the type of its array", () => {
    const value = fc.oneof(
      fc.nat(255),
      fc.nat(65_535),
      fc.nat(2 ** 32 - 1),
      fc.nat(2 ** 52),
      fc.double({ noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), (values) => {
        let column: Numbers = new Uint8Array(20);
        values.forEach((each, index) => {
          column = stored(column, index, each + 0);
        });
        expect(Array.from(column.subarray(0, values.length))).toEqual(values.map((each) => each + 0));
      }),
      { seed },
    );
  });

  test("takes the bytes that its largest value needs", () => {
    const bytesFor = (value: number) => stored(new Uint8Array(1), 0, value).BYTES_PER_ELEMENT;
    expect([255, 256, 65_536, 2 ** 32, 0.5].map(bytesFor)).toEqual([1, 2, 4, 8, 8]);
  });
});

test("the slots that two bitmaps share are written up to a maximum number", () => {
  const slots = fc.uniqueArray(fc.nat(300), { maxLength: 80 });
  fc.assert(
    fc.property(slots, slots, fc.nat(20), (inOne, inOther, most) => {
      const [one, other] = [new Bitmap(301), new Bitmap(200)];
      for (const slot of inOne) one.add(slot);
      for (const slot of inOther.filter((each) => each < 200)) other.add(slot);
      const expected = inOne.filter((slot) => slot < 200 && inOther.includes(slot)).sort((a, b) => a - b);
      const into = new Uint32Array(most + 2);
      expect(one.slotsAnd(other, most, into, 1)).toBe(Math.min(expected.length, most + 1));
      const written = expected.slice(0, most);
      expect(Array.from(into)).toEqual([0, ...written, ...Array(most + 1 - written.length).fill(0)]);
    }),
    { seed },
  );
});

test("radix sort gives the same order as comparison, for doubles of either sign too, and is stable", () => {
  const number = fc.oneof(
    fc.double({ noNaN: true }).map((value) => value + 0),
    fc.integer({ min: -5, max: 5 }).map((value) => value + 0),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 60 }), (values) => {
      const column = Float64Array.from(values);
      const slots = Uint32Array.from(values.keys());
      const expected = Array.from(slots).sort((a, b) =>
        (values[a] as number) < (values[b] as number) ? -1 : values[a] === values[b] ? a - b : 1,
      );
      sortSlots(slots, column);
      expect(Array.from(slots)).toEqual(expected);
    }),
    { seed },
  );
});

/** Sets of slots on either side of a word's boundary. */
const slotSets = fc.uniqueArray(fc.integer({ min: 0, max: 99 }));
const bitmapOf = (slots: number[], size = 100): Bitmap => {
  const bitmap = new Bitmap(size);
  for (const slot of slots) bitmap.add(slot);
  return bitmap;
};

test("bitmaps behave like sets", () => {
  fc.assert(
    fc.property(slotSets, slotSets, (left, right) => {
      const a = new Set(left);
      const b = new Set(right);
      const sorted = (set: Set<number>): number[] => Array.from(set).sort((x, y) => x - y);
      expect(Array.from(bitmapOf(left).and(bitmapOf(right)).slots())).toEqual(sorted(a.intersection(b)));
      expect(Array.from(bitmapOf(left).or(bitmapOf(right)).slots())).toEqual(sorted(a.union(b)));
      expect(Array.from(bitmapOf(left).andNot(bitmapOf(right)).slots())).toEqual(sorted(a.difference(b)));
      expect(bitmapOf(left).countAnd(bitmapOf(right, 200))).toBe(a.intersection(b).size);
      expect(bitmapOf(left).count()).toBe(a.size);
    }),
    { seed },
  );
});

test.each([1, 2, 3, 97])("a bitmap's blocks contain each of its slots once, ascending (one slot in %i)", (step) => {
  const slots = Array.from({ length: 10_000 }, (_, n) => n * step);
  const visited: number[] = [];
  let blocks = 0;
  bitmapOf(slots, 1_000_000).forEachBlock((block, count) => {
    visited.push(...block.subarray(0, count));
    blocks++;
  });
  expect(visited).toEqual(slots);
  expect(blocks).toBeGreaterThan(1);
});

/** A step: the slot leaves (null) or gets the key; then perhaps the waiting changes are settled or merged. */
const steps = fc.array(
  fc.record({
    slot: fc.integer({ min: 0, max: 140 }),
    key: fc.option(fc.integer({ min: 0, max: 20 }), { freq: 4 }),
    next: fc.constantFrom("nothing", "nothing", "settle", "compact"),
  }),
  { maxLength: 300, size: "max" },
);

test.each([
  ["seldom", { least: 1_000, share: 1 }],
  ["often", { least: 8, share: 1 / 8 }],
  ["always", { least: 0, share: 0 }],
])("an order that is merged %s has every slot in its place, and returns every range", (_, merging) => {
  fc.assert(
    fc.property(steps, slotSets, fc.nat(21), fc.nat(21), (changes, matching, min, max) => {
      const columns = new Columns();
      const order = new Order(columns, "priceCents", merging);
      const keys = new Map<number, number>();
      // Ids descend, so that slots of equal keys are not ordered by slot.
      for (let slot = 0; slot <= 140; slot++) columns.slotFor(1_000 - slot);
      for (const { slot, key, next } of changes) {
        if (keys.has(slot)) order.remove(slot);
        keys.delete(slot);
        columns.unlist(slot);
        if (key !== null) {
          columns.priceCents[slot] = key;
          columns.list(slot);
          order.insert(slot);
          keys.set(slot, key);
        }
        if (next !== "nothing") order[next]();
      }
      order.settle();
      const sorted = Array.from(keys.keys()).sort((a, b) => (keys.get(a) as number) - (keys.get(b) as number) || b - a);
      expect(order.take(null, 0, 1, 0, 1_000)).toEqual(sorted);
      expect(order.take(null, order.length, -1, 0, 1_000)).toEqual(sorted.toReversed());
      expect(order.take(null, 0, 1, 7, 5)).toEqual(sorted.slice(7, 12));
      expect(order.take(null, order.length, -1, 7, 5)).toEqual(sorted.toReversed().slice(7, 12));
      const matches = bitmapOf(matching, columns.capacity);
      const matched = sorted.filter((slot) => matches.has(slot));
      expect(order.take(matches, 0, 1, 3, 9)).toEqual(matched.slice(3, 12));
      const place = order.rank(min, 900);
      expect(place).toBe(
        sorted.filter((slot) => (keys.get(slot) as number) < min || (keys.get(slot) === min && slot > 100)).length,
      );
      expect(order.take(matches, place, -1, 0, 1_000)).toEqual(
        sorted
          .slice(0, place)
          .filter((slot) => matches.has(slot))
          .reverse(),
      );
      const before = order.quantileBefore(matches, 20);
      expect(before.matched).toBe(sorted.slice(0, before.rank).filter((slot) => matches.has(slot)).length);
      expect(before.matched).toBeLessThanOrEqual(20);
      const range = new Bitmap(columns.capacity);
      order.range(min, max, range);
      const within = sorted.filter((slot) => (keys.get(slot) as number) >= min && (keys.get(slot) as number) <= max);
      expect(Array.from(range.slots())).toEqual(within.sort((a, b) => a - b));
      const copied = new Uint32Array(within.length + 1);
      expect(order.copyRange(min, max, copied, 1)).toBe(within.length);
      expect(Array.from(copied.subarray(1)).sort((a, b) => a - b)).toEqual(within);
      if (min > max) return;
      const cover = order.cover(min, max);
      const covered = new Bitmap(columns.capacity);
      expect(intersect([cover, { anyOf: [columns.listed] }], covered)).toBe(within.length + cover.excess);
      expect(order.trim(min, max, covered)).toBe(cover.excess);
      expect(Array.from(covered.slots())).toEqual(within);
    }),
    { seed, numRuns: 60 },
  );
});

test("postings return the slots of every value, whatever changes came before", () => {
  const change = fc.record({
    slot: fc.nat(150),
    values: fc.uniqueArray(fc.nat(40), { maxLength: 3 }),
    compacts: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300, size: "max" }), (changes) => {
      const postings = new Postings({ few: 20, many: 100 });
      const values = new Map<number, number[]>();
      for (const { slot, values: after, compacts } of changes) {
        postings.change(slot, values.get(slot) ?? [], after);
        values.set(slot, after);
        if (compacts) postings.compact();
        else postings.settle();
      }
      for (let value = 0; value <= 40; value++) {
        const expected = Array.from(values.keys())
          .filter((slot) => values.get(slot)?.includes(value))
          .sort((a, b) => a - b);
        const slots: number[] = [];
        postings.forEach(value, (slot) => slots.push(slot));
        expect(slots.sort((a, b) => a - b)).toEqual(expected);
        const bitmap = new Bitmap(200);
        postings.addTo(value, bitmap);
        expect(Array.from(bitmap.slots())).toEqual(expected);
        expect(postings.count(value)).toBe(expected.length);
      }
    }),
    { seed, numRuns: 60 },
  );
});
