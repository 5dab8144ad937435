import fc from "fast-check";
import { expect, test } from "vitest";
import { Bitmap } from "./bitmap.ts";
import { type Edge, intersect } from "./intersection.ts";
import { sortSlots } from "./sort-slots.ts";

const seed = 20261130;

/** Bitmaps of different lengths, some longer than a block. */
const bitmaps = fc
  .record({
    room: fc.constantFrom(0, 128, 70_000, 140_000),
    slots: fc.array(fc.nat(139_999), { maxLength: 200, size: "max" }),
  })
  .map(({ room, slots }) => {
    const bitmap = new Bitmap(room);
    for (const slot of slots)
      if (slot % 3 === 0) for (let near = slot; near < Math.min(slot + 40, room); near++) bitmap.add(near);
    return bitmap;
  });
const has = (bitmap: Bitmap, slot: number): boolean => slot < bitmap.words.length * 32 && bitmap.has(slot);

const edges: fc.Arbitrary<Edge> = fc.record({
  below: fc.option(bitmaps),
  next: bitmaps,
  upperHalf: fc.option(bitmaps),
});
const covers = fc.record({
  anyOf: fc.array(bitmaps, { maxLength: 4 }),
  above: fc.option(edges),
  below: fc.option(edges),
});

test("an intersection has the slots that are in all covers, whatever the lengths of their bitmaps", () => {
  const isBelow = ({ below, next, upperHalf }: Edge, slot: number): boolean =>
    (below !== null && has(below, slot)) || (upperHalf !== null && has(next, slot) && !has(upperHalf, slot));
  const isBound = (edge: Edge | null): edge is Edge =>
    edge !== null && (edge.below !== null || edge.upperHalf !== null);
  fc.assert(
    fc.property(fc.array(covers, { minLength: 1, maxLength: 3 }), bitmaps, (all, first) => {
      const into = new Bitmap(100_000);
      into.words.fill(7);
      const count = intersect([{ anyOf: [first] }, ...all], into);
      const expected = Array.from({ length: into.words.length * 32 }, (_, slot) => slot).filter(
        (slot) =>
          has(first, slot) &&
          all.every(
            ({ anyOf, above, below }) =>
              (anyOf.length === 0 || anyOf.some((bitmap) => has(bitmap, slot))) &&
              !(isBound(above) && isBelow(above, slot)) &&
              (!isBound(below) || isBelow(below, slot)),
          ),
      );
      expect(Array.from(into.slots())).toEqual(expected);
      expect(count).toBe(expected.length);
    }),
    { seed, numRuns: 30 },
  );
});

test("slots are sorted by value, then by slot, whether they are few or all of a long column", () => {
  const values = fc.oneof(fc.constantFrom(-1.5e15, 0, 1, 2 ** 40), fc.integer({ min: -50, max: 50 }));
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 100, maxLength: 300, size: "max" }),
      fc.integer({ min: 1, max: 100 }),
      (keys, step) => {
        const column = Float64Array.from(keys, (key) => key + 0);
        const slots = Uint32Array.from(column.keys()).filter((slot) => slot % step === 0);
        const expected = Array.from(slots).sort((a, b) => (column[a] as number) - (column[b] as number) || a - b);
        sortSlots(slots, column);
        expect(Array.from(slots)).toEqual(expected);
      },
    ),
    { seed },
  );
});
