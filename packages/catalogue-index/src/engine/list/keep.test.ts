import fc from "fast-check";
import { expect, test } from "vitest";
import { isWithin, keepDoubles, keepIntegers } from "./keep.ts";

const ends = fc.oneof(
  fc.constantFrom(
    Number.NEGATIVE_INFINITY,
    -0.5,
    0,
    0.5,
    2 ** 32 - 1,
    2 ** 32 - 0.5,
    2 ** 32,
    Number.POSITIVE_INFINITY,
  ),
  fc.double({ min: -5, max: 60, noNaN: true }),
);
const keys = fc.array(fc.oneof(fc.nat(60), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1)), { maxLength: 50 });

test("the slots that are kept are those whose key is within both ends, in the same order", () => {
  fc.assert(
    fc.property(keys, ends, ends, (values, min, max) => {
      const integers = Uint32Array.from(values);
      const doubles = Float64Array.from(values);
      const expected = values.flatMap((key, slot) => (key >= min && key <= max ? [slot] : []));
      for (const keep of [
        (slots: Uint32Array) => keepIntegers(slots, values.length, integers, { min, max }),
        (slots: Uint32Array) => keepDoubles(slots, values.length, doubles, { min, max }),
      ]) {
        const slots = Uint32Array.from(values.keys());
        expect(Array.from(slots.subarray(0, keep(slots)))).toEqual(expected);
      }
      for (const slot of values.keys())
        expect([isWithin(integers, slot, { min, max }), isWithin(doubles, slot, { min, max })]).toEqual(
          Array(2).fill(expected.includes(slot)),
        );
    }),
    { seed: 20261130, numRuns: 300 },
  );
});
